package transport

import (
	"io"
	"maps"
	"net/http"
)

// MaxBody is the largest body that is read whole, in bytes.
const MaxBody = 32 << 20

// minRead is how many bytes are read first where the size of a body is not known.
const minRead = 4 << 10

// ReadAll reads the body of a response, but no more than MaxBody+1 bytes. If the
// response breaks off, ReadAll returns both an error and the bytes that came before.
func ReadAll(resp *http.Response) ([]byte, error) {
	size := int64(minRead)
	if n := resp.ContentLength; n > 0 && n <= MaxBody {
		size = n + 1 // the end shows without room for more
	}
	text := make([]byte, 0, size)
	for len(text) <= MaxBody {
		if len(text) == cap(text) {
			text = append(make([]byte, 0, min(2*len(text), MaxBody+1)), text...)
		}
		n, err := resp.Body.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err == io.EOF {
			return text, nil
		} else if err != nil {
			return text, err
		}
	}
	return text, nil
}

// drainBody reads the rest of a response, up to 64 KB, and closes it, so that its connection can be used again.
func drainBody(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	_ = resp.Body.Close()
}

// cloneRequest returns a shallow copy of req whose header can be changed.
func cloneRequest(req *http.Request) *http.Request {
	clone := *req
	clone.Header = maps.Clone(req.Header)
	return &clone
}

// rewind returns a copy of req that can be sent once more, with a body that is read from its beginning.
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
