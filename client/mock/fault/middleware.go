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

// Middleware wraps a service without faults and makes requests fail. It needs to know only
// two things of the service's operations: the form of lists and of batches of keywords.
type Middleware struct {
	latency  time.Duration
	interval time.Duration // the time between two requests at the rate limit; 0 for no limit
	burst    time.Duration // how far the requests may be ahead of the rate limit
	schedule Schedule      // nil for no faults
	now      func() time.Time
	lists    listLog
	deferred sync.WaitGroup // the deferred requests

	mu       sync.Mutex
	due      time.Time       // when the requests that passed would all have passed at the rate limit
	requests int             // the number of requests that passed the limiter
	expired  map[string]bool // Authorization headers with a token that expired
}

// New returns a Middleware. Each response comes a latency after its request, or later if the work takes longer. More requests
// a second than rateLimit get 429; 0 is no limit. A nil schedule is for no faults.
func New(latency time.Duration, rateLimit float64, schedule Schedule, now func() time.Time) *Middleware {
	m := &Middleware{latency: latency, schedule: schedule, now: now, expired: map[string]bool{}}
	if rateLimit > 0 {
		m.interval = time.Duration(float64(time.Second) / rateLimit)
		m.burst = m.interval * time.Duration(max(1, int(rateLimit))-1)
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
		m.mu.Lock() // a count from zero must not begin during a Wait
		m.deferred.Add(1)
		m.mu.Unlock()
		time.AfterFunc(f.Defer, func() {
			defer m.deferred.Done()
			carryOut(context.WithoutCancel(ctx), q, f.Execute, next)
		})
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

// Wait returns when every deferred request has been carried out. Other requests wait meanwhile.
func (m *Middleware) Wait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deferred.Wait()
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
