package keywords

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/resource"
)

type updateOptions struct {
	ids    []int64
	fields *resource.FieldFlags
	file   bulkcmd.FileFlags
}

func newUpdateCmd(f *cli.Factory, runF func(*updateOptions) error) *cobra.Command {
	o := &updateOptions{}
	c := &cobra.Command{
		Use:   "update [RANK_ID...]",
		Short: "Activate, deactivate or retype keywords",
		Long: "Change the status or the type of keywords. The service wants both in one call, so the one left out is read\n" +
			"first and keeps its present value. With --file, rows are compared with what the service holds and only\n" +
			"those that differ are sent.",
		Example: "reseller keywords update 1001 1002 --server mock --status deactivate\n" +
			"reseller keywords update 1001 --server mock --status activate --type interest\n" +
			"reseller keywords list --server mock -o csv | reseller keywords update --server mock --file - --input-format csv",
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.ids, err = cli.IDs("RANK_ID", args); err != nil {
				return err
			}
			if len(args) > 0 && o.file.Given() {
				return cli.Usagef("RANK_ID and --file can't be given together")
			}
			if runF != nil {
				return runF(o)
			}
			return runUpdate(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	o.fields = resource.AddFieldFlags(c, schema.Update, &changes)
	o.file.AddTo(c, f)
	o.file.AddUpdateFlags(c)
	return c
}

// changes are the fields of a keyword that an update can change.
var changes = schema.Resource{Name: schema.Keywords.Name, Fields: schema.Keywords.Fields[4:6]}

func runUpdate(ctx context.Context, f *cli.Factory, o *updateOptions) error {
	values, err := o.fields.Values(f, &changes, schema.Update, false)
	if err != nil {
		return err
	}
	if o.file.Given() {
		return loadUpdates(ctx, f, o, values)
	}
	switch {
	case len(o.ids) == 0:
		return &cli.UsageError{Message: "missing: RANK_ID", Hint: "give the ids of keywords, or --file"}
	case len(values) == 0:
		return &cli.UsageError{Message: "nothing to change: neither --status nor --type was given"}
	}
	list, absent, err := completeAll(ctx, f, o.ids, values)
	if err != nil || len(list) == 0 {
		return errors.Join(err, fanout.AggregateErrors(len(o.ids), absent))
	}
	call := changeCall(list)
	err = resource.Send(ctx, f, resource.Write{
		Call:     call,
		ReadBack: func(ctx context.Context) (resource.Presence, record.Record, error) { return findChanged(ctx, f, list) },
		Check: func(answer *client.Answer) error {
			items, err := client.KeywordItems(call, answer)
			if err != nil {
				return resource.PartialError(err, len(o.ids), len(list))
			}
			return untold(items, list)
		},
	})
	if err == nil {
		err = fanout.AggregateErrors(len(o.ids), absent)
	}
	return err
}

// completeAll are the whole changes of the keywords. Of several, one that the
// service does not know is told and the others go on.
func completeAll(ctx context.Context, f *cli.Factory, ids []int64, values schema.Values) (list []client.KeywordChange, absent []error, err error) {
	for _, id := range ids {
		change, err := complete(ctx, f, id, values)
		var refusal *client.Error
		switch {
		case err == nil:
			list = append(list, change)
		case errors.As(err, &refusal) && refusal.HTTPStatus == http.StatusNotFound && len(ids) > 1:
			f.ReportFailure(err)
			absent = append(absent, err)
		default:
			return nil, nil, err
		}
	}
	return list, absent, nil
}

// complete is the whole change of one keyword: what was not given keeps its
// present value.
func complete(ctx context.Context, f *cli.Factory, id int64, values schema.Values) (client.KeywordChange, error) {
	change := client.KeywordChange{RankID: id, Status: values["status"].Text(), KeywordType: values["keyword_type"].Text()}
	if change.Status != "" && change.KeywordType != "" {
		return change, nil
	}
	c, err := f.Client()
	if err != nil {
		return change, err
	}
	rec, err := c.Keyword(ctx, id)
	if err != nil {
		return change, resource.ReadBeforeUpdateError(err, giveBoth)
	}
	return change, keep(&change, rec)
}

const giveBoth = "give both --status and --type"

// keep fills in from the record what a change leaves out.
func keep(change *client.KeywordChange, rec record.Record) error {
	for _, part := range []struct {
		field *schema.Field
		to    *string
		flag  string
	}{
		{changes.Field("status"), &change.Status, "--status"}, {changes.Field("keyword_type"), &change.KeywordType, "--type"},
	} {
		if *part.to != "" {
			continue
		}
		held := rec.Get(part.field.ReadName())
		if held == nil && part.field.ReadAs != "" {
			held = rec.Get(part.field.Name)
		}
		v, err := part.field.FromText(held.Text(), true)
		if err != nil {
			return cli.Usagef("the service does not show the %s of keyword %d, which would be lost: %s", part.field.ReadName(), change.RankID, giveBoth)
		}
		*part.to = v.Text()
	}
	return nil
}

func changeCall(list []client.KeywordChange) client.Call {
	body, _ := json.Marshal(map[string]any{"keywords": list}) // plain structs can't fail
	return client.Call{Op: &schema.OpKeywordsUpdate, Body: body}
}

// untold tells of keywords that an answer with items says nothing of.
func untold(items []client.ItemError, list []client.KeywordChange) error {
	if len(items) == 0 {
		return nil
	}
	told := map[int64]bool{}
	for _, item := range items {
		told[int64(item.RankID)] = item.StatusCode != 0
	}
	var missing []string
	for _, change := range list {
		if !told[change.RankID] {
			missing = append(missing, cli.IDText(change.RankID))
		}
	}
	if missing == nil {
		return nil
	}
	return &resource.UnreportedError{What: "rank_id " + strings.Join(missing, ", ")}
}

// findChanged reads back whether the keywords are as an update without an
// answer wanted them.
func findChanged(ctx context.Context, f *cli.Factory, list []client.KeywordChange) (resource.Presence, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return resource.Ambiguous, record.Record{}, err
	}
	n := 0
	var last record.Record
	for _, want := range list {
		rec, err := c.Keyword(ctx, want.RankID)
		if err != nil {
			return resource.Ambiguous, record.Record{}, err
		}
		held := client.KeywordChange{RankID: want.RankID}
		if err := keep(&held, rec); err != nil {
			return resource.Ambiguous, record.Record{}, nil
		}
		if held == want {
			n++
			last = cli.RecordOf(client.ItemError{RankID: client.Integer(want.RankID), StatusCode: 200, StatusMessage: "success"})
		}
	}
	switch n {
	case 0:
		return resource.Absent, last, nil
	case len(list):
		return resource.Present, last, nil
	}
	return resource.Partial, last, nil
}
