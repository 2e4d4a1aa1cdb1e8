// Package bulkcmd is the body of the commands that write the rows of a file: flags,
// job, dry run, progress and summary.
package bulkcmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/output/summaryfile"
)

// A Command describes a command that loads a file.
type Command struct {
	// New returns the load of the resource. Its client is nil if nothing is called: for
	// an example file, or for a dry run that reads nothing.
	New       func(c *client.Client) loads.Load
	Constants schema.Values // values of all rows, from flags
	Defaults  schema.Values // values of rows without one of their own
	JobKey    []string      // further flags that identify the job, as NAME=VALUE
	// Question, without its end, is asked before anything is sent, if NeedsConfirm reports that a
	// row needs it. Name returns words for the first of these rows by their ids in the field IDField.
	Question, IDField string
	NeedsConfirm      func(rows.Row) bool
	Name              func(ctx context.Context, ids []int64) string
	Steps             *Steps // nil if a row is one write
	// Prepare is called when the file is valid, before anything is sent and before a question. It
	// may read the service, refuse rows of the source and append others. resumes is the job that
	// the load resumes, nil if it begins one. Prepare may be nil.
	Prepare func(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (Prepared, error)

	resource loads.Load // New without a client
	prepared Prepared
	kept     json.RawMessage
	resumes  *job.Status // of the job that Prepare was called for, nil if the load begins one
}

// Prepared is the result of Command.Prepare.
type Prepared struct {
	Keep     any    // what the job keeps, as JSON, for the run that resumes it
	Question string // to ask before anything is sent; empty for none
	Shown    bool   // Prepare has shown what the load changes: a dry run prints nothing else
}

// Run validates the rows of a file, sends them in batches and prints a summary.
func Run(ctx context.Context, f *cli.Factory, ff *FileFlags, l Command) (err error) {
	l.resource = l.New(nil)
	if shown, err := ff.Example(f, l.resource.Schema.Resource, l.resource.Schema.Use); shown {
		return err
	}
	if l.Steps != nil {
		f.Summary.StepCounts = &job.StepCounts{}
	}
	source, err := ff.open(ctx, f, l)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	before := ff.outputFiles()
	defer func() { err = cmp.Or(err, ff.ensureFiles(f, l, source, before)) }()
	f.Summary.Operation = l.resource.Operation.Name
	if f.Flags.DryRun {
		return dryRun(ctx, f, ff, l, source, func() (*job.Job, *job.Table, error) { return previewJob(ctx, f, ff, l, source) })
	}
	shape := ff.summaryShape(l)
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	// Everything that is invalid in the file is reported before a question is
	// asked or a call made.
	defer func() {
		if f.Summary.State != "" {
			return
		}
		if countRows(f, source); decode.InvalidRow(err) && before[0] == nil {
			err = cmp.Or(writeInvalid(f, ff, source), err)
		}
	}()
	if err := ff.validate(ctx, f, ff.tolerateUnchanged(ctx, f, l, source)); err != nil {
		return err
	}
	if err := l.prepare(ctx, f, ff, source); err != nil {
		return l.notResumed(f, err)
	}
	if !l.prepared.Shown {
		defer limitMemory(source.Len())()
	}
	isAsked := resumed(ctx) == nil
	question := cmp.Or(l.prepared.Question, l.Question)
	if l.Question != "" && isAsked {
		question = l.confirmation(ctx, f, source)
	}
	if question != "" && isAsked {
		ask := f.ConfirmWrite
		if l.prepared.Shown { // its question says where the changes go
			ask = f.Confirm
		}
		if err := ask(ctx, question); err != nil {
			return err
		}
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	sent, err := openMemory(ctx, f, ff, l)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, sent.history.Close()) }()
	j, err := beginJob(ctx, f, ff, l, source)
	if err != nil {
		return err
	}
	if l.Prepare != nil && j.Resumed() && !bytes.Equal(j.Kept, l.kept) {
		_ = j.Close()
		return &cli.UsageError{Message: fmt.Sprintf("another process has begun job %s since the file was compared", j.ID), Hint: "nothing was sent; run the command again to resume that job"}
	}
	if j.Resumed() {
		f.Note("resuming job %s", j.ID)
	}
	var steps []bulk.Step
	if l.Steps != nil {
		steps = l.Steps.Make(c, sent.remember)
	}
	if j.Resumed() && sentPassword(source, j.Table(), steps) {
		f.Note("rows that were sent keep the passwords that they were sent with")
	}
	operation := sent.remember(l.New(c)).Operation
	warnAbandoned(f, j.Abandoned, ff.resendExisting)
	options, err := loadOptions(f, ff, j)
	if err != nil {
		_ = j.Close()
		return err
	}
	unit := "rows"
	if l.Steps != nil {
		unit = "steps"
	}
	bar := newProgress(f, operation.Name, unit)
	bar.throttled = c.Throttled
	f.HideStatus = bar.end // the next update draws the bar again
	options.Progress, options.Count = bar.update, c.Count
	options.ResendSent = f.Flags.ResendSent
	options.Note = func(text string) { f.Note("%s", text) }
	options.OnRefused = func(issue decode.Issue, status int) {
		summaryfile.Add(&f.Summary.RefusedRows, summaryRow(issue, status))
	}
	options.OnUnverified = func(issue decode.Issue, isDoubled bool) {
		list := &f.Summary.MissingRows
		if isDoubled {
			list = &f.Summary.DoubledRows
		}
		summaryfile.Add(list, summaryRow(issue, 0))
	}
	end := resultOf(f, j.Header)
	end.rejects, end.unknown = options.Rejects, options.Unknown
	defer context.AfterFunc(ctx, func() {
		f.Note("waiting for the calls in progress (interrupt again to stop immediately); %s%s resumes the job", end.resume, end.given)
	})()
	var summary job.Summary
	if l.Steps != nil {
		options.Keep = l.Steps.Keep
		summary, err = bulk.RunSteps(ctx, source, steps, j, options)
		end.advice = l.Steps.Advice()
	} else {
		summary, err = bulk.Run(ctx, source, operation, j, options)
	}
	bar.end()
	end.finished = j.Finished()
	if !summary.UnknownWritten {
		why := "no row was unknown"
		if summary.Unknown > 0 {
			why = "the rows with an unknown outcome will be looked up again"
		}
		if _, err := os.Stat(ff.unknown); err == nil && ff.unknown != "" {
			f.Note("%s; --unknown %s is from an earlier run", why, ff.unknown)
		}
		_ = os.Remove(j.Unknown()) // an earlier run may have left it
	}
	ff.noteDiffers(f, l, summary.Differs)
	err = cmp.Or(err, j.Close()) // an error of the write-ahead log is reported once
	f.Summary.Summary, f.Summary.State = summary, summaryfile.StateStopped
	if end.finished {
		f.Summary.State = summaryfile.StateFinished
	}
	// The summary is printed for an interrupted load, too. The error of the load is more
	// important than that of printing it.
	err = end.error(summary, err)
	tell := outcome{Summary: summary, shard: f.Summary.Shard, rejects: options.Rejects, unknown: options.Unknown}
	for row := range ff.readOnly {
		if j.Table().State(uint32(row)) == job.StateSent {
			tell.sentInPart++
		}
	}
	printErr := cmp.Or(tellOutcome(f, out, tell.sentence(), err == nil),
		out.Record(context.WithoutCancel(ctx), summaryRecord(f, shape, f.Summarized(err))))
	if printErr == nil {
		printErr = out.Commit()
	}
	return cmp.Or(err, printErr)
}

// confirmation returns the question with words for the first rows that need it, an empty text if no row needs it.
func (l *Command) confirmation(ctx context.Context, f *cli.Factory, source *rows.Source) string {
	var ids []int64
	n := 0
	for row, err := range source.All() {
		if err != nil || !l.NeedsConfirm(*row) {
			continue
		}
		if !f.Confirms() {
			return l.Question
		}
		if id, ok := row.Values.Get(l.IDField).Int64(); ok && len(ids) < lookup.MaxNamed {
			ids = append(ids, id)
		}
		n++
	}
	if n == 0 {
		return ""
	}
	return l.Question + ": " + l.Name(ctx, ids) + lookup.More(n-len(ids))
}

// prepare calls Prepare, if there is one.
func (l *Command) prepare(ctx context.Context, f *cli.Factory, ff *FileFlags, source *rows.Source) error {
	if l.Prepare == nil {
		return nil
	}
	resumes, err := unfinishedJob(ctx, f, ff, *l, source)
	if err != nil {
		return err
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	l.resumes = resumes
	if l.prepared, err = l.Prepare(ctx, c, source, resumes); err == nil && l.prepared.Keep != nil {
		l.kept, err = json.Marshal(l.prepared.Keep)
	}
	return err
}

// notResumed returns the error of a load that could not be prepared. If it resumes a job, the error and the summary say
// what that has done.
func (l *Command) notResumed(f *cli.Factory, err error) error {
	if l.resumes == nil || cli.ExitCode(err) == cli.ExitUsage {
		return err
	}
	s := l.resumes.Summary
	f.Summary.Summary, f.Summary.State = s, summaryfile.StateStopped
	f.Summary.Outcome = (&outcome{Summary: s, shard: f.Summary.Shard}).sentence()
	end := resultOf(f, l.resumes.Header)
	return end.error(s, err)
}

// limitMemory limits the memory of the process until undo is called.
func limitMemory(rows int) (undo func()) {
	// What a load keeps for all its rows moves to disk, except for the state of each row and
	// the ids that a list has for it.
	limit := debug.SetMemoryLimit(max(76<<20, 60<<20+5*int64(rows)))
	return func() { debug.SetMemoryLimit(limit) }
}

// warnAbandoned notes which rows of a job that --restart abandoned have an unknown
// outcome. No note is needed if the service can be asked which rows exist.
func warnAbandoned(f *cli.Factory, abandoned *job.Abandoned, unverifiable bool) {
	switch {
	case abandoned == nil || !unverifiable:
	case abandoned.Corrupt:
		f.Note("job %s is abandoned; the outcome of its rows is unknown, and they may be loaded twice", abandoned.ID)
	case abandoned.Unknown > 0:
		f.Note("job %s is abandoned; the outcome of %s is unknown, so rows may be loaded twice", abandoned.ID, phrase.Count(abandoned.Unknown, "row", "rows"))
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

// sentPassword reports whether a job has sent a password of the file. steps are those of its rows, nil if a row is one
// write.
func sentPassword(source *rows.Source, t *job.Table, steps []bulk.Step) bool {
	if !source.HoldsSecrets() {
		return false
	}
	isSecret := func(field string) bool { return len(source.WithoutSecrets(rows.Values{{Name: field}})) == 0 }
	return anyRow(source, func(row rows.Row) bool {
		n := uint32(row.Ordinal)
		if len(source.WithoutSecrets(row.Values)) == len(row.Values) {
			return false
		}
		for i, s := range t.Steps() {
			first, end := s.ItemsOf(n)
			if first < end && s.State(uint32(first)) == job.StateSent && slices.ContainsFunc(steps[i].NonIdempotent, isSecret) {
				return true
			}
		}
		return t.State(n) == job.StateSent && steps == nil
	})
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
	o.Rejects, o.Unknown = cmp.Or(ff.rejects, j.Rejects()), cmp.Or(ff.unknown, j.Unknown())
	o.RejectsAlways = ff.rejects != ""
	o.Results, o.SettleTime = ff.results, f.Flags.SettleTime
	return o, nil
}
