//go:build unix

package cmd_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// A countingService stores credentials and counts the requests of each user.
type countingService struct {
	mu     sync.Mutex
	counts map[string]int
}

var usernamePattern = regexp.MustCompile(`"username":"(\w+)"`)

func (s *countingService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, match := range usernamePattern.FindAllSubmatch(body, -1) {
		s.counts[string(match[1])]++
	}
	fmt.Fprint(w, `{"data":{"iam_credentials_id":1},"error":false}`)
}

// total returns the number of requests.
func (s *countingService) total() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, count := range s.counts {
		n += count
	}
	return n
}

// TestHistoryThatCannotBeWritten checks that nothing is sent twice, and nothing is sent
// that the next command does not remember, if the history of what was sent can't be
// written: it is in a folder that can't be changed, or the program may open only a few
// files.
func TestHistoryThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	m := newTwoUsers(t) // permissions bind only users other than root
	service := &countingService{counts: map[string]int{}}
	server := httptest.NewServer(service)
	defer server.Close()
	m.env = []string{"HOME=" + m.home, "PATH=" + os.Getenv("PATH"), "RESELLER_BASE_URL=" + server.URL, "RESELLER_TOKEN=sesame"}
	state := filepath.Join(m.home, ".local", "state", "reseller", "jobs")
	rows := func(name string, users ...string) string {
		text := "reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n"
		for _, user := range users {
			text += "1,1,101,4," + user + ",p,n\n"
		}
		return m.write(victim, filepath.Join(m.home, name+".csv"), text, 0o600)
	}
	password := m.write(victim, filepath.Join(m.home, "password"), "p\n", 0o600)
	load := func(name string, users ...string) []string {
		return []string{m.program, "accounts", "credentials", "create", "--rate", "1000", "--file", rows(name, users...)}
	}
	single := func(user string) []string {
		return []string{"sh", "-c", `file=$1; shift; exec "$@" <"$file"`, "sh", password, m.program, "accounts", "credentials", "create", "--password-stdin",
			"--reseller-account-id", "1", "--account", "1", "--campaign", "101", "--credentials-types-id", "4", "--username", user, "--note", "n"}
	}
	wantOnce := func(t *testing.T, users ...string) {
		t.Helper()
		service.mu.Lock()
		defer service.mu.Unlock()
		for _, user := range users {
			if got := service.counts[user]; got != 1 {
				t.Errorf("%s: got %d requests, want 1", user, got)
			}
		}
	}

	readOnly := map[string][]string{"load": load("read_only", "r1", "r2"), "single write": single("r3")}
	parent := filepath.Dir(m.write(victim, filepath.Join(filepath.Dir(state), "file"), "", 0o600))
	for _, c := range []struct {
		when, folder string
		sends        int // a single write needs the file of the history only
		prepare      func()
	}{
		{"without a history", parent, 0, func() {}},
		{"with a history", state, 1, func() {
			if code, text := m.runProgram(load("first", "first")...); code != 0 {
				t.Fatalf("got exit code %d, want 0:\n%s", code, text)
			}
		}},
		{"with a history that is read-only as well", state, 0, func() { m.check(os.Chmod(filepath.Join(state, "sent.log"), 0o400)) }},
	} {
		t.Run("read-only folder "+c.when, func(t *testing.T) {
			m.t = t
			c.prepare()
			before := service.total()
			m.check(os.Chmod(c.folder, 0o500))
			for name, line := range readOnly {
				sent := service.total()
				if code, text := m.runProgram(line...); (code == 0) != (service.total() > sent) {
					t.Errorf("%s: got exit code %d after %d requests:\n%s", name, code, service.total()-sent, text)
				}
			}
			m.check(os.Chmod(c.folder, 0o700))
			if got := service.total() - before; got != c.sends {
				t.Errorf("got %d requests, want %d", got, c.sends)
			}
		})
	}
	m.t = t
	m.check(os.Chmod(filepath.Join(state, "sent.log"), 0o600))
	for _, line := range readOnly {
		if code, text := m.runProgram(line...); code != 0 {
			t.Errorf("got exit code %d once the folder can be changed, want 0:\n%s", code, text)
		}
	}
	wantOnce(t, "first", "r1", "r2", "r3")

	for limit := 4; limit <= 20; limit++ {
		t.Run(fmt.Sprintf("%d files", limit), func(t *testing.T) {
			m.t = t
			users := []string{fmt.Sprintf("few%da", limit), fmt.Sprintf("few%db", limit)}
			alone := fmt.Sprintf("few%dc", limit)
			few := []string{"sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$@"`, limit), "sh"}
			file := fmt.Sprintf("few%d", limit)
			for _, line := range [][]string{load(file, users...), single(alone)} {
				before := service.total()
				code, text := m.runProgram(append(few, line...)...)
				sent := service.total() - before
				if code == 0 && sent == 0 || code == 2 && sent > 0 {
					t.Errorf("got exit code %d after %d requests:\n%s", code, sent, text)
				}
			}
			// What was sent is remembered, by the job and by the history: another file with the
			// same rows and another single write send only the rest. Rows of calls without an
			// outcome are unknown and not sent.
			again := append(users, alone)
			code, text := m.runProgram(load(file+"again", again...)...)
			if code != 0 && code != 3 {
				t.Errorf("got exit code %d, want 0 or 3:\n%s", code, text)
			}
			wantOnce(t, again...)
		})
	}
}
