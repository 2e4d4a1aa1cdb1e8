// Package api holds the messages of the service's interface: complete requests and responses, the envelopes of responses, and the
// JSON objects in request bodies. It shares no code with the client.
package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// MaxBody is the number of bytes that the body of a request may have.
const MaxBody = 32 << 20

// Handler answers requests. It may be called after the connection has been closed.
type Handler func(context.Context, Request) Response

// Request holds the parts of an HTTP request that the service needs. The body has been read to its end, so the service can carry
// the request out later, even after the client has closed the connection.
type Request struct {
	Method        string
	Path          string // as sent, with its escapes
	Query         string
	Authorization string
	Body          []byte
	BodyErr       *Error // why the body could not be read; nil if it could
}

func ReadRequest(w http.ResponseWriter, r *http.Request) Request {
	q := Request{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Authorization: r.Header.Get("Authorization")}
	var err error
	q.Body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		q.BodyErr = &Error{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("the body is larger than %d bytes", MaxBody)}
	case err != nil:
		q.BodyErr = BadRequest("the body was cut short")
	}
	return q
}
