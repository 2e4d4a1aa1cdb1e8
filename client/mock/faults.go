package mock

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"reseller/client/mock/fault"
)

// faults is all that the service does badly on purpose. It lies around the
// well-behaved service and knows of its operations only what lists and batches
// of keywords look like.
type faults struct {
	latency time.Duration
	limit   *rate.Limiter  // nil: none
	hook    fault.Schedule // nil: none
	history *history
	now     func() time.Time

	mu      sync.Mutex
	n       int
	expired map[string]bool // Authorization headers
	late    int             // requests that are still to be carried out
	done    sync.Cond       // one of them has been
}

func newFaults(o Options) *faults {
	f := &faults{latency: o.Latency, hook: o.Faults, history: &history{}, now: o.Now, expired: map[string]bool{}}
	f.done.L = &f.mu
	if o.FailRate > 0 {
		f.hook = failing(o.FailRate, rand.New(rand.NewPCG(uint64(o.Seed), 0)))
	}
	if o.RateLimit > 0 {
		f.limit = rate.NewLimiter(rate.Limit(o.RateLimit), max(1, int(o.RateLimit)))
	}
	return f
}

type handler func(context.Context, request) answer

// around answers a request as the faults will have it, after the latency.
func (f *faults) around(ctx context.Context, q request, handle handler) answer {
	if wait := f.overLimit(); wait > 0 {
		a := refusal(&failure{status: http.StatusTooManyRequests})
		a.header = map[string]string{"Retry-After": strconv.Itoa(int(math.Ceil(wait.Seconds())))}
		return f.hold(ctx, f.latency, a)
	}
	injected, expired := f.next(q)
	if expired {
		return f.hold(ctx, f.latency, refusal(&failure{status: http.StatusUnauthorized}))
	}
	return f.hold(ctx, f.latency+injected.Delay, f.answer(ctx, q, injected, handle))
}

// next decides what goes wrong with a request, and whether its token has expired.
func (f *faults) next(q request) (injected fault.Fault, expired bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	if f.hook != nil {
		injected = f.hook(f.n, q.method, q.path)
	}
	if injected.ExpireToken && q.authorization != "" {
		f.expired[q.authorization] = true
	}
	return injected, f.expired[q.authorization]
}

func (f *faults) answer(ctx context.Context, q request, injected fault.Fault, handle handler) answer {
	if injected.Fold {
		q.body = folded(q.body)
	}
	if injected.Execute == fault.ExecuteHalf && len(alone(q.body)) < 2 {
		return handle(ctx, q)
	}
	var own answer
	switch {
	case injected.Execute == fault.ExecuteNone:
	case injected.Defer > 0:
		f.later(injected.Defer, func() { carryOut(context.WithoutCancel(ctx), q, injected.Execute, handle) })
	default:
		own = f.hide(q, injected, carryOut(ctx, q, injected.Execute, handle))
	}
	return applyTo(injected, own)
}

// later carries a request out beside its answer.
func (f *faults) later(after time.Duration, work func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.late++
	time.AfterFunc(after, func() {
		work()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.late--
		f.done.Broadcast()
	})
}

// wait returns when nothing is left to be carried out.
func (f *faults) wait() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.late > 0 {
		f.done.Wait()
	}
}

// carryOut does what is to be done of a request.
func carryOut(ctx context.Context, q request, work fault.Execution, handle handler) (a answer) {
	if work == fault.ExecuteAll {
		return handle(ctx, q)
	}
	for i, body := range alone(q.body) {
		if q.body = body; i%2 == 0 {
			a = handle(ctx, q)
		}
	}
	return a
}

// hold keeps an answer back.
func (f *faults) hold(ctx context.Context, wait time.Duration, a answer) answer {
	if wait <= 0 {
		return a
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return a
	case <-ctx.Done(): // whatever was done stays done, but nobody hears of it
		return refusal(&failure{http.StatusServiceUnavailable, "the request was given up"})
	}
}

// overLimit says how long the client must wait; 0 means that the request may pass.
func (f *faults) overLimit() time.Duration {
	if f.limit == nil {
		return 0
	}
	r := f.limit.Reserve()
	wait := r.Delay()
	if wait > 0 {
		r.Cancel()
	}
	return wait
}

// failing is the hook of a fail rate. It is called by one goroutine at a time.
func failing(rate float64, dice *rand.Rand) fault.Schedule {
	return func(int, string, string) (t fault.Fault) {
		if dice.Float64() >= rate {
			return t
		}
		statuses := []int{http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable}
		t.Status = statuses[dice.IntN(len(statuses))]
		if dice.IntN(2) == 1 {
			t.Execute = fault.ExecuteNone
		}
		t.HTML = dice.IntN(3) == 0
		// A 503 with Retry-After is read as "not carried out": it must be the truth.
		if t.Status == http.StatusServiceUnavailable && t.Execute == fault.ExecuteNone && dice.IntN(2) == 0 {
			t.RetryAfter = "1"
		}
		return t
	}
}

// applyTo returns what the client receives in the place of the service's own answer.
func applyTo(t fault.Fault, own answer) answer {
	a := own
	if status := t.AnswerStatus(); status != 0 {
		a = refusal(&failure{status: status})
	}
	if t.HTML {
		a.contentType, a.body = "text/html", page(a.status)
	}
	if t.Body != "" {
		a.body = []byte(t.Body)
	}
	if t.RetryAfter != "" {
		a.header = map[string]string{"Retry-After": t.RetryAfter}
	}
	a.reset, a.cut = t.Reset, t.Truncate
	return a
}

// page is what a proxy answers for itself.
func page(status int) []byte {
	return fmt.Appendf(nil, "<html>\n<head><title>%d %s</title></head>\n<body><h1>%[2]s</h1></body>\n</html>\n", status, http.StatusText(status))
}
