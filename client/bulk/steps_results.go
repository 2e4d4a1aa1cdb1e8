package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/safetext"
)

// maxReasons is the maximum number of reasons that the rejects file has for a row.
const maxReasons = 5

// writeFiles writes the rejects file and the results file. The results file contains all
// rows whose first step succeeded, with the fields that the service set in each step, and
// the state of each step. Appended rows are in the results only, since nobody can mend them in
// a file: why they were refused is a note.
func (s *stepsRun) writeFiles(ctx context.Context, failed error) error {
	if len(s.tables()) < len(s.steps) {
		return failed // before anything was sent
	}
	var fetchErr error
	results := s.files.newResults(!s.tables()[0].AnySucceeded(), ResultColumns(s.steps))
	if results != nil {
		for _, r := range s.runs {
			if r != nil && fetchErr == nil && (ctx.Err() == nil || s.files.isComplete) {
				fetchErr = r.fetchMissingIDs(ctx)
			}
		}
		s.files.isComplete = s.files.isComplete && fetchErr == nil
	}
	rejects := s.files.newRejects()
	err := s.files.write(rejects, results, func(row rows.Row) error {
		n := uint32(row.Ordinal)
		if s.rec.Table().State(n) == job.StateRefused {
			messages, status := s.rejectReasons(row)
			s.opts.OnRefused(s.src.Issue(&row, messages), status)
			if row.IsAppended() {
				s.opts.Note(fmt.Sprintf("%s: %s", s.src.Place(row.Line), messages))
			} else if err := rejects.WriteInstead(row, s.completedFields(n), s.src.WithPlace(&row, safetext.Escape(messages, '\n', '\t')), statusText(status)); err != nil {
				return err
			}
		}
		if results == nil || !s.rec.Table().FirstStepSucceeded(n) {
			return nil
		}
		return results.WriteInstead(row, s.heldOf(row), s.resultCells(n)...)
	})
	return errors.Join(cmp.Or(failed, fetchErr), err)
}

// ResultColumns returns the columns that the results file of a load with steps adds to those of the input.
func ResultColumns(steps []Step) []string {
	var out []string
	for _, step := range steps {
		for _, name := range step.Results {
			if name = step.resultColumn(name); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	for _, step := range steps {
		out = append(out, step.stateColumn())
	}
	return out
}

// resultColumn returns the column of the results file for a field.
func (s *Step) resultColumn(name string) string {
	if renamed := s.RenameResults[name]; renamed != "" {
		return renamed
	}
	return name
}

// stateColumn returns the column of the results file for the state of the step.
func (s *Step) stateColumn() string { return s.Label + "_state" }

// heldOf returns what the service holds otherwise than a row says, as the guard of the first step tells.
func (s *stepsRun) heldOf(row rows.Row) map[string]string {
	if guard := s.steps[0].Guard; guard != nil {
		return guard(row.Ordinal).Held
	}
	return nil
}

// completedFields returns the fields of a row that must not be sent again, with an empty text for each.
func (s *stepsRun) completedFields(row uint32) map[string]string {
	fields := map[string]string{}
	for i, t := range s.tables() {
		if state, ok := t.MostSevere(row); ok && state.Succeeded() {
			for _, name := range s.steps[i].NonIdempotent {
				fields[name] = ""
			}
		}
	}
	return fields
}

// rejectReasons returns the reasons why items of a row were refused, and the HTTP status of
// the first of them.
func (s *stepsRun) rejectReasons(row rows.Row) (messages string, status int) {
	var parts []string
	more := 0
	for i, t := range s.tables() {
		first, end := t.ItemsOf(uint32(row.Ordinal))
		for item := first; item < end; item++ {
			if t.State(uint32(item)) != job.StateRefused {
				continue
			}
			reason := t.Reason(uint32(item))
			status = cmp.Or(status, reason.HTTPStatus)
			if len(parts) >= maxReasons {
				more++
				continue
			}
			parts = append(parts, s.steps[i].labelOf(row, item-first)+": "+reason.Message)
		}
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; "), status
}

// resultCells returns the cells that the results file adds to a row.
func (s *stepsRun) resultCells(row uint32) []string {
	cells := map[string]string{}
	for i, t := range s.tables() {
		step := &s.steps[i]
		first, end := t.ItemsOf(row)
		if state, ok := t.MostSevere(row); ok {
			cells[step.stateColumn()] = state.String()
			if state == job.StatePresent && step.PresentWord != "" {
				cells[step.stateColumn()] = step.PresentWord
			}
		}
		for _, name := range step.Results {
			var list []string
			for item := first; item < end; item++ {
				list = append(list, s.fieldsOf(i, row, item).Get(name).Text())
			}
			// An item without a value has an empty text in the list, so that the number of
			// semicolons before a value shows its item.
			if column, text := step.resultColumn(name), strings.Join(list, ";"); cells[column] == "" && strings.Trim(text, ";") != "" {
				cells[column] = text
			}
		}
	}
	var out []string
	for _, column := range ResultColumns(s.steps) {
		out = append(out, cells[column])
	}
	return out
}

// fieldsOf returns the fields of an item that the service set in a step.
func (s *stepsRun) fieldsOf(step int, row uint32, item int) record.Record {
	switch {
	case s.results[step] != nil:
		return s.results[step][row].Fields
	case s.runs[step] != nil:
		return s.runs[step].knownFields(uint32(item))
	}
	r := run{rec: s.rec.Step(step)} // this run did not reach the step
	return r.knownFields(uint32(item))
}
