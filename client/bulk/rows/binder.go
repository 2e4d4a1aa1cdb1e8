package rows

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
	"reseller/client/nearest"
	"reseller/client/schema"
)

// A binder finds the bindings of column names and remembers them. Each pass over the
// file has its own binder.
type binder struct {
	schema *Schema
	bound  map[string]boundName
	used   map[string]bool // the keys of Schema.Map that bind was asked for
}

// A boundName is what bind returned for a name: a binding, or the reason why it has none.
type boundName struct {
	binding *binding
	reason  string
}

// maxBound is how many names a binder remembers. It bounds the memory for a file whose
// objects have ever new names.
const maxBound = 10_000

func newBinder(s *Schema) *binder {
	return &binder{schema: s, bound: map[string]boundName{}, used: map[string]bool{}}
}

// bind returns the binding of a column, or nil and the reason why it has none.
func (b *binder) bind(column string) (*binding, string) {
	f, ok := b.bound[column]
	if !ok {
		f.binding, f.reason = b.lookup(strings.TrimSpace(column))
		if len(b.bound) < maxBound {
			b.bound[column] = f
		}
	}
	return f.binding, f.reason
}

func (b *binder) lookup(column string) (*binding, string) {
	if name, ok := b.mapped(column); ok {
		return b.schema.byName(name)
	}
	if column == "" {
		return nil, "a column without a name"
	}
	if t := b.schema.byExactName(column); t != nil {
		return t, ""
	}
	return b.schema.byName(column)
}

// mapped returns the field that Schema.Map gives to a column. A name in the same letter
// case takes precedence.
func (b *binder) mapped(column string) (string, bool) {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for from, to := range b.schema.Map {
			if same(strings.TrimSpace(from), column) {
				b.used[from] = true
				return strings.TrimSpace(to), true
			}
		}
	}
	return "", false
}

// unused returns an issue for each column of Schema.Map that the file does not have.
func (b *binder) unused(header []string) []decode.Issue {
	var out []decode.Issue
	for _, from := range slices.Sorted(maps.Keys(b.schema.Map)) {
		if b.used[from] {
			continue
		}
		f := decode.Issue{Column: from, Reason: "no such column in the file"}
		if near := nearest.Name(from, header); near != "" {
			f.Reason += ", the nearest is " + decode.Quote(near)
		}
		out = append(out, f)
	}
	return out
}

// byName returns the binding of a name in any letter case, or nil and the reason why it
// has none.
func (s *Schema) byName(name string) (*binding, string) {
	t := s.byExactName(name)
	if t == nil {
		lower := strings.ToLower(name)
		if strings.HasPrefix(lower, attributesPrefix) {
			lower = attributesPrefix + name[len(attributesPrefix):]
		}
		t = s.byExactName(lower)
		name = lower
	}
	if t != nil {
		return t, ""
	}
	if f := s.Resource.Field(name); f != nil {
		if s.Use == schema.Update {
			return nil, "can't be updated"
		}
		return nil, "can't be set on create"
	}
	reason := "unknown column"
	if near := nearest.Name(name, s.names()); near != "" {
		reason += fmt.Sprintf(", the nearest field is %q", near)
	}
	if strings.Contains(name, "\t") {
		reason += "; the file looks tab-separated: --input-format tsv"
	}
	return nil, reason
}

const (
	attributesPrefix = "attributes."
	nameHalf         = "field_name"
	valueHalf        = "field_value"
)

// byExactName returns the binding of a name in exactly this letter case, nil if it has
// none.
func (s *Schema) byExactName(name string) *binding {
	if name == "error" || name == "http_status" {
		return &binding{kind: kindIgnored}
	}
	if strings.HasPrefix(name, ".") && len(name) > 1 {
		if s.ReadOnly {
			return &binding{kind: kindReadOnly, key: name}
		}
		return nil
	}
	f, half := s.Resource.Field(name), ""
	if dot := strings.LastIndexByte(name, '.'); f == nil && dot > 0 {
		half = name[dot+1:]
		f = s.Resource.Field(name[:dot])
		if f != nil && (f.Type != schema.Pair || half != nameHalf && half != valueHalf) {
			f = nil
		}
	}
	if attribute, ok := strings.CutPrefix(name, attributesPrefix); ok && f == nil && attribute != "" {
		if f = s.Resource.Field("attributes"); f != nil && f.Type == schema.Attributes {
			half = attribute
		} else {
			f = nil
		}
	}
	if f == nil {
		return nil
	}
	t := &binding{field: f, subfield: half, key: f.Name}
	if half != "" {
		t.key += "." + half
	}
	switch {
	case f.Use&s.Use == 0 && s.ReadOnly && f.Has(schema.Read):
		t.kind = kindReadOnly
	case f.Use&s.Use == 0:
		return nil
	case half != "":
		t.kind = kindSubfield
	default:
		t.kind = kindField
		if s.Use == schema.Create {
			t.field = f.ForCreate()
		}
	}
	return t
}

// names returns the fields that may be columns.
func (s *Schema) names() []string {
	use := s.Use
	if s.ReadOnly {
		use |= schema.Read
	}
	var names []string
	for _, f := range s.Resource.Having(use) {
		names = append(names, f.Name)
	}
	return names
}

// membersOf returns the fields whose names begin with the name of an object and a dot.
func (s *Schema) membersOf(name string) []string {
	var out []string
	for i := range s.Resource.Fields {
		if f := s.Resource.Fields[i].Name; strings.HasPrefix(f, name+".") {
			out = append(out, f)
		}
	}
	return out
}

// isSecret reports whether a field is a password.
func (s *Schema) isSecret(name string) bool {
	f := s.Resource.Field(name)
	return f != nil && f.Type == schema.Password
}

// prepare sets HashKey if it is not set, title, required and orEmpty. In an update only the key
// of the record is required: the service keeps the values of fields that are not sent.
func (s *Schema) prepare() {
	if titles := s.Resource.Having(schema.Title); titles != nil {
		s.title = titles[0]
	}
	if s.HashKey == (dedupe.Key{}) {
		s.HashKey = dedupe.NewKey()
	}
	if s.Use == schema.Update {
		keys := s.Resource.Having(schema.Key)
		s.required = keys[:min(1, len(keys))]
		return
	}
	s.orEmpty = s.Resource.Having(schema.EmptyIfAbsent | schema.EmptyInFile)
	for _, f := range s.Resource.Having(schema.Required) {
		if f.Use&(schema.EmptyIfAbsent|schema.EmptyInFile) == 0 {
			s.required = append(s.required, f)
		}
	}
}

// lineField returns the name of the field whose values are the lines of a txt file,
// empty if the resource has no such field.
func (s *Schema) lineField() string {
	for _, f := range s.Resource.Having(schema.TextLine) {
		if f.Use&s.Use != 0 {
			return f.Name
		}
	}
	return ""
}
