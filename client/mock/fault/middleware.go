package fault

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"reseller/client/mock/api"
)

// Options configure a Middleware.
type Options struct {
	Latency   time.Duration // how long after its request each response comes, or more if the work takes longer
	RateLimit float64       // requests a second before 429; 0 is no limit
	Schedule  Schedule      // nil for no faults
	Now       func() time.Time
}

// Middleware wraps a service without faults and makes requests fail. It needs to know only
// two things of the service's operations: the form of lists and of batches of keywords.
type Middleware struct {
	latency  time.Duration
	interval time.Duration // the time between two requests at the rate limit; 0 for no limit
	burst    time.Duration // how far the requests may be ahead of the rate limit
	schedule Schedule      // nil for no faults
	now      func() time.Time
	lists    listLog

	mu       sync.Mutex
	due      time.Time       // when the requests that passed would all have passed at the rate limit
	requests int             // the number of requests that passed the limiter
	expired  map[string]bool // Authorization headers with a token that expired
	deferred int             // the number of deferred requests that were not carried out yet
	done     sync.Cond       // signals that a deferred request has been carried out
}

// New returns a Middleware.
func New(o Options) *Middleware {
	m := &Middleware{latency: o.Latency, schedule: o.Schedule, now: o.Now, expired: map[string]bool{}}
	m.done.L = &m.mu
	if o.RateLimit > 0 {
		m.interval = time.Duration(float64(time.Second) / o.RateLimit)
		m.burst = m.interval * time.Duration(max(1, int(o.RateLimit))-1)
	}
	return m
}

// Handler returns a handler that passes requests to next and applies their faults.
func (m *Middleware) Handler(next api.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, response := m.respond(r.Context(), api.ReadRequest(w, r), next)
		write(w, response, f)
	})
}

// RecordNewestIDs records the newest ids with the current time, for stale lists. The
// service calls it when it starts and at the end of each write.
func (m *Middleware) RecordNewestIDs(newest NewestIDs) { m.lists.record(m.now(), newest) }

// respond carries out a request, waits until the latency and the delay of the fault have passed since the request came, and
// returns the response and the fault, which write applies.
func (m *Middleware) respond(ctx context.Context, q api.Request, next api.Handler) (f Fault, response api.Response) {
	came, expired := time.Now(), false
	if wait := m.throttle(); wait > 0 {
		response = api.Refusal(&api.Error{Status: http.StatusTooManyRequests})
		response.Header = map[string]string{"Retry-After": strconv.Itoa(int(math.Ceil(wait.Seconds())))}
	} else if f, expired = m.next(q); expired {
		f, response = Fault{}, api.Refusal(api.Unauthorized())
	} else {
		f, response = m.execute(ctx, q, f, next)
	}
	if !sleep(ctx, m.latency+f.Delay-time.Since(came)) {
		// The client has closed the connection, so nobody reads this response.
		return Fault{}, api.Refusal(&api.Error{Status: http.StatusServiceUnavailable, Detail: "the client closed the request"})
	}
	return f, response
}

func (m *Middleware) throttle() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if m.due.Before(now) {
		m.due = now
	}
	if wait := m.due.Sub(now) - m.burst; wait > 0 {
		return wait
	}
	m.due = m.due.Add(m.interval)
	return 0
}

// next counts a request and returns the fault that the schedule has for it, and whether the token of the request has expired.
func (m *Middleware) next(q api.Request) (f Fault, expired bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	if m.schedule != nil {
		f = m.schedule(m.requests, q.Method, q.Path)
	}
	if f.ExpireToken && q.Authorization != "" {
		m.expired[q.Authorization] = true
	}
	return f, m.expired[q.Authorization]
}

// execute carries out as much of a request as the fault says, and returns the response for the client, and the fault. If the
// fault does not apply to the request, the fault that it returns has only the delay.
func (m *Middleware) execute(ctx context.Context, q api.Request, f Fault, next api.Handler) (Fault, api.Response) {
	if f.FoldText {
		q.Body = foldKeywords(q.Body)
	}
	if f.Execute == ExecuteHalf && len(splitBatch(q.Body)) < 2 {
		return Fault{Delay: f.Delay}, next(ctx, q)
	}
	var own api.Response
	switch {
	case f.Execute == ExecuteNone:
	case f.Defer > 0:
		m.after(f.Defer, func() { carryOut(context.WithoutCancel(ctx), q, f.Execute, next) })
	default:
		own = carryOut(ctx, q, f.Execute, next)
		own = m.lists.hideRecords(m.now(), q, f, own)
	}
	return f, f.distort(own)
}

func carryOut(ctx context.Context, q api.Request, execute Execution, next api.Handler) (response api.Response) {
	if execute == ExecuteAll {
		return next(ctx, q)
	}
	for i, body := range splitBatch(q.Body) {
		if q.Body = body; i%2 == 0 {
			response = next(ctx, q)
		}
	}
	return response
}

// after runs do when the delay is over; Wait waits for it.
func (m *Middleware) after(delay time.Duration, do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deferred++
	time.AfterFunc(delay, func() {
		do()
		m.mu.Lock()
		defer m.mu.Unlock()
		m.deferred--
		m.done.Broadcast()
	})
}

// Wait returns when every deferred request has been carried out.
func (m *Middleware) Wait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.deferred > 0 {
		m.done.Wait()
	}
}

// sleep waits and reports whether the context lasted so long.
func sleep(ctx context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return true
	}
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}
