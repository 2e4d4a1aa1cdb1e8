package cli

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"reseller/client"
	"reseller/client/bulk/decode"
	"reseller/config/errdefs"
	"reseller/output"
)

func TestExitCode(t *testing.T) {
	interrupted := Interrupted{Signal: syscall.SIGTERM}
	for _, test := range []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, ExitOK},
		{"unknown kind", errors.New("x"), ExitFailed},
		{"usage", Usagef("x"), ExitUsage},
		{"its own", &ExitError{Code: ExitPartial, Err: Usagef("x")}, ExitPartial},
		{"wrapped", fmt.Errorf("x: %w", &ExitError{Code: ExitRefused, Err: errors.New("x")}), ExitRefused},
		{"interrupted", interrupted, 143},
		{"interrupted inside another", &ExitError{Code: ExitUsage, Err: fmt.Errorf("x: %w", interrupted)}, 143},
		{"settings", &errdefs.InvalidError{}, ExitUsage},
		{"output flags", &output.UsageError{}, ExitUsage},
		{"rows", &decode.Error{}, ExitUsage},
		{"file", &decode.FileError{}, ExitUsage},
		{"address", &client.GuardError{}, ExitUsage},
		{"token", &errdefs.TokenError{}, ExitAuth},
		{"token that a failed login explains", &errdefs.TokenError{Details: errdefs.Details{Err: &client.NetworkError{Err: errors.New("x")}}}, ExitAuth},
		{"network", &client.NetworkError{Err: errors.New("x")}, ExitUnreachable},
		{"not found", &client.Error{HTTPStatus: 404}, ExitNotFound},
		{"unauthorized", &client.Error{HTTPStatus: 401}, ExitAuth},
		{"throttled", &client.Error{HTTPStatus: 429}, ExitUnreachable},
		{"server error", &client.Error{HTTPStatus: 500}, ExitUnreachable},
		{"refused", &client.Error{HTTPStatus: 422}, ExitRefused},
		{"one failed item", &client.Error{HTTPStatus: 200, Items: []client.ItemError{{StatusCode: 404}}, ItemCount: 1}, ExitNotFound},
		{"several failed items", &client.Error{HTTPStatus: 200, Items: []client.ItemError{{StatusCode: 404}, {StatusCode: 404}}, ItemCount: 2}, ExitNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := ExitCode(test.err); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}
