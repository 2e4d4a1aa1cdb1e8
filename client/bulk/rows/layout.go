package rows

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
)

// NoColumn is the reason of an issue about a field that is required and that the file has no column for.
const NoColumn = "missing: no such column in the file, and no flag sets it"

// A layout is the columns of a file and the fields that their cells are values of.
type layout struct {
	schema   *Schema
	format   string
	header   []string     // the column names of csv, tsv and xlsx, the field of the lines of txt, nil for other formats
	bindings []*binding   // the binding of each column of the header
	IsNamed  bool         // the first line of txt says of which field it is a value
	notes    []string     // on how the header is read
	fast     *fastBuilder // of the last pass in which it built all rows; nil before
}

// readLayout reads the header of csv, tsv and xlsx and binds its columns to fields. A txt file
// has one column, which is bound to the field of its lines. Other formats have none.
func readLayout(file *decode.File, sch *Schema, names *binder) (*layout, error) {
	l := &layout{schema: sch, format: file.Format}
	names.begin(nil)
	fields := sch.lineFields()
	h := decode.Header{Columns: fields[:1]}
	if file.Format == "txt" && len(fields) > 1 {
		if first, _ := samples(file, h.Columns); first[0] != nil {
			i := max(0, slices.IndexFunc(fields, func(name string) bool { return sch.Resource.Field(name).IsLine(first[0][0]) }))
			h.Columns, l.IsNamed = fields[i:i+1], strings.Contains(first[0][0], "/")
		}
	} else if file.Format != "txt" {
		var err error
		if h, err = file.ReadHeader(); err != nil || h.Columns == nil {
			return l, err
		}
	}
	if sch.Ask != nil && file.Format != "txt" && !sch.IgnoreUnknown && !sch.OnlyIDs {
		names.begin(h.Columns)
		cells, err := samples(file, h.Columns)
		if err == nil {
			names.ask(file.Sheet(), h.Columns, cells, func(given map[string]string) []decode.Issue { return l.missing(h, given) })
			err = names.err
		}
		if err != nil {
			return l, err
		}
	}
	err := l.bind(h, names)
	if issues := decode.AsError(err); issues != nil && (names.unknown || names.passed != nil) {
		issues.Hint = names.hint(file.SheetText())
	}
	return l, err
}

func samples(file *decode.File, header []string) ([][]string, error) {
	const rows, most = 100, 3
	cells := make([][]string, len(header))
	n := 0
	for in, err := range file.Rows() {
		switch {
		case decode.AsError(err) != nil: // what is wrong with a row is told when the file is read
			return cells, nil
		case err != nil:
			return cells, err
		}
		for i, cell := range in.Cells[:min(len(in.Cells), len(header))] {
			if cell = strings.Clone(strings.TrimSpace(cell)); cell != "" && len(cells[i]) < most && !slices.Contains(cells[i], cell) {
				cells[i] = append(cells[i], cell)
			}
		}
		if n++; n == rows {
			break
		}
	}
	return cells, nil
}

// bind sets the columns and their bindings. An error lists all invalid columns. What names knows in the end is kept, unless it is
// about a folder, whose other files may have the columns that a mapping names.
func (l *layout) bind(h decode.Header, names *binder) error {
	issues := &decode.Error{Fatal: true}
	l.header = h.Columns
	names.begin(l.header)
	taken := map[string]string{}
	var nameless []decode.Issue
	for i, name := range l.header {
		var t *binding
		why := ""
		if strings.TrimSpace(name) == "" {
			t = &binding{kind: kindNameless}
			nameless = append(nameless, decode.Issue{Line: h.Line, Row: h.Row, Column: fmt.Sprintf("column %d", i+1), Reason: "a column without a name"})
		} else {
			t, why = names.bind(name)
		}
		if t == nil {
			issues.Add(decode.Issue{Line: h.Line, Row: h.Row, Column: name, Reason: why})
			continue
		}
		for _, key := range t.keys() {
			if before, ok := taken[key]; ok && !t.isIgnored() {
				issues.Add(decode.Issue{Line: h.Line, Row: h.Row, Column: name, Reason: l.schema.sameField(name, before)})
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
		if column || half || l.schema.constants.Get(f.Name) != nil || l.schema.Defaults[f.Name] != nil {
			continue
		}
		issues = append(issues, decode.Issue{Line: h.Line, Row: h.Row, Column: f.Name, Reason: l.schema.Words.Of(NoColumn)})
	}
	return issues
}

// HoldsSecrets reports whether the file may contain passwords. No part of such a file may be written to disk with its passwords.
func (l *layout) HoldsSecrets() bool {
	if l.bindings != nil {
		return slices.ContainsFunc(l.bindings, (*binding).isSecret)
	}
	return l.schema.holdsSecrets()
}

func (l *layout) HashKey() dedupe.Key { return l.schema.HashKey }

// hidesCells reports whether issues quote no cell, since the password of a row may stand in a wrong column.
func (l *layout) hidesCells() bool { return l.header != nil && l.HoldsSecrets() }

func (l *layout) WithoutSecrets(values Values) Values {
	return slices.DeleteFunc(slices.Clone(values), func(v Value) bool { return l.schema.isSecret(v.Name) })
}

// A fileSchema tells package decode what the rows of a Schema may have.
type fileSchema struct{ *Schema }

func (s fileSchema) Secret() bool      { return s.holdsSecrets() }
func (s fileSchema) LineField() string { return s.lineFields()[0] }
func (s fileSchema) IsLine(line string) bool {
	return slices.ContainsFunc(s.lineFields(), func(name string) bool { f := s.Resource.Field(name); return f != nil && f.IsLine(line) })
}
func (s fileSchema) IsColumn(name string) bool {
	t, _, _ := newBinder(s.Schema).known(strings.TrimSpace(name))
	return t != nil
}

// Fit returns one more than the number of required fields that the columns of a header and flags give, 0 if they are less than
// half, or if no column is of a field. It asks the user nothing.
func (s fileSchema) Fit(h decode.Header) int {
	given, names := map[string]string{}, newBinder(s.Schema)
	for _, column := range h.Columns {
		t, _, _ := names.known(strings.TrimSpace(column))
		for _, key := range keysOf(t) {
			given[key] = column
		}
	}
	missing := (&layout{schema: s.Schema}).missing(h, given)
	if fit := len(s.required) - len(missing); len(given) > 0 && 2*fit >= len(s.required) {
		return 1 + fit
	}
	return 0
}

// References returns a hash of the ids that the references of the file stand for, which Validate has looked up. It is empty if
// the file has none. A job that is resumed compares it: a name that stands for another account by now must not get the rows of
// the first.
func (l *layout) References() string {
	if l.schema.References == nil || len(l.schema.References.found) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(l.schema.References.found)) {
		fmt.Fprintf(sum, "%q %d\n", key, l.schema.References.found[key].id)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// hint says what the user can do about unknown columns. sheet says which sheet of a workbook is read; it may be empty.
func (b *binder) hint(sheet string) string {
	if b.schema.OnlyIDs {
		return "the fields are " + strings.Join(b.schema.LineFields, " and ")
	}
	hint := b.schema.Words.Of(HintMapping)
	if b.passed != nil {
		hint = "passed over: " + quoteList(b.passed) + "; " + hint
	}
	if sheet != "" {
		hint += "; this is " + sheet
	}
	return hint + "; the fields are " + strings.Join(b.schema.FieldNames(), ", ")
}

const HintMapping = "--map 'COLUMN=FIELD' gives the field of a column, --map 'COLUMN=' passes it over; --ignore-unknown passes over all unknown columns; --map-file can also split the cells of a column into two fields"
