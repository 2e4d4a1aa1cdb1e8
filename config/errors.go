package config

import "errors"

// Error is a setting, address, file or argument that is not valid. Nothing was
// sent; commands exit with 2.
type Error struct {
	Message string
	Hint    string
	Err     error
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

// TokenError is a token source that was chosen and gave no usable token, such
// as a token_command that failed.
type TokenError struct {
	Message string
	Hint    string
	Err     error
}

func (e *TokenError) Error() string { return e.Message }

func (e *TokenError) Unwrap() error { return e.Err }

// NoTokenError says that no token source has anything for the address.
type NoTokenError struct {
	Message string
	Hint    string
	Err     error
}

func (e *NoTokenError) Error() string { return e.Message }

func (e *NoTokenError) Unwrap() error { return e.Err }

// CannotRenewError says that a refused token can't be replaced by another one,
// so that the refusal of the call stands.
type CannotRenewError struct {
	Message string
	Hint    string
	Err     error
}

func (e *CannotRenewError) Error() string { return e.Message }

// CannotRenew lets the service's refusal of the token stand.
func (e *CannotRenewError) CannotRenew() {}

func (e *CannotRenewError) Unwrap() error { return e.Err }

// KeyringError is a keyring that is absent, does not answer or refuses.
type KeyringError struct {
	Message string
	Hint    string
	Err     error
}

func (e *KeyringError) Error() string { return e.Message }

func (e *KeyringError) Unwrap() error { return e.Err }

// Hint returns what an error of this package advises, or an empty string.
func Hint(err error) string {
	var (
		setting *Error
		token   *TokenError
		none    *NoTokenError
		renew   *CannotRenewError
		ring    *KeyringError
	)
	switch {
	case errors.As(err, &setting):
		return setting.Hint
	case errors.As(err, &token):
		return token.Hint
	case errors.As(err, &none):
		return none.Hint
	case errors.As(err, &renew):
		return renew.Hint
	case errors.As(err, &ring):
		return ring.Hint
	}
	return ""
}
