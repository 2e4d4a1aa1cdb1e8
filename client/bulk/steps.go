package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/transport"
)

// A Step is one of several writes that each row of a job needs. RunSteps sends one step
// of all rows after the other. The later steps of a row are sent only if its first step
// has succeeded.
type Step struct {
	Operation
	Label string // the name of the step, such as "credentials"
	// Items returns the items that the step writes for a row: none, one or several. It must
	// return the same number of items each time it is called for a row.
	Items    func(row rows.Row) []rows.Values
	Identity rows.Identity // the identity of an item
	// ItemLabel returns the name of an item, for the reasons of a rejected row. It may be
	// nil.
	ItemLabel func(rows.Values) string
	// Guard returns Absent if the pending items of a row may be sent, and otherwise the
	// outcome that they get without being sent. If it is nil, all items may be sent. If it lets
	// no item of the step pass, the service is not read for the step either.
	Guard func(row int) Outcome
	// Recalls reports whether Operation.Recall is asked for the items of a row. If it is nil, Recall is asked for all.
	Recalls func(row int) bool
	// Resends reports whether the items of a row that earlier runs sent or found are sent again, since the service holds
	// something else by now. If it is nil, none is.
	Resends func(row int) bool
	// After is called with the result of the step for each row, and may add fields to it.
	// The later steps of the rows that it returns are not sent in this run. blocked has
	// the reason by row. After may be nil.
	After func(ctx context.Context, results []StepResult) (blocked map[int]string, err error)
	// NonIdempotent are fields that the rejects file leaves empty if the step succeeded,
	// since sending them again would write them twice.
	NonIdempotent []string
	// PresentWord is what the results file calls items that are present, "present" if it is empty.
	PresentWord   string
	RenameResults map[string]string // from names in Results to columns of the results file
}

// A StepResult is the state of a row after a step.
type StepResult struct {
	State  string
	Fields record.Record // the fields that the service set
}

// RunSteps is Run for rows that need several writes, each of which is sent exactly once.
// The summary counts rows by their states, which job.Table.RollUp computes from the
// states of the steps.
func RunSteps(ctx context.Context, src *rows.Source, steps []Step, j *job.Job, o Options) (job.Summary, error) {
	r, header, err := prepareRun(src, Operation{}, j, o)
	if err != nil {
		return job.Summary{}, err
	}
	s := &stepsRun{run: r, steps: steps, runs: make([]*run, len(steps)), results: make([][]StepResult, len(steps)), blocked: map[int]string{}}
	if j != nil {
		j.Start(r.sender.elapsed, func() bool {
			current := s.current.Load()
			return current != nil && current.sender.isBusy()
		})
	}
	err = s.runAll(transport.WithPatience(ctx))
	sum := r.end(header, s.calls)
	for i, t := range s.tables() {
		sum.Unverifiable = sum.Unverifiable || steps[i].Unverifiable() && t.Count(job.StateUnknown, job.StateAmbiguous) > 0 || s.runs[i] != nil && s.runs[i].isUndecidable()
		sum.PartialSteps = sum.PartialSteps || t.AnySucceeded()
	}
	return sum, err
}

// A stepsRun is the work of one process on a job with steps.
type stepsRun struct {
	*run
	steps     []Step
	recorders []*job.Recorder     // by step
	runs      []*run              // by step; nil for a step that was not reached
	results   [][]StepResult      // by step and row, for steps with an After
	current   atomic.Pointer[run] // the run of the current step
	calls     int                 // the number of calls of all steps so far
	blocked   map[int]string      // the rows whose later steps After has blocked, with the reason
}

func (s *stepsRun) tables() []*job.StepTable { return s.rec.Table().Steps() }

func (s *stepsRun) isBlocked(row int) bool {
	_, ok := s.blocked[row]
	return ok
}

// runAll runs all steps, and writes the rejects and the results.
func (s *stepsRun) runAll(ctx context.Context) error {
	s.rec.StartRun(s.boot)
	err := s.planItems()
	s.progress(0, 0) // shows at once how many items earlier runs have finished
	for i := 0; i < len(s.steps) && (err == nil || isIncomplete(err)); i++ {
		switch i { // what needs no call is known, also if the run ends before its step
		case 0:
			s.guard(0, nil, false)
			for later := 1; s.steps[0].Guard != nil && later < len(s.steps); later++ {
				s.guard(later, nil, true)
			}
		case 1:
			for later := range s.steps[1:] {
				s.guard(later+1, nil, false)
			}
		}
		if failed := s.runStep(ctx, i); err == nil || !isIncomplete(failed) {
			err = cmp.Or(failed, err)
		}
	}
	if s.opts.Verify && (err == nil || isIncomplete(err)) {
		err = cmp.Or(s.verify(ctx), err)
	}
	open := s.rec.Table().RollUp(s.isBlocked)
	if s.files.isComplete = err == nil && !open; !s.files.isComplete {
		s.noteSteps()
	}
	if err == nil {
		err = s.reportUnknown(s.unknownReason)
	}
	return s.writeFiles(ctx, err)
}

// noteSteps notes how many items of each step the service holds: a row counts as sent only
// once all its steps are.
func (s *stepsRun) noteSteps() {
	var parts []string
	any := false
	for i, t := range s.tables() {
		if n := t.Count(job.StateSent, job.StatePresent, job.StateDiffers); len(t.Rows()) > 0 {
			parts, any = append(parts, fmt.Sprintf("%s %d of %d", s.steps[i].Label, n, len(t.Rows()))), any || n > 0
		}
	}
	if any {
		s.opts.Note("the service holds by now: " + strings.Join(parts, ", "))
	}
}

// isIncomplete reports whether err is about some rows only, so that the next step can
// start.
func isIncomplete(err error) bool { return errors.As(err, new(*IncompleteError)) }

// planItems counts the items of each row in each step, and records them before the first
// call. If an earlier run has recorded other items, the rows have changed, which is an
// error.
func (s *stepsRun) planItems() error {
	owners := make([][]uint32, len(s.steps)) // by step, the row of each item
	for row, err := range s.src.Again() {
		if err != nil {
			return err
		}
		for i, step := range s.steps {
			for range step.Items(*row) {
				owners[i] = append(owners[i], uint32(row.Ordinal))
			}
		}
		if s.opts.Keep == nil || s.opts.Keep(row.Ordinal) {
			s.src.Keep(row)
		}
	}
	for i := range s.steps {
		if i >= len(s.tables()) {
			s.rec.Record(job.StepItems(i, owners[i]))
		} else if !slices.Equal(s.tables()[i].Rows(), owners[i]) {
			return &decode.FileError{What: fmt.Sprintf("the rows have other %s than when the job started", s.steps[i].Label)}
		}
		s.recorders = append(s.recorders, s.rec.Step(i))
	}
	return s.rec.Sync()
}

// isSkipped reports whether the items of a row are left out of a step, since the first step of the row has not succeeded.
func (s *stepsRun) isSkipped(i, row int) bool {
	return i > 0 && (s.isBlocked(row) || !s.rec.Table().FirstStepSucceeded(uint32(row)))
}

// hasSentFirst reports whether the job has sent the first step of a row.
func (s *stepsRun) hasSentFirst(row int) bool {
	first, end := s.tables()[0].ItemsOf(uint32(row))
	return first < end && s.tables()[0].State(uint32(first)) == job.StateSent
}

// runStep sends the pending items of a step and calls its After.
func (s *stepsRun) runStep(ctx context.Context, i int) error {
	step, table := &s.steps[i], s.tables()[i]
	if len(table.Rows()) == 0 {
		return nil
	}
	skip := func(row int) bool { return s.isSkipped(i, row) }
	wantsFields, resends := step.After != nil || s.opts.Results != "", s.opts.ResendSent && step.Recall != nil
	if !wantsFields && !resends && s.isSettled(table, skip) {
		return nil // without reading the rows again
	}
	src := s.src.Expand(step.Items, step.Identity, table.Rows(), skip, func(row int) bool {
		return resends || s.opts.Verify || !isPresent(table, row, wantsFields && len(step.Results) > 0)
	})
	op := step.Operation
	if step.Recall != nil {
		op.Recall = func(ctx context.Context, item *rows.Row) (out Outcome, known bool, err error) {
			if !step.recalls(int(table.Rows()[item.Ordinal])) {
				return out, false, nil
			}
			return step.Recall(ctx, item)
		}
	}
	r := newRun(src, op, s.recorders[i], s.opts, s.began, len(table.Rows()))
	r.step, r.boot, r.job, r.waits = step.Label, s.boot, s.job, s.waits
	r.opts.Progress = s.progress
	s.runs[i] = r
	var err error
	if !table.IsComplete() || resends {
		s.current.Store(r)
		r.recover()
		var resend map[uint32]bool
		if resend, err = r.recall(ctx); err == nil {
			s.guard(i, resend, false)
			if !s.isSettled(table, skip) {
				err = r.sendAndReconcile(ctx)
			}
		}
		s.calls += r.sender.calls
	}
	if step.After == nil || err != nil && !isIncomplete(err) {
		return err
	}
	s.results[i] = s.stepResults(ctx, i)
	blocked, failed := step.After(ctx, s.results[i])
	for row, reason := range blocked {
		s.blocked[row] = reason
	}
	return cmp.Or(failed, err)
}

// verify reads the service once more for each step that can be read back, and reports the rows of which
// it shows an item several times or not at all.
func (s *stepsRun) verify(ctx context.Context) error {
	problems := make([]func(item int) (string, bool), len(s.steps))
	for i := range s.steps {
		step, table := &s.steps[i], s.tables()[i]
		switch {
		case !table.AnySucceeded():
			continue
		case step.Snapshot == nil:
			s.opts.Note(fmt.Sprintf("%s can't be read back, so they are not verified", step.Label))
			continue
		}
		r := s.runs[i]
		if r == nil {
			skip := func(row int) bool { return !s.rec.Table().FirstStepSucceeded(uint32(row)) }
			src := s.src.Expand(step.Items, step.Identity, table.Rows(), skip, func(int) bool { return true })
			r = newRun(src, step.Operation, s.recorders[i], s.opts, s.began, len(table.Rows()))
			r.step = step.Label
		}
		var err error
		if problems[i], err = r.verify(ctx); err != nil {
			return err
		}
	}
	return s.reportUnverified(func(row *rows.Row) (reason string, isDoubled bool) {
		for i, problem := range problems {
			if problem == nil {
				continue
			}
			first, end := s.tables()[i].ItemsOf(uint32(row.Ordinal))
			for item := first; item < end; item++ {
				why, twice := problem(item)
				if why == "" || reason != "" && !(twice && !isDoubled) {
					continue
				}
				reason, isDoubled = s.steps[i].labelOf(*row, item-first)+": "+why, twice
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
func (s *stepsRun) isSettled(table *job.StepTable, skip func(row int) bool) bool {
	for item, row := range table.Rows() {
		if state := table.State(uint32(item)); state.IsUnfinished() && (state != job.StatePending || !skip(int(row))) {
			return false
		}
	}
	return true
}

// guard records the outcome of pending items that Step.Guard does not allow to be sent. resend has the items that
// Operation.Recall allows to be sent again; it is nil before Recall is asked, which leaves the items for it pending. heldOnly leaves
// out the rows whose first step the job has sent, of which only its After knows more.
func (s *stepsRun) guard(i int, resend map[uint32]bool, heldOnly bool) {
	step, rec, owners := &s.steps[i], s.recorders[i], s.tables()[i].Rows()
	isBefore, resends := resend == nil, s.opts.ResendSent && step.Recall != nil
	if isBefore {
		s.reopen(i)
	}
	if step.Guard == nil {
		return
	}
	var present []uint32 // what is said of most items is recorded at once
	for _, item := range rec.Table().RowsIn(job.StatePending) {
		owner := int(owners[item])
		if s.isSkipped(i, owner) || heldOnly && s.hasSentFirst(owner) || resend[item] || isBefore && (resends || step.recalls(owner)) {
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

// reopen makes the items pending that Step.Resends sends again. It is called before this run has sent any of the step.
func (s *stepsRun) reopen(i int) {
	step, t := &s.steps[i], s.tables()[i]
	if step.Resends == nil || !t.AnySucceeded() {
		return
	}
	var again []uint32
	for item, row := range t.Rows() {
		if t.State(uint32(item)).Succeeded() && step.Resends(int(row)) {
			again = append(again, uint32(item))
		}
	}
	if again != nil {
		s.recorders[i].Record(job.RowResult(job.Result{State: job.StatePending}, again...))
	}
}

// stepResults returns the result of a step for each row. The step has at most one item for
// each row.
func (s *stepsRun) stepResults(ctx context.Context, i int) []StepResult {
	r, table := s.runs[i], s.tables()[i]
	_ = r.fetchMissingIDs(ctx) // after an error, After blocks the rows whose ids are missing
	results := make([]StepResult, s.rec.Table().Len())
	for item, row := range table.Rows() {
		results[row] = StepResult{table.State(uint32(item)).String(), r.knownFields(uint32(item))}
	}
	return results
}

// progress passes the number of items of all steps that have a final state to
// Options.Progress.
func (s *stepsRun) progress(int, int) {
	if s.opts.Progress == nil {
		return
	}
	done, total := 0, 0
	for i, rec := range s.recorders {
		done, total = done+rec.Done(), total+len(s.tables()[i].Rows())
	}
	s.opts.Progress(done, total)
}

// unknownReason returns which items of a row have an unknown outcome, and why, "" if none has.
func (s *stepsRun) unknownReason(row *rows.Row) string {
	var items []string
	for i, t := range s.tables() {
		first, end := t.ItemsOf(uint32(row.Ordinal))
		for item := first; item < end; item++ {
			if reason := unknownReason(t.Table, uint32(item), job.StateUnknown, job.StateAmbiguous); reason != "" {
				items = append(items, s.steps[i].labelOf(*row, item-first)+": "+reason)
			}
		}
	}
	return safetext.Cut(strings.Join(items, "; "), safetext.MaxMessage)
}
