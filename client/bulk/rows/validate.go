package rows

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

const (
	// maxNotes is how many pairs of rows that repeat each other are noted.
	maxNotes = 3
	// sampleSize is the number of rows by whose size the number of all is estimated.
	sampleSize = 256
	// keepIndexRows is the number of rows up to which dropping the index is not worth
	// a garbage collection.
	keepIndexRows = 10_000
)

// Validate is the first pass: it checks every row and finds the rows that repeat or
// contradict each other. If any can't be sent, the error is a *decode.Error.
func (s *Source) Validate(ctx context.Context) (Report, error) {
	v := &validation{Source: s, report: Report{Notes: slices.Clone(s.notes)}}
	s.validated = false
	s.repeated, s.otherShard, s.invalid, s.conflicts, s.total, s.index = nil, nil, nil, map[int]int{}, 0, dedupe.NewIndex()
	if s.HoldsSecrets() {
		v.digest = sha256.New()
	}
	v.matcher = s.index.Match(v.onMatch)
	err := v.run(ctx)
	v.matcher.Close()
	if err == nil && v.issues.Issues != nil {
		err = &v.issues
	}
	s.report = v.report
	return v.report, err
}

// A validation is one call of Validate.
type validation struct {
	*Source
	report  Report
	issues  decode.Error
	digest  hash.Hash // nil if the file has no passwords
	lines   dedupe.Lines
	matcher *dedupe.Matcher
	valid   int // the number of valid rows,
	bytes   int // and the size of the first of them
	quoted  int // the line of the first cell of tsv that is in quotes
}

func (v *validation) run(ctx context.Context) error {
	identity := v.schema.identity()
	var values Values // of the row that is being added
	appendKey := func(id, content []byte) ([]byte, []byte) { return identity(values, id, content) }
	names := newBinder(&v.schema)
	for row, err := range v.scan(names) {
		if v.total%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			if err := v.addInvalid(row, err); err != nil {
				return err
			}
			continue
		}
		v.total++
		v.estimate(row)
		if v.file.Format() == "tsv" && v.quoted == 0 && slices.ContainsFunc(row.Cells, isQuoted) {
			v.quoted = row.Line
		}
		v.lines.Add(row.Ordinal, row.Line)
		values = row.Values
		id := v.matcher.Add(row.Ordinal, appendKey)
		if v.digest != nil {
			v.digest.Write(append(AppendValues(nil, v.WithoutSecrets(row.Values)), '\n'))
		}
		if n := v.schema.Shard.N; n > 0 && dedupe.ShardOf(id, n) != v.schema.Shard.I-1 {
			v.otherShard.Set(row.Ordinal)
		} else {
			v.report.Rows++
		}
	}
	v.matcher.Flush()
	if v.digest != nil {
		v.Source.digest = v.digest.Sum(nil)
	}
	if v.bindings == nil && v.total > 0 {
		if unused := names.unused(nil); unused != nil {
			v.issues.Fatal = true
			v.issues.Add(unused...)
		}
	}
	v.complete()
	return nil
}

// addInvalid counts a row that can't be sent. It returns an error that ends the
// validation.
func (v *validation) addInvalid(row *Row, err error) error {
	issues := decode.AsError(err)
	if issues == nil {
		return err
	}
	v.matcher.Flush() // so that the issues of earlier lines come first
	v.issues.Add(issues.Issues...)
	if issues.Fatal {
		v.issues.Fatal = true
		return &v.issues
	}
	if v.digest != nil { // its place counts, but not its content, which may be a password
		v.digest.Write([]byte{'\n'})
	}
	if v.total++; v.schema.Shard.N > 0 && row.Ordinal%v.schema.Shard.N != v.schema.Shard.I-1 {
		v.otherShard.Set(row.Ordinal)
		return nil
	}
	v.invalid.Set(row.Ordinal)
	v.report.Rows++
	v.report.Invalid++
	return nil
}

// estimate makes room in the index for as many rows as the file may have, going by
// the size of the first ones.
func (v *validation) estimate(row *Row) {
	if v.valid++; v.valid > sampleSize {
		return
	}
	for _, cell := range row.Cells {
		v.bytes += len(cell) + 1
	}
	if v.valid == sampleSize {
		v.matcher.Flush()
		v.index.Grow(v.file.Size() * sampleSize / int64(v.bytes))
	}
}

// onMatch notes a row with the identity of an earlier one: a repeated row counts
// once, and of rows in conflict none is sent, since nothing says which is right.
func (v *validation) onMatch(m dedupe.Match) {
	first, repeat := v.lines.Of(m.First), v.lines.Of(m.Repeat)
	if !m.Equal {
		v.conflicts[m.Repeat] = first
		if _, ok := v.conflicts[m.First]; !ok {
			v.conflicts[m.First] = repeat
		}
		v.issues.Add(v.conflict(repeat, first))
		return
	}
	if v.repeated.Set(m.Repeat); v.otherShard.Has(m.Repeat) {
		return
	}
	if v.report.Duplicates++; v.report.Duplicates <= maxNotes {
		v.note("line %d repeats line %d and counts once", repeat, first)
	}
}

func (v *validation) note(format string, args ...any) {
	v.report.Notes = append(v.report.Notes, fmt.Sprintf(format, args...))
}

// complete adds the last notes and counts the rows of conflicts and what is left.
func (v *validation) complete() {
	if v.quoted > 0 {
		v.note("line %d: tsv has no quotes: the quotes around a cell are part of its text", v.quoted)
	}
	if v.report.Duplicates > maxNotes {
		v.note("%d more lines repeat earlier ones", v.report.Duplicates-maxNotes)
	}
	for row := range v.conflicts {
		if !v.otherShard.Has(row) {
			v.report.Invalid++
		}
	}
	v.report.Send = v.report.Rows - v.report.Invalid - v.report.Duplicates
	v.validated = true
}

func isQuoted(cell string) bool { return len(cell) > 1 && cell[0] == '"' && cell[len(cell)-1] == '"' }

// conflict is the issue of two rows with the same identity and different content.
func (s *Source) conflict(line, other int) decode.Issue {
	return decode.Issue{Line: line, Reason: fmt.Sprintf("contradicts line %d: the same %s with different content", other, s.schema.Resource.Name)}
}

// DropIndex frees the identities of the rows, which take most of the memory of a
// load and are needed only while a list of the service is read.
func (s *Source) DropIndex() {
	if s.derived != nil || s.index == nil {
		return
	}
	if s.index = nil; s.total > keepIndexRows {
		runtime.GC() // before the heap grows beyond its size with the index
	}
}

// Tolerate validates the invalid rows again, without checking their cells. open
// returns the function that decides whether such a row is accepted after all; it may
// ask whether values are valid. open is not called if
// nothing can be gained: if rows stay invalid whose cells are not checked, and skip,
// which says that the others are loaded without them, is not set.
func (s *Source) Tolerate(ctx context.Context, skip bool, open func() (accept func(row *Row, valid func(Values) bool) (bool, error), err error)) (err error) {
	s.tolerated = slices.Clone(s.invalid)
	defer func() {
		if err != nil {
			s.tolerated = nil
		}
	}()
	if _, err := s.Validate(ctx); err != nil {
		if decode.AsError(err) == nil {
			return err
		}
		if !skip || slices.Equal(s.invalid, s.tolerated) {
			s.tolerated = nil
			return nil
		}
	}
	accept, err := open()
	if err != nil {
		return err
	}
	for row, err := range s.scan(newBinder(&s.schema)) { // rows that repeat others too
		if decode.InvalidRow(err) {
			continue
		}
		if err != nil {
			return err
		}
		if !s.tolerated.Has(row.Ordinal) {
			continue
		}
		row.ReadOnly = nil // the load itself warns of read-only columns
		ok, err := accept(row, s.schema.isValid)
		if err != nil {
			return err
		}
		if !ok {
			s.tolerated.Clear(row.Ordinal)
		}
	}
	return nil
}
