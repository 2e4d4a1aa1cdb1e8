package transport

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A bucket is a service that throttles calls with a token bucket, as the fake clock of
// synctest has it.
type bucket struct {
	burst      float64
	latency    time.Duration                   // of a response; varies between half of it and several times as much
	jitter     time.Duration                   // the most that a request takes to the bucket
	retryAfter func(wait time.Duration) string // returns the Retry-After of a 429; nil for none

	stalls float64 // the share of requests that take some milliseconds more

	mu     sync.Mutex
	random *rand.Rand
	rate   float64 // calls per second
	tokens float64
	filled time.Time
	calls  []bucketCall
}

// A bucketCall is a call that reached a bucket.
type bucketCall struct {
	at       time.Time
	accepted bool
}

func (b *bucket) RoundTrip(*http.Request) (*http.Response, error) {
	b.mu.Lock()
	arrives := time.Duration(b.random.Float64() * float64(b.jitter))
	arrives += b.stall()
	takes := time.Duration((0.5 + 0.5*b.random.ExpFloat64()) * float64(b.latency))
	b.mu.Unlock()
	time.Sleep(arrives)
	resp := b.take()
	time.Sleep(takes)
	return resp, nil
}

// stall returns for how long a machine with other work holds up a call.
func (b *bucket) stall() time.Duration {
	if b.stalls == 0 || b.random.Float64() > b.stalls {
		return 0
	}
	return time.Duration(b.random.ExpFloat64() * float64(3*time.Millisecond))
}

// sleep waits for d like Sleep, and is as late as on a machine with other work.
func (b *bucket) sleep(ctx context.Context, d time.Duration) error {
	if b.stalls > 0 {
		b.mu.Lock()
		d += time.Duration((0.05 + 0.05*b.random.ExpFloat64()) * float64(time.Millisecond))
		d += b.stall()
		b.mu.Unlock()
	}
	return Sleep(ctx, d)
}

// take takes a token from the bucket, if there is one.
func (b *bucket) take() *http.Response {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill()
	accepted := b.tokens > 1-1e-9
	b.calls = append(b.calls, bucketCall{b.filled, accepted})
	if accepted {
		b.tokens--
		return response(200)
	}
	resp := response(429)
	if b.retryAfter != nil {
		resp.Header.Set("Retry-After", b.retryAfter(time.Duration((1-b.tokens)/b.rate*float64(time.Second))))
	}
	return resp
}

func (b *bucket) fill() {
	now := time.Now()
	b.tokens = min(b.burst, b.tokens+b.rate*now.Sub(b.filled).Seconds())
	b.filled = now
}

func (b *bucket) setRate(rate float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill()
	b.rate = rate
}

// count returns the accepted and the refused calls of a time.
func (b *bucket) count(from, to time.Time) (accepted, refused float64) {
	for _, c := range b.calls {
		switch {
		case c.at.Before(from) || !c.at.Before(to):
		case c.accepted:
			accepted++
		default:
			refused++
		}
	}
	return accepted, refused
}

// A throttling is a service and its callers.
type throttling struct {
	rate, burst float64
	latency     time.Duration
	workers     int
	processes   int     // each with as many workers; 0 means 1
	configured  float64 // --rate
	change      float64 // by what the service multiplies the rate after 80 seconds; 0 for no change
	retryAfter  func(time.Duration) string
	stalls      float64 // the share of the waits and requests that take some milliseconds longer than they should
}

// simulate returns the accepted calls as a part of those that the service allowed, in the
// minute after the first 20 seconds and in the half minute that begins 10 seconds after
// the change, and the share of refused calls in the minute. Below five calls a second all
// of this takes longer, since it takes as many calls.
func (th throttling) simulate(t *testing.T, seed uint64) (steady, changed, refused float64) {
	synctest.Test(t, func(t *testing.T) {
		start, unit := time.Now(), time.Duration(max(1, 5/th.rate)*float64(time.Second))
		b := &bucket{
			burst: th.burst, latency: th.latency, retryAfter: th.retryAfter, stalls: th.stalls, rate: th.rate, tokens: th.burst, filled: start,
			jitter: min(2*time.Millisecond, th.latency/20, time.Duration(0.02/th.rate*float64(time.Second))),
			random: rand.New(rand.NewPCG(seed, 0)),
		}
		change := max(th.change, 1)
		if th.change > 0 {
			change = th.change
		}
		settled := 10*unit + 5*th.latency
		end := start.Add(80*unit + settled + 30*unit)
		var wg sync.WaitGroup
		wg.Go(func() {
			time.Sleep(80 * unit)
			b.setRate(th.rate * change)
		})
		for range max(th.processes, 1) {
			l := &limiter{next: b, pace: NewPace(th.configured)}
			l.pace.sleep = b.sleep
			request := get(t)
			for range th.workers {
				wg.Go(func() {
					for time.Now().Before(end) {
						if _, err := l.RoundTrip(request); err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		wg.Wait()
		accepted, throttled := b.count(start.Add(20*unit), start.Add(80*unit))
		steady, refused = accepted/(th.rate*(60*unit).Seconds()), throttled/(accepted+throttled)
		accepted, _ = b.count(start.Add(80*unit+settled), end)
		changed = accepted / (th.rate * change * (30 * unit).Seconds())
	})
	return steady, changed, refused
}

// TestThrottledRate simulates services that allow a number of calls per second, and
// callers that always have another call to make. Each figure is the mean of several runs, or that of one with many calls.
func TestThrottledRate(t *testing.T) {
	check := func(t *testing.T, th throttling) {
		t.Helper()
		runs := 3.0
		if th.rate > 100 {
			runs = 1
		}
		var steady, changed, refused float64
		for seed := range uint64(runs) {
			a, b, c := th.simulate(t, seed)
			steady, changed, refused = steady+a/runs, changed+b/runs, refused+c/runs
		}
		t.Logf("got %.3f, after a change %.3f, refused %.3f", steady, changed, refused)
		if steady < 0.9 || changed < 0.9 {
			t.Errorf("got %.3f of the allowed calls, and %.3f after a change, want at least 0.9", steady, changed)
		}
		if refused > 0.05 {
			t.Errorf("got a share of %.3f refused calls, want at most 0.05", refused)
		}
	}
	always := func(text string) func(time.Duration) string { return func(time.Duration) string { return text } }
	inWholeSeconds := func(wait time.Duration) string { return strconv.Itoa(int(math.Ceil(wait.Seconds()))) }
	ms := time.Millisecond
	for name, th := range map[string]throttling{
		"1 per second":                    {rate: 1, burst: 1, latency: ms, workers: 8, change: 2},
		"1 per second, burst":             {rate: 1, burst: 10, latency: 200 * ms, workers: 8, change: 0.5},
		"5 per second":                    {rate: 5, burst: 1, latency: ms, workers: 8, change: 2},
		"5 per second, burst of 2":        {rate: 5, burst: 2, latency: 200 * ms, workers: 64, change: 2},
		"5 per second, burst":             {rate: 5, burst: 50, latency: 50 * ms, workers: 8, change: 0.5},
		"10 per second":                   {rate: 10, burst: 1, latency: ms, workers: 8, change: 2},
		"10 per second, then 5":           {rate: 10, burst: 1, latency: 50 * ms, workers: 64, change: 0.5},
		"10 per second, one at a time":    {rate: 10, burst: 10, latency: ms, workers: 1, change: 2},
		"10 per second, burst":            {rate: 10, burst: 100, latency: 50 * ms, workers: 8, change: 0.5},
		"10 per second, slow":             {rate: 10, burst: 10, latency: 2000 * ms, workers: 64, change: 0.5},
		"50 per second":                   {rate: 50, burst: 1, latency: 50 * ms, workers: 8, change: 2},
		"50 per second, then 25":          {rate: 50, burst: 5, latency: ms, workers: 8, change: 0.5},
		"50 per second, burst":            {rate: 50, burst: 500, latency: 200 * ms, workers: 64, change: 2},
		"500 per second":                  {rate: 500, burst: 1, latency: ms, workers: 8, change: 0.5},
		"500 per second, busy":            {rate: 500, burst: 1, latency: ms, workers: 8, change: 0.5, stalls: 0.01},
		"500 per second, busy, then 1000": {rate: 500, burst: 1, latency: ms, workers: 8, change: 2, stalls: 0.002},
		"500 per second, then 1000":       {rate: 500, burst: 500, latency: 20 * ms, workers: 64, change: 2},
		"Retry-After":                     {rate: 10, burst: 10, latency: 50 * ms, workers: 8, retryAfter: inWholeSeconds},
		"Retry-After, no burst":           {rate: 10, burst: 1, latency: ms, workers: 8, retryAfter: inWholeSeconds},
		"Retry-After, 500 per second":     {rate: 500, burst: 500, latency: 50 * ms, workers: 64, retryAfter: inWholeSeconds},
		"Retry-After that is too short":   {rate: 10, burst: 10, latency: ms, workers: 8, change: 2, retryAfter: always("0")},
		"Retry-After that is no time":     {rate: 10, burst: 10, latency: ms, workers: 8, change: 2, retryAfter: always("soon")},
		"Retry-After that is absurd":      {rate: 10, burst: 10, latency: ms, workers: 8, change: 0.5, retryAfter: always("86400")},
		"--rate as allowed":               {rate: 10, burst: 1, latency: 50 * ms, workers: 8, configured: 10},
		"--rate as allowed, burst":        {rate: 10, burst: 10, latency: 50 * ms, workers: 8, configured: 10},
		"credentials":                     {rate: 10.0 / 60, burst: 1, latency: 200 * ms, workers: 8, configured: 10.0 / 60},
		"two processes":                   {rate: 10, burst: 10, latency: 50 * ms, workers: 8, processes: 2, change: 2},
		"four processes":                  {rate: 50, burst: 50, latency: 50 * ms, workers: 8, processes: 4, change: 2},
	} {
		t.Run(name, func(t *testing.T) { check(t, th) })
	}
}

// TestOneRefusalAmongManyIsPaidFor checks that a refusal for which enough accepted calls have paid leaves the rate as it is,
// so that a fast load does not slow down for calls that came too close together.
func TestOneRefusalAmongManyIsPaidFor(t *testing.T) {
	now := time.Now()
	for credit, want := range map[float64]float64{2.5: 100, 1.5: 97} {
		p := &pacer{ceiling: math.Inf(1), rate: 100, credit: credit, lowered: now.Add(-time.Hour)}
		if p.refuse(now, ticket{sent: now}, 0); p.rate != want {
			t.Errorf("with a credit of %v: got a rate of %v, want %v", credit, p.rate, want)
		}
	}
}

// TestMeasuredRateIsTaken checks that after a refusal the rate is what the service has accepted, unless it had risen fast.
func TestMeasuredRateIsTaken(t *testing.T) {
	now := time.Now()
	for previous, want := range map[float64]float64{52: 49, 64: 56} {
		p := &pacer{ceiling: math.Inf(1), rate: 80, accepted: 500, answered: 510, since: now.Add(-10 * time.Second), previous: previous}
		if p.lower(now); math.Abs(p.rate-want) > 1e-9 {
			t.Errorf("after a rate of %v before: got %v, want %v", previous, p.rate, want)
		}
	}
}
