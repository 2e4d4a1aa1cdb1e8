package mock

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"reseller/client/mock/fault"
)

// wire is one caller of a service over a real connection.
type wire struct {
	*client
	url string

	mu     sync.Mutex
	script []fault.Fault // for one request after another; none for the rest
}

// play sets the faults of the next requests.
func (w *wire) play(script ...fault.Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.script = script
}

func onWire(t *testing.T, o Options) *wire {
	w := &wire{}
	o.Faults = func(int, string, string) (f fault.Fault) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.script) > 0 {
			f, w.script = w.script[0], w.script[1:]
		}
		return f
	}
	w.client = start(t, o)
	server := httptest.NewServer(w.s)
	t.Cleanup(func() { server.Close(); w.s.Wait() })
	w.url = server.URL
	return w
}

// got is what a caller saw of an answer.
type got struct {
	status int
	header http.Header
	body   string
	err    error
}

// meet sends a request that meets a fault.
func (w *wire) meet(f fault.Fault, method, path, body string) got {
	w.t.Helper()
	w.play(f)
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return got{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return got{resp.StatusCode, resp.Header, string(text), err}
}

// words are the keywords that are really stored and begin with x.
func (w *wire) words() []string {
	w.t.Helper()
	w.play()
	var list []keyword
	w.ok("GET", keywordsPath, "", &list)
	var words []string
	for _, k := range list {
		if strings.HasPrefix(strings.ToLower(k.Keyword), "x") {
			words = append(words, k.Keyword)
		}
	}
	return words
}

// batch is the body of a call that stores keywords.
func batch(words ...string) string {
	var items []string
	for _, word := range words {
		items = append(items, fmt.Sprintf(`{"keyword":%q,"keyword_type":"target"}`, word))
	}
	return `{"account_id":1,"campaign_id":101,"keywords":[` + strings.Join(items, ",") + `]}`
}

// Each fault: what is heard, and what is stored.
func TestFaults(t *testing.T) {
	const brokenOff = -1
	w := onWire(t, Options{})
	for name, c := range map[string]struct {
		fault  fault.Fault
		status int // 0: no answer at all
		stored string
		check  func(got) bool
	}{
		"none":          {fault.Fault{}, 200, "x1 x2 x3", nil},
		"reset before":  {fault.Fault{Execute: fault.ExecuteNone, Reset: true}, 0, "", nil},
		"reset after":   {fault.Fault{Reset: true}, 0, "x1 x2 x3", nil},
		"status before": {fault.Fault{Execute: fault.ExecuteNone, Status: 500}, 500, "", nil},
		"status after":  {fault.Fault{Status: 502}, 502, "x1 x2 x3", nil},
		"never":         {fault.Fault{Execute: fault.ExecuteNone}, 503, "", nil},
		"page": {fault.Fault{Execute: fault.ExecuteNone, Status: 503, HTML: true}, 503, "", func(g got) bool {
			return strings.HasPrefix(g.body, "<html>") && g.header.Get("Content-Type") == "text/html"
		}},
		"page at 200":        {fault.Fault{HTML: true}, 200, "x1 x2 x3", func(g got) bool { return strings.Contains(g.body, "200 OK") }},
		"retry later":        {fault.Fault{Execute: fault.ExecuteNone, RetryAfter: "7"}, 503, "", func(g got) bool { return g.header.Get("Retry-After") == "7" }},
		"too many":           {fault.Fault{Execute: fault.ExecuteNone, Status: 429}, 429, "", func(g got) bool { return g.header.Get("Retry-After") == "" }},
		"too many, wait":     {fault.Fault{Execute: fault.ExecuteNone, Status: 429, RetryAfter: "1"}, 429, "", func(g got) bool { return g.header.Get("Retry-After") == "1" }},
		"cut":                {fault.Fault{Truncate: true}, brokenOff, "x1 x2 x3", func(g got) bool { return errors.Is(g.err, io.ErrUnexpectedEOF) && g.status == 200 }},
		"garbled":            {fault.Fault{Body: `{"data":{`}, 200, "x1 x2 x3", func(g got) bool { return g.body == `{"data":{` }},
		"half":               {fault.Fault{Execute: fault.ExecuteHalf}, 422, "x1 x3", func(g got) bool { return strings.Contains(g.body, "Unprocessable Entity") }},
		"half, other status": {fault.Fault{Execute: fault.ExecuteHalf, Status: 413}, 413, "x1 x3", nil},
		"half, no answer":    {fault.Fault{Execute: fault.ExecuteHalf, Reset: true}, 0, "x1 x3", nil},
		"late":               {fault.Fault{Defer: time.Millisecond}, 504, "x1 x2 x3", nil},
		"late half":          {fault.Fault{Execute: fault.ExecuteHalf, Defer: time.Millisecond}, 422, "x1 x3", nil},
		"late reset":         {fault.Fault{Defer: time.Millisecond, Reset: true}, 0, "x1 x2 x3", nil},
	} {
		if err := Reset(w.s.db.Path()); err != nil {
			t.Fatal(err)
		}
		g := w.meet(c.fault, "POST", keywordsPath, batch("x1", "x2", "x3"))
		w.s.Wait()
		switch {
		case c.status == 0 && (g.err == nil || !errors.Is(g.err, syscall.ECONNRESET) && !errors.Is(g.err, io.EOF)):
			t.Errorf("%s: %+v, want a reset", name, g)
		case c.status > 0 && (g.err != nil || g.status != c.status):
			t.Errorf("%s: %+v, want %d", name, g, c.status)
		case c.check != nil && !c.check(g):
			t.Errorf("%s: %+v", name, g)
		}
		if c.status >= 300 && !c.fault.HTML && !json.Valid([]byte(g.body)) {
			t.Errorf("%s: %s", name, g.body)
		}
		if got := strings.Join(w.words(), " "); got != c.stored {
			t.Errorf("%s: stored %q, want %q", name, got, c.stored)
		}
	}
}

// A batch with a bad keyword is refused, and its good ones are stored all the same.
func TestHalfOfBadBatch(t *testing.T) {
	w := onWire(t, Options{})
	if g := w.meet(fault.Fault{}, "POST", keywordsPath, batch("x1", "x2", " ")); g.status != 422 || w.words() != nil {
		t.Errorf("the clean service: %+v, stored %q", g, w.words())
	}
	g := w.meet(fault.Fault{Execute: fault.ExecuteHalf}, "POST", keywordsPath, batch("x1", "x2", " ", "x4", "x5"))
	if want := []string{"x1", "x5"}; g.status != 422 || !slices.Equal(w.words(), want) {
		t.Errorf("%+v, stored %q", g, w.words())
	}
	for _, body := range []string{"", "x", "[]", `{"keywords":1}`, batch()} {
		if g := w.meet(fault.Fault{Execute: fault.ExecuteHalf}, "POST", keywordsPath, body); g.status != 400 {
			t.Errorf("%s: %+v", body, g)
		}
	}
	if g := w.meet(fault.Fault{Execute: fault.ExecuteHalf}, "POST", keywordsPath, batch("x9")); g.status != 200 || len(w.words()) != 3 {
		t.Errorf("a batch of one: %+v", g)
	}
	if g := w.meet(fault.Fault{Execute: fault.ExecuteHalf}, "POST", "/api/v2/accounts", createV2); g.status != 200 {
		t.Errorf("an account: %+v", g)
	}
}

// A late call is stored when it is due, not before.
func TestLate(t *testing.T) {
	w := onWire(t, Options{})
	begin := time.Now()
	if g := w.meet(fault.Fault{Defer: 400 * time.Millisecond}, "POST", keywordsPath, batch("x1")); g.status != 504 {
		t.Errorf("%+v", g)
	}
	if took, words := time.Since(begin), w.words(); took < 200*time.Millisecond && words != nil {
		t.Errorf("stored after %v: %q", took, words)
	}
	w.s.Wait()
	if words := w.words(); len(words) != 1 || time.Since(begin) < 400*time.Millisecond {
		t.Errorf("stored in the end: %q after %v", words, time.Since(begin))
	}
}

func TestFold(t *testing.T) {
	w := onWire(t, Options{})
	if g := w.meet(fault.Fault{FoldText: true}, "POST", keywordsPath, batch("X  Ä\tb ", "x")); g.status != 200 {
		t.Errorf("%+v", g)
	}
	if want := []string{"x ä b", "x"}; !slices.Equal(w.words(), want) {
		t.Errorf("stored %q", w.words())
	}
	for _, body := range []string{"", "x", `{"keywords":[1]}`, `{"keywords":[{"keyword":1}]}`} {
		if g := w.meet(fault.Fault{FoldText: true}, "POST", keywordsPath, body); g.status != 400 {
			t.Errorf("%s: %+v", body, g)
		}
	}
}

func TestDelay(t *testing.T) {
	w := onWire(t, Options{})
	begin := time.Now()
	g := w.meet(fault.Fault{Delay: 100 * time.Millisecond}, "POST", keywordsPath, batch("x1"))
	if took := time.Since(begin); g.status != 200 || took < 100*time.Millisecond {
		t.Errorf("%+v after %v", g, took)
	}
}

// A token that has expired is refused until another one comes.
func TestExpire(t *testing.T) {
	w := onWire(t, Options{})
	for _, f := range []fault.Fault{{ExpireToken: true}, {}, {}} {
		if g := w.meet(f, "POST", keywordsPath, batch("x1")); g.status != 401 || !strings.Contains(g.body, "Invalid Authorization") {
			t.Errorf("%+v", g)
		}
	}
	w.client = w.as(1)
	if g := w.meet(fault.Fault{}, "POST", keywordsPath, batch("x2")); g.status != 200 {
		t.Errorf("a new token: %+v", g)
	}
	if want := []string{"x2"}; !slices.Equal(w.words(), want) {
		t.Errorf("stored %q", w.words())
	}
}
