package transport

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter is the longest wait that the service may ask for. A request that it asks to retry later than that is not retried.
const maxRetryAfter = 15 * time.Minute

// RetryAfter returns the wait that a Retry-After header asks for, in seconds or by a
// date, and whether the response has a valid one. The response may be nil.
func RetryAfter(resp *http.Response) (wait time.Duration, asked bool) {
	if resp == nil {
		return 0, false
	}
	text := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	if seconds, ok := parseSeconds(text); ok {
		return time.Duration(min(seconds, 1<<30) * float64(time.Second)), true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now := time.Now()
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		now = date // the clock of the service may differ from that of this machine
	}
	return max(at.Sub(now), 0), true
}

func parseSeconds(text string) (float64, bool) {
	seconds, err := strconv.ParseFloat(text, 64)
	return seconds, err == nil && seconds >= 0 && !math.IsInf(seconds, 1)
}

// rateLimitReset returns when the quota of a response with 429 is renewed, as the fields RateLimit and RateLimit-Reset of
// the IETF's draft and X-RateLimit-Reset tell it. It returns 0 for a time that is further away than maxRetryAfter: such a quota may be another one than that which the request exceeded.
//
// The fields of other responses do not count: a token bucket that is used to the full says all the time that nothing
// remains, while it lets calls pass as it is refilled.
func rateLimitReset(resp *http.Response) time.Duration {
	var longest time.Duration
	for _, text := range resetTexts(resp.Header) {
		seconds, ok := parseSeconds(strings.Trim(text, ` "`))
		if seconds > 1e11 { // milliseconds since 1970
			seconds /= 1000
		}
		if seconds > 1e9 { // seconds since 1970
			seconds -= float64(time.Now().UnixMilli()) / 1000
		}
		if ok && seconds > 0 && seconds <= maxRetryAfter.Seconds() {
			longest = max(longest, time.Duration(seconds*float64(time.Second)))
		}
	}
	return longest
}

// resetTexts returns the values of the fields that tell when a quota is renewed. Of
// several quotas in one field, only those count of which nothing remains.
func resetTexts(h http.Header) []string {
	texts := []string{h.Get("RateLimit-Reset"), h.Get("X-RateLimit-Reset"), h.Get("X-Rate-Limit-Reset")}
	for _, quota := range strings.Split(strings.Join(h.Values("RateLimit"), ","), ",") {
		reset, remains := "", false
		for _, pair := range strings.Split(quota, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			switch name {
			case "t", "reset":
				reset = value
			case "r", "remaining":
				remains = value != "0"
			}
		}
		if !remains {
			texts = append(texts, reset)
		}
	}
	return texts
}
