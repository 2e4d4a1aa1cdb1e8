// Package campaigns has the commands on campaigns and their notes.
package campaigns

import (
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

var listCmd = resource.ListCmd{
	Short: "List campaigns",
	Long: "List the campaigns of the reseller, each with the account it belongs to. The service returns all of them;\n" +
		"--account filters the list on this machine.",
	Examples: []string{
		"reseller campaigns list --server mock",
		"reseller campaigns list --server mock --account 1 -o json",
		"reseller campaigns list --server mock -o csv --columns account_id,campaign_id,campaign_name",
	},
	Op:      func() *schema.Operation { return &schema.OpCampaignsList },
	Filters: []resource.Filter{{Flag: "account", Usage: "only campaigns of the account with this `ID` or name"}},
}

var New = cli.Group("campaigns", "List campaigns and update their notes", cli.Commands{
	"list":  listCmd.Command,
	"notes": cli.Group("notes", "Show and update the notes of a campaign", cli.Commands{"get": newNotesGetCmd, "update": newNotesUpdateCmd}),
})
