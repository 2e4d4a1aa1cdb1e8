// Package fault makes the mock service fail on purpose, in the ways in which real services fail: lost responses, throttling,
// writes that are carried out late or in part, stale lists, responses that can't be read. A [Schedule] decides which request
// fails and how; [NewSchedule] makes one from faults and a share.
package fault

import (
	"net/http"
	"time"
)

// Schedule returns the fault of a request. n is the number of the request, counted from 1
// in the order in which requests arrive at the service.
type Schedule = func(n int, method, path string) Fault

// Fault describes how one request fails. The zero Fault is no fault: each field that is not
// set leaves this part of the request as it would be without a fault.
type Fault struct {
	// Execute is how much of the request is carried out.
	Execute Execution
	// Defer is the time after which the request is carried out. The response is sent
	// before that, with 504 unless Status or Reset says otherwise.
	Defer time.Duration
	// FoldText stores new keywords in lower case, with runs of blanks as one blank.
	FoldText bool

	// Status replaces the response by a refusal with this status.
	Status int
	// RetryAfter is the value of the header Retry-After. Clients take a 503 of the service with this header for a request that
	// was not carried out, so set it with ExecuteNone, or with a Body or HTML as gateways send it.
	RetryAfter string
	// HTML replaces the response by an HTML page, as proxies send it.
	HTML bool
	// Body replaces the body of the response.
	Body string
	// Truncate closes the connection in the middle of the response's body.
	Truncate bool
	// Reset resets the connection instead of sending a response.
	Reset bool
	// Delay is the time by which the response is delayed.
	Delay time.Duration

	// Stale leaves out of a list the records that are younger than this duration.
	Stale time.Duration
	// HideNewest is the number of records that are left out at the end of a list.
	HideNewest int

	// ExpireToken lets the token of the request expire: this request and all later requests
	// with the same token get the status 401.
	ExpireToken bool
}

// Execution is how much of a request is carried out.
type Execution uint8

const (
	// ExecuteAll carries the whole request out.
	ExecuteAll Execution = iota
	// ExecuteNone carries nothing out (503 unless Status or Reset says otherwise).
	ExecuteNone
	// ExecuteHalf carries out every second keyword of a batch, from the first on, each as a batch of its own (422 unless Status
	// or Reset says otherwise). A request that has no parts, such as a batch of one keyword, is carried out and answered as if
	// there were no fault.
	ExecuteHalf
)

// refusalStatus returns the status of the refusal that replaces the service's own response, or 0 if the own response is sent.
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
