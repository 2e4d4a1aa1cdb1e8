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
	"reseller/output"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

func run(ctx context.Context, f *cli.Factory, o *options) error {
	if o.defaulted {
		noteDefaultDates(f, o.asked)
	}
	switch {
	case f.Flags.Raw:
		return printRaw(ctx, f, o)
	case o.single() && o.report.object:
		return printObject(ctx, f, o)
	case o.single() && o.view == nil:
		return resource.List(ctx, f, o.call(campaignRef{account: o.accountIDs[0], campaign: o.campaignIDs[0]}), nil)
	}
	return printRows(ctx, f, o, nil)
}

// call returns the request for the report of one campaign.
func (o *options) call(ref campaignRef) client.Call {
	return o.report.Call(ref.account, ref.campaign, o.dates)
}

// printRaw prints the response for one campaign unchanged.
func printRaw(ctx context.Context, f *cli.Factory, o *options) error {
	ref, err := o.resolveOne(ctx, f)
	if err != nil {
		return err
	}
	return resource.List(ctx, f, o.call(ref), nil)
}

// resolveOne returns the campaign of a selection with one campaign id.
func (s *selection) resolveOne(ctx context.Context, f *cli.Factory) (campaignRef, error) {
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

// printObject prints a report whose data should be one object. If the service
// responds with an array, it prints a list.
func printObject(ctx context.Context, f *cli.Factory, o *options) error {
	call := o.call(campaignRef{account: o.accountIDs[0], campaign: o.campaignIDs[0]})
	out, err := f.Output(cli.Shape(call.Op.Response, true))
	if err != nil {
		return err
	}
	defer out.Abort()
	c, err := f.Client()
	if err != nil {
		return err
	}
	response, err := c.Do(ctx, call)
	if err != nil {
		return err
	}
	rows, err := resource.ResponseRecords(call, response)
	if err != nil {
		return err
	}
	shape := cli.Shape(call.Op.Response, response.Data.Kind() != record.Array)
	if err := out.Print(ctx, shape, cli.Records(rows)); err != nil {
		return err
	}
	return out.Commit()
}

// printRows prints the reports of several campaigns, or the view of one, as one list, in the order
// of the campaigns. Each row starts with the ids of its campaign, unless it is the only one. In a
// workbook, which people read, and in a view with names, the name of the account follows. arrange
// is that of the output.Shape.
func printRows(ctx context.Context, f *cli.Factory, o *options, arrange func(iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error]) error {
	res := o.report.rowFields()
	if o.view != nil {
		res = o.view.resource
	}
	shape := cli.Shape(res, false)
	shape.Arrange = arrange
	format, err := f.Format()
	if err != nil {
		return err
	}
	isNamed := o.view != nil && o.view.named
	if !o.single() || isNamed {
		shape.Front = cli.Columns(&schema.ReportSubject)
		isNamed = isNamed || format == encode.XLSX && !f.Flags.Chart
	}
	if isNamed {
		shape.Front = append(shape.Front, output.Column{Name: columnAccountName, Type: encode.TypeText, Title: true})
	}
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	refs, err := o.resolve(ctx, f)
	if err != nil {
		return err
	}
	var names map[int64]record.Value
	if isNamed {
		if names, err = accountNames(ctx, f); err != nil {
			f.Note("%s is empty, since the names can't be read: %v", columnAccountName, err)
		}
	}
	return fanout.Export(ctx, f, o.fanOut(refs, names, shape.Front != nil), out, func(list iter.Seq2[record.Record, error]) error {
		return out.Records(ctx, list)
	})
}

const columnAccountName = "account_name"

// accountNames returns the names of all accounts by their ids. The map is not nil.
func accountNames(ctx context.Context, f *cli.Factory) (map[int64]record.Value, error) {
	names := map[int64]record.Value{}
	c, err := f.Client()
	if err != nil {
		return names, err
	}
	for account, err := range c.Accounts(ctx) {
		if err != nil {
			return map[int64]record.Value{}, err
		}
		if id, ok := account.Get("account_id").Int64(); ok {
			names[id] = slices.Clone(account.Get(columnAccountName))
		}
	}
	return names, nil
}

// fanOut returns the requests for the reports of several campaigns. names are those of the
// accounts, by their ids, or nil if the rows have none. With isPrefixed, rows start with the ids.
func (o *options) fanOut(refs []campaignRef, names map[int64]record.Value, isPrefixed bool) *fanout.FanOut {
	fan := &fanout.FanOut{Flags: o.fan, Calls: len(refs)}
	fan.Row = func(i int) []record.Pair { return refs[i].row() }
	fan.Origin = func(i int) *summaryfile.Row { return refs[i].origin }
	fan.Call = func(ctx context.Context, c *client.Client, i int, give func(record.Record) error) error {
		if refs[i].err != nil {
			return refs[i].err
		}
		var ids []record.Pair
		if isPrefixed {
			ids = refs[i].fields()
		}
		if names != nil {
			name := names[refs[i].account]
			if name == nil {
				name = record.Value("null")
			}
			ids = append(ids, record.Pair{Name: columnAccountName, Value: name})
		}
		var rows []record.Record // for the view
		for row, err := range c.List(ctx, o.call(refs[i])) {
			if err != nil {
				return err
			}
			if o.view != nil {
				rows = append(rows, row.Clone())
				continue
			}
			if err := give(withIDs(row, ids)); err != nil {
				return err
			}
		}
		if o.view == nil {
			return nil
		}
		for _, row := range o.view.convert(rows) {
			if err := give(withIDs(row, ids)); err != nil {
				return err
			}
		}
		return nil
	}
	return fan
}

// withIDs returns a row that starts with the ids of the requested campaign. They
// replace other ids that the service may have put into the row.
func withIDs(row record.Record, ids []record.Pair) record.Record {
	differs := slices.ContainsFunc(ids, func(id record.Pair) bool {
		v := row.Get(id.Name)
		return v != nil && v.Text() != id.Value.Text()
	})
	if differs {
		var names []string
		for name := range row.Fields() {
			if !slices.ContainsFunc(ids, func(id record.Pair) bool { return id.Name == name }) {
				names = append(names, name)
			}
		}
		row = row.Only(names...)
	}
	return row.Prepend(ids...)
}
