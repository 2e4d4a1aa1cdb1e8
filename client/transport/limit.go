package transport

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// minRate is the rate below which 429 does not slow the requests, in attempts a
// second.
const minRate = 0.5

// A limiter is one token bucket for all workers. A 429 halves its rate, a
// Retry-After holds all requests until then, and answers that go well raise the
// rate again.
type limiter struct {
	next http.RoundTripper
	sent atomic.Int64 // attempts

	mu       sync.Mutex
	bucket   *rate.Limiter
	max      rate.Limit // the configured rate, or no limit
	ceiling  rate.Limit // the rate in force before the last 429
	until    time.Time  // no request is sent before
	halvedAt time.Time  // when the rate was last halved
	second   time.Time  // begin of the second that done counts
	done     int        // answers in that second that were no 429
}

func newLimiter(next http.RoundTripper, perSecond float64) *limiter {
	limit := rate.Inf
	if perSecond > 0 {
		limit = rate.Limit(perSecond)
	}
	return &limiter{next: next, bucket: rate.NewLimiter(limit, 1), max: limit}
}

func (l *limiter) RoundTrip(req *http.Request) (*http.Response, error) {
	o, waits := optionsOf(req), waitContext(req)
	if o.Limiter != nil {
		if err := o.Limiter.Wait(waits); err != nil {
			return nil, err
		}
	}
	if err := l.wait(waits); err != nil {
		return nil, err
	}
	if o.OnSend != nil {
		if err := o.OnSend(); err != nil {
			return nil, err
		}
	}
	l.sent.Add(1)
	start := time.Now()
	resp, err := l.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	wait, asked := RetryAfter(resp)
	l.mu.Lock()
	defer l.mu.Unlock()
	if asked && wait <= maxRetryAfter && (resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable) {
		if until := time.Now().Add(wait); until.After(l.until) {
			l.until = until
		}
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		if start.After(l.halvedAt) { // requests that were under way together halve the rate once
			l.decrease()
		}
	} else if resp.StatusCode < 500 {
		l.increase()
	}
	return resp, nil
}

// wait returns when a request may be sent.
func (l *limiter) wait(ctx context.Context) error {
	for granted := false; ; {
		l.mu.Lock()
		pause := time.Until(l.until)
		l.mu.Unlock()
		switch {
		case pause > 0:
			if err := Sleep(ctx, pause); err != nil {
				return err
			}
		case granted:
			return nil
		default:
			// While this request waits for the bucket, the answer to another may
			// hold all of them, so until is looked at once more.
			if err := l.bucket.Wait(ctx); err != nil {
				return err
			}
			granted = true
		}
	}
}

// decrease halves the rate: the limit in force, or, where there is none, the
// rate that was reached.
func (l *limiter) decrease() {
	current := l.bucket.Limit()
	if current == rate.Inf {
		current = rate.Limit(max(l.done, 2))
	}
	l.halvedAt = time.Now()
	l.ceiling = current
	l.bucket.SetLimit(max(current/2, min(minRate, l.max)))
}

// increase counts an answer that went well and raises the rate by a tenth. At
// four times the rate before the last 429, the limit is the configured one
// again.
func (l *limiter) increase() {
	if now := time.Now(); now.Sub(l.second) > time.Second {
		l.second, l.done = now, 0
	}
	l.done++
	current := l.bucket.Limit()
	if current >= l.max {
		return
	}
	if current *= 1.1; current > 4*l.ceiling || current > l.max {
		current = l.max
	}
	l.bucket.SetLimit(current)
}
