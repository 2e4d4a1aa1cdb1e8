package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"

	"reseller/client"
	"reseller/client/record"
	"reseller/output"
)

// Keep tells whether a record of a list is wanted.
type Keep func(record.Record) bool

// List prints the list that call gives, filtered on this side.
func (f *Factory) List(ctx context.Context, call client.Call, keep Keep) error {
	if f.Flags.Raw && keep != nil {
		return Usagef("--raw prints the answer as it came, so nothing can be filtered out of it")
	}
	out, err := f.Output(Shape(call.Op.Answer, false))
	if err != nil {
		return err
	}
	defer out.Abort()
	c, err := f.Client()
	if err != nil {
		return err
	}
	if f.Flags.Raw {
		call.Raw = out.Exact()
		return f.rawEnd(out, drainList(c.List(ctx, call)))
	}
	if err := out.Records(ctx, Filter(c.List(ctx, call), keep)); err != nil {
		return err
	}
	return out.Commit()
}

// rawEnd commits what --raw printed, which is wanted though the answer is an
// error; a file is left as it was then.
func (f *Factory) rawEnd(out *Out, err error) error {
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

// Filter passes on the records that are wanted.
func Filter(list iter.Seq2[record.Record, error], keep Keep) iter.Seq2[record.Record, error] {
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
func (f *Factory) Get(ctx context.Context, ids []int64, call func(id int64) client.Call) error {
	fan := &Fan{Calls: len(ids), FanFlags: FanFlags{Workers: UsualWorkers}}
	shape := Shape(call(ids[0]).Op.Answer, len(ids) == 1)
	return f.Each(ctx, fan, shape, func(ctx context.Context, i int, raw io.Writer) (record.Record, error) {
		c, err := f.Client()
		if err != nil {
			return record.Record{}, err
		}
		one := call(ids[i])
		one.Raw = raw
		return c.Record(ctx, one)
	})
}

// Each prints the records of a fan whose calls give one each.
func (f *Factory) Each(ctx context.Context, fan *Fan, shape output.Shape, get func(ctx context.Context, i int, raw io.Writer) (record.Record, error)) error {
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	var raw io.Writer
	if f.Flags.Raw {
		raw, fan.Workers = out.Exact(), 1 // one answer behind the other
	}
	fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
		rec, err := get(ctx, i, raw)
		if err != nil {
			return err
		}
		return give(rec)
	}
	return f.Export(ctx, fan, out, func(list iter.Seq2[record.Record, error]) error {
		if raw != nil {
			return f.rawEnd(out, drainList(list))
		}
		return out.Records(ctx, list)
	})
}

// Several is the outcome of n calls of which some failed: partly done, or,
// where all failed, what the failures have in common: if nothing else, that they
// are refusals.
func Several(n int, failed []error) error {
	switch {
	case len(failed) == 0:
		return nil
	case len(failed) < n:
		return &CodedError{Code: ExitPartly, Err: fmt.Errorf("%d of %d failed: %w", len(failed), n, failed[0])}
	}
	code := ExitCode(failed[0])
	for _, err := range failed {
		switch other := ExitCode(err); {
		case other == code:
		case refuses(other) && refuses(code):
			code = ExitRefused
		default:
			code = ExitPartly
		}
	}
	return &CodedError{Code: code, Err: fmt.Errorf("all %d failed: %w", n, failed[0]), Hint: Hint(failed[0])}
}

func refuses(code int) bool { return code == ExitNotFound || code == ExitRefused }

// IDs reads arguments that are ids.
func IDs(name string, args []string) ([]int64, error) {
	ids := make([]int64, len(args))
	for i, arg := range args {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil {
			return nil, Usagef("%s: %q is not a whole number", name, arg)
		}
		ids[i] = id
	}
	return ids, nil
}
