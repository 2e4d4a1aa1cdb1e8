package campaigns

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type listOptions struct {
	account []int64 // none or one
}

func newListCmd(f *cli.Factory, runF func(*listOptions) error) *cobra.Command {
	o := &listOptions{}
	account := ""
	c := &cobra.Command{
		Use:   "list",
		Short: "List the campaigns of the reseller",
		Long: "List all campaigns of the reseller, each with the account it belongs to. The service gives them all;\n" +
			"--account filters on this side.",
		Example: "reseller campaigns list --server mock\n" +
			"reseller campaigns list --server mock --account 1 -o json\n" +
			"reseller campaigns list --server mock -o csv --columns account_id,campaign_id,campaign_name",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("account") {
				var err error
				if o.account, err = cli.IDs("--account", []string{account}); err != nil {
					return err
				}
			}
			if runF != nil {
				return runF(o)
			}
			return runList(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&account, "account", "", "only campaigns of this account")
	return f.SetCompletionResource(c, &schema.Campaigns)
}

func runList(ctx context.Context, f *cli.Factory, o *listOptions) error {
	var keep resource.Predicate
	if len(o.account) > 0 {
		keep = func(rec record.Record) bool {
			id, ok := rec.Get("account_id").Int64()
			return ok && id == o.account[0]
		}
	}
	return resource.List(ctx, f, client.Call{Op: &schema.OpCampaignsList}, keep)
}
