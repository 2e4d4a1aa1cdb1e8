package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// isIncomplete reports whether err is about some rows only, so that the next step can
// start.
func isIncomplete(err error) bool { return errors.As(err, new(*IncompleteError)) }

// planItems counts the items of each row in each step, and records them before the first
// call. If an earlier run has recorded other items, the rows have changed, which is an
// error.
func (l *load) planItems() error {
	owners := make([][]uint32, len(l.steps)) // by step, the row of each item
	for row, err := range l.src.Valid() {
		if err != nil {
			return err
		}
		for i, step := range l.steps {
			for range step.Items(*row) {
				owners[i] = append(owners[i], uint32(row.Ordinal))
			}
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
		l.addRun(table, l.rec.Step(i))
	}
	return l.rec.Sync()
}

// isSkipped reports whether the items of a row are left out of a step, since the first step of the row has not succeeded.
func (r *run) isSkipped(row int) bool {
	first := r.load.runs[0]
	return r != first && (r.load.blocked[row] != "" || !first.table.Succeeded(uint32(row)))
}

// runStep sends the pending items of the step and calls its After.
func (r *run) runStep(ctx context.Context) (err error) {
	isWhole, wantsFields, resends := r.load.writesRows(), r.step.After != nil || r.opts.Results != "", r.opts.ResendSent && r.op.Recall != nil
	if !isWhole && (r.table.Len() == 0 || !wantsFields && !resends && r.isSettled()) {
		return r.recallRunning() // without reading the rows again
	}
	r.reached = true
	if isWhole || !r.table.IsComplete() || resends {
		var resend map[uint32]bool
		if resend, err = r.takeUp(ctx); err == nil {
			r.guard(resend, false)
			if isWhole || !r.isSettled() {
				err = r.sendAndReconcile(ctx)
			}
		}
	}
	if r.step.After == nil || err != nil && !isIncomplete(err) {
		return err
	}
	_ = r.fetchMissingIDs(ctx) // after an error, After blocks the rows whose ids are missing
	r.results = make([]StepResult, r.load.rec.Table().Len())
	for item, row := range r.table.Rows() { // at most one item for each row
		r.results[row] = StepResult{r.table.State(uint32(item)).String(), r.knownFields(uint32(item))}
	}
	blocked, failed := r.step.After(ctx, r.results)
	for row, why := range blocked {
		r.load.blocked[row] = why
		r.load.rec.SetState(job.StateAmbiguous, []uint32{uint32(row)}) // which the journal shows
	}
	return cmp.Or(failed, err)
}

// recallRunning is recallJobs for a step that has nothing to send: of what it found as the file says, another job may be changing some.
func (r *run) recallRunning() error {
	if !r.op.Changes || r.load.job == nil || !r.table.AnySucceeded() {
		return nil
	}
	isOpen := false
	err := r.load.job.EachSent(r.op.writes(), 0, r.load.boot, job.All, func(_ *job.Memory, sent job.SentRow) { isOpen = isOpen || sent.IsOpen })
	if err == nil && isOpen {
		err = r.recallJobs()
	}
	return err
}

func (l *load) items(row *rows.Row) iter.Seq2[*run, uint32] {
	return func(yield func(*run, uint32) bool) {
		for _, r := range l.runs {
			first, end := r.table.ItemsOf(uint32(row.Ordinal))
			for item := first; item < end; item++ {
				if !yield(r, uint32(item)) {
					return
				}
			}
		}
	}
}

func (r *run) labelOf(row *rows.Row, item uint32) string {
	if r.step.ItemLabel == nil {
		return r.step.Label
	}
	first, _ := r.table.ItemsOf(uint32(row.Ordinal))
	return r.step.Label + " " + r.step.ItemLabel(r.step.Items(*row)[int(item)-first])
}

// isSettled reports whether nothing is left to send or to reconcile in the step, apart from the items of rows that are skipped.
func (r *run) isSettled() bool {
	for item, row := range r.table.Rows() {
		if state := r.table.State(uint32(item)); state.IsUnfinished() && (state != job.StatePending || !r.isSkipped(int(row))) {
			return false
		}
	}
	return true
}

// guard records the outcome of pending items that Step.Guard does not allow to be sent. It leaves out
//   - the items in resend, which Operation.Recall allows to be sent again,
//   - the items for which Recall is still to be asked, as long as resend is nil,
//   - with heldOnly, the rows whose first step the job has sent, of which only its After knows more.
func (r *run) guard(resend map[uint32]bool, heldOnly bool) {
	isBefore, resends := resend == nil, r.opts.ResendSent && r.op.Recall != nil
	if isBefore {
		r.reopen()
	}
	if r.step.Guard == nil {
		return
	}
	said := byResult{}
	for _, item := range r.table.RowsIn(job.StatePending) {
		owner := int(r.table.Rows()[item])
		first, _ := r.load.runs[0].table.MostSevere(uint32(owner)) // of one item
		if r.isSkipped(owner) || heldOnly && first == job.StateSent || resend[item] || isBefore && (resends || r.recalls(item)) {
			continue
		}
		if out := r.step.Guard(owner); out.State != Absent {
			said.add(r.op.unsent(out), item)
			if out.State == Unknown {
				r.guarded++
			}
		}
	}
	said.record(r.rec)
}

// reopen makes the items pending that Step.Resends sends again, and those that Step.RetriesRefused means. It is called before this
// run has sent any of the step.
func (r *run) reopen() {
	var again []uint32
	for item, row := range r.table.Rows() {
		state := r.table.State(uint32(item))
		if state == job.StateRefused && r.step.RetriesRefused || state.Succeeded() && r.step.Resends != nil && r.step.Resends(int(row)) {
			again = append(again, uint32(item))
		}
	}
	r.rec.SetState(job.StatePending, again)
}

// verify reads the service once more for each step that can be read back, and reports the rows of which it shows an item several
// times or not at all.
func (l *load) verify(ctx context.Context) error {
	for _, r := range l.runs {
		switch {
		case !l.writesRows() && !r.table.AnySucceeded():
			continue
		case r.op.Snapshot == nil:
			l.opts.Note(cmp.Or(r.step.Label, "the rows") + " can't be read back, so they are not verified")
			if l.writesRows() {
				return nil
			}
			continue
		}
		if err := r.verify(ctx); err != nil {
			return err
		}
	}
	return l.reportUnverified()
}

// reportUnverified notes the first rows that the last reading of the service shows several times or not at all, and counts all
// of them.
func (l *load) reportUnverified() error {
	l.verification = &job.Verification{}
	wrong := lines{note: l.opts.Note}
	for row, err := range l.src.Valid() {
		if err != nil {
			return err
		}
		reason, isDoubled := l.problem(row)
		what := Missing
		switch {
		case reason == "":
			continue
		case isDoubled:
			what = Doubled
			l.verification.Doubled++
		default:
			l.verification.Missing++
			if !row.IsAppended() {
				l.missingIn[l.rec.Table().State(uint32(row.Ordinal))]++
			}
		}
		issue := l.src.Issue(row, reason)
		l.opts.OnRow(what, issue, 0)
		wrong.add(issue.String())
	}
	wrong.end("more that the service holds more than once or does not list", "more that the service holds more than once or does not list")
	return nil
}

// problem returns what is wrong with an item of a row, "" if nothing is: most of all that the service holds it twice.
func (l *load) problem(row *rows.Row) (reason string, isDoubled bool) {
	for r, item := range l.items(row) {
		if r.problem == nil {
			continue
		}
		why, twice := r.problem(item)
		if why == "" || reason != "" && !(twice && !isDoubled) {
			continue
		}
		reason, isDoubled = join(r.labelOf(row, item), why), twice
	}
	return reason, isDoubled
}
