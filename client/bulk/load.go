package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"reseller/client/bulk/breaker"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/transport"
)

// ErrNotValidated is the error of a load whose source was not validated.
var ErrNotValidated = errors.New("the rows were not validated: call Validate first")

// Begin resumes the unfinished job with the key of the header, or creates one, as
// job.Store.Begin does. src must have been validated.
func Begin(store job.Store, h job.Header, src *rows.Source, restart bool) (*job.Job, error) {
	key, err := store.HashKey(src.Layout.HashKey())
	if err != nil {
		return nil, err
	}
	src.SetHashKey(key)
	return store.Begin(h, job.Input{Counts: rowCounts(src), Opened: src.Opened, CopyTo: src.File.CopyTo}, restart)
}

func rowCounts(src *rows.Source) job.Counts {
	report := &src.Report
	return job.Counts{Rows: src.Len(), ShardRows: report.Rows, Appended: report.Appended, Duplicates: report.Duplicates, Invalid: report.Invalid}
}

// Run sends the rows of src, which must have been validated, one step of all rows after the other, and reconciles rows with
// an unknown outcome. If an error stops the run, the summary counts the rows up to then. Rows that the service refuses are
// not an error. If j is nil, the states of the rows are not stored on disk.
func Run(ctx context.Context, src *rows.Source, steps []Step, j *job.Job, o Options) (job.Summary, error) {
	l, err := newLoad(src, steps, j, o)
	if err != nil {
		return job.Summary{}, err
	}
	if j != nil {
		j.Start(func() time.Duration { return l.opts.now().Sub(l.began) }, func() bool { return l.inFlight.Load() > 0 })
	}
	err = l.run(transport.WithPatience(ctx))
	return l.end(), err
}

// newLoad returns the load of a source, which must have been validated. If j is nil, its table is not stored on disk.
func newLoad(src *rows.Source, steps []Step, j *job.Job, o Options) (*load, error) {
	o = o.withDefaults()
	l := &load{
		src: src, steps: steps, opts: o, job: j, rec: job.NewRecorder(src.Len()), began: o.now(), boot: o.boot(), total: src.Report.Send,
		blocked: map[int]string{},
	}
	if !src.Validated {
		return nil, ErrNotValidated
	}
	if j != nil {
		l.rec = j.Recorder
	}
	if l.writesRows() {
		l.addRun(l.rec.Table().WholeRows(), l.rec)
	}
	if j == nil {
		return l, nil
	}
	if n := l.rec.Table().Len(); n != src.Len() {
		return nil, &decode.FileError{What: fmt.Sprintf("the file has %s, the job %d", phrase.Count(src.Len(), "row", "rows"), n)}
	}
	for row := range src.Len() { // those that are invalid now, but were sent by an earlier run, which made fewer checks
		if l.rec.Table().State(uint32(row)) != job.StatePending && !src.IsSendable(row) {
			l.total++
		}
	}
	for _, id := range j.Stale {
		o.Note(fmt.Sprintf("job %s and the files of its rows were removed: it was stopped, and nobody has resumed it for 90 days", id))
	}
	return l, nil
}

// run runs all steps, and writes the rejects and the results.
func (l *load) run(ctx context.Context) (err error) {
	if !l.writesRows() {
		l.rec.StartRun(l.boot)
		l.rec.SetState(job.StatePending, l.rec.Table().RowsIn(job.StateAmbiguous)) // those that After blocked in an earlier run
		err = l.planItems()
	}
	l.progress() // shows at once how much earlier runs have finished
	for i, r := range l.runs {
		if err != nil && !isIncomplete(err) {
			break
		}
		for n, other := range l.runs { // the outcomes that need no call are known then even if the run ends before their step
			if i == 0 && (n == 0 || l.steps[0].Guard != nil) || i == 1 && n > 0 {
				other.guard(nil, i == 0 && n > 0)
			}
		}
		if failed := r.runStep(ctx); err == nil || !isIncomplete(failed) {
			err = cmp.Or(failed, err)
		}
	}
	open := l.rec.Table().RollUp()
	if l.opts.Verify && (err == nil || isIncomplete(err)) {
		err = cmp.Or(l.verify(ctx), err)
	}
	if l.writesRows() {
		t := l.rec.Table()
		open = !t.IsReconciled() || t.Done() < l.total
	}
	if l.isComplete = err == nil && !open; !l.isComplete && !l.writesRows() {
		l.noteSteps()
	}
	return l.writeFiles(ctx, err)
}

func (l *load) end() job.Summary {
	requests, retries := 0, 0
	for _, r := range l.runs {
		requests += r.sender.calls
	}
	if l.opts.Count != nil {
		requests, retries = l.opts.Count()
	}
	l.rec.Record(job.RunEnded(requests, retries, l.opts.now().Sub(l.began)))
	l.rec.Halt()
	header := job.Header{Key: job.Key{Operation: l.steps[0].Name}, Counts: rowCounts(l.src)}
	if l.job != nil {
		header.ID, header.Operation = l.job.ID, l.job.Operation
		header.Invalid -= l.total - l.src.Report.Send // those that were sent nevertheless
	}
	sum := job.Summarize(header, l.rec.Table())
	sum.Unlisted = l.unlisted
	sum.Verification, sum.MissingIn, sum.UnknownWritten, sum.RejectsWritten = l.verification, l.missingIn, l.unknownWritten, l.rejectsWritten
	for _, r := range l.runs {
		if l.writesRows() && l.verification == nil {
			sum.Earlier = r.earlier
		}
		sum.Unverifiable = sum.Unverifiable || r.op.Unverifiable() && r.table.Count(job.StateUnknown, job.StateAmbiguous) > r.guarded || r.isUndecidable()
		sum.MayBeShown = sum.MayBeShown || r.op.Snapshot != nil && r.table.Count(job.StateUnknown) > 0
		sum.PartialSteps = sum.PartialSteps || !l.writesRows() && r.table.Count(job.StateSent, job.StateDiffers) > 0
	}
	return sum
}

// noteSteps notes how many items of each step were sent, of those that need it: a row counts as sent only once all its steps are.
func (l *load) noteSteps() {
	var parts []string
	for _, r := range l.runs {
		if n := r.table.Count(job.StateSent); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d of %d", r.step.Label, n, r.table.Len()-r.table.Count(job.StatePresent, job.StateDiffers)))
		}
	}
	if parts != nil {
		l.opts.Note("sent by now: " + strings.Join(parts, ", "))
	}
}

func (l *load) addRun(t *job.StepTable, rec *job.Recorder) {
	s := l.steps[len(l.runs)]
	r := &run{load: l, step: s, table: t, rec: rec, src: l.src, op: s.Operation, opts: l.opts, lead: maxLateWait, held: lines{note: l.opts.Note}, breakers: breaker.New(s.Breaker)}
	if !l.writesRows() {
		r.src = l.src.Expand(s.Items, s.Identity, t.Rows(), r.isSkipped)
	}
	r.op.countInactive = l.opts.ResendExisting // which compares with the number of records before the job
	r.op.withoutIDs = l.writesRows() && r.op.Creates != "" && l.opts.Results == "" && !l.opts.UpdateExisting
	if s.MaxBatch > 0 {
		r.opts.BatchSize = min(r.opts.BatchSize, s.MaxBatch)
	}
	r.sender = newSender(r)
	l.runs = append(l.runs, r)
}
