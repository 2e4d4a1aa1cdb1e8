package transport

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

type limiter struct {
	next   http.RoundTripper
	pace   *Pace
	notify func(string)
	sent   atomic.Int64 // attempts
}

func (l *limiter) RoundTrip(req *http.Request) (*http.Response, error) {
	o, waits := optionsOf(req), waitContext(req)
	pace := l.pace
	if o.Pace != nil {
		pace = o.Pace
	}
	t, err := pace.wait(waits)
	if err == nil && pace != l.pace {
		_, err = l.pace.wait(waits)
	}
	if err == nil && o.OnSend != nil {
		err = o.OnSend()
	}
	if err != nil {
		return nil, err
	}
	l.sent.Add(1)
	resp, err := l.next.RoundTrip(req)
	if err != nil {
		pace.respond(t, 0, 0)
		return nil, err
	}
	wait := holdOf(resp)
	pace.respond(t, resp.StatusCode, wait)
	if wait > 0 && l.pace.holdFor(wait) && wait >= minNotified && l.notify != nil {
		l.notify(fmt.Sprintf("status %d: retrying in %s", resp.StatusCode, wait.Round(time.Second)))
	}
	return resp, nil
}

// holdOf returns how long a response asks to send nothing.
func holdOf(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	wait, asked := RetryAfter(resp)
	if !asked && resp.StatusCode == http.StatusTooManyRequests {
		wait = rateLimitReset(resp)
	}
	if wait > maxRetryAfter {
		return 0
	}
	return wait
}

// A Pace is the rate of the requests that share it. It is unlimited, or the rate given to
// NewPace, until the service refuses a request with 429. Then the Pace finds the rate that
// the service allows. The requests wait in one queue, in the order in which they came.
type Pace struct {
	turn  chan struct{}                                    // holds a value while the first request of the queue waits
	sleep func(ctx context.Context, d time.Duration) error // Sleep, except in tests

	mu     sync.Mutex
	queued int // requests in the queue
	pacer  *pacer
}

// NewPace returns a Pace of at most perSecond requests per second; 0 is no limit.
func NewPace(perSecond float64) *Pace {
	return &Pace{turn: make(chan struct{}, 1), sleep: Sleep, pacer: newPacer(perSecond)}
}

// wait waits until a request may be sent, and counts it as sent.
func (p *Pace) wait(ctx context.Context) (ticket, error) {
	p.mu.Lock()
	if now := time.Now(); p.queued == 0 && !p.pacer.next().After(now) {
		defer p.mu.Unlock()
		return p.pacer.send(now, false), nil
	}
	p.queued++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.queued--
		p.mu.Unlock()
	}()
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return ticket{}, context.Cause(ctx)
	}
	defer func() { <-p.turn }()
	for {
		p.mu.Lock()
		now := time.Now()
		pause := p.pacer.next().Sub(now)
		if pause <= 0 {
			defer p.mu.Unlock()
			return p.pacer.send(now, true), nil
		}
		p.mu.Unlock()
		if err := p.sleep(ctx, pause); err != nil { // a response may change the pace meanwhile
			return ticket{}, err
		}
	}
}

// respond tells the pacer of a response with a status, 0 for none, that asks to send nothing for a while.
func (p *Pace) respond(t ticket, status int, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if status == http.StatusTooManyRequests {
		p.pacer.refuse(time.Now(), t, wait)
	} else {
		p.pacer.respond(time.Now(), t, status > 0 && status < 500)
	}
}

func (p *Pace) holdFor(wait time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pacer.holdFor(time.Now(), wait)
}

// throttled returns the rate in requests per second to which the service's refusals have
// lowered the Pace, and whether there were any.
func (p *Pace) throttled() (rate float64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pacer.rate, p.pacer.isThrottled()
}
