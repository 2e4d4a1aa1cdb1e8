package output

import (
	"encoding/json"
	"strconv"

	"reseller/client/record"
)

// A decoder makes of JSON what jq programs work on.
type decoder struct {
	names  map[string]string // names seen so far: a list's records share theirs
	fields map[string]any    // of the record at hand
}

// maxNames is how many names are kept.
const maxNames = 1000

// shared is rec in memory that the next record gets: for programs, which
// change nothing in place, and whose results are written before they go on.
func (d *decoder) shared(rec *record.Record) any {
	if d.fields == nil {
		d.fields = map[string]any{}
	}
	clear(d.fields)
	d.fill(d.fields, rec)
	return d.fields
}

func (d *decoder) fill(fields map[string]any, rec *record.Record) {
	for i := range rec.Len() {
		name, v, marks := rec.At(i)
		fields[d.name(name)] = d.value(v, marks)
	}
}

func (d *decoder) name(quoted record.Value) string {
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

// value decodes any value, in short where its marks allow that.
func (d *decoder) value(v record.Value, marks record.Marks) any {
	switch v.Kind() {
	case record.String:
		if marks&(record.Escaped|record.Odd) == 0 {
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
			elements = append(elements, d.value(element, unknown))
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

// number keeps all but small whole numbers as their text, so that large ones
// survive, and the zeros of 1.00.
func number(v record.Value) any {
	if len(v) <= len("-999999999999999") && string(v) != "-0" {
		if n, err := strconv.Atoi(string(v)); err == nil {
			return n
		}
	}
	return json.Number(v)
}
