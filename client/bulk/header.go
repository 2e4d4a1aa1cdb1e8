package bulk

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// readHeader finds the columns of the formats that have them.
func (s *Source) readHeader() error {
	line := 0
	switch s.format {
	case "txt":
		s.header = []string{s.spec.line()}
	case "csv", "tsv":
		text, err := s.in.reader()
		if err != nil {
			return err
		}
		first, err := nextFull(newLines(text))
		if err == io.EOF {
			return fatal(Fault{Reason: "the file is empty: its first line must name the columns"})
		}
		if err != nil {
			return err
		}
		if strings.IndexByte(first, '\r') >= 0 {
			return fatal(Fault{Line: 1, Reason: "the lines end with CR alone: save the file with LF or CRLF"})
		}
		if s.comma = comma(first); s.format == "csv" && s.comma == ';' {
			s.notes = append(s.notes, "the cells are separated by semicolons")
		}
		r, err := s.reader()
		if err != nil {
			return err
		}
		var row raw
		if err := r.next(&row); err != nil {
			return err
		}
		if row.faults != nil {
			return &RowsError{Faults: row.faults, Fatal: true}
		}
		s.header, line = row.cells, row.line
	default:
		return nil
	}
	return s.matchHeader(line)
}

func (s *Source) matchHeader(line int) error {
	wrong := &RowsError{Fatal: true}
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
			wrong.add(Fault{Line: line, Column: name, Reason: why})
			continue
		}
		if before, ok := taken[t.key]; ok && !t.passed() {
			wrong.add(Fault{Line: line, Column: name, Reason: fmt.Sprintf("names the same field as %s", quote(before))})
		}
		taken[t.key] = name
		s.targets = append(s.targets, t)
	}
	wrong.add(cols.unused(s.header)...)
	if wrong.Faults == nil {
		wrong.add(s.absent(line, taken)...)
	}
	if wrong.Faults != nil {
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
func (s *Source) absent(line int, taken map[string]string) []Fault {
	var faults []Fault
	for _, f := range s.spec.needed {
		_, column := taken[f.Name]
		_, half := taken[f.Name+"."+valueHalf]
		fixed := slices.ContainsFunc(s.constants, func(c constant) bool { return c.field.Name == f.Name })
		if column || half || fixed || s.spec.Defaults[f.Name] != nil {
			continue
		}
		faults = append(faults, Fault{Line: line, Column: f.Name, Reason: "missing: the file has no such column and no flag gives it"})
	}
	return faults
}
