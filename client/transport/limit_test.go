package transport

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/time/rate"
)

// roundTripFunc is a function that answers requests.
type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// answer is an answer with a status and pairs of a header's name and value.
func answer(status int, header ...string) *http.Response {
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(""))}
	for i := 0; i < len(header); i += 2 {
		resp.Header.Set(header[i], header[i+1])
	}
	return resp
}

func TestDecreaseNeverRaisesTheRate(t *testing.T) {
	l := newLimiter(nil, 10.0/60)
	l.decrease()
	if got := l.bucket.Limit(); got > 10.0/60 {
		t.Errorf("10 a minute became %v a second", got)
	}
}

func TestIncrease(t *testing.T) {
	l := newLimiter(nil, 100)
	l.increase()
	if got := l.bucket.Limit(); got != 100 {
		t.Errorf("at the configured rate: got %v, want 100", got)
	}
	l.decrease()
	if got := l.bucket.Limit(); got != 50 {
		t.Fatalf("after a 429: got %v, want 50", got)
	}
	l.increase()
	if got := l.bucket.Limit(); got < 54 || got > 56 {
		t.Errorf("after an answer that went well: got %v, want 55", got)
	}
	for range 20 {
		l.increase()
	}
	if got := l.bucket.Limit(); got != 100 {
		t.Errorf("after 21 answers that went well: got %v, want 100", got)
	}

	l = newLimiter(nil, 0)
	for range 10 {
		l.increase()
	}
	l.decrease()
	if got := l.bucket.Limit(); got != 5 {
		t.Errorf("without a limit, after ten answers and a 429: got %v, want half of what was reached", got)
	}
	for range 30 {
		l.increase()
	}
	if got := l.bucket.Limit(); got != rate.Inf {
		t.Errorf("four times the rate before: got %v, want no limit", got)
	}
}

// TestRefusalsTogetherHalveOnce sends requests that are all refused while they
// are all under way.
func TestRefusalsTogetherHalveOnce(t *testing.T) {
	release := make(chan struct{})
	var waiting atomic.Int32
	l := newLimiter(roundTripFunc(func(*http.Request) (*http.Response, error) {
		if waiting.Add(1) == 8 {
			close(release)
		}
		<-release
		return answer(429), nil
	}), 1000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { _, _ = l.RoundTrip(httptest.NewRequest(http.MethodGet, "/", nil)) })
	}
	wg.Wait()
	if got := l.bucket.Limit(); got != 500 {
		t.Errorf("got %v, want 500", got)
	}
	if got := l.sent.Load(); got != 8 {
		t.Errorf("got %d requests, want 8", got)
	}
}
