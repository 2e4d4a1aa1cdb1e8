package client

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/time/rate"

	"reseller/client/schema"
	"reseller/client/transport"
)

// A Call is an operation with its parameters and body.
type Call struct {
	Op         *schema.Operation
	PathParams map[string]string // by the names in the operation's path
	Query      url.Values
	Body       json.RawMessage
	Subject    []string  // ids that the body is about; errors name them
	CopyTo     io.Writer // where set, the answer is copied there byte for byte as it comes

	// OnSend, where set, runs just before each attempt of the call is written; its
	// error aborts the call. The context of the call then ends only the waits
	// before that: a call that was sent runs to its end.
	OnSend func() error
	// Limiter, where set, is waited for before each attempt, besides the limit of
	// the client.
	Limiter *rate.Limiter
}

// WithParam returns the call with a parameter of the path.
func (c Call) WithParam(name, value string) Call {
	args := map[string]string{name: value}
	for k, v := range c.PathParams {
		if k != name {
			args[k] = v
		}
	}
	c.PathParams = args
	return c
}

// Target returns the path and query of the call, to append to the base URL.
func (c Call) Target() string {
	path := c.Op.Path
	for name, value := range c.PathParams {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	if len(c.Query) > 0 {
		path += "?" + c.Query.Encode()
	}
	return path
}

// Action returns what the call does, for errors: "get account 7".
func (c Call) Action() string {
	what := c.Op.Title
	for _, part := range strings.Split(c.Op.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			what += " " + c.PathParams[strings.TrimSuffix(name, "}")]
		}
	}
	for _, id := range append(c.Query["campaign_id"], c.Subject...) {
		what += " " + id
	}
	return what
}

// unreadable returns the error of an answer to the call that can't be read.
func (c Call) unreadable(status int, err error) *UnreadableError {
	return &UnreadableError{Operation: c.Op.Name(), Action: c.Action(), HTTPStatus: status, Err: err}
}

// context returns the context for a request of the call.
func (c Call) context(ctx context.Context, stream bool) context.Context {
	o := transport.CallOptions{Public: c.Op.Public, Stream: stream, OnSend: c.OnSend, Limiter: c.Limiter}
	return transport.WithCallOptions(ctx, o)
}

// WithID returns the call with a parameter of the path that is an id.
func (c Call) WithID(name string, id int64) Call { return c.WithParam(name, strconv.FormatInt(id, 10)) }
