// Package resource has the bodies of commands that make one call, or one call
// for each of their arguments: list, get and write.
package resource

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/output"
)

// A Predicate reports whether a record of a list is printed.
type Predicate func(record.Record) bool

// List prints the records of the list that call returns and keep accepts. keep may be
// nil.
func List(ctx context.Context, f *cli.Factory, call client.Call, keep Predicate) error {
	return list(ctx, f, call, keep, func() bool { return false }, nil)
}

// list is List that reads the list once more, from its beginning, if again returns true at its end. If duplicateOf is not nil, it
// prints those records only for which it returns the same text, unless that is empty.
func list(ctx context.Context, f *cli.Factory, call client.Call, keep Predicate, again func() bool, duplicateOf func(record.Record) string) error {
	if f.Flags.Raw && (keep != nil || duplicateOf != nil) {
		return cli.Usagef("--raw prints the response unchanged, so it can't be filtered")
	}
	out, err := f.Output(cli.Shape(call.Op.Response, false))
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
	list := filtered(c.List(ctx, call), keep, again)
	if duplicateOf != nil {
		list = duplicates(list, duplicateOf)
	}
	if err := out.Records(ctx, list); err != nil {
		return err
	}
	return out.Commit()
}

// commitRaw commits the output of --raw even if the response is an error. A file is
// left as it was then.
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

// duplicates returns the records of list that have a text in common with another one.
func duplicates(list iter.Seq2[record.Record, error], of func(record.Record) string) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		first := map[string]record.Value{} // by the text; nil once it was printed
		for rec, err := range list {
			text := ""
			if err == nil {
				text = of(rec)
			}
			if before, isSecond := first[text]; err == nil && !isSecond {
				if text != "" {
					first[text] = bytes.Clone(rec.Raw())
				}
				continue
			} else if before != nil {
				first[text] = nil
				if earlier, _ := record.Parse(before); !yield(earlier, nil) {
					return
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// filtered returns the records of list that keep accepts, and those of another reading if again returns true at the end.
func filtered(list iter.Seq2[record.Record, error], keep Predicate, again func() bool) iter.Seq2[record.Record, error] {
	if keep == nil {
		return list
	}
	return func(yield func(record.Record, error) bool) {
		for more := true; more; more = again() {
			for rec, err := range list {
				if err == nil && !keep(rec) {
					continue
				}
				if !yield(rec, err) || err != nil {
					return
				}
			}
		}
	}
}

// Get prints the records with the given ids: one record for one id, a list in the
// order of the ids for several. finder has found the ids if they are of accounts; else it is nil.
func Get(ctx context.Context, f *cli.Factory, finder *lookup.Finder, ids []int64, call func(id int64) client.Call) error {
	fan := &fanout.FanOut{Calls: len(ids), Flags: fanout.Flags{Concurrency: cli.DefaultConcurrency}}
	shape := cli.Shape(call(ids[0]).Op.Response, len(ids) == 1)
	return PrintEach(ctx, f, fan, shape, func(ctx context.Context, i int, raw io.Writer) (rec record.Record, err error) {
		c, err := f.Client()
		if err != nil {
			return record.Record{}, err
		}
		err = finder.Read(ctx, lookup.Account, ids[i], func(id int64) (err error) {
			one := call(id)
			one.CopyTo = raw
			rec, err = c.Record(ctx, one)
			return err
		})
		return rec, err
	})
}

// PrintEach prints the records of calls that return one each.
func PrintEach(ctx context.Context, f *cli.Factory, fan *fanout.FanOut, shape output.Shape, get func(ctx context.Context, i int, raw io.Writer) (record.Record, error)) error {
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	var raw io.Writer
	if f.Flags.Raw {
		raw, fan.Concurrency = out.Raw(), 1 // one response after the other
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
