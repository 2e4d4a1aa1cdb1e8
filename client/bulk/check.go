package bulk

import (
	"context"
	"errors"
	"fmt"
)

// Report is what Check found.
type Report struct {
	Rows       int // in the file
	Send       int // those that are to be sent
	Duplicates int // those that repeat an earlier one
	Invalid    int // those that can't be sent
	Notes      []string
}

// maxNotes is how many pairs of rows that repeat each other are told.
const maxNotes = 3

// Check is the first pass: it checks every row and finds those that repeat or
// contradict each other. Where any can't be sent the error is a *RowsError.
func (s *Source) Check(ctx context.Context) (Report, error) {
	report := Report{Notes: append([]string(nil), s.notes...)}
	wrong := &RowsError{}
	cols := newColumns(&s.spec)
	s.repeated, s.conflicts = nil, map[int]uint32{}
	var rows seen
	identity := s.spec.Identity
	if identity == nil {
		identity = Whole
	}
	for row, err := range s.walk(cols) {
		if report.Rows%1024 == 0 && ctx.Err() != nil {
			return report, context.Cause(ctx)
		}
		var faults *RowsError
		switch {
		case errors.As(err, &faults) && !faults.Fatal:
			report.Rows++
			report.Invalid++
			wrong.add(faults.Faults...)
			continue
		case errors.As(err, &faults):
			wrong.add(faults.Faults...)
			wrong.Fatal = true
			return report, wrong
		case err != nil:
			return report, err
		}
		report.Rows++
		id, same := identity(row.Values)
		mine := newSight(id, same, row.Line, row.ordinal)
		first := rows.put(mine)
		switch {
		case first == nil:
		case first.same == mine.same:
			s.repeated.set(row.ordinal)
			if report.Duplicates++; report.Duplicates <= maxNotes {
				report.Notes = append(report.Notes, fmt.Sprintf("line %d repeats line %d and is not sent again", row.Line, first.line))
			}
		default:
			wrong.add(s.conflict(first, row))
		}
	}
	if report.Duplicates > maxNotes {
		report.Notes = append(report.Notes, fmt.Sprintf("%d more lines repeat earlier ones", report.Duplicates-maxNotes))
	}
	if s.targets == nil && report.Rows > 0 {
		if unused := cols.unused(nil); unused != nil {
			wrong.Fatal = true
			wrong.add(unused...)
		}
	}
	s.settle(&report)
	if wrong.Faults != nil {
		return report, wrong
	}
	return report, nil
}

// conflict notes that two rows about the same thing differ. Neither is sent:
// nothing tells which of them is meant.
func (s *Source) conflict(first *sight, row Row) Fault {
	s.conflicts[row.ordinal] = first.line
	if _, ok := s.conflicts[int(first.row)]; !ok {
		s.conflicts[int(first.row)] = uint32(row.Line)
	}
	return s.contradicts(row.Line, first.line)
}

func (s *Source) contradicts(line int, other uint32) Fault {
	return Fault{Line: line, Reason: fmt.Sprintf("contradicts line %d: the same %s with different content", other, s.spec.Resource.Name)}
}

// settle counts the rows of conflicts as invalid, and what is left.
func (s *Source) settle(report *Report) {
	report.Invalid += len(s.conflicts)
	report.Send = report.Rows - report.Invalid - report.Duplicates
}
