package output

import (
	"encoding/json"
	"strconv"

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
	d.fill(d.fields, rec)
	return d.fields
}

func (d *jqDecoder) fill(fields map[string]any, rec *record.Record) {
	for i := range rec.Len() {
		name, v, marks := rec.At(i)
		fields[d.name(name)] = d.value(v, marks)
	}
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
	switch v.Kind() {
	case record.String:
		if marks&(record.MarkEscape|record.MarkNonASCII) == 0 {
			return string(v[1 : len(v)-1])
		}
		return v.Text()
	case record.Number:
		return number(v)
	case record.Bool:
		return v[0] == 't'
	case record.Array:
		elements := []any{}
		for element := range v.Elements() {
			elements = append(elements, d.value(element, record.AllMarks))
		}
		return elements
	case record.Object:
		fields := map[string]any{}
		if rec, err := record.Parse(v); err == nil {
			d.fill(fields, &rec)
		}
		return fields
	}
	return nil
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
