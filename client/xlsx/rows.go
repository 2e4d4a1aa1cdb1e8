package xlsx

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strconv"
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
	KindUncomputed      // a formula that no program has calculated; Text is the formula, such as =A1, or empty
)

// A Row is a row with its cells that have a value or a formula, from left to right.
type Row struct {
	Number int // from 1
	Hidden bool
	Cells  []Cell
}

// A rowReader reads the rows of a sheet.
type rowReader struct {
	*xmlReader
	Row
	book *Workbook
	size int    // of the texts of the rows so far, in bytes
	buf  []byte // the text of the cell that is being read

	formula []byte // of this cell, empty if it refers to that of another one
}

// Rows returns the rows of a sheet that have cells. A row is valid until the next one, the texts of its cells for as long as they
// are used. An error ends the rows.
func (w *Workbook) Rows(s Sheet) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if err := w.readRows(s, func(row *Row) bool { return yield(row, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

func (w *Workbook) readRows(s Sheet, yield func(*Row) bool) error {
	switch {
	case s.part == "":
		return errorf("has the sheet %.60q, which lies outside of the file", s.Name)
	case s.kind != kindWorksheet:
		return errorf("has no cells in its sheet %.60q, which is a %s", s.Name, strings.TrimSuffix(s.kind, "sheet"))
	}
	r, isInRows, hasRows := rowReader{book: w}, false, false
	err := w.archive.eachStart(s.part, maxInflated, func(x *xmlReader) error {
		switch r.xmlReader = x; {
		case x.depth() == 1 && x.Name.Local != kindWorksheet:
			return errors.New("it is no sheet")
		case x.depth() == 2:
			isInRows = x.Name.Local == "sheetData"
			hasRows = hasRows || isInRows
		case isInRows && x.depth() == 3 && x.Name.Local == "row":
			if err := r.readRow(); err != nil || len(r.Cells) == 0 || yield(&r.Row) {
				return err
			}
			return errStopped
		}
		return nil
	})
	if err == nil && !hasRows {
		err = errorf("is damaged: its part %.80s can't be read: it has no cells", s.part)
	}
	return err
}

// readRow reads the row whose start was read last.
func (r *rowReader) readRow() error {
	number := r.Number + 1
	if text := r.attr("r"); text != "" {
		n, ok := parseNumber(text, MaxRows)
		if !ok {
			return errorf("has a row with the number %.20q, of which a sheet has at most %d", text, MaxRows)
		}
		if n < number {
			return errorf("is damaged: its row %d follows row %d", n, r.Number)
		}
		number = n
	} else if number > MaxRows {
		return errorf("has more than %d rows in a sheet", MaxRows)
	}
	hidden := r.attr("hidden")
	r.Row = Row{number, hidden != "" && hidden != "0" && hidden != "false", r.Cells[:0]}
	before, column := r.size, -1
	_, err := r.inside(nil, func() (err error) {
		if r.Name.Local != "c" {
			return r.skip()
		}
		if column, err = r.readCell(column); err == nil && r.size-before > maxRowText {
			err = &Error{Row: r.Number, What: fmt.Sprintf("is longer than %d MB", maxRowText>>20)}
		}
		if err == nil && r.size > maxInflated {
			err = errorf("has texts of more than %d GB in a sheet", maxInflated>>30)
		}
		return err
	})
	return err
}

// The types of cells.
const (
	typeNumber = "n"
	typeShared = "s"
)

// readCell reads the cell whose start was read last, and returns its column. before is the
// column of the cell before it.
func (r *rowReader) readCell(before int) (int, error) {
	column, kind := before+1, cmp.Or(r.attr("t"), typeNumber)
	if place := r.attr("r"); place != "" {
		n, ok := columnNumber(place)
		if !ok {
			return 0, r.cellError(column, "has the place %.20q: a sheet has %d columns", place, MaxColumns)
		}
		if n <= before {
			return 0, r.cellError(n, "follows %s", ColumnName(before))
		}
		column = n
	}
	format, _ := parseNumber(r.attr("s"), len(r.book.formats))
	if column >= MaxColumns {
		return 0, r.cellError(column, "is one too many: a sheet has %d columns", MaxColumns)
	}
	cell, err := r.readValue(column, kind, format)
	if err != nil || cell.Text == "" && cell.Kind != KindUncomputed {
		return column, err
	}
	r.Cells = append(r.Cells, cell)
	r.size += len(cell.Text)
	return column, nil
}

func (r *rowReader) cellError(column int, format string, args ...any) error {
	return errorf("is damaged: its cell %s%d %s", ColumnName(column), r.Number, fmt.Sprintf(format, args...))
}

// readValue reads to the end of the cell whose start was read last.
func (r *rowReader) readValue(column int, kind string, format int) (Cell, error) {
	cell := Cell{Column: column}
	r.buf = r.buf[:0]
	hasFormula, hasValue := false, false
	_, err := r.inside(nil, func() (err error) {
		switch r.Name.Local {
		case "v":
			hasValue = true
			cell.Kind, cell.Text, err = r.readPlain(column, kind, format)
		case "is":
			r.buf, err = richText(r.xmlReader, r.buf)
		case "f":
			hasFormula = true
			r.formula, err = r.text(r.formula[:0])
		default:
			err = r.skip()
		}
		return err
	})
	if cell.Text == "" && err == nil {
		cell.Text = string(r.buf)
	}
	if hasFormula && cell.Text == "" && (!hasValue || kind != "str") {
		cell.Kind = KindUncomputed
		if len(r.formula) > 0 {
			cell.Text = "=" + string(r.formula)
		}
	}
	return cell, err
}

// readPlain reads the value of a cell. It returns a shared text or a truth value, and leaves any other text in buf.
func (r *rowReader) readPlain(column int, kind string, format int) (Kind, string, error) {
	var err error
	if r.buf, err = r.text(r.buf[:0]); err != nil {
		return KindText, "", err
	}
	switch kind {
	case typeShared:
		n, ok := parseNumber(string(trimmed(r.buf)), 1<<31-1)
		if !ok {
			return KindText, "", r.cellError(column, "refers to the shared text %.20q", r.buf)
		}
		r.buf = r.buf[:0]
		text, err := r.book.sharedText(n)
		return KindText, text, err
	case "str":
		r.buf = appendUnescapedControl(r.buf[:0], r.buf)
	case "e":
		return KindError, "", nil
	case "b":
		if value, err := strconv.ParseBool(string(trimmed(r.buf))); err == nil {
			return KindBool, strings.ToUpper(strconv.FormatBool(value)), nil
		}
	case typeNumber, "d":
		var shown numberFormat
		if format < len(r.book.formats) {
			shown = r.book.formats[format]
		}
		shape := shown.dateShape
		switch r.buf = trimmed(r.buf); {
		case kind == "d":
			r.buf = shape.appendISO(r.buf[:0], string(r.buf))
			return KindDate, "", nil
		case shape != shapeNumber || !isDecimal(r.buf):
			r.buf = shape.appendNumber(r.buf[:0], string(r.buf), r.book.epoch)
		}
		switch {
		case shape != shapeNumber:
			return KindDate, "", nil
		case len(r.buf) > maxDigits && isDigits(string(r.buf)):
			return KindRounded, "", nil
		case shown.mask != "" && isDigits(string(r.buf)):
			digits := string(r.buf)
			if r.buf = appendMasked(r.buf[:0], shown.mask, digits); string(r.buf) != digits {
				return KindPadded, "", nil
			}
		case shown.isStyled && isNumber(string(r.buf)):
			return KindStyled, "", nil
		}
		return KindNumber, "", nil
	}
	return KindText, "", nil
}

func parseNumber(text string, limit int) (n int, ok bool) {
	if !isDigits(text) {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return min(n, limit), err == nil && n <= limit
}

// columnNumber returns the number of the column, from 0, of a cell such as B5.
func columnNumber(name string) (n int, ok bool) {
	for _, c := range []byte(name) {
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
