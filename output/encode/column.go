package encode

import (
	"cmp"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/output/textwidth"
)

// Column is a column of the output and the place of its value in a record: a documented field, or another one that
// the user named or that a record has.
type Column struct {
	Name      string   // the path of a documented field as in JSON, external_account_manager.name
	Path      string   // of the value, if it is not the name
	Alt       []string // names that older responses use, tried if Name is missing or null
	Wide      bool     // not one of the default columns of formats for reading
	OnRequest bool     // rows of cells have it only if the user names it
	Date      bool     // a date or time, which formats for reading write as FormatDate does
	Type      Type     // of the cells in formats that have types
	Enum      []string // the values, if they are few
	// Words are the values of Enum by the words of older responses for them, in lower case.
	Words map[string]string
	// Shown are values, as JSON, and the texts that formats for reading show in their place.
	Shown [][2]string
	Title bool   // the values name the records to users
	ID    string // the kind of record whose ids the values are; empty for other columns
	// Needed columns are the last ones for which a terminal has no room, and Constant ones, which have one value in all rows
	// since the user asked for it, the first ones.
	Needed, Constant bool
	Example          string // a usual text; may be empty
}

// usualWidth returns how wide a usual cell is. Numbers and dates are about as wide in one list as in another, so that width, which
// the cells of this list have, is usual.
func (c *Column) usualWidth(width int) int {
	switch {
	case c.Type == TypeNumber || c.Date:
		return width
	case c.Enum != nil:
		return textwidth.Of(slices.MaxFunc(c.Enum, func(a, b string) int { return textwidth.Of(a) - textwidth.Of(b) }))
	case c.Example != "" && !c.Title:
		return textwidth.Of(c.Example)
	case c.Type == TypeText:
		return readable
	}
	return width
}

func Columns(names ...string) []Column {
	columns := make([]Column, len(names))
	for i, name := range names {
		columns[i].Name = name
	}
	return columns
}

type Type uint8

const (
	TypeOfValue Type = iota // each cell has the type of its JSON value
	TypeText                // a text, even if it looks like a number
	TypeNumber              // a number, even if it is in a JSON string
)

func (c *Column) path() string { return cmp.Or(c.Path, c.Name) }

// Get returns the column's value in rec, nil if it is missing, and the value's marks. In place of an object of which the
// column is the name, a text may be the value.
func (c *Column) Get(rec *record.Record) (record.Value, record.Marks) {
	v, marks := rec.Find(c.path())
	if whole, isName := strings.CutSuffix(c.path(), ".name"); v == nil && isName {
		if text, of := rec.Find(whole); text.Kind() == record.String {
			return text, of
		}
	}
	return v, marks
}

func IsNull(v record.Value) bool { return len(v) == 0 || v[0] == 'n' }

// cellReader finds the columns' values in the records of a list. It searches the
// first record, and another one only if its fields or their order differ.
type cellReader struct {
	columns []Column
	finder  record.Finder
	places  []int // of the columns in each record, nil if they are to be found
}

func newCellReader(l Layout) cellReader {
	r := cellReader{columns: l.Columns}
	for i := range l.Columns {
		if r.finder.Names = append(r.finder.Names, l.Columns[i].path()); l.Flat {
			r.places = append(r.places, i)
		}
	}
	return r
}

// find finds the values of the columns in rec. It returns the places that value takes.
func (r *cellReader) find(rec *record.Record) []int {
	if r.places != nil {
		return r.places
	}
	return r.finder.In(rec)
}

// MaxFlattened is how many levels of objects become columns of their own. An object
// below is a cell with JSON.
const MaxFlattened = 16

// MaxFlattenedName is how many bytes the name of a field has at most whose members become
// columns of their own. The name of each of these begins with that of the field.
const MaxFlattenedName = 1000

// value returns the value of column i in rec and the value's marks. places are those that
// find returned for rec.
func (r *cellReader) value(rec *record.Record, places []int, i int) (record.Value, record.Marks) {
	if places[i] >= 0 {
		return rec.Field(places[i])
	}
	return r.columns[i].Get(rec)
}
