package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	minBackoff    = 250 * time.Millisecond
	maxBackoff    = 30 * time.Second
	maxRetryAfter = 15 * time.Minute // what Retry-After may ask for
)

// A retrier repeats reads on network errors, 429 and 5xx, and writes only when
// they surely were not carried out: no connection was made, 429, or 503 with
// Retry-After.
type retrier struct {
	next    http.RoundTripper
	limiter *limiter
	retries int
	notify  func(string)

	repeated atomic.Int64
}

func (r *retrier) RoundTrip(req *http.Request) (*http.Response, error) {
	reads := req.Method == http.MethodGet || req.Method == http.MethodHead
	for n := 0; ; n++ {
		if n > 0 {
			again, err := rewind(req)
			if err != nil {
				return nil, err
			}
			req = again
		}
		resp, err := r.next.RoundTrip(req)
		if until := waitContext(req.Context()); n > 0 && (err == nil || until.Err() == nil || !errors.Is(err, context.Cause(until))) {
			r.repeated.Add(1) // it did not end while it waited
		}
		brokeOff := err == nil && !streaming(req) && !bufferBody(resp)
		if n >= r.retries || waitContext(req.Context()).Err() != nil || !shouldRetry(reads, resp, err) && (!reads || !brokeOff) {
			return resp, err
		}
		wait, asked := retryAfter(resp)
		if wait > maxRetryAfter {
			return resp, err
		}
		if !asked {
			wait = rand.N(min(minBackoff<<min(n, 20), maxBackoff))
		}
		why := "no answer"
		if resp != nil {
			why = fmt.Sprintf("status %d", resp.StatusCode)
			drainBody(resp)
		}
		if wait >= 3*time.Second {
			r.notify(fmt.Sprintf("%s: trying again in %s", why, wait.Round(time.Second)))
		}
		if err := Sleep(waitContext(req.Context()), wait); err != nil {
			return nil, err
		}
	}
}

// bufferBody reads an answer whole, up to the limit, so that one that breaks off
// can be asked for again. It returns whether the answer came to its end; the
// body can be read either way, to where it broke.
func bufferBody(resp *http.Response) bool {
	text, err := ReadAll(resp)
	_ = resp.Body.Close()
	resp.Body = &bufferedBody{text: text, err: err}
	return err == nil
}

// ReadAll reads an answer, up to the limit and a byte.
func ReadAll(resp *http.Response) ([]byte, error) {
	if have, ok := resp.Body.(*bufferedBody); ok && have.pos == 0 {
		return have.text, have.err
	}
	size := int64(bytes.MinRead)
	if n := resp.ContentLength; n > 0 && n <= MaxRecord {
		size = n + 1
	}
	in := io.LimitedReader{R: resp.Body, N: MaxRecord + 1}
	for text := make([]byte, 0, size); ; {
		n, err := in.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err == io.EOF {
			return text, nil
		}
		if err != nil {
			return text, err
		}
		if len(text) == cap(text) {
			text = slices.Grow(text, min(len(text), MaxRecord+2-len(text)))
		}
	}
}

// bufferedBody is a body that was read, with what it broke off with.
type bufferedBody struct {
	text []byte
	pos  int
	err  error
}

func (b *bufferedBody) Read(p []byte) (int, error) {
	n := copy(p, b.text[b.pos:])
	b.pos += n
	switch {
	case n > 0 || len(p) == 0:
		return n, nil
	case b.err != nil:
		return 0, b.err
	}
	return 0, io.EOF
}

func (b *bufferedBody) Close() error { return nil }

// shouldRetry tells whether a call may be made once more.
func shouldRetry(reads bool, resp *http.Response, err error) bool {
	if err != nil {
		var network *NetworkError
		var source *TokenSourceError // has tried by itself
		if errors.As(err, &source) || !errors.As(err, &network) || isPermanent(network.Err) {
			return false
		}
		return reads || !network.Sent
	}
	_, asked := retryAfter(resp)
	switch status := resp.StatusCode; {
	case status == http.StatusTooManyRequests:
		return true
	case status == http.StatusServiceUnavailable && asked:
		return true
	default:
		return reads && status >= 500
	}
}

// isPermanent tells whether an error will be the same next time.
func isPermanent(err error) bool {
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	return errors.As(err, &unknown) || errors.As(err, &host) || errors.As(err, &invalid) || errors.As(err, &verify) || errors.As(err, &plain)
}

// retryAfter reads the header of that name, in seconds or as a date.
func retryAfter(resp *http.Response) (time.Duration, bool) {
	if resp == nil {
		return 0, false
	}
	text := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<30)) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0), true
	}
	return 0, false
}

// Sleep waits, unless the context ends before.
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
