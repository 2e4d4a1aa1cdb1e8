package campaigns

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

type notesUpdateOptions struct {
	id     []int64
	fields *resource.FieldFlags
	texts  textFiles
	file   bulkcmd.FileFlags
}

func newNotesUpdateCmd(f *cli.Frame) *cobra.Command {
	o := &notesUpdateOptions{}
	c := &cobra.Command{
		Use:   "update [CAMPAIGN_ID]",
		Short: "Update the notes of a campaign",
		Long: "Update the notes of a campaign. The service requires both texts, so the one that is not given is read first and keeps\n" +
			"its value; \"\" clears a text. A text can be read from a file, or from stdin with -; a trailing newline is dropped.\n" +
			"With --file, rows are compared with the notes of the service, and only those that differ are sent.\n" +
			"An interrupted load goes on with the same command, on another machine too.",
		Example: "reseller campaigns notes update 101 --server mock --writer-instructions Brief.\n" +
			"printf 'Call before publishing.\\n' | reseller campaigns notes update 101 --server mock --additional-instructions-file -",
		Args: cli.Args(1),
		RunE: func(c *cobra.Command, args []string) error {
			err := o.texts.check(c)
			if err != nil {
				return err
			}
			o.fields.Names = lookup.ForWrite(f.Session)
			if o.id, err = o.fields.Names.Campaigns(c.Context(), "CAMPAIGN_ID", nil, args...); err != nil {
				return err
			}
			return runNotesUpdate(c, f, o)
		},
	}
	o.fields = resource.AddFieldFlags(c, schema.Update, &schema.Notes)
	o.texts.addTo(c)
	o.file.AddTo(c, f.Session)
	o.file.AddUpdateFlags(c)
	return f.SetCompletionResource(c, &schema.Notes)
}

func runNotesUpdate(c *cobra.Command, f *cli.Frame, o *notesUpdateOptions) error {
	ctx := c.Context()
	values, err := o.fields.Values(ctx, f.Session, &schema.Notes, schema.Update)
	if err != nil {
		return err
	}
	if err := o.texts.read(c, f.Session, values); err != nil {
		return err
	}
	if o.file.Given() {
		options := loads.UpdateOptions{SendUnchanged: o.file.SendAll}
		return bulkcmd.Run(ctx, f, &o.file, bulkcmd.Command{
			New: func(c *client.Client) loads.Load { return loads.Notes(c, options) }, Constants: values,
		})
	}
	ids, err := resource.Targets(c, f, o.fields.Names, &schema.Notes, lookup.PickCampaign(f.Session), "`reseller campaigns list` shows the ids", o.id, values, loads.ReadNotes)
	if err != nil {
		return err
	}
	id := ids[0]
	err = resource.Complete(f.Session, &schema.Notes, values, fmt.Sprintf("campaign %d", id), "give both --writer-instructions and --additional-instructions", func(c *client.Client) (record.Record, error) {
		return loads.ReadNotes(ctx, c, id)
	})
	if err != nil {
		return o.fields.Names.NotFound(ctx, err)
	}
	call := client.Call{Op: &schema.OpNotesUpdate, Body: schema.Notes.Body(values), Subject: []string{values["campaign_id"].Text()}}
	return resource.Send(ctx, f.Session, f.Output, resource.Write{
		Call: call, Names: o.fields.Names, Rows: []schema.Values{values}, Load: loads.Notes(nil, loads.UpdateOptions{}),
		Check: func(response *client.Response) error {
			others, code := phrase.Each(loads.OtherNotes(call, response), func(other bulk.Change) string { return other.Field }), cli.ExitPartial
			switch len(others) {
			case 0:
				return nil
			case len(loads.NoteFields()):
				code = cli.ExitFailed
			}
			return &cli.ExitError{
				Code: code, Err: fmt.Errorf("%s: the response shows other %s than those that were sent", call.Action(), strings.Join(others, " and ")),
				Hint: fmt.Sprintf("`reseller campaigns notes get %d` shows what the service holds", id),
			}
		},
		ReadBack: func(ctx context.Context, c *client.Client) (bulk.Outcome, error) {
			return loads.FindChanges(ctx, &schema.Notes, func(ctx context.Context, id int64) (record.Record, error) { return loads.ReadNotes(ctx, c, id) }, values)
		},
	})
}
