// Package bulkcmd is the body of every command that writes the rows of a --file:
// its flags, the job, the dry run, the progress and the summary.
package bulkcmd

import (
	"cmp"
	"context"
	"os"
	"runtime/debug"

	"golang.org/x/time/rate"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
)

// A Load says how the rows of a file become calls.
type Load struct {
	Op        *schema.Operation
	Res       *schema.Resource
	Use       schema.Use    // schema.Create or schema.Update
	Constants schema.Values // what flags gave for all rows
	Defaults  schema.Values // for rows that have no value of their own
	Known     []string      // further flags that make it another job, as NAME=VALUE
	Identity  bulk.Identity
	Key       []string // fields that rows of one call agree in; nil: a call a row
	Campaigns bool     // Key is the row's campaign
	Body      func(rows []bulk.Row) client.Call
	Begin     func() CallBody // of Body's call, where rows are many
	// Items sorts an answer at HTTP 200 into an outcome a row; nil: all are in.
	Items func(rows []bulk.Row, answer *client.Answer) ([]bulk.Outcome, error)
	// Send makes the calls where one a batch is not enough; nil: Body's call.
	Send func(c *client.Client, row bulk.Row) bulk.Send
	// Look reads what the service holds. Nil where it can't be read back.
	Look     func(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error)
	OneByOne bool // Look reads a record a row
	Unproven bool // Look does not prove that a row is not in
	// Bring is the call that brings rows in line which the service holds.
	Bring      func(rows []bulk.Row) client.Call
	BringItems func(rows []bulk.Row, answer *client.Answer) ([]bulk.Outcome, error)
	Gives      []string                                 // what the service gives for a row, in the results
	Confirm    string                                   // a question that is asked first,
	Asks       func(bulk.Row) bool                      // where one of the rows asks for it
	Pace       *rate.Limiter                            // what its calls wait for, beside the limit of all calls
	Also       func(bulk.Values) (field, reason string) // what else is wrong with a row
	Steps      *Steps                                   // where one write a row is not enough
}

// A CallBody gathers the rows of a call.
type CallBody interface {
	Add(row *bulk.Row)
	Call() client.Call
}

var (
	summaryColumns = []string{"job", "operation", "rows", "sent", "present", "differs", "duplicates", "invalid", "refused", "unknown", "requests", "retries", "seconds"}
	planColumns    = []string{"operation", "rows", "send", "present", "differs", "refused", "duplicates", "invalid", "calls"}
)

func shapeOf(names []string) output.Shape {
	s := output.Shape{Single: true}
	for _, name := range names {
		s.Columns = append(s.Columns, output.Column{Name: name})
	}
	return s
}

// RunLoad reads a file, checks all its rows, sends them in batches and reports.
func RunLoad(ctx context.Context, f *cli.Factory, ff *FileFlags, l Load) error {
	if shown, err := ff.Example(f, l.Res, l.Use); shown {
		return err
	}
	source, err := ff.open(ctx, f, l)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	if f.Flags.DryRun {
		return dryRun(ctx, f, ff, l, source)
	}
	out, err := f.Output(shapeOf(summaryColumns))
	if err != nil {
		return err
	}
	defer out.Abort()
	// All faults of the file are told before a question is asked or a call made.
	if err := validate(ctx, f, source, ff.onInvalid, ff.tolerateUnchanged(ctx, f, l, source)); err != nil {
		return err
	}
	defer limitMemory(source.Len())()
	if l.Confirm != "" && resumed(ctx) == nil && anyRow(source, l.Asks) {
		if err := f.Confirm(ctx, l.Confirm); err != nil {
			return err
		}
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	job, err := beginJob(ctx, f, ff, l, source)
	if err != nil {
		return err
	}
	if job.Resumed() {
		f.Note("job %s goes on", job.ID)
		if source.Secret() {
			f.Note("rows that it has sent keep the passwords that they were sent with")
		}
	}
	warnAbandoned(f, job.GivenUp, l.Look == nil || l.Unproven || ff.resendExisting)
	options, err := loadOptions(f, ff, job)
	if err != nil {
		_ = job.Close()
		return err
	}
	unit := "rows"
	if l.Steps != nil {
		unit = "steps"
	}
	progress := newProgress(f, l.Op.ID, unit)
	f.HideStatus = progress.end // the next step draws the bar again
	options.Progress, options.Count = progress.update, c.Count
	options.Note = func(text string) { f.Note("%s", text) }
	end := loadResult{job: job, rejects: options.Rejects}
	defer context.AfterFunc(ctx, func() {
		resume, given := end.resumeCommand()
		f.Note("waiting for the calls that have left; a second interrupt ends at once, and %s%s goes on from there", resume, given)
	})()
	var summary bulk.Summary
	if l.Steps != nil {
		summary, err = bulk.RunSteps(ctx, source, l.Steps.Make(c), job, options)
		end.advice = l.Steps.Advice()
	} else {
		summary, err = bulk.Run(ctx, source, l.Bulk(c), job, options)
	}
	progress.end()
	end.finished = job.Finished()
	warnStale(f, ff.Path, "--rejects", ff.rejects, "refused", !summary.Rejected)
	warnStale(f, ff.Path, "--results", ff.results, "loaded", !summary.Told)
	err = cmp.Or(err, job.Close()) // a journal that can't be written is told once
	// The summary is told of an interrupted load too, and what became of the
	// rows counts more than whether it could be told.
	printErr := out.Record(context.WithoutCancel(ctx), cli.RecordOf(summary))
	if printErr == nil {
		printErr = out.Commit()
	}
	return cmp.Or(end.error(summary, err), printErr)
}

// limitMemory keeps the memory of a load low until it is undone.
func limitMemory(rows int) (undo func()) {
	// A load of a million rows stays below 96 MB, larger ones grow by little.
	limit := debug.SetMemoryLimit(max(76<<20, 64*int64(rows)))
	return func() { debug.SetMemoryLimit(limit) }
}

// warnStale tells of a file of an earlier load that a flag names: this one had
// nothing to put in its place.
func warnStale(f *cli.Factory, input, flag, path, what string, none bool) {
	if _, err := os.Stat(path); none && path != "" && err == nil && !output.SameFile(path, input) {
		f.Note("no row was %s: %s %s is of an earlier load", what, flag, path)
	}
}

// warnAbandoned tells what --restart gave up. What is in doubt is found in what the
// service holds, unless blind.
func warnAbandoned(f *cli.Factory, g *bulk.GivenUp, blind bool) {
	switch {
	case g == nil || !blind:
	case g.Damaged:
		f.Note("job %s is given up; what it sent is not known, and may come to be in twice", g.ID)
	case g.Doubt > 0:
		f.Note("job %s is given up; whether %s in is not known, and they may come to be in twice", g.ID, cli.Plural(g.Doubt, "of its rows is", "of its rows are"))
	}
}

func anyRow(source *bulk.Source, of func(bulk.Row) bool) bool {
	for row, err := range source.Rows() {
		if err == nil && of(*row) {
			return true
		}
	}
	return false
}

// Bulk is the operation as the engine runs it.
func (l *Load) Bulk(c *client.Client) bulk.Op {
	op := bulk.Op{Name: l.Op.ID, Key: l.Key, Campaigns: l.Campaigns, Gives: l.Gives, OneByOne: l.OneByOne, Unproven: l.Unproven}
	if l.Key == nil {
		op.Size = 1
	}
	if op.Gives == nil {
		op.Gives = answerFields(l.Op)
	}
	op.Begin = bulk.OfRows(func(rows []bulk.Row) bulk.Send {
		if l.Send != nil {
			return l.Send(c, bulk.Keep(rows[0])[0])
		}
		return l.call(c, l.Body(rows), rows, l.Items)
	})
	if l.Begin != nil {
		op.Begin = func() bulk.Body { return sending{l.Begin(), l, c} }
	}
	if l.Bring != nil {
		op.Bring = func(rows []bulk.Row) bulk.Send { return l.call(c, l.Bring(rows), rows, l.BringItems) }
	}
	if l.Look != nil {
		op.Look = func(ctx context.Context, r bulk.Reading) (bulk.View, error) { return l.Look(ctx, c, r) }
	}
	return op
}

// sending is a body whose call is made by the client.
type sending struct {
	CallBody
	l *Load
	c *client.Client
}

func (s sending) Send() bulk.Send { return s.l.call(s.c, s.Call(), nil, nil) }

// call is a call that goes later. The rows are kept only where its answer
// tells of each.
func (l *Load) call(c *client.Client, call client.Call, rows []bulk.Row, items func([]bulk.Row, *client.Answer) ([]bulk.Outcome, error)) bulk.Send {
	n := len(rows)
	if items != nil {
		rows = bulk.Keep(rows...)
	}
	call.Limiter = l.Pace
	return func(ctx context.Context) ([]bulk.Outcome, error) {
		answer, err := c.Do(ctx, call)
		if err != nil {
			return nil, err
		}
		if items != nil {
			return items(rows, answer)
		}
		outcomes := make([]bulk.Outcome, 1)
		if n == 1 && l.Key == nil { // the answer to a batch is about none of its rows
			rec, err := answer.Record()
			if err != nil {
				rec = record.Record{} // a success all the same: data may be anything
			}
			outcomes[0].Result = rec
		}
		return outcomes, nil
	}
}

// answerFields are the fields that an operation answers.
func answerFields(op *schema.Operation) []string {
	var out []string
	if op.Answer == nil {
		return nil
	}
	for _, column := range op.Answer.Columns() {
		out = append(out, column.Name)
	}
	return out
}

func loadOptions(f *cli.Factory, ff *FileFlags, job *bulk.Job) (bulk.Options, error) {
	o := ff.options()
	settings, err := f.Settings()
	if err != nil {
		return o, err
	}
	if o.Retries, err = settings.Retries(); err != nil {
		return o, err
	}
	if o.Rejects = ff.rejects; o.Rejects == "" {
		o.Rejects = job.Rejects()
	}
	o.Results = ff.results
	return o, nil
}
