package transport

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"
)

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
		t.Errorf("after a successful response: got %v, want 55", got)
	}
	for range 20 {
		l.increase()
	}
	if got := l.bucket.Limit(); got != 100 {
		t.Errorf("after 21 successful responses: got %v, want 100", got)
	}

	l = newLimiter(nil, 0)
	for range 10 {
		l.increase()
	}
	l.decrease()
	if got := l.bucket.Limit(); got != 5 {
		t.Errorf("without a limit, after ten responses and a 429: got %v, want half of the rate that was reached", got)
	}
	for range 30 {
		l.increase()
	}
	if got := l.bucket.Limit(); got != rate.Inf {
		t.Errorf("four times the rate before: got %v, want no limit", got)
	}
}

// TestRefusalsTogetherHalveOnce sends requests that are all in flight when they
// are all refused.
func TestRefusalsTogetherHalveOnce(t *testing.T) {
	release := make(chan struct{})
	var waiting atomic.Int32
	l := newLimiter(roundTripFunc(func(*http.Request) (*http.Response, error) {
		if waiting.Add(1) == 8 {
			close(release)
		}
		<-release
		return response(429), nil
	}), 1000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { _, _ = l.RoundTrip(get(t)) })
	}
	wg.Wait()
	if got := l.bucket.Limit(); got != 500 {
		t.Errorf("got %v, want 500", got)
	}
	if got := l.sent.Load(); got != 8 {
		t.Errorf("got %d requests, want 8", got)
	}
}

func TestRetryAfterHoldsAllRequests(t *testing.T) {
	for _, tt := range []struct {
		name string
		resp *http.Response
		held bool
	}{
		{"429", response(429, "Retry-After", "60"), true},
		{"503", response(503, "Retry-After", "60"), true},
		{"429 without Retry-After", response(429), false},
		{"500", response(500, "Retry-After", "60"), false},
		{"longer than a request is retried for", response(429, "Retry-After", "901"), false},
		{"as long as a request is retried for", response(429, "Retry-After", "900"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLimiter(roundTripFunc(func(*http.Request) (*http.Response, error) { return tt.resp, nil }), 0)
			if _, err := l.RoundTrip(get(t)); err != nil {
				t.Fatal(err)
			}
			if got := time.Until(l.until) > 50*time.Second; got != tt.held {
				t.Errorf("requests are held: got %v, want %v", got, tt.held)
			}
		})
	}
}

func TestLimiterWaits(t *testing.T) {
	l := newLimiter(roundTripFunc(func(*http.Request) (*http.Response, error) { return response(200), nil }), 0)
	l.until = time.Now().Add(time.Hour)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	if _, err := l.RoundTrip(get(t).WithContext(ctx)); !errors.Is(err, stopped) {
		t.Errorf("while all requests are held: got %v, want the cause of the context's end", err)
	}
	l.until = time.Time{}
	extra := rate.NewLimiter(0, 0)
	if _, err := l.RoundTrip(get(t).WithContext(WithCallOptions(t.Context(), CallOptions{Limiter: extra}))); err == nil {
		t.Error("the limiter of the request lets nothing through: got no error")
	}
	if got := l.sent.Load(); got != 0 {
		t.Errorf("got %d requests, want none", got)
	}
}

func TestOnSend(t *testing.T) {
	var order []string
	l := newLimiter(roundTripFunc(func(req *http.Request) (*http.Response, error) {
		order = append(order, "write")
		return response(200), req.Context().Err()
	}), 0)
	ctx, cancel := context.WithCancel(t.Context())
	drained := WithCallOptions(ctx, CallOptions{OnSend: func() error {
		order = append(order, "send")
		cancel()
		return nil
	}})
	if _, err := l.RoundTrip(get(t).WithContext(drained)); err != nil {
		t.Errorf("a request whose context ends when it is written: got %v, want a response", err)
	}
	if want := []string{"send", "write"}; !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
	aborted := errors.New("aborted")
	if _, err := l.RoundTrip(get(t).WithContext(WithCallOptions(t.Context(), CallOptions{OnSend: func() error { return aborted }}))); !errors.Is(err, aborted) {
		t.Errorf("got %v, want the error of OnSend", err)
	}
	if got := l.sent.Load(); got != 1 {
		t.Errorf("got %d requests, want 1", got)
	}
}
