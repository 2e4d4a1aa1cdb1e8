package output

import (
	"bytes"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// delimited writes csv and tsv.
type delimited struct {
	cells
	tabs     bool // tsv
	safe     bool
	noHeader bool
	scratch  []byte
}

func (e *delimited) begin(dst []byte) []byte {
	if e.noHeader || len(e.columns) == 0 {
		return dst
	}
	for i, c := range e.columns {
		dst = e.cell(e.separate(dst, i), []byte(c.name), false)
	}
	return append(dst, '\n')
}

func (e *delimited) end(dst []byte) ([]byte, error) { return dst, nil }

func (e *delimited) separate(dst []byte, i int) []byte {
	switch {
	case i == 0:
		return dst
	case e.tabs:
		return append(dst, '\t')
	}
	return append(dst, ',')
}

func (e *delimited) record(dst []byte, rec record.Record) ([]byte, error) {
	line := len(dst)
	places := e.finder.In(&rec)
	for i := range e.columns {
		dst = e.separate(dst, i)
		v, marks := e.value(&rec, places, i)
		if len(v) == 0 {
			continue
		}
		switch c := v[0]; {
		case c == '"':
			dst = e.text(dst, v, marks)
		case c == '[' || c == '{':
			e.scratch = appendJSON(e.scratch[:0], v, compact)
			dst = e.cell(dst, e.scratch, true)
		case c != 'n': // null
			dst = append(dst, v...)
		case e.columns[i].older():
			v, _ = e.columns[i].get(&rec)
			e.scratch = appendCell(e.scratch[:0], v)
			dst = e.cell(dst, e.scratch, v.Kind() != record.String)
		}
	}
	// A line with nothing on it is no record to those who read csv.
	if len(dst) == line && len(e.columns) == 1 && !e.tabs {
		dst = append(dst, '"', '"')
	}
	return append(dst, '\n'), nil
}

// appendCell is the text of a cell before any escaping: arrays and objects as
// compact JSON that stays JSON.
func appendCell(dst []byte, v record.Value) []byte {
	if k := v.Kind(); k == record.Array || k == record.Object {
		return appendJSON(dst, v, compact)
	}
	return v.AppendText(dst)
}

// CSVText is v as those see it who read its csv cell, without what CSVSafe
// puts before it.
func CSVText(v record.Value) string {
	return string(safetext.Append(nil, appendCell(nil, v), '\n', '\t'))
}

// text writes the string v, in short where its marks allow that.
func (e *delimited) text(dst, v []byte, marks record.Marks) []byte {
	inner := v[1 : len(v)-1]
	switch {
	case marks == 0 && e.asIs(inner) || e.tabs && marks == record.Comma && e.asIs(inner):
		return append(dst, inner...)
	case marks == record.Comma && !e.tabs && !e.safe:
		return append(dst, v...)
	}
	e.scratch = record.Value(v).AppendText(e.scratch[:0])
	return e.cell(dst, e.scratch, false)
}

// asIs tells whether a string that its marks call harmless needs nothing done
// to it at its ends either.
func (e *delimited) asIs(s []byte) bool {
	if len(s) == 0 {
		return true
	}
	if !e.tabs && (s[0] == ' ' || s[len(s)-1] == ' ') {
		return false
	}
	return !e.safe || !formula(s)
}

// cell writes text, which JSON of an array or object can't make a formula.
func (e *delimited) cell(dst, text []byte, structured bool) []byte {
	apostrophe := e.safe && !structured && formula(text)
	if e.tabs {
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

// appendTSV doubles backslashes beside escaping, so that a reader can undo it.
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

// formula tells whether a spreadsheet would run the cell.
func formula(s []byte) bool {
	r, _ := utf8.DecodeRune(s)
	switch r {
	case '=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠':
		return true
	}
	return false
}
