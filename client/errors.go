package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"reseller/client/transport"
)

// An Error is the refusal of a call by the service: an HTTP status of 400 or more,
// or an answer at 200 that says so (contract: Errors).
type Error struct {
	Operation  string // "GET /api/v2/accounts"
	Action     string // what the call does: "get account 7"
	HTTPStatus int
	Messages   []string      // of the service
	Code       string        // error_code, of the envelope of the budget estimate
	BodyStatus int           // status_code of that envelope, 0 where there is none
	RetryAfter bool          // the answer has a Retry-After
	Wait       time.Duration // how long Retry-After asks to wait
	Items      []ItemError
}

// An ItemError is the result of one keyword of an update (contract: Keyword). In
// Error.Items it is one that failed inside an HTTP 200.
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
			words = []string{"the response says that the call failed"}
		}
	}
	b.WriteString(": ")
	b.WriteString(strings.Join(words, "; "))
	return b.String()
}

// An UnreadableError is an answer that can't be read: it is not JSON, cut off, too
// large, or without what the contract promises.
type UnreadableError struct {
	Operation  string
	Action     string
	HTTPStatus int
	Snippet    string // the beginning of the answer, without secrets
	Err        error
}

func (e *UnreadableError) Error() string {
	text := fmt.Sprintf("%s: the response (%d) can't be read: %v", e.Action, e.HTTPStatus, e.Err)
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

// OutcomeUnknown reports whether a write that failed with err may have been carried
// out all the same: it was sent, and there was no answer, or one that does not say
// (an unreadable answer, or a status of 500 or more except 503 with Retry-After).
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
