package transport

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// minRate is the rate, in attempts per second, below which a 429 does not reduce the
// rate any further.
const minRate = 0.5

// A limiter is one token bucket for all workers. A 429 halves its rate, a Retry-After
// holds back all requests until its time has passed, and responses without an error
// raise the rate again.
type limiter struct {
	next http.RoundTripper
	sent atomic.Int64 // attempts

	mu       sync.Mutex
	bucket   *rate.Limiter
	max      rate.Limit // the configured rate, or no limit
	ceiling  rate.Limit // the rate in force before the last 429
	until    time.Time  // no request is sent before this time
	halvedAt time.Time  // when the rate was last halved
	second   time.Time  // the beginning of the second in which done is counted
	done     int        // responses in this second that were neither a 429 nor a 5xx
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
		if start.After(l.halvedAt) { // requests that were in flight at the same time halve the rate only once
			l.decrease()
		}
	} else if resp.StatusCode < 500 {
		l.increase()
	}
	return resp, nil
}

// wait waits until a request may be sent.
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
			// While this request waits for the bucket, the response to another one may
			// set until, so the loop checks until once more.
			if err := l.bucket.Wait(ctx); err != nil {
				return err
			}
			granted = true
		}
	}
}

// decrease halves the rate: the present limit, or the measured rate if there is no
// limit.
func (l *limiter) decrease() {
	current := l.bucket.Limit()
	if current == rate.Inf {
		current = rate.Limit(max(l.done, 2))
	}
	l.halvedAt = time.Now()
	l.ceiling = current
	l.bucket.SetLimit(max(current/2, min(minRate, l.max)))
}

// increase counts a response and raises the rate by a tenth. When the rate is four
// times the one before the last 429, the configured rate applies again.
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
