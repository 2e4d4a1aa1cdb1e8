package reports

import (
	"context"
	"iter"
	"slices"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/resource"
)

func run(ctx context.Context, f *cli.Factory, o *options) error {
	if o.defaulted {
		f.Note("no dates were given: the last %d days, %s to %s", usualDays, o.dates.From, o.dates.To)
	}
	switch {
	case f.Flags.Raw:
		return printRaw(ctx, f, o)
	case o.named() && o.kind.object:
		return printObject(ctx, f, o)
	case o.named():
		return resource.List(ctx, f, o.call(pair{account: o.accounts[0], campaign: o.campaigns[0]}), nil)
	}
	return printRows(ctx, f, o)
}

// call is the report of one campaign.
func (o *options) call(p pair) client.Call {
	return o.kind.report.Call(p.account, p.campaign, o.dates)
}

// printRaw prints the one answer as it came.
func printRaw(ctx context.Context, f *cli.Factory, o *options) error {
	pairs, err := o.pairs(ctx, f)
	if err != nil {
		return err
	}
	if pairs[0].broken != nil {
		return pairs[0].broken
	}
	if len(pairs) > 1 { // one campaign that is listed under several accounts
		return cli.Usagef("--raw prints one answer as it came: name the campaign's --account too")
	}
	return resource.List(ctx, f, o.call(pairs[0]), nil)
}

// printObject prints the data of one pair where it is known to be an object;
// should an array come, it is printed as one.
func printObject(ctx context.Context, f *cli.Factory, o *options) error {
	call := o.call(pair{account: o.accounts[0], campaign: o.campaigns[0]})
	out, err := f.Output(cli.Shape(call.Op.Answer, true))
	if err != nil {
		return err
	}
	defer out.Abort()
	c, err := f.Client()
	if err != nil {
		return err
	}
	answer, err := c.Do(ctx, call)
	if err != nil {
		return err
	}
	recs, err := resource.AnswerRecords(call, answer)
	if err != nil {
		return err
	}
	shape := cli.Shape(call.Op.Answer, answer.Data.Kind() != record.Array)
	if err := out.Print(ctx, shape, cli.Records(recs)); err != nil {
		return err
	}
	return out.Commit()
}

// printRows prints the reports of many campaigns as one list whose rows say
// what they belong to, in the order of the pairs.
func printRows(ctx context.Context, f *cli.Factory, o *options) error {
	shape := cli.Shape(o.kind.row(), false)
	shape.Front = cli.Columns(&schema.ReportPair)
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	pairs, err := o.pairs(ctx, f)
	if err != nil {
		return err
	}
	return fanout.Export(ctx, f, o.fanOf(pairs), out, func(list iter.Seq2[record.Record, error]) error {
		return out.Records(ctx, list)
	})
}

// fanOf are the reports of the pairs.
func (o *options) fanOf(pairs []pair) *fanout.FanOut {
	fan := &fanout.FanOut{FanFlags: o.fan, Calls: len(pairs), Columns: []string{"account_id", "campaign_id"}}
	fan.Row = func(i int) []record.Pair {
		p := pairs[i]
		if p.broken != nil && !p.absent {
			return nil // no file can name it
		}
		return slices.DeleteFunc(p.front(), func(id record.Pair) bool { return p.absent && id.Value.Text() == "0" })
	}
	fan.Call = func(ctx context.Context, c *client.Client, i int, give func(record.Record) error) error {
		if pairs[i].broken != nil {
			return pairs[i].broken
		}
		front := pairs[i].front()
		for rec, err := range c.List(ctx, o.call(pairs[i])) {
			if err != nil {
				return err
			}
			if err := give(belonging(rec, front)); err != nil {
				return err
			}
		}
		return nil
	}
	return fan
}

// belonging is a row with what it was asked for in front, whatever the service
// says there.
func belonging(rec record.Record, front []record.Pair) record.Record {
	differs := false
	for _, p := range front {
		v := rec.Get(p.Name)
		differs = differs || v != nil && v.Text() != p.Value.Text()
	}
	if differs {
		var names []string
		for name := range rec.Fields() {
			if !slices.ContainsFunc(front, func(p record.Pair) bool { return p.Name == name }) {
				names = append(names, name)
			}
		}
		rec = cli.Pick(rec, names...)
	}
	return rec.With(front...)
}
