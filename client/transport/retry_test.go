package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestShouldRetry: a single write, other than a login, is retried only if it was surely not carried out.
func TestShouldRetry(t *testing.T) {
	lost := errors.New("connection reset")
	for _, tt := range []struct {
		name          string
		resp          *http.Response
		err           error
		reads, writes bool
		logins        bool
	}{
		{"429", response(429), nil, true, true, true},
		{"503 with Retry-After", response(503, "Retry-After", "1"), nil, true, false, true},
		{"503", response(503), nil, true, false, true},
		{"502", response(502), nil, true, false, true},
		{"504", response(504), nil, true, false, true},
		{"500", response(500), nil, true, false, false},
		{"499", response(499), nil, false, false, false},
		{"200", response(200), nil, false, false, false},
		{"not sent", nil, &NetworkError{Err: lost}, true, true, true},
		{"sent", nil, &NetworkError{Sent: true, Err: lost}, true, false, false},
		{"unknown certificate", nil, &NetworkError{Err: &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}}, false, false, false},
		{"no token", nil, &TokenSourceError{&NetworkError{Err: lost}}, false, false, false},
		{"wrong address", nil, &GuardError{}, false, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := shouldRetry(http.MethodGet, false, tt.resp, tt.err); got != tt.reads {
				t.Errorf("a read: got %v, want %v", got, tt.reads)
			}
			if got := shouldRetry(http.MethodPost, false, tt.resp, tt.err); got != tt.writes {
				t.Errorf("a write: got %v, want %v", got, tt.writes)
			}
			if got := shouldRetry(http.MethodPost, true, tt.resp, tt.err); got != tt.logins {
				t.Errorf("a login: got %v, want %v", got, tt.logins)
			}
		})
	}
}

func TestRetrier(t *testing.T) {
	brokenOff := func() *http.Response {
		resp := response(200)
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"da`), cutOff{}))
		return resp
	}
	for _, tt := range []struct {
		name    string
		method  string
		options CallOptions
		retries int
		respond func() *http.Response
		want    int // attempts
	}{
		{"no retries", http.MethodGet, CallOptions{}, 0, func() *http.Response { return response(500) }, 1},
		{"one retry", http.MethodGet, CallOptions{}, 1, func() *http.Response { return response(429, "Retry-After", "0") }, 2},
		{"asked to wait too long", http.MethodGet, CallOptions{}, 1, func() *http.Response { return response(429, "Retry-After", "901") }, 1},
		{"a read that breaks off, which the caller finds out", http.MethodGet, CallOptions{}, 1, brokenOff, 1},
		{"a write that breaks off", http.MethodPut, CallOptions{}, 1, brokenOff, 1},
		{"success", http.MethodGet, CallOptions{}, 5, func() *http.Response { return response(200) }, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			attempts := 0
			r := &retrier{retries: tt.retries, next: roundTripFunc(func(*http.Request) (*http.Response, error) {
				attempts++
				return tt.respond(), nil
			})}
			req := get(t).WithContext(WithCallOptions(t.Context(), tt.options))
			req.Method = tt.method
			if _, err := r.RoundTrip(req); err != nil {
				t.Fatal(err)
			}
			if attempts != tt.want {
				t.Errorf("got %d attempts, want %d", attempts, tt.want)
			}
			if got := r.retried.Load(); got != int64(tt.want-1) {
				t.Errorf("got %d retries counted, want %d", got, tt.want-1)
			}
		})
	}
}

type onRead func()

func (f onRead) Read([]byte) (int, error) {
	f()
	return 0, io.EOF
}

// TestRetryIsInterrupted checks that a request which is canceled while it waits for its next attempt says so.
func TestRetryIsInterrupted(t *testing.T) {
	interrupted := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	r := &retrier{retries: 9, next: roundTripFunc(func(*http.Request) (*http.Response, error) {
		resp := response(500)
		resp.Body = io.NopCloser(onRead(func() { cancel(interrupted) })) // it is read before the wait
		return resp, nil
	})}
	if resp, err := r.RoundTrip(get(t).WithContext(ctx)); !errors.Is(err, interrupted) {
		t.Errorf("got response %v, error %v, want %v", resp, err, interrupted)
	}
}

// TestRetry checks that the retries of a request are those by the chain and those by the
// caller together.
func TestRetry(t *testing.T) {
	for _, tt := range []struct {
		name     string
		statuses []int // of the responses; the caller can't read those with 200
		retries  int
		want     int // attempts
	}{
		{"all by the caller", []int{200}, 2, 3},
		{"all by the chain", []int{500}, 2, 3},
		{"by both", []int{500, 200, 502, 200}, 3, 4},
		{"none left for the caller", []int{500, 500, 200}, 2, 3},
		{"no retries", []int{200}, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts := 0
				chain := newChain(t, "https://api.example.com", func(o *Options) {
					o.Retries = tt.retries
					o.Transport = roundTripFunc(func(*http.Request) (*http.Response, error) {
						attempts++
						return response(tt.statuses[min(attempts, len(tt.statuses))-1]), nil
					})
				})
				ctx := WithCallOptions(t.Context(), CallOptions{})
				for again := true; again; {
					resp, err := chain.RoundTrip(get(t).WithContext(ctx))
					noError(t, err)
					if again = resp.StatusCode == 200 && chain.Retry(ctx, resp); !again {
						if text, err := ReadAll(resp); string(text) != "{}" {
							t.Errorf("got %q, error %v as the last response, want it unread", text, err)
						}
					}
				}
				if _, retried := chain.Counts(); attempts != tt.want || retried != tt.want-1 {
					t.Errorf("got %d attempts, %d retries counted, want %d, %d", attempts, retried, tt.want, tt.want-1)
				}
			})
		})
	}
	t.Run("random waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			waits := map[time.Duration]bool{}
			for range 20 {
				begin := time.Now()
				(&Chain{retrier: &retrier{retries: 1}}).Retry(WithCallOptions(t.Context(), CallOptions{}), response(200))
				waits[time.Since(begin)] = true
			}
			if len(waits) < 10 {
				t.Errorf("got the waits %v of 20 requests, want them spread", waits)
			}
		})
	})
	t.Run("waits that are asked for", func(t *testing.T) {
		for _, status := range []int{200, 429, 500, 502, 503, 504} {
			synctest.Test(t, func(t *testing.T) {
				answers := []*http.Response{response(status, "Retry-After", "60"), response(299)}
				begin, chain := time.Now(), newChain(t, "https://api.example.com", func(o *Options) {
					o.Retries = 1
					o.Transport = roundTripFunc(func(*http.Request) (resp *http.Response, _ error) {
						resp, answers = answers[0], answers[1:]
						return resp, nil
					})
				})
				ctx := WithCallOptions(t.Context(), CallOptions{})
				resp, err := chain.RoundTrip(get(t).WithContext(ctx))
				if err == nil && status == 200 && chain.Retry(ctx, resp) { // by the caller, who can't read it
					resp, err = chain.RoundTrip(get(t).WithContext(ctx))
				}
				if waited := time.Since(begin); err != nil || resp.StatusCode != 299 || waited < time.Minute || waited > 2*time.Minute {
					t.Errorf("after %d: got %v, error %v after %v, want another attempt after a minute", status, resp, err, waited)
				}
			})
		}
	})
	t.Run("notes of long waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var notes []string
			c := Chain{retrier: &retrier{retries: 50, notify: func(text string) { notes = append(notes, text) }}}
			for ctx := WithCallOptions(t.Context(), CallOptions{}); c.Retry(ctx, response(200)); {
			}
			if len(notes) < 5 || !strings.HasPrefix(notes[0], "a response that can't be read: retrying in ") {
				t.Errorf("got the notes %q, want one for each long wait", notes)
			}
		})
	})
	t.Run("after the end of the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(WithCallOptions(t.Context(), CallOptions{}))
		cancel()
		if r := (&retrier{retries: 1}); (&Chain{retrier: r}).Retry(ctx, response(200)) || r.retried.Load() != 0 {
			t.Errorf("got a retry, %d counted, want none", r.retried.Load())
		}
	})
}

// cutOff is the end of a response that breaks off.
type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestThrottledRequestIsRepeated lets a service throttle requests that take a minute.
func TestThrottledRequestIsRepeated(t *testing.T) {
	onSend := CallOptions{OnSend: func() error { return nil }}
	for _, tt := range []struct {
		name    string
		options CallOptions
		patient bool
		status  int
		want    int // attempts
	}{
		{"as often as others", CallOptions{}, false, 429, 3},
		{"for 15 minutes, with patience", CallOptions{}, true, 429, 15},
		{"a failure, with patience", CallOptions{}, true, 503, 3},
		{"by the caller, with OnSend", onSend, true, 429, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts := 0
				r := &retrier{retries: 2, next: roundTripFunc(func(*http.Request) (*http.Response, error) {
					attempts++
					time.Sleep(time.Minute)
					return response(tt.status), nil
				})}
				ctx := t.Context()
				if tt.patient {
					ctx = WithPatience(ctx)
				}
				resp, err := r.RoundTrip(get(t).WithContext(WithCallOptions(ctx, tt.options)))
				if err != nil || resp.StatusCode != tt.status {
					t.Fatalf("got %v, error %v, want status %d", resp, err, tt.status)
				}
				if attempts < tt.want || attempts > tt.want+1 {
					t.Errorf("got %d attempts, want %d", attempts, tt.want)
				}
			})
		})
	}
}

// TestFirstWaitIsShort checks that the wait after one failure is no longer than the least backoff, and twice as long after two.
func TestFirstWaitIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for failures, most := range map[int]time.Duration{1: minBackoff, 2: 2 * minBackoff} {
			longest := time.Duration(0)
			for range 100 {
				begin := time.Now()
				noError(t, (&retrier{}).backOff(t.Context(), failures, 0, ""))
				longest = max(longest, time.Since(begin))
			}
			if longest >= most || longest < most/2 {
				t.Errorf("after %d failures: got waits of up to %v, want up to %v", failures, longest, most)
			}
		}
	})
}
