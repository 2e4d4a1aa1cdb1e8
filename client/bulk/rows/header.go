package rows

import (
	"fmt"
	"slices"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/schema"
)

// A layout is the columns of a file and the fields that their cells are values of.
type layout struct {
	schema    *Schema
	header    []string   // the column names of csv, tsv and xlsx, the field of the lines of txt, nil for other formats
	bindings  []*binding // the binding of each column of the header
	constants []constant
	notes     []string // on how the header is read
}

// bind sets the columns and their bindings. An error lists all invalid columns. What names knows in the end is kept, unless it is
// about a folder, whose other files may have the columns that a mapping names.
func (l *layout) bind(h decode.Header, names *binder) error {
	issues := &decode.Error{Fatal: true}
	names.begin(l.header)
	taken := map[string]string{}
	var nameless []decode.Issue
	for i, name := range l.header {
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
		l.bindings = append(l.bindings, t)
	}
	if names.file != "" {
		names.addNotes(h.Notes)
	} else {
		issues.Add(names.unused(l.header)...)
		l.notes = append(slices.Clone(h.Notes), names.notes()...)
	}
	if issues.Issues == nil {
		if missing := l.missing(h, taken); missing != nil {
			issues.Add(append(missing, nameless...)...)
		}
	}
	if issues.Issues != nil {
		return issues
	}
	return nil
}

// column returns the name of a field's column in the header, and the name of the field if there is no such column.
func (l *layout) column(field string) string {
	for i, t := range l.bindings {
		if slices.Contains(t.keys(), field) {
			return l.header[i]
		}
	}
	return field
}

// missing returns an issue for each required field without a column, a constant
// and a default. taken has the key of each column of the header.
func (l *layout) missing(h decode.Header, taken map[string]string) []decode.Issue {
	var issues []decode.Issue
	for _, f := range l.schema.required {
		_, column := taken[f.Name]
		_, half := taken[f.Name+"."+valueHalf]
		fixed := slices.ContainsFunc(l.constants, func(c constant) bool { return c.field.Name == f.Name })
		if column || half || fixed || l.schema.Defaults[f.Name] != nil {
			continue
		}
		issues = append(issues, decode.Issue{Line: h.Line, Row: h.Row, Column: f.Name, Reason: "missing: no such column in the file, and no flag sets it"})
	}
	return issues
}

// HoldsSecrets reports whether the file may contain passwords. No part of such a file
// may be written to disk with its passwords.
func (l *layout) HoldsSecrets() bool {
	if l.bindings != nil {
		return slices.ContainsFunc(l.bindings, (*binding).isSecret)
	}
	return l.schema.holdsSecrets()
}

// hidesCells reports whether issues quote no cell, since the password of a row may stand in a wrong column.
func (l *layout) hidesCells() bool { return l.header != nil && l.HoldsSecrets() }

// WithoutSecrets returns a copy of the values without passwords.
func (l *layout) WithoutSecrets(values Values) Values {
	return slices.DeleteFunc(slices.Clone(values), func(v Value) bool { return l.schema.isSecret(v.Name) })
}

// object returns the cells of a row as the text of an object, whose members have the names of the columns. It leaves out
// empty cells. If the row has too many cells or too few, object returns their texts.
func (l *layout) object(cells []string) string {
	switch {
	case l.header == nil:
		return cells[0]
	case len(cells) != len(l.header):
		return strings.Join(cells, ",")
	}
	out := objectBuilder{}
	for i, cell := range cells {
		t := l.bindings[i]
		if cell == "" || t.kind == kindNameless {
			continue
		}
		v := record.QuoteYAML(cell)
		if t.kind == kindField && slices.Contains([]schema.Type{schema.List, schema.Attributes, schema.Pair}, t.field.Type) {
			if parsed, err := record.ParseValue([]byte(cell)); err == nil && (parsed.Kind() == record.Array || parsed.Kind() == record.Object) {
				v = parsed.AppendCompact(nil) // in a cell a text that is JSON, in an object JSON
			}
		}
		out.add(strings.TrimSpace(l.header[i]), v)
	}
	return string(out.end())
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
	sch := *s.Schema
	sch.Ask, sch.IgnoreUnknown = nil, true
	l := layout{schema: &sch, header: h.Columns, constants: s.constants}
	return l.bind(h, newBinder(&sch)) == nil && slices.ContainsFunc(l.bindings, func(t *binding) bool { return !t.isIgnored() })
}
