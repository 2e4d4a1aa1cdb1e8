package record

import "strconv"

// Of makes a record of the pairs.
func Of(pairs ...Pair) Record {
	empty, _ := Parse([]byte("{}"))
	return empty.Prepend(pairs...)
}

// Only returns a record of those of the names that r has, in that order.
func (r Record) Only(names ...string) Record {
	var pairs []Pair
	for _, name := range names {
		if v := r.Get(name); v != nil {
			pairs = append(pairs, Pair{Name: name, Value: v})
		}
	}
	return Of(pairs...)
}

// Integer returns a whole number as JSON.
func Integer(n int64) Value { return strconv.AppendInt(nil, n, 10) }
