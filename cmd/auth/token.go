package auth

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client/mock"
	"reseller/cmd/cli"
)

func newTokenCmd(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "token",
		Short: "Print the token for the current address",
		Long: `Print the token that commands use for the current address, on one line, for use in other programs. An
expired token is renewed first if possible. Keep the token safe: anyone who has it can act in your name.
With curl: curl -H "Authorization: Bearer $(reseller auth token)" URL`,
		Example: `reseller auth token --server mock
reseller auth token --server mock --output-file token.txt`,
		Args: cli.NoSecretArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := currentToken(c.Context(), f)
			if err != nil {
				return err
			}
			return f.SecretLine(text)
		},
	}
}

// currentToken returns the token for the current address. For the built-in mock
// that is the token of its first reseller.
func currentToken(ctx context.Context, f *cli.Factory) (string, error) {
	t, err := findTarget(f)
	if err != nil {
		return "", err
	}
	if !t.address.BuiltInMock {
		tokens, err := f.Tokens()
		if err != nil {
			return "", err
		}
		return tokens.Token(ctx)
	}
	path, err := f.MockPath()
	if err != nil {
		return "", err
	}
	service, err := mock.Open(mock.Options{Path: path})
	if err != nil {
		return "", err
	}
	return service.Token(1)
}
