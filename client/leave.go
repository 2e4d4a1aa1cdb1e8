package client

import (
	"context"

	"golang.org/x/time/rate"
)

type (
	waitKey    struct{}
	onSendKey  struct{}
	limiterKey struct{}
)

// WithLimiter returns a context whose calls wait for their turn at pace, too. A nil
// pace keeps nobody waiting.
func WithLimiter(ctx context.Context, pace *rate.Limiter) context.Context {
	if pace == nil {
		return ctx
	}
	return context.WithValue(ctx, limiterKey{}, pace)
}

// WithDrain returns a context for calls that, once they have left, finish even
// when ctx ends; what they wait for before they leave ends with ctx. Leave is
// called just before a request leaves, however often it is repeated; its error
// holds the request back.
func WithDrain(ctx context.Context, leave func() error) context.Context {
	calls := context.WithValue(context.WithoutCancel(ctx), waitKey{}, ctx)
	return context.WithValue(calls, onSendKey{}, leave)
}

// draining tells whether ctx is of Finishing.
func draining(ctx context.Context) bool { return ctx.Value(onSendKey{}) != nil }

// waitContext is the context that the waits of a call end with.
func waitContext(ctx context.Context) context.Context {
	if until, ok := ctx.Value(waitKey{}).(context.Context); ok {
		return until
	}
	return ctx
}

func onSend(ctx context.Context) error {
	if leave, ok := ctx.Value(onSendKey{}).(func() error); ok {
		return leave()
	}
	return nil
}
