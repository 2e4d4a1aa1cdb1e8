package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"reseller/client/phrase"
	"reseller/client/transport"
)

// An Error says that the service refused a call: by an HTTP status of 400 or more, or
// by a response with status 200 that reports an error (contract: Errors).
type Error struct {
	Operation  string // "GET /api/v2/accounts"
	Action     string // what the call does: "get account 7"
	HTTPStatus int
	Envelope   bool          // the response has the service's envelope: the service itself has answered, and no gateway in front of it
	Messages   []string      // the messages of the response
	Code       string        // error_code of the response to a budget estimate
	BodyStatus int           // status_code of the response to a budget estimate, 0 if it has none
	RetryAfter bool          // the response has a Retry-After header
	Wait       time.Duration // the wait that the Retry-After header asks for
	Items      []ItemError   // the items of a response that failed although the HTTP status is 200
	ItemCount  int           // the number of all items of the call or of its response, if it has Items
}

// An ItemError is the result of one keyword of an update, which may be a success
// (contract: Keyword), or of a part of another write that has a status_code of its own.
type ItemError struct {
	RankID        Integer `json:"rank_id"`
	Keyword       String  `json:"keyword"`
	StatusCode    Integer `json:"status_code"`
	StatusMessage String  `json:"status_message"`
	Status        String  `json:"status"` // such as "Failed", which no document has
}

// Failed reports whether the response says that the item failed. One without a status_code need not have succeeded.
func (e *ItemError) Failed() bool {
	return e.StatusCode != 0 && e.StatusCode != http.StatusOK || saysFailed(string(e.Status))
}

// message returns the words of the response about the item: its status, if that says that it failed, and its message.
func (e *ItemError) message() string {
	if saysFailed(string(e.Status)) {
		return phrase.Sentences(string(e.Status), string(e.StatusMessage))
	}
	return string(e.StatusMessage)
}

// failureWords begin a status which says that a write was not carried out.
var failureWords = []string{"fail", "fails", "failed", "failure", "error", "errors", "errored", "rejected", "refused", "declined", "denied",
	"forbidden", "unauthorized", "invalid", "unsuccessful", "aborted", "cancelled", "canceled", "ignored", "skipped", "not"}

func saysFailed(status string) bool {
	words := strings.FieldsFunc(strings.ToLower(status), func(r rune) bool { return !unicode.IsLetter(r) })
	return len(words) > 0 && slices.Contains(failureWords, words[0])
}

func (e *Error) Error() string {
	reasons := e.Reasons()
	if phrase.Sentences(reasons...) == "" {
		reasons = []string{http.StatusText(e.HTTPStatus)}
		if e.HTTPStatus < 300 {
			reasons = []string{"the response says that the call failed"}
		}
	}
	if e.Wait >= time.Minute {
		reasons = append(slices.Clip(reasons), fmt.Sprintf("the service asks to wait for %v", e.Wait.Round(time.Second)))
	}
	return phrase.Refusal(e.Action+" failed", e.HTTPStatus, reasons...)
}

// Reasons returns the reasons that the service gives for the refusal; there may be none.
func (e *Error) Reasons() []string {
	reasons := append(slices.Clip(e.Messages), e.Code)
	for _, item := range e.Items[:min(len(e.Items), maxMessages)] {
		reasons = append(reasons, item.words())
	}
	if more := len(e.Items) - maxMessages; more > 0 {
		reasons = append(reasons, fmt.Sprintf("and %d more", more))
	}
	return reasons
}

// words returns what the response says of the item.
func (e *ItemError) words() string {
	what := "item"
	switch {
	case e.RankID != 0:
		what = fmt.Sprintf("rank_id %d", e.RankID)
	case e.Keyword != "":
		what = fmt.Sprintf("keyword %q", string(e.Keyword))
	case saysFailed(string(e.Status)):
		what = "status"
	}
	return phrase.Refusal(phrase.Refusal(what, 0, string(e.StatusMessage)), int(e.StatusCode))
}

// An UnreadableError says that a response can't be read: it is not JSON, is cut off, is larger than 32 MB, lacks data
// that the contract promises, or is about another record (Err is an *OtherRecordError then).
type UnreadableError struct {
	Operation  string
	Action     string
	HTTPStatus int
	Snippet    string // where the response can't be read, without secrets
	Err        error
}

func (e *UnreadableError) Error() string {
	if other := (*OtherRecordError)(nil); errors.As(e.Err, &other) {
		return e.Action + ": " + other.Error()
	}
	text := fmt.Sprintf("%s: the response (%d) can't be read: %v", e.Action, e.HTTPStatus, e.Err)
	if e.Snippet != "" {
		text += fmt.Sprintf(" (near %q)", e.Snippet)
	}
	return text
}

func (e *UnreadableError) Unwrap() error { return e.Err }

// The errors of package transport, which sends the requests.
type (
	// A NetworkError is the error of a call without a response: errors.As finds it, and its Sent says whether the service may have
	// carried out the call.
	NetworkError     = transport.NetworkError
	RedirectError    = transport.RedirectError
	GuardError       = transport.GuardError
	TokenSourceError = transport.TokenSourceError
)

// The kinds of a *NetworkError, for errors.Is.
var (
	ErrNoResponse = transport.ErrNoResponse // any NetworkError: there was no response, or it broke off
	ErrTimeout    = transport.ErrTimeout    // the call took longer than Options.Timeout
)

// WithAbort returns a context whose calls end when abort ends, even the writes that were sent and
// outlive their own context. Their outcome is then unknown.
func WithAbort(ctx, abort context.Context) context.Context { return transport.WithAbort(ctx, abort) }

// The kinds of an *Error, for errors.Is. One with Items is of a kind if all items of the call failed with such a status.
var (
	ErrUnauthorized = errors.New("the service does not accept the token")       // status 401 or 403
	ErrNotFound     = errors.New("the service does not have the record")        // status 404; it may belong to another reseller
	ErrNotOffered   = errors.New("the service does not have the operation")     // status 405 or 501, or 404 without the service's envelope
	ErrRefused      = errors.New("the service refuses the call, now and later") // any status below 500 but 429
)

// Is reports whether the error is of a kind, which is one of the variables above: whether its status is, or, if it has Items, the
// status of each item of the call.
func (e *Error) Is(kind error) bool {
	if len(e.Items) == 0 {
		return e.isOf(kind, e.HTTPStatus)
	}
	isOther := func(item ItemError) bool { return !e.isOf(kind, int(item.StatusCode)) }
	return len(e.Items) >= e.ItemCount && !slices.ContainsFunc(e.Items, isOther)
}

func (e *Error) isOf(kind error, status int) bool {
	switch kind {
	case ErrUnauthorized:
		return status == http.StatusUnauthorized || status == http.StatusForbidden
	case ErrNotFound:
		return status == http.StatusNotFound
	case ErrNotOffered:
		return status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented || status == http.StatusNotFound && !e.Envelope
	case ErrRefused:
		return status < 500 && status != http.StatusTooManyRequests
	}
	return false
}

// An endedError is the cause of the end of a context that ended while the service may have been carrying out a write.
type endedError struct{ error }

func (e *endedError) Unwrap() error { return e.error }

// OutcomeUnknown reports whether the service may have carried out a write that failed with err. It may have, if the write
// was sent and
//   - there was no response, or one that can't be read, also because the context ended,
//   - the status is 500 or more, except 503 with Retry-After by the service itself,
//   - the status is 408 by a gateway, which answers so once the service takes too long.
func OutcomeUnknown(err error) bool {
	if _, ok := errors.AsType[*TokenSourceError](err); ok {
		return false
	}
	if network, ok := errors.AsType[*NetworkError](err); ok {
		return network.Sent
	}
	if _, ok := errors.AsType[*endedError](err); ok {
		return true
	}
	if unreadable, ok := errors.AsType[*UnreadableError](err); ok {
		return unreadable.HTTPStatus < 300 || unreadable.HTTPStatus >= 500
	}
	refusal, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return false
	case refusal.HTTPStatus == http.StatusRequestTimeout:
		return !refusal.Envelope
	case refusal.HTTPStatus == http.StatusServiceUnavailable:
		return !refusal.RetryAfter || !refusal.Envelope
	}
	return refusal.HTTPStatus >= 500
}
