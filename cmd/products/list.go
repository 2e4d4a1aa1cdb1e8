// Package products has the commands on the service plans of campaigns.
package products

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

func planOwner() *schema.Resource { return schema.Plans.Only("account_id", "campaign_id") }

func newListCmd(f *cli.Frame) *cobra.Command {
	var fields *resource.FieldFlags
	c := &cobra.Command{
		Use:   "list",
		Short: "List the service plans of a campaign",
		Long:  "List the service plans of a campaign with their prices and, if the service reports it, the date they were attached.",
		Example: "reseller products plans list --server mock --account 1 --campaign 101\n" +
			"reseller products plans list --server mock --account 1 --campaign 101 -o json",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runList(c.Context(), f, fields) },
	}
	fields = resource.AddFieldFlags(c, schema.Create, planOwner())
	f.Flags.AddSelection(c)
	return f.SetCompletionResource(c, &schema.Plans)
}

func runList(ctx context.Context, f *cli.Frame, fields *resource.FieldFlags) error {
	owner := planOwner()
	fields.Names = lookup.New(f.Session)
	values, err := fields.Values(ctx, f.Session, owner, schema.Create)
	if err != nil {
		return err
	}
	if err := resource.FillRequired(ctx, f.Session, f.Prompt, &schema.OpPlansList, owner, values, nil); err != nil {
		return err
	}
	account, _ := values["account_id"].Int64()
	campaign, _ := values["campaign_id"].Int64()
	return fields.Names.Read(ctx, lookup.Account, account, func(account int64) error {
		return resource.List(ctx, f.Session, f.Output, client.PlansCall(account, campaign))
	})
}

var New = cli.Group("products", "Manage the service plans of campaigns", cli.Commands{
	"plans": cli.Group("plans", "List and attach service plans", cli.Commands{"attach": newAttachCmd, "list": newListCmd}),
})
