package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
	report := src.Report
	key, err := store.HashKey(src.Layout.HashKey())
	if err != nil {
		return nil, err
	}
	src.SetHashKey(key)
	return store.Begin(h, job.Input{
		Rows: src.Len(), ShardRows: report.Rows, Duplicates: report.Duplicates, Invalid: report.Invalid,
		Opened: src.Opened, CopyTo: src.File.CopyTo,
	}, restart)
}

// Run sends the rows of src, which must have been validated, and reconciles rows with
// an unknown outcome. If an error stops the run, the summary counts the rows up to then.
// Rows that the service refuses are not an error. If j is nil, the states of the rows
// are not stored on disk.
func Run(ctx context.Context, src *rows.Source, op Operation, j *job.Job, o Options) (job.Summary, error) {
	r, header, err := prepareRun(src, op, j, o)
	if err != nil {
		return job.Summary{}, err
	}
	if j != nil {
		j.Start(r.sender.elapsed, r.sender.isBusy)
	}
	err = r.run(transport.WithPatience(ctx))
	sum := r.end(header, r.sender.calls)
	sum.Unverifiable = op.Unverifiable() || r.isUndecidable()
	return sum, err
}

// A run is the work of one process on a job, or on one step of it.
type run struct {
	src      *rows.Source
	op       Operation
	opts     Options
	rec      *job.Recorder
	began    time.Time
	total    int    // rows to send, including those that earlier runs have sent
	step     string // the name of the step whose items the rows are; empty for rows of a file
	breakers *breaker.Set
	sender   *sender
	files    outputFiles
	snapshot Snapshot // the last snapshot; nil if rows are not compared with one
	boot     job.Boot // of the machine, when the run began
	job      *job.Job // nil if nothing is recorded on disk

	verification *job.Verification // of the last reading; nil if there was none

	waits    *waits // of all steps of a load
	listed   bool   // the last list shows a row that this job has sent
	isRead   bool   // the last reading came whole
	unlisted bool   // the last list lacks a row that this job, or another one, has sent
	unclear  bool   // the last reading says of a row neither that the service holds it nor that it does not
	lastID   int64  // the largest id that the service listed before any row was sent whose outcome is unknown
	// suspected are rows that may be among the new records of the last list, by the reason.
	suspected map[string][]uint32

	vanished int // acknowledged rows that the last list does not show, although it shows the witness
}

// waits say until when a load waits to find out what became of rows.
type waits struct {
	until  time.Time // zero until the load has to wait
	isLate bool      // it waits for a list that is late
}

// prepareRun checks that src can be loaded, and returns the run and the header for the
// summary. If j is nil, the run has a table that is not stored on disk.
func prepareRun(src *rows.Source, op Operation, j *job.Job, o Options) (*run, job.Header, error) {
	o = o.withDefaults(op)
	report := src.Report
	header := job.Header{Key: job.Key{Operation: op.Name}, ShardRows: report.Rows, Duplicates: report.Duplicates, Invalid: report.Invalid}
	if !src.Validated {
		return nil, header, ErrNotValidated
	}
	total := report.Send
	rec := job.NewRecorder(src.Len())
	if j != nil {
		rec, header.ID, header.Operation = j.Recorder, j.ID, j.Operation
		if n := rec.Table().Len(); n != src.Len() {
			return nil, header, &decode.FileError{What: fmt.Sprintf("the file has %s, the job %d", phrase.Count(src.Len(), "row", "rows"), n)}
		}
		sent := sentInvalid(rec.Table(), src)
		header.Invalid -= sent
		total += sent
		for _, id := range j.Stale {
			o.Note(fmt.Sprintf("job %s and the files of its rows were removed: it was stopped, and nobody has resumed it for 90 days", id))
		}
	}
	op.withoutIDs = op.Creates != "" && o.Results == "" && !o.UpdateExisting
	r := newRun(src, op, rec, o, o.Now(), total)
	r.job = j
	return r, header, nil
}

// newRun returns a run that records the states of its rows with rec.
func newRun(src *rows.Source, op Operation, rec *job.Recorder, o Options, began time.Time, total int) *run {
	r := &run{src: src, op: op, opts: o.withDefaults(op), rec: rec, began: began, total: total, waits: &waits{}}
	r.op.countInactive = o.ResendExisting // which compares with the number of records before the job
	r.breakers, r.boot = breaker.New(op.Breaker), r.opts.Boot()
	r.sender = &sender{op: &r.op, opts: &r.opts, rec: rec, breakers: r.breakers, began: began, total: total, place: src.Place, told: map[string]int{}, untold: map[string]int{}, answered: make(chan struct{})}
	if op.Unverifiable() {
		r.sender.answer() // no other row can show what became of one
	}
	r.files = outputFiles{src: src, opts: &r.opts, rec: rec}
	return r
}

// sentInvalid returns the number of rows that are invalid now but were sent by an earlier
// run, which made fewer checks.
func sentInvalid(t *job.Table, src *rows.Source) (n int) {
	for row := range t.Len() {
		if t.State(uint32(row)) != job.StatePending && (src.IsInvalid(row) || src.InConflict(row)) {
			n++
		}
	}
	return n
}

// run recovers the job, sends its rows, and writes the rejects and the results.
func (r *run) run(ctx context.Context) error {
	r.recover()
	_, err := r.recall(ctx)
	if err == nil {
		err = r.compareAgain(ctx)
	}
	r.sender.progress() // shows at once how many rows earlier runs have finished
	if err == nil {
		err = r.sendAndReconcile(ctx)
	}
	if err == nil && r.opts.Verify && r.op.Snapshot == nil {
		r.opts.Note("the rows can't be read back, so they are not verified")
	} else if err == nil && r.opts.Verify {
		var problem func(row int) (string, bool)
		if problem, err = r.verify(ctx); err == nil {
			err = r.reportUnverified(func(row *rows.Row) (string, bool) { return problem(row.Ordinal) })
		}
	}
	t := r.rec.Table()
	r.files.isComplete = err == nil && t.IsReconciled() && t.Done() >= r.total
	if err == nil {
		err = r.reportUnknown(r.unknownReason)
	}
	return r.writeFiles(ctx, err)
}

// recover prepares the job to be resumed: rows that an earlier run left in flight become
// unknown, and rows of other states become pending if this run may send them again.
func (r *run) recover() {
	found := r.rec.StartRun(r.boot)
	if found.Rows > 0 {
		r.opts.Note(fmt.Sprintf("the last run left %s with an unknown outcome", phrase.Count(found.Rows, "row", "rows")))
	}
	t := r.rec.Table()
	r.sender.evidence, r.sender.recorded = found.Evidence, found.Evidence
	if t.Count(job.StateUnknown) > 0 {
		r.sender.addDoubt(found.Ago, found.LongestCall)
	}
	if t.Count(job.StateRejectedBatch) > 0 {
		r.sender.rejected = r.opts.Now()
	}
	if now := r.opts.Now(); found.SentAgo > 0 { // when exactly it was acknowledged is not known
		sent := now.Add(-found.SentAgo)
		r.sender.witness = &witness{row: found.Witness, sent: sent, acknowledged: sent, others: now}
	}
	// Rows of refused batches are sent again in smaller ones. Those that this run finds invalid are not.
	refused := slices.DeleteFunc(t.RowsIn(job.StateRejectedBatch), func(row uint32) bool { return r.src.IsSendable(int(row)) })
	if len(refused) > 0 {
		r.rec.Record(job.RowResult(job.Result{State: job.StateUnknown}, refused...))
	}
	r.requeue(job.StateUnknown, r.opts.ResendUnknown)
	r.requeue(job.StateAmbiguous, true)
	r.requeue(job.StatePresent, r.opts.ResendSent && r.op.Recall != nil)
	r.requeue(job.StateDiffers, r.converges())
	if n := t.Count(job.StatePresent); n > 0 && r.opts.ResendExisting {
		r.opts.Note(fmt.Sprintf("skipping %s that an earlier run found to exist already; use --restart to check again", phrase.Count(n, "row", "rows")))
	}
}

// requeue makes the rows in a state pending if condition is true.
func (r *run) requeue(s job.State, condition bool) {
	if ordinals := r.rec.Table().RowsIn(s); condition && ordinals != nil {
		r.rec.Record(job.RowResult(job.Result{State: job.StatePending}, ordinals...))
	}
}

// compareAgain makes the rows of a load of changes pending that earlier runs sent or found, and of which the service holds
// something else by now: what somebody has changed since is sent again, unless that could do a second time what a late list
// does not show.
func (r *run) compareAgain(ctx context.Context) error {
	if !r.op.Changes || r.rec.Table().Count(job.StateSent, job.StatePresent, job.StateDiffers) == 0 {
		return nil
	}
	if !r.op.Idempotent {
		r.opts.Note("the rows of earlier runs are not compared again, since a list that is late could have them carried out twice")
		return nil
	}
	snapshot, err := takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{Reconciling: true})
	if err != nil {
		return err
	}
	rc := &reconciler{run: r, comparesAgain: true}
	found, _, err := rc.compareRows(ctx, snapshot, nil, false)
	if changed := absentIn(found); err == nil && changed != nil {
		r.opts.Note(phrase.Count(len(changed), "row of an earlier run is", "rows of earlier runs are") + " sent again: the service holds something else by now")
		r.rec.Record(job.RowResult(job.Result{State: job.StatePending}, changed...))
	}
	return err
}

// recall records the outcomes of rows that earlier loads have sent, as far as
// Operation.Recall knows them, and notes their lines. It returns the rows that are known
// and may be sent again.
func (r *run) recall(ctx context.Context) (resend map[uint32]bool, err error) {
	t := r.rec.Table()
	if r.op.Recall == nil || t.Count(job.StatePending, job.StateUnknown) == 0 {
		return nil, nil
	}
	resend = map[uint32]bool{}
	noted := 0
	for row, err := range r.src.Valid() {
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return nil, err
		}
		n := uint32(row.Ordinal)
		state := t.State(n)
		if state != job.StatePending && state != job.StateUnknown {
			continue
		}
		out, known, err := r.op.Recall(ctx, row)
		switch {
		case err != nil:
			return nil, err
		case !known:
			continue
		case out.State == Absent:
			resend[n] = true
			continue
		case state == job.StateUnknown && out.State != Present:
			continue
		case state == job.StateUnknown:
			r.rec.Record(job.RowResult(job.Result{State: job.StateSent, Fields: r.op.resultFields(out.Result)}, n)) // by this job, as the intent is its own
			continue
		case out.State == Present:
			r.rec.Record(job.RowResult(job.Result{State: job.StatePresent, Fields: r.op.resultFields(out.Result)}, n))
		default: // StateUnknown is for rows that this job may have sent
			r.rec.Record(job.RowResult(job.Result{State: job.StateAmbiguous, Message: out.Message}, n))
			if r.step == "" {
				continue // reportUnknown notes the line
			}
		}
		if noted++; noted <= maxUnknownLines {
			r.opts.Note(fmt.Sprintf("%s: %s", r.src.Place(row.Line), join(r.step, out.Message)))
		}
	}
	if noted > maxUnknownLines {
		r.opts.Note(join(r.step, phrase.Count(noted-maxUnknownLines, "more was", "more were")+" sent before"))
	}
	return resend, nil
}

// join puts the name of a step before a text, unless it is empty.
func join(step, text string) string {
	if step == "" {
		return text
	}
	return step + ": " + text
}

// fetchBaseline takes a snapshot of a list before the first call. With
// Options.ResendExisting it only records, as a baseline, the number of records for each
// row, once for the whole job. The list may not show yet what other jobs have just sent, so
// the number of such rows is unknown.
func (r *run) fetchBaseline(ctx context.Context) error {
	r.lastID = r.rec.Table().LastID()
	if r.op.Snapshot == nil || r.op.perRow() || r.opts.ResendExisting && r.rec.Table().HasBaseline() {
		return nil
	}
	snapshot, err := takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{})
	if err != nil {
		return err
	}
	if list, ok := snapshot.(*ListSnapshot); ok && r.lastID < 0 {
		r.lastID = list.lastID
		r.rec.Record(job.LastID(r.lastID))
	}
	if !r.opts.ResendExisting {
		r.snapshot = snapshot
		return nil
	}
	recent := map[int]string{}
	if r.op.Creates != "" && r.job != nil {
		index, err := r.src.Index()
		if err == nil {
			recent, err = sentRows(r.job, r.op.Creates, maxListLag, r.boot, index.Find)
		}
		if err != nil {
			return err
		}
	}
	byCount := map[int][]uint32{0: nil} // an event for no rows records that the list was read
	if list, ok := snapshot.(*ListSnapshot); ok {
		for row := range r.rec.Table().Len() {
			n := list.at(row).Count
			if recent[row] != "" {
				n = unknownBaseline
			}
			if n > 0 {
				byCount[n] = append(byCount[n], uint32(row))
			}
		}
	}
	for n, ordinals := range byCount {
		r.rec.Record(job.Baseline(byte(n), ordinals))
	}
	return nil
}

// end records the counts of a run, makes all events durable, and returns the summary of the job.
func (r *run) end(header job.Header, calls int) job.Summary {
	requests, retries := calls, 0
	if r.opts.Count != nil {
		requests, retries = r.opts.Count()
	}
	r.rec.Record(job.RunEnded(requests, retries, r.opts.Now().Sub(r.began)))
	r.rec.Halt()
	sum := job.Summarize(header, r.rec.Table())
	sum.Verification, sum.UnknownWritten, sum.RejectsWritten = r.verification, r.files.unknownWritten, r.files.rejectsWritten
	return sum
}

// previewMemories takes over in a job.Store.Preview what other jobs have sent.
func previewMemories(src *rows.Source, op Operation, j *job.Job, o Options, snapshot Snapshot) error {
	index, err := src.Index()
	if err != nil {
		return err
	}
	r := newRun(src, op, j.Recorder, o, o.Now(), src.Len())
	r.job, r.snapshot = j, snapshot
	return r.takeMemories(index)
}
