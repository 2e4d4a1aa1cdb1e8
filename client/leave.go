package client

import (
	"context"

	"golang.org/x/time/rate"
)

type (
	waitKey  struct{}
	leaveKey struct{}
	paceKey  struct{}
)

// Paced returns a context whose calls wait for their turn at pace, too. A nil
// pace keeps nobody waiting.
func Paced(ctx context.Context, pace *rate.Limiter) context.Context {
	if pace == nil {
		return ctx
	}
	return context.WithValue(ctx, paceKey{}, pace)
}

// Finishing returns a context for calls that, once they have left, finish even
// when ctx ends; what they wait for before they leave ends with ctx. Leave is
// called just before a request leaves, however often it is repeated; its error
// holds the request back.
func Finishing(ctx context.Context, leave func() error) context.Context {
	calls := context.WithValue(context.WithoutCancel(ctx), waitKey{}, ctx)
	return context.WithValue(calls, leaveKey{}, leave)
}

// finishing tells whether ctx is of Finishing.
func finishing(ctx context.Context) bool { return ctx.Value(leaveKey{}) != nil }

// waiting is the context that the waits of a call end with.
func waiting(ctx context.Context) context.Context {
	if until, ok := ctx.Value(waitKey{}).(context.Context); ok {
		return until
	}
	return ctx
}

func leave(ctx context.Context) error {
	if leave, ok := ctx.Value(leaveKey{}).(func() error); ok {
		return leave()
	}
	return nil
}
