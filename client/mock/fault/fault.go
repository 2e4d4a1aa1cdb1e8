// Package fault makes the mock service fail on purpose, in the ways in which real
// services fail: lost responses, throttling, writes that are carried out late or in
// part, stale lists, responses that can't be read. A [Schedule] decides which request
// fails and how; [NewSchedule] makes one from the names of faults and a share.
package fault

import (
	"net/http"
	"time"
)

// Schedule decides what goes wrong with a request: the n-th of the service, counted
// from 1 in the order of arrival.
type Schedule = func(n int, method, path string) Fault

// Fault is what goes wrong with one request. With the zero Fault nothing does: each
// field that is not set leaves its part to the well-behaved service.
type Fault struct {
	// Execute is how much of the request is carried out.
	Execute Execution
	// Defer carries the request out only this long after it arrived, independently of
	// the response (504 unless Status or Reset says otherwise).
	Defer time.Duration
	// FoldText stores new keywords in lower case, with runs of blanks as one blank.
	FoldText bool

	// Status replaces the response by a refusal with this status.
	Status int
	// RetryAfter is a header of the response. Clients read a 503 with it as "not
	// carried out", so it belongs to ExecuteNone.
	RetryAfter string
	// HTML replaces the response by a page such as proxies send.
	HTML bool
	// Body replaces the body of the response.
	Body string
	// Truncate closes the connection in the middle of the response's body.
	Truncate bool
	// Reset resets the connection instead of sending a response.
	Reset bool
	// Delay holds the response back.
	Delay time.Duration

	// Stale leaves out of a list the records that are younger than this.
	Stale time.Duration
	// HideNewest leaves this many records out at the end of a list.
	HideNewest int

	// ExpireToken ends the validity of the request's token: this request and all later
	// ones with the same token are answered with 401.
	ExpireToken bool
}

// Execution is how much of a request is carried out.
type Execution uint8

const (
	// ExecuteAll carries the whole request out.
	ExecuteAll Execution = iota
	// ExecuteNone carries nothing out (503 unless Status or Reset says otherwise).
	ExecuteNone
	// ExecuteHalf carries out every second keyword of a batch, from the first on, each
	// as a batch of its own (422 unless Status or Reset says otherwise). A request that
	// has no parts, such as a batch of one keyword, is carried out and answered as if
	// there were no fault.
	ExecuteHalf
)

// refusalStatus returns the status of the refusal that replaces the service's own
// response, or 0 if the own response is sent.
func (f Fault) refusalStatus() int {
	switch {
	case f.Status != 0:
		return f.Status
	case f.Execute == ExecuteHalf:
		return http.StatusUnprocessableEntity
	case f.Execute == ExecuteNone:
		return http.StatusServiceUnavailable
	case f.Defer > 0:
		return http.StatusGatewayTimeout
	}
	return 0
}
