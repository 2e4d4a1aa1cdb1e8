package client

import (
	"context"
	"errors"
	"io"
	"net/http"

	"reseller/client/record"
	"reseller/client/transport"
)

// Raw sends a call and copies the response to w byte for byte as it arrives, whatever
// its size and content. It returns the header of the response, nil if there was no
// response.
//
// The errors are those of List and Do, except that the response may be any JSON: if it
// has no envelope, the HTTP status alone decides whether the call failed.
func (c *Client) Raw(ctx context.Context, call Call, w io.Writer) (http.Header, error) {
	stream := &transport.Stream{}
	ctx, cancel := context.WithCancel(call.context(ctx, stream))
	defer cancel()
	resp, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	out := &errWriter{w: w}
	body := io.TeeReader(resp.Body, out)
	r := record.NewReader(body, MaxRecord)
	env, err := readAny(r, stream, call.Op.Method == http.MethodHead || resp.StatusCode == http.StatusNoContent)
	start := r.Rest()
	if err != nil && out.err == nil {
		_, _ = io.Copy(io.Discard, body) // so that w receives the rest of the response
	}
	if out.err != nil {
		return resp.Header, out.err
	}
	return resp.Header, c.checkResponse(ctx, call, resp, env, err, start)
}

// An errWriter remembers the error of its writer, so that this error can be
// distinguished from one of reading the response.
type errWriter struct {
	w   io.Writer
	err error
}

func (c *errWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil {
		c.err = err
	}
	return n, err
}

// errEmpty is the error of a response without a body.
var errEmpty = errors.New("it is empty")

// readAny reads one JSON value from r and returns its envelope, which is empty if the
// value has none. Arrays are read element by element, so they may have any length and
// take any time.
func readAny(r *record.Reader, stream *transport.Stream, mayBeEmpty bool) (*envelope, error) {
	env := &envelope{}
	first, err := r.Peek()
	switch {
	case err == io.EOF && mayBeEmpty:
		return env, nil
	case err == io.EOF:
		return env, errEmpty
	case err != nil:
		return env, err
	case first == '{':
		return readEnvelope(r, func() error { return skipValue(r, stream) })
	}
	if err := skipValue(r, stream); err != nil {
		return env, err
	}
	return env, r.End()
}

// skipValue reads one value and drops it; an array is read element by element.
func skipValue(r *record.Reader, stream *transport.Stream) error {
	c, err := r.Peek()
	if err != nil {
		return record.UnexpectedEOF(err)
	}
	if c != '[' {
		_, err := r.Value()
		return err
	}
	if err := r.Delim('['); err != nil {
		return err
	}
	if c, err = r.Peek(); err == nil && c == ']' {
		return r.Delim(']')
	}
	for {
		if _, err := r.Value(); err != nil {
			return err
		}
		stream.Progress()
		if more, err := r.More(); err != nil || !more {
			return err
		}
	}
}
