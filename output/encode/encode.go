// Package encode writes records in the formats of the command line, one file a format. An Encoder appends a document to a buffer,
// and a Layout says which columns and how. The texts in records come from others: control characters, which a terminal would act
// on, are escaped, and in formats for reading invisible characters, too. All other characters are copied.
package encode

import (
	"iter"
	"unicode/utf8"

	"reseller/client/record"
)

// Encoder writes one document. Each method appends to dst and returns it, so
// that all records share one buffer.
type Encoder interface {
	// Begin appends the text before the first record.
	Begin(dst []byte) []byte
	// Record appends a record, which is valid only until Record returns.
	Record(dst []byte, rec record.Record) ([]byte, error)
	// End appends the text after the last record.
	End(dst []byte) ([]byte, error)
}

// frameless is the part of an encoder whose documents have no text before the first and after the last record.
type frameless struct{}

func (frameless) Begin(dst []byte) []byte { return dst }

func (frameless) End(dst []byte) ([]byte, error) { return dst, nil }

// Fields returns fields of a record as columns, and their values.
type Fields func(record.Record) iter.Seq2[Column, record.Value]

// Flush writes the content of a buffer and returns an empty buffer. Encoders call
// it while they append a large record, so that the text of the record, which may be many
// times as long as the record, is never in memory as a whole. A nil Flush does nothing.
type Flush func(dst []byte) []byte

// drainSize is how many bytes encoders append before they call Flush.
const drainSize = 64 << 10

func (f Flush) drain(dst []byte) []byte {
	if len(dst) < drainSize || f == nil {
		return dst
	}
	return f(dst)
}

// An escaper appends text with characters escaped, such as safetext.Append.
type escaper func(dst, text []byte, keep ...rune) []byte

// escape appends text as the function escape escapes it, and drains the buffer.
func (f Flush) escape(dst, text []byte, escape escaper, keep ...rune) []byte {
	for len(text) > 0 {
		var head []byte
		head, text = CutChunk(text)
		dst = f.drain(escape(dst, head, keep...))
	}
	return dst
}

// CutChunk returns the first drainSize bytes of text, to the end of a character, and the
// rest.
func CutChunk[T string | []byte](text T) (head, rest T) {
	if len(text) <= drainSize {
		return text, rest
	}
	end := drainSize
	for end > drainSize-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end], text[end:]
}

type Layout struct {
	Columns      []Column // for formats with columns; for all formats if Picked is set
	Picked       bool     // the user named the columns
	Flat         bool     // the fields of each record are the columns, in their order, whatever their names
	Undocumented Fields   // if not nil, the other fields of a record, for a table of one record
	Single       bool     // one object, not a list
	Documents    bool     // yaml has a document for each record, not one list
	Comment      string   // yaml begins with it, in a line of its own; empty for none
	Name         string   // a noun for the records, for formats that name their parts

	Flush    Flush // takes the output of one record in parts
	NoHeader bool
	Print0   bool // ids end with a NUL, not with a line feed
	CSVSafe  bool // csv and tsv keep spreadsheets from running cells as formulas
	CSVBOM   bool // csv begins with a byte-order mark
	Width    int  // the width of the terminal, to which tables are cut; 0 if nothing is cut
	Bold     bool // the table's header is bold
	Wrap     bool // a table of a list wraps cells that are too wide for the terminal, and shows all columns, if there is room for their headers
	// LeftOut is told at the end of a table for which columns the terminal has no room. It may be nil.
	LeftOut func(columns []string)
}

// AppendPicked appends the columns of rec as a JSON object, null for those that
// are missing.
func (l *Layout) AppendPicked(dst []byte, rec *record.Record) []byte {
	dst = append(dst, '{')
	for i := range l.Columns {
		c := &l.Columns[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(record.AppendQuote(dst, c.Name), ':')
		if v, _ := c.Get(rec); v != nil {
			dst = append(dst, v...)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}

// records is the common part of the formats that write records with all their fields, unless the user named columns.
type records struct {
	frameless
	layout  Layout
	scratch []byte
	began   bool // a record was written
}

// text returns the JSON of the fields to write. It is valid until the next call.
func (e *records) text(rec *record.Record) record.Value {
	if !e.layout.Picked {
		return rec.Raw()
	}
	e.scratch = e.layout.AppendPicked(e.scratch[:0], rec)
	return e.scratch
}

// Format is the name of a format, as --output takes it.
type Format string

type Kind uint8

const (
	KindReading  Kind = iota // laid out for people: the default columns, with dates as FormatDate writes them
	KindRows                 // a line of cells for each record, one for each column
	KindObjects              // a line for each record, with all its fields
	KindDocument             // one document, with all fields of all records
)
