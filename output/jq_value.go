package output

import (
	"encoding/json"
	"strconv"
	"strings"

	"reseller/client/record"
)

type jqDecoder struct {
	names  map[string]keyName // field names by their JSON text, at most maxNames, so that records share them
	fields map[string]any     // the map that shared returns
	order  *keyOrder          // learns the orders of the fields
	keys   []string           // the names so far of the objects that are being decoded
}

type keyName struct {
	text string
	hash uint64 // of order
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
	var sum uint64
	for i := range rec.Len() {
		quoted, v, marks := rec.At(i)
		name := d.name(quoted)
		sum += name.hash
		d.fields[name.text] = d.value(v, marks)
	}
	d.endObject(0, sum)
	return d.fields
}

// name returns the name of a field of the object that is being decoded.
func (d *jqDecoder) name(quoted record.Value) keyName {
	name, ok := d.names[string(quoted)]
	if !ok {
		name.text = quoted.Text()
		name.hash = d.order.hash(name.text)
		if d.names == nil {
			d.names = map[string]keyName{}
		}
		if len(d.names) < maxNames {
			d.names[string(quoted)] = name
		}
	}
	d.keys = append(d.keys, name.text)
	return name
}

// endObject ends an object whose names begin at a place of keys, and whose hashes have a sum.
func (d *jqDecoder) endObject(start int, sum uint64) {
	d.order.learn(sum, d.keys[start:])
	d.keys = d.keys[:start]
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
		start, sum := len(d.keys), uint64(0)
		for i = record.SkipSpace(v, i+1); v[i] != '}'; i = skipComma(v, i) {
			end := stringEnd(v, i)
			name := d.name(v[i:end])
			sum += name.hash
			fields[name.text], i = d.decode(v, record.SkipSpace(v, record.SkipSpace(v, end)+1))
		}
		d.endObject(start, sum)
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
