package schema

import "slices"

// A Type says which values a field takes, and how they are written in JSON.
type Type uint8

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
	Attributes             // an array of objects as of Pair
	List                   // an array of any values
	Password               // a string that is never shown
)

// Use is a set of bits that say where a field occurs.
type Use uint16

const (
	Read          Use = 1 << iota // reads return the field
	Create                        // a create accepts the field
	Required                      // a create must have the field
	Update                        // an update accepts the field
	Key                           // an update must have the field: it identifies the record, or the service requires it
	DefaultColumn                 // tables show the field unless the user chooses columns
	EmptyIfAbsent                 // a create without the field sends an empty string
	EmptyInFile                   // as EmptyIfAbsent, for the rows of files only; an empty cell counts as absent
	Constant                      // a flag can set the field for all rows of a file
	TextLine                      // each line of a txt file is a value of the field
	Title                         // the field names the record to users
	Identity                      // creates with the same values of these fields are about the same thing; the other fields are its content
	OnRequest                     // rows have the field as a column only if the user names it
	RecordID                      // the field is the id of the record
	Needed                        // a terminal shows the field, whatever else it has no room for
)

// A Field is one field of a resource. Flags, prompts, input columns and their validation, output columns, completion, help,
// templates and the bodies of writes are all derived from it. A name with a dot is a member of an object.
type Field struct {
	Name       string // the JSON name in writes, and in reads unless ReadAs is set
	ReadAs     string // the JSON name in reads, if it differs from Name
	Type       Type
	CreateType Type // the type in creates, if it differs from Type; Text means that it does not
	Use        Use
	Content    Content // what kind of texts the field has
	Help       string
	Example    string
	Enum       []string          // the words that writes accept; for a Choice
	Values     []string          // the values that reads show for the words of Enum, in the same order, if they differ; for a Choice
	ReadWords  map[string]string // as Synonyms, words that only records show
	Synonyms   map[string]string // other words that files may contain and older records show, with the word of Enum for each
	Shown      [][2]string       // values, as JSON, and the texts that tables for reading show in their place
	Max        int64             // writes accept 1 to Max; 0 is no limit; for an Int
	Aliases    []string          // other names of the field, in input files and in older forms of a record
	// ColumnSynonyms are English names that people give the column of the field in their spreadsheets; synonyms.txt has
	// others. Only letters and digits count. A column with the name of a field is never taken for a synonym.
	ColumnSynonyms []string
}

// A Resource is a kind of record.
type Resource struct {
	Name   string  // the singular, as messages name a record
	Fields []Field // in the order of the contract
	IsOwn  bool    // this program makes the records: they have all the fields and no others
}

// Has reports whether the field has all the uses in u.
func (f *Field) Has(u Use) bool { return f.Use&u == u }

// ForCreate returns the field with its type in creates.
func (f *Field) ForCreate() *Field {
	if f.CreateType == Text {
		return f
	}
	field := *f
	field.Type = f.CreateType
	return &field
}

// ReadName returns the JSON name of the field in reads.
func (f *Field) ReadName() string {
	if f.ReadAs != "" {
		return f.ReadAs
	}
	return f.Name
}

// Is reports whether name is a name of the field: its name in writes, its name in reads, or an alias.
func (f *Field) Is(name string) bool {
	return name == f.Name || name == f.ReadAs && name != "" || slices.Contains(f.Aliases, name)
}

// Field returns the field with a name, nil if there is none. Names in writes take precedence over names in reads and aliases.
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

// Having returns the fields that have at least one of the uses in u, in order.
func (r *Resource) Having(u Use) []*Field {
	var out []*Field
	for i := range r.Fields {
		if r.Fields[i].Use&u != 0 {
			out = append(out, &r.Fields[i])
		}
	}
	return out
}

// For returns the resource with only the fields that have at least one of the uses in u.
func (r *Resource) For(u Use) *Resource {
	return r.where(func(f *Field) bool { return f.Use&u != 0 })
}

// Only returns the resource with only the fields that have these names.
func (r *Resource) Only(names ...string) *Resource {
	return r.where(func(f *Field) bool { return slices.Contains(names, f.Name) })
}

// Without returns the resource without the fields that have these names.
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

// A Column is an output column: a field of a record, or a member of a field.
type Column struct {
	*Field          // of the values; that of a half of a Pair has nothing but the use DefaultColumn
	Name   string   // the path of the value (see record.Record.Get)
	Alt    []string // paths in older forms of the record, for records without Name
	Enum   []string // the values that reads are known to show
	// Words are the values of Enum by other words for them in older forms of the record.
	Words map[string]string
	ID    string // the kind of record whose id the column is, such as account; empty for other columns
}

// Columns returns a column for each field that reads show, in the order of the contract, and two columns for a Pair.
func (r *Resource) Columns() []Column {
	var out []Column
	for _, f := range r.Having(Read) {
		c := Column{Field: f, Name: f.ReadName(), Enum: f.Enum, Words: f.Synonyms}
		if f.Has(RecordID) {
			c.ID = f.kind()
		}
		if f.Values != nil {
			c.Enum, c.Words = f.Values, map[string]string{}
			for i, word := range f.Enum {
				c.Words[word] = f.Values[i]
			}
			for _, words := range []map[string]string{f.Synonyms, f.ReadWords} {
				for other, word := range words {
					c.Words[other] = c.Words[word]
				}
			}
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
			out = append(out, Column{Field: &Field{Use: f.Use & DefaultColumn}, Name: c.Name + half})
		}
	}
	return out
}
