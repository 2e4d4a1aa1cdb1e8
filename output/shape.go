package output

import (
	"iter"
	"slices"
	"strings"

	"reseller/client/nearest"
	"reseller/client/record"
	"reseller/output/encode"
)

// Column is a documented field of a record.
type Column struct {
	Name      string      // the path as in JSON, external_account_manager.name
	Alt       []string    // names that older responses use, tried if Name is missing or null
	Wide      bool        // not one of the default columns of table and markdown
	OnRequest bool        // rows of cells have it only if the user names it
	Date      bool        // a date or time, which table and markdown write as FormatDate does
	Type      encode.Type // of the cells in formats that have types
	Enum      []string    // the values, if they are few
	// Words are the values of Enum by the words of older responses for them, in lower case.
	Words map[string]string
	// Shown are values, as JSON, and the texts that table and markdown show in their place.
	Shown [][2]string
	Title bool // the values name the records to users
	// Needed columns are the last ones for which a terminal has no room.
	Needed bool
}

// Shape describes the records of a command.
type Shape struct {
	Name    string   // what the records are; may be empty
	Columns []Column // if empty, every field of the records becomes a column
	Front   []Column // written before Columns
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

// documented returns all documented columns in order.
func (s Shape) documented() []Column { return slices.Concat(s.Front, s.Columns) }

// documents reports whether a document names a field, or fields below it.
func (s Shape) documents(name string) bool {
	return slices.ContainsFunc(s.documented(), func(c Column) bool { return c.Name == name || strings.HasPrefix(c.Name, name+".") })
}

// column returns c as encoders take it.
func (c Column) column() encode.Column {
	out := encode.NewColumn(c.Name, c.Name)
	out.Date, out.Type, out.Shown, out.Title, out.Needed = c.Date, c.Type, c.Shown, c.Title, c.Needed
	return out
}

// find returns the column that the user named: a documented one, a parent of
// documented ones, one attribute, or with a leading dot any field at all. kind
// is what the error calls the column: "column" or "sort column".
func (s Shape) find(name, kind string) (encode.Column, error) {
	undocumented, dotted := strings.CutPrefix(name, ".")
	if undocumented == "" {
		return encode.Column{}, &UsageError{Message: "empty " + kind + " name"}
	}
	if dotted {
		return encode.NewColumn(name, undocumented), nil
	}
	documented := s.documented()
	var names []string
	suggestion := ""
	for _, c := range documented {
		if c.Name == name {
			return c.column(), nil
		}
		if slices.Contains(c.Alt, name) {
			suggestion = c.Name
		}
		names = append(names, c.Name)
	}
	for _, c := range documented {
		if strings.HasPrefix(c.Name, name+".") ||
			c.Name+"." == attributesPrefix && strings.HasPrefix(name, attributesPrefix) && name != attributesPrefix {
			return encode.NewColumn(name, name), nil
		}
	}
	if name == "all" && kind == "column" {
		return encode.Column{}, &UsageError{Message: `"all" can't be used with other columns`}
	}
	if suggestion == "" {
		suggestion = nearest.Name(name, names)
	}
	hint := "to name a field that is not documented, put a dot before it: ." + name
	if suggestion != "" {
		hint = "did you mean " + suggestion + "? T" + hint[1:]
	}
	return encode.Column{}, &UsageError{Message: "unknown " + kind + " " + quote(name), Hint: hint}
}

// undocumented iterates over columns for the fields of rec that no documented column
// shows, and their values. A field that was sent under another name is shown by its column.
func (s Shape) undocumented(rec record.Record) iter.Seq2[encode.Column, record.Value] {
	shown := map[string]bool{}
	for _, c := range s.documented() {
		shown[c.Name] = true
		for _, alt := range c.Alt {
			if v := rec.Get(alt); encode.IsNull(v) || string(v) == string(rec.Get(c.Name)) || string(c.declared(v)) == string(rec.Get(c.Name)) {
				shown[alt] = true
			}
		}
	}
	return func(yield func(encode.Column, record.Value) bool) {
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
			return yield(encode.Column{Name: name, Keys: keys}, v)
		}
		for key, v := range rec.Fields() {
			if !walk([]string{key}, v) {
				return
			}
		}
	}
}
