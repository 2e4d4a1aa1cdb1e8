package encode

import (
	"bytes"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

const (
	CSV Format = "csv"
	TSV Format = "tsv"
)

// delimitedEncoder writes csv and tsv. A cell is copied if the marks of its value
// show that it needs no quotes and no escapes, as for most cells.
type delimitedEncoder struct {
	frameless
	cellReader
	separator byte // a comma or a tab
	flush     Flush
	safe      bool // see Layout.CSVSafe
	noHeader  bool
	bom       bool
	scratch   []byte
}

func newDelimited(l Layout, separator byte, bom bool) Encoder {
	return &delimitedEncoder{cellReader: newCellReader(l), separator: separator, flush: l.Flush, safe: l.CSVSafe, noHeader: l.NoHeader, bom: bom}
}

func (e *delimitedEncoder) Begin(dst []byte) []byte {
	if e.bom {
		dst = append(dst, "\ufeff"...)
	}
	if e.noHeader || len(e.columns) == 0 {
		return dst
	}
	for i, c := range e.columns {
		if i > 0 {
			dst = append(dst, e.separator)
		}
		dst = e.appendText(dst, []byte(c.Name))
	}
	return append(dst, '\n')
}

func (e *delimitedEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	places := e.find(&rec)
	for i := range e.columns {
		if i > 0 {
			dst = append(dst, e.separator)
		}
		v, marks := e.value(&rec, places, i)
		if IsNull(v) {
			continue
		}
		switch c := v[0]; {
		case c == '"' && marks == 0 && !e.safe && v[1] != ' ' && v[len(v)-2] != ' ': // as most strings are
			dst = append(dst, v[1:len(v)-1]...)
		case c == '"':
			dst = e.appendString(dst, v, marks)
		case c == '[' || c == '{':
			e.scratch = v.AppendText(e.scratch[:0])
			if e.safe {
				e.scratch = appendFormulaSafeJSON(nil, e.scratch)
			}
			dst = e.appendEscaped(dst, e.scratch)
		default: // a number or boolean
			dst = append(dst, v...)
		}
	}
	// Readers of csv skip an empty line, so a record without text gets quotes.
	if len(e.columns) == 1 && e.separator == ',' {
		if v, _ := e.value(&rec, places, 0); IsNull(v) || string(v) == `""` {
			dst = append(dst, '"', '"')
		}
	}
	return append(dst, '\n'), nil
}

// appendString appends the cell of the string v. It copies v if its marks show
// that nothing in it needs quotes or escapes.
func (e *delimitedEncoder) appendString(dst, v []byte, marks record.Marks) []byte {
	inner, tabs := v[1:len(v)-1], e.separator == '\t'
	switch {
	case (marks == 0 || tabs && !e.safe && marks == record.MarkComma) && e.isPlain(inner):
		return append(dst, inner...)
	case marks == record.MarkComma && !tabs && !e.safe:
		return append(dst, v...)
	}
	e.scratch = record.Value(v).AppendText(e.scratch[:0])
	return e.appendText(dst, e.scratch)
}

func (e *delimitedEncoder) appendText(dst, text []byte) []byte {
	if e.safe {
		text = safetext.AppendFormulaSafe(nil, text)
	}
	return e.appendEscaped(dst, text)
}

// isPlain reports whether a string without commas and escapes needs neither quotes
// nor the apostrophe of a formula.
func (e *delimitedEncoder) isPlain(s []byte) bool {
	if len(s) == 0 {
		return true
	}
	if e.separator == ',' && (s[0] == ' ' || s[len(s)-1] == ' ') {
		return false
	}
	if !e.safe {
		return true
	}
	r, _ := utf8.DecodeRune(s)
	return r != '\'' && !safetext.IsFormulaSign(r) && bytes.IndexByte(s, ';') < 0
}

func (e *delimitedEncoder) appendEscaped(dst, text []byte) []byte {
	if e.separator == '\t' {
		return e.appendTSV(dst, text)
	}
	special := ",\"\n\t"
	if e.safe {
		special = ",;\"\n\t"
	}
	if len(text) == 0 || text[0] != ' ' && text[len(text)-1] != ' ' && !bytes.ContainsAny(text, special) {
		return e.flush.escape(dst, text, safetext.AppendData)
	}
	return append(e.appendDoubled(append(dst, '"'), text, '"', '\n', '\t'), '"')
}

// appendTSV escapes text and doubles its backslashes, so that a reader can undo
// the escapes. A text in quotes that are doubled inside it gets a backslash before it, since readers
// take it for a cell of csv.
func (e *delimitedEncoder) appendTSV(dst, text []byte) []byte {
	if safetext.HasCSVQuotes(text) {
		dst = append(dst, '\\')
	}
	return e.appendDoubled(dst, text, '\\')
}

// appendDoubled appends text with its control characters escaped, but those to keep, and one character of it doubled.
func (e *delimitedEncoder) appendDoubled(dst, text []byte, double byte, keep ...rune) []byte {
	for {
		i := bytes.IndexByte(text, double)
		if i < 0 {
			return e.flush.escape(dst, text, safetext.AppendData, keep...)
		}
		dst = append(e.flush.escape(dst, text[:i], safetext.AppendData, keep...), double, double)
		text = text[i+1:]
	}
}

// appendFormulaSafeJSON appends compact JSON with an escape such as \u003d in place of
// each sign in a string that would begin a formula if a spreadsheet split the cell
// before it. An apostrophe would change the string.
func appendFormulaSafeJSON(dst, text []byte) []byte {
	inString, mayBegin := false, false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == '\\':
			n++ // the escaped character
			mayBegin = text[i+1] == '"' && mayBegin
		case r == '"':
			inString, mayBegin = !inString, !inString
		case inString && mayBegin && safetext.IsFormulaSign(r):
			dst = safetext.AppendUnicode(dst, r)
			i, mayBegin = i+n, false
			continue
		default:
			mayBegin = r == ';' || r == ','
		}
		dst = append(dst, text[i:i+n]...)
		i += n
	}
	return dst
}
