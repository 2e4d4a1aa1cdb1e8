package transport

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestShouldRetry(t *testing.T) {
	lost := errors.New("connection reset")
	for _, tt := range []struct {
		name          string
		resp          *http.Response
		err           error
		reads, writes bool
	}{
		{"429", response(429), nil, true, true},
		{"503 with Retry-After", response(503, "Retry-After", "1"), nil, true, true},
		{"503", response(503), nil, true, false},
		{"500", response(500), nil, true, false},
		{"499", response(499), nil, false, false},
		{"200", response(200), nil, false, false},
		{"not sent", nil, &NetworkError{Err: lost}, true, true},
		{"sent", nil, &NetworkError{Sent: true, Err: lost}, true, false},
		{"unknown certificate", nil, &NetworkError{Err: x509.UnknownAuthorityError{}}, false, false},
		{"no token", nil, &TokenSourceError{&NetworkError{Err: lost}}, false, false},
		{"wrong address", nil, &GuardError{}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := shouldRetry(true, tt.resp, tt.err); got != tt.reads {
				t.Errorf("a read: got %v, want %v", got, tt.reads)
			}
			if got := shouldRetry(false, tt.resp, tt.err); got != tt.writes {
				t.Errorf("a write: got %v, want %v", got, tt.writes)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		header string
		want   time.Duration
		asked  bool
	}{
		{"", 0, false}, {"soon", 0, false}, {"-1", 0, false}, {" 7 ", 7 * time.Second, true}, {"0", 0, true},
		{"99999999999", (1 << 30) * time.Second, true}, {"Wed, 21 Oct 2015 07:28:00 GMT", 0, true},
	} {
		t.Run(tt.header, func(t *testing.T) {
			if got, asked := RetryAfter(response(429, "Retry-After", tt.header)); got != tt.want || asked != tt.asked {
				t.Errorf("got %v, %v, want %v, %v", got, asked, tt.want, tt.asked)
			}
		})
	}
	date := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	if got, asked := RetryAfter(response(503, "Retry-After", date)); !asked || got < 59*time.Minute || got > time.Hour {
		t.Errorf("a date in an hour: got %v, %v", got, asked)
	}
	if got, asked := RetryAfter(nil); got != 0 || asked {
		t.Errorf("without a response: got %v, %v", got, asked)
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
		{"a read that breaks off", http.MethodGet, CallOptions{}, 1, brokenOff, 2},
		{"a stream that breaks off", http.MethodGet, CallOptions{Stream: &Stream{}}, 1, brokenOff, 1},
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

// cutOff is the end of a response that breaks off.
type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestRetrierNotifiesOfLongWaits(t *testing.T) {
	for header, want := range map[string]string{"4": "status 429: retrying in 4s", "2": ""} {
		t.Run(header, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var got string
			r := &retrier{retries: 1, notify: func(text string) { got = text; cancel() }, next: roundTripFunc(func(*http.Request) (*http.Response, error) {
				if want == "" {
					time.AfterFunc(10*time.Millisecond, cancel)
				}
				return response(429, "Retry-After", header), nil
			})}
			if _, err := r.RoundTrip(get(t).WithContext(ctx)); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the end of the context", err)
			}
			if got != want {
				t.Errorf("got note %q, want %q", got, want)
			}
		})
	}
}
