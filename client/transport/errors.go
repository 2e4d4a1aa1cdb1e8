package transport

import (
	"errors"
	"fmt"
)

// A NetworkError is a request without an answer. Sent reports whether there was
// a connection, so that the request may have been carried out.
type NetworkError struct {
	Operation string // as in "PUT /api/v1/keywords"; set by the caller, as Action
	Action    string // as in "update keywords"
	Sent      bool
	Err       error
}

func (e *NetworkError) Error() string { return fmt.Sprintf("%s: no response: %v", e.Action, e.Err) }
func (e *NetworkError) Unwrap() error { return e.Err }

// ErrTimeout is inside the NetworkError of a request that took too long.
var ErrTimeout = errors.New("timed out")

// A RedirectError is a redirect that is not followed: to another scheme, host
// or port, of a request with a body, or too many of them.
type RedirectError struct {
	Operation        string // set by the caller, as Action
	Action           string
	HTTPStatus       int
	From, To, Reason string
}

func (e *RedirectError) Error() string {
	return fmt.Sprintf("%s: redirect (%d) from %s to %s refused: %s", e.Action, e.HTTPStatus, e.From, e.To, e.Reason)
}

// A GuardError is a request that was not sent because it would have left in the
// clear, or for another address than the configured one.
type GuardError struct {
	URL, Reason string
}

func (e *GuardError) Error() string { return fmt.Sprintf("%s: %s", e.URL, e.Reason) }

// InvalidInput marks an error of what the user gave: nothing was sent.
func (e *GuardError) InvalidInput() {}

// A TokenSourceError says why there was no token for a request, which was not
// sent.
type TokenSourceError struct{ Err error }

func (e *TokenSourceError) Error() string { return e.Err.Error() }
func (e *TokenSourceError) Unwrap() error { return e.Err }
