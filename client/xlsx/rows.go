package xlsx

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	// maxRowText is how long the texts of a row may be together, in bytes.
	maxRowText = 32 << 20
	// kindWorksheet is the kind of a sheet that has cells. Others have a chart.
	kindWorksheet = "worksheet"
)

var errTooLong = fmt.Errorf("it has a text that is longer than %d MB", maxRowText>>20)

// A Cell is a cell with a value or a formula.
type Cell struct {
	Column int // from 0
	Kind   Kind
	Text   string
}

// A Kind says what the value of a cell is.
type Kind uint8

// The kinds of cells. The text of a cell from KindDate on is not the text that was entered.
const (
	KindText       Kind = iota
	KindNumber          // shown as a number
	KindBool            // TRUE or FALSE
	KindDate            // a date, a time or both
	KindPadded          // a whole number that is shown with zeros in front, or with texts around its digits, which Text has
	KindStyled          // a number that is shown as a text which Text does not have, such as 50% or 5 €
	KindRounded         // a whole number of more digits than spreadsheets keep
	KindError           // such as #N/A
	KindUncomputed      // a formula that no program has calculated; Text is empty
)

// Rows is one pass over the rows of a sheet.
type Rows struct {
	book   *Workbook
	member *member
	xml    *xmlReader
	cells  []Cell
	row    int // the number of the last row
	hidden bool
	size   int // of the texts of the rows so far, in bytes

	text []byte // the text of the cell that is being read

	err error // the error that ended the pass, io.EOF included
}

// Rows begins a pass over a sheet. The caller closes it.
func (w *Workbook) Rows(s Sheet) (*Rows, error) {
	switch {
	case s.part == "":
		return nil, errorf("has the sheet %.60q, which lies outside of the file", s.Name)
	case s.kind != kindWorksheet:
		return nil, errorf("has no cells in its sheet %.60q, which is a %s", s.Name, strings.TrimSuffix(s.kind, "sheet"))
	}
	p, err := w.archive.open(s.part, maxInflated)
	if err != nil {
		return nil, err
	}
	r := &Rows{book: w, member: p, xml: newXMLReader(p.body)}
	if err := r.begin(); err != nil {
		p.close()
		return nil, p.wrap(err)
	}
	return r, nil
}

// Close ends the pass.
func (r *Rows) Close() { r.member.close() }

// begin reads to the first row.
func (r *Rows) begin() error {
	for {
		t, err := r.xml.next()
		switch {
		case err != nil:
			return err
		case t == tokenEOF:
			return errors.New("it has no cells")
		case t != tokenStart:
		case r.xml.depth() == 1 && string(r.xml.name) != kindWorksheet:
			return errors.New("it is no sheet")
		case r.xml.depth() == 2 && string(r.xml.name) == "sheetData":
			return nil
		}
	}
}

// Next returns the next row that has cells with a value or a formula: its number, from 1, and these
// cells from left to right. It returns io.EOF after the last row. The slice is valid until
// the next call, the texts of its cells for as long as they are used.
func (r *Rows) Next() (number int, cells []Cell, err error) {
	for r.err == nil {
		t, err := r.xml.next()
		switch {
		case err != nil:
		case t == tokenEnd && r.xml.depth() == 1:
			if err = r.finish(); err == nil {
				err = io.EOF
			}
		case t == tokenStart && string(r.xml.name) == "row":
			if err = r.readRow(); err == nil && len(r.cells) > 0 {
				return r.row, r.cells, nil
			}
		case t == tokenStart:
			err = r.xml.skip()
		}
		if r.err = err; err != nil && err != io.EOF {
			r.err = r.member.wrap(err)
		}
	}
	return 0, nil, r.err
}

// Hidden reports whether the last row is hidden, by hand or by a filter.
func (r *Rows) Hidden() bool { return r.hidden }

// finish reads the rest of the part behind the cells, so that it finds a part that is cut short or damaged.
func (r *Rows) finish() error {
	for {
		if t, err := r.xml.next(); err != nil || t == tokenEOF {
			return err
		}
	}
}

// readRow reads the row whose start was read last.
func (r *Rows) readRow() error {
	number := r.row + 1
	if text := r.xml.attr("r"); text != nil {
		n, ok := parseNumber(text, MaxRows)
		if !ok {
			return errorf("has a row with the number %.20q, of which a sheet has at most %d", text, MaxRows)
		}
		if n < number {
			return errorf("is damaged: its row %d follows row %d", n, r.row)
		}
		number = n
	} else if number > MaxRows {
		return errorf("has more than %d rows in a sheet", MaxRows)
	}
	hidden := r.xml.attr("hidden")
	r.hidden = hidden != nil && string(hidden) != "0" && string(hidden) != "false"
	r.row, r.cells = number, r.cells[:0]
	before, column := r.size, -1
	return r.xml.inside(func(t token) (err error) {
		switch {
		case t == tokenStart && string(r.xml.name) == "c":
			if column, err = r.readCell(column); err == nil && r.size-before > maxRowText {
				err = &Error{Row: r.row, What: fmt.Sprintf("is longer than %d MB", maxRowText>>20)}
			}
			if err == nil && r.size > maxInflated {
				err = errorf("has texts of more than %d GB in a sheet", maxInflated>>30)
			}
		case t == tokenStart:
			err = r.xml.skip()
		}
		return err
	})
}

// The types of cells.
const (
	typeNumber = "n"
	typeShared = "s"
)

// readCell reads the cell whose start was read last, and returns its column. before is the
// column of the cell before it.
func (r *Rows) readCell(before int) (int, error) {
	column, kind, format := before+1, typeNumber, 0
	for attrs := r.xml.attrs; ; {
		name, value, rest, ok := nextAttribute(attrs)
		if !ok {
			break
		}
		switch attrs = rest; string(name) {
		case "r":
			n, ok := columnNumber(value)
			if !ok {
				return 0, r.cellError(column, "has the place %.20q: a sheet has %d columns", value, MaxColumns)
			}
			if n <= before {
				return 0, r.cellError(n, "follows %s", ColumnName(before))
			}
			column = n
		case "s":
			if n, ok := parseNumber(value, len(r.book.formats)); ok {
				format = n
			}
		case "t":
			kind = string(value)
		}
	}
	if column >= MaxColumns {
		return 0, r.cellError(column, "is one too many: a sheet has %d columns", MaxColumns)
	}
	cell, err := r.readValue(column, kind, format)
	if err != nil || cell.Text == "" && cell.Kind != KindUncomputed {
		return column, err
	}
	r.cells = append(r.cells, cell)
	r.size += len(cell.Text)
	return column, nil
}

// cellError returns an error about a cell of the row that is being read.
func (r *Rows) cellError(column int, format string, args ...any) error {
	return errorf("is damaged: its cell %s%d %s", ColumnName(column), r.row, fmt.Sprintf(format, args...))
}

// readValue reads to the end of the cell whose start was read last.
func (r *Rows) readValue(column int, kind string, format int) (Cell, error) {
	cell := Cell{Column: column}
	r.text = r.text[:0]
	hasFormula, hasValue := false, false
	err := r.xml.inside(func(t token) (err error) {
		switch {
		case t != tokenStart:
		case string(r.xml.name) == "v":
			hasValue = true
			cell.Kind, cell.Text, err = r.readPlain(column, kind, format)
		case string(r.xml.name) == "is":
			r.text, err = richText(r.xml, r.text)
		default:
			hasFormula = hasFormula || string(r.xml.name) == "f"
			err = r.xml.skip()
		}
		return err
	})
	if cell.Text == "" && err == nil {
		cell.Text = string(r.text)
	}
	if hasFormula && cell.Text == "" && (!hasValue || kind != "str") {
		cell.Kind = KindUncomputed
	}
	return cell, err
}

// readPlain reads the value of a cell. It returns a shared text, and leaves any other in
// text.
func (r *Rows) readPlain(column int, kind string, format int) (Kind, string, error) {
	var err error
	if r.text, err = elementText(r.xml, r.text[:0]); err != nil {
		return KindText, "", err
	}
	switch kind {
	case typeShared:
		n, ok := parseNumber(trimmed(r.text), 1<<31-1)
		if !ok {
			return KindText, "", r.cellError(column, "refers to the shared text %.20q", r.text)
		}
		r.text = r.text[:0]
		text, err := r.book.sharedText(n)
		return KindText, text, err
	case "str":
		r.text = appendUnescapedControl(r.text[:0], r.text)
	case "e":
		return KindError, "", nil
	case "b":
		switch string(trimmed(r.text)) {
		case "1", "true":
			r.text = append(r.text[:0], "TRUE"...)
			return KindBool, "", nil
		case "0", "false":
			r.text = append(r.text[:0], "FALSE"...)
			return KindBool, "", nil
		}
	case typeNumber, "d":
		var shown numberFormat
		if format < len(r.book.formats) {
			shown = r.book.formats[format]
		}
		shape := shown.dateShape
		switch r.text = trimmed(r.text); {
		case kind == "d":
			r.text = shape.appendISO(r.text[:0], string(r.text))
			return KindDate, "", nil
		case shape != shapeNumber || !isDecimal(r.text):
			r.text = shape.appendNumber(r.text[:0], string(r.text), r.book.epoch)
		}
		switch {
		case shape != shapeNumber:
			return KindDate, "", nil
		case len(r.text) > maxDigits && isDigits(string(r.text)):
			return KindRounded, "", nil
		case shown.mask != "" && isDigits(string(r.text)):
			digits := string(r.text)
			if r.text = appendMasked(r.text[:0], shown.mask, digits); string(r.text) != digits {
				return KindPadded, "", nil
			}
		case shown.isStyled && isNumber(string(r.text)):
			return KindStyled, "", nil
		}
		return KindNumber, "", nil
	}
	return KindText, "", nil
}

// parseNumber returns a number of decimal digits up to a limit.
func parseNumber(text []byte, limit int) (n int, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		if n = 10*n + int(c-'0'); n > limit {
			return 0, false
		}
	}
	return n, len(text) > 0
}

// columnNumber returns the number of the column, from 0, of a cell such as B5.
func columnNumber(name []byte) (n int, ok bool) {
	for _, c := range name {
		if c |= 'a' ^ 'A'; c < 'a' || c > 'z' {
			break
		}
		if n = 26*n + int(c-'a') + 1; n > MaxColumns {
			return 0, false
		}
	}
	return n - 1, n > 0
}

// ColumnName returns the letters with which spreadsheets name a column: A for 0.
func ColumnName(n int) string { return string(appendColumn(nil, n)) }
