package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/phrase"
	"reseller/client/safetext"
)

const (
	// maxConsecutiveFailures is the number of consecutive calls without a response that stops the run.
	maxConsecutiveFailures = 20
	// maxThrottleWait is the time after which a call is not repeated any more that the service throttles (429).
	maxThrottleWait = 15 * time.Minute
)

// A NoResponseError stops a run after too many consecutive failures.
type NoResponseError struct {
	Calls int // the number of consecutive calls without a response that shows the outcome
	Err   error
}

func (e *NoResponseError) Error() string {
	return fmt.Sprintf("%d consecutive calls failed: %v", e.Calls, e.Err)
}

func (e *NoResponseError) Unwrap() error { return e.Err }

// A failureClass says what a failed call means for the rows of its batch.
type failureClass uint8

const (
	classFatal     failureClass = iota // the call was not carried out, and every other call would fail likewise
	classBadRow                        // the service refused the batch because of one of its rows
	classForbidden                     // the service refused all rows of the batch
	classUnknown                       // the call may have been carried out
	classNotSent                       // the call was certainly not carried out; another attempt may succeed
	classThrottled                     // the service answered 429 (too many requests); wait and send again
)

// classify returns the class of the error of a call.
func classify(err error) failureClass {
	var refusal *client.Error
	switch {
	case client.OutcomeUnknown(err):
		return classUnknown
	case errors.As(err, new(*client.TokenSourceError)):
		return classFatal
	case errors.As(err, new(*client.NetworkError)):
		return classNotSent
	case !errors.As(err, &refusal):
		return classFatal
	}
	switch refusal.HTTPStatus {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed:
		return classFatal
	case http.StatusTooManyRequests:
		return classThrottled
	case http.StatusServiceUnavailable:
		if refusal.Wait > maxThrottleWait {
			return classFatal
		}
		return classNotSent
	case http.StatusForbidden:
		return classForbidden
	}
	return classBadRow
}

// EndedEarly reports whether the end of ctx is why a call failed. It ends only the waits before a call is written, or is
// written again after a response that shows that it was not carried out.
func EndedEarly(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, ctx.Err())) && !client.OutcomeUnknown(err)
}

// failure returns the result of all rows of a call that failed with err.
func failure(state job.State, err error) job.Result {
	result := job.Result{State: state, Message: message(err)}
	if refusal, ok := errors.AsType[*client.Error](err); ok {
		result.HTTPStatus = refusal.HTTPStatus
		if len(refusal.Items) == 1 {
			result.HTTPStatus = max(refusal.HTTPStatus, int(refusal.Items[0].StatusCode)) // an item need not have one
		}
	}
	return result
}

// message returns the messages of the service in err, or the text of err if there are
// none, cut after 2 KB: the journal and the rejects file have it for each row.
func message(err error) string {
	text := err.Error()
	if refusal, ok := errors.AsType[*client.Error](err); ok {
		text = cmp.Or(phrase.Sentences(refusal.Reasons()...), text)
	}
	return safetext.Cut(text, safetext.MaxMessage)
}
