package fanout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/bulk/decode"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

type Flags struct {
	Concurrency int // calls at a time
	FailFast    bool
	Failures    string // path of the failures file

	columns []string // of the failures file, without the error
	written *bool    // the failures file was written; nil without one
	command *cobra.Command
}

// AddTo adds the flags to a command, which takes a file of failures with these columns by --file.
func (ff *Flags) AddTo(c *cobra.Command, columns ...string) {
	ff.AddCallsTo(c)
	ff.columns = columns
	c.Flags().StringVar(&ff.Failures, "failures", "", "write failed requests to `FILE`, as csv for --file")
}

func (ff *Flags) AddCallsTo(c *cobra.Command) {
	ff.command = c
	c.Flags().IntVar(&ff.Concurrency, "concurrency", cli.DefaultConcurrency, "make up to `N` calls at a time (default "+strconv.Itoa(cli.DefaultConcurrency)+")")
	c.Flags().BoolVar(&ff.FailFast, "fail-fast", false, "stop at the first failure; --output-file is not written")
}

func (ff *Flags) Check(session *cli.Session) error {
	if err := cli.CheckConcurrency(ff.Concurrency); err != nil {
		return err
	}
	given := ff.command.Flags().Changed("failures")
	switch {
	case given && ff.Failures == "-":
		return cli.Usagef("--failures: %q is not a file", ff.Failures)
	case given && !slices.Contains([]string{"", "csv"}, decode.FormatOfName(ff.Failures)):
		return cli.Usagef("--failures: the file is written as csv, but the name %s means another format: use .csv", ff.Failures)
	case given && ff.FailFast:
		return cli.Usagef("--fail-fast and --failures can't be used together: only the first failure would be listed")
	case given:
		if info, err := os.Lstat(ff.Failures); err != nil || info.Mode().IsRegular() { // a pipe is opened once, for the failures
			if err := cli.CheckOutputPath("--failures", ff.Failures); err != nil {
				return err
			}
		}
		ff.written = new(bool)
		session.AtEnd(func() {
			if !*ff.written && exists(ff.Failures) {
				session.Note("%s is of an earlier run: this one ended before it could tell what failed", ff.Failures)
			}
		})
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Export lets print consume the records of the calls, commits the output and then writes the failures file. If the calls were
// stopped by an error, the output is not written, and a failures file that exists stays as it is, unless the reader of the output has
// gone away; a new one has all calls that gave no output.
func Export(ctx context.Context, session *cli.Session, outcome *cli.Outcome, fan *FanOut, out *cli.Out, print func(iter.Seq2[record.Record, error]) error) error {
	var failures *output.File
	isNew := fan.Failures != "" && !exists(fan.Failures)
	if fan.Failures != "" {
		var err error
		if failures, err = session.OpenFile(output.OpenFile, fan.Failures); err != nil {
			return err
		}
		defer failures.Abort()
	}
	fan.isLost = out.IsLost
	err := print(Run(ctx, session, outcome, fan))
	err = cmp.Or(err, fan.ended)
	if err == nil {
		err = out.Commit()
	}
	if n := outcome.Summary.Sent; fan.Writes && err != nil && fan.ended == nil && n > 0 {
		err = fmt.Errorf("the service has acknowledged %s, and the output can't be printed: %w", phrase.Count(n, "call", "calls"), err)
	}
	if s := &outcome.Summary; err == nil && s.State == summaryfile.StateStopped { // the rows of --limit are all there, some from a call that was not read to its end
		s.State, s.Sent, s.Remaining = summaryfile.StateFinished, s.Sent+1, s.Remaining-1
	}
	if err != nil && !fan.allFailed() {
		isGone := errors.As(err, new(*output.BrokenPipeError)) // the reader of the output: the command ends in silence, and its files tell the rest
		switch s := &outcome.Summary; {
		case out.IsWhole(): // of which nothing is there
			s.State, s.Sent, s.Remaining = summaryfile.StateStopped, 0, s.Remaining+s.Sent
		case s.State == summaryfile.StateFinished && !isGone: // a condition that no record can meet, for example
			s.State = summaryfile.StateFailed
		}
		if isNew || isGone && failures != nil {
			fan.failRest(err, out.IsWhole())
			if _, failed := fan.write(context.WithoutCancel(ctx), failures); failed != nil {
				session.ReportFailure(failed)
			}
		}
		return err
	}
	if failures != nil {
		left, err := fan.write(ctx, failures)
		if err != nil {
			return err
		}
		if left > 0 {
			session.Note("%s not in %s", phrase.Count(left, "failure has no ids and is", "failures have no ids and are"), fan.Failures)
		}
	}
	return cmp.Or(err, fan.err())
}

// failRest makes failures of the calls that were not made when err stopped them, and of those whose records
// are discarded with the output.
func (fan *FanOut) failRest(err error, isDiscarded bool) {
	all, failed := []failure(nil), fan.failed
	if fan.stopper != nil {
		failed = append(failed, *fan.stopper)
	}
	if cli.Info(err).Operation != "" { // it is of one request
		err = errors.New("not in the output, since another request failed: " + err.Error()) // without its status
	}
	for i := range fan.Calls {
		switch {
		case len(failed) > 0 && failed[0].call == i:
			all, failed = append(all, failed[0]), failed[1:]
		case i >= fan.consumed || isDiscarded:
			all = append(all, failure{i, err})
		}
	}
	fan.failed = all
}

// write writes the failures file. left counts the failures that have no row.
func (fan *FanOut) write(ctx context.Context, file *output.File) (left int, err error) {
	p, err := output.New(file, output.Options{Format: encode.CSV})
	if err != nil {
		return 0, err
	}
	shape := output.Shape{Columns: append(encode.Columns(fan.columns...), encode.Columns("error", "http_status")...)}
	err = p.Print(ctx, shape, func(yield func(record.Record, error) bool) {
		for _, failed := range fan.failed {
			row := fan.Row(failed.call)
			if row == nil {
				left++
				continue
			}
			row = append(append(row, fan.Options...), record.Pair{Name: "error", Value: record.Quote(safetext.Cut(strings.TrimSpace(failed.err.Error()), safetext.MaxMessage))})
			if status := statusOf(failed.err); status != 0 {
				row = append(row, record.Pair{Name: "http_status", Value: record.Value(strconv.Itoa(status))})
			}
			if !yield(record.Of(row...), nil) {
				return
			}
		}
	})
	if err != nil {
		return 0, err
	}
	if err := file.Commit(); err != nil {
		return left, err
	}
	*fan.written = true
	return left, nil
}
