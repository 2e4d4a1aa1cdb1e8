package decode

import (
	"fmt"
	"io"
	"strings"
)

// A RawRow is one row as the file holds it: its cells, or one object.
type RawRow struct {
	Line   int // the line on which the row begins
	Cells  []string
	Blank  bool    // the row has separators only, as a spreadsheet writes a row that was emptied
	Object []byte  // the row's object as JSON; nil in a format with cells, and for a row that is no object
	Issues []Issue // what is wrong with the row
}

// A Decoder reads the rows of a file one by one. Next returns io.EOF after the
// last row; any other error ends the file, since the rows that follow can't be
// told apart. The memory of the record's cells is used for the next record.
type Decoder interface {
	Next(*RawRow) error
}

// decoderFunc is a decoder whose records have memory of their own.
type decoderFunc func() (RawRow, error)

func (next decoderFunc) Next(r *RawRow) (err error) {
	*r, err = next()
	return err
}

// NewDecoder returns a decoder of a format. A table's header is its first record;
// comma separates the cells of csv.
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

// hasHeader reports whether the first record names the columns.
func (f *File) hasHeader() bool { return f.format == "csv" || f.format == "tsv" }

// Decoder begins a pass over the rows, behind the header.
func (f *File) Decoder() (Decoder, error) {
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

// A Header is the names of a table's columns.
type Header struct {
	Columns []string
	Line    int
	Note    string // what the user should know of how the file is read
}

// ReadHeader reads the header of csv and tsv, and finds out what separates the
// cells. It returns no columns for the other formats.
func (f *File) ReadHeader() (Header, error) {
	var h Header
	if !f.hasHeader() {
		return h, nil
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

// detectComma returns what separates the cells of a header: the comma, or the
// semicolon if there are more of those.
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

// tooLong is the error of a line, row or value that is longer than maxLine.
func tooLong(line int) error {
	return Fatal(Issue{Line: line, Reason: fmt.Sprintf("is longer than %d MB", MaxLine>>20)})
}
