package output

import (
	"slices"

	"reseller/client/record"
)

// column is a column of the output, and where a record has its value.
type column struct {
	Name string
	Date bool // a date or time, which formats for reading write in one shape

	paths []string // tried in order, until one has a value that is not null
	keys  []string // used instead of paths for a field that was found in a record
}

// newColumn returns a column whose value stands at the first of paths that has
// one.
func newColumn(name string, paths ...string) column { return column{Name: name, paths: paths} }

// newKeyColumn returns a column whose value stands under keys, one for each
// level. Unlike the parts of a path, keys may have dots in them.
func newKeyColumn(name string, keys []string) column {
	return column{Name: name, keys: slices.Clone(keys)}
}

// Get returns the column's value in rec, nil where it is missing, and the
// value's marks.
func (c *column) Get(rec *record.Record) (record.Value, record.Marks) {
	if c.keys != nil {
		return rec.FindKeys(c.keys)
	}
	v, marks := rec.Find(c.paths[0])
	if c.hasAlternatives() && isNull(v) {
		for _, path := range c.paths[1:] {
			if other, its := rec.Find(path); !isNull(other) {
				return other, its
			} else if v == nil {
				v = other
			}
		}
	}
	return v, marks
}

// hasAlternatives reports whether the value may stand in more than one place.
func (c *column) hasAlternatives() bool { return len(c.paths) > 1 }

// isNull reports whether v is missing or null.
func isNull(v record.Value) bool { return len(v) == 0 || v[0] == 'n' }

// cellReader finds the columns' values in the records of a list. As long as
// the records have the same fields in the same order, it looks for them once.
type cellReader struct {
	columns []column
	finder  record.Finder
}

func newCellReader(columns []column) cellReader {
	r := cellReader{columns: columns}
	for _, c := range columns {
		if c.keys != nil { // may stand deep inside a record, where no Finder looks
			r.finder.Names = nil
			break
		}
		r.finder.Names = append(r.finder.Names, c.paths[0])
	}
	return r
}

// value returns the value of column i in rec and its marks. The places are
// those that the finder returned for rec.
func (r *cellReader) value(rec *record.Record, places []int, i int) (record.Value, record.Marks) {
	c := &r.columns[i]
	if i < len(places) && places[i] >= 0 {
		if v, marks := rec.Field(places[i]); v[0] != 'n' || !c.hasAlternatives() {
			return v, marks
		}
	}
	return c.Get(rec)
}
