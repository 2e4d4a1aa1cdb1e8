package output

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// compact is the depth that asks for no line breaks.
const compact = -1

// appendJSON writes valid JSON anew: on one line, or indented with depth
// counting from the given one. Names, order, numbers and strings stay as they
// came, save that characters a terminal obeys
// become escapes.
func appendJSON(dst, v []byte, depth int) []byte {
	indented := depth != compact
	for i := 0; i < len(v); {
		c := v[i]
		switch c {
		case '"':
			dst, i = appendString(dst, v, i)
			continue
		case ' ', '\t', '\n', '\r':
			i++
			continue
		}
		i++
		switch {
		case !indented:
			dst = append(dst, c)
		case c == '{' || c == '[':
			dst = append(dst, c)
			if i = space(v, i); v[i] == '}' || v[i] == ']' {
				dst = append(dst, v[i])
				i++
				continue
			}
			depth++
			dst = appendLine(dst, depth)
		case c == '}' || c == ']':
			depth--
			dst = append(appendLine(dst, depth), c)
		case c == ',':
			dst = appendLine(append(dst, c), depth)
		case c == ':':
			dst = append(dst, ':', ' ')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func appendLine(dst []byte, depth int) []byte {
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, ' ', ' ')
	}
	return dst
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// appendString copies the string that begins at i and returns the index
// behind it. Eight bytes are looked at together while all are harmless.
func appendString(dst, v []byte, i int) ([]byte, int) {
	start := i
	i++
	for {
		for i+8 <= len(v) {
			x := binary.LittleEndian.Uint64(v[i:])
			end, slash, del := x^ones*'"', x^ones*'\\', x^ones*0x7f
			if (x|(end-ones)&^end|(slash-ones)&^slash|(del-ones)&^del)&highs != 0 {
				break
			}
			i += 8
		}
		switch c := v[i]; {
		case c == '"':
			return append(dst, v[start:i+1]...), i + 1
		case c == '\\':
			i += 2
		case c < 0x7f:
			i++
		default:
			r, n := utf8.DecodeRune(v[i:])
			if safetext.IsControl(r) || r == utf8.RuneError && n == 1 {
				dst = append(dst, v[start:i]...)
				dst = safetext.AppendUnicode(dst, r)
				start = i + n
			}
			i += n
		}
	}
}

// appendQuoted writes a string of our own as JSON.
func appendQuoted(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			text, _ := json.Marshal(s) // a string can't fail
			return append(dst, text...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

type jsonEncoder struct {
	pl      plan
	scratch []byte
	some    bool
}

func (e *jsonEncoder) begin(dst []byte) []byte { return dst }

func (e *jsonEncoder) record(dst []byte, rec record.Record) ([]byte, error) {
	raw := []byte(rec.Raw())
	if e.pl.picked {
		e.scratch = e.pl.appendPicked(e.scratch[:0], &rec)
		raw = e.scratch
	}
	if e.pl.shape.Single {
		return append(appendJSON(dst, raw, 0), '\n'), nil
	}
	if e.some {
		dst = append(dst, ",\n  "...)
	} else {
		dst = append(dst, "[\n  "...)
	}
	e.some = true
	if e.pl.picked {
		return appendJSON(dst, raw, 1), nil
	}
	return appendListed(dst, &rec), nil
}

// appendListed is appendJSON for a record of a list: what its marks call
// harmless is copied.
func appendListed(dst []byte, rec *record.Record) []byte {
	n := rec.Len()
	if n == 0 {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	for i := range n {
		name, v, marks := rec.At(i)
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n    "...)
		if marks&record.Odd != 0 {
			dst, _ = appendString(dst, name, 0)
		} else {
			dst = append(dst, name...)
		}
		dst = append(dst, ": "...)
		if k := v.Kind(); marks&record.Odd != 0 || k == record.Array || k == record.Object {
			dst = appendJSON(dst, v, 2)
		} else {
			dst = append(dst, v...)
		}
	}
	return append(dst, "\n  }"...)
}

func (e *jsonEncoder) end(dst []byte) ([]byte, error) {
	switch {
	case e.pl.shape.Single:
		return dst, nil
	case e.some:
		return append(dst, "\n]\n"...), nil
	}
	return append(dst, "[]\n"...), nil
}

type ndjsonEncoder struct {
	pl      plan
	scratch []byte
}

func (e *ndjsonEncoder) begin(dst []byte) []byte { return dst }

func (e *ndjsonEncoder) record(dst []byte, rec record.Record) ([]byte, error) {
	raw := []byte(rec.Raw())
	switch {
	case e.pl.picked:
		e.scratch = e.pl.appendPicked(e.scratch[:0], &rec)
		raw = e.scratch
	case len(e.pl.shape.Front) > 0:
		e.scratch = appendFront(e.scratch[:0], e.pl.shape.Front, rec)
		raw = e.scratch
	case rec.Marks()&(record.Odd|record.Gap) == 0:
		return append(append(dst, raw...), '\n'), nil
	}
	return append(appendJSON(dst, raw, compact), '\n'), nil
}

func (e *ndjsonEncoder) end(dst []byte) ([]byte, error) { return dst, nil }

// appendFront writes rec with the front columns it carries before its other
// fields.
func appendFront(dst []byte, front []Column, rec record.Record) []byte {
	dst = append(dst, '{')
	add := func(name string, v record.Value) {
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, name), ':')
		dst = append(dst, v...)
	}
	for _, c := range front {
		if v, _ := rec.Lookup(c.Name); v != nil {
			add(c.Name, v)
		}
	}
	for name, v := range rec.Fields() {
		if !slices.ContainsFunc(front, func(c Column) bool { return c.Name == name }) {
			add(name, v)
		}
	}
	return append(dst, '}')
}
