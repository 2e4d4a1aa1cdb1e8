package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/output"
)

// Before looks at a row ahead of its batch.
type Before = func(*bulk.Row) (*bulk.Outcome, error)

// A Load says how the rows of a file become calls.
type Load struct {
	Op        *client.Operation
	Res       *client.Resource
	Use       client.Use    // client.Create or client.Update
	Constants client.Values // what flags gave for all rows
	Defaults  client.Values // for rows that have no value of their own
	Identity  bulk.Identity
	Key       func(bulk.Row) string // rows of one call share it; nil: a call a row
	Body      func(rows []bulk.Row) client.Call
	// Items sorts an answer at HTTP 200 into an outcome a row; nil: all are in.
	Items func(rows []bulk.Row, answer *client.Answer) ([]bulk.Outcome, error)
	// Before reads what the service holds, for comparing rows with it.
	Before    func(ctx context.Context) (Before, error)
	Confirm   string  // a question that is asked first
	PerMinute float64 // calls a minute where --rate says nothing
}

var (
	summaryColumns = []string{"job", "operation", "rows", "sent", "present", "differs", "duplicates", "invalid", "refused", "unknown", "requests", "retries", "seconds"}
	planColumns    = []string{"operation", "rows", "send", "present", "refused", "duplicates", "invalid", "calls"}
)

func shapeOf(names []string) output.Shape {
	s := output.Shape{Single: true}
	for _, name := range names {
		s.Columns = append(s.Columns, output.Column{Name: name})
	}
	return s
}

// Load reads a file, checks all its rows, sends them in batches and reports.
func (f *Factory) Load(ctx context.Context, ff *FileFlags, l Load) error {
	if ff.example != "" {
		return f.Written(func(w io.Writer) error { return bulk.Example(l.Res, l.Use, ff.example, w) })
	}
	source, err := ff.open(f, l)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	if f.Flags.DryRun {
		return f.plan(ctx, ff, l, source)
	}
	out, err := f.Output(shapeOf(summaryColumns))
	if err != nil {
		return err
	}
	defer out.Abort()
	// All faults of the file are told before a question is asked or a call made.
	if err := f.check(ctx, ff, source); err != nil {
		return err
	}
	if l.Confirm != "" {
		if err := f.Confirm(ctx, l.Confirm); err != nil {
			return err
		}
	}
	f.perMinute = l.PerMinute
	c, err := f.Client()
	if err != nil {
		return err
	}
	op, err := l.op(ctx, func(ctx context.Context, rows []bulk.Row) ([]bulk.Outcome, error) {
		answer, err := c.Do(ctx, l.Body(rows))
		if err != nil {
			return nil, err
		}
		if l.Items == nil {
			return l.sent(rows, answer), nil
		}
		return l.Items(rows, answer)
	})
	if err != nil {
		return err
	}
	rejects, err := ff.rejectsPath(f, l, source.Format())
	if err != nil {
		return err
	}
	summary, runErr := bulk.Run(ctx, source, op, bulk.Options{
		BatchSize: ff.batchSize, Concurrency: ff.workers, OnInvalid: ff.onInvalid, Rejects: rejects, Results: ff.results, Count: c.Count,
	})
	// The summary is told of an interrupted load too, and what became of the
	// rows counts more than whether it could be told.
	printErr := out.Record(context.WithoutCancel(ctx), Object(summary))
	if printErr == nil {
		printErr = out.Commit()
	}
	return cmp.Or(outcome(summary, runErr, rejects), printErr)
}

// check tells what is wrong with the file, unless the bad rows are to be
// skipped.
func (f *Factory) check(ctx context.Context, ff *FileFlags, source *bulk.Source) error {
	report, err := source.Check(ctx)
	for _, note := range report.Notes {
		f.Note("%s", note)
	}
	var wrong *bulk.RowsError
	if errors.As(err, &wrong) && !wrong.Fatal && ff.onInvalid == bulk.Skip {
		f.Note("%d rows are not valid and are skipped: %s", report.Invalid, strings.ReplaceAll(wrong.Error(), "\n", "; "))
		return nil
	}
	return err
}

func (l *Load) op(ctx context.Context, batch func(context.Context, []bulk.Row) ([]bulk.Outcome, error)) (bulk.Op, error) {
	op := bulk.Op{Name: l.Op.ID, Batch: batch, Key: l.Key}
	if l.Key == nil {
		op.Size = 1
	}
	if l.Op.Answer != nil {
		for _, column := range l.Op.Answer.Columns() {
			op.Gives = append(op.Gives, column.Name)
		}
	}
	if l.Before != nil {
		before, err := l.Before(ctx)
		if err != nil {
			return op, err
		}
		op.Before = before
	}
	return op, nil
}

// sent are the outcomes of rows that one answer took in.
func (l *Load) sent(rows []bulk.Row, answer *client.Answer) []bulk.Outcome {
	outcomes := make([]bulk.Outcome, len(rows))
	var rec record.Record
	if len(rows) == 1 {
		rec, _ = answer.Record()
	}
	for i := range outcomes {
		outcomes[i] = bulk.Outcome{State: bulk.Sent, HTTPStatus: answer.HTTPStatus, Result: rec}
	}
	return outcomes
}

// plan prints what a load would do. It may read, and sends nothing.
func (f *Factory) plan(ctx context.Context, ff *FileFlags, l Load, source *bulk.Source) error {
	requests, err := f.Format()
	if err != nil {
		return err
	}
	if err := f.check(ctx, ff, source); err != nil {
		return err
	}
	var calls []client.Call
	n := 0
	op, err := l.op(ctx, func(_ context.Context, rows []bulk.Row) ([]bulk.Outcome, error) {
		if n++; requests == output.NDJSON {
			calls = append(calls, l.Body(rows))
		}
		return make([]bulk.Outcome, len(rows)), nil
	})
	if err != nil {
		return err
	}
	summary, err := bulk.Run(ctx, source, op, bulk.Options{BatchSize: ff.batchSize, Concurrency: 1, OnInvalid: ff.onInvalid})
	if err != nil {
		return err
	}
	if requests == output.NDJSON {
		return f.DryRun(ctx, calls...)
	}
	return f.Say(ctx, true, planColumns, Object(struct {
		Operation  string `json:"operation"`
		Rows       int    `json:"rows"`
		Send       int    `json:"send"`
		Present    int    `json:"present"`
		Refused    int    `json:"refused"`
		Duplicates int    `json:"duplicates"`
		Invalid    int    `json:"invalid"`
		Calls      int    `json:"calls"`
	}{summary.Operation, summary.Rows, summary.Sent, summary.Present, summary.Refused, summary.Duplicates, summary.Invalid, n}))
}

// outcome is the error that a finished load ends with, if any.
func outcome(s bulk.Summary, runErr error, rejects string) error {
	if runErr != nil {
		return runErr
	}
	bad := s.Refused + s.Unknown + s.Invalid
	if bad == 0 {
		return nil
	}
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{s.Refused, "refused"}, {s.Unknown, "in doubt"}, {s.Invalid, "not valid"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.word))
		}
	}
	err := &CodedError{Code: ExitPartly, Err: fmt.Errorf("%d rows: %s", s.Rows, strings.Join(parts, ", "))}
	if s.Rejected {
		err.Hint = "the rows that are not in are in " + rejects
	}
	if s.Refused > 0 && s.Sent+s.Present+s.Differs+s.Unknown == 0 {
		err.Code = ExitRefused
		if s.Rows == 1 && s.RefusedStatus >= 400 {
			err.Code = statusCode(&client.Error{HTTPStatus: s.RefusedStatus})
		}
	}
	return err
}

// rejectsPath is where refused rows go: where the user said, else among what
// this program keeps of its loads.
func (ff *FileFlags) rejectsPath(f *Factory, l Load, format string) (string, error) {
	if ff.rejects != "" {
		return ff.rejects, nil
	}
	dir, err := f.StateDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "jobs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if format == "txt" {
		format = "csv"
	}
	return filepath.Join(dir, fmt.Sprintf("%s-%s.rejects.%s", time.Now().UTC().Format("20060102-150405.000"), l.Op.ID, format)), nil
}
