package decode

import (
	"fmt"
	"io"
	"strings"
)

// NewDecoder returns a decoder of a format. It returns the header of csv and tsv as the
// first row. comma separates the cells of csv.
func NewDecoder(format string, text io.Reader, comma byte) Decoder {
	switch format {
	case "csv":
		return &csvDecoder{lines: newLineReader(text), comma: comma}
	case "tsv":
		return &tsvDecoder{newLineReader(text)}
	case "txt":
		return &textDecoder{newLineReader(text)}
	case "json":
		return decoderFunc(newJSONDecoder(text).next)
	case "ndjson":
		return decoderFunc((&ndjsonDecoder{newLineReader(text)}).next)
	}
	return decoderFunc((&yamlDecoder{lines: newLineReader(text), start: 1}).next)
}

// hasHeader reports whether the first row of the format names the columns.
func (f *File) hasHeader() bool {
	return f.Format == "csv" || f.Format == "tsv" || f.Format == formatWorkbook
}

// Decoder begins a pass over the rows of the file. The decoder does not return the header.
func (f *File) Decoder() (Decoder, error) {
	if f.book != nil {
		return f.workbookDecoder()
	}
	text, err := f.Reader()
	if err != nil {
		return nil, err
	}
	d := NewDecoder(f.Format, text, f.Comma)
	if csv, ok := d.(*csvDecoder); ok {
		csv.lines.reuses = true
	}
	if f.hasHeader() {
		for range f.above + 1 {
			if err = d.Next(&RawRow{}); err != nil {
				break
			}
		}
	}
	if f.Unit == ByRecord {
		d = &recordDecoder{Decoder: d}
	}
	return d, err
}

// findUnit sets how the rows of a text are found: in json and yaml, the first two may stand on one line.
func (f *File) findUnit() {
	if f.Format != "json" && f.Format != "yaml" {
		return
	}
	var first, second RawRow
	if d, err := f.Decoder(); err == nil && d.Next(&first) == nil && d.Next(&second) == nil && first.Line == second.Line {
		f.Unit = ByRecord
	}
}

// A Header contains the column names of a csv, tsv or xlsx file.
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
	first, err := newLineReader(text).nextNonEmpty()
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
		row, found, err = f.readHeaderRow(commas[i])
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

// readHeaderRow finds the header of csv or tsv. comma separates the cells of csv.
func (f *File) readHeaderRow(comma byte) (row RawRow, found bool, err error) {
	text, err := f.Reader()
	if err != nil {
		return row, false, err
	}
	f.Comma = comma
	return f.findHeader(NewDecoder(f.Format, text, comma))
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
func (f *File) findHeader(d Decoder) (header RawRow, found bool, err error) {
	isFound, widest := false, 0
	for i := range maxAbove + 1 {
		var row RawRow
		if err := d.Next(&row); err != nil {
			if isFound {
				break // the error is told when the rows are read
			}
			return row, false, err
		}
		named, columns := f.countColumns(row.Cells)
		switch {
		case named == 0:
		case columns > 1, columns > 0 && (!isFound || widest == 1 && named > 1):
			f.above, f.hasTitle = i, isFound
			return row, true, nil
		case !isFound:
			header, isFound = row, true
			f.above, f.hasTitle = i, false
		}
		widest = max(widest, named)
	}
	if !isFound {
		err = Fatal(Issue{Reason: fmt.Sprintf("the first %d lines are empty: the first one with cells must name the columns", maxAbove+1)})
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

// separators are the characters that may separate the cells of csv.
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
