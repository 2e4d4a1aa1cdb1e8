package rows

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"reseller/client/bulk/columns"
	"reseller/client/nearest"
	"reseller/client/redact"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// byName returns the binding of a name, or nil and the reason why the field can't have values. An unknown name has no
// reason. The exact name of a field takes precedence over the same name in another case, and that over names and synonyms
// with the same letters and digits.
func (s *Schema) byName(name string) (*binding, string) {
	lower, folded := strings.ToLower(name), ""
	if strings.HasPrefix(lower, attributesPrefix) {
		lower = attributesPrefix + name[len(attributesPrefix):]
	}
	if !strings.HasPrefix(name, ".") { // which begins the name of a field that is not documented
		folded = s.exact[columns.Fold(name)]
	}
	for _, exact := range []string{name, lower, folded} {
		if t := s.byExactName(exact); t != nil {
			return t, ""
		}
		if s.Resource.Field(exact) != nil {
			if s.Use == schema.Update {
				return nil, "can't be updated"
			}
			return nil, "can't be set on create"
		}
	}
	return nil, ""
}

// foldNames sets the tables of names, once for all columns. The first of several names with the same letters and digits counts.
func (s *Schema) foldNames() {
	s.exact, s.columns, s.members = map[string]string{}, map[string]string{}, map[string][]*schema.Field{}
	for _, known := range slices.Backward(s.columnNames()) {
		s.exact[columns.Fold(known[0])] = known[1]
		if t := s.byExactName(known[1]); t != nil && t.kind != kindIgnored {
			s.columns[known[0]] = known[1]
		}
	}
	isName := func(name string) bool { return name == s.columns[name] }
	synonyms := slices.DeleteFunc(slices.Sorted(maps.Keys(s.columns)), isName)
	s.names = slices.DeleteFunc(slices.Sorted(maps.Keys(s.columns)), func(name string) bool { return !isName(name) })
	s.names = append(s.names, synonyms...) // of those that are as near as each other, the first counts
	for i := range s.Resource.Fields {
		f := &s.Resource.Fields[i]
		for dot, c := range f.Name {
			if object := f.Name[:dot]; c == '.' {
				s.members[object] = append(s.members[object], f)
				if folded := columns.Fold(object); folded != object {
					s.members[folded] = append(s.members[folded], f)
				}
			}
		}
	}
}

// columnNames returns the names of all fields and then their synonyms, each with the exact name of its field.
func (s *Schema) columnNames() [][2]string {
	names, synonyms := [][2]string{{nameError, nameError}, {nameStatus, nameStatus}}, [][2]string(nil)
	for i := range s.Resource.Fields {
		f := &s.Resource.Fields[i]
		own := append([]string{f.Name, f.ReadName()}, f.Aliases...)
		if f.Type == schema.Pair {
			own = append(own, f.Name+"."+nameHalf, f.Name+"."+valueHalf)
		}
		for _, name := range own {
			names = append(names, [2]string{name, name})
		}
		for _, synonym := range f.Headings() {
			synonyms = append(synonyms, [2]string{synonym, f.Name})
		}
	}
	return append(names, synonyms...)
}

// nearest returns the field that a misspelled name probably means, "" if no name or synonym of a field that may be a column
// is close. A synonym must be closer than a name: client since is none of client id.
func (s *Schema) nearest(name string) string {
	known := nearest.Name(name, s.names)
	folded := columns.Fold(name)
	if known != s.columns[known] && 4*nearest.Distance(folded, columns.Fold(known)) > utf8.RuneCountInString(folded) {
		return ""
	}
	return s.columns[known]
}

// bindFields returns the binding of a column to the fields that a mapping gives it, or nil and the reason why there is none.
func (s *Schema) bindFields(column string, fields []string) (*binding, string) {
	if len(fields) == 0 {
		return s.passOver(column), ""
	}
	t := &binding{kind: kindSplit}
	for _, name := range fields {
		part, why := s.byName(name)
		switch {
		case part == nil && why != "":
			return nil, safetext.Shorten(name) + " " + why
		case part == nil:
			why = "unknown field " + safetext.Quote(name)
			if near := s.nearest(name); near != "" {
				why += fmt.Sprintf(", the nearest is %q", near)
			}
			return nil, why
		case len(fields) == 1:
			return part, ""
		}
		t.parts = append(t.parts, part)
	}
	if len(t.parts) > 2 {
		return nil, "splits a cell into more than two fields"
	}
	return t, ""
}

// areKnown reports whether each of some fields is one of this command or of another one.
func (s *Schema) areKnown(fields []string) bool {
	return !slices.ContainsFunc(fields, func(name string) bool {
		return !slices.ContainsFunc(append(s.Others, s.Resource), func(res *schema.Resource) bool {
			other := Schema{Resource: res, Use: schema.Read | schema.Create | schema.Update}
			other.foldNames()
			t, _ := other.byName(name)
			return t != nil && t.kind != kindIgnored
		})
	})
}

// passOver returns the binding of a column that is passed over. If its name says that it has passwords, no file gets its cells.
func (s *Schema) passOver(column string) *binding {
	t := &binding{kind: kindPassed}
	if named, _ := s.byName(column); named != nil {
		t.field = named.field
	}
	if redact.IsSecretName(column) {
		t.field = &schema.Field{Type: schema.Password}
	}
	return t
}

// byExactName returns the binding of a name in exactly this letter case, nil if it has none.
func (s *Schema) byExactName(name string) *binding {
	if name == nameError || name == nameStatus {
		return &binding{kind: kindIgnored, key: name}
	}
	if strings.HasPrefix(name, ".") && len(name) > 1 {
		if s.ReadOnly {
			return &binding{kind: kindReadOnly, key: name}
		}
		return nil
	}
	f, half := s.Resource.Field(name), ""
	if f == nil { // the name may be that of one attribute, or of the name or the value of a pair
		whole, kind := "attributes", schema.Attributes
		if half = strings.TrimPrefix(name, attributesPrefix); half == name {
			dot := strings.LastIndexByte(name, '.')
			whole, half, kind = name[:max(dot, 0)], name[dot+1:], schema.Pair
		}
		isHalf := kind == schema.Attributes && half != "" || half == nameHalf || half == valueHalf
		if f = s.Resource.Field(whole); f == nil || f.Type != kind || !isHalf {
			return nil
		}
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

// membersOf returns the fields whose names begin with the name of an object and a dot.
func (s *Schema) membersOf(name string) []*schema.Field {
	if exact := s.members[name]; exact != nil {
		return exact
	}
	return s.members[columns.Fold(name)]
}
