package mock

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestFailRate(t *testing.T) {
	run := func(seed int64) (story string, seen map[string]int) {
		c := start(t, Options{FailRate: 0.5, Seed: seed})
		seen = map[string]int{}
		const calls = 300
		stored, clean := 0, 0
		for i := range calls {
			body := fmt.Sprintf(`{"account_id":1,"campaign_id":101,"keywords":[{"keyword":"k%d","keyword_type":"target"}]}`, i)
			w := c.send("POST", keywordsPath, body)
			wasThere := stored
			stored = count(t, c)
			late := stored > wasThere
			story += fmt.Sprint(w.Code, " ")
			switch {
			case w.Code == 200:
				clean++
				if !late {
					t.Fatal("a success was not stored")
				}
				continue
			case late:
				seen["late"]++
			default:
				seen["early"]++
			}
			seen[strconv.Itoa(w.Code)]++
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
				seen["html"]++
			}
			if w.Header().Get("Retry-After") != "" {
				seen["retry-after"]++
				if late || w.Code != 503 {
					t.Errorf("Retry-After with %d, carried out: %v", w.Code, late)
				}
			}
		}
		if clean < calls/3 || clean > 2*calls/3 {
			t.Errorf("%d of %d calls succeeded", clean, calls)
		}
		return story, seen
	}
	story, seen := run(1)
	for _, kind := range []string{"late", "early", "500", "502", "503", "html", "retry-after"} {
		if seen[kind] == 0 {
			t.Errorf("no failure is %s: %v", kind, seen)
		}
	}
	if again, _ := run(1); again != story {
		t.Error("the same seed told another story")
	}
	if other, _ := run(2); other == story {
		t.Error("another seed told the same story")
	}
}

// count looks at the keywords behind the faults' back.
func count(t testing.TB, c *client) int {
	t.Helper()
	faultless := &client{t, newService(Options{Path: c.s.db.Path(), Now: c.s.now}), c.token}
	return *faultless.ok("GET", keywordsPath, "", nil).Pagination.TotalRecords
}

func TestRateLimit(t *testing.T) {
	c := start(t, Options{RateLimit: 0.5})
	c.ok("GET", "/api/v1/campaigns", "", nil)
	c.refused("GET", "/api/v1/campaigns", "", 429, "")
	r := c.call("GET", "/api/v1/campaigns", "")
	if got := r.recorder.Header().Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After %q", got)
	}
	fast := start(t, Options{RateLimit: 20})
	refused := 0
	for range 40 {
		if fast.call("GET", "/api/v1/accounts/1", "").status == 429 {
			refused++
		}
	}
	if refused < 5 || refused > 20 {
		t.Errorf("%d of 40 calls refused at 20 a second", refused)
	}
}

// Slow answers hold up nobody: eight together take little longer than one.
func TestLatency(t *testing.T) {
	const latency = 150 * time.Millisecond
	path := filepath.Join(t.TempDir(), "mock.db")
	c := start(t, Options{Path: path, Latency: latency})
	begin := time.Now()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { c.ok("GET", "/api/v1/campaigns", "", nil) })
	}
	group.Wait()
	if took := time.Since(begin); took < latency || took > 4*latency {
		t.Errorf("eight answers took %v", took)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	slow := start(t, Options{Path: path, Latency: time.Hour})
	r := httptest.NewRequest("GET", "/api/v1/campaigns", nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+c.token)
	w := httptest.NewRecorder()
	slow.s.ServeHTTP(w, r)
	if w.Code == 200 || time.Since(begin) > 30*time.Second {
		t.Errorf("a request that was given up: %d", w.Code)
	}
}
