package auth

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
)

func newStatusCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "status",
		Short: "Show where the token comes from and when it expires",
		Long: `Show where the token for the address in force comes from, whom it speaks for and when it expires, in UTC
and by this machine's clock. The token itself is never shown, and the service is asked for nothing. The
exit code is 4 where there is no token.`,
		Example: `reseller auth status --server mock
reseller auth status --server mock -o json
reseller auth status --server mock --jq .source`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return status(c.Context(), f)
		},
	}
	c.Flags().SortFlags = false
	return c
}

// A tokenStatus is what may be told of a token. What is not known is null.
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

func status(ctx context.Context, f *cli.Factory) error {
	p, err := find(f)
	if err != nil {
		return err
	}
	s := tokenStatus{Profile: p.settings.Profile()}
	if p.address.Embedded {
		s.Source, s.Renewable = "the mock inside the command, which needs no login", true
		own, err := token(ctx, f)
		if err != nil {
			return err
		}
		claims := config.ReadClaims(own)
		s.Subject, s.Expires = known(claims.Subject), known(claims.Expires.UTC().Format(time.RFC3339))
		return f.PrintRecords(ctx, true, statusColumns, cli.RecordOf(s))
	}
	tokens, err := f.Tokens()
	if err != nil {
		return err
	}
	d, err := tokens.Describe(ctx)
	if err != nil {
		return err
	}
	s.Address, s.Source, s.Subject = &p.address.URL, d.From, known(d.Claims.Subject)
	s.Expired, s.Renewable = d.Expired, d.Renewable
	if !d.Expires.IsZero() {
		s.Expires = known(d.Expires.UTC().Format(time.RFC3339))
	}
	if err := f.PrintRecords(ctx, true, statusColumns, cli.RecordOf(s)); err != nil {
		return err
	}
	if s.Expired && !s.Renewable {
		f.Note("the token looks expired; `reseller auth login` keeps another")
	}
	return nil
}

func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
