package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// A Step is one of several writes that each row of a job needs. The later steps of a
// row follow when its first step has succeeded; they do not wait for other rows.
type Step struct {
	Operation
	Label string // the step's name, as in "credentials"
	// Items returns what the step writes for a row: nothing, one thing or many. Their
	// number follows from the row alone.
	Items    func(row rows.Row) []rows.Values
	Identity rows.Identity // of an item
	// ItemLabel names one of a row's items.
	ItemLabel func(rows.Values) string
	// Guard returns whether the pending items of a row may be sent: Absent if they
	// may. Nil allows all.
	Guard func(row int) Outcome
	// After receives what the step did for each row, and may complete it. It may hold
	// rows back from the later steps until another run, with a reason.
	After func(ctx context.Context, results []StepResult) (held map[int]string, err error)
	// NonIdempotent are fields that the rejects file leaves empty if the step
	// succeeded: to send them again would write them twice.
	NonIdempotent []string
	RenameResults map[string]string // columns of the results file with another name than in Results
}

// A StepResult is what a step did for a row.
type StepResult struct {
	State  string
	Fields record.Record // the fields that the service gave
}

// RunSteps is Run for rows that need several writes, each of them exactly once. The
// summary counts rows, each by the most severe state of its steps.
func RunSteps(ctx context.Context, src *rows.Source, steps []Step, j *job.Job, o Options) (job.Summary, error) {
	r, header, err := newRun(src, Operation{}, j, o)
	if err != nil {
		return job.Summary{}, err
	}
	s := &stepsRun{run: r, steps: steps, runs: make([]*run, len(steps)), results: make([][]StepResult, len(steps)), blocked: map[int]string{}}
	if j != nil {
		j.Start(r.began, func() bool {
			current := s.current.Load()
			return current != nil && current.sender.isBusy()
		})
	}
	err = s.runAll(ctx)
	recordEnd(r.rec, &r.opts, r.began, s.calls)
	sum := job.Summarize(header, r.rec.Table())
	sum.RejectsWritten, sum.ResultsWritten = r.files.rejectsWritten, r.files.resultsWritten
	sum.Unverifiable, sum.PartialSteps = s.hasUnverifiable(), slices.ContainsFunc(s.tables(), (*job.StepTable).AnySucceeded)
	return sum, err
}

// A stepsRun is the work of one process on a job with steps.
type stepsRun struct {
	*run
	steps     []Step
	recorders []*job.Recorder // by step
	runs      []*run
	results   [][]StepResult // by step, if the step has an After
	current   atomic.Pointer[run]
	calls     int
	blocked   map[int]string // rows that are held back, with the reason
}

func (s *stepsRun) tables() []*job.StepTable { return s.rec.Table().Steps() }

func (s *stepsRun) isBlocked(row int) bool {
	_, ok := s.blocked[row]
	return ok
}

func (s *stepsRun) runAll(ctx context.Context) error {
	s.rec.StartRun()
	err := s.planItems()
	s.progress(0, 0) // shows where the job is resumed
	for i := 0; i < len(s.steps) && (err == nil || isIncomplete(err)); i++ {
		if failed := s.runStep(ctx, i); err == nil || !isIncomplete(failed) {
			err = cmp.Or(failed, err)
		}
	}
	open := s.rec.Table().RollUp(s.isBlocked)
	s.files.isComplete = err == nil && !open
	if err == nil {
		err = s.reportUnknown(s.unknownReason)
	}
	return errors.Join(err, s.writeFiles(ctx))
}

// isIncomplete reports whether err is about some rows and stops no others.
func isIncomplete(err error) bool {
	var incomplete *IncompleteError
	return errors.As(err, &incomplete)
}

// planItems counts the items of each row in each step and records them before the
// first call. What an earlier run recorded must still be true.
func (s *stepsRun) planItems() error {
	owners := make([][]uint32, len(s.steps)) // by step: the row of each item
	for row, err := range s.src.Valid() {
		if err != nil {
			return err
		}
		for i, step := range s.steps {
			for range step.Items(*row) {
				owners[i] = append(owners[i], uint32(row.Ordinal))
			}
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

// runStep sends what a step has to send.
func (s *stepsRun) runStep(ctx context.Context, i int) error {
	step, table := &s.steps[i], s.tables()[i]
	if len(table.Rows()) == 0 {
		return nil
	}
	skip := func(row int) bool {
		return i > 0 && (s.isBlocked(row) || !s.rec.Table().FirstStepSucceeded(uint32(row)))
	}
	src, err := s.src.Expand(step.Items, step.Identity, len(table.Rows()), skip)
	if err != nil {
		return err
	}
	r := makeRun(src, step.Operation, s.recorders[i], s.opts, s.began, len(table.Rows()))
	r.isStep = true
	r.opts.Progress = s.progress
	s.runs[i] = r
	if !table.IsComplete() {
		s.current.Store(r)
		r.recover()
		r.guard(step, table.Rows(), skip)
		err = r.sendAndReconcile(ctx)
		s.calls += r.sender.calls
	}
	if step.After == nil || err != nil && !isIncomplete(err) {
		return err
	}
	s.results[i] = s.stepResults(ctx, i)
	held, failed := step.After(ctx, s.results[i])
	for row, reason := range held {
		s.blocked[row] = reason
	}
	return cmp.Or(failed, err)
}

// guard records the items that the step must not send.
func (r *run) guard(step *Step, owners []uint32, skip func(row int) bool) {
	if step.Guard == nil {
		return
	}
	for _, item := range r.rec.Table().RowsIn(job.StatePending) {
		owner := int(owners[item])
		if skip(owner) {
			continue
		}
		out := step.Guard(owner)
		state := job.StateOf(out.State)
		if state == job.StateUnknown {
			state = job.StateAmbiguous // nothing was sent
		}
		if state != job.StatePending {
			r.rec.Record(job.RowResult(job.Result{State: state, Message: out.Message}, item))
		}
	}
}

// stepResults returns what a step that writes one item a row did for each row.
func (s *stepsRun) stepResults(ctx context.Context, i int) []StepResult {
	r, table := s.runs[i], s.tables()[i]
	_ = r.fetchMissingIDs(ctx) // After holds back a row that lacks what it needs
	results := make([]StepResult, s.rec.Table().Len())
	for item, row := range table.Rows() {
		results[row] = StepResult{table.State(uint32(item)).String(), r.knownFields(uint32(item))}
	}
	return results
}

// progress adds up the steps.
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

// hasUnverifiable reports whether any unknown item can't be read back.
func (s *stepsRun) hasUnverifiable() bool {
	for i, t := range s.tables() {
		if s.steps[i].Unverifiable() && t.Count(job.StateUnknown) > 0 {
			return true
		}
	}
	return false
}

// unknownReason returns why a row is unknown, by its first step that is. What a
// guard held back, the guard has reported.
func (s *stepsRun) unknownReason(row uint32) string {
	for i, t := range s.tables() {
		states := []job.State{job.StateUnknown, job.StateAmbiguous}
		if s.steps[i].Guard != nil {
			states = states[:1]
		}
		first, end := t.ItemsOf(row)
		for item := first; item < end; item++ {
			if reason := unknownReason(t.Table, uint32(item), states...); reason != "" {
				return s.steps[i].Label + ": " + reason
			}
		}
	}
	return ""
}
