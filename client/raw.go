package client

import (
	"context"
	"errors"
	"io"
	"net/http"

	"reseller/client/record"
)

// Raw calls an operation and copies its answer to w byte for byte as it
// comes, however long it is and whatever it means. It returns the answer's
// header, nil where no answer came.
//
// The error is that of List and Do, save that any JSON counts as an answer:
// what has no envelope succeeds by its status.
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
		_, _ = io.Copy(io.Discard, body) // the rest goes out as it came
	}
	if out.err != nil {
		return resp.Header, out.err
	}
	return resp.Header, c.checkResponse(ctx, call, resp, env, err, start)
}

// A errWriter remembers why it could not write, which is no fault of the answer.
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

// errEmpty is an answer without a byte where one was due.
var errEmpty = errors.New("it is empty")

// readAny takes one JSON text off r, and what it says of itself where it is an
// envelope. Arrays are taken item by item, so that lists may be of any length.
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

// skipValue takes one value, an array item by item.
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
