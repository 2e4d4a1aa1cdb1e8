package transport

import (
	"net/http"
	"strconv"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		header string
		want   time.Duration
		asked  bool
	}{
		{"", 0, false}, {"soon", 0, false}, {"-1", 0, false}, {" 7 ", 7 * time.Second, true}, {"0", 0, true},
		{"99999999999", (1 << 30) * time.Second, true}, {"0.5", 500 * time.Millisecond, true}, {"NaN", 0, false}, {"Inf", 0, false}, {"Wed, 21 Oct 2015 07:28:00 GMT", 0, true},
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

func TestRetryAfterByTheClockOfTheService(t *testing.T) {
	resp := response(429, "Date", "Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After", "Wed, 21 Oct 2015 07:28:30 GMT")
	if got, asked := RetryAfter(resp); got != 30*time.Second || !asked {
		t.Errorf("got %v, %v, want 30s, true", got, asked)
	}
}

func TestRateLimitReset(t *testing.T) {
	inAMinute := time.Now().Add(time.Minute).Unix()
	for _, tt := range []struct {
		name, value string
		least, most time.Duration
	}{
		{"RateLimit-Reset", "5", 5 * time.Second, 5 * time.Second},
		{"RateLimit", "limit=10, remaining=0, reset=6", 6 * time.Second, 6 * time.Second},
		{"RateLimit", `"second";r=3;t=1, "minute";r=0;t=40`, 40 * time.Second, 40 * time.Second},
		{"RateLimit", `"second";r=0;t=1, "hour";r=5;t=40`, time.Second, time.Second},
		{"RateLimit", `"second";q=10`, 0, 0},
		{"X-RateLimit-Reset", "7", 7 * time.Second, 7 * time.Second},
		{"X-RateLimit-Reset", strconv.FormatInt(inAMinute, 10), 58 * time.Second, time.Minute},
		{"X-RateLimit-Reset", strconv.FormatInt(inAMinute*1000, 10), 58 * time.Second, time.Minute},
		{"X-RateLimit-Reset", "1500000000", 0, 0},
		{"X-RateLimit-Reset", "3600", 0, 0},
		{"X-RateLimit-Reset", "1e300", 0, 0},
		{"X-RateLimit-Reset", "-5", 0, 0},
		{"X-RateLimit-Reset", "soon", 0, 0},
		{"X-RateLimit-Remaining", "0", 0, 0},
	} {
		t.Run(tt.name+": "+tt.value, func(t *testing.T) {
			if got := rateLimitReset(response(429, tt.name, tt.value)); got < tt.least || got > tt.most {
				t.Errorf("got %v, want %v to %v", got, tt.least, tt.most)
			}
		})
	}
	if got := holdOf(response(503, "RateLimit-Reset", "5")); got != 0 {
		t.Errorf("a request that was not refused for its rate: got %v, want 0s", got)
	}
	if got := holdOf(response(429, "Retry-After", "2", "RateLimit-Reset", "5")); got != 2*time.Second {
		t.Errorf("with Retry-After: got %v, want 2s", got)
	}
}

// FuzzWaits checks that no response makes the program wait for a negative time, nor for a
// reset that is further away than maxRetryAfter.
func FuzzWaits(f *testing.F) {
	f.Add("120", "Sun, 06 Nov 1994 08:49:37 GMT", "5", `"second";r=0;t=1, "hour";r=5;t=40`)
	f.Add("Sun, 06 Nov 1994 08:49:37 GMT", "", "1700000000000", "limit=10, remaining=0, reset=6")
	f.Add("1e300", "x", "0x1p-2", ";;=,")
	f.Fuzz(func(t *testing.T, retryAfter, date, reset, quota string) {
		resp := response(429, "Retry-After", retryAfter, "Date", date, "X-RateLimit-Reset", reset, "RateLimit", quota)
		if wait, asked := RetryAfter(resp); wait < 0 || wait > 0 && !asked {
			t.Errorf("RetryAfter of %q: got %v, %v, want a wait that was asked for", resp.Header, wait, asked)
		}
		if wait := rateLimitReset(resp); wait < 0 || wait > maxRetryAfter {
			t.Errorf("rateLimitReset of %q: got %v, want at most %v", resp.Header, wait, maxRetryAfter)
		}
	})
}
