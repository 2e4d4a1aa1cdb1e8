// Package errdefs defines the errors of reseller/config and the packages below it: a type for each kind of failure.
package errdefs

import "fmt"

type Details struct {
	Message string
	Hint    string // what to do about it; may be empty
	Err     error  // the cause; may be nil
}

// InvalidError reports an invalid setting, address, file or argument. Nothing was sent to the service.
type InvalidError Details

func (e *InvalidError) Error() string  { return e.Message }
func (e *InvalidError) Unwrap() error  { return e.Err }
func (e *InvalidError) Advice() string { return e.Hint }

func (e *InvalidError) InvalidInput() {}

func Invalidf(format string, args ...any) *InvalidError {
	return &InvalidError{Message: fmt.Sprintf(format, args...)}
}

func (e *InvalidError) Hinted(hint string) *InvalidError {
	e.Hint = hint
	return e
}

// TokenError reports that no source has a token for the address, or that the chosen one gave no usable token.
type TokenError Details

func (e *TokenError) Error() string  { return e.Message }
func (e *TokenError) Unwrap() error  { return e.Err }
func (e *TokenError) Advice() string { return e.Hint }

func (e *TokenError) Unauthenticated() {}

// CannotRenewError reports that a token which the service refused can't be replaced.
type CannotRenewError Details

func (e *CannotRenewError) Error() string  { return e.Message }
func (e *CannotRenewError) Unwrap() error  { return e.Err }
func (e *CannotRenewError) Advice() string { return e.Hint }

// CannotRenew marks the error for the client, which looks for this method.
func (e *CannotRenewError) CannotRenew() {}

// KeyringError reports a system keyring that is missing, does not respond or refuses a call.
type KeyringError Details

func (e *KeyringError) Error() string  { return e.Message }
func (e *KeyringError) Unwrap() error  { return e.Err }
func (e *KeyringError) Advice() string { return e.Hint }
