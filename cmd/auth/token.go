package auth

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client/mock"
	"reseller/cmd/cli"
)

func newTokenCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "token",
		Short: "Print the token for the address in force",
		Long: `Print the token that commands use for the address in force, on one line, for other programs. An expired
token is renewed first where that can be. Take care where it goes: whoever has it speaks for you. With
curl: curl -H "Authorization: Bearer $(reseller auth token)" URL`,
		Example: `reseller auth token --server mock
reseller auth token --server mock --output-file token.txt`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := token(c.Context(), f)
			if err != nil {
				return err
			}
			return f.SecretLine(text)
		},
	}
	c.Flags().SortFlags = false
	return c
}

func token(ctx context.Context, f *cli.Factory) (string, error) {
	p, err := find(f)
	if err != nil {
		return "", err
	}
	if !p.address.Embedded {
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
	service, err := mock.New(mock.Options{Path: path})
	if err != nil {
		return "", err
	}
	return service.Token(1)
}
