package decode

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/xlsx"
)

type workbook struct {
	*xlsx.Workbook
	sheet   xlsx.Sheet
	isFirst bool   // no name was given, so that the sheet is the first one
	why     string // likewise, but it suits the rows better
	// columns has for each column of the sheet, up to the last one with a name, its place among those with names, -1 for others.
	// It is nil before the header was read.
	columns []int
	names   []string
}

// openWorkbook opens the workbook and the sheet of the options, or else the sheet of takeBest.
func (f *File) openWorkbook() error {
	book, err := xlsx.Open(&blockReader{File: f}, f.Size)
	if err != nil {
		return f.workbookError(err)
	}
	sheet := f.options.Sheet
	f.book = &workbook{Workbook: book, isFirst: sheet == ""}
	if f.book.sheet, err = book.Sheet(sheet); err != nil {
		return f.workbookError(err)
	}
	if sheet == "" && f.OtherSheets() != nil {
		f.takeBest()
	}
	return nil
}

// maxProbed is how many sheets are read to find the one with the required columns. A workbook with more of them is read from
// its first one.
const maxProbed = 100

// takeBest replaces the first sheet by the one visible sheet with the most required columns, or if several have as many, by the
// first of them with two known columns or more.
func (f *File) takeBest() {
	first, most, best, several, sheets := f.book.sheet, 0, []xlsx.Sheet(nil), []xlsx.Sheet(nil), f.book.Sheets()
	if len(sheets) > maxProbed {
		return
	}
	for _, s := range sheets {
		f.book.sheet = s
		h, err := f.readNames()
		if err != nil || s.Hidden {
			continue
		}
		fit := f.schema.Fit(h)
		if fit == 0 || fit < most {
			continue
		}
		if fit > most {
			most, best, several = fit, nil, nil
		}
		best = append(best, s)
		if _, columns := f.countColumns(h.Columns); columns > 1 {
			several = append(several, s)
		}
	}
	f.book.sheet = first
	switch {
	case len(best) == 1 && best[0].Name != first.Name:
		f.book.sheet, f.book.why = best[0], ", the one with most of the required columns"
	case len(best) > 1 && len(several) > 0 && several[0].Name != first.Name:
		f.book.sheet, f.book.why = several[0], ", the first with several known columns"
	}
}

// OtherSheets returns the quoted names of the visible sheets that are not read.
func (f *File) OtherSheets() (others []string) {
	if f.book == nil {
		return nil
	}
	for _, s := range f.book.Sheets() {
		if !s.Hidden && s.Name != f.book.sheet.Name {
			others = append(others, safetext.Quote(s.Name))
		}
	}
	return others
}

func (f *File) workbookError(err error) error {
	var own *xlsx.Error
	switch {
	case errors.As(err, &own) && own.Row > 0:
		return Fatal(Issue{Row: own.Row, Reason: own.What})
	case errors.As(err, &own):
		return &FileError{What: f.Name + " " + f.options.Words.Of(own.What)}
	case err == io.EOF || errors.As(err, new(*FileError)):
		return err
	}
	return &FileError{What: f.Name + " can't be read", Err: err}
}

// readNames reads the header of the sheet, which is its first row with cells. Columns
// without a name are left out: their cells must be empty.
func (f *File) readNames() (Header, error) {
	f.book.columns, f.book.names = nil, nil
	row, _, err := f.findHeader(f.workbookRows(0))
	if err == io.EOF {
		return Header{}, Fatal(Issue{Reason: fmt.Sprintf("the sheet %s is empty: its first row must name the columns", safetext.Quote(f.book.sheet.Name))})
	}
	if err != nil {
		return Header{}, err
	}
	h := Header{Row: row.Row}
	for _, name := range row.Cells {
		if strings.TrimSpace(name) == "" {
			f.book.columns = append(f.book.columns, -1)
			continue
		}
		f.book.columns = append(f.book.columns, len(f.book.names))
		f.book.names = append(f.book.names, name)
	}
	h.Columns = slices.Clone(f.book.names)
	if f.hasTitle {
		h.Notes = append(h.Notes, fmt.Sprintf("row %d names the columns; the rows above it are passed over", row.Row))
	}
	return h, nil
}

// SheetText says which sheet is read and which others there are, "" if the file is no workbook.
func (f *File) SheetText() string {
	if f.book == nil {
		return ""
	}
	text, others := "the sheet "+safetext.Quote(f.book.sheet.Name)+f.book.why, f.OtherSheets()
	if others != nil {
		const shown = 5
		text += f.options.Words.Of("; --sheet takes another one: ") + phrase.First(others, shown)
	}
	return text
}

func (f *File) workbookRows(above int) Rows {
	return func(yield func(*RawRow, error) bool) {
		if err := f.Unchanged(); err != nil {
			yield(nil, err)
			return
		}
		var in RawRow
		n := 0
		for row, err := range f.book.Rows(f.book.sheet) {
			if err != nil {
				yield(nil, f.workbookError(err))
				return
			}
			if n++; n <= above {
				continue
			}
			f.setRow(&in, row)
			if !yield(&in, nil) {
				return
			}
		}
	}
}

func (f *File) setRow(in *RawRow, row *xlsx.Row) {
	*in = RawRow{Line: row.Number, Row: row.Number, Cells: in.Cells[:0], Kinds: in.Kinds[:0], Blank: true, Hidden: row.Hidden}
	for range f.book.names {
		in.Cells, in.Kinds = append(in.Cells, ""), append(in.Kinds, xlsx.KindText)
	}
	for _, cell := range row.Cells {
		at := -1
		if f.book.columns == nil {
			in.Cells = append(in.Cells, make([]string, cell.Column-len(in.Cells)+1)...)
			if cell.Kind != xlsx.KindUncomputed {
				in.Cells[cell.Column] = cell.Text
			}
			continue
		}
		if cell.Column < len(f.book.columns) {
			at = f.book.columns[cell.Column]
		}
		if at < 0 && cell.Kind == xlsx.KindUncomputed {
			continue
		}
		in.Blank = false
		if at < 0 {
			in.Cells = append(in.Cells, cell.Text)
			in.Issues = append(in.Issues, Issue{Row: row.Number, Reason: fmt.Sprintf("the cell %s%d has a value, but its column has no name", xlsx.ColumnName(cell.Column), row.Number)})
			continue
		}
		if strings.IndexByte(cell.Text, 0) >= 0 {
			in.Issues = append(in.Issues, Issue{Row: row.Number, Column: f.book.names[at], Reason: "contains a NUL character"})
		}
		in.Cells[at], in.Kinds[at] = cell.Text, cell.Kind
	}
	in.Issues = in.Issues[:min(len(in.Issues), maxRowIssues)]
}

const maxRowIssues = 20
