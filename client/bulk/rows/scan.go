package rows

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/xlsx"
)

// A pass walks all rows of a file or folder once, those of other shards and repeated ones included.
type pass struct {
	*layout
	file   *decode.File
	places *places // of the folder
	first  int     // of a file of a folder: the ordinal of its first row
	binder *binder

	builder builder
	fast    *fastBuilder
	isMixed bool // the builder has built some of the rows
	row     Row
}

// rows walks the rows. An invalid row comes with a *decode.Error that is not fatal. Any other error ends the walk, and its row
// has the ordinal -1. A row is valid until the walk continues, since the next row uses its memory.
func (p *pass) rows() iter.Seq2[*Row, error] {
	if p.file.Parts != nil {
		return p.ofFolder
	}
	return p.ofFile
}

// ofFolder walks the rows of a folder, whose files are open one at a time. If one of them has an invalid header, the other
// headers are read too, so that the error has the issues of all headers.
func (p *pass) ofFolder(yield func(*Row, error) bool) {
	headers := &decode.Error{Fatal: true}
	lines, ordinals := 0, 0 // of the files before
	for i, name := range p.file.Parts {
		one, err := p.open(i, ordinals)
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
		if i == len(p.places.parts) {
			p.places.parts = append(p.places.parts, folderPart{name, lines, ordinals, one.file.Unit})
		}
		last, more := 1, headers.Issues == nil
		if more {
			for row, err := range one.ofFile {
				if invalid := decode.AsError(err); invalid != nil {
					invalid.In(name)
				}
				if row.Ordinal >= 0 {
					for i := range row.Invalid {
						row.Invalid[i].Issue.File = name
					}
					last, ordinals = max(last, row.Line), row.Ordinal+1
					row.Line += lines
				}
				if more = yield(row, err) && row.Ordinal >= 0; !more {
					break
				}
			}
		}
		if err := one.file.Close(); !more && headers.Issues == nil {
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

// open opens a file of the folder, which has another file's rows before it, and binds its columns.
func (p *pass) open(i, first int) (*pass, error) {
	file, err := p.file.Part(i)
	if err != nil {
		return nil, err
	}
	p.binder.file = p.file.Parts[i]
	columns, err := readLayout(file, p.schema, p.binder)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &pass{layout: columns, file: file, first: first, binder: p.binder}, nil
}

func (p *pass) ofFile(yield func(*Row, error) bool) {
	p.builder = builder{schema: p.schema, seen: map[string]bool{}, unit: p.file.Unit, hides: p.hidesCells(), isSheet: p.header != nil && p.file.Format != "txt"}
	p.fast, p.row = newFastBuilder(p.schema, p.bindings, p.layout.fast), Row{layout: p.layout}
	n := p.first
	fail := func(err error) { yield(&Row{Ordinal: -1}, err) }
	for in, err := range p.file.Rows() {
		if err != nil {
			fail(err)
			return
		}
		if in.Blank {
			continue
		}
		if in.Hidden {
			if p.binder.hidden++; p.schema.VisibleRows {
				continue
			}
		}
		invalid := p.build(in, n)
		if p.binder.err != nil {
			fail(p.binder.err)
			return
		}
		if n++; !yield(&p.row, invalid) {
			return
		}
	}
	if err := p.file.Unchanged(); err != nil {
		fail(err)
	} else if !p.isMixed {
		p.layout.fast = p.fast
	}
}

// The issues of cells of a workbook that hold an error such as #N/A, a formula that no program has calculated, a text that a
// spreadsheet has taken for a date, a number that it may have rounded, or a password that was entered otherwise.
var (
	errFormula    = errors.New("is an error of a spreadsheet: correct the cell there and save the file again")
	errUncomputed = errors.New("is a formula without a value: open the workbook in a spreadsheet and save it there")
	errRounded    = errors.New("is a number of more than 15 digits, of which a spreadsheet keeps 15: give the column the format Text, enter the text again and save the file again")
	errDate       = errors.New("is a date to the spreadsheet: give the column the format Text, enter the text again and save the file again")
	errStyled     = errors.New("is a number that the spreadsheet shows as another text: give the column the format Text, enter the text again and save the file again")
	errShown      = errors.New("is a truth value to the spreadsheet, or a number that it shows otherwise: give the column the format Text, enter the text again and save the file again")
)

// unusable returns why a cell of a kind can't be the value of a binding, nil if its text decides.
func (p *pass) unusable(to *binding, kind xlsx.Kind) error {
	switch {
	case to.kind == kindReadOnly || to.isIgnored():
	case kind == xlsx.KindUncomputed:
		return errUncomputed
	case !p.schema.Validate:
	case kind == xlsx.KindError:
		return errFormula
	case kind == xlsx.KindRounded:
		return errRounded
	case kind == xlsx.KindDate && (to.isShortText() || to.isSecret()):
		return errDate
	case kind == xlsx.KindStyled && (to.isShortText() && !to.isNumbers() || to.isSecret()):
		return errStyled
	case kind > xlsx.KindNumber && to.isSecret():
		return errShown
	}
	return nil
}

// build sets the row of the pass from a record. The error is a *decode.Error with the row's issues.
func (p *pass) build(in *decode.RawRow, ordinal int) error {
	row := &p.row
	row.Line, row.number, row.Ordinal, row.Cells, row.kinds, row.Values, row.ReadOnly, row.Repaired = in.Line, in.Row, ordinal, in.Cells, in.Kinds, row.Values[:0], nil, nil
	row.Invalid, row.written = nil, nil
	if in.Issues == nil && p.fast.build(row) {
		return nil
	}
	p.isMixed = true
	if in.Object == nil { // what is built of the cells may outlive them
		in.Cells = phrase.Each(in.Cells, strings.Clone)
	}
	b := &p.builder
	b.row, b.issues, b.named, b.parts, b.bytes = *row, in.Issues, b.named[:0], b.parts[:0], b.bytes[:0]
	b.repaired, b.country, b.references, b.kept = b.repaired[:0], "", b.references[:0], 0
	b.row.Values = b.row.Values[:0]
	p.fill(in)
	b.row.Repaired = b.repaired
	if b.isInvalid() {
		*row = b.row
		return &decode.Error{Issues: b.issues}
	}
	for i := range b.row.Invalid {
		b.row.Invalid[i].Issue = b.issues[i]
	}
	*row = b.row
	return nil
}

func (p *pass) fill(in *decode.RawRow) {
	b := &p.builder
	switch {
	case in.Issues != nil:
		return
	case in.Object != nil:
		clear(b.seen)
		b.members(in.Object, "", 0, p.binder)
	case len(in.Cells) != len(p.header):
		b.addIssue("", "", fmt.Sprintf("has %s where the header has %d", phrase.Count(len(in.Cells), "cell", "cells"), len(p.header)))
		return
	default:
		for i, to := range p.bindings {
			if to.kind == kindNameless && in.Cells[i] != "" {
				b.addIssue(fmt.Sprintf("column %d", i+1), "", "has a value, but the column has no name")
			}
			kind := xlsx.KindText
			if in.Kinds != nil {
				kind = in.Kinds[i]
			}
			column, text, err := p.header[i], in.Cells[i], p.unusable(to, kind)
			if kind == xlsx.KindUncomputed {
				text = ""
			}
			switch {
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
	if err := b.resolveReferences(); err != nil {
		p.binder.err = err
		return
	}
	b.complete(p.column)
	b.nameRecord()
}
