package rows

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"hash/maphash"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
	"reseller/client/crash"
	"reseller/client/phrase"
	"reseller/client/schema"
)

// maxNotes is the number of repeated rows for which the report has a note each.
const maxNotes = 3

// Validate is the first pass over the file. It checks every row, and finds the rows that repeat or contradict each other. The
// findings replace those of an earlier call. If a row can't be sent, the error is a *decode.Error.
func (s *Source) Validate(ctx context.Context) (Report, error) {
	v := &validation{Source: s, schema: s.Layout.schema}
	s.index.Close()
	s.findings, s.parts, s.appended = findings{Report: Report{Notes: slices.Clone(s.Layout.notes)}, index: s.newIndex()}, nil, nil
	s.index.Grow(s.File.Size / 64) // which is about the size of a row
	limit := maxKept               // the rows of a larger file are read again
	if newFastBuilder(s.Layout.schema, s.Layout.bindings, nil) != nil {
		limit = maxKept / 16 // reading them again takes less time, but a small file may be saved in place while it is loaded
	}
	if s.File.Size <= int64(limit) {
		s.kept = &Arena{}
	}
	var hashing sync.WaitGroup
	if s.Layout.HoldsSecrets() || s.File.Parts != nil {
		v.hash = sha256.New()
	} else {
		hashing.Go(func() {
			defer crash.Recover()
			if sum := sha256.New(); s.File.CopyTo(sum) == nil { // otherwise Digest tells the error
				s.digest = sum.Sum(nil)
			}
		})
	}
	err := v.run(ctx)
	hashing.Wait()
	if err == nil && v.issues.Issues != nil {
		err = &v.issues
	}
	return s.Report, err
}

// A repeat is a row that repeats an earlier one, with the ordinals and the lines of both.
type repeat struct{ row, line, first, firstLine uint32 }

type validation struct {
	*Source
	schema  *Schema
	issues  decode.Error
	hash    hash.Hash // nil for a file without passwords
	repeats []repeat  // the first maxNotes rows with the identity and the content of an earlier one
	repairs [len(schema.Repairs)]repairCount
	quoted  int // in tsv, the line of the first row with a cell in quotes; 0 if there is none
}

func (v *validation) run(ctx context.Context) error {
	var id, content []byte
	names := newBinder(v.schema)
	for row, err := range v.walk(names) {
		if v.total%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			if err := v.addInvalid(row, err); err != nil {
				return err
			}
			id, content = v.schema.Identity(row.Values, id[:0], content[:0])
			if given, _ := v.Identify(row); bytes.Equal(id, given) { // what is invalid does not identify it
				v.index.Queue(row.Ordinal, row.Line, id, content, v.onMatch)
			}
			continue
		}
		v.total++
		v.HoldsDoubtful = v.HoldsDoubtful || v.schema.IsDoubtful != nil && v.schema.IsDoubtful(row)
		v.HoldsInvalid = v.HoldsInvalid || row.Invalid != nil
		if row.layout.format == "tsv" && v.quoted == 0 && slices.ContainsFunc(row.Cells, isQuoted) {
			v.quoted = row.Line
		}
		values := row.Given()
		id, content = v.schema.Identity(values, id[:0], content[:0])
		v.index.Queue(row.Ordinal, row.Line, id, content, v.onMatch)
		if v.hash != nil {
			v.hash.Write(append(AppendValues(nil, v.Layout.WithoutSecrets(row.asWritten(values))), '\n'))
		}
		if n := v.schema.Shard.N; n > 0 && dedupe.ShardOf(id, n) != v.schema.Shard.I-1 {
			v.otherShard.Set(row.Ordinal)
		} else {
			v.Report.Rows++
			v.countRepairs(row)
			v.keep(row)
		}
	}
	if err := v.index.Finish(v.onMatch); err != nil {
		return err
	}
	if v.hash != nil {
		for _, one := range v.parts {
			fmt.Fprintf(v.hash, "%q\n", one.name)
		}
		v.digest = v.hash.Sum(nil)
	}
	if v.Layout.bindings == nil && v.total > 0 {
		if unused := names.unused(nil); unused != nil {
			v.issues.Fatal = true
			v.issues.Add(unused...)
		}
		v.Report.Notes = append(v.Report.Notes, names.notes()...)
		v.Mapping, v.MappingKey = names.mapping()
	}
	v.noteHidden(names.hidden)
	if v.HoldsUnknown = names.unknown; v.HoldsUnknown {
		v.issues.Hint = names.hint(v.File.SheetText())
	}
	if err := v.settleRepeats(); err != nil {
		return err
	}
	if err := v.compareConflicts(); err != nil {
		return err
	}
	v.complete()
	return nil
}

// addInvalid counts an invalid row and keeps its issues. It returns an error only if the validation can't continue.
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
		return cmp.Or[error](v.index.Finish(v.onMatch), &v.issues)
	}
	if v.hash != nil { // the content of an invalid row may be a password, so only its place is hashed
		v.hash.Write([]byte{'\n'})
	}
	v.invalid.Set(row.Ordinal)
	if v.total++; isElsewhere {
		v.otherShard.Set(row.Ordinal)
		return nil
	}
	v.Report.Rows++
	v.Report.Invalid++
	return nil
}

func (v *validation) noteHidden(n int) {
	rows, are := phrase.Count(n, "row is", "rows are")+" hidden or filtered out in the sheet", phrase.Noun(n, "is", "are")
	switch {
	case n == 0:
	case v.schema.VisibleRows:
		v.note("%s and %s left out", rows, are)
	default:
		v.note("%s and %s read like the others: %s leaves %s out", rows, are, v.schema.Words.Of("--visible-rows"), phrase.Noun(n, "it", "them"))
	}
}

// onMatch records a row with the identity of an earlier row. If the content is the same too, the row repeats the earlier one
// and is not sent. Otherwise, or if one of them is invalid, the two are in conflict and neither is sent, since nothing tells
// which of them is right.
func (v *validation) onMatch(m dedupe.Match) {
	isFirst, isRepeat := v.invalid.Has(m.First), v.invalid.Has(m.Repeat)
	if isFirst && isRepeat {
		return
	}
	if isFirst || isRepeat || !m.Equal {
		v.addConflict(m.Repeat, m.RepeatLine, m.FirstLine)
		v.addConflict(m.First, m.FirstLine, m.FirstLine)
		return
	}
	v.repeated.Set(m.Repeat)
	if v.otherShard.Has(m.Repeat) {
		return
	}
	v.Report.Duplicates++
	v.repeats = append(v.repeats, repeat{uint32(m.Repeat), uint32(m.RepeatLine), uint32(m.First), uint32(m.FirstLine)})
	slices.SortFunc(v.repeats, func(a, b repeat) int { return cmp.Compare(a.row, b.row) })
	v.repeats = v.repeats[:min(len(v.repeats), maxNotes)]
}

// settleRepeats reads the file again for the rows that repeat a row in conflict: they are in the same conflict.
func (v *validation) settleRepeats() error {
	if v.conflicts == nil || v.repeated == nil {
		return nil
	}
	v.repeats = slices.DeleteFunc(v.repeats, func(r repeat) bool { return v.inConflict.Has(int(r.first)) })
	lines := map[int]int{} // of the first row of each conflict, by its ordinal
	for _, c := range v.conflicts {
		if c.line == c.first {
			lines[int(c.row)] = int(c.line)
		}
	}
	for row, err := range v.walk(newBinder(v.schema)) {
		if row.Ordinal < 0 {
			return err
		}
		if !v.repeated.Has(row.Ordinal) {
			continue
		}
		first, _ := v.index.Find(v.index.Fingerprint(v.Identify(row)))
		if line, ok := lines[first]; ok {
			v.addConflict(row.Ordinal, row.Line, line)
			v.repeated.Clear(row.Ordinal)
			if !v.otherShard.Has(row.Ordinal) {
				v.Report.Duplicates--
			}
		}
	}
	return v.index.Err()
}

// addConflict records that a row is in conflict, unless it was before. first is the line of the first row of the conflict.
func (v *validation) addConflict(row, line, first int) {
	if !v.inConflict.Has(row) {
		v.inConflict.Set(row)
		v.conflicts = append(v.conflicts, conflictingRow{row: uint32(row), line: uint32(line), first: uint32(first)})
	}
}

func (v *validation) note(format string, args ...any) {
	v.Report.Notes = append(v.Report.Notes, fmt.Sprintf(format, args...))
}

// complete adds the last notes and counts the rows in conflict and the rows to send.
func (v *validation) complete() {
	for i, made := range v.repairs {
		if made.cells > 0 {
			v.note(schema.Repairs[i].Done+phrase.Noun(made.cells, ": ", ", the first: ")+"%s", phrase.Count(made.cells, "cell", "cells"), made.first.Place())
		}
	}
	for _, r := range v.repeats {
		v.note("%s repeats %s and counts once", v.Place(int(r.line)), v.Place(int(r.firstLine)))
	}
	if v.quoted > 0 {
		v.note("%s: tsv has no quotes: the quotes around a cell are part of its text; %s takes them off", v.Place(v.quoted), v.schema.Words.Of("--input-format csv"))
	}
	if more := v.Report.Duplicates - len(v.repeats); more > 0 {
		v.note("%s earlier ones", phrase.Count(more, "more row repeats", "more rows repeat"))
	}
	for _, c := range v.conflicts {
		if !v.otherShard.Has(int(c.row)) && !v.invalid.Has(int(c.row)) {
			v.Report.Invalid++
		}
	}
	v.Report.Send = v.Report.Rows - v.Report.Invalid - v.Report.Duplicates
	v.Validated = true
}

func isQuoted(cell string) bool { return len(cell) > 2 && cell[0] == '"' && cell[len(cell)-1] == '"' }

// DropIndex frees the index if it is in memory, where it takes most of the memory of a load. The index is needed only while a
// list of the service is read. One on disk takes little memory, and to build it again would take seconds. A source that Expand
// returned keeps its index.
func (s *Source) DropIndex() {
	if s.derived != nil || s.index == nil || s.index.IsOnDisk() {
		return
	}
	s.index.Close()
	if s.index = nil; s.total > 10_000 { // fewer take little
		runtime.GC() // otherwise the heap could grow further before the memory is used again
	}
}

type repairCount struct {
	cells int
	first decode.Issue // the place of the first of them
}

func (v *validation) countRepairs(row *Row) {
	for _, cell := range row.Repaired {
		for i := range v.repairs {
			if cell.Repairs&(1<<i) == 0 {
				continue
			}
			if v.repairs[i].cells++; v.repairs[i].cells == 1 {
				v.repairs[i].first = v.issueAt(row.Line, row.number)
				v.repairs[i].first.Column = strings.Clone(cell.Column)
			}
		}
	}
}

const (
	maxCompared   = 20_000 // the rows in conflict that are compared, so that their issues name the columns in which they differ
	maxInConflict = 20     // the rows of one conflict of which each is compared with all others
)

// compareConflicts reads the file again to find out in which columns the rows in conflict
// differ, and adds an issue for each of them.
func (v *validation) compareConflicts() error {
	if v.conflicts == nil {
		return nil
	}
	slices.SortFunc(v.conflicts, func(a, b conflictingRow) int { return cmp.Compare(a.row, b.row) })
	compared := v.conflicts[:min(len(v.conflicts), maxCompared)]
	seed, byLine := maphash.MakeSeed(), map[uint32]map[string]uint64{} // the hashes of the values, whose spelling may differ
	next := 0
	for row, err := range v.walk(newBinder(v.schema)) {
		if row.Ordinal < 0 {
			return err
		}
		if next == len(compared) {
			break
		}
		if row.Ordinal != int(compared[next].row) {
			continue
		}
		hashes := map[string]uint64{}
		for _, value := range row.Given() {
			hashes[value.Name] = maphash.String(seed, schema.FoldText(value.JSON.Text()))
		}
		byLine[compared[next].line], compared[next].number = hashes, row.number
		for i := 0; err == nil && i < len(row.Invalid); i++ {
			compared[next].invalid = append(compared[next].invalid, row.Invalid[i].Issue)
		}
		next++
	}
	groups := map[uint32][]uint32{} // the lines of the rows of each conflict, by the first of them
	for _, c := range v.conflicts {
		groups[c.first] = append(groups[c.first], c.line)
	}
	for i := range v.conflicts {
		c := &v.conflicts[i]
		c.lines = groups[c.first]
		if len(c.lines) <= maxInConflict && byLine[c.line] != nil { // some of them may agree with the row
			others := slices.DeleteFunc(slices.Clone(c.lines), func(line uint32) bool { return maps.Equal(byLine[line], byLine[c.line]) })
			if len(others) > 0 {
				c.lines = others
			}
		}
		c.columns = v.Layout.differing(c, byLine)
		issues := v.conflict(int(c.row))
		for i := range issues {
			issues[i].IsElsewhere = v.otherShard.Has(int(c.row))
		}
		v.issues.Add(issues...)
	}
	return nil
}

// differing returns the columns of the fields in which a row differs from one of those that it contradicts, or from the first
// of more than maxInConflict. byLine has the hashes of the values of each compared row; that of a missing value is 0.
func (l *layout) differing(c *conflictingRow, byLine map[uint32]map[string]uint64) string {
	own, others := byLine[c.line], c.lines
	if len(others) > maxInConflict {
		if others = []uint32{c.first}; c.line == c.first {
			others = c.lines[1:2]
		}
	}
	var columns []string
	for _, field := range l.schema.Resource.Fields {
		differs := func(line uint32) bool { return byLine[line] != nil && byLine[line][field.Name] != own[field.Name] }
		if own != nil && slices.ContainsFunc(others, differs) {
			columns = append(columns, l.column(field.Name))
		}
	}
	return strings.Join(columns, ", ")
}
