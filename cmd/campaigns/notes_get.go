package campaigns

import (
	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

func newNotesGetCmd(f *cli.Frame) *cobra.Command {
	c := &cobra.Command{
		Use:   "get CAMPAIGN_ID",
		Short: "Show the notes of a campaign",
		Long:  "Show the notes of a campaign: the instructions for its writers, and additional instructions.",
		Example: "reseller campaigns notes get 101 --server mock\n" +
			"reseller campaigns notes get 101 --server mock --jq .writer_instructions",
		RunE: func(c *cobra.Command, args []string) error {
			finder := lookup.New(f.Session)
			ids, err := finder.Campaigns(c.Context(), "CAMPAIGN_ID", nil, args...)
			if err != nil {
				return err
			}
			return resource.PrintByID(c.Context(), f, finder, lookup.Campaign, ids, &schema.Notes, client.NotesCall, func(id int64, rec record.Record) (record.Record, error) {
				if rec.Len() == 0 {
					return rec, client.NotesCall(id).NoRecord("campaign_id", id)
				}
				return rec, nil
			})
		},
	}
	return f.SetCompletionResource(f.Prompt.Arguments(c, lookup.PickCampaign(f.Session)), &schema.Notes)
}
