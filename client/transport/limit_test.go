package transport

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// newLimiter returns a limiter whose requests get responses from respond.
func newLimiter(perSecond float64, respond func() *http.Response) *limiter {
	l := &limiter{pace: NewPace(perSecond), next: roundTripFunc(func(*http.Request) (*http.Response, error) { return respond(), nil })}
	l.pace.sleep = Sleep // nap waits by another clock than that of synctest
	return l
}

// TestUnthrottledRequestsDoNotWait: nothing waits before the first 429.
func TestUnthrottledRequestsDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(0, func() *http.Response { return response(200) })
		start := time.Now()
		for range 10_000 {
			if _, err := l.RoundTrip(get(t)); err != nil {
				t.Fatal(err)
			}
		}
		if got := time.Since(start); got != 0 {
			t.Errorf("10,000 requests took %v, want 0s", got)
		}
		if _, throttled := l.pace.throttled(); throttled {
			t.Error("got a throttled pace, want an unlimited one")
		}
	})
}

func TestConfiguredRate(t *testing.T) {
	for name, respond := range map[string]func() *http.Response{
		"accepted": func() *http.Response { return response(200) },
		"refused":  func() *http.Response { return response(429) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(10, respond)
				var wg sync.WaitGroup
				start := time.Now()
				for range 31 {
					wg.Go(func() { _, _ = l.RoundTrip(get(t)) })
				}
				wg.Wait()
				got := time.Since(start)
				if got < 3*time.Second || name == "accepted" && got > 3*time.Second {
					t.Errorf("31 requests at 10 per second took %v, want 3s, or more if they are refused", got)
				}
			})
		})
	}
}

// TestRefusalsTogetherCountOnce sends requests that are all in flight when they are all
// refused, and does not wait for the refusals one by one.
func TestRefusalsTogetherCountOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(0, func() *http.Response { time.Sleep(time.Second); return response(429) })
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() { _, _ = l.RoundTrip(get(t)) })
		}
		wg.Wait()
		if got, throttled := l.pace.throttled(); got != 1 || !throttled {
			t.Errorf("got %v per second, throttled %v, want 1, true", got, throttled)
		}
	})
}

// TestRareRefusals has a service refuse a few of the frequent calls, as it does where two of them come too close together
// on a busy machine.
func TestRareRefusals(t *testing.T) {
	const rate = 400
	now := time.Now()
	throttled := func() *pacer {
		p := newPacer(0)
		p.refuse(now, p.send(now, true), 0)
		p.rate, p.searching, p.credit, p.lowered = rate, false, minCredit, now
		p.measureFrom(now)
		return p
	}
	respond := func(p *pacer, accepted, refused int) {
		for i := range accepted + refused {
			now = now.Add(gapOf(rate))
			if ticket := p.send(now, true); i < refused {
				p.refuse(now, ticket, 0)
			} else {
				p.respond(now, ticket, true)
			}
		}
	}
	t.Run("after the rate was lowered", func(t *testing.T) {
		p := throttled()
		respond(p, 40, 0)
		respond(p, 0, 1)
		if p.rate != rate {
			t.Errorf("got a rate of %v after one refusal of 41 calls, want %v", p.rate, rate)
		}
		respond(p, 0, 1)
		if p.rate >= rate {
			t.Errorf("got a rate of %v after two refusals of 42 calls, want less than %v", p.rate, rate)
		}
	})
	t.Run("in a trial", func(t *testing.T) {
		for refused, isRaised := range []bool{true, true, true, false} {
			p := throttled()
			p.credit, p.step, p.notBefore = 10, trialStep, now
			if respond(p, 1, 0); p.trial.calls < 40 {
				t.Fatalf("got a trial of %d calls, want 40 at least", p.trial.calls)
			}
			respond(p, 40, refused)
			if got := p.rate > rate; got != isRaised {
				t.Errorf("with %d refusals: got a raised rate %v, want %v", refused, got, isRaised)
			}
		}
	})
}

// TestRateRecovers lets a service refuse all requests for ten minutes. The requests must
// become rare, but the rate must rise soon after the service accepts them again.
func TestRateRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused, open := 0, time.Now().Add(10*time.Minute)
		l := newLimiter(0, func() *http.Response {
			if time.Now().Before(open) {
				refused++
				return response(429)
			}
			return response(200)
		})
		request := get(t)
		send := func(until time.Time) (sent int) {
			for ; time.Now().Before(until); sent++ {
				if _, err := l.RoundTrip(request); err != nil {
					t.Fatal(err)
				}
			}
			return sent
		}
		if send(open); refused > 40 {
			t.Errorf("got %d refused requests in ten minutes, want at most 40", refused)
		}
		send(open.Add(2 * time.Minute))
		if got := send(time.Now().Add(time.Second)); got < 100 {
			t.Errorf("after two minutes without a refusal: got %d requests per second, want at least 100", got)
		}
	})
}

func TestRetryAfterHoldsAllRequests(t *testing.T) {
	for _, tt := range []struct {
		name string
		resp *http.Response
		want time.Duration // what the next request waits
		note string
	}{
		{"429", response(429, "Retry-After", "60"), time.Minute, "status 429: retrying in 1m0s"},
		{"503", response(503, "Retry-After", "60"), time.Minute, "status 503: retrying in 1m0s"},
		{"429 without Retry-After", response(429), time.Second, ""},
		{"429 with a reset", response(429, "RateLimit-Reset", "7"), 7 * time.Second, "status 429: retrying in 7s"},
		{"500", response(500, "Retry-After", "60"), 0, ""},
		{"a short wait", response(503, "Retry-After", "2"), 2 * time.Second, ""},
		{"longer than a request is retried for", response(503, "Retry-After", "901"), 0, ""},
		{"as long as a request is retried for", response(429, "Retry-After", "900"), 15 * time.Minute, "status 429: retrying in 15m0s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var notes []string
				l := newLimiter(0, func() *http.Response { return tt.resp })
				l.notify = func(text string) { notes = append(notes, text) }
				if _, err := l.RoundTrip(get(t)); err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				noError(t, waitTurn(t.Context(), l.pace))
				if got := time.Since(start); got != tt.want {
					t.Errorf("the next request: got a wait of %v, want %v", got, tt.want)
				}
				if want := []string{tt.note}; tt.note != "" && !slices.Equal(notes, want) || tt.note == "" && notes != nil {
					t.Errorf("got notes %q, want %q", notes, tt.note)
				}
			})
		})
	}
}

// waitTurn waits until a request may be sent.
func waitTurn(ctx context.Context, p *Pace) error {
	_, err := p.wait(ctx)
	return err
}

func TestWaitEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(0, func() *http.Response { return response(200) })
		l.pace.holdFor(time.Hour)
		stopped := errors.New("stopped")
		ctx, cancel := context.WithCancelCause(t.Context())
		results := make(chan error)
		for range 3 { // the first of the queue and others
			go func() {
				_, err := l.RoundTrip(get(t).WithContext(ctx))
				results <- err
			}()
		}
		synctest.Wait()
		cancel(stopped)
		for range 3 {
			if err := <-results; !errors.Is(err, stopped) {
				t.Errorf("while all requests are held: got %v, want the cause of the context's end", err)
			}
		}
		if got := l.sent.Load(); got != 0 {
			t.Errorf("got %d requests, want none", got)
		}
		start := time.Now()
		if _, err := l.RoundTrip(get(t)); err != nil || time.Since(start) != time.Hour {
			t.Errorf("the next request: got error %v after %v, want none after an hour", err, time.Since(start))
		}
	})
}

// TestOwnPace sends requests with a Pace of their own: they keep to both, and their
// refusals lower their own only.
func TestOwnPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(0, func() *http.Response { return response(429) })
		own := NewPace(10.0 / 60)
		own.sleep = Sleep
		start := time.Now()
		for range 3 {
			if _, err := l.RoundTrip(get(t).WithContext(WithCallOptions(t.Context(), CallOptions{Pace: own}))); err != nil {
				t.Fatal(err)
			}
		}
		if got := time.Since(start); got < 12*time.Second {
			t.Errorf("three requests at 10 a minute took %v, want at least 12s", got)
		}
		if _, throttled := l.pace.throttled(); throttled {
			t.Error("the pace of all requests: got throttled, want unlimited")
		}
		if got, _ := own.throttled(); got >= 10.0/60 {
			t.Errorf("their own pace: got %v per second, want less than 10 a minute", got)
		}
	})
}

// TestOnSend: a request that was written runs to its end, even after an interrupt.
func TestOnSend(t *testing.T) {
	var order []string
	l := &limiter{pace: NewPace(0), next: roundTripFunc(func(req *http.Request) (*http.Response, error) {
		order = append(order, "write")
		return response(200), req.Context().Err()
	})}
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
