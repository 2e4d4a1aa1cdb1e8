package campaigns

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type notesUpdateOptions struct {
	id     []int64
	fields *resource.FieldFlags
	texts  textFiles
	file   bulkcmd.FileFlags
}

func newNotesUpdateCmd(f *cli.Factory, runF func(*notesUpdateOptions) error) *cobra.Command {
	o := &notesUpdateOptions{}
	c := &cobra.Command{
		Use:   "update [CAMPAIGN_ID]",
		Short: "Change the notes of a campaign",
		Long: "Change the notes of a campaign. The service takes both texts in one call, so the one left out is read first\n" +
			"and keeps its present text; \"\" empties a text. A text may come from a file, or from stdin with -; one line\n" +
			"end at its end is dropped.",
		Example: "reseller campaigns notes update 101 --server mock --writer-instructions 'Friendly, no slang.'\n" +
			"printf 'Call before publishing.\\n' | reseller campaigns notes update 101 --server mock --additional-instructions-file -\n" +
			"reseller campaigns notes update 101 --server mock --writer-instructions 'Be brief.' --additional-instructions '' --dry-run",
		Args: cli.MaxArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.id, err = cli.IDs("CAMPAIGN_ID", args); err != nil {
				return err
			}
			if err := o.texts.check(c); err != nil {
				return err
			}
			if len(o.id) > 0 && o.file.Given() {
				return cli.Usagef("CAMPAIGN_ID and --file can't be given together")
			}
			if runF != nil {
				return runF(o)
			}
			return runNotesUpdate(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	o.fields = resource.AddFieldFlags(c, schema.Update, &schema.Notes)
	o.texts.addTo(c)
	o.file.AddTo(c, f)
	o.file.AddUpdateFlags(c)
	return f.SetCompletionResource(c, &schema.Notes)
}

func runNotesUpdate(ctx context.Context, f *cli.Factory, o *notesUpdateOptions) error {
	values, err := o.fields.Values(f, &schema.Notes, schema.Update, false)
	if err != nil {
		return err
	}
	if err := o.texts.read(ctx, f.In, values); err != nil {
		return err
	}
	if o.file.Given() {
		return loadNotes(ctx, f, &o.file, values)
	}
	if err := chooseCampaign(o.id, values); err != nil {
		return err
	}
	if len(values) == 1 {
		return &cli.UsageError{
			Message: "nothing to change: neither --writer-instructions nor --additional-instructions was given",
			Hint:    "`reseller campaigns notes update --help` shows the flags",
		}
	}
	id, ok := values["campaign_id"].Int64()
	if !ok {
		return cli.Usagef("--campaign: %q is not a whole number", values["campaign_id"].Text())
	}
	if err := keepOther(ctx, f, id, values); err != nil {
		return err
	}
	return resource.Send(ctx, f, resource.Write{
		Call: client.Call{Op: &schema.OpNotesUpdate, Body: schema.Notes.Body(values)},
		ReadBack: func(ctx context.Context) (resource.Presence, record.Record, error) {
			return findNotes(ctx, f, id, values)
		},
	})
}

// chooseCampaign takes the id from the argument, else from the flag.
func chooseCampaign(args []int64, values schema.Values) error {
	given := values["campaign_id"]
	switch {
	case len(args) == 0 && given == nil:
		return &cli.UsageError{Message: "missing: CAMPAIGN_ID", Hint: "`reseller campaigns list` shows the ids"}
	case len(args) > 0 && given != nil && given.Text() != cli.IDText(args[0]):
		return cli.Usagef("CAMPAIGN_ID %d and --campaign %s name two campaigns", args[0], given.Text())
	case len(args) > 0:
		values["campaign_id"] = record.Value(cli.IDText(args[0]))
	}
	return nil
}

// texts are the fields of the notes that an update carries beside the id.
func texts() []schema.Field { return schema.Notes.For(schema.Update).Without("campaign_id").Fields }

// whole reports whether values have all that an update must carry.
func whole(values schema.Values) bool {
	return !slices.ContainsFunc(schema.Notes.Having(schema.Key), func(f *schema.Field) bool { return values[f.Name] == nil })
}

const giveBoth = "give both --writer-instructions and --additional-instructions"

// keepOther puts the present text in the place of the one that was left out.
func keepOther(ctx context.Context, f *cli.Factory, id int64, values schema.Values) error {
	if whole(values) {
		return nil
	}
	rec, err := resource.One(ctx, f, client.NotesCall(id))
	if err != nil {
		return resource.ReadBeforeUpdateError(err, giveBoth)
	}
	return keep(rec, id, values)
}

// keep puts the text that a record holds in the place of the one that was left
// out.
func keep(rec record.Record, id int64, values schema.Values) error {
	for _, f := range texts() {
		name := f.Name
		if values[name] != nil || !f.Has(schema.Key) {
			continue
		}
		switch held := rec.Get(name); held.Kind() {
		case record.String:
			values[name] = held // as it came, to the last escape
		case record.Null:
			values[name] = record.Value(`""`)
		case record.Number, record.Bool:
			values[name] = record.Quote(held.Text())
		default:
			return cli.Usagef("the service does not show the %s of campaign %d, which would be lost: %s", name, id, giveBoth)
		}
	}
	return nil
}

// findNotes reads back whether the notes are what an update without an answer
// had sent.
func findNotes(ctx context.Context, f *cli.Factory, id int64, sent schema.Values) (resource.Presence, record.Record, error) {
	rec, err := resource.One(ctx, f, client.NotesCall(id))
	if err != nil {
		return resource.Ambiguous, record.Record{}, err
	}
	for _, f := range texts() {
		want, held := sent[f.Name], rec.Get(f.Name)
		if want == nil {
			continue
		}
		if held == nil {
			return resource.Ambiguous, record.Record{}, nil
		}
		if held.Text() != want.Text() {
			return resource.Absent, record.Record{}, nil
		}
	}
	return resource.Present, rec, nil
}
