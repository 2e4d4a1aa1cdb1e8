package accounts

import (
	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type getOptions struct {
	version version
	ids     []int64
}

func newGetCmd(f *cli.Factory, runF func(*getOptions) error) *cobra.Command {
	o := &getOptions{}
	c := &cobra.Command{
		Use:   "get ACCOUNT_ID...",
		Short: "Show accounts",
		Long: "Show one account, or several as a list. Of several, those found are shown; the exit code is 5 when\n" +
			"none is, and 3 when some are not.",
		Example: "reseller accounts get 1 --server mock\n" +
			"reseller accounts get 1 2 3 --server mock -o json\n" +
			"reseller accounts get 1 --server mock --jq .website_url",
		Args: cli.MinArgs(1, "an ACCOUNT_ID"),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.ids, err = cli.IDs("ACCOUNT_ID", args); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			op := o.version.pick(&schema.OpAccountsV1Get, &schema.OpAccountsV2Get)
			return resource.Get(c.Context(), f, o.ids, func(id int64) client.Call { return client.Call{Op: op}.WithID("account_id", id) })
		},
	}
	c.Flags().SortFlags = false
	o.version.addTo(c)
	return f.SetCompletionResource(c, &schema.AccountsV2)
}
