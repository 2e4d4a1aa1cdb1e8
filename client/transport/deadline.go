package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"
)

// A deadline ends a request that takes longer than timeout, or a stream that makes no
// progress for that long, and all requests when the context of WithAbort ends. It also
// records whether a request that failed may have been carried out (NetworkError.Sent).
type deadline struct {
	next    http.RoundTripper
	timeout time.Duration
	isHTTP2 atomic.Bool  // a connection speaks HTTP/2
	resent  atomic.Int64 // requests that package http has sent again by itself, as it does with a read when a kept connection breaks
}

func (d *deadline) RoundTrip(req *http.Request) (*http.Response, error) {
	o := optionsOf(req)
	ctx, cancel := context.WithCancelCause(req.Context())
	body := &timedBody{cancel: cancel, ctx: ctx}
	if abort, ok := ctx.Value(abortKey{}).(context.Context); ok {
		stop := context.AfterFunc(abort, func() { cancel(ErrAborted) })
		body.cancel = func(cause error) {
			stop()
			cancel(cause)
		}
	}
	if d.timeout > 0 {
		body.timer = time.AfterFunc(d.timeout, func() { cancel(ErrTimeout) })
		body.stream, body.timeout, body.left = o.Stream, d.timeout, d.timeout
	}
	connected := false
	var sent atomic.Int64
	trace := &httptrace.ClientTrace{
		WroteHeaders: func() {
			if sent.Add(1) > 1 {
				d.resent.Add(1)
			}
		},
		GotConn: func(info httptrace.GotConnInfo) {
			connected = true
			if conn, ok := info.Conn.(*tls.Conn); ok && !d.isHTTP2.Load() {
				d.isHTTP2.Store(conn.ConnectionState().NegotiatedProtocol == "h2")
			}
		},
	}
	resp, err := d.next.RoundTrip(d.sentOnce(req.WithContext(httptrace.WithClientTrace(ctx, trace))))
	if body.stream != nil {
		body.timer.Stop()
	}
	if err == nil && resp.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which no context ends
		_ = resp.Body.Close()
		err = errors.New("the service has switched to another protocol (101)")
	}
	if err != nil {
		err = body.explain(err)
		_ = body.Close()
		return nil, &NetworkError{Sent: connected && !isUnprocessed(err), Err: err}
	}
	body.ReadCloser = resp.Body
	resp.Body = body
	return resp, nil
}

// sentOnce returns req so that a connection of HTTP/2 sends its body once. Package http would send it again after any error of
// the stream, though the service may have carried the request out.
func (d *deadline) sentOnce(req *http.Request) *http.Request {
	if getBody := req.GetBody; d.isHTTP2.Load() {
		req.GetBody = nil // then the error says why
	} else if getBody != nil {
		req.GetBody = func() (io.ReadCloser, error) {
			if d.isHTTP2.Load() {
				return nil, errors.New("the connection of HTTP/2 broke off")
			}
			return getBody()
		}
	}
	return req
}

// isUnprocessed reports whether the service has said over HTTP/2 that it did not begin to work on a request. Package http tells
// that in words only.
func isUnprocessed(err error) bool {
	reason, isHTTP2 := strings.CutPrefix(err.Error(), "http2: Transport: cannot retry err [")
	return isHTTP2 && (strings.Contains(reason, "GOAWAY") || strings.Contains(reason, "REFUSED_STREAM"))
}

// A timedBody is the body of a response. Reading it ends with ErrTimeout at the deadline of the request.
type timedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer

	stream   *Stream       // nil unless there is a timeout and the body is a stream
	timeout  time.Duration // the longest wait for progress of the stream
	left     time.Duration // how much of timeout the next calls of Read may take
	progress int64         // the progress of the stream before the last call of Read
}

func (b *timedBody) Read(p []byte) (int, error) {
	if b.stream != nil { // the timer runs only while Read waits for the service, not between two calls of Read
		if now := b.stream.progress; now != b.progress {
			b.progress, b.left = now, b.timeout
		}
		start := time.Now()
		b.timer.Reset(b.left)
		defer func() {
			b.timer.Stop()
			b.left -= time.Since(start)
		}()
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		err = b.explain(err)
		if _, isNet := errors.AsType[net.Error](err); isNet || errors.Is(err, ErrTimeout) || errors.Is(err, ErrAborted) {
			err = &NetworkError{Sent: true, begun: true, Err: err}
		}
	}
	return n, err
}

// explain returns ErrTimeout or ErrAborted if the deadline has canceled the request, and otherwise err.
func (b *timedBody) explain(err error) error {
	if cause := context.Cause(b.ctx); cause == ErrTimeout || cause == ErrAborted {
		return cause
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
