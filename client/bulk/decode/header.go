package decode

import (
	"fmt"
	"io"
	"strings"

	"reseller/client/phrase"
)

// rowsOf returns the rows of a text in a format, of csv and tsv without those above. comma separates the cells of csv.
func rowsOf(format string, text io.Reader, comma byte, above int, words phrase.Wording) Rows {
	switch format {
	case "csv":
		return each((&csvReader{lines: newLineReader(text, words), comma: comma}).next, above)
	case "tsv":
		return each(newLineReader(text, words).nextTSV, above)
	case "txt":
		return each(newLineReader(text, words).nextTXT, 0)
	case "json":
		return jsonRows(text, words)
	case "ndjson":
		return each(newLineReader(text, words).nextNDJSON, 0)
	}
	return yamlRows(text, words)
}

func (f *File) hasHeader() bool {
	return f.Format == "csv" || f.Format == "tsv" || f.Format == formatWorkbook
}

// Rows begins a pass over the rows of the file, without the header.
func (f *File) Rows() Rows {
	above := 0
	if f.hasHeader() {
		above = f.above + 1
	}
	if f.book != nil {
		return f.workbookRows(above)
	}
	return func(yield func(*RawRow, error) bool) {
		text, err := f.Reader()
		if err != nil {
			yield(nil, err)
			return
		}
		rows := rowsOf(f.Format, text, f.Comma, above, f.options.Words)
		if f.Unit == ByRecord {
			rows = numbered(rows)
		}
		rows(yield)
	}
}

// findUnit sets how the rows of a text are found: in json and yaml, the first two may stand on one line.
func (f *File) findUnit() {
	if f.Format != "json" && f.Format != "yaml" {
		return
	}
	first := 0
	for row, err := range f.Rows() {
		switch {
		case err != nil:
		case first == 0:
			first = row.Line
			continue
		case row.Line == first:
			f.Unit = ByRecord
		}
		return
	}
}

type Header struct {
	Columns []string
	Line    int      // the line on which the header begins; 0 in a workbook
	Row     int      // the number that a spreadsheet shows for the header; 0 in txt
	Notes   []string // notes for the user on how the file is read
}

// ReadHeader reads the header of csv, tsv and xlsx, and detects the character that separates
// the cells. For the other formats it returns an empty Header.
func (f *File) ReadHeader() (Header, error) {
	switch {
	case !f.hasHeader():
		return Header{}, nil
	case f.book != nil:
		h, err := f.readNames()
		if err == nil && f.book.isFirst && f.OtherSheets() != nil {
			h.Notes = append(h.Notes, "reading "+f.SheetText())
		}
		return h, err
	}
	text, err := f.Reader()
	if err != nil {
		return Header{}, err
	}
	first, err := newLineReader(text, f.options.Words).nextNonEmpty()
	if err == io.EOF {
		return Header{}, fatalEmpty()
	}
	if err != nil {
		return Header{}, err
	}
	if strings.IndexByte(first, '\r') >= 0 {
		return Header{}, Fatal(Issue{Line: 1, Reason: "the lines end with CR only: save the file with LF or CRLF"})
	}
	detected := detectComma(first)
	commas := []byte{detected}
	if f.Format == "csv" { // a title above the header need not have separators; if none finds a column, the detected one counts
		commas = append(append(commas, separators...), detected)
	}
	var row RawRow
	for i, found := 0, false; i < len(commas) && !found; i++ {
		if text, err = f.Reader(); err != nil {
			break
		}
		f.Comma = commas[i]
		row, found, err = f.findHeader(rowsOf(f.Format, text, f.Comma, 0, f.options.Words))
	}
	switch {
	case err == io.EOF:
		return Header{}, fatalEmpty()
	case err != nil:
		return Header{}, err
	case row.Issues != nil:
		return Header{}, &Error{Issues: row.Issues, Fatal: true}
	}
	return f.header(row), nil
}

func (f *File) header(row RawRow) Header {
	h := Header{Columns: row.Cells, Line: row.Line, Row: row.Row}
	if name := map[byte]string{';': "semicolons", '\t': "tabs"}[f.Comma]; name != "" && f.Format == "csv" {
		h.Notes = append(h.Notes, "the cells are separated by "+name)
	}
	if f.hasTitle {
		h.Notes = append(h.Notes, fmt.Sprintf("line %d names the columns; the lines above it are passed over", row.Line))
	}
	return h
}

func fatalEmpty() error {
	return Fatal(Issue{Reason: "the file is empty: its first line must name the columns"})
}

// maxAbove is how many rows there may be above the header.
const maxAbove = 20

// findHeader returns the header, and sets how many rows are above it. The header is the first row with cells or, if that names
// no column, the first one below it that
//   - names several columns, or
//   - names one, where all rows above it have one cell and it has more.
//
// found reports whether the header names a column. The error is io.EOF if no row has cells.
func (f *File) findHeader(rows Rows) (header RawRow, found bool, err error) {
	isFound, widest, n := false, 0, 0
	for row, rowErr := range rows {
		if err = rowErr; err != nil || n > maxAbove {
			break
		}
		named, columns := f.countColumns(row.Cells)
		isHeader := columns > 1 || columns > 0 && (!isFound || widest == 1 && named > 1)
		if isHeader || !isFound && named > 0 {
			header, f.above, f.hasTitle, isFound = *row, n, isFound, true
			header.Cells = phrase.Each(row.Cells, strings.Clone)
		}
		if isHeader {
			return header, true, nil
		}
		widest = max(widest, named)
		n++
	}
	switch {
	case isFound:
		err = nil // it is told when the rows are read
	case n > maxAbove:
		err = Fatal(Issue{Reason: fmt.Sprintf("the first %d lines are empty: the first one with cells must name the columns", n)})
	case err == nil:
		err = io.EOF
	}
	return header, false, err
}

func (f *File) countColumns(cells []string) (named, columns int) {
	for _, cell := range cells {
		if strings.TrimSpace(cell) == "" {
			continue
		}
		named++
		if f.schema.IsColumn(cell) {
			columns++
		}
	}
	return named, columns
}

const separators = ",;\t"

// detectComma returns the character that separates the cells of a header: the one of
// separators that the header has most often outside of quotes.
func detectComma(header string) byte {
	var count [len(separators)]int
	inQuotes := false
	for _, b := range []byte(header) {
		if i := strings.IndexByte(separators, b); b == '"' {
			inQuotes = !inQuotes
		} else if i >= 0 && !inQuotes {
			count[i]++
		}
	}
	most := 0
	for i := range count {
		if count[i] > count[most] {
			most = i
		}
	}
	return separators[most]
}
