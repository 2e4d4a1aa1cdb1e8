package encode

import "reseller/client/record"

// Column is a column of the output and the place of its value in a record.
type Column struct {
	Name string
	Date bool     // a date or time, which formats for reading write as FormatDate does
	Keys []string // if not nil, the value is found by these keys, one for each level, not by paths

	paths []string // tried in order, until one has a value that is not null
}

// NewColumn returns a column whose value is the first one that is not null at one
// of paths.
func NewColumn(name string, paths ...string) Column { return Column{Name: name, paths: paths} }

// Get returns the column's value in rec, nil if it is missing, and the value's
// marks.
func (c *Column) Get(rec *record.Record) (record.Value, record.Marks) {
	if c.Keys != nil {
		return rec.FindKeys(c.Keys)
	}
	v, marks := rec.Find(c.paths[0])
	if c.hasAlternatives() && IsNull(v) {
		for _, path := range c.paths[1:] {
			if other, otherMarks := rec.Find(path); !IsNull(other) {
				return other, otherMarks
			} else if v == nil {
				v = other
			}
		}
	}
	return v, marks
}

// hasAlternatives reports whether the value may stand in more than one place.
func (c *Column) hasAlternatives() bool { return len(c.paths) > 1 }

// IsNull reports whether v is missing or null.
func IsNull(v record.Value) bool { return len(v) == 0 || v[0] == 'n' }

// cellReader finds the columns' values in the records of a list. It searches the
// first record, and another one only if its fields or their order differ.
type cellReader struct {
	columns []Column
	finder  record.Finder
}

func newCellReader(columns []Column) cellReader {
	r := cellReader{columns: columns}
	for _, c := range columns {
		if c.Keys != nil { // Keys may lead deep into a record, which a Finder does not search
			r.finder.Names = nil
			break
		}
		r.finder.Names = append(r.finder.Names, c.paths[0])
	}
	return r
}

// value returns the value of column i in rec and the value's marks. places is
// what the finder returned for rec.
func (r *cellReader) value(rec *record.Record, places []int, i int) (record.Value, record.Marks) {
	if i < len(places) && places[i] >= 0 {
		if v, marks := rec.Field(places[i]); v[0] != 'n' || !r.columns[i].hasAlternatives() {
			return v, marks
		}
	}
	return r.columns[i].Get(rec)
}
