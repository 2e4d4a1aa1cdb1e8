package rows

import (
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/schema"
)

// Values are the values of a row's fields. There are few: walking them is faster
// than a map, and their memory can be used for the next row.
type Values []Value

// A Value is the JSON of one field.
type Value struct {
	Name string
	JSON record.Value
}

// Get returns the value of a field, nil if the row has none.
func (v Values) Get(name string) record.Value {
	for i := range v {
		if v[i].Name == name {
			return v[i].JSON
		}
	}
	return nil
}

// Set sets the value of a field.
func (v *Values) Set(name string, json record.Value) {
	for i := range *v {
		if (*v)[i].Name == name {
			(*v)[i].JSON = json
			return
		}
	}
	*v = append(*v, Value{name, json})
}

// Map returns the values as a map, from which the body of a request is made.
func (v Values) Map() schema.Values {
	m := make(schema.Values, len(v))
	for i := range v {
		m[v[i].Name] = v[i].JSON
	}
	return m
}

// FromMap returns the values of a map.
func FromMap(m schema.Values) Values {
	v := make(Values, 0, len(m))
	for name, json := range m {
		v = append(v, Value{name, json})
	}
	return v
}

// sorted returns the values by name.
func (v Values) sorted() Values {
	v = slices.Clone(v)
	slices.SortFunc(v, func(a, b Value) int { return strings.Compare(a.Name, b.Name) })
	return v
}

// An Arena holds copies of rows side by side, in memory that is used again.
type Arena struct {
	Rows   []Row
	values Values
	bytes  []byte
}

// Add copies what a row sends: its cells and read-only texts are not copied.
func (a *Arena) Add(row *Row) {
	first := len(a.values)
	for _, v := range row.Values {
		start := len(a.bytes)
		a.bytes = append(a.bytes, v.JSON...)
		v.JSON = a.bytes[start:len(a.bytes):len(a.bytes)]
		a.values = append(a.values, v)
	}
	a.Rows = append(a.Rows, Row{Line: row.Line, Ordinal: row.Ordinal, Values: a.values[first:len(a.values):len(a.values)]})
}

// Reset makes room for other rows in the same memory.
func (a *Arena) Reset() { a.Rows, a.values, a.bytes = a.Rows[:0], a.values[:0], a.bytes[:0] }

// Clone returns copies of rows that stay valid.
func Clone(rows ...Row) []Row {
	var a Arena
	for i := range rows {
		a.Add(&rows[i])
	}
	return a.Rows
}
