package mock

import (
	"bufio"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"reseller/client/mock/synthetic"
)

// writer is a process that stores keywords one call at a time and says on stdout
// which ones the service has acknowledged.
func writer(path, name, rounds string) int {
	s, err := Open(Options{Path: path})
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	token, err := s.Token(1)
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	n, _ := strconv.Atoi(rounds)
	for i := range n {
		word := fmt.Sprintf("%s-%d", name, i)
		r := httptest.NewRequest("POST", keywordsPath, strings.NewReader(keywordBody(word)))
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); w.Code != 200 {
			fmt.Println("error:", w.Body)
			return 1
		}
		fmt.Println(word)
	}
	return 0
}

func keywordBody(word string) string {
	return `{"account_id":1,"campaign_id":101,"keywords":[{"keyword":"` + word + `","keyword_type":"target"}]}`
}

func startWriter(t *testing.T, path, name string, rounds int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "MOCK_WRITER_DB="+path, "MOCK_WRITER_NAME="+name, "MOCK_WRITER_ROUNDS="+strconv.Itoa(rounds))
	out, err := cmd.StdoutPipe()
	noError(t, err)
	noError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewScanner(out)
}

// stored counts each keyword of reseller 1 by its text.
func stored(t *testing.T, path string) map[string]int {
	t.Helper()
	var list []synthetic.Keyword
	start(t, Options{Path: path}).ok("GET", keywordsPath, "", &list)
	words, ids := map[string]int{}, map[int64]bool{}
	for _, k := range list {
		words[k.Keyword]++
		if ids[k.RankID] {
			t.Errorf("rank_id %d twice", k.RankID)
		}
		ids[k.RankID] = true
	}
	return words
}

// Four processes and, in this one, two services with four goroutines each write to
// one file, beginning with its creation.
func TestConcurrentWriters(t *testing.T) {
	const rounds = 60
	path := filepath.Join(t.TempDir(), "deep", "folder", "mock.db")
	var group sync.WaitGroup
	for p := range 4 {
		cmd, out := startWriter(t, path, fmt.Sprint("process", p), rounds)
		group.Go(func() {
			for out.Scan() {
				if strings.HasPrefix(out.Text(), "error:") {
					t.Error(out.Text())
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	for n := range 2 {
		c := start(t, Options{Path: path})
		for g := range 4 {
			group.Go(func() {
				for i := range rounds {
					c.ok("POST", keywordsPath, keywordBody(fmt.Sprintf("service%d-%d-%d", n, g, i)), nil)
					if i%10 == 0 {
						c.ok("GET", keywordsPath, "", nil)
					}
				}
			})
		}
	}
	group.Wait()
	words := stored(t, path)
	if len(words) != 30+12*rounds {
		t.Errorf("got %d different keywords, want %d", len(words), 30+12*rounds)
	}
	for word, n := range words {
		if n != 1 {
			t.Errorf("got keyword %s %d times, want it once", word, n)
		}
	}
}

// A writer that is killed loses nothing that it acknowledged, and leaves a file
// that opens.
func TestKilledWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mock.db")
	for round := range 8 {
		name := fmt.Sprint("killed", round)
		cmd, out := startWriter(t, path, name, 1_000_000)
		var acknowledged []string
		for out.Scan() {
			acknowledged = append(acknowledged, out.Text())
			if len(acknowledged) == 30+17*round {
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()
		words := stored(t, path)
		for _, word := range acknowledged {
			if words[word] != 1 {
				t.Errorf("got the acknowledged keyword %s %d times, want it once", word, words[word])
			}
		}
		if len(acknowledged) < 30 {
			t.Fatalf("round %d: %q", round, acknowledged)
		}
	}
}

// While services are running, a reset leaves every request with a whole database.
func TestResetBesideServices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mock.db")
	c := start(t, Options{Path: path})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				c.ok("POST", keywordsPath, keywordBody("a"), nil)
			}
		})
	}
	for range 20 {
		if err := Reset(path); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	noError(t, Reset(path))
	if words := stored(t, path); len(words) != 30 {
		t.Errorf("got %d keywords after the last reset, want 30", len(words))
	}
}
