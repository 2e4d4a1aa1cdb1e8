package bulk

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/nearest"
	"reseller/client/schema"
)

type kind uint8

const (
	pass    kind = iota // is passed over
	unnamed             // so is this: a spreadsheet may have such columns at the end, with nothing in them
	whole               // a field
	part                // one attribute, or one half of a pair
	extra               // a field that is only read
)

// target is where the cells of a column go.
type target struct {
	kind  kind
	field *schema.Field // nil for what no document names
	part  string        // the attribute's field_name, or field_name or field_value
	key   string        // one for all spellings of the same thing
}

// passed tells whether the column is no field.
func (t *target) passed() bool { return t.kind == pass || t.kind == unnamed }

// line tells whether white space around the cell is dropped.
func (t *target) line() bool { return t.field != nil && t.field.Has(schema.TextLine) }

// secret tells whether the cell may be shown nowhere.
func (t *target) secret() bool { return t.field != nil && t.field.Type == schema.Password }

// columns finds the targets of column names. It is made anew for each pass.
type columns struct {
	spec  *Spec
	known map[string]found
	used  map[string]bool // the keys of Spec.Map that were met
}

type found struct {
	target *target
	reason string
}

// maxKnown bounds what is kept of names that an object may make up.
const maxKnown = 10_000

func newColumns(spec *Spec) *columns {
	return &columns{spec: spec, known: map[string]found{}, used: map[string]bool{}}
}

// find returns the target of a column, or why it has none.
func (c *columns) find(column string) (*target, string) {
	f, ok := c.known[column]
	if !ok {
		f.target, f.reason = c.look(strings.TrimSpace(column))
		if len(c.known) < maxKnown {
			c.known[column] = f
		}
	}
	return f.target, f.reason
}

func (c *columns) look(column string) (*target, string) {
	if name, ok := c.mapped(column); ok {
		return c.spec.named(name)
	}
	if column == "" {
		return nil, "a column without a name"
	}
	if t := c.spec.exact(column); t != nil {
		return t, ""
	}
	return c.spec.named(column)
}

// mapped is what Spec.Map makes of a column.
func (c *columns) mapped(column string) (string, bool) {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for from, to := range c.spec.Map {
			if same(strings.TrimSpace(from), column) {
				c.used[from] = true
				return strings.TrimSpace(to), true
			}
		}
	}
	return "", false
}

// unused are faults for what Spec.Map renames and the file does not have.
func (c *columns) unused(header []string) []decode.Issue {
	var out []decode.Issue
	for _, from := range slices.Sorted(maps.Keys(c.spec.Map)) {
		if c.used[from] {
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

// named finds the target of a name, in capitals or not.
func (s *Spec) named(name string) (*target, string) {
	t := s.exact(name)
	if t == nil {
		lower := strings.ToLower(name)
		if strings.HasPrefix(lower, attributes) {
			lower = attributes + name[len(attributes):]
		}
		t = s.exact(lower)
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
	attributes = "attributes."
	nameHalf   = "field_name"
	valueHalf  = "field_value"
)

// exact finds the target of a name as it stands, nil where it has none.
func (s *Spec) exact(name string) *target {
	if name == "error" || name == "http_status" {
		return &target{kind: pass}
	}
	if strings.HasPrefix(name, ".") && len(name) > 1 {
		if s.ReadOnly {
			return &target{kind: extra, key: name}
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
	if attribute, ok := strings.CutPrefix(name, attributes); ok && f == nil && attribute != "" {
		if f = s.Resource.Field("attributes"); f != nil && f.Type == schema.Attributes {
			half = attribute
		} else {
			f = nil
		}
	}
	if f == nil {
		return nil
	}
	t := &target{field: f, part: half, key: f.Name}
	if half != "" {
		t.key += "." + half
	}
	switch {
	case f.Use&s.Use == 0 && s.ReadOnly && f.Has(schema.Read):
		t.kind = extra
	case f.Use&s.Use == 0:
		return nil
	case half != "":
		t.kind = part
	default:
		t.kind = whole
		if s.Use == schema.Create {
			t.field = f.ForCreate()
		}
	}
	return t
}

// names are the fields that may be columns.
func (s *Spec) names() []string {
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

// within are the fields that are members of the object name.
func (s *Spec) within(name string) []string {
	var out []string
	for i := range s.Resource.Fields {
		if f := s.Resource.Fields[i].Name; strings.HasPrefix(f, name+".") {
			out = append(out, f)
		}
	}
	return out
}

// hides tells whether a field is a password.
func (s *Spec) hides(name string) bool {
	f := s.Resource.Field(name)
	return f != nil && f.Type == schema.Password
}

// prepare notes the fields without which a row can't be sent, and those that
// are sent empty. On update only the one that names the record is needed: the
// others keep their present values.
func (s *Spec) prepare() {
	if s.Use == schema.Update {
		keys := s.Resource.Having(schema.Key)
		s.needed = keys[:min(1, len(keys))]
		return
	}
	s.orEmpty = s.Resource.Having(schema.EmptyIfAbsent | schema.EmptyInFile)
	for _, f := range s.Resource.Having(schema.Required) {
		if f.Use&(schema.EmptyIfAbsent|schema.EmptyInFile) == 0 {
			s.needed = append(s.needed, f)
		}
	}
}

// lineField returns the field that a line of txt is, empty if there is none.
func (s *Spec) lineField() string {
	for _, f := range s.Resource.Having(schema.TextLine) {
		if f.Use&s.Use != 0 {
			return f.Name
		}
	}
	return ""
}
