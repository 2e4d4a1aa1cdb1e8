package client

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"golang.org/x/time/rate"

	"reseller/client/schema"
	"reseller/client/transport"
)

// A Call is one operation with what it is to be given.
type Call struct {
	Op         *schema.Operation
	PathParams map[string]string // values of the path's parameters
	Query      url.Values
	Body       json.RawMessage
	Subject    []string  // ids that the body is about, for errors
	CopyTo     io.Writer // where given, the answer is copied there byte for byte as it comes

	// OnSend, where given, runs just before each attempt of the call is written;
	// its error aborts the call. The call's context then ends only the waits
	// before that: a call that was sent runs to its end.
	OnSend func() error
	// Limiter, where given, is waited for before each attempt, besides the
	// client's own.
	Limiter *rate.Limiter
}

// WithParam sets a path parameter, in a copy.
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

// Target is the call's path and query behind the base address.
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

// Action names the call for errors: "get account 7".
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

// context returns the context for a request of the call.
func (c *Call) context(ctx context.Context, stream bool) context.Context {
	if c.OnSend == nil {
		c.OnSend, _ = ctx.Value(onSendKey{}).(func() error)
	}
	o := transport.CallOptions{Public: c.Op.Public, Stream: stream, OnSend: c.OnSend, Limiter: c.Limiter}
	return transport.WithCallOptions(ctx, o)
}

type onSendKey struct{}

// WithDrain returns a context for calls that have no OnSend of their own.
func WithDrain(ctx context.Context, onSend func() error) context.Context {
	return context.WithValue(ctx, onSendKey{}, onSend)
}
