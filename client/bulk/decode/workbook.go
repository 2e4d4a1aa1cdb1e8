package decode

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"reseller/client/atomicfile"
	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/xlsx"
)

// A workbook is what a File has if its format is xlsx.
type workbook struct {
	*xlsx.Workbook
	sheet   xlsx.Sheet
	isFirst bool  // no name was given, so that the sheet is the first one
	isBest  bool  // likewise, but it has more of the required columns than the others
	columns []int // for each column of the sheet, up to the last one with a name, its place among those with names; -1 for others
	names   []string
}

// openWorkbook opens the workbook and one of its sheets, by its name or number. Without
// one it takes the visible sheet with most of the required columns, or else the first that is visible and has cells. If rows
// may hold passwords, no text of the workbook is written to a temporary file.
func (f *File) openWorkbook(sheet string, secret bool) error {
	spill := func() (xlsx.TempFile, error) { return atomicfile.CreateUnnamed() }
	if secret {
		spill = nil
	}
	book, err := xlsx.Open(&blockReader{File: f}, f.Size, spill)
	if err != nil {
		return f.workbookError(err)
	}
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

// takeBest takes the visible sheet that suits the rows better than each other one, if there is one.
func (f *File) takeBest() {
	first, most, best, sheets := f.book.sheet, 0, []xlsx.Sheet(nil), f.book.Sheets()
	if len(sheets) > maxProbed {
		return
	}
	for _, s := range sheets {
		f.book.sheet = s
		h, err := f.readNames()
		if err != nil || s.Hidden {
			continue
		}
		switch fit := f.schema.Fit(h); {
		case fit > most:
			most, best = fit, []xlsx.Sheet{s}
		case fit == most && fit > 0:
			best = append(best, s)
		}
	}
	f.book.sheet = first
	if len(best) == 1 && best[0].Name != first.Name {
		f.book.sheet, f.book.isBest = best[0], true
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

// workbookError returns the error of reading the workbook.
func (f *File) workbookError(err error) error {
	var own *xlsx.Error
	switch {
	case errors.As(err, &own) && own.Row > 0:
		return Fatal(Issue{Row: own.Row, Reason: own.What})
	case errors.As(err, &own):
		return &FileError{What: f.name + " " + own.What}
	case err == io.EOF || errors.As(err, new(*FileError)):
		return err
	}
	return &FileError{What: f.name + " can't be read", Err: err}
}

// readNames reads the header of the sheet, which is its first row with cells. Columns
// without a name are left out: their cells must be empty.
func (f *File) readNames() (Header, error) {
	rows, err := f.book.Rows(f.book.sheet)
	if err != nil {
		return Header{}, f.workbookError(err)
	}
	defer rows.Close()
	row, _, err := f.findHeader(decoderFunc(func() (RawRow, error) {
		number, cells, err := rows.Next()
		row := RawRow{Row: number}
		for _, cell := range cells {
			row.Cells = append(row.Cells, make([]string, cell.Column-len(row.Cells))...)
			row.Cells = append(row.Cells, cell.Text)
		}
		return row, err
	}))
	if err == io.EOF {
		return Header{}, Fatal(Issue{Reason: fmt.Sprintf("the sheet %s is empty: its first row must name the columns", safetext.Quote(f.book.sheet.Name))})
	}
	if err != nil {
		return Header{}, f.workbookError(err)
	}
	h := Header{Row: row.Row}
	f.book.columns, f.book.names = nil, nil
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
	text, others := "the sheet "+safetext.Quote(f.book.sheet.Name), f.OtherSheets()
	if f.book.isBest {
		text += ", the one with most of the required columns"
	}
	if others != nil {
		const shown = 5
		text += "; --sheet takes another one: " + phrase.First(others, shown)
	}
	return text
}

// A workbookDecoder reads the rows of a sheet behind its header.
type workbookDecoder struct {
	*File
	rows *xlsx.Rows
}

func (f *File) workbookDecoder() (Decoder, error) {
	if err := f.Unchanged(); err != nil {
		return nil, err
	}
	rows, err := f.book.Rows(f.book.sheet)
	if err != nil {
		return nil, f.workbookError(err)
	}
	for range f.above + 1 {
		if _, _, err := rows.Next(); err != nil {
			return nil, f.workbookError(err)
		}
	}
	return &workbookDecoder{f, rows}, nil
}

func (d *workbookDecoder) Next(in *RawRow) error {
	number, cells, err := d.rows.Next()
	if err != nil {
		d.rows.Close()
		return d.workbookError(err)
	}
	in.Line, in.Row, in.Cells, in.Kinds, in.Object, in.Issues = number, number, in.Cells[:0], in.Kinds[:0], nil, nil
	for range d.book.names {
		in.Cells, in.Kinds = append(in.Cells, ""), append(in.Kinds, xlsx.KindText)
	}
	in.Blank, in.Hidden = true, d.rows.Hidden()
	for _, cell := range cells {
		at := -1
		if cell.Column < len(d.book.columns) {
			at = d.book.columns[cell.Column]
		}
		if at < 0 && cell.Kind == xlsx.KindUncomputed {
			continue
		}
		in.Blank = false
		if at < 0 {
			in.Cells = append(in.Cells, cell.Text)
			in.Issues = append(in.Issues, Issue{Row: number, Reason: fmt.Sprintf("the cell %s%d has a value, but its column has no name", xlsx.ColumnName(cell.Column), number)})
			continue
		}
		if strings.IndexByte(cell.Text, 0) >= 0 {
			in.Issues = append(in.Issues, Issue{Row: number, Column: d.book.names[at], Reason: "contains a NUL character"})
		}
		in.Cells[at], in.Kinds[at] = cell.Text, cell.Kind
	}
	if len(in.Issues) > maxRowIssues {
		in.Issues = in.Issues[:maxRowIssues]
	}
	return nil
}

// maxRowIssues is how many issues a row of a workbook has at most.
const maxRowIssues = 20
