// Package resource has the bodies of commands that make one call, or one call
// for each of their arguments: list, get and write.
package resource

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/output"
)

type records = iter.Seq2[record.Record, error]

// List prints the records of the list that call returns, after some changes.
func List(ctx context.Context, session *cli.Session, to *cli.Output, call client.Call, changes ...func(records) records) error {
	if session.Flags.Raw && len(changes) > 0 {
		return cli.Usagef("--raw prints the response unchanged, so it can't be filtered")
	}
	return to.Write(cli.Shape(call.Op.Response, false), func(out *cli.Out) error {
		if session.Flags.Raw {
			call.CopyTo = out.Raw()
			return commitRaw(session, out, fanout.Drain(session.List(ctx, call)))
		}
		list := session.List(ctx, call)
		for _, change := range changes {
			list = change(list)
		}
		return out.Records(ctx, list)
	})
}

// commitRaw commits the output of --raw even if the response is an error. A file is left as it was then.
func commitRaw(session *cli.Session, out *cli.Out, err error) error {
	if err != nil && session.Flags.OutputFile != "" {
		return err
	}
	return cmp.Or(err, out.Commit())
}

func doubled(list records, of func(record.Record) string) records {
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

func PrintEach(ctx context.Context, f *cli.Frame, fan *fanout.FanOut, shape output.Shape, get func(ctx context.Context, i int, raw io.Writer) (record.Record, error)) error {
	out, err := f.Output.Open(shape)
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
	return fanout.Export(ctx, f.Session, f.Outcome, fan, out, func(list records) error {
		if raw != nil {
			return commitRaw(f.Session, out, fanout.Drain(list))
		}
		return out.Records(ctx, list)
	})
}

// Complete adds to an update the fields that the service requires and the update lacks, which read reads. words name the record,
// and instead is the hint which flags make the read unnecessary.
func Complete(session *cli.Session, res *schema.Resource, values schema.Values, words, instead string, read func(*client.Client) (record.Record, error)) error {
	if loads.IsComplete(res, values) {
		return nil
	}
	c, err := session.Client()
	if err != nil {
		return err
	}
	rec, err := read(c)
	if err != nil {
		return ReadBeforeUpdateError(err, instead)
	}
	return CantKeepError(loads.Complete(res, values, rec, c.IsLate, words, instead))
}

// CantKeepError returns the error of an update that would make the service lose values that the update leaves out.
func CantKeepError(reason error) error {
	switch {
	case reason == nil:
		return nil
	case errors.As(reason, new(portfolio.LateError)):
		return cli.NotYet("", "%w", reason)
	}
	return cli.Usagef("%v", reason)
}

// ReadBeforeUpdateError returns the error of an update whose present values can't be
// read. instead is the hint which flags make the read unnecessary.
func ReadBeforeUpdateError(err error, instead string) error {
	err = fmt.Errorf("reading the current values: %w", err)
	if code := cli.ExitCode(err); code == cli.ExitAuth || code == cli.ExitNotFound { // which have better hints
		return err
	}
	return cli.WithHint(err, "to update without reading, "+instead)
}
