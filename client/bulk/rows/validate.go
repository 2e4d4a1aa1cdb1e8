package rows

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"runtime"
	"slices"
	"sort"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
	"reseller/client/phrase"
	"reseller/client/schema"
)

const (
	// maxNotes is the number of repeated rows for which the report has a note each.
	maxNotes = 3
	// sampleSize is the number of rows after which the number of rows of the file is
	// estimated from their average size.
	sampleSize = 256
	// keepIndexRows is the number of rows up to which DropIndex does not run the garbage
	// collector.
	keepIndexRows = 10_000
)

// Validate is the first pass over the file. It checks every row, and finds the rows that
// repeat or contradict each other. If a row can't be sent, the error is a *decode.Error.
func (s *Source) Validate(ctx context.Context) (Report, error) {
	v := &validation{Source: s}
	s.index.Close()
	s.findings, s.parts, s.appended = findings{Report: Report{Notes: slices.Clone(s.notes)}, index: s.newIndex()}, nil, nil
	if s.HoldsSecrets() || s.Parts != nil {
		v.digest = sha256.New()
	}
	v.matcher = s.index.Match(v.onMatch)
	err := v.run(ctx)
	v.matcher.Close()
	if err == nil && v.issues.Issues != nil {
		err = &v.issues
	}
	return s.Report, err
}

// A validation is one call of Validate.
type validation struct {
	*Source
	issues  decode.Error
	digest  hash.Hash // nil for a file without passwords
	matcher *dedupe.Matcher
	repeats []dedupe.Match // the first rows that repeat others
	valid   int            // the number of valid rows so far
	bytes   int            // the size of the first sampleSize valid rows
	repairs [len(schema.Repairs)]repairCount
	quoted  int // in tsv, the line of the first row with a cell in quotes; 0 if there is none
}

func (v *validation) run(ctx context.Context) error {
	var values Values // the values of the row that appendKey is called for
	appendKey := func(id, content []byte) ([]byte, []byte) { return v.schema.Identity(values, id, content) }
	names := newBinder(v.schema)
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
		v.HoldsReadOnly = v.HoldsReadOnly || row.ReadOnly != nil
		v.estimate(row)
		if row.file.Format == "tsv" && v.quoted == 0 && slices.ContainsFunc(row.Cells, isQuoted) {
			v.quoted = row.Line
		}
		values = row.Given()
		id := v.matcher.Add(row.Ordinal, row.Line, appendKey)
		if v.digest != nil {
			v.digest.Write(append(AppendValues(nil, v.WithoutSecrets(row.asWritten(values))), '\n'))
		}
		if n := v.schema.Shard.N; n > 0 && dedupe.ShardOf(id, n) != v.schema.Shard.I-1 {
			v.otherShard.Set(row.Ordinal)
		} else {
			v.Report.Rows++
			v.countRepairs(row)
		}
	}
	if err := v.matcher.Finish(); err != nil {
		return err
	}
	if v.digest != nil {
		for _, part := range v.parts {
			fmt.Fprintf(v.digest, "%q\n", part.name)
		}
		v.Source.digest = v.digest.Sum(nil)
	}
	if v.bindings == nil && v.total > 0 {
		if unused := names.unused(nil); unused != nil {
			v.issues.Fatal = true
			v.issues.Add(unused...)
		}
		v.Report.Notes = append(v.Report.Notes, names.notes()...)
		v.Mapping, v.MappingKey = names.mapping()
	}
	v.noteHidden(names.hidden)
	if names.unknown {
		v.issues.Hint = names.hint(v.SheetText())
	}
	if err := v.compareConflicts(); err != nil {
		return err
	}
	v.complete()
	return nil
}

// addInvalid counts an invalid row and keeps its issues. It returns an error only if the
// validation can't continue.
func (v *validation) addInvalid(row *Row, err error) error {
	issues := decode.AsError(err)
	if issues == nil {
		return err
	}
	isElsewhere := !issues.Fatal && v.schema.Shard.N > 0 && row.Ordinal%v.schema.Shard.N != v.schema.Shard.I-1
	for i := range issues.Issues {
		issues.Issues[i].IsElsewhere = isElsewhere
	}
	v.issues.Add(issues.Issues...)
	if issues.Fatal {
		v.issues.Fatal, v.issues.Hint = true, issues.Hint
		return cmp.Or[error](v.matcher.Finish(), &v.issues)
	}
	if v.digest != nil { // the content of an invalid row may be a password, so only its place is hashed
		v.digest.Write([]byte{'\n'})
	}
	if v.total++; isElsewhere {
		v.otherShard.Set(row.Ordinal)
		return nil
	}
	v.invalid.Set(row.Ordinal)
	v.Report.Rows++
	v.Report.Invalid++
	return nil
}

// noteHidden notes how many rows of the sheet are hidden.
func (v *validation) noteHidden(n int) {
	rows, are := phrase.Count(n, "row is", "rows are")+" hidden or filtered out in the sheet", phrase.Noun(n, "is", "are")
	switch {
	case n == 0:
	case v.schema.VisibleRows:
		v.note("%s and %s left out", rows, are)
	default:
		v.note("%s and %s read like the others: --visible-rows leaves %s out", rows, are, phrase.Noun(n, "it", "them"))
	}
}

// estimate makes room in the index for all rows of the file, whose number it estimates
// from the size of the first sampleSize rows.
func (v *validation) estimate(row *Row) {
	if v.valid++; v.valid > sampleSize {
		return
	}
	for _, cell := range row.Cells {
		v.bytes += len(cell) + 1
	}
	if v.valid == sampleSize {
		v.matcher.Flush()
		v.index.Grow(v.Size * sampleSize / int64(v.bytes))
	}
}

// onMatch records a row with the identity of an earlier row. If the content is the same
// too, the row repeats the earlier one and is not sent. Otherwise the two are in conflict
// and neither is sent, since nothing tells which of them is right.
func (v *validation) onMatch(m dedupe.Match) {
	if !m.Equal {
		v.addConflict(m.Repeat, m.RepeatLine, m.FirstLine)
		v.addConflict(m.First, m.FirstLine, m.RepeatLine)
		return
	}
	if v.repeated.Set(m.Repeat); v.otherShard.Has(m.Repeat) {
		return
	}
	v.Report.Duplicates++
	at := sort.Search(len(v.repeats), func(i int) bool { return v.repeats[i].Repeat > m.Repeat })
	v.repeats = slices.Insert(v.repeats, at, m)
	v.repeats = v.repeats[:min(len(v.repeats), maxNotes)]
}

// addConflict records that a row is in conflict with the row on another line, unless it is
// in conflict with a row already.
func (v *validation) addConflict(row, line, otherLine int) {
	if !v.inConflict.Has(row) {
		v.inConflict.Set(row)
		v.conflicts = append(v.conflicts, conflictingRow{row: uint32(row), line: uint32(line), otherLine: uint32(otherLine)})
	}
}

// note adds a note to the report.
func (v *validation) note(format string, args ...any) {
	v.Report.Notes = append(v.Report.Notes, fmt.Sprintf(format, args...))
}

// complete adds the last notes and counts the rows in conflict and the rows to send.
func (v *validation) complete() {
	v.noteRepairs()
	for _, m := range v.repeats {
		v.note("%s repeats %s and counts once", v.Place(m.RepeatLine), v.Place(m.FirstLine))
	}
	if v.quoted > 0 {
		v.note("%s: tsv has no quotes: the quotes around a cell are part of its text; --input-format csv takes them off", v.Place(v.quoted))
	}
	if v.Report.Duplicates > maxNotes {
		v.note("%s earlier ones", phrase.Count(v.Report.Duplicates-maxNotes, "more row repeats", "more rows repeat"))
	}
	for _, c := range v.conflicts {
		if !v.otherShard.Has(int(c.row)) {
			v.Report.Invalid++
		}
	}
	v.Report.Send = v.Report.Rows - v.Report.Invalid - v.Report.Duplicates
	v.Validated = true
}

func isQuoted(cell string) bool { return len(cell) > 1 && cell[0] == '"' && cell[len(cell)-1] == '"' }

// DropIndex frees the index if it is in memory, where it takes most of the memory of a
// load. The index is needed only while a list of the service is read. One on disk takes
// little memory, and to build it again would take seconds. A source that Expand returned
// keeps its index.
func (s *Source) DropIndex() {
	if s.derived != nil || s.index == nil || s.index.IsOnDisk() {
		return
	}
	s.index.Close()
	if s.index = nil; s.total > keepIndexRows {
		runtime.GC() // otherwise the heap could grow further before the memory is used again
	}
}

// Tolerate calls accept for each row that is invalid only because of its cells, and from
// then on takes the row for valid if accept returns true. The rows must have been
// validated. skip means that the valid rows are loaded even if others are invalid. If it
// is false and a row is invalid for another reason than its cells, nothing can be loaded
// in any case: then accept is not called.
func (s *Source) Tolerate(ctx context.Context, skip bool, accept func(*Row) (bool, error)) (err error) {
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
	for row, err := range s.scan(newBinder(s.schema)) { // unlike All, scan yields repeated rows too
		if decode.InvalidRow(err) {
			continue
		}
		if err != nil {
			return err
		}
		if !s.tolerated.Has(row.Ordinal) {
			continue
		}
		row.ReadOnly = nil // the load warns of read-only columns later; accept must not warn too
		ok, err := accept(row)
		if err != nil {
			return err
		}
		if !ok {
			s.tolerated.Clear(row.Ordinal)
		}
	}
	return nil
}

// AreValid reports whether the values of a row pass the checks of their fields. A function
// that Tolerate calls uses it for the values that remain to be sent.
func (l *layout) AreValid(row *Row) bool {
	return !slices.ContainsFunc(row.Values, func(v Value) bool {
		f := l.schema.Resource.Field(v.Name)
		if f == nil {
			return false
		}
		if _, err := f.FromJSON(v.JSON, l.schema.validates(f)); err != nil || f.CheckEmpty(v.JSON.Text()) != nil {
			return true
		}
		_, repairs := f.Repair(v.JSON.Text(), row.country)
		return l.schema.Validate && (l.schema.Strict && repairs != 0 || f.CheckPostal(v.JSON.Text(), row.country) != nil)
	})
}

// A repairCount counts the cells that underwent one of schema.Repairs.
type repairCount struct {
	cells int
	first decode.Issue // the place of the first of them
}

// countRepairs counts the repaired cells of a valid row.
func (v *validation) countRepairs(row *Row) {
	for _, cell := range row.Repaired {
		for i := range v.repairs {
			if !cell.Repairs.Has(i) {
				continue
			}
			if v.repairs[i].cells++; v.repairs[i].cells == 1 {
				v.repairs[i].first = v.issueAt(row.Line, row.number)
				v.repairs[i].first.Column = strings.Clone(cell.Column)
			}
		}
	}
}

// noteRepairs adds a note for each repair that was made.
func (v *validation) noteRepairs() {
	for i, made := range v.repairs {
		if made.cells > 0 {
			v.note(schema.Repairs[i].Done+phrase.Noun(made.cells, ": ", ", the first: ")+"%s", phrase.Count(made.cells, "cell", "cells"), made.first.Place())
		}
	}
}
