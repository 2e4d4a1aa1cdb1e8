package rows

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"reseller/client/bulk/decode"
	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/xlsx"
)

// scan walks all rows of the file, those of other shards and repeated ones included.
// An invalid row comes with a *decode.Error that is not fatal. Any other error ends the
// walk, and its row has the ordinal -1. A row is valid until the walk continues, since
// the next row uses its memory.
func (s *Source) scan(b *binder) iter.Seq2[*Row, error] {
	if names := s.Parts; names != nil {
		return func(yield func(*Row, error) bool) { s.scanFolder(names, b, yield) }
	}
	return s.scanFile(b)
}

// scanFolder is scan for a folder, whose files are open one at a time. If one of them has
// an invalid header, the other headers are read too, so that the error has the issues of
// all headers.
func (s *Source) scanFolder(names []string, b *binder, yield func(*Row, error) bool) {
	headers := &decode.Error{Fatal: true}
	lines, rows := 0, 0 // of the files before
	for i, name := range names {
		part, err := s.openPart(i, rows, b)
		if invalid := decode.AsError(err); invalid != nil {
			invalid.In(name)
			headers.Add(invalid.Issues...)
			headers.Hint = cmp.Or(headers.Hint, invalid.Hint)
			continue
		}
		if err != nil {
			yield(&Row{Ordinal: -1}, err)
			return
		}
		if i == len(s.parts) {
			s.parts = append(s.parts, folderPart{name, lines, rows, part.unit})
		}
		last, more := 1, headers.Issues == nil
		if more {
			for row, err := range part.scanFile(b) {
				if invalid := decode.AsError(err); invalid != nil {
					invalid.In(name)
				}
				if row.Ordinal >= 0 {
					for i := range row.Invalid {
						row.Invalid[i].Issue.File = name
					}
					last, rows = max(last, row.Line), row.Ordinal+1
					row.Line += lines
				}
				if more = yield(row, err) && row.Ordinal >= 0; !more {
					break
				}
			}
		}
		if err := part.Close(); !more && headers.Issues == nil {
			return
		} else if err != nil {
			yield(&Row{Ordinal: -1}, err)
			return
		}
		lines += last
	}
	if headers.Issues != nil {
		yield(&Row{Ordinal: -1}, headers)
	}
}

// scanFile is scan for a file that is no folder.
func (s *Source) scanFile(b *binder) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		var in decode.RawRow
		d, err := s.Decoder()
		sc := scanner{Source: s, binder: b, builder: builder{schema: s.schema, unit: s.unit, hides: s.hidesCells()}, fast: newFastBuilder(s.schema, s.bindings, s.constants)}
		for n := s.first; err == nil; {
			if err = d.Next(&in); err == nil && in.Hidden && !in.Blank {
				b.hidden++
			}
			if err == nil && !in.Blank && !(in.Hidden && s.schema.VisibleRows) {
				invalid := sc.build(&in, n)
				if err = b.err; err != nil {
					break
				}
				if !yield(&sc.row, invalid) {
					return
				}
				n++
			}
		}
		if err == io.EOF {
			err = s.Unchanged()
		}
		if err != nil {
			yield(&Row{Ordinal: -1}, err)
		}
	}
}

// The issues of cells of a workbook that hold an error such as #N/A, a formula that no program has calculated, what a
// spreadsheet has taken for a date, or a number that it may have rounded.
var (
	errFormula    = errors.New("is an error of a spreadsheet: correct the cell there and save the file again")
	errUncomputed = errors.New("is a formula without a value: open the workbook in a spreadsheet and save it there")
	errRounded    = errors.New("is a number of more than 15 digits, of which a spreadsheet keeps 15: give the column the format Text, enter the text again and save the file again")
	errDate       = errors.New("is a date to the spreadsheet: give the column the format Text, enter the text again and save the file again")
)

// unusable returns why a cell of a kind can't be the value of a binding, nil if its text decides.
func (s *scanner) unusable(to *binding, kind xlsx.Kind) error {
	switch {
	case to.kind == kindReadOnly || to.isIgnored():
	case kind == xlsx.KindUncomputed:
		return errUncomputed
	case !s.schema.Validate:
	case kind == xlsx.KindError:
		return errFormula
	case kind == xlsx.KindRounded:
		return errRounded
	case kind == xlsx.KindDate && to.isName():
		return errDate
	}
	return nil
}

// A scanner builds the rows of one pass over the file.
type scanner struct {
	*Source
	binder  *binder
	builder builder
	fast    *fastBuilder
	row     Row
}

// build sets the scanner's row from a record. The error is a *decode.Error with the
// row's issues.
func (s *scanner) build(in *decode.RawRow, ordinal int) error {
	row := &s.row
	row.file = s.Source
	row.Line, row.number, row.Ordinal, row.Cells, row.kinds, row.Values, row.ReadOnly, row.Repaired = in.Line, in.Row, ordinal, in.Cells, in.Kinds, row.Values[:0], nil, nil
	row.Invalid, row.written = nil, nil
	if in.Issues == nil && s.fast.build(row) {
		return nil
	}
	b := &s.builder
	b.row, b.issues, b.named, b.parts, b.bytes = *row, in.Issues, b.named[:0], b.parts[:0], b.bytes[:0]
	b.repaired, b.country, b.references = b.repaired[:0], "", b.references[:0]
	b.row.Values, b.tolerant = b.row.Values[:0], s.tolerated.Has(ordinal)
	s.fill(in)
	b.row.Repaired, b.row.country = b.repaired, b.country
	if b.isInvalid() {
		b.row.Invalid = nil
		*row = b.row
		return &decode.Error{Issues: b.issues}
	}
	for i := range b.row.Invalid {
		b.row.Invalid[i].Issue = b.issues[i]
	}
	*row = b.row
	return nil
}

// fill passes the cells or the object of a record to the builder.
func (s *scanner) fill(in *decode.RawRow) {
	b := &s.builder
	switch {
	case in.Issues != nil:
		return
	case in.Object != nil:
		start := len(b.bytes)
		b.bytes = append(b.bytes, in.Object...)
		b.members(b.bytes[start:len(b.bytes):len(b.bytes)], "", 0, map[string]bool{}, s.binder)
	case len(in.Cells) != len(s.header):
		b.addIssue("", "", fmt.Sprintf("has %s where the header has %d", phrase.Count(len(in.Cells), "cell", "cells"), len(s.header)))
		return
	default:
		for i, to := range s.bindings {
			if to.kind == kindNameless && in.Cells[i] != "" {
				b.addIssue(fmt.Sprintf("column %d", i+1), "", "has a value, but the column has no name")
			}
			kind := xlsx.KindText
			if in.Kinds != nil {
				kind = in.Kinds[i]
			}
			switch column, text, err := s.header[i], in.Cells[i], s.unusable(to, kind); {
			case err == errUncomputed:
				b.refuseCell(to, column, text, err.Error())
			case err != nil && to.kind == kindSplit:
				b.refuseCell(to, column, text, safetext.Quote(text)+" "+err.Error())
			case err != nil:
				b.setValue(to, column, text, nil, err)
			default:
				b.isPadded = kind == xlsx.KindPadded
				b.set(to, column, text, nil)
			}
		}
		b.isPadded = false
	}
	if err := b.resolveReferences(s.constants); err != nil {
		s.binder.err = err
		return
	}
	b.complete(s.constants, s.column)
	b.nameRecord()
}

// A Fault is why a row can't be sent, as far as only the service shows it.
type Fault struct {
	Row    int    `json:"row"`
	Column string `json:"column,omitempty"`
	Reason string `json:"reason"`
	Shown  bool   `json:"shown,omitempty"` // the service shows what the reason quotes, so that it is no secret
}

// RefuseRows makes the rows with faults, which are in the order of the rows, invalid. It returns the number of these rows,
// and their issues as an error.
func (s *Source) RefuseRows(faults []Fault) (n int, err error) {
	if len(faults) == 0 {
		return 0, nil
	}
	issues, before := &decode.Error{}, s.Report.Invalid
	for row, err := range s.Valid() {
		if err != nil {
			return 0, err
		}
		for ; len(faults) > 0 && faults[0].Row == row.Ordinal; faults = faults[1:] {
			issues.Add(s.Refuse(row, faults[0]))
		}
	}
	return s.Report.Invalid - before, issues
}

// Refuse makes a valid row invalid, for a reason that the file alone does not show, or for
// that of an invalid value that the row has kept. It returns the issue. The column may be empty.
// A row may be refused for several reasons. Validate must have read the file before; a
// further call of Validate takes the row for valid again.
func (s *Source) Refuse(row *Row, fault Fault) decode.Issue {
	if !fault.Shown && cmp.Or(row.file, s).hidesCells() { // as in builder.addIssue
		fault.Reason = quoted().ReplaceAllString(fault.Reason, "[hidden]")
	}
	issue := s.issueAt(row.Line, row.number)
	issue.Column, issue.Reason = fault.Column, fault.Reason
	for i := range row.Invalid {
		if kept := &row.Invalid[i]; kept.Name == fault.Column && kept.Issue.Reason == fault.Reason {
			issue = kept.Issue
		}
	}
	if s.refused == nil {
		s.refused = map[int][]decode.Issue{}
	}
	s.refused[row.Ordinal] = append(s.refused[row.Ordinal], issue)
	if !s.invalid.Has(row.Ordinal) {
		s.invalid.Set(row.Ordinal)
		s.Report.Invalid++
		s.Report.Send--
	}
	return issue
}
