package fault

import (
	"net/http"
	"time"
)

// Schedule decides what goes wrong with a request: the n-th of the service, counted
// from 1 in the order of arrival.
type Schedule = func(n int, method, path string) Fault

// Fault is what goes wrong with one request. The zero Fault is nothing at all; what
// is not set stays as the well-behaved service has it.
type Fault struct {
	// Work is how much of the request is carried out.
	Execute Execution
	// Late carries the request out only this long after it arrived, beside the
	// answer, which knows nothing of it (504 unless Status or Reset says otherwise).
	Defer time.Duration
	// Fold stores new keywords in lower case, with blanks collapsed.
	Fold bool

	// Status is answered in the place of what the service would say.
	Status int
	// RetryAfter is a header of the answer. With a 503 it is read as "not carried
	// out", so it goes with Never.
	RetryAfter string
	// HTML answers as a proxy does, with a page.
	HTML bool
	// Body is what the answer carries instead of its own body.
	Body string
	// Cut breaks the answer off in the middle of its body.
	Truncate bool
	// Reset resets the connection in the place of an answer.
	Reset bool
	// Delay holds the answer back.
	Delay time.Duration

	// Lag makes a list pass over the records that were made in this last while.
	Stale time.Duration
	// Missing takes the newest records from the end of a list.
	HideNewest int

	// Expire ends the token of the request: it is answered with 401, and so is all
	// that comes with the same token.
	ExpireToken bool
}

// Execution is how much of a request is carried out.
type Execution uint8

const (
	// ExecuteAll is all of it.
	ExecuteAll Execution = iota
	// ExecuteNone is nothing of it (503 unless Status or Reset says otherwise).
	ExecuteNone
	// ExecuteHalf is every second keyword of a batch, from the first on, each as if it had
	// come alone (422 unless Status or Reset says otherwise). What has no parts, such
	// as a batch of one, is carried out as it should be, and answered so.
	ExecuteHalf
)

// AnswerStatus is what is answered in the place of the service's own answer, 0 for that.
func (t Fault) AnswerStatus() int {
	switch {
	case t.Status != 0:
		return t.Status
	case t.Execute == ExecuteHalf:
		return http.StatusUnprocessableEntity
	case t.Execute == ExecuteNone:
		return http.StatusServiceUnavailable
	case t.Defer > 0:
		return http.StatusGatewayTimeout
	}
	return 0
}
