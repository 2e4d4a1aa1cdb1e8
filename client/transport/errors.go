package transport

import (
	"errors"
	"fmt"
	"net"
	"os"

	"reseller/client/safetext"
)

// A NetworkError says that a request got no response, or one that broke off.
type NetworkError struct {
	Operation string // such as "PUT /api/v1/keywords"; package client sets it
	Action    string // such as "update keywords"; package client sets it
	Sent      bool   // there was a connection, and the service has not said that it passed the request over: it may have been carried out
	begun     bool   // the response had begun
	Err       error
}

func (e *NetworkError) Error() string {
	if address, why := e.Unreached(); why != "" {
		return fmt.Sprintf("%s: the service can't be reached: %s: %s", e.Action, address, why)
	}
	what := "no response"
	if e.begun {
		what = "the response broke off"
	}
	return fmt.Sprintf("%s: %s: %v", e.Action, what, e.Err)
}

func (e *NetworkError) Unwrap() error { return e.Err }

// Is reports whether kind is ErrNoResponse, which every NetworkError is.
func (e *NetworkError) Is(kind error) bool { return kind == ErrNoResponse }

// Unreached returns the host or address to which there was no connection, and why, such as "connection refused". Both are empty
// if there was one, and if a proxy or something unusual was in the way, of which the text of Err says more.
func (e *NetworkError) Unreached() (address, why string) {
	dial, ok := errors.AsType[*net.OpError](e.Err)
	if !ok || dial.Op != "dial" {
		return "", ""
	}
	if call, ok := errors.AsType[*os.SyscallError](dial); ok {
		return fmt.Sprint(dial.Addr), call.Err.Error()
	}
	if name, ok := errors.AsType[*net.DNSError](dial); ok {
		return name.Name, name.Err
	}
	return "", ""
}

// ErrNoResponse is the kind of a NetworkError, for errors.Is.
var ErrNoResponse = errors.New("no response")

// ErrTimeout is wrapped by the NetworkError of a request that took longer than Options.Timeout.
var ErrTimeout = errors.New("timed out")

// ErrAborted is wrapped by the NetworkError of a request that the context of WithAbort ended.
var ErrAborted = errors.New("not waited for, since the program was interrupted again")

// A RedirectError says that a redirect was not followed: it leads to another scheme,
// host or port, the request has a body, or there were too many redirects.
type RedirectError struct {
	Operation        string // as in NetworkError
	Action           string // as in NetworkError
	HTTPStatus       int
	From, To, Reason string
}

// maxAddress is how many bytes of an address an error shows.
const maxAddress = 500

func (e *RedirectError) Error() string {
	addresses := safetext.Cut(e.From, maxAddress)
	if e.To != "" {
		addresses += " to " + safetext.Cut(e.To, maxAddress)
	}
	return fmt.Sprintf("%s: redirect (%d) from %s refused: %s", e.Action, e.HTTPStatus, addresses, e.Reason)
}

// A GuardError says that a request was not sent, because it would have gone to another
// address than the configured one, or unencrypted to another machine.
type GuardError struct {
	URL, Reason string
}

func (e *GuardError) Error() string { return safetext.Cut(e.URL, maxAddress) + ": " + e.Reason }

// InvalidInput marks the error as one of the user's input: nothing was sent.
func (e *GuardError) InvalidInput() {}

// A TokenSourceError says that there was no token for a request, which was not sent, or was answered with 401.
type TokenSourceError struct{ Err error }

func (e *TokenSourceError) Error() string { return e.Err.Error() }
func (e *TokenSourceError) Unwrap() error { return e.Err }
