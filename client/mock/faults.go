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
)

// faults is all that the service does badly on purpose. It lies around the
// well-behaved service and knows nothing of its operations.
type faults struct {
	latency  time.Duration
	failRate float64
	limit    *rate.Limiter // nil: none

	mu   sync.Mutex
	dice *rand.Rand
}

func newFaults(o Options) *faults {
	f := &faults{latency: o.Latency, failRate: o.FailRate, dice: rand.New(rand.NewPCG(uint64(o.Seed), 0))}
	if o.RateLimit > 0 {
		f.limit = rate.NewLimiter(rate.Limit(o.RateLimit), max(1, int(o.RateLimit)))
	}
	return f
}

type handler func(context.Context, request) answer

// around answers a request as the faults will have it, after the latency.
func (f *faults) around(ctx context.Context, q request, handle handler) answer {
	a := f.answer(ctx, q, handle)
	if f.latency > 0 {
		timer := time.NewTimer(f.latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done(): // whatever was done stays done, but nobody hears of it
			return refusal(&failure{http.StatusServiceUnavailable, "the request was given up"})
		}
	}
	return a
}

func (f *faults) answer(ctx context.Context, q request, handle handler) answer {
	if wait := f.overLimit(); wait > 0 {
		a := refusal(&failure{status: http.StatusTooManyRequests})
		a.header = map[string]string{"Retry-After": strconv.Itoa(int(math.Ceil(wait.Seconds())))}
		return a
	}
	broken, late := f.draw()
	if broken != nil && !late {
		return *broken
	}
	a := handle(ctx, q)
	if broken != nil {
		return *broken
	}
	return a
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

// draw decides whether a call fails: the broken answer, and whether it comes only
// after the call was carried out.
func (f *faults) draw() (broken *answer, late bool) {
	if f.failRate <= 0 {
		return nil, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dice.Float64() >= f.failRate {
		return nil, false
	}
	statuses := []int{http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable}
	status := statuses[f.dice.IntN(len(statuses))]
	late = f.dice.IntN(2) == 0
	a := refusal(&failure{status: status})
	if f.dice.IntN(3) == 0 {
		a.contentType = "text/html"
		a.body = fmt.Appendf(nil, "<html>\n<head><title>%d %s</title></head>\n<body><h1>%[2]s</h1></body>\n</html>\n", status, http.StatusText(status))
	}
	// A 503 with Retry-After is read as "not carried out": it must be the truth.
	if status == http.StatusServiceUnavailable && !late && f.dice.IntN(2) == 0 {
		a.header = map[string]string{"Retry-After": "1"}
	}
	return &a, late
}
