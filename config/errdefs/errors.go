// Package errdefs defines the errors of reseller/config and the packages below it: a type for each kind of failure.
package errdefs

import "fmt"

type Details struct {
	Message string
	Hint    string // what to do about it; may be empty
	Err     error  // the cause; may be nil
}

func (d *Details) Error() string  { return d.Message }
func (d *Details) Unwrap() error  { return d.Err }
func (d *Details) Advice() string { return d.Hint }

// InvalidError reports an invalid setting, address, file or argument. Nothing was sent to the service.
type InvalidError struct{ Details }

func (e *InvalidError) InvalidInput() {}

func Invalidf(format string, args ...any) *InvalidError {
	return &InvalidError{Details{Message: fmt.Sprintf(format, args...)}}
}

func (e *InvalidError) Hinted(hint string) *InvalidError {
	e.Hint = hint
	return e
}

// TokenError reports that no source has a token for the address, or that the chosen one gave no usable token.
type TokenError struct{ Details }

func (e *TokenError) Unauthenticated() {}

// CannotRenewError reports that a token which the service refused can't be replaced.
type CannotRenewError struct{ Details }

// CannotRenew marks the error for the client, which looks for this method.
func (e *CannotRenewError) CannotRenew() {}

// KeyringError reports a system keyring that is missing, does not respond or refuses a call.
type KeyringError struct{ Details }
