package cli

import (
	"context"
	"io"
)

// ContextReader returns a reader of r whose Read returns when ctx ends, even if r
// blocks, as a pipe without a writer does.
func ContextReader(ctx context.Context, r io.Reader) io.Reader {
	if r == nil {
		return nil
	}
	return &contextReader{ctx: ctx, r: r, results: make(chan readResult, 1)}
}

type contextReader struct {
	ctx     context.Context
	r       io.Reader
	results chan readResult
	waiting bool // a read is under way
	buf     []byte
	rest    []byte // of buf
	err     error
}

type readResult struct {
	b   []byte
	err error
}

func (u *contextReader) Read(p []byte) (int, error) {
	if len(u.rest) == 0 && u.err == nil {
		if !u.waiting {
			u.waiting = true
			if cap(u.buf) < len(p) {
				u.buf = make([]byte, len(p))
			}
			buf := u.buf[:len(p)] // and no more: a terminal is read by others too
			go func() {
				n, err := u.r.Read(buf)
				u.results <- readResult{buf[:n], err}
			}()
		}
		select {
		case got := <-u.results:
			u.rest, u.err, u.waiting = got.b, got.err, false
		case <-u.ctx.Done():
			return 0, context.Cause(u.ctx)
		}
	}
	n := copy(p, u.rest)
	if u.rest = u.rest[n:]; len(u.rest) > 0 {
		return n, nil
	}
	err := u.err
	u.err = nil
	return n, err
}
