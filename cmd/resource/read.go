// Package resource has the bodies of commands that make one call, or one call
// for each of their arguments: list, get and write.
package resource

import (
	"cmp"
	"context"
	"io"
	"iter"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/output"
)

// Predicate tells whether a record of a list is wanted.
type Predicate func(record.Record) bool

// List prints the list that call gives, filtered on this side.
func List(ctx context.Context, f *cli.Factory, call client.Call, keep Predicate) error {
	if f.Flags.Raw && keep != nil {
		return cli.Usagef("--raw prints the response unchanged, so it can't be filtered")
	}
	out, err := f.Output(cli.Shape(call.Op.Answer, false))
	if err != nil {
		return err
	}
	defer out.Abort()
	c, err := f.Client()
	if err != nil {
		return err
	}
	if f.Flags.Raw {
		call.CopyTo = out.Raw()
		return commitRaw(f, out, drainList(c.List(ctx, call)))
	}
	if err := out.Records(ctx, filtered(c.List(ctx, call), keep)); err != nil {
		return err
	}
	return out.Commit()
}

// commitRaw commits what --raw printed, which is wanted though the answer is an
// error; a file is left as it was then.
func commitRaw(f *cli.Factory, out *cli.Out, err error) error {
	if err != nil && f.Flags.OutputFile != "" {
		return err
	}
	commitErr := out.Commit()
	return cmp.Or(err, commitErr)
}

func drainList(list iter.Seq2[record.Record, error]) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// filtered passes on the records that are wanted.
func filtered(list iter.Seq2[record.Record, error], keep Predicate) iter.Seq2[record.Record, error] {
	if keep == nil {
		return list
	}
	return func(yield func(record.Record, error) bool) {
		for rec, err := range list {
			if err == nil && !keep(rec) {
				continue
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Get prints one record an id: an object for one id, a list for several, in
// their order. With several, those found are printed.
func Get(ctx context.Context, f *cli.Factory, ids []int64, call func(id int64) client.Call) error {
	fan := &fanout.FanOut{Calls: len(ids), FanFlags: fanout.FanFlags{Concurrency: cli.DefaultConcurrency}}
	shape := cli.Shape(call(ids[0]).Op.Answer, len(ids) == 1)
	return PrintEach(ctx, f, fan, shape, func(ctx context.Context, i int, raw io.Writer) (record.Record, error) {
		c, err := f.Client()
		if err != nil {
			return record.Record{}, err
		}
		one := call(ids[i])
		one.CopyTo = raw
		return c.Record(ctx, one)
	})
}

// PrintEach prints the records of a fan whose calls give one each.
func PrintEach(ctx context.Context, f *cli.Factory, fan *fanout.FanOut, shape output.Shape, get func(ctx context.Context, i int, raw io.Writer) (record.Record, error)) error {
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	var raw io.Writer
	if f.Flags.Raw {
		raw, fan.Concurrency = out.Raw(), 1 // one answer behind the other
	}
	fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
		rec, err := get(ctx, i, raw)
		if err != nil {
			return err
		}
		return give(rec)
	}
	return fanout.Export(ctx, f, fan, out, func(list iter.Seq2[record.Record, error]) error {
		if raw != nil {
			return commitRaw(f, out, drainList(list))
		}
		return out.Records(ctx, list)
	})
}
