package transport

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"slices"
)

// MaxBody is the largest body that is read whole, in bytes.
const MaxBody = 32 << 20

// ReadAll reads the body of an answer, up to MaxBody and one more byte. It may
// return text beside an error: what came before the answer broke off.
func ReadAll(resp *http.Response) ([]byte, error) {
	if b, ok := resp.Body.(*bufferedBody); ok && b.pos == 0 {
		return b.text, b.err
	}
	size := int64(bytes.MinRead)
	if n := resp.ContentLength; n > 0 && n <= MaxBody {
		size = n + 1
	}
	in := io.LimitedReader{R: resp.Body, N: MaxBody + 1}
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
			text = slices.Grow(text, min(len(text), MaxBody+2-len(text)))
		}
	}
}

// bufferBody reads the body of an answer, up to the limit, so that an answer
// that breaks off can be asked for again. It reports whether the answer came to
// its end; either way the body can be read, to where it broke off.
func bufferBody(resp *http.Response) bool {
	text, err := ReadAll(resp)
	_ = resp.Body.Close()
	resp.Body = &bufferedBody{text: text, err: err}
	return err == nil
}

// A bufferedBody is a body that was read, with the error that it broke off with.
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

// drainBody reads what little is left of an answer, so that its connection can
// be used again.
func drainBody(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	_ = resp.Body.Close()
}

// cloneRequest returns a copy of req with a header of its own.
func cloneRequest(req *http.Request) *http.Request {
	clone := *req
	clone.Header = maps.Clone(req.Header)
	return &clone
}

// rewind returns a copy of req that can be sent once more, with its body from
// the start.
func rewind(req *http.Request) (*http.Request, error) {
	clone := cloneRequest(req)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		clone.Body = body
	}
	return clone, nil
}
