package output

import (
	"encoding/json"
	"strconv"
	"strings"

	"reseller/client/record"
)

// jqDecoder turns JSON into the values that jq programs work on.
type jqDecoder struct {
	names  map[string]string // field names by their JSON text, at most maxNames, so that records share them
	fields map[string]any    // the map that shared returns
}

const maxNames = 1000

// shared returns rec as a map that the next call reuses. This is safe because
// programs do not change their input, and because the results for one record are
// written before the next record is read.
func (d *jqDecoder) shared(rec *record.Record) any {
	if d.fields == nil {
		d.fields = map[string]any{}
	}
	clear(d.fields)
	for i := range rec.Len() {
		name, v, marks := rec.At(i)
		d.fields[d.name(name)] = d.value(v, marks)
	}
	return d.fields
}

func (d *jqDecoder) name(quoted record.Value) string {
	if known, ok := d.names[string(quoted)]; ok {
		return known
	}
	text := quoted.Text()
	if d.names == nil {
		d.names = map[string]string{}
	}
	if len(d.names) < maxNames {
		d.names[string(quoted)] = text
	}
	return text
}

// value decodes a value of any kind. A string whose marks show no escapes is
// copied.
func (d *jqDecoder) value(v record.Value, marks record.Marks) any {
	if v.Kind() == record.String && marks&(record.MarkEscape|record.MarkNonASCII) == 0 {
		return string(v[1 : len(v)-1])
	}
	decoded, _ := d.decode(v, 0)
	return decoded
}

// decode decodes the value that begins at i, which is valid JSON, and returns the index
// behind it. It looks at each byte once, however deep the value is nested.
func (d *jqDecoder) decode(v record.Value, i int) (any, int) {
	switch v[i] {
	case '"':
		end := stringEnd(v, i)
		return v[i:end].Text(), end
	case '[':
		elements := []any{}
		for i = record.SkipSpace(v, i+1); v[i] != ']'; i = skipComma(v, i) {
			var element any
			element, i = d.decode(v, i)
			elements = append(elements, element)
		}
		return elements, i + 1
	case '{':
		fields := map[string]any{}
		for i = record.SkipSpace(v, i+1); v[i] != '}'; i = skipComma(v, i) {
			end := stringEnd(v, i)
			name := d.name(v[i:end])
			fields[name], i = d.decode(v, record.SkipSpace(v, record.SkipSpace(v, end)+1))
		}
		return fields, i + 1
	case 't':
		return true, i + len("true")
	case 'f':
		return false, i + len("false")
	case 'n':
		return nil, i + len("null")
	}
	end := i + 1
	for end < len(v) && strings.IndexByte("+-.0123456789Ee", v[end]) >= 0 {
		end++
	}
	return number(v[i:end]), end
}

// stringEnd returns the index behind the string that begins at i.
func stringEnd(v record.Value, i int) int {
	for i++; v[i] != '"'; i++ {
		if v[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// skipComma returns the index of the next element or of the end behind the value that
// ends at i.
func skipComma(v record.Value, i int) int {
	if i = record.SkipSpace(v, i); i < len(v) && v[i] == ',' {
		i = record.SkipSpace(v, i+1)
	}
	return min(i, len(v)-1)
}

// number returns small whole numbers as int and all others as their text, so
// that large numbers and the zeros of 1.00 are kept.
func number(v record.Value) any {
	if len(v) <= len("-999999999999999") && string(v) != "-0" {
		if n, err := strconv.Atoi(string(v)); err == nil {
			return n
		}
	}
	return json.Number(v)
}
