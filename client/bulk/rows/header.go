package rows

import (
	"fmt"
	"slices"
	"strings"

	"reseller/client/bulk/decode"
)

// readHeader reads the header of csv, tsv and xlsx and binds its columns to fields. A txt file
// has one column, which is bound to the field of its lines. Other formats have none.
func (s *Source) readHeader(names *binder) error {
	s.unit = s.Unit
	names.begin(nil)
	if s.Format == "txt" {
		s.header = []string{s.schema.lineField()}
		return s.bindHeader(decode.Header{}, names)
	}
	h, err := s.ReadHeader()
	if err != nil || h.Columns == nil {
		return err
	}
	s.header, s.notes = h.Columns, append(s.notes, h.Notes...)
	return s.bindHeader(h, names)
}

// fileSchema implements decode.Schema.
type fileSchema struct {
	*Schema
	constants []constant
}

func (s fileSchema) Secret() bool      { return s.holdsSecrets() }
func (s fileSchema) LineField() string { return s.lineField() }
func (s fileSchema) IsColumn(name string) bool {
	t, _, _ := newBinder(s.Schema).known(strings.TrimSpace(name))
	return t != nil
}

// IsComplete reports whether a header has all columns that are required, and one that a field takes.
func (s fileSchema) IsComplete(h decode.Header) bool {
	src := Source{schema: *s.Schema, header: h.Columns, constants: s.constants}
	src.schema.Ask, src.schema.IgnoreUnknown = nil, true
	err := src.bindHeader(h, newBinder(&src.schema))
	return err == nil && slices.ContainsFunc(src.bindings, func(t *binding) bool { return !t.isIgnored() })
}

// bindHeader sets the binding of each column of the header, whose names are in s.header.
// An error lists all invalid columns. What names knows in the end is kept, unless it is
// about a folder, whose other files may have the columns that a mapping names.
func (s *Source) bindHeader(h decode.Header, names *binder) error {
	issues := &decode.Error{Fatal: true}
	names.begin(s.header)
	taken := map[string]string{}
	var nameless []decode.Issue
	for i, name := range s.header {
		var t *binding
		why := ""
		if strings.TrimSpace(name) == "" {
			t = &binding{kind: kindNameless}
			nameless = append(nameless, decode.Issue{Line: h.Line, Row: h.Row, Column: fmt.Sprintf("column %d", i+1), Reason: "a column without a name"})
		} else if t, why = names.bind(name); names.err != nil {
			return names.err
		}
		if t == nil {
			issues.Add(decode.Issue{Line: h.Line, Row: h.Row, Column: name, Reason: why})
			continue
		}
		for _, key := range t.keys() {
			if before, ok := taken[key]; ok && !t.isIgnored() {
				issues.Add(decode.Issue{Line: h.Line, Row: h.Row, Column: name, Reason: sameField(name, before)})
			}
			taken[key] = name
		}
		s.bindings = append(s.bindings, t)
	}
	if s.isPart {
		names.addNotes(h.Notes)
	} else {
		issues.Add(names.unused(s.header)...)
		s.notes = append(s.notes, names.notes()...)
		s.keepMapping(names)
	}
	if names.unknown {
		issues.Hint = s.hintUnknown()
	}
	if issues.Issues == nil {
		if missing := s.missingColumns(h, taken); missing != nil {
			issues.Add(append(missing, nameless...)...)
		}
	}
	if issues.Issues != nil {
		return issues
	}
	return nil
}

// column returns the name of a field's column in the header, and the name of the field
// if there is no such column.
func (s *Source) column(field string) string {
	for i, t := range s.bindings {
		if slices.Contains(t.keys(), field) {
			return s.header[i]
		}
	}
	return field
}

// missingColumns returns an issue for each required field without a column, a constant
// and a default. taken has the key of each column of the header.
func (s *Source) missingColumns(h decode.Header, taken map[string]string) []decode.Issue {
	var issues []decode.Issue
	for _, f := range s.schema.required {
		_, column := taken[f.Name]
		_, half := taken[f.Name+"."+valueHalf]
		fixed := slices.ContainsFunc(s.constants, func(c constant) bool { return c.field.Name == f.Name })
		if column || half || fixed || s.schema.Defaults[f.Name] != nil {
			continue
		}
		issues = append(issues, decode.Issue{Line: h.Line, Row: h.Row, Column: f.Name, Reason: "missing: no such column in the file, and no flag sets it"})
	}
	return issues
}
