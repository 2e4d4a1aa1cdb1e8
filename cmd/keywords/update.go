package keywords

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

type updateOptions struct {
	ids    []int64
	fields *resource.FieldFlags
	file   bulkcmd.FileFlags
}

func newUpdateCmd(f *cli.Frame) *cobra.Command {
	o := &updateOptions{}
	c := &cobra.Command{
		Use:   "update [RANK_ID...]",
		Short: "Change the status or the type of keywords",
		Long: "Update the status or the type of keywords. The service requires both, so the one that is not given is read first and\n" +
			"keeps its value. With --file, rows are compared with the keywords of the service, and only changed rows are sent.\n" +
			"A row whose keyword, account_id or campaign_id is not that of its rank_id is invalid.\n" +
			"An interrupted load goes on with the same command, on another machine too.\n\n" + textHelp,
		Example: "reseller keywords update 1001 1002 --server mock --status deactivate\n" +
			"reseller keywords update --campaign 101 'dentist portland' --server mock --type interest\n" +
			"reseller keywords update 1001 --server mock --status activate --type interest\n" +
			"reseller keywords list --server mock -o csv | reseller keywords update --server mock --file -",
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			o.fields.Names = lookup.ForWrite(f.Session)
			if o.ids, err = find(c, f.Session, o.fields.Names, args); err != nil {
				return err
			}
			return runUpdate(c, f, o)
		},
	}
	o.fields = resource.AddFieldFlags(c, schema.Update, schema.Keywords.Without("rank_id"))
	addTextFlags(c)
	o.file.AddTo(c, f.Session)
	o.file.Check = func() error { return checkTextFlags(c, o.file.Given()) }
	o.file.AddUpdateFlags(c)
	return f.SetCompletionResource(c, &schema.KeywordsUpdated)
}

func runUpdate(c *cobra.Command, f *cli.Frame, o *updateOptions) error {
	ctx := c.Context()
	values, err := o.fields.Values(ctx, f.Session, &schema.Keywords, schema.Update)
	if err != nil {
		return err
	}
	if o.file.Given() {
		return loadUpdates(ctx, f, o, values)
	}
	if o.ids, err = resource.Targets(c, f, o.fields.Names, &schema.Keywords, pick(f.Session, c), "give the ids of keywords, or --file", o.ids, values, readOne); err != nil {
		return err
	}
	list, absent, err := completeAll(ctx, f.Session, o.fields.Names, o.ids, values)
	if err != nil || len(list) == 0 {
		return errors.Join(err, fanout.AggregateErrors(len(o.ids), absent))
	}
	err = send(ctx, f, o.fields.Names, loads.KeywordUpdateCall(list), list, false)
	var refusal *client.Error
	switch {
	case err == nil:
		err = fanout.AggregateErrors(len(o.ids), absent)
	case len(absent) > 0 && errors.As(err, &refusal) && cli.ExitCode(err) != cli.ExitPartial:
		err = &cli.ExitError{Code: cli.JointExitCode(2, cli.ExitNotFound, cli.ExitCode(err)), Err: err, Hint: cli.Hint(err)}
	}
	return err
}

func readOne(ctx context.Context, c *client.Client, id int64) (record.Record, error) {
	return c.Record(ctx, client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", id))
}

// completeAll returns the complete changes of the keywords: values that are not given are
// read from the service. If there are several keywords, one that does not exist is reported and the others continue.
func completeAll(ctx context.Context, session *cli.Session, finder *lookup.Finder, ids []int64, values schema.Values) (list []schema.Values, absent []error, err error) {
	finder.ReadKeywords = map[int64]record.Record{}
	for _, id := range ids {
		change := maps.Clone(values)
		change["rank_id"] = record.Integer(id)
		err := resource.Complete(session, &schema.Keywords, change, fmt.Sprintf("keyword %d", id), "give both --status and --type", func(c *client.Client) (record.Record, error) {
			rec, err := readOne(ctx, c, id)
			if err == nil {
				finder.ReadKeywords[id] = rec
			}
			return rec, err
		})
		switch {
		case err == nil:
			list = append(list, change)
		case errors.Is(err, client.ErrNotFound) && len(ids) > 1:
			session.ReportFailure(err)
			absent = append(absent, err)
		default:
			return nil, nil, err
		}
	}
	return list, absent, nil
}

// send makes the call of some changes. With deletes, a keyword that does not exist is as its change says. names tells what is changed.
func send(ctx context.Context, f *cli.Frame, names *lookup.Finder, call client.Call, changes []schema.Values, deletes bool) error {
	return resource.Send(ctx, f.Session, f.Output, resource.Write{
		Call: call, Names: names, Rows: changes, Load: loads.KeywordUpdates(nil, loads.UpdateOptions{}),
		ReadBack: func(ctx context.Context, c *client.Client) (bulk.Outcome, error) {
			return loads.FindKeywordUpdates(ctx, c, changes, deletes)
		},
		Check: func(response *client.Response) error { return checkItems(call, response, changes) },
	})
}

// checkItems returns the error of the keywords that failed, although the call succeeded,
// or whose outcome the response does not report.
func checkItems(call client.Call, response *client.Response, changes []schema.Values) error {
	items, err := client.KeywordItems(call, response)
	if err != nil || len(items) == 0 {
		return err
	}
	reported, doubts := map[string]bool{}, []string{}
	for _, item := range items {
		if reported[strconv.FormatInt(int64(item.RankID), 10)] = item.StatusCode != 0; item.ContradictsItself() {
			doubts = append(doubts, fmt.Sprintf("says %d and %s of rank_id %d", item.StatusCode, safetext.Quote(string(item.StatusMessage)), item.RankID))
		}
	}
	missing := slices.DeleteFunc(slices.Clone(changes), func(change schema.Values) bool { return reported[change["rank_id"].Text()] })
	if len(missing) > 0 {
		doubts = append(doubts, "does not report the outcome of rank_id "+joinIDs(missing))
	}
	if len(doubts) == 0 {
		return nil
	}
	return &resource.UnreportedError{Response: strings.Join(doubts, ", and ")}
}

func joinIDs(changes []schema.Values) string {
	return strings.Join(phrase.Each(changes, func(change schema.Values) string { return change["rank_id"].Text() }), ", ")
}

func loadUpdates(ctx context.Context, f *cli.Frame, o *updateOptions, constants schema.Values) error {
	options := loads.UpdateOptions{SendUnchanged: o.file.SendAll, OnReadOnly: o.file.OnReadOnly(f.Session, func(string) string { return "the service sets it" })}
	l := bulkcmd.Command{New: func(c *client.Client) loads.Load { return loads.KeywordUpdates(c, options) }, Constants: constants}
	o.file.RefuseFound(f.Session, f.Outcome, &l)
	return bulkcmd.Run(ctx, f, &o.file, l)
}
