// Package bulkcmd is the body of every command that writes the rows of a --file:
// its flags, the job, the dry run, the progress and the summary.
package bulkcmd

import (
	"cmp"
	"context"
	"os"
	"runtime/debug"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
)

// A Load is what a command's rows go through.
type Load struct {
	// New returns the load of the resource. Its client is nil where nothing is
	// called: for the columns of a file, or a dry run that reads nothing.
	New       func(c *client.Client) loads.Load
	Constants schema.Values // values that flags give to all rows
	Defaults  schema.Values // values of rows that have none of their own
	JobKey    []string      // further flags that tell jobs apart, as NAME=VALUE
	// Question is asked before anything is sent, if NeedsConfirm reports that a
	// row needs it.
	Question     string
	NeedsConfirm func(rows.Row) bool
	Steps        *Steps // nil where a row is one write

	resource loads.Load // New without a client
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

// Run validates the rows of a file, sends them in batches and prints a summary.
func Run(ctx context.Context, f *cli.Factory, ff *FileFlags, l Load) error {
	l.resource = l.New(nil)
	if shown, err := ff.Example(f, l.resource.Schema.Resource, l.resource.Schema.Use); shown {
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
	// Everything that is invalid in the file is reported before a question is
	// asked or a call made.
	if err := validate(ctx, f, source, ff.onInvalid, ff.tolerateUnchanged(ctx, f, l, source)); err != nil {
		return err
	}
	defer limitMemory(source.Len())()
	if l.Question != "" && resumed(ctx) == nil && anyRow(source, l.NeedsConfirm) {
		if err := f.Confirm(ctx, l.Question); err != nil {
			return err
		}
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	j, err := beginJob(ctx, f, ff, l, source)
	if err != nil {
		return err
	}
	if j.Resumed() {
		f.Note("resuming job %s", j.ID)
		if source.HoldsSecrets() {
			f.Note("rows that were sent keep the passwords that they were sent with")
		}
	}
	operation := l.New(c).Operation
	warnAbandoned(f, j.Abandoned, operation.Unverifiable() || ff.resendExisting)
	options, err := loadOptions(f, ff, j)
	if err != nil {
		_ = j.Close()
		return err
	}
	unit := "rows"
	if l.Steps != nil {
		unit = "steps"
	}
	progress := newProgress(f, operation.Name, unit)
	f.HideStatus = progress.end // the next step draws the bar again
	options.Progress, options.Count = progress.update, c.Count
	options.Note = func(text string) { f.Note("%s", text) }
	end := loadResult{job: j, rejects: options.Rejects}
	defer context.AfterFunc(ctx, func() {
		resume, given := end.resumeCommand()
		f.Note("waiting for the calls in flight; a second interrupt stops at once, and %s%s resumes the load", resume, given)
	})()
	var summary job.Summary
	if l.Steps != nil {
		summary, err = bulk.RunSteps(ctx, source, l.Steps.Make(c), j, options)
		end.advice = l.Steps.Advice()
	} else {
		summary, err = bulk.Run(ctx, source, operation, j, options)
	}
	progress.end()
	end.finished = j.Finished()
	warnStale(f, ff.Path, "--rejects", ff.rejects, "refused", !summary.RejectsWritten)
	warnStale(f, ff.Path, "--results", ff.results, "loaded", !summary.ResultsWritten)
	err = cmp.Or(err, j.Close()) // a journal that can't be written is told once
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
		f.Note("no row was %s: %s %s is left from an earlier load", what, flag, path)
	}
}

// warnAbandoned tells what --restart gave up. What is in doubt is found in what the
// service holds, unless blind.
func warnAbandoned(f *cli.Factory, g *job.Abandoned, blind bool) {
	switch {
	case g == nil || !blind:
	case g.Corrupt:
		f.Note("job %s is abandoned; what it sent is unknown and may be loaded twice", g.ID)
	case g.Unknown > 0:
		f.Note("job %s is abandoned; the outcome of %s is unknown, and they may be loaded twice", g.ID, cli.Plural(g.Unknown, "of its rows", "of its rows"))
	}
}

func anyRow(source *rows.Source, of func(rows.Row) bool) bool {
	for row, err := range source.All() {
		if err == nil && of(*row) {
			return true
		}
	}
	return false
}

func loadOptions(f *cli.Factory, ff *FileFlags, j *job.Job) (bulk.Options, error) {
	o := ff.options()
	settings, err := f.Settings()
	if err != nil {
		return o, err
	}
	if o.Retries, err = settings.Retries(); err != nil {
		return o, err
	}
	if o.Rejects = ff.rejects; o.Rejects == "" {
		o.Rejects = j.Rejects()
	}
	o.Results = ff.results
	return o, nil
}
