package encode

import (
	"bytes"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// The formats of separated cells.
const (
	CSV Format = "csv"
	TSV Format = "tsv"
)

// delimitedEncoder writes csv and tsv. A cell is copied if the marks of its value
// show that it needs no quotes and no escapes, as for most cells.
type delimitedEncoder struct {
	cellReader
	separator byte // a comma or a tab
	safe      bool // see Layout.CSVSafe
	noHeader  bool
	scratch   []byte
}

func newCSV(l Layout) Encoder { return newDelimited(l, ',') }

func newTSV(l Layout) Encoder { return newDelimited(l, '\t') }

func newDelimited(l Layout, separator byte) *delimitedEncoder {
	return &delimitedEncoder{cellReader: newCellReader(l.Columns), separator: separator, safe: l.CSVSafe, noHeader: l.NoHeader}
}

func (e *delimitedEncoder) Begin(dst []byte) []byte {
	if e.noHeader || len(e.columns) == 0 {
		return dst
	}
	for i, c := range e.columns {
		if i > 0 {
			dst = append(dst, e.separator)
		}
		dst = e.appendEscaped(dst, []byte(c.Name), false)
	}
	return append(dst, '\n')
}

func (e *delimitedEncoder) End(dst []byte) ([]byte, error) { return dst, nil }

func (e *delimitedEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	line := len(dst)
	places := e.finder.In(&rec)
	for i := range e.columns {
		if i > 0 {
			dst = append(dst, e.separator)
		}
		v, marks := e.value(&rec, places, i)
		if IsNull(v) {
			continue
		}
		switch v[0] {
		case '"':
			dst = e.appendString(dst, v, marks)
		case '[', '{':
			e.scratch = AppendJSON(e.scratch[:0], v, Compact)
			dst = e.appendEscaped(dst, e.scratch, true)
		default: // a number or boolean
			dst = append(dst, v...)
		}
	}
	// Readers of csv skip an empty line, so a record without text gets quotes.
	if len(dst) == line && len(e.columns) == 1 && e.separator == ',' {
		dst = append(dst, '"', '"')
	}
	return append(dst, '\n'), nil
}

// appendString appends the cell of the string v. It copies v if its marks show
// that nothing in it needs quotes or escapes.
func (e *delimitedEncoder) appendString(dst, v []byte, marks record.Marks) []byte {
	inner, tabs := v[1:len(v)-1], e.separator == '\t'
	switch {
	case marks == 0 && e.isPlain(inner) || tabs && marks == record.MarkComma && e.isPlain(inner):
		return append(dst, inner...)
	case marks == record.MarkComma && !tabs && !e.safe:
		return append(dst, v...)
	}
	e.scratch = record.Value(v).AppendText(e.scratch[:0])
	return e.appendEscaped(dst, e.scratch, false)
}

// isPlain reports whether a string without special characters needs neither
// quotes for spaces at its ends nor the apostrophe of a formula.
func (e *delimitedEncoder) isPlain(s []byte) bool {
	if len(s) == 0 {
		return true
	}
	if e.separator == ',' && (s[0] == ' ' || s[len(s)-1] == ' ') {
		return false
	}
	return !e.safe || !isFormula(s)
}

// appendEscaped appends the text of a cell with its quotes and escapes. The
// JSON of an array or object (structured) is never a formula.
func (e *delimitedEncoder) appendEscaped(dst, text []byte, structured bool) []byte {
	apostrophe := e.safe && !structured && isFormula(text)
	if e.separator == '\t' {
		if apostrophe {
			dst = append(dst, '\'')
		}
		return appendTSV(dst, text)
	}
	quoted := len(text) > 0 && (text[0] == ' ' || text[len(text)-1] == ' ' || bytes.ContainsAny(text, ",\"\n\t"))
	if quoted {
		dst = append(dst, '"')
	}
	if apostrophe {
		dst = append(dst, '\'')
	}
	if !quoted {
		return safetext.Append(dst, text)
	}
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			break
		}
		dst = append(safetext.Append(dst, text[:i], '\n', '\t'), '"', '"')
		text = text[i+1:]
	}
	return append(safetext.Append(dst, text, '\n', '\t'), '"')
}

// appendTSV escapes text and doubles its backslashes, so that a reader can undo
// the escapes.
func appendTSV(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return safetext.Append(dst, text)
		}
		dst = append(safetext.Append(dst, text[:i]), '\\', '\\')
		text = text[i+1:]
	}
}

// isFormula reports whether a spreadsheet would run the cell.
func isFormula(s []byte) bool {
	r, _ := utf8.DecodeRune(s)
	switch r {
	case '=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠':
		return true
	}
	return false
}
