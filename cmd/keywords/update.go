package keywords

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
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
	o.fields = resource.AddFieldFlags(c, schema.Update, schema.Keywords.Without("rank_id"))
	o.file.AddTo(c, f)
	o.file.AddUpdateFlags(c)
	return c
}

func runUpdate(ctx context.Context, f *cli.Factory, o *updateOptions) error {
	values, err := o.fields.Values(f, &schema.Keywords, schema.Update, false)
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
func completeAll(ctx context.Context, f *cli.Factory, ids []int64, values schema.Values) (list []schema.Values, absent []error, err error) {
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
func complete(ctx context.Context, f *cli.Factory, id int64, values schema.Values) (schema.Values, error) {
	change := maps.Clone(values)
	change["rank_id"] = record.Value(cli.IDText(id))
	if !slices.ContainsFunc(schema.Keywords.Having(schema.Key), func(field *schema.Field) bool { return change[field.Name].Text() == "" }) {
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
	return change, keep(change, rec)
}

const giveBoth = "give both --status and --type"

// keep fills in from the record what a change leaves out and can't do without.
func keep(change schema.Values, rec record.Record) error {
	for _, field := range schema.Keywords.Having(schema.Key) {
		if change[field.Name].Text() != "" {
			continue
		}
		v, err := shown(field, rec)
		if err != nil {
			return cli.Usagef("the service does not show the %s of keyword %s, which would be lost: %s", field.ReadName(), change["rank_id"].Text(), giveBoth)
		}
		change[field.Name] = v
	}
	return nil
}

// shown is what a record shows of a field, as an update would send it.
func shown(field *schema.Field, rec record.Record) (record.Value, error) {
	v := rec.Get(field.ReadName())
	if v == nil && field.ReadAs != "" {
		v = rec.Get(field.Name)
	}
	if v == nil {
		return nil, errors.New("it is not there")
	}
	return field.FromText(v.Text(), true)
}

func changeCall(list []schema.Values) client.Call {
	res := schema.Keywords.For(schema.Update)
	slices.Reverse(res.Fields) // the id last, as the contract shows a change
	body := []byte(`{"keywords":[`)
	for i, change := range list {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, res.Body(change)...)
	}
	return client.Call{Op: &schema.OpKeywordsUpdate, Body: append(body, "]}"...)}
}

// untold tells of keywords that an answer with items says nothing of.
func untold(items []client.ItemError, list []schema.Values) error {
	if len(items) == 0 {
		return nil
	}
	told := map[string]bool{}
	for _, item := range items {
		told[cli.IDText(int64(item.RankID))] = item.StatusCode != 0
	}
	var missing []string
	for _, change := range list {
		if id := change["rank_id"].Text(); !told[id] {
			missing = append(missing, id)
		}
	}
	if missing == nil {
		return nil
	}
	return &resource.UnreportedError{What: "rank_id " + strings.Join(missing, ", ")}
}

// findChanged reads back whether the keywords are as an update without an
// answer wanted them.
func findChanged(ctx context.Context, f *cli.Factory, list []schema.Values) (resource.Presence, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return resource.Ambiguous, record.Record{}, err
	}
	n := 0
	var last record.Record
	for _, want := range list {
		id, _ := want["rank_id"].Int64()
		rec, err := c.Keyword(ctx, id)
		if err != nil {
			return resource.Ambiguous, record.Record{}, err
		}
		held := 0
		for name, value := range want {
			v, err := shown(schema.Keywords.Field(name), rec)
			switch {
			case name == "rank_id" || err == nil && v.Text() == value.Text():
				held++
			case err != nil:
				return resource.Ambiguous, record.Record{}, nil
			}
		}
		if held == len(want) {
			n++
			last = cli.RecordOf(client.ItemError{RankID: client.Integer(id), StatusCode: 200, StatusMessage: "success"})
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
