package output

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"reseller/client/nearest"
	"reseller/client/record"
	"reseller/output/encode"
)

type Column = encode.Column

type Shape struct {
	Name    string   // a noun for the records; may be empty
	Columns []Column // if empty, every field of the records becomes a column
	Single  bool     // one object, not a list
	// Documents is true for records that yaml has in a document each, not in one list.
	Documents bool
	// Comment is the first line of yaml, without the sign of a comment; empty for none.
	Comment string
	// Wrap is true for lists of a few columns with long texts, which a terminal shows whole,
	// in several lines, if it has room for the headers of all columns.
	Wrap bool
	// Arrange returns the records of a list as they are printed, of those that --where and --search
	// select; nil leaves them as they are.
	Arrange func(iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error]
}

// attributesPrefix begins the names of columns such as attributes.Industry.
// Account holders choose the part after the prefix, so these columns are not
// documented.
const attributesPrefix = "attributes."

// documents reports whether a document names a field, or fields below it.
func (s Shape) documents(name string) bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Name == name || strings.HasPrefix(c.Name, name+".") })
}

// A wantedColumn is one that the user selects or sorts by.
type wantedColumn struct {
	Column
	mayLack bool // all records may lack the field
	isSeen  bool // a record has the field
}

func (c *wantedColumn) of(rec *record.Record) record.Value {
	v, _ := c.Get(rec)
	c.isSeen = c.isSeen || v != nil
	return v
}

// missing says that no record has the field, if one has to.
func (c *wantedColumn) missing() string {
	if c.isSeen || c.mayLack {
		return ""
	}
	return "no record of the list has the field " + strings.TrimPrefix(c.Name, ".")
}

// find returns the column that the user named: a documented one, a parent of
// documented ones, one attribute, or with a leading dot any field at all. kind
// is the noun for the column in the error: "column" or "sort column".
func (s Shape) find(name, kind string) (Column, error) {
	undocumented, dotted := strings.CutPrefix(name, ".")
	if undocumented == "" {
		return Column{}, &UsageError{Message: "empty " + kind + " name"}
	}
	if dotted {
		return Column{Name: name, Path: undocumented}, nil
	}
	var names []string
	suggestion := ""
	for _, c := range s.Columns {
		if c.Name == name {
			return c, nil
		}
		if slices.Contains(c.Alt, name) {
			suggestion = c.Name
		}
		names = append(names, c.Name)
	}
	for _, c := range s.Columns {
		if strings.HasPrefix(c.Name, name+".") ||
			c.Name+"." == attributesPrefix && strings.HasPrefix(name, attributesPrefix) && name != attributesPrefix {
			return Column{Name: name}, nil
		}
	}
	if name == "all" && kind == "column" {
		return Column{}, &UsageError{Message: `"all" can't be used with other columns`}
	}
	hint := suggest(cmp.Or(suggestion, nearest.Name(name, names)), "to name a field that is not documented, put a dot before it: ."+name)
	return Column{}, &UsageError{Message: "unknown " + kind + " " + quote(name), Hint: hint}
}

// undocumented iterates over columns for the fields of rec that no documented column
// shows, and their values. A field that was sent under another name is shown by its column. No other field has the same Path.
func (s Shape) undocumented(rec record.Record) iter.Seq2[Column, record.Value] {
	shown := map[string]bool{}
	for _, c := range s.Columns {
		shown[c.Name] = true
		for _, alt := range c.Alt {
			if v := rec.Get(alt); encode.IsNull(v) || string(declaredValue(&c, v)) == string(rec.Get(c.Name)) {
				shown[alt] = true
			}
		}
	}
	return func(yield func(Column, record.Value) bool) {
		var walk func(keys []string, v record.Value) bool
		walk = func(keys []string, v record.Value) bool {
			name := strings.Join(keys, ".")
			if shown[name] || shown[name+".name"] && (encode.IsNull(v) || v.Kind() == record.String || v.Kind() == record.Object && !v.HasElements()) { // a person without members
				return true
			}
			if v.Kind() == record.Object && len(keys) < encode.MaxFlattened && len(name) <= encode.MaxFlattenedName && v.HasElements() {
				for key, member := range v.Members() {
					if !walk(append(slices.Clone(keys), key), member) {
						return false
					}
				}
				return true
			}
			if len(shown) > 0 { // --columns takes undocumented fields with a leading dot
				name = "." + name
			}
			return yield(Column{Name: name, Path: strings.Join(keys, "\x00")}, v)
		}
		for key, v := range rec.Fields() {
			if !walk([]string{key}, v) {
				return
			}
		}
	}
}
