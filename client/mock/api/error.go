package api

import (
	"errors"
	"net/http"
	"strings"
)

// Error is the refusal of a request. The first message of the response depends on its status.
type Error struct {
	Status  int
	Detail  string // a second message; may be empty
	Missing bool   // the request lacks fields, which Detail names
}

func BadRequest(detail string) *Error { return &Error{Status: http.StatusBadRequest, Detail: detail} }

func MissingFields(names ...string) *Error {
	return &Error{Status: http.StatusBadRequest, Detail: "required: " + strings.Join(names, ", "), Missing: true}
}

// Unauthorized refuses a request without a valid token, or a login with a wrong password.
func Unauthorized() *Error { return &Error{Status: http.StatusUnauthorized} }

// NotFound refuses a request for a record that the reseller does not have.
func NotFound(detail string) *Error { return &Error{Status: http.StatusNotFound, Detail: detail} }

// Unprocessable refuses a request that breaks a rule of the service.
func Unprocessable(detail string) *Error {
	return &Error{Status: http.StatusUnprocessableEntity, Detail: detail}
}

// AsError returns the *Error that err is or wraps. Any other error is a failure of the
// service and becomes an Error with the status 500.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Status: http.StatusInternalServerError, Detail: err.Error()}
}

func (e *Error) Error() string { return strings.Join(e.Messages(), ": ") }

// Message returns the text of the status: that of the contract, or the usual one if the contract has none.
func (e *Error) Message() string {
	switch e.Status {
	case http.StatusBadRequest:
		return "Missing parameter"
	case http.StatusUnauthorized:
		return "Invalid Authorization"
	default:
		return http.StatusText(e.Status)
	}
}

func (e *Error) Messages() []string {
	if e.Detail == "" {
		return []string{e.Message()}
	}
	return []string{e.Message(), e.Detail}
}
