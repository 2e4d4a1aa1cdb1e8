package encode

import "reseller/client/record"

// Column is a column of the output, and where a record has its value.
type Column struct {
	Name string
	Date bool     // a date or time, which formats for reading write in one shape
	Keys []string // where not nil, the value stands under them, one for each level, and not at a path

	paths []string // tried in order, until one has a value that is not null
}

// NewColumn returns a column whose value stands at the first of paths where a
// record has one that is not null.
func NewColumn(name string, paths ...string) Column { return Column{Name: name, paths: paths} }

// Get returns the column's value in rec, nil where it is missing, and the
// value's marks.
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

// cellReader finds the columns' values in the records of a list. As long as
// the records have the same fields in the same order, it looks for them once.
type cellReader struct {
	columns []Column
	finder  record.Finder
}

func newCellReader(columns []Column) cellReader {
	r := cellReader{columns: columns}
	for _, c := range columns {
		if c.Keys != nil { // may stand deep inside a record, where no Finder looks
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
	if i < len(places) && places[i] >= 0 {
		if v, marks := rec.Field(places[i]); v[0] != 'n' || !r.columns[i].hasAlternatives() {
			return v, marks
		}
	}
	return r.columns[i].Get(rec)
}
