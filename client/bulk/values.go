package bulk

import (
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/schema"
)

// Values are the fields of a row. There are few: a walk over them is faster
// than a map, and they can be used again for the next row.
type Values []value

type value struct {
	name string
	json record.Value
}

// Get is the value of a field, nil where the row has none.
func (v Values) Get(name string) record.Value {
	for i := range v {
		if v[i].name == name {
			return v[i].json
		}
	}
	return nil
}

// Set gives a field a value.
func (v *Values) Set(name string, json record.Value) {
	for i := range *v {
		if (*v)[i].name == name {
			(*v)[i].json = json
			return
		}
	}
	*v = append(*v, value{name, json})
}

// Map is the values as the body of a write is made of.
func (v Values) Map() schema.Values {
	m := make(schema.Values, len(v))
	for i := range v {
		m[v[i].name] = v[i].json
	}
	return m
}

// ValuesOf are the values of a map.
func ValuesOf(m schema.Values) Values {
	v := make(Values, 0, len(m))
	for name, json := range m {
		v = append(v, value{name, json})
	}
	return v
}

// sorted are the values by name.
func (v Values) sorted() Values {
	v = slices.Clone(v)
	slices.SortFunc(v, func(a, b value) int { return strings.Compare(a.name, b.name) })
	return v
}

// A shelf keeps copies of rows, side by side.
type shelf struct {
	rows   []Row
	values Values
	bytes  []byte
}

// keep puts a copy of what a row sends behind the others: its cells and extra
// fields are not kept.
func (s *shelf) keep(row *Row) {
	first := len(s.values)
	for _, v := range row.Values {
		start := len(s.bytes)
		s.bytes = append(s.bytes, v.json...)
		v.json = s.bytes[start:len(s.bytes):len(s.bytes)]
		s.values = append(s.values, v)
	}
	s.rows = append(s.rows, Row{})
	kept := &s.rows[len(s.rows)-1]
	kept.Line, kept.Values, kept.ordinal = row.Line, s.values[first:len(s.values):len(s.values)], row.ordinal
}

// clear makes room for other rows in the same place.
func (s *shelf) clear() { s.rows, s.values, s.bytes = s.rows[:0], s.values[:0], s.bytes[:0] }

// Keep is a copy of rows that lives on.
func Keep(rows ...Row) []Row {
	var s shelf
	for i := range rows {
		s.keep(&rows[i])
	}
	return s.rows
}
