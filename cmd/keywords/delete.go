package keywords

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
)

type deleteOptions struct {
	ids    []int64
	finder *lookup.Finder
	isText bool // the keywords are named by their texts
	file   bulkcmd.FileFlags
}

func newDeleteCmd(f *cli.Frame) *cobra.Command {
	o := &deleteOptions{}
	c := &cobra.Command{
		Use:   "delete [RANK_ID...]",
		Short: "Delete keywords",
		Long: "Delete keywords, after a confirmation. The service deactivates them: they stay in the list with status 0, and\n" +
			"`reseller keywords update --status activate` brings them back.\n\n" + textHelp + "\n\n" +
			"With --file, keywords that are deactivated already are counted as present and skipped. The file needs only the column\n" +
			"rank_id, or an id in each line; what `reseller keywords list` prints is accepted as it is. A row whose\n" +
			"keyword, account_id or campaign_id is not that of its rank_id is invalid.\n" +
			"An interrupted load goes on with the same command, on another machine too.",
		Example: "reseller keywords delete 1001 1002 --server mock --yes\n" +
			"reseller keywords delete --campaign 101 'dentist portland' --server mock --yes\n" +
			"reseller keywords list --server mock --campaign 101 -o ids | reseller keywords delete --server mock --file - --yes",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && !o.file.Given() {
				return &cli.UsageError{Message: "missing: RANK_ID", Hint: "give the ids of keywords, or --file"}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			o.finder, o.isText = lookup.ForWrite(f.Session), c.Flags().Changed("account") || c.Flags().Changed("campaign")
			if o.ids, err = find(c, f.Session, o.finder, args); err != nil {
				return err
			}
			return runDelete(c.Context(), f, o)
		},
	}
	addTextFlags(c)
	o.file.AddTo(c, f.Session)
	o.file.Check = func() error { return checkTextFlags(c, o.file.Given()) }
	o.file.AddNoSkipExisting(c)
	return f.SetCompletionResource(f.Prompt.Arguments(c, pick(f.Session, c)), &schema.KeywordsUpdated)
}

func runDelete(ctx context.Context, f *cli.Frame, o *deleteOptions) error {
	if o.file.Given() {
		l := bulkcmd.Command{
			New:  loads.KeywordDeletes,
			Verb: "Delete", IDField: "rank_id", NeedsConfirm: func(rows.Row) bool { return true },
			Name: func(ctx context.Context, ids []int64) string { return lookup.New(f.Session).Keywords(ctx, ids...) },
		}
		o.file.RefuseFound(f.Session, f.Outcome, &l)
		return bulkcmd.Run(ctx, f, &o.file, l)
	}
	ids, changes := make([]record.Value, len(o.ids)), make([]schema.Values, len(o.ids))
	for i, id := range o.ids {
		ids[i] = record.Integer(id)
		changes[i] = schema.Values{"rank_id": ids[i], "status": record.Quote("deactivate")}
	}
	question := "Delete keyword " + joinIDs(changes)
	tells, asks := o.finder, !f.Flags.Yes && !f.Flags.DryRun
	if asks && (o.isText || f.Confirms()) {
		tells = nil // the question has told what is deleted
		question = "Delete " + named(ctx, o.finder, o.ids)
	}
	if err := f.Prompt.ConfirmWrite(question); err != nil {
		return err
	}
	return send(ctx, f, tells, loads.KeywordDeleteCall(ids), changes, true)
}

func named(ctx context.Context, finder *lookup.Finder, ids []int64) string {
	words := finder.Keywords(ctx, ids...)
	if len(ids) == 1 {
		return "keyword " + strings.TrimPrefix(words, "keyword ")
	}
	return phrase.Count(len(ids), "keyword", "keywords") + ": " + words
}
