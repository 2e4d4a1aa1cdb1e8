package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"reseller/client/transport"
)

// An Error is the service's refusal of a call: an HTTP status of 400 or more,
// or an answer at 200 that says so (contract: Errors).
type Error struct {
	Operation  string // "GET /api/v2/accounts"
	Action     string // what was tried: "get account 7"
	HTTPStatus int
	Messages   []string      // the service's own words
	Code       string        // error_code of the budget estimate's envelope
	BodyStatus int           // status_code of that envelope, 0 where it has none
	RetryAfter bool          // a Retry-After came with the answer
	Wait       time.Duration // what that asked for
	Items      []ItemError
}

// An ItemError is one item of a keyword update that failed inside an HTTP 200.
type ItemError struct {
	RankID        Integer `json:"rank_id"`
	StatusCode    Integer `json:"status_code"`
	StatusMessage String  `json:"status_message"`
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s failed (%d)", e.Action, e.HTTPStatus)
	words := e.Messages
	if e.Code != "" {
		words = append(words[:len(words):len(words)], e.Code)
	}
	for _, item := range e.Items {
		words = append(words[:len(words):len(words)], fmt.Sprintf("rank_id %d: %s (%d)", item.RankID, item.StatusMessage, item.StatusCode))
	}
	if len(words) == 0 {
		words = []string{http.StatusText(e.HTTPStatus)}
		if e.HTTPStatus < 300 {
			words = []string{"the answer says that it is an error"}
		}
	}
	b.WriteString(": ")
	b.WriteString(strings.Join(words, "; "))
	return b.String()
}

// An UnreadableError is an answer that can't be read: not JSON, cut short, too
// large, or without the parts that the contract gives it.
type UnreadableError struct {
	Operation  string
	Action     string
	HTTPStatus int
	Snippet    string // how the answer begins
	Err        error
}

func (e *UnreadableError) Error() string {
	text := fmt.Sprintf("%s: the answer (%d) can't be read: %v", e.Action, e.HTTPStatus, e.Err)
	if e.Snippet != "" {
		text += fmt.Sprintf(" (it begins with %q)", e.Snippet)
	}
	return text
}

func (e *UnreadableError) Unwrap() error { return e.Err }

// The errors of the chain beneath the client (package transport).
type (
	NetworkError     = transport.NetworkError
	RedirectError    = transport.RedirectError
	GuardError       = transport.GuardError
	TokenSourceError = transport.TokenSourceError
)

// ErrTimeout is inside the NetworkError of a call that took too long.
var ErrTimeout = transport.ErrTimeout

// IsNotFound reports whether err is the service's refusal with status 404: what
// the call is about does not exist, or is another reseller's.
func IsNotFound(err error) bool {
	var refusal *Error
	return errors.As(err, &refusal) && refusal.HTTPStatus == http.StatusNotFound
}

// OutcomeUnknown tells whether a write that failed with err may have been carried out
// all the same: it left and no answer came, or one that tells nothing.
func OutcomeUnknown(err error) bool {
	var network *NetworkError
	var unreadable *UnreadableError
	var refusal *Error
	var source *TokenSourceError
	switch {
	case errors.As(err, &source):
		return false
	case errors.As(err, &network):
		return network.Sent
	case errors.As(err, &unreadable):
		return unreadable.HTTPStatus < 300 || unreadable.HTTPStatus >= 500
	case errors.As(err, &refusal):
		return refusal.HTTPStatus >= 500 && (refusal.HTTPStatus != http.StatusServiceUnavailable || !refusal.RetryAfter)
	}
	return false
}
