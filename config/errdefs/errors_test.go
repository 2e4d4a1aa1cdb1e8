package errdefs

import (
	"errors"
	"fmt"
	"testing"
)

func TestHint(t *testing.T) {
	cause := errors.New("cause")
	for _, err := range []error{
		&InvalidError{Details{"message", "hint", cause}}, &TokenError{Details{"message", "hint", cause}},
		&CannotRenewError{Details{"message", "hint", cause}}, &KeyringError{Details{"message", "hint", cause}},
	} {
		t.Run(fmt.Sprintf("%T", err), func(t *testing.T) {
			var hinted interface{ Advice() string }
			if !errors.As(fmt.Errorf("wrapped: %w", err), &hinted) || hinted.Advice() != "hint" {
				t.Errorf("got %v, want a hint", hinted)
			}
			if err.Error() != "message" || !errors.Is(err, cause) {
				t.Errorf("got %v, want the message and its cause", err)
			}
			var marked interface{ CannotRenew() }
			want := errors.As(err, new(*CannotRenewError))
			if got := errors.As(err, &marked); got != want {
				t.Errorf("got %v, want %v for the method CannotRenew", got, want)
			}
		})
	}
}
