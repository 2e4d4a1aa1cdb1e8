package budget

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/output"
)

// whole is an estimate with its keywords, which the figures leave out.
var whole = client.Resource{
	Name:   client.Estimates.Name,
	Fields: append(slices.Clone(client.Estimates.Fields), client.Field{Name: "keywords", Type: client.List, Use: client.Read}),
}

// get asks for one estimate. Nothing depends on an answer that was lost.
func (o *estimateOptions) get(ctx context.Context, f *cli.Factory, i int, raw io.Writer) (record.Record, error) {
	call := o.calls[i]
	call.Raw = raw
	rec, err := f.One(ctx, call)
	if client.Unknown(err) {
		err = &cli.CodedError{Code: cli.ExitCode(err), Err: err, Hint: "an estimate changes nothing, so it may be asked for again"}
	}
	if err == nil && o.drawing != nil {
		o.drawing.take(i, rec)
	}
	return rec, err
}

func printWhole(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	return f.Each(ctx, len(o.calls), &whole, func(i int, raw io.Writer) (record.Record, error) { return o.get(ctx, f, i, raw) })
}

func printFigures(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	return f.Each(ctx, len(o.calls), &client.Estimates, func(i int, _ io.Writer) (record.Record, error) {
		rec, err := o.get(ctx, f, i, nil)
		if err != nil {
			return rec, err
		}
		return figures(rec), nil
	})
}

// figures are an estimate without its keywords.
func figures(rec record.Record) record.Record {
	var names []string
	for name := range rec.Fields() {
		if name != "keywords" {
			names = append(names, name)
		}
	}
	return cli.Pick(rec, names...)
}

// keywords are the items of an estimate. One that is a mere text becomes a
// record too: the contract does not show the items.
func keywords(rec record.Record) ([]record.Record, error) {
	list := rec.Get("keywords")
	switch list.Kind() {
	case record.Missing, record.Null, record.Array:
	default:
		return nil, &client.UnreadableError{
			Operation: client.OpEstimate.Name(), What: client.OpEstimate.Title, HTTPStatus: 200,
			Err: errors.New("keywords is " + list.Kind().String() + ", not an array"),
		}
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
	shape := cli.Shape(&client.EstimateKeywords, false)
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
func row(estimate, item record.Record, asked string) record.Record {
	var pairs []record.Pair
	for _, name := range front {
		v := estimate.Get(name)
		if v == nil && name == "url" {
			v = client.Quote(asked)
		}
		if v != nil {
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

// errStopped ends a walk that nobody listens to any more.
var errStopped = errors.New("the walk was stopped")

func printKeywords(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	out, err := f.Output(keywordShape(len(o.calls) > 1))
	if err != nil {
		return err
	}
	defer out.Abort()
	var failed []error
	if err := out.Records(ctx, o.rows(ctx, f, &failed)); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	return cli.Several(len(o.calls), failed)
}

// rows walks the keywords of all estimates.
func (o *estimateOptions) rows(ctx context.Context, f *cli.Factory, failed *[]error) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		var err error
		*failed, err = f.Attempt(len(o.calls), func(i int) error {
			estimate, err := o.get(ctx, f, i, nil)
			if err != nil {
				return err
			}
			items, err := keywords(estimate)
			if err != nil {
				return err
			}
			for _, item := range items {
				if len(o.calls) > 1 {
					item = row(estimate, item, o.urls[i])
				}
				if !yield(item, nil) {
					return errStopped
				}
			}
			return nil
		})
		if err != nil && err != errStopped {
			yield(record.Record{}, err)
		}
	}
}

// printBoth prints the figures of each estimate and then its keywords;
// --columns and --sort are about the keywords.
func printBoth(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	out, err := f.Output(keywordShape(false))
	if err != nil {
		return err
	}
	defer out.Abort()
	beside, err := f.Beside(out)
	if err != nil {
		return err
	}
	printed := false
	failed, err := f.Attempt(len(o.calls), func(i int) error {
		estimate, err := o.get(ctx, f, i, nil)
		if err != nil {
			return err
		}
		items, err := keywords(estimate)
		if err != nil {
			return err
		}
		if printed {
			if err := out.Gap(); err != nil {
				return err
			}
		}
		printed = true
		if err := beside.Print(ctx, cli.Shape(&client.Estimates, true), cli.Sequence([]record.Record{figures(estimate)})); err != nil {
			return err
		}
		if err := out.Gap(); err != nil {
			return err
		}
		return out.Records(ctx, cli.Sequence(items))
	})
	if err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	return cli.Several(len(o.calls), failed)
}
