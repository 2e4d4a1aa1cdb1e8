package bulk

import (
	"fmt"
	"slices"
	"strings"

	"reseller/client/bulk/decode"
)

// readHeader binds the columns of the formats that have them to fields.
func (s *Source) readHeader() error {
	if s.file.Format() == "txt" {
		s.header = []string{s.spec.lineField()}
		return s.matchHeader(0)
	}
	h, err := s.file.ReadHeader()
	if err != nil || h.Columns == nil {
		return err
	}
	if s.header = h.Columns; h.Note != "" {
		s.notes = append(s.notes, h.Note)
	}
	return s.matchHeader(h.Line)
}

// fileSchema is what reading a file has to know of the rows.
type fileSchema struct{ *Spec }

func (s fileSchema) Secret() bool      { return s.secret() }
func (s fileSchema) LineField() string { return s.lineField() }
func (s fileSchema) IsColumn(name string) bool {
	t, _ := newColumns(s.Spec).find(name)
	return t != nil
}

// SecretHeader reports whether a column of the header is a password.
func (s fileSchema) SecretHeader(h decode.Header) (bool, error) {
	src := Source{spec: *s.Spec, header: h.Columns}
	err := src.matchHeader(h.Line)
	return src.Secret(), err
}

func (s *Source) matchHeader(line int) error {
	wrong := &decode.Error{Fatal: true}
	cols := newColumns(&s.spec)
	taken := map[string]string{}
	named := len(s.header)
	for named > 0 && strings.TrimSpace(s.header[named-1]) == "" {
		named--
	}
	for i, name := range s.header {
		t, why := cols.find(name)
		if t == nil && i >= named {
			t = &target{kind: unnamed}
		}
		if t == nil {
			if name == "" {
				name = fmt.Sprintf("column %d", i+1)
			}
			wrong.Add(decode.Issue{Line: line, Column: name, Reason: why})
			continue
		}
		if before, ok := taken[t.key]; ok && !t.passed() {
			wrong.Add(decode.Issue{Line: line, Column: name, Reason: fmt.Sprintf("names the same field as %s", decode.Quote(before))})
		}
		taken[t.key] = name
		s.targets = append(s.targets, t)
	}
	wrong.Add(cols.unused(s.header)...)
	if wrong.Issues == nil {
		wrong.Add(s.absent(line, taken)...)
	}
	if wrong.Issues != nil {
		return wrong
	}
	return nil
}

// column is what the header calls a field.
func (s *Source) column(field string) string {
	for i, t := range s.targets {
		if t.key == field {
			return s.header[i]
		}
	}
	return field
}

// absent is a fault for the needed fields that no row can have.
func (s *Source) absent(line int, taken map[string]string) []decode.Issue {
	var faults []decode.Issue
	for _, f := range s.spec.needed {
		_, column := taken[f.Name]
		_, half := taken[f.Name+"."+valueHalf]
		fixed := slices.ContainsFunc(s.constants, func(c constant) bool { return c.field.Name == f.Name })
		if column || half || fixed || s.spec.Defaults[f.Name] != nil {
			continue
		}
		faults = append(faults, decode.Issue{Line: line, Column: f.Name, Reason: "missing: the file has no such column and no flag gives it"})
	}
	return faults
}
