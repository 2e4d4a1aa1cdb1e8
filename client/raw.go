package client

import (
	"context"
	"errors"
	"io"
	"net/http"

	"reseller/client/record"
)

// Raw sends a call and copies its answer to w byte for byte as it comes, however
// long it is and whatever it means. It returns the header of the answer, nil where
// no answer came.
//
// The errors are those of List and Do, except that any JSON counts as an answer:
// without an envelope, the HTTP status alone decides.
func (c *Client) Raw(ctx context.Context, call Call, w io.Writer) (http.Header, error) {
	ctx, cancel := context.WithCancel(call.context(ctx, true))
	defer cancel()
	resp, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	out := &errWriter{w: w}
	body := io.TeeReader(resp.Body, out)
	r := record.NewReader(body, MaxRecord)
	env, err := readAny(r, call.Op.Method == http.MethodHead || resp.StatusCode == http.StatusNoContent)
	start := r.Rest()
	if err != nil && out.err == nil {
		_, _ = io.Copy(io.Discard, body) // copies the rest of the answer, too
	}
	if out.err != nil {
		return resp.Header, out.err
	}
	return resp.Header, c.checkResponse(ctx, call, resp, env, err, start)
}

// An errWriter keeps the error of its writer, which is not the fault of the answer.
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

// errEmpty is the error of an answer without a body.
var errEmpty = errors.New("it is empty")

// readAny reads one JSON text from r and returns its envelope, empty where it has
// none. Arrays are read item by item, so that lists may have any length.
func readAny(r *record.Reader, mayBeEmpty bool) (*envelope, error) {
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
		return readEnvelope(r, func() error { return skipValue(r) })
	}
	if err := skipValue(r); err != nil {
		return env, err
	}
	return env, r.End()
}

// skipValue skips one value, an array item by item.
func skipValue(r *record.Reader) error {
	c, err := r.Peek()
	if err != nil {
		return unexpectedEOF(err)
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
		if more, err := r.More(); err != nil || !more {
			return err
		}
	}
}
