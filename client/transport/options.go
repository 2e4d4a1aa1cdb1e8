package transport

import (
	"context"
	"net/http"
)

// CallOptions say how the chain treats one request. They are values of the request's
// context, since http.Client and resty pass nothing else on to the chain.
type CallOptions struct {
	// Public requests are logins, or reads: they have no token and create nothing. The log hides all strings of their responses.
	Public bool
	// Stream says that the response is read as it arrives. Then the timeout does not include the time between two calls of
	// Read, and begins anew with each call of Progress.
	Stream *Stream
	// OnSend, if it is not nil, runs just before each attempt is sent. An error of OnSend aborts the request. The chain
	// leaves it to the caller to repeat a request with OnSend that the service throttles, by 429. With OnSend set, the end
	// of the context ends only the waits before an attempt (for its turn and for a retry): once an attempt is sent, it runs
	// to its end, or to that of the context of WithAbort.
	OnSend func() error
	// Pace, if it is not nil, limits the rate of attempts in addition to Options.Rate. A
	// 429 then lowers this Pace, and not that of all requests.
	Pace *Pace

	waits    context.Context // the context that ends the waits, if OnSend is set
	failures int             // failed attempts of the request, except for those after which throttling alone set the wait
}

// A Stream counts what the reader of a response got so far, such as records, so that a
// response of any length may arrive, but none may drip without end. It is for the goroutine that reads.
type Stream struct{ progress int64 }

// Progress says that the reader got another record. It may be called on nil.
func (s *Stream) Progress() {
	if s != nil {
		s.progress++
	}
}

type callOptionsKey struct{}

func WithCallOptions(ctx context.Context, o CallOptions) context.Context {
	if o.OnSend != nil {
		o.waits = ctx
		ctx = context.WithoutCancel(ctx)
	}
	return context.WithValue(ctx, callOptionsKey{}, &o)
}

func optionsOf(req *http.Request) *CallOptions { return optionsIn(req.Context()) }

func optionsIn(ctx context.Context) *CallOptions {
	if o, ok := ctx.Value(callOptionsKey{}).(*CallOptions); ok {
		return o
	}
	return &CallOptions{}
}

// waitContext returns the context whose end ends the waits before an attempt.
func waitContext(req *http.Request) context.Context {
	if o := optionsOf(req); o.waits != nil {
		return o.waits
	}
	return req.Context()
}

type abortKey struct{}

// WithAbort returns a context whose requests end with ErrAborted when abort ends, even those
// that were sent and outlive their own context.
func WithAbort(ctx, abort context.Context) context.Context {
	return context.WithValue(ctx, abortKey{}, abort)
}

type patientKey struct{}

// WithPatience returns a context whose requests wait for up to 15 minutes while the
// service throttles them, and however many retries there may be.
func WithPatience(ctx context.Context) context.Context {
	return context.WithValue(ctx, patientKey{}, true)
}

func isPatient(ctx context.Context) bool { return ctx.Value(patientKey{}) != nil }
