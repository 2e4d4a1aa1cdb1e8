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
)

// A run is the work of one process on one step of a job.
type run struct {
	waits    *waits       // of all steps
	src      *rows.Source // of the items of the step
	op       Operation
	opts     Options
	rec      *job.Recorder
	step     string // the name of the step whose items the rows are; empty for rows of a file
	breakers *breaker.Set
	sender   *sender
	snapshot Snapshot // the last snapshot; nil if rows are not compared with one
	boot     job.Boot // of the machine, when the run began
	job      *job.Job // nil if nothing is recorded on disk

	listed   bool // the last list shows a row that this job has sent
	isRead   bool // the last reading came whole
	unlisted bool // the last list lacks a row that this job, or another one, has sent
	unclear  bool // the last reading says of a row neither that the service holds it nor that it does not
	// lead is how long before the end of the settling time the canary is sent: as long as the list was late when it showed the
	// last witness, or as long as may be while nobody knows.
	lead   time.Duration
	lastID int64 // the largest id that the service listed before any row was sent whose outcome is unknown
	// suspected are rows that may be among the new records of the last list, by the reason.
	suspected map[job.Reason][]uint32

	earlier  int // rows that earlier runs have done, and that are not compared again
	vanished int // acknowledged rows that the last list does not show, although it shows the witness
}

// waits say until when a load waits to find out what became of rows, zero until it has to.
type waits struct{ until time.Time }

// newRun returns the run of a step whose items src has, and whose states rec records.
func newRun(l *load, src *rows.Source, step *Step, rec *job.Recorder) *run {
	r := &run{waits: &l.waits, src: src, op: step.Operation, opts: l.opts.withDefaults(step.Operation), rec: rec, step: step.Label, boot: l.boot, job: l.job}
	r.op.countInactive = l.opts.ResendExisting // which compares with the number of records before the job
	r.op.withoutIDs = l.writesRows() && r.op.Creates != "" && l.opts.Results == "" && !l.opts.UpdateExisting
	r.lead = maxLateWait
	r.breakers = breaker.New(r.op.Breaker)
	r.sender = &sender{
		reporter: l, op: &r.op, opts: &r.opts, rec: rec, breakers: r.breakers, began: l.began,
		held: map[uint32]map[string]string{}, told: map[string]uint32{}, first: &ListSnapshot{}, untold: map[string]int{}, others: map[string]int{}, answered: make(chan struct{}),
	}
	if r.op.Unverifiable() {
		r.sender.answer() // no other row can show what became of one
	}
	return r
}

// isIncomplete reports whether err is about some rows only, so that the next step can
// start.
func isIncomplete(err error) bool { return errors.As(err, new(*IncompleteError)) }

// planItems counts the items of each row in each step, and records them before the first
// call. If an earlier run has recorded other items, the rows have changed, which is an
// error.
func (l *load) planItems() error {
	owners := make([][]uint32, len(l.steps)) // by step, the row of each item
	for row, err := range l.src.Again() {
		if err != nil {
			return err
		}
		for i, step := range l.steps {
			for range step.Items(*row) {
				owners[i] = append(owners[i], uint32(row.Ordinal))
			}
		}
		if l.opts.Keep == nil || l.opts.Keep(row.Ordinal) {
			l.src.Keep(row)
		}
	}
	for i := range l.steps {
		if i >= len(l.rec.Table().Steps()) {
			l.rec.Record(job.StepItems(i, owners[i]))
		}
		table := l.rec.Table().Steps()[i]
		if !slices.Equal(table.Rows(), owners[i]) {
			return &decode.FileError{What: fmt.Sprintf("the rows have other %s than when the job started", l.steps[i].Label)}
		}
		l.addStep(table, l.rec.Step(i))
	}
	return l.rec.Sync()
}

// isSkipped reports whether the items of a row are left out of a step, since the first step of the row has not succeeded.
func (l *load) isSkipped(i, row int) bool {
	return i > 0 && (l.isBlocked(row) || !l.tables[0].Succeeded(uint32(row)))
}

func (l *load) hasSentFirst(row int) bool {
	first, end := l.tables[0].ItemsOf(uint32(row))
	return first < end && l.tables[0].State(uint32(first)) == job.StateSent
}

// isBusy reports whether a call is in flight.
func (l *load) isBusy() bool {
	current := l.current.Load()
	return current != nil && current.sender.isBusy()
}

// source returns the source of the items of a step. It leaves out those of rows for which skip returns true. If the load has
// kept all rows for which needs returns true, their file is not read again.
func (l *load) source(i int, skip, needs func(row int) bool) *rows.Source {
	if l.writesRows() {
		return l.src
	}
	return l.src.Expand(l.steps[i].Items, l.steps[i].Identity, l.tables[i].Rows(), skip, needs)
}

// runStep sends the pending items of a step and calls its After.
func (l *load) runStep(ctx context.Context, i int) error {
	step, table := &l.steps[i], l.tables[i]
	if table.Len() == 0 && !l.writesRows() {
		return nil
	}
	skip := func(row int) bool { return l.isSkipped(i, row) }
	wantsFields, resends := step.After != nil || l.opts.Results != "", l.opts.ResendSent && step.Recall != nil
	if !l.writesRows() && !wantsFields && !resends && l.isSettled(table, skip) {
		return nil // without reading the rows again
	}
	r := newRun(l, l.source(i, skip, func(row int) bool {
		return resends || l.opts.Verify || !isPresent(table, row, wantsFields && len(step.Results) > 0)
	}), step, l.recorders[i])
	if step.Recall != nil {
		r.op.Recall = func(ctx context.Context, item *rows.Row) (out Outcome, known bool, err error) {
			if step.Recalls != nil && !step.Recalls(int(table.Rows()[item.Ordinal])) {
				return out, false, nil
			}
			return step.Recall(ctx, item)
		}
	}
	l.runs[i] = r
	var err error
	if l.writesRows() || !table.IsComplete() || resends {
		l.current.Store(r)
		r.recover()
		var resend map[uint32]bool
		if resend, err = r.recall(ctx); err == nil && l.writesRows() {
			err = r.compareAgain(ctx)
		}
		if err == nil {
			l.guard(i, resend, false)
			if l.writesRows() || !l.isSettled(table, skip) {
				err = r.sendAndReconcile(ctx)
			}
		}
		l.calls += r.sender.calls
	}
	if step.After == nil || err != nil && !isIncomplete(err) {
		return err
	}
	l.results[i] = l.stepResults(ctx, i)
	blocked, failed := step.After(ctx, l.results[i])
	for row, reason := range blocked {
		l.blocked[row] = reason
	}
	return cmp.Or(failed, err)
}

// verify reads the service once more for each step that can be read back, and reports the rows of which
// it shows an item several times or not at all.
func (l *load) verify(ctx context.Context) error {
	problems := make([]func(item int) (string, bool), len(l.steps))
	for i := range l.steps {
		step := &l.steps[i]
		switch {
		case !l.writesRows() && !l.tables[i].AnySucceeded():
			continue
		case step.Snapshot == nil:
			l.opts.Note(cmp.Or(step.Label, "the rows") + " can't be read back, so they are not verified")
			if l.writesRows() {
				return nil
			}
			continue
		}
		r := l.runs[i]
		if r == nil {
			skip := func(row int) bool { return !l.tables[0].Succeeded(uint32(row)) }
			r = newRun(l, l.source(i, skip, func(int) bool { return true }), step, l.recorders[i])
		}
		var err error
		if problems[i], err = r.verify(ctx); err == nil {
			err = r.recordDiffering(ctx)
		}
		if err != nil {
			return err
		}
	}
	return l.reportUnverified(func(row *rows.Row) (reason string, isDoubled bool) {
		for i, problem := range problems {
			if problem == nil {
				continue
			}
			first, end := l.tables[i].ItemsOf(uint32(row.Ordinal))
			for item := first; item < end; item++ {
				why, twice := problem(item)
				if why == "" || reason != "" && !(twice && !isDoubled) {
					continue
				}
				reason, isDoubled = join(l.steps[i].labelOf(*row, item-first), why), twice
			}
		}
		return reason, isDoubled
	})
}

// labelOf returns the label of the step with the name of the n-th item of a row.
func (s *Step) labelOf(row rows.Row, n int) string {
	if s.ItemLabel == nil {
		return s.Label
	}
	return s.Label + " " + s.ItemLabel(s.Items(row)[n])
}

// recalls reports whether Recall is asked for the items of a row.
func (s *Step) recalls(row int) bool {
	return s.Recall != nil && (s.Recalls == nil || s.Recalls(row))
}

// isPresent reports whether all items of a row are present, and with withFields whether the fields that the service set
// are known for all of them.
func isPresent(table *job.StepTable, row int, withFields bool) bool {
	first, end := table.ItemsOf(uint32(row))
	for item := uint32(first); item < uint32(end); item++ {
		if table.State(item) != job.StatePresent || withFields && table.Fields(item) == "" {
			return false
		}
	}
	return true
}

// isSettled reports whether nothing is left to send or to reconcile in a step, apart from
// the items of rows that are skipped.
func (l *load) isSettled(table *job.StepTable, skip func(row int) bool) bool {
	for item, row := range table.Rows() {
		if state := table.State(uint32(item)); state.IsUnfinished() && (state != job.StatePending || !skip(int(row))) {
			return false
		}
	}
	return true
}

// guard records the outcome of pending items that Step.Guard does not allow to be sent. It leaves out
//   - the items in resend, which Operation.Recall allows to be sent again,
//   - the items for which Recall is still to be asked, as long as resend is nil,
//   - with heldOnly, the rows whose first step the job has sent, of which only its After knows more.
func (l *load) guard(i int, resend map[uint32]bool, heldOnly bool) {
	step, rec, owners := &l.steps[i], l.recorders[i], l.tables[i].Rows()
	isBefore, resends := resend == nil, l.opts.ResendSent && step.Recall != nil
	if isBefore {
		l.reopen(i)
	}
	if step.Guard == nil {
		return
	}
	isForRecall := func(item uint32, owner int) bool { return resend[item] || isBefore && (resends || step.recalls(owner)) }
	var present []uint32 // what is said of most items is recorded at once
	for _, item := range rec.Table().RowsIn(job.StatePending) {
		owner := int(owners[item])
		if l.isSkipped(i, owner) || heldOnly && l.hasSentFirst(owner) || isForRecall(item, owner) {
			continue
		}
		out := step.Guard(owner)
		state := job.StateOf(out.State)
		if state == job.StateUnknown {
			state = job.StateAmbiguous // StateUnknown is for items that may have been sent
		}
		result := job.Result{State: state, HTTPStatus: out.HTTPStatus, Message: out.Message, Fields: step.resultFields(out.Result)}
		switch {
		case result == job.Result{State: job.StatePresent}:
			present = append(present, item)
		case state != job.StatePending:
			rec.Record(job.RowResult(result, item))
		}
	}
	if present != nil {
		rec.Record(job.RowResult(job.Result{State: job.StatePresent}, present...))
	}
}

// reopen makes the items pending that Step.Resends sends again, and those that Step.RetriesRefused means. It is called before this
// run has sent any of the step.
func (l *load) reopen(i int) {
	step, t := &l.steps[i], l.tables[i]
	var again []uint32
	for item, row := range t.Rows() {
		state := t.State(uint32(item))
		if state == job.StateRefused && step.RetriesRefused || state.Succeeded() && step.Resends != nil && step.Resends(int(row)) {
			again = append(again, uint32(item))
		}
	}
	if again != nil {
		l.recorders[i].Record(job.RowResult(job.Result{State: job.StatePending}, again...))
	}
}

// stepResults returns the result of a step for each row. The step has at most one item for
// each row.
func (l *load) stepResults(ctx context.Context, i int) []StepResult {
	r, table := l.runs[i], l.tables[i]
	_ = r.fetchMissingIDs(ctx) // after an error, After blocks the rows whose ids are missing
	results := make([]StepResult, l.rec.Table().Len())
	for item, row := range table.Rows() {
		results[row] = StepResult{table.State(uint32(item)).String(), r.knownFields(uint32(item))}
	}
	return results
}

// recover prepares the job to be resumed: rows that an earlier run left in flight become
// unknown, and rows of other states become pending if this run may send them again.
func (r *run) recover() {
	found := r.rec.StartRun(r.boot)
	if found.Rows > 0 {
		r.opts.Note(fmt.Sprintf("the last run left %s with an unknown outcome", phrase.Count(found.Rows, "row", "rows")))
	}
	t := r.rec.Table()
	r.sender.takeOver(found)
	// Rows of refused batches are sent again in smaller ones. Those that this run finds invalid are not.
	refused := slices.DeleteFunc(t.RowsIn(job.StateRejectedBatch), func(row uint32) bool { return r.src.IsSendable(int(row)) })
	if len(refused) > 0 {
		r.rec.Record(job.RowResult(job.Result{State: job.StateUnknown}, refused...))
	}
	r.move(job.StateUnknown, job.StatePending, r.opts.ResendUnknown && r.op.Snapshot == nil) // otherwise resendUnknown
	r.move(job.StateAmbiguous, job.StatePending, true)
	r.move(job.StatePresent, job.StatePending, r.opts.ResendSent && r.op.Recall != nil)
	r.move(job.StateDiffers, job.StatePending, r.converges())
	if n := t.Count(job.StatePresent); n > 0 && r.opts.ResendExisting {
		r.opts.Note(fmt.Sprintf("skipping %s that an earlier run found to exist already; use --restart to check again", phrase.Count(n, "row", "rows")))
	}
}

// move gives the rows in a state another one if condition is true.
func (r *run) move(from, to job.State, condition bool) {
	if ordinals := r.rec.Table().RowsIn(from); condition && ordinals != nil {
		r.rec.Record(job.RowResult(job.Result{State: to}, ordinals...))
	}
}

// converges reports whether records with other content are changed.
func (r *run) converges() bool { return r.opts.UpdateExisting && r.op.Converge != nil }
