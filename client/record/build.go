package record

import (
	"slices"
	"strconv"
)

// Of returns a record with the names and values of the pairs, whose names must differ.
func Of(pairs ...Pair) Record {
	empty, _ := Parse([]byte("{}"))
	return empty.Prepend(pairs...)
}

// Only returns a record with the fields of r that have these names, in the order of the names. A name may be a path (see Get).
func (r Record) Only(names ...string) Record {
	var pairs []Pair
	for _, name := range names {
		if v := r.Get(name); v != nil {
			pairs = append(pairs, Pair{Name: name, Value: v})
		}
	}
	return Of(pairs...)
}

// Without returns a record with the other fields of r.
func (r Record) Without(names ...string) Record {
	var pairs []Pair
	for name, v := range r.Fields() {
		if !slices.Contains(names, name) {
			pairs = append(pairs, Pair{Name: name, Value: v})
		}
	}
	return Of(pairs...)
}

// Integer returns n as a JSON number.
func Integer(n int64) Value { return strconv.AppendInt(nil, n, 10) }

// ArrayOf returns an array of the elements.
func ArrayOf(elements ...Value) Value {
	out := Value("[")
	for i, element := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, element...)
	}
	return append(out, ']')
}
