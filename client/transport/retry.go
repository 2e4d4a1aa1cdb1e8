package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	minBackoff  = 250 * time.Millisecond
	maxBackoff  = 30 * time.Second
	minNotified = 3 * time.Second // the shortest wait that the user is notified of
)

// A retrier retries reads after network errors, 429 and 5xx. It retries writes only if they were certainly not carried out: if no
// connection was made, and after 429. It retries logins, which create nothing, after 502, 503 and 504 as well. After 429, and 503
// with Retry-After, the limiter makes the retry wait for its turn. After other failures, the retrier waits with exponential
// backoff and full jitter, and not shorter than Retry-After asks for. The caller of the chain retries a read whose response it
// can't read, and a write that the service itself has answered with 503 and Retry-After, with the help of Chain.Retry.
type retrier struct {
	next    http.RoundTripper
	retries int
	notify  func(string)

	retried atomic.Int64
}

func (r *retrier) RoundTrip(req *http.Request) (*http.Response, error) {
	o, waits := optionsOf(req), waitContext(req)
	throttled := time.Time{} // when the first attempt was throttled
	for n := 0; ; n++ {
		if n > 0 {
			attempt, err := rewind(req)
			if err != nil {
				return nil, err
			}
			req = attempt
		}
		resp, err := r.next.RoundTrip(req)
		if n > 0 && (err == nil || waits.Err() == nil || !errors.Is(err, context.Cause(waits))) {
			r.retried.Add(1) // the attempt was sent, since the context had not ended before
		}
		wait, asked := RetryAfter(resp)
		isThrottled := err == nil && resp.StatusCode == http.StatusTooManyRequests
		switch {
		case waits.Err() != nil || wait > maxRetryAfter || !shouldRetry(req.Method, o.Public, resp, err):
			return resp, err
		case isThrottled && o.OnSend != nil:
			r.retried.Add(1) // by the caller
			return resp, err
		case isThrottled && isPatient(req.Context()):
			if throttled.IsZero() {
				throttled = time.Now()
			}
			if time.Since(throttled) >= maxRetryAfter {
				return resp, err
			}
		case o.failures >= r.retries:
			return resp, err
		default:
			o.failures++
		}
		reason := "no response"
		if resp != nil {
			reason = fmt.Sprintf("status %d", resp.StatusCode)
			drainBody(resp)
		}
		if isThrottled || asked && resp.StatusCode == http.StatusServiceUnavailable {
			continue
		}
		if err := r.backOff(waits, o.failures, wait, reason); err != nil {
			return nil, err
		}
	}
}

// backOff waits after the last of some failures, for which it tells the user a reason, as long as asked or longer.
func (r *retrier) backOff(ctx context.Context, failures int, asked time.Duration, reason string) error {
	wait := max(asked, rand.N(min(minBackoff<<min(failures-1, 20), maxBackoff)))
	if wait >= minNotified && r.notify != nil {
		r.notify(fmt.Sprintf("%s: retrying in %s", reason, wait.Round(time.Second)))
	}
	return Sleep(ctx, wait)
}

// Retry is for the caller of RoundTrip that has read the response to a request which it may send once more. ctx is the
// context of the request, with its CallOptions. Retry closes the response, waits as after any other failure, and reports
// whether the caller is to send the request again. It returns false at once, and leaves the response open, if the request
// has had all of its retries.
func (c *Chain) Retry(ctx context.Context, resp *http.Response) bool {
	o, r := optionsIn(ctx), c.retrier
	wait, asked := RetryAfter(resp)
	if o.failures >= r.retries || ctx.Err() != nil || wait > maxRetryAfter {
		return false
	}
	o.failures++
	drainBody(resp)
	isHeld := asked && resp.StatusCode == http.StatusServiceUnavailable // by the limiter
	if !isHeld && r.backOff(ctx, o.failures, wait, "a response that can't be read") != nil {
		return false
	}
	r.retried.Add(1)
	return true
}

// shouldRetry reports whether a request may be sent once more after a response or an error. public says that the request is
// a login, which creates nothing. It is repeated after all that a gateway answers for a service that does not respond.
func shouldRetry(method string, public bool, resp *http.Response, err error) bool {
	reads := method == http.MethodGet || method == http.MethodHead
	if err != nil {
		_, hasRetried := errors.AsType[*TokenSourceError](err) // its requests have retries of their own
		network, ok := errors.AsType[*NetworkError](err)
		return ok && !hasRetried && !isPermanent(network.Err) && (reads || !network.Sent)
	}
	switch status := resp.StatusCode; {
	case status == http.StatusTooManyRequests:
		return true
	case public && (status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout):
		return true
	default:
		return reads && status >= 500
	}
}

// isPermanent reports whether another attempt would fail with the same error: the
// certificate is not trusted, or the service does not speak TLS.
func isPermanent(err error) bool {
	_, isUntrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, isPlain := errors.AsType[tls.RecordHeaderError](err)
	return isUntrusted || isPlain
}

// Sleep waits for d. If ctx ends before that, it returns the cause.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
