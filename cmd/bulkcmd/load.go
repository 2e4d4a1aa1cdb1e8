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
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/history"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/output"
	"reseller/output/summaryfile"
)

type Command struct {
	// New returns the load of the resource. Its client is nil if nothing is called: for
	// an example file, or for a dry run that reads nothing.
	New       func(c *client.Client) loads.Load
	Constants schema.Values // values of all rows, from flags
	Defaults  schema.Values // values of rows without one of their own
	JobKey    []string      // further flags that identify the job, as NAME=VALUE
	// Verb, such as Delete, begins the question that is asked before anything is sent, if NeedsConfirm reports that a
	// row needs it. Name returns words for the first of these rows by their ids in the field IDField.
	Verb, IDField string
	NeedsConfirm  func(rows.Row) bool
	Name          func(ctx context.Context, ids []int64) string
	Steps         *Steps // nil if a row is one write
	Prunes        bool   // accounts that the file does not name are deactivated, and counted apart
	// Prepare is called when the file is valid, before anything is sent and before a question. It
	// may read the service, refuse rows of the source and append others. resumes is the job that
	// the load resumes, nil if it begins one. Prepare may be nil.
	Prepare func(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (Prepared, error)
}

type Prepared struct {
	First    bulk.Snapshot // what Prepare has read of the rows; nil if it has not read the service for them
	Keep     any           // data that the job keeps, as JSON, for the run that resumes it
	Question string        // to ask before anything is sent, unless Session.SendsUnasked; empty for none
	Shown    bool          // Prepare has shown what the load changes
}

// A load is one execution of a Command: open, check, confirm, begin, send, report.
type load struct {
	Command
	*FileFlags
	f        *cli.Frame
	resource loads.Load // New without a client
	prepared Prepared
	kept     json.RawMessage  // Prepared.Keep
	resumes  *job.Status      // of the job that Prepare was called for, nil if the load begins one
	sent     *history.History // of the rows that commands have sent before; nil if it is not needed
}

// Run validates the rows of a file, sends them in batches and prints a summary.
func Run(ctx context.Context, f *cli.Frame, ff *FileFlags, c Command) (err error) {
	l := &load{Command: c, FileFlags: ff, f: f, resource: c.New(nil)}
	if shown, err := ff.Example(f.Session, f.Output, l.resource.Schema.Resource, l.resource.Schema.Use); shown {
		return err
	}
	if l.Steps != nil {
		f.Outcome.Summary.StepCounts = &job.StepCounts{}
	}
	if err := l.open(ctx); err != nil {
		return err
	}
	defer func() { err = l.hintBusy(err) }()
	f.Outcome.Summary.Operation = l.resource.Operation.Name
	defer func() { _ = l.source.Close() }()
	before := l.outputFiles()
	defer func() { err = f.Both(err, l.ensureFiles(before)) }()
	defer func() { err = f.Both(err, l.sent.Close()) }()
	if f.Flags.DryRun {
		return l.dryRun(ctx)
	}
	shape := l.summaryShape()
	out, err := f.Output.Open(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	// Everything that is invalid in the file is reported before a question is
	// asked or a call made.
	defer func() {
		if f.Outcome.Summary.State != "" {
			return
		}
		countRows(f.Outcome, l.source)
		if decode.InvalidRow(err) && before[2] == nil {
			err = cmp.Or(l.writeInvalid(), err)
		}
	}()
	if err := l.check(ctx); err != nil {
		return l.notResumed(err)
	}
	if !l.prepared.Shown {
		defer cli.Loading(l.source.Len()).Use()()
	}
	if err := l.confirm(ctx); err != nil {
		return err
	}
	j, err := l.begin(ctx)
	if err != nil {
		return err
	}
	summary, end, err := l.send(ctx, j)
	return l.report(ctx, out, shape, j, summary, end, err)
}

func (l *load) check(ctx context.Context) error {
	if err := l.validate(ctx, l.f, l.refuseChanged); err != nil || l.Prepare == nil {
		return err
	}
	resumes, err := l.unfinishedJob(ctx)
	if err == nil {
		err = l.awaitUpdates(ctx)
	}
	if err != nil {
		return err
	}
	c, err := l.f.Client()
	if err != nil {
		return err
	}
	l.resumes = resumes
	if l.prepared, err = l.Prepare(ctx, c, l.source, resumes); err == nil && l.prepared.Keep != nil {
		l.kept, err = json.Marshal(l.prepared.Keep)
	}
	return err
}

// notResumed returns the error of a load that failed its check. If it resumes a job, the error and the summary say
// how far the job has come.
func (l *load) notResumed(err error) error {
	if l.resumes == nil || cli.ExitCode(err) == cli.ExitUsage {
		return err
	}
	s := l.resumes.Summary
	l.f.Outcome.Summary.Summary, l.f.Outcome.Summary.State = s, summaryfile.StateStopped
	l.f.Outcome.Summary.Outcome = (&telling{Summary: s, shard: l.f.Outcome.Summary.Shard}).sentence()
	end := resultOf(l.f.Session, l.resumes.Header)
	return end.error(s, err)
}

// confirm asks the question of the load, unless it resumes a job.
func (l *load) confirm(ctx context.Context) error {
	question, ask := l.prepared.Question, l.f.Prompt.Confirm // it says where the changes go
	switch {
	case l.f.Resumes != nil || question != "" && l.f.SendsUnasked():
		return nil
	case l.Verb != "" && !l.f.Flags.Yes:
		question, ask = l.confirmation(ctx), l.f.Prompt.ConfirmWrite
	}
	if question == "" {
		return nil
	}
	if l.f.Confirms() { // what was read before a question may be old when it is answered
		l.prepared.First = nil
	}
	return ask(question)
}

// confirmation returns the question with the number of the rows that need it and words for the first, an empty text if no row
// needs it.
func (l *load) confirmation(ctx context.Context) string {
	var ids []int64
	n := 0
	for row, err := range l.source.All() {
		if err != nil || !l.NeedsConfirm(*row) {
			continue
		}
		if id, ok := row.Values.Get(l.IDField).Int64(); ok && len(ids) < lookup.MaxNamed {
			ids = append(ids, id)
		}
		n++
	}
	if n == 0 {
		return ""
	}
	question := fmt.Sprintf("%s the %s of %s in %s", l.Verb, subjects[l.resource.Operation.Name].many, phrase.Count(n, "row", "rows"), l.source.File.Name)
	if l.f.Confirms() {
		question += ": " + l.Name(ctx, ids) + lookup.More(n-len(ids))
	}
	return question
}

func (l *load) begin(ctx context.Context) (*job.Job, error) {
	if _, err := l.f.Client(); err != nil {
		return nil, err
	}
	if err := l.openHistory(ctx); err != nil {
		return nil, err
	}
	if l.Prepare == nil { // otherwise check has waited
		if err := l.awaitUpdates(ctx); err != nil {
			return nil, err
		}
	}
	j, err := l.beginJob(ctx)
	if err != nil {
		return nil, err
	}
	if l.Prepare != nil && j.Resumed() && !bytes.Equal(j.Kept, l.kept) {
		_ = j.Close()
		return nil, cli.NotYet("nothing was sent; run the command again to resume that job", "another process has begun job %s since the file was compared", j.ID)
	}
	if j.Resumed() {
		if err := cmp.Or(l.sent.Update(), l.checkPasswords(ctx, j)); err != nil {
			_ = j.Close()
			return nil, err
		}
		l.f.Note("resuming job %s", j.ID)
	}
	return j, nil
}

// send sends the rows of a job, which it closes.
func (l *load) send(ctx context.Context, j *job.Job) (summary job.Summary, end loadResult, err error) {
	f := l.f
	c, err := f.Client()
	if err != nil {
		return summary, end, err
	}
	operation := l.make(c).Operation
	steps, unit := bulk.Rows(operation), "rows"
	if l.Steps != nil {
		steps, unit = l.Steps.Make(c, l.remember, j), "steps"
	}
	if l.Steps != nil && j.Resumed() && sentPassword(l.source, j.Table(), steps) {
		f.Note("rows that were sent keep the passwords that they were sent with")
	}
	var numbers lookup.Numbers
	for i := range steps {
		watchIdentifiers(&steps[i].Operation, &numbers)
	}
	warnAbandoned(f.Session, j.Abandoned, l.ResendExisting)
	end = resultOf(f.Session, j.Header)
	unknown := j.Unknown()
	end.rejects, end.unknown = cmp.Or(l.Rejects, j.Rejects()), cmp.Or(l.Unknown, unknown)
	options := l.options()
	options.Rejects, options.Unknown, options.RejectsAlways = end.rejects, end.unknown, l.Rejects != ""
	bar := newProgress(f.Session, operation.Name, unit)
	bar.throttled = c.Throttled
	f.HideStatus = bar.end // the next update draws the bar again
	options.Progress, options.Count = bar.update, c.Count
	told := &f.Outcome.Summary
	lists := map[string]*[]summaryfile.Row{bulk.Refused: &told.RefusedRows, bulk.Unknown: &told.UnknownRows, bulk.Doubled: &told.DoubledRows, bulk.Missing: &told.MissingRows}
	options.OnRow = func(what string, issue decode.Issue, status int) {
		summaryfile.Add(lists[what], summaryRow(issue, status))
	}
	defer context.AfterFunc(ctx, func() {
		f.Note("waiting for the calls in progress (interrupt again to stop immediately); %s resumes the job", end.resume)
	})()
	if summary, err = bulk.Run(ctx, l.source, steps, j, options); l.Steps != nil {
		end.advice = l.Steps.Advice()
	}
	bar.end()
	end.correction = l.correction(end.rejects)
	end.finished = j.Finished()
	if l.Rejects == "" && summary.Refused+summary.Invalid == 0 {
		_ = os.Remove(end.rejects) // of an earlier run
	}
	if summary.Unknown == 0 && !summary.UnknownWritten { // a refused row may be unknown in part
		_ = os.Remove(unknown) // an earlier run may have left it
		if l.Unknown != "" && (err == nil || summary.Sent+summary.Present+summary.Differs+summary.Refused > 0) {
			w := rows.NewWriter(l.source, l.Unknown, "error", "http_status")
			w.Always = true
			err = cmp.Or(err, w.Commit())
		}
	}
	numbers.Note(f.Session)
	l.noteDiffers(summary.Differing, summary.Unlisted)
	return summary, end, cmp.Or(err, j.Close()) // an error of the write-ahead log is reported once
}

// correction returns words for the flags by which the command of the load reads the rejects as what they are, all of them, and for
// these customers alone.
func (l *load) correction(rejects string) (words string) {
	written := l.source.File.WrittenAs(rejects)
	if read := cmp.Or(l.format, decode.FormatOfName(rejects)); read != "" && read != written {
		words = ", with --input-format " + written
	}
	for _, name := range []string{"shard", "prune", "plan-file"} {
		if l.command.Flags().Changed(name) {
			words += ", without --" + name
		}
	}
	return words
}

func watchIdentifiers(op *bulk.Operation, numbers *lookup.Numbers) {
	if send := op.Send; strings.HasPrefix(op.Name, "accounts.v") {
		op.Send = func(group []rows.Row) bulk.Call {
			numbers.Add(group[0].Values.Get("external_account_identifier"))
			return send(group)
		}
	}
}

// report prints the summary of a load that was sent, also of one that was interrupted.
func (l *load) report(ctx context.Context, out *cli.Out, shape output.Shape, j *job.Job, summary job.Summary, end loadResult, err error) error {
	s := &l.f.Outcome.Summary
	s.Summary, s.State = summary, summaryfile.StateStopped
	if end.finished {
		s.State = summaryfile.StateFinished
	}
	err = end.error(summary, err)
	tell := telling{Summary: summary, shard: s.Shard, rejects: end.rejects, unknown: end.unknown}
	for row := range l.readOnly {
		if j.Table().State(uint32(row)) == job.StateSent {
			tell.sentInPart++
		}
	}
	printErr := tellOutcome(l.f, out, tell.sentence(), err == nil)
	rec := cli.RecordOf(l.f.Outcome.Summarized(err))
	if isForPeople(l.f.Session, l.f.Output) { // faults and refused rows, which are lists, were told on stderr
		rec = rec.Only(phrase.Each(shape.Columns, func(c output.Column) string { return c.Name })...)
	}
	if printErr = cmp.Or(printErr, out.Record(context.WithoutCancel(ctx), rec)); printErr == nil {
		printErr = out.Commit()
	}
	if err == nil && printErr != nil {
		printErr = fmt.Errorf("%s, and the outcome can't be printed: %w", cmp.Or(tell.sentence(), "the load is complete"), printErr)
	}
	return l.f.Both(err, printErr)
}

// warnAbandoned notes which rows of a job that --restart abandoned have an unknown
// outcome. No note is needed if the service can be asked which rows exist.
func warnAbandoned(session *cli.Session, abandoned *job.Abandoned, unverifiable bool) {
	switch {
	case abandoned == nil || !unverifiable:
	case abandoned.Corrupt:
		session.Note("job %s is abandoned; the outcome of its rows is unknown, and they may be loaded twice", abandoned.ID)
	case abandoned.Unknown > 0:
		session.Note("job %s is abandoned; the outcome of %s is unknown, so rows may be loaded twice", abandoned.ID, phrase.Count(abandoned.Unknown, "row", "rows"))
	}
}

func (l *load) openHistory(ctx context.Context) (err error) {
	if l.Steps != nil || l.resource.NeedsHistory() {
		if l.sent, err = l.f.History(ctx); l.sent != nil {
			l.sent.Unsure = l.ResendUnknown
		}
	}
	return err
}

// make returns the load of a client, which begins with what Prepare has read.
func (l *load) make(c *client.Client) loads.Load {
	made := l.remember(l.New(c))
	made.Operation.BeginsWith(l.prepared.First)
	l.prepared.First = nil
	return made
}

func (l *load) remember(x loads.Load) loads.Load { return x.Remember(l.sent) }

// checkPasswords returns an error if a row that a resumed job has sent has another password by now, which nobody would send.
func (l *load) checkPasswords(ctx context.Context, j *job.Job) error {
	recall := l.remember(l.resource).Operation.Recall
	if recall == nil || !l.source.Layout.HoldsSecrets() {
		return nil
	}
	for row, err := range l.source.All() {
		if err != nil || j.Table().State(uint32(row.Ordinal)) != job.StateSent {
			continue
		}
		if _, isKnown, err := recall(ctx, row); err != nil {
			return err
		} else if !isKnown {
			return cli.Usagef("%s: this machine does not remember that job %s has sent the password of the file", l.Place(row.Line), j.ID).
				Hinted("nothing was sent now; --restart begins a new job, which sends all that it does not remember")
		}
	}
	return nil
}

func sentPassword(source *rows.Source, t *job.Table, steps []bulk.Step) bool {
	if !source.Layout.HoldsSecrets() {
		return false
	}
	isSecret := func(field string) bool { return len(source.Layout.WithoutSecrets(rows.Values{{Name: field}})) == 0 }
	for row, err := range source.All() {
		if err != nil || len(source.Layout.WithoutSecrets(row.Values)) == len(row.Values) {
			continue
		}
		for i, s := range t.Steps() {
			first, end := s.ItemsOf(uint32(row.Ordinal))
			if first < end && s.State(uint32(first)) == job.StateSent && slices.ContainsFunc(steps[i].NonIdempotent, isSecret) {
				return true
			}
		}
	}
	return false
}
