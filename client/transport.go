package client

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync"
	"time"
)

// newChain builds the chain, outside in: retry, auth, limit, guard, debug,
// deadline, network. Beside it, it returns the part that knows the token.
func newChain(o Options, base *url.URL) (*retrier, *authenticator, func()) {
	network, closeIdle := o.Transport, func() {}
	if network == nil {
		t := newNetwork(o.Concurrency)
		network, closeIdle = t, t.CloseIdleConnections
	}
	var chain http.RoundTripper = &deadline{next: network, timeout: o.Timeout}
	if o.Debug != nil {
		chain = &debugLog{next: chain, out: o.Debug}
	}
	chain = &originGuard{next: chain, base: base, allowHTTP: o.AllowHTTP}
	limit := newLimit(chain, o.Rate)
	chain = limit
	tokens := &authenticator{next: chain, source: o.Tokens}
	if o.Tokens != nil {
		chain = tokens
	}
	notify := o.Notify
	if notify == nil {
		notify = func(string) {}
	}
	return &retrier{next: chain, limiter: limit, retries: o.Retries, notify: notify}, tokens, closeIdle
}

// newNetwork is the base transport: connections kept for the concurrency,
// HTTP/1.1 only, since one connection a worker is what bulk calls want.
func newNetwork(concurrency int) *http.Transport {
	if concurrency <= 0 {
		concurrency = 8
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    15 * time.Second,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
		MaxIdleConns:           concurrency,
		MaxIdleConnsPerHost:    concurrency,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		ReadBufferSize:         64 << 10,
		WriteBufferSize:        16 << 10,
	}
}

// A deadline ends a call that takes longer than timeout: as a whole, or for
// lists between bytes. It also tells whether a failed call had a connection.
type deadline struct {
	next    http.RoundTripper
	timeout time.Duration
}

func (d *deadline) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	body := &timedBody{cancel: cancel, ctx: ctx}
	if d.timeout > 0 {
		body.timer = time.AfterFunc(d.timeout, func() { cancel(ErrTimeout) })
		if streaming(req) {
			body.idle = d.timeout
		}
	}
	connected := false
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected = true }}
	resp, err := d.next.RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, trace)))
	if body.idle > 0 {
		body.timer.Stop()
	}
	if err != nil {
		err = body.explain(err)
		_ = body.Close()
		return nil, &NetworkError{Sent: connected, Err: err}
	}
	body.ReadCloser = resp.Body
	resp.Body = body
	return resp, nil
}

// A timedBody is an answer's body under its call's deadline.
type timedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	idle   time.Duration
}

func (b *timedBody) Read(p []byte) (int, error) {
	if b.idle > 0 { // only the service's silence counts, not the reader's
		b.timer.Reset(b.idle)
		defer b.timer.Stop()
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		err = b.explain(err)
		var wire net.Error
		if errors.Is(err, ErrTimeout) || errors.As(err, &wire) {
			err = &NetworkError{Sent: true, Err: err}
		}
	}
	return n, err
}

// explain puts the deadline in the place of the cancellation that it caused.
func (b *timedBody) explain(err error) error {
	if context.Cause(b.ctx) == ErrTimeout {
		return ErrTimeout
	}
	return err
}

func (b *timedBody) Close() error {
	if b.timer != nil {
		b.timer.Stop()
	}
	var err error
	if b.ReadCloser != nil {
		err = b.ReadCloser.Close()
	}
	b.cancel(nil)
	return err
}

// An authenticator sets the present token. A call that is answered with 401 is
// repeated with a renewed one, until it was refused with a token that was
// obtained after its own refusal.
type authenticator struct {
	next   http.RoundTripper
	source TokenSource

	mu   sync.Mutex
	seen map[string]time.Time // when each token was first seen
}

// A TokenSourceError is why there was no token for a call, which then was not
// made.
type TokenSourceError struct{ Err error }

func (e *TokenSourceError) Error() string { return e.Err.Error() }
func (e *TokenSourceError) Unwrap() error { return e.Err }

// secrets are the tokens so far.
func (a *authenticator) secrets() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Keys(a.seen))
}

// note remembers when a token was first seen, and returns that time.
func (a *authenticator) note(token string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seen == nil {
		a.seen = map[string]time.Time{}
	}
	if _, ok := a.seen[token]; !ok {
		a.seen[token] = time.Now()
	}
	return a.seen[token]
}

func (a *authenticator) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Context().Value(publicKey{}) != nil {
		return a.next.RoundTrip(req)
	}
	token, err := a.source.Token(req.Context())
	if err != nil {
		return nil, &TokenSourceError{err}
	}
	a.note(token)
	var refused time.Time
	for again := cloneRequest(req); ; {
		again.Header.Set("Authorization", "Bearer "+token)
		resp, err := a.next.RoundTrip(again)
		if err != nil || resp.StatusCode != http.StatusUnauthorized {
			return resp, err
		}
		if !refused.IsZero() && a.note(token).After(refused) {
			return resp, nil
		}
		refused = time.Now()
		renewed, err := a.source.Renew(req.Context(), token)
		var cannot interface{ CannotRenew() }
		if err != nil && !errors.As(err, &cannot) {
			drainBody(resp)
			return nil, &TokenSourceError{err}
		}
		if err != nil || renewed == token {
			return resp, nil
		}
		a.note(renewed)
		token = renewed
		drainBody(resp)
		if again, err = rewind(req); err != nil {
			return nil, err
		}
	}
}

// cloneRequest is a copy of req with a header of its own.
func cloneRequest(req *http.Request) *http.Request {
	again := *req
	again.Header = maps.Clone(req.Header)
	return &again
}

// rewind is a copy of req that can be sent, with its body from the start.
func rewind(req *http.Request) (*http.Request, error) {
	again := cloneRequest(req)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		again.Body = body
	}
	return again, nil
}

// drainBody reads what little is left, so that the connection can be kept.
func drainBody(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	_ = resp.Body.Close()
}
