package client

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// minRate is what 429 slows the calls to at most, in calls a second.
const minRate = 0.5

// A limiter is one limiter for all workers. A 429 halves the rate, a
// Retry-After stops all calls until then, and calls that go well bring the
// rate up again.
type limiter struct {
	next http.RoundTripper
	sent atomic.Int64 // calls that left

	mu      sync.Mutex
	bucket  *rate.Limiter
	max     rate.Limit // what was asked for, or no limit
	ceiling rate.Limit // above this the rate before the last 429 is reached again
	until   time.Time
	slowed  time.Time // when the rate was last halved
	second  time.Time // of what done counts
	done    int
}

func newLimit(next http.RoundTripper, perSecond float64) *limiter {
	most := rate.Inf
	if perSecond > 0 {
		most = rate.Limit(perSecond)
	}
	return &limiter{next: next, bucket: rate.NewLimiter(most, 1), max: most}
}

func (l *limiter) RoundTrip(req *http.Request) (*http.Response, error) {
	if pace, ok := req.Context().Value(limiterKey{}).(*rate.Limiter); ok {
		if err := pace.Wait(waitContext(req.Context())); err != nil {
			return nil, err
		}
	}
	if err := l.wait(waitContext(req.Context())); err != nil {
		return nil, err
	}
	if err := onSend(req.Context()); err != nil {
		return nil, err
	}
	l.sent.Add(1)
	began := time.Now()
	resp, err := l.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	after, asked := retryAfter(resp)
	l.mu.Lock()
	defer l.mu.Unlock()
	if asked && after <= maxRetryAfter && (resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable) {
		if until := time.Now().Add(after); until.After(l.until) {
			l.until = until
		}
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		if began.After(l.slowed) { // the calls of one moment are slowed once
			l.decrease()
		}
	} else if resp.StatusCode < 500 {
		l.increase()
	}
	return resp, nil
}

func (l *limiter) wait(ctx context.Context) error {
	for turn := false; ; {
		l.mu.Lock()
		pause := time.Until(l.until)
		l.mu.Unlock()
		switch {
		case pause > 0:
			if err := Sleep(ctx, pause); err != nil {
				return err
			}
		case turn:
			return nil
		default:
			// While this waits for its turn, another may be told to stop all.
			if err := l.bucket.Wait(ctx); err != nil {
				return err
			}
			turn = true
		}
	}
}

// decrease halves the rate: the one in force, or the one that was reached.
func (l *limiter) decrease() {
	present := l.bucket.Limit()
	if present == rate.Inf {
		present = rate.Limit(max(l.done, 2))
	}
	l.slowed = time.Now()
	l.ceiling = present
	l.bucket.SetLimit(max(present/2, min(minRate, l.max)))
}

// increase counts a call that went well and takes back a little of what slow took.
func (l *limiter) increase() {
	if now := time.Now(); now.Sub(l.second) > time.Second {
		l.second, l.done = now, 0
	}
	l.done++
	present := l.bucket.Limit()
	if present >= l.max {
		return
	}
	if present *= 1.1; present > 4*l.ceiling || present > l.max {
		present = l.max
	}
	l.bucket.SetLimit(present)
}
