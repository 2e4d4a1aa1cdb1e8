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
	return f.Each(ctx, len(ids), call(ids[0]).Op.Answer, func(i int, raw io.Writer) (record.Record, error) {
		c, err := f.Client()
		if err != nil {
			return record.Record{}, err
		}
		one := call(ids[i])
		one.Raw = raw
		return c.Record(ctx, one)
	})
}

// Each prints n records that are got one by one. One that fails is told and
// the others go on; what ends the whole command ends it here too.
func (f *Factory) Each(ctx context.Context, n int, res *client.Resource, get func(i int, raw io.Writer) (record.Record, error)) error {
	out, err := f.Output(Shape(res, n == 1))
	if err != nil {
		return err
	}
	defer out.Abort()
	var raw io.Writer
	if f.Flags.Raw {
		raw = out.Exact()
	}
	var failed []error
	list := func(yield func(record.Record, error) bool) {
		stopped := false
		var err error
		failed, err = f.Attempt(n, func(i int) error {
			rec, err := get(i, raw)
			if err == nil && !stopped {
				stopped = !yield(rec, nil)
			}
			return err
		})
		if err != nil && !stopped {
			yield(record.Record{}, err)
		}
	}
	if raw != nil {
		if err := f.rawEnd(out, drainList(list)); err != nil {
			return err
		}
		return Several(n, failed)
	}
	if err := out.Records(ctx, list); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	return Several(n, failed)
}

// Several is the outcome of n calls of which some failed: partly done, or,
// where all failed, what the failures have in common.
func Several(n int, failed []error) error {
	switch {
	case len(failed) == 0:
		return nil
	case len(failed) < n:
		return &CodedError{Code: ExitPartly, Err: fmt.Errorf("%d of %d failed: %w", len(failed), n, failed[0])}
	}
	code := ExitCode(failed[0])
	for _, err := range failed {
		if ExitCode(err) != code {
			code = ExitPartly
		}
	}
	return &CodedError{Code: code, Err: fmt.Errorf("all %d failed: %w", n, failed[0])}
}

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
