package reports

import (
	"context"
	"iter"
	"slices"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/resource"
	"reseller/output"
)

func run(ctx context.Context, f *cli.Frame, o *options) error {
	if o.defaulted {
		o.noteDefaultDates(f.Session, o.asked)
	}
	if !f.Flags.Raw {
		return printRows(ctx, f, o)
	}
	ref, err := o.resolveOne(ctx, f)
	if err != nil {
		return err
	}
	return resource.List(ctx, f.Session, f.Output, o.call(ref))
}

func (o *options) call(ref campaignRef) client.Call {
	return o.report.Call(ref.account, ref.campaign, o.dates)
}

func (s *selection) resolveOne(ctx context.Context, f *cli.Frame) (campaignRef, error) {
	refs, err := s.resolve(ctx, f)
	switch {
	case err != nil:
		return campaignRef{}, err
	case refs[0].err != nil:
		return campaignRef{}, refs[0].err
	case len(refs) > 1:
		return campaignRef{}, cli.Usagef("campaign %d belongs to several accounts: add --account", s.campaignIDs[0])
	}
	return refs[0], nil
}

// shape returns how rows are printed, which begin with the ids of their campaign and the name of the account.
func (o *options) shape(single bool) output.Shape {
	res := o.report.rowFields()
	if o.view != nil {
		res = o.view.resource
	}
	shape, subject := cli.Shape(res, single), cli.Columns(&schema.ReportSubject)
	for i := range subject {
		subject[i].Constant = o.single()
	}
	shape.Columns, shape.Arrange = append(subject, shape.Columns...), o.arrange
	return shape
}

// printRows prints the reports of campaigns, or the view of them, as one list, in the order
// of the campaigns.
func printRows(ctx context.Context, f *cli.Frame, o *options) error {
	out, err := f.Output.Open(o.shape(o.single() && o.report.object))
	if err != nil {
		return err
	}
	defer out.Abort()
	refs, err := o.resolve(ctx, f)
	if err == nil && o.charts != nil {
		err = o.charts.name(refs)
	}
	if err != nil {
		return err
	}
	names := &nameList{}
	if f.Flags.Uses(columnAccountName) && !f.Flags.Chart {
		names = readNames(ctx, f.Session, nil, refs...)
	}
	defer names.read.Wait()
	return fanout.Export(ctx, f.Session, f.Outcome, o.fanOut(refs, names), out, func(list iter.Seq2[record.Record, error]) error {
		err := out.Records(ctx, list)
		if err == nil {
			names.note(f.Session)
		}
		return err
	})
}

func (o *options) fanOut(refs []campaignRef, names *nameList) *fanout.FanOut {
	fan := o.fanOf(refs, o.askedPairs(o.asked))
	fan.Call = func(ctx context.Context, c *client.Client, i int, give func(record.Record) error) error {
		if refs[i].err != nil {
			return refs[i].err
		}
		isEmpty := true
		var rows []record.Record // for the view
		for row, err := range o.report.rows(ctx, c, o.call(refs[i])) {
			if err != nil {
				return err
			}
			isEmpty = false
			day, isDated := summary.ParseDay(row.Get(o.report.dateField))
			isOutside := o.within != summary.AllDays && isDated && !o.within.Contains(day)
			if isOutside && o.dates == (client.Dates{}) {
				continue
			}
			isTracked := o.tracking.isTracked(refs[i].campaign, row)
			if !isTracked {
				o.tracking.counts[keywordsUntracked].Add(1)
			}
			switch {
			case !isTracked && !o.tracking.keepsAll:
				continue
			case o.view != nil:
				rows = append(rows, row.Clone())
				continue
			case isOutside:
				o.tracking.counts[rowsOutside].Add(1)
			}
			if err := give(withIDs(row, names.fields(refs[i]))); err != nil {
				return err
			}
		}
		switch {
		case isEmpty && o.report.object:
			rows = []record.Record{record.Of()} // without numbers
			o.tracking.counts[campaignsEmpty].Add(1)
		case o.view != nil:
			rows = o.view.convert(rows)
		}
		for _, row := range rows {
			if err := give(withIDs(row, names.fields(refs[i]))); err != nil {
				return err
			}
		}
		return nil
	}
	return fan
}

// withIDs puts the ids of the requested campaign in place of those that the service may have put into the row.
func withIDs(row record.Record, ids []record.Pair) record.Record {
	if slices.ContainsFunc(ids, func(id record.Pair) bool { return row.Get(id.Name) != nil }) {
		row = row.Without("account_id", "campaign_id", columnAccountName)
	}
	return row.Prepend(ids...)
}
