package accounts

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type listOptions struct {
	version version
	status  string
}

func newListCmd(f *cli.Factory, runF func(*listOptions) error) *cobra.Command {
	o := &listOptions{}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the accounts of the reseller",
		Long: "List all accounts of the reseller, as the service has them now. --status filters on this side.\n" +
			"What this writes as csv, `accounts update --file` takes back.",
		Example: "reseller accounts list --server mock\n" +
			"reseller accounts list --server mock --status active -o csv --columns account_id,account_name\n" +
			"reseller accounts list --server mock --jq '.[].email'",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("status") && o.status != "active" && o.status != "deactivated" {
				return cli.Usagef("--status: %q is neither active nor deactivated", o.status)
			}
			if runF != nil {
				return runF(o)
			}
			return runList(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.status, "status", "", "only accounts that are active or deactivated")
	_ = c.RegisterFlagCompletionFunc("status", cobra.FixedCompletions([]string{"active", "deactivated"}, cobra.ShellCompDirectiveNoFileComp))
	o.version.addTo(c)
	return f.SetCompletionResource(c, &schema.AccountsV2)
}

func runList(ctx context.Context, f *cli.Factory, o *listOptions) error {
	var keep resource.Predicate
	if o.status != "" {
		keep = func(rec record.Record) bool { return loads.AccountStatus(rec) == o.status }
	}
	return resource.List(ctx, f, client.Call{Op: o.version.pick(&schema.OpAccountsV1List, &schema.OpAccountsV2List)}, keep)
}
