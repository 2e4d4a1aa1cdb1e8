package job

// A Column has a value for each row. It stores equal values once, since most rows have
// one of a few values. It needs no memory until the first value is set.
type Column[T comparable] struct {
	index  []uint32     // for each row, the index of its value in values
	values []T          // all different values; the first is the zero value
	places map[T]uint32 // the index of each value in values
}

// IsEmpty reports whether no value was set.
func (c *Column[T]) IsEmpty() bool { return c.index == nil }

func (c *Column[T]) Get(row uint32) (v T) {
	if c.index == nil {
		return v
	}
	return c.values[c.index[row]]
}

// Set sets the value of a row. n is the number of rows of the table.
func (c *Column[T]) Set(row uint32, n int, v T) {
	var none T
	if c.index == nil && v == none {
		return
	} else if c.index == nil {
		c.index, c.values, c.places = make([]uint32, n), make([]T, 1), map[T]uint32{none: 0}
	}
	place, ok := c.places[v]
	if !ok {
		place = uint32(len(c.values))
		c.values = append(c.values, v)
		c.places[v] = place
	}
	c.index[row] = place
}
