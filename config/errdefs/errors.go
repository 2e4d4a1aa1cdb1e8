// Package errdefs defines the errors of reseller/config and the packages below
// it. Each type stands for one kind of failure; its message begins with the
// thing that is wrong, and its hint says what to do about it.
package errdefs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// InvalidError reports an invalid setting, address, file or argument. Nothing
// was sent to the service.
type InvalidError struct {
	Message string
	Hint    string
	Err     error
}

func (e *InvalidError) Error() string { return e.Message }

// InvalidInput marks an error in the user's input: nothing was sent.
func (e *InvalidError) InvalidInput() {}

func (e *InvalidError) Unwrap() error { return e.Err }

// Invalidf returns an InvalidError without a hint.
func Invalidf(format string, args ...any) *InvalidError {
	return &InvalidError{Message: fmt.Sprintf(format, args...)}
}

// TokenError reports a token source that was chosen but gave no usable token,
// for example a token_command that failed.
type TokenError struct {
	Message string
	Hint    string
	Err     error
}

func (e *TokenError) Error() string { return e.Message }

// Unauthenticated marks an error of the token.
func (e *TokenError) Unauthenticated() {}

func (e *TokenError) Unwrap() error { return e.Err }

// NoTokenError reports that no token source has a token for the address.
type NoTokenError struct {
	Message string
	Hint    string
	Err     error
}

func (e *NoTokenError) Error() string { return e.Message }

// Unauthenticated marks an error of the token.
func (e *NoTokenError) Unauthenticated() {}

func (e *NoTokenError) Unwrap() error { return e.Err }

// CannotRenewError reports that a token which the service refused can't be
// replaced. The caller reports the service's refusal.
type CannotRenewError struct {
	Message string
	Hint    string
	Err     error
}

func (e *CannotRenewError) Error() string { return e.Message }

// CannotRenew marks the error for the client, which looks for this method.
func (e *CannotRenewError) CannotRenew() {}

func (e *CannotRenewError) Unwrap() error { return e.Err }

// KeyringError reports a system keyring that is missing, does not answer or
// refuses a call.
type KeyringError struct {
	Message string
	Hint    string
	Err     error
}

func (e *KeyringError) Error() string { return e.Message }

func (e *KeyringError) Unwrap() error { return e.Err }

// Hint returns the hint of an error of this package, or an empty string.
func Hint(err error) string {
	var (
		invalid     *InvalidError
		token       *TokenError
		noToken     *NoTokenError
		cannotRenew *CannotRenewError
		keyring     *KeyringError
	)
	switch {
	case errors.As(err, &invalid):
		return invalid.Hint
	case errors.As(err, &token):
		return token.Hint
	case errors.As(err, &noToken):
		return noToken.Hint
	case errors.As(err, &cannotRenew):
		return cannotRenew.Hint
	case errors.As(err, &keyring):
		return keyring.Hint
	}
	return ""
}

// WithoutPath returns the reason of a file system error without the operation
// and the path, for messages that name the path themselves.
func WithoutPath(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
