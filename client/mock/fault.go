package mock

import (
	"net/http"
	"time"
)

// Hook decides what goes wrong with a request: the n-th of the service, counted
// from 1 in the order of arrival.
type Hook = func(n int, method, path string) Fault

// Fault is what goes wrong with one request. The zero Fault is nothing at all; what
// is not set stays as the well-behaved service has it.
type Fault struct {
	// Work is how much of the request is carried out.
	Work Work
	// Late carries the request out only this long after it arrived, beside the
	// answer, which knows nothing of it (504 unless Status or Reset says otherwise).
	Late time.Duration
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
	Cut bool
	// Reset resets the connection in the place of an answer.
	Reset bool
	// Delay holds the answer back.
	Delay time.Duration

	// Lag makes a list pass over the records that were made in this last while.
	Lag time.Duration
	// Missing takes the newest records from the end of a list.
	Missing int

	// Expire ends the token of the request: it is answered with 401, and so is all
	// that comes with the same token.
	Expire bool
}

// Work is how much of a request is carried out.
type Work uint8

const (
	// Whole is all of it.
	Whole Work = iota
	// Never is nothing of it (503 unless Status or Reset says otherwise).
	Never
	// Half is every second keyword of a batch, from the first on, each as if it had
	// come alone (422 unless Status or Reset says otherwise). What has no parts, such
	// as a batch of one, is carried out as it should be, and answered so.
	Half
)

// status is what is answered in the place of the service's own answer, 0 for that.
func (t Fault) status() int {
	switch {
	case t.Status != 0:
		return t.Status
	case t.Work == Half:
		return http.StatusUnprocessableEntity
	case t.Work == Never:
		return http.StatusServiceUnavailable
	case t.Late > 0:
		return http.StatusGatewayTimeout
	}
	return 0
}

// heard is what the client hears of the service's own answer.
func (t Fault) heard(own answer) answer {
	a := own
	if status := t.status(); status != 0 {
		a = refusal(&failure{status: status})
	}
	if t.HTML {
		a.contentType, a.body = "text/html", page(a.status)
	}
	if t.Body != "" {
		a.body = []byte(t.Body)
	}
	if t.RetryAfter != "" {
		a.header = map[string]string{"Retry-After": t.RetryAfter}
	}
	a.reset, a.cut = t.Reset, t.Cut
	return a
}
