package budget

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"sync/atomic"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/resource"
	"reseller/output"
)

// whole is an estimate with its keywords, which the figures leave out.
func whole() *schema.Resource {
	keywords := schema.Field{Name: "keywords", Type: schema.List, Use: schema.Read}
	return &schema.Resource{Name: schema.Estimates.Name, Fields: append(slices.Clone(schema.Estimates.Fields), keywords)}
}

// get asks for one estimate. Nothing depends on an answer that was lost.
func (o *estimateOptions) get(ctx context.Context, f *cli.Factory, i int, raw io.Writer) (record.Record, error) {
	call := o.calls[i]
	call.Raw = raw
	rec, err := resource.One(ctx, f, call)
	if client.Unknown(err) {
		err = &cli.ExitError{Code: cli.ExitCode(err), Err: err, Hint: "an estimate changes nothing, so it may be asked for again"}
	}
	if err == nil && o.drawing != nil {
		o.drawing.take(i, rec)
	}
	return rec, err
}

// fanOf are the calls, without what is made of their answers.
func (o *estimateOptions) fanOf() *fanout.FanOut {
	fan := &fanout.FanOut{FanFlags: o.fan, Calls: len(o.calls)}
	for _, field := range schema.Estimates.Having(schema.Create) {
		fan.Columns = append(fan.Columns, field.Name)
	}
	fan.Row = func(i int) (row []record.Pair) {
		for name, v := range record.Value(o.calls[i].Body).Members() {
			row = append(row, record.Pair{Name: name, Value: v})
		}
		return row
	}
	return fan
}

func printWhole(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	return resource.PrintEach(ctx, f, o.fanOf(), cli.Shape(whole(), !o.several), func(ctx context.Context, i int, raw io.Writer) (record.Record, error) {
		return o.get(ctx, f, i, raw)
	})
}

func printFigures(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	return resource.PrintEach(ctx, f, o.fanOf(), cli.Shape(&schema.Estimates, !o.several), func(ctx context.Context, i int, _ io.Writer) (record.Record, error) {
		rec, err := o.get(ctx, f, i, nil)
		if err != nil {
			return rec, err
		}
		return o.named(i, figures(rec)), nil
	})
}

// asked is a field of the i-th request.
func (o *estimateOptions) asked(i int, name string) record.Value {
	return record.Value(o.calls[i].Body).Get(name)
}

// named is an estimate, of several, with what was asked for where it does not
// say what tells it apart.
func (o *estimateOptions) named(i int, rec record.Record) record.Record {
	if !o.several {
		return rec
	}
	var asked []record.Pair
	var names []string
	for _, name := range front {
		k, v := rec.Get(name).Kind(), o.asked(i, name)
		if v != nil && (k == record.Missing || k == record.Null) {
			asked, names = append(asked, record.Pair{Name: name, Value: v}), append(names, name)
		}
	}
	return without(rec, names...).With(asked...)
}

// figures are an estimate without its keywords.
func figures(rec record.Record) record.Record { return without(rec, "keywords") }

func without(rec record.Record, left ...string) record.Record {
	var names []string
	for name := range rec.Fields() {
		if !slices.Contains(left, name) {
			names = append(names, name)
		}
	}
	return cli.Pick(rec, names...)
}

// keywords are the items of the estimate that a call gave.
func (o *estimateOptions) keywords(i int, rec record.Record) ([]record.Record, error) {
	items, err := keywords(rec)
	if err != nil {
		err = &client.UnreadableError{Operation: schema.OpEstimate.Name(), Action: o.calls[i].Action(), HTTPStatus: 200, Err: err}
	}
	return items, err
}

// keywords are the items of an estimate. One that is a mere text becomes a
// record too: the contract does not show the items.
func keywords(rec record.Record) ([]record.Record, error) {
	list := rec.Get("keywords")
	switch list.Kind() {
	case record.Missing, record.Null, record.Array:
	default:
		return nil, errors.New("keywords is " + list.Kind().String() + ", not an array")
	}
	empty, _ := record.Parse([]byte("{}"))
	var items []record.Record
	for v := range list.Elements() {
		item, err := record.Parse(v)
		if err != nil {
			item = empty.With(record.Pair{Name: "keyword", Value: v})
		}
		items = append(items, item)
	}
	return items, nil
}

// front are the fields that tell the keywords of several estimates apart.
var front = [...]string{"url", "market", "language"}

// keywordShape is what keywords look like in csv and the like.
func keywordShape(several bool) output.Shape {
	shape := cli.Shape(&schema.EstimateKeywords, false)
	if !several {
		return shape
	}
	for i := range shape.Columns {
		if slices.Contains(front[:], shape.Columns[i].Name) {
			shape.Columns[i].Name = "keyword_" + shape.Columns[i].Name
		}
	}
	for _, name := range front {
		shape.Front = append(shape.Front, output.Column{Name: name})
	}
	return shape
}

// row is a keyword with the estimate that it belongs to in front.
func row(estimate, item record.Record) record.Record {
	var pairs []record.Pair
	for _, name := range front {
		if v := estimate.Get(name); v != nil {
			pairs = append(pairs, record.Pair{Name: name, Value: v})
		}
	}
	for name, v := range item.Fields() {
		if slices.Contains(front[:], name) {
			name = "keyword_" + name
		}
		pairs = append(pairs, record.Pair{Name: name, Value: v})
	}
	empty, _ := record.Parse([]byte("{}"))
	return empty.With(pairs...)
}

func printKeywords(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	out, err := f.Output(keywordShape(o.several))
	if err != nil {
		return err
	}
	defer out.Abort()
	var cached atomic.Int64
	fan := o.fanOf()
	fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
		estimate, err := o.get(ctx, f, i, nil)
		if err != nil {
			return err
		}
		items, err := o.keywords(i, estimate)
		if err != nil {
			return err
		}
		if estimate.Get("cached").Text() == "true" {
			cached.Add(1)
		}
		for _, item := range items {
			if o.several {
				item = row(o.named(i, estimate), item)
			}
			if err := give(item); err != nil {
				return err
			}
		}
		return nil
	}
	return fanout.Export(ctx, f, fan, out, func(list iter.Seq2[record.Record, error]) error {
		err := out.Records(ctx, list)
		if n := cached.Load(); n > 0 && err == nil {
			f.Note("%d of %d estimates came from the service's cache, up to 24 hours old", n, len(o.calls))
		}
		return err
	})
}

// printBoth prints the figures of each estimate and then its keywords;
// --columns and --sort are about the keywords.
func printBoth(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	out, err := f.Output(keywordShape(false))
	if err != nil {
		return err
	}
	defer out.Abort()
	beside, err := f.SecondPrinter(out)
	if err != nil {
		return err
	}
	fan := o.fanOf()
	fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
		estimate, err := o.get(ctx, f, i, nil)
		if err == nil {
			_, err = o.keywords(i, estimate)
		}
		if err != nil {
			return err
		}
		return give(o.named(i, estimate))
	}
	return fanout.Export(ctx, f, fan, out, func(list iter.Seq2[record.Record, error]) error {
		printed := false
		for estimate, err := range list {
			if err == nil && printed {
				err = out.BlankLine()
			}
			if err == nil {
				err = printOne(ctx, out, beside, estimate)
			}
			if err != nil {
				return err
			}
			printed = true
		}
		return nil
	})
}

func printOne(ctx context.Context, out *cli.Out, beside *output.Printer, estimate record.Record) error {
	items, err := keywords(estimate)
	if err != nil {
		return err
	}
	if err := beside.Print(ctx, cli.Shape(&schema.Estimates, true), cli.Records([]record.Record{figures(estimate)})); err != nil {
		return err
	}
	if err := out.BlankLine(); err != nil {
		return err
	}
	return out.Records(ctx, cli.Records(items))
}
