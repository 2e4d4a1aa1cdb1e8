package transport

import (
	"context"
	"net/http"

	"golang.org/x/time/rate"
)

// CallOptions say how the chain treats one request. They travel in its context,
// since http.Client and resty hand nothing else through.
type CallOptions struct {
	// Public requests carry no token. In the log, all strings of their answer
	// are hidden.
	Public bool
	// Stream says that the answer is read as it arrives: the timeout applies to
	// each wait for bytes, and an answer that breaks off is not asked for again.
	Stream bool
	// OnSend runs just before each attempt is written; its error aborts the
	// request. Where it is set, the context ends only what comes before that
	// (waits for the limiter, for a retry): a request that was written runs to
	// its end.
	OnSend func() error
	// Limiter is waited for before each attempt, besides the chain's own.
	Limiter *rate.Limiter

	waits context.Context // where OnSend is set, what ends the waits
}

type callOptionsKey struct{}

// WithCallOptions returns the context for a request with these options.
func WithCallOptions(ctx context.Context, o CallOptions) context.Context {
	if o.OnSend != nil {
		o.waits = ctx
		ctx = context.WithoutCancel(ctx)
	}
	return context.WithValue(ctx, callOptionsKey{}, &o)
}

func optionsOf(req *http.Request) *CallOptions {
	if o, ok := req.Context().Value(callOptionsKey{}).(*CallOptions); ok {
		return o
	}
	return &CallOptions{}
}

// waitContext returns the context that ends the waits of a request.
func waitContext(req *http.Request) context.Context {
	if o := optionsOf(req); o.waits != nil {
		return o.waits
	}
	return req.Context()
}
