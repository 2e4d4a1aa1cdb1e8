// Package schema describes the service's interface (the contract) as data: the
// fields of each resource, the operations, how the text of a flag or cell
// becomes a JSON value and is validated, the JSON body of a write, and the
// contract itself as an OpenAPI document. It makes no calls.
package schema

import (
	"slices"
)

// Type is how a field's value is written and checked.
type Type uint8

// The types of fields.
const (
	Text       Type = iota
	Int             // int64
	Float           // any JSON number
	Bool            // true or false
	Email           // a mail address
	URL             // an absolute http or https address
	Country         // two letters, sent in capitals
	Date            // a date or time, as it came
	Choice          // one of Field.Enum
	Pair            // an object with field_name and field_value
	Attributes      // an array of such objects
	List            // an array
	Password        // a string that is shown nowhere
)

// Use says where a field may stand, as bits.
type Use uint16

// The uses of a field.
const (
	Read          Use = 1 << iota // comes in reads
	Create                        // may be sent on create
	Required                      // must be sent on create
	Update                        // may be sent on update
	Key                           // must be sent on update: it names the record, or the call can't do without it
	DefaultColumn                 // among the default columns of a table
	EmptyIfAbsent                 // sent as "" on create where it is absent
	EmptyInFile                   // likewise in a row of a file, the empty cell of which is absent
	Constant                      // a flag may set it for all rows of a file
	TextLine                      // a line of a txt file; white space around it is dropped in every format
)

// A Field is declared once: flags, forms, input columns and their checks,
// output columns, completion, help and templates come from here. A dotted
// name is a member of an object.
type Field struct {
	Name       string // JSON name in writes, and in reads where ReadAs is empty
	ReadAs     string // JSON name in reads, where it differs
	Type       Type
	CreateType Type // the type on create, where it differs from Type
	Use        Use
	Help       string
	Example    string
	Enum       []string          // the words of a Choice in writes
	Values     []string          // the values that reads show for Enum, in its order, where they differ
	Synonyms   map[string]string // what else a file may say for a word of Enum
	Max        int64             // an Int in writes is 1 to Most, 0 for any
	Aliases    []string          // other names in input files and in older forms of a record
}

// A Resource is a kind of record and its fields, in the order of the contract.
type Resource struct {
	Name   string
	Fields []Field
}

// Has tells whether all of the bits in u are set.
func (f *Field) Has(u Use) bool { return f.Use&u == u }

// ForCreate is the field as a create sends it.
func (f *Field) ForCreate() *Field {
	if f.CreateType == Text {
		return f
	}
	field := *f
	field.Type = f.CreateType
	return &field
}

// ReadName is the JSON name in reads.
func (f *Field) ReadName() string {
	if f.ReadAs != "" {
		return f.ReadAs
	}
	return f.Name
}

// Is tells whether name is one of the field's names.
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

// Field finds a field by any of its names: the written name first, then those
// of reads and older forms.
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

// Having returns the fields that have any of the bits in u, in order.
func (r *Resource) Having(u Use) []*Field {
	var out []*Field
	for i := range r.Fields {
		if r.Fields[i].Use&u != 0 {
			out = append(out, &r.Fields[i])
		}
	}
	return out
}

// For is the resource with only the fields that have any of the bits in u.
func (r *Resource) For(u Use) *Resource {
	return r.where(func(f *Field) bool { return f.Use&u != 0 })
}

// Only is the resource with only the fields of these names.
func (r *Resource) Only(names ...string) *Resource {
	return r.where(func(f *Field) bool { return slices.Contains(names, f.Name) })
}

// Without is the resource without the fields of these names.
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

// A Column is a field as an answer shows it.
type Column struct {
	Name    string   // dotted path in the record
	Alt     []string // paths of older forms, tried where Name is missing
	Default bool     // among the default columns of a table
	Date    bool     // a date or time
	Enum    []string // the values it is known to take
}

// Columns are the read fields in the order of the contract. An object that is
// a pair of field_name and field_value is two columns.
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
