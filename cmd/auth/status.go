package auth

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config/token"
)

func newStatusCmd(f *cli.Frame) *cobra.Command {
	return f.SetPrinted(&cobra.Command{
		Use:   "status",
		Short: "Show where the token comes from and when it expires",
		Long: `Show where the token for the current address comes from, its subject (the user) and when it expires, in
UTC. The clock of this machine decides whether it is expired. The token itself is never shown, and the
service is not called. The exit code is 4 if there is no token.`,
		Example: `reseller auth status --server mock
reseller auth status --server mock -o json
reseller auth status --server mock --jq .source`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return status(c.Context(), f.Session, f.Output) },
	}, tokenStatus{})
}

// A tokenStatus is the part of a token that may be shown. Unknown values are null.
type tokenStatus struct {
	Address   *string `json:"address"`
	Profile   string  `json:"profile"`
	Source    string  `json:"source"`
	Subject   *string `json:"subject"`
	Expires   *string `json:"expires"`
	Expired   bool    `json:"expired"`
	Renewable bool    `json:"renewable"`
}

var statusColumns = []string{"address", "profile", "source", "subject", "expires", "expired", "renewable"}

func status(ctx context.Context, session *cli.Session, to *cli.Output) error {
	t, err := findTarget(session)
	if err != nil {
		return err
	}
	d := token.Description{From: "the built-in mock, which needs no login", Renewable: true}
	if t.address.BuiltInMock {
		text, err := session.Token(ctx)
		if err != nil {
			return err
		}
		d.Claims = token.ParseClaims(text)
		d.Expires = d.Claims.Expires
	} else {
		tokens, err := session.Tokens()
		if err != nil {
			return err
		}
		if d, err = tokens.Describe(ctx); err != nil {
			return err
		}
	}
	s := tokenStatus{
		Address: cli.OrNull(t.address.URL), Profile: t.settings.Profile(), Source: d.From, Subject: cli.OrNull(d.Claims.Subject),
		Expired: d.Expired, Renewable: d.Renewable,
	}
	if !d.Expires.IsZero() {
		s.Expires = cli.OrNull(d.Expires.UTC().Format(time.RFC3339))
	}
	if err := to.PrintRecords(ctx, "", true, statusColumns, cli.RecordOf(s)); err != nil {
		return err
	}
	if s.Expired && !s.Renewable {
		session.Note("the token looks expired; to store another one, run `reseller auth login`")
	}
	return nil
}

func newTokenCmd(f *cli.Frame) *cobra.Command {
	return &cobra.Command{
		Use:   "token",
		Short: "Print the token for the current address",
		Long: `Print the token that commands use for the current address, on one line, for use in other programs. An
expired token is renewed first if possible. Keep the token safe: anyone who has it can act in your name.
With curl: curl -H "Authorization: Bearer $(reseller auth token)" URL`,
		Example: `reseller auth token --server mock
reseller auth token --server mock --output-file token.txt`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := f.Token(c.Context())
			if err != nil {
				return err
			}
			return f.Output.SecretLine(text)
		},
	}
}
