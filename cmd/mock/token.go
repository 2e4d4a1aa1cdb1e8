package mock

import (
	"github.com/spf13/cobra"

	"reseller/client/mock"
	"reseller/cmd/cli"
)

func newTokenCmd(f *cli.Frame) *cobra.Command {
	var db string
	var reseller int
	c := &cobra.Command{
		Use:   "token",
		Short: "Print a token for the mock service",
		Long: `Print a new token for ` + "`reseller mock serve`" + ` on one line. It is valid for 60 minutes, on every mock, and belongs
to one of the two resellers. Commands with --server mock need no token.`,
		Example: `reseller mock token
reseller mock token --reseller 2`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if reseller != 1 && reseller != 2 {
				return cli.Usagef("--reseller: the mock has resellers 1 and 2, not %d", reseller)
			}
			path, err := f.MockPath(db)
			if err != nil {
				return err
			}
			service, err := mock.Open(mock.Options{Path: path})
			if err != nil {
				return err
			}
			token, err := service.Token(reseller)
			if err != nil {
				return err
			}
			return f.Output.SecretLine(token)
		},
	}
	c.Flags().IntVar(&reseller, "reseller", 1, "reseller that the token belongs to: 1 or 2 (default 1)")
	cli.Offer(c, "reseller", "1", "2")
	addDatabaseFlag(c, &db)
	return c
}
