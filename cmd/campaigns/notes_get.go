package campaigns

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/ask"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

type notesGetOptions struct{ id int64 }

func newNotesGetCmd(f *cli.Factory, runF func(*notesGetOptions) error) *cobra.Command {
	o := &notesGetOptions{}
	c := &cobra.Command{
		Use:   "get CAMPAIGN_ID",
		Short: "Show the notes of a campaign",
		Long:  "Show the notes of a campaign: the instructions for its writers, and additional instructions.",
		Example: "reseller campaigns notes get 101 --server mock\n" +
			"reseller campaigns notes get 101 --server mock --jq .writer_instructions",
		RunE: func(c *cobra.Command, args []string) error {
			ids, err := lookup.New(f).Campaigns(c.Context(), "CAMPAIGN_ID", nil, args...)
			if err != nil {
				return err
			}
			o.id = ids[0]
			if runF != nil {
				return runF(o)
			}
			return resource.PrintEach(c.Context(), f, &fanout.FanOut{Calls: 1}, cli.Shape(&schema.Notes, true), func(ctx context.Context, _ int, raw io.Writer) (record.Record, error) {
				call := client.NotesCall(o.id)
				call.CopyTo = raw
				rec, err := resource.One(ctx, f, call)
				if err == nil && rec.Len() == 0 {
					err = call.NoRecord("campaign_id", o.id)
				}
				return rec, err
			})
		},
	}
	c.Flags().SortFlags = false
	return f.SetCompletionResource(ask.Arguments(f, c, ask.Campaign(f)), &schema.Notes)
}
