package bulk

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"runtime"
	"slices"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
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

// sample is from how many rows the number of all is estimated.
const sample = 256

// Check is the first pass: it checks every row and finds those that repeat or
// contradict each other. Where any can't be sent the error is a *Error.
func (s *Source) Check(ctx context.Context) (Report, error) {
	report := Report{Notes: append([]string(nil), s.notes...)}
	wrong := &decode.Error{}
	cols := newColumns(&s.spec)
	s.repeated, s.outside, s.invalid, s.conflicts, s.all, s.rows = nil, nil, nil, map[int]int{}, 0, dedupe.NewIndex()
	defer func() { s.report = report }()
	var digest hash.Hash
	if s.Secret() {
		digest = sha256.New()
	}
	identity := s.spec.identity()
	var values Values // of the row that is being added
	appendKey := func(id, content []byte) ([]byte, []byte) { return identity(values, id, content) }
	var lines dedupe.Lines
	met := s.rows.Match(func(m dedupe.Match) {
		first, again := lines.Of(m.First), lines.Of(m.Repeat)
		if !m.Equal {
			s.conflicts[m.Repeat] = first
			if _, ok := s.conflicts[m.First]; !ok {
				s.conflicts[m.First] = again
			}
			wrong.Add(s.contradicts(again, first))
			return
		}
		if s.repeated.Set(m.Repeat); s.outside.Has(m.Repeat) {
			return
		}
		if report.Duplicates++; report.Duplicates <= maxNotes {
			report.Notes = append(report.Notes, fmt.Sprintf("line %d repeats line %d and counts once", again, first))
		}
	})
	defer met.Close()
	good, size := 0, 0 // the first rows that can be sent, and their bytes
	quoted := 0        // the line of the first cell of a tsv in quotes
	for row, err := range s.walk(cols) {
		if s.all%1024 == 0 && ctx.Err() != nil {
			return report, context.Cause(ctx)
		}
		if err != nil {
			faults := decode.AsError(err)
			if faults == nil {
				return report, err
			}
			met.Flush() // what earlier lines did wrong is told first
			wrong.Add(faults.Issues...)
			if faults.Fatal {
				wrong.Fatal = true
				return report, wrong
			}
			if digest != nil { // where it stands counts, what it holds may be a password
				digest.Write([]byte{'\n'})
			}
			if s.all++; s.spec.Shard.N > 0 && row.ordinal%s.spec.Shard.N != s.spec.Shard.I-1 {
				s.outside.Set(row.ordinal)
				continue
			}
			s.invalid.Set(row.ordinal)
			report.Rows++
			report.Invalid++
			continue
		}
		s.all++
		if good++; good <= sample {
			for _, cell := range row.Cells {
				size += len(cell) + 1
			}
			if good == sample {
				met.Flush()
				s.rows.Grow(s.file.Size() * sample / int64(size))
			}
		}
		if s.file.Format() == "tsv" && quoted == 0 && slices.ContainsFunc(row.Cells, inQuotes) {
			quoted = row.Line
		}
		lines.Add(row.ordinal, row.Line)
		values = row.Values
		id := met.Add(row.ordinal, appendKey)
		if digest != nil {
			digest.Write(append(appendAll(nil, s.spec.public(row.Values)), '\n'))
		}
		if n := s.spec.Shard.N; n > 0 && dedupe.ShardOf(id, n) != s.spec.Shard.I-1 {
			s.outside.Set(row.ordinal)
		} else {
			report.Rows++
		}
	}
	met.Flush()
	if quoted > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("line %d: tsv has no quotes: those around a cell are taken as a part of it", quoted))
	}
	if report.Duplicates > maxNotes {
		report.Notes = append(report.Notes, fmt.Sprintf("%d more lines repeat earlier ones", report.Duplicates-maxNotes))
	}
	if digest != nil {
		s.digest = digest.Sum(nil)
	}
	if s.targets == nil && s.all > 0 {
		if unused := cols.unused(nil); unused != nil {
			wrong.Fatal = true
			wrong.Add(unused...)
		}
	}
	s.settle(&report)
	if wrong.Issues != nil {
		return report, wrong
	}
	return report, nil
}

func inQuotes(cell string) bool { return len(cell) > 1 && cell[0] == '"' && cell[len(cell)-1] == '"' }

// contradicts is the fault of two rows about the same thing that differ. Neither
// is sent: nothing tells which of them is meant.
func (s *Source) contradicts(line, other int) decode.Issue {
	return decode.Issue{Line: line, Reason: fmt.Sprintf("contradicts line %d: the same %s with different content", other, s.spec.Resource.Name)}
}

// settle counts the rows of conflicts as invalid, and what is left.
func (s *Source) settle(report *Report) {
	for row := range s.conflicts {
		if !s.outside.Has(row) {
			report.Invalid++
		}
	}
	report.Send = report.Rows - report.Invalid - report.Duplicates
}

func (s *Spec) identity() Identity {
	if s.Identity == nil {
		return Whole
	}
	return s.Identity
}

// forget lets go of the identities of a file's rows, which take most of the
// memory of a load and are needed only where a list of the service is read.
func (s *Source) forget() {
	if s.made != nil || s.rows == nil {
		return
	}
	if s.rows = nil; s.all > 10_000 {
		runtime.GC() // before the heap grows beyond what it was with them
	}
}

// remember makes them anew.
func (s *Source) remember() error {
	if s.rows != nil {
		return nil
	}
	rows, identity := dedupe.NewIndex(), s.spec.identity()
	rows.Grow(int64(s.all))
	var id, same []byte
	for row, err := range s.Rows() {
		if wrong := decode.AsError(err); wrong != nil && !wrong.Fatal {
			continue
		}
		if err != nil {
			return err
		}
		id, same = identity(row.Values, id[:0], same[:0])
		rows.Add(row.ordinal, rows.Fingerprint(id, same))
	}
	s.rows = rows
	return nil
}
