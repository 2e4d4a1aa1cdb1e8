package schema

import (
	"slices"
)

// Type says what values a field takes, and how they are written in JSON.
type Type uint8

// The types of fields.
const (
	Text       Type = iota // any string
	Int                    // a whole number of 64 bits
	Float                  // a number
	Bool                   // true or false
	Email                  // an e-mail address
	URL                    // an absolute http or https address
	Country                // a country code of two letters, sent in upper case
	Date                   // a date or time, in any format
	Choice                 // one of Field.Enum
	Pair                   // an object with the strings field_name and field_value
	Attributes             // an array of such objects
	List                   // an array
	Password               // a string that is never shown
)

// Use is a set of bits that say where a field occurs.
type Use uint16

// The uses of a field.
const (
	Read          Use = 1 << iota // reads show it
	Create                        // a create takes it
	Required                      // a create must have it
	Update                        // an update takes it
	Key                           // an update must have it: it identifies the record, or the service demands it
	DefaultColumn                 // a table shows it unless columns are chosen
	EmptyIfAbsent                 // a create without it sends an empty string
	EmptyInFile                   // likewise for a row of a file, in which an empty cell counts as absent
	Constant                      // a flag can set it for all rows of a file
	TextLine                      // each line of a txt file is a value of it; white space around it is removed in every format
)

// A Field is one field of a resource. It is declared once: flags, prompts, input
// columns and their validation, output columns, completion, help, templates and
// the bodies of writes come from here. A name with a dot is a member of an object.
type Field struct {
	Name       string // JSON name in writes, and in reads unless ReadAs is set
	ReadAs     string // JSON name in reads, where it differs
	Type       Type
	CreateType Type // type in creates, where that is not Text and differs from Type
	Use        Use
	Help       string
	Example    string
	Enum       []string          // of a Choice: the words that writes take
	Values     []string          // of a Choice: the values that reads show for the words of Enum, in the same order, where they differ
	Synonyms   map[string]string // of a Choice: other words that files may have, and the word of Enum for each
	Max        int64             // of an Int: writes take 1 to Max; 0 for no bounds
	Aliases    []string          // other names in input files and in older forms of a record
}

// A Resource is a kind of record: its name in texts, and its fields in the order of
// the contract.
type Resource struct {
	Name   string
	Fields []Field
}

// Has reports whether the field has all uses in u.
func (f *Field) Has(u Use) bool { return f.Use&u == u }

// ForCreate returns the field with the type that it has in creates.
func (f *Field) ForCreate() *Field {
	if f.CreateType == Text {
		return f
	}
	field := *f
	field.Type = f.CreateType
	return &field
}

// ReadName returns the JSON name in reads.
func (f *Field) ReadName() string {
	if f.ReadAs != "" {
		return f.ReadAs
	}
	return f.Name
}

// Is reports whether name is one of the names of the field: that in writes, that in
// reads, or an alias.
func (f *Field) Is(name string) bool {
	if name == f.Name || name == f.ReadAs && name != "" {
		return true
	}
	for _, a := range f.Aliases {
		if name == a {
			return true
		}
	}
	return false
}

// Field returns the field with this name, or nil. The name in writes goes before
// names in reads and aliases.
func (r *Resource) Field(name string) *Field {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	for i := range r.Fields {
		if r.Fields[i].Is(name) {
			return &r.Fields[i]
		}
	}
	return nil
}

// Having returns the fields that have any of the uses in u, in order.
func (r *Resource) Having(u Use) []*Field {
	var out []*Field
	for i := range r.Fields {
		if r.Fields[i].Use&u != 0 {
			out = append(out, &r.Fields[i])
		}
	}
	return out
}

// For returns the resource with only the fields that have any of the uses in u.
func (r *Resource) For(u Use) *Resource {
	return r.where(func(f *Field) bool { return f.Use&u != 0 })
}

// Only returns the resource with only the fields of these names.
func (r *Resource) Only(names ...string) *Resource {
	return r.where(func(f *Field) bool { return slices.Contains(names, f.Name) })
}

// Without returns the resource without the fields of these names.
func (r *Resource) Without(names ...string) *Resource {
	return r.where(func(f *Field) bool { return !slices.Contains(names, f.Name) })
}

func (r *Resource) where(keep func(*Field) bool) *Resource {
	out := &Resource{Name: r.Name}
	for i := range r.Fields {
		if keep(&r.Fields[i]) {
			out.Fields = append(out.Fields, r.Fields[i])
		}
	}
	return out
}

// A Column is a field of an answer, or a member of one.
type Column struct {
	Name    string   // path in the record, as record.Record.Get takes it
	Alt     []string // paths to try where Name is missing: older forms of the record have them
	Default bool     // a table shows it unless columns are chosen
	Date    bool     // a date or time
	Enum    []string // the values that reads are known to show
}

// Columns returns the fields that reads show, in the order of the contract. A Pair
// makes two columns.
func (r *Resource) Columns() []Column {
	var out []Column
	for _, f := range r.Having(Read) {
		c := Column{Name: f.ReadName(), Default: f.Has(DefaultColumn), Date: f.Type == Date, Enum: f.Enum}
		if f.Values != nil {
			c.Enum = f.Values
		}
		for _, alt := range append([]string{f.Name}, f.Aliases...) {
			if alt != c.Name {
				c.Alt = append(c.Alt, alt)
			}
		}
		if f.Type != Pair {
			out = append(out, c)
			continue
		}
		for _, half := range []string{".field_name", ".field_value"} {
			out = append(out, Column{Name: c.Name + half, Default: c.Default})
		}
	}
	return out
}
