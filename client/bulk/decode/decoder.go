package decode

import (
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
	return f.format == "csv" || f.format == "tsv" || f.format == formatWorkbook
}

// Decoder begins a pass over the rows of the file. The decoder does not return the
// header.
func (f *File) Decoder() (Decoder, error) {
	if f.book != nil {
		return f.workbookDecoder()
	}
	text, err := f.Reader()
	if err != nil {
		return nil, err
	}
	d := NewDecoder(f.format, text, f.comma)
	if f.hasHeader() {
		err = d.Next(&RawRow{})
	}
	return d, err
}

// A Header contains the column names of a csv, tsv or xlsx file.
type Header struct {
	Columns []string
	Line    int    // the line on which the header begins; 0 in a workbook
	Row     int    // the number that a spreadsheet shows for the header; 0 in a text
	Note    string // a note for the user on how the file is read, empty if there is none
}

// ReadHeader reads the header of csv, tsv and xlsx, and detects the character that separates
// the cells. For the other formats it returns an empty Header.
func (f *File) ReadHeader() (Header, error) {
	var h Header
	if !f.hasHeader() {
		return h, nil
	}
	if f.book != nil {
		return f.readNames()
	}
	text, err := f.Reader()
	if err != nil {
		return h, err
	}
	first, err := newLineReader(text).nextNonEmpty()
	if err == io.EOF {
		return h, Fatal(Issue{Reason: "the file is empty: its first line must name the columns"})
	}
	if err != nil {
		return h, err
	}
	if strings.IndexByte(first, '\r') >= 0 {
		return h, Fatal(Issue{Line: 1, Reason: "the lines end with CR only: save the file with LF or CRLF"})
	}
	if f.comma = detectComma(first); f.format == "csv" && f.comma == ';' {
		h.Note = "the cells are separated by semicolons"
	}
	if text, err = f.Reader(); err != nil {
		return h, err
	}
	var row RawRow
	if err := NewDecoder(f.format, text, f.comma).Next(&row); err != nil {
		return h, err
	}
	if row.Issues != nil {
		return h, &Error{Issues: row.Issues, Fatal: true}
	}
	h.Columns, h.Line = row.Cells, row.Line
	return h, nil
}

// detectComma returns the character that separates the cells of a header: the semicolon
// if the header has more semicolons than commas outside of quotes, otherwise the comma.
func detectComma(header string) byte {
	commas, semicolons, inQuotes := 0, 0, false
	for _, b := range []byte(header) {
		switch {
		case b == '"':
			inQuotes = !inQuotes
		case b == ',' && !inQuotes:
			commas++
		case b == ';' && !inQuotes:
			semicolons++
		}
	}
	if semicolons > commas {
		return ';'
	}
	return ','
}
