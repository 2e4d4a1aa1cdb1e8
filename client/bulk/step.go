package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
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
		l.addStep(table, l.rec.Step(i))
	}
	return l.rec.Sync()
}

// isSkipped reports whether the items of a row are left out of a step, since the first step of the row has not succeeded.
func (l *load) isSkipped(s *stage, row int) bool {
	return s != l.stages[0] && (l.blocked[row] || !l.stages[0].table.Succeeded(uint32(row)))
}

// source returns the source of the items of a step. It leaves out those of rows for which skip returns true.
func (l *load) source(s *stage, skip func(row int) bool) *rows.Source {
	if l.writesRows() {
		return l.src
	}
	return l.src.Expand(s.Items, s.Identity, s.table.Rows(), skip)
}

// runStep sends the pending items of a step and calls its After.
func (l *load) runStep(ctx context.Context, s *stage) (err error) {
	if s.table.Len() == 0 && !l.writesRows() {
		return nil
	}
	skip := func(row int) bool { return l.isSkipped(s, row) }
	wantsFields, resends := s.After != nil || l.opts.Results != "", l.opts.ResendSent && s.Recall != nil
	if !l.writesRows() && !wantsFields && !resends && isSettled(s.table, skip) {
		return nil // without reading the rows again
	}
	r := newRun(l, s, l.source(s, skip))
	s.run = r
	if l.writesRows() || !s.table.IsComplete() || resends {
		l.current.Store(r)
		var resend map[uint32]bool
		if resend, err = r.takeUp(ctx); err == nil {
			l.guard(s, resend, false)
			if l.writesRows() || !isSettled(s.table, skip) {
				err = r.sendAndReconcile(ctx)
			}
		}
	}
	if s.After == nil || err != nil && !isIncomplete(err) {
		return err
	}
	_ = r.fetchMissingIDs(ctx) // after an error, After blocks the rows whose ids are missing
	s.results = make([]StepResult, l.rec.Table().Len())
	for item, row := range s.table.Rows() { // at most one item for each row
		s.results[row] = StepResult{s.table.State(uint32(item)).String(), r.knownFields(uint32(item))}
	}
	blocked, failed := s.After(ctx, s.results)
	maps.Copy(l.blocked, blocked)
	return cmp.Or(failed, err)
}

// items yields the items of a row in all steps.
func (l *load) items(row *rows.Row) iter.Seq2[*stage, uint32] {
	return func(yield func(*stage, uint32) bool) {
		for _, s := range l.stages {
			first, end := s.table.ItemsOf(uint32(row.Ordinal))
			for item := first; item < end; item++ {
				if !yield(s, uint32(item)) {
					return
				}
			}
		}
	}
}

// labelOf returns the label of the step with the name of an item of a row.
func (s *stage) labelOf(row *rows.Row, item uint32) string {
	if s.ItemLabel == nil {
		return s.Label
	}
	first, _ := s.table.ItemsOf(uint32(row.Ordinal))
	return s.Label + " " + s.ItemLabel(s.Items(*row)[int(item)-first])
}

// isSettled reports whether nothing is left to send or to reconcile in a step, apart from
// the items of rows that are skipped.
func isSettled(table *job.StepTable, skip func(row int) bool) bool {
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
func (l *load) guard(s *stage, resend map[uint32]bool, heldOnly bool) {
	isBefore, resends := resend == nil, l.opts.ResendSent && s.Recall != nil
	if isBefore {
		s.reopen()
	}
	if s.Guard == nil {
		return
	}
	said := byResult{}
	for _, item := range s.table.RowsIn(job.StatePending) {
		owner := int(s.table.Rows()[item])
		if l.isSkipped(s, owner) || heldOnly && l.hasSentFirst(owner) || resend[item] || isBefore && (resends || s.recalls(item)) {
			continue
		}
		if out := s.Guard(owner); out.State != Absent {
			said.add(s.unsent(out), item)
		}
	}
	said.record(s.rec)
}

// hasSentFirst reports whether this job has sent the first step of a row.
func (l *load) hasSentFirst(row int) bool {
	t := l.stages[0].table
	first, end := t.ItemsOf(uint32(row))
	return first < end && t.State(uint32(first)) == job.StateSent
}

// reopen makes the items pending that Step.Resends sends again, and those that Step.RetriesRefused means. It is called before this
// run has sent any of the step.
func (s *stage) reopen() {
	var again []uint32
	for item, row := range s.table.Rows() {
		state := s.table.State(uint32(item))
		if state == job.StateRefused && s.RetriesRefused || state.Succeeded() && s.Resends != nil && s.Resends(int(row)) {
			again = append(again, uint32(item))
		}
	}
	s.rec.SetState(job.StatePending, again)
}

// verify reads the service once more for each step that can be read back, and reports the rows of which it shows an item several
// times or not at all.
func (l *load) verify(ctx context.Context) error {
	for _, s := range l.stages {
		switch {
		case !l.writesRows() && !s.table.AnySucceeded():
			continue
		case s.Snapshot == nil:
			l.opts.Note(cmp.Or(s.Label, "the rows") + " can't be read back, so they are not verified")
			if l.writesRows() {
				return nil
			}
			continue
		}
		r := s.run
		if r == nil {
			skip := func(row int) bool { return !l.stages[0].table.Succeeded(uint32(row)) }
			r = newRun(l, s, l.source(s, skip))
		}
		var err error
		if s.problem, err = r.verify(ctx); err == nil {
			err = r.recordDiffering(ctx)
		}
		if err != nil {
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
		switch {
		case reason == "":
			continue
		case isDoubled:
			l.verification.Doubled++
		default:
			l.verification.Missing++
			if !row.IsAppended() {
				l.missingIn[l.rec.Table().State(uint32(row.Ordinal))]++
			}
		}
		issue := l.src.Issue(row, reason)
		l.opts.OnUnverified(issue, isDoubled)
		wrong.add(issue.String())
	}
	wrong.end("more that the service holds more than once or does not list", "more that the service holds more than once or does not list")
	return nil
}

// problem returns what is wrong with an item of a row, "" if nothing is: most of all that the service holds it twice.
func (l *load) problem(row *rows.Row) (reason string, isDoubled bool) {
	for s, item := range l.items(row) {
		if s.problem == nil {
			continue
		}
		why, twice := s.problem(item)
		if why == "" || reason != "" && !(twice && !isDoubled) {
			continue
		}
		reason, isDoubled = join(s.labelOf(row, item), why), twice
	}
	return reason, isDoubled
}
