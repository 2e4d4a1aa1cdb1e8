package cli

import (
	"context"
	"fmt"
	"io"
	"os"
)

// ReadInput reads a file of at most limit bytes, or stdin if path is -. It returns when
// ctx ends, even if it waits for a pipe that has no writer.
func (f *Factory) ReadInput(ctx context.Context, path string, limit int64) ([]byte, error) {
	return WithContext(ctx, func() ([]byte, error) {
		r, name := f.In, "stdin"
		if path != "-" {
			file, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			defer func() { _ = file.Close() }()
			r, name = file, path
		}
		return ReadAtMost(r, name, limit)
	})
}

// ReadAtMost reads all of the file name, which must have at most limit bytes.
func ReadAtMost(r io.Reader, name string, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(text)) > limit {
		size := fmt.Sprintf("%d MB", limit>>20)
		if limit < 1<<20 {
			size = fmt.Sprintf("%d kB", limit>>10)
		}
		err = fmt.Errorf("%s is larger than %s", name, size)
	}
	return text, err
}

// ContextReader returns a reader of r whose Read returns when ctx ends, even if r
// blocks, as a pipe without a writer does.
func ContextReader(ctx context.Context, r io.Reader) io.Reader {
	if r == nil {
		return nil
	}
	return &contextReader{ctx: ctx, r: r}
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
	buf []byte // of the read that is under way, if ctx ended before it returned
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	if cap(c.buf) < len(p) {
		c.buf = make([]byte, len(p))
	}
	buf := c.buf[:len(p)] // prompts read the terminal too, so this must not read more than was asked for
	n, err := WithContext(c.ctx, func() (int, error) { return c.r.Read(buf) })
	return copy(p, buf[:n]), err
}
