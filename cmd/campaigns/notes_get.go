package campaigns

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

func newNotesGetCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "get CAMPAIGN_ID",
		Short: "Show the notes of a campaign",
		Long:  "Show the notes of a campaign: the instructions for its writers, and additional instructions.",
		Example: "reseller campaigns notes get 101 --server mock\n" +
			"reseller campaigns notes get 101 --server mock --jq .writer_instructions",
		RunE: func(c *cobra.Command, args []string) error {
			finder := lookup.New(f)
			ids, err := finder.Campaigns(c.Context(), "CAMPAIGN_ID", nil, args...)
			if err != nil {
				return err
			}
			return resource.PrintEach(c.Context(), f, &fanout.FanOut{Calls: 1}, cli.Shape(&schema.Notes, true), func(ctx context.Context, _ int, raw io.Writer) (rec record.Record, err error) {
				err = finder.Read(ctx, lookup.Campaign, ids[0], func(id int64) (err error) {
					call := client.NotesCall(id)
					call.CopyTo = raw
					if rec, err = resource.One(ctx, f, call); err == nil && rec.Len() == 0 {
						err = call.NoRecord("campaign_id", id)
					}
					return err
				})
				return rec, err
			})
		},
	}
	return f.SetCompletionResource(f.Arguments(c, lookup.PickCampaign(f)), &schema.Notes)
}
