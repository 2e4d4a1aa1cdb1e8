package rows

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"reseller/client/bulk/columns"
	"reseller/client/bulk/decode"
	"reseller/client/phrase"
	"reseller/client/redact"
	"reseller/client/schema"
)

// A Question asks which fields the columns of a file are. An answer is a field, two fields as a map file has them, or "" for a
// column that is passed over.
type Question struct {
	Sheet   string // of a workbook
	Columns []AskedColumn
	// Missing returns the required fields that answers lack. It is nil in a format without a header.
	Missing func(answers []string) []string
}

// An AskedColumn is a column of a question.
type AskedColumn struct {
	Name  string
	Field string   // what its name says, or probably means
	Known bool     // the name says it, and that of no column before says the same
	Cells []string // some cells of the column; none of a password, and none in a format without a header
	Check func(answer string) error
}

// samples returns some different cells of each column of a file.
func samples(file *decode.File, header []string) ([][]string, error) {
	const rows, most = 100, 3
	cells := make([][]string, len(header))
	d, err := file.Decoder()
	for n := 0; err == nil && n < rows; n++ {
		var in decode.RawRow
		if err = d.Next(&in); err != nil {
			break
		}
		for i, cell := range in.Cells[:min(len(in.Cells), len(header))] {
			if cell = strings.Clone(strings.TrimSpace(cell)); cell != "" && len(cells[i]) < most && !slices.Contains(cells[i], cell) {
				cells[i] = append(cells[i], cell)
			}
		}
	}
	if decode.AsError(err) != nil || err == io.EOF {
		err = nil // what is wrong with a row is told when the file is read
	}
	return cells, err
}

// ask asks for the fields of columns, if no mapping and no name gives that of one of them. missing returns the issues of
// required fields that are not among some; it is nil in a format without a header. It does not ask about columns of one name, which
// no answer tells apart: bind refuses them.
func (b *binder) ask(sheet string, names []string, cells [][]string, missing func(given map[string]string) []decode.Issue) {
	given, isAsked, holdsSecrets := map[string]string{}, false, false
	var asked []AskedColumn
	for i, name := range names {
		name = strings.TrimSpace(name)
		t, _, from := b.known(name)
		holdsSecrets = holdsSecrets || redact.IsSecretName(name) || t != nil && t.isSecret()
		if name == "" || from != fromName {
			for _, key := range keysOf(t) {
				given[key] = name
			}
			continue
		}
		if slices.ContainsFunc(asked, func(before AskedColumn) bool { return before.Name == name }) {
			return
		}
		column := AskedColumn{Name: name, Check: func(answer string) error { return b.checkAnswer(name, answer) }}
		if column.Field = b.schema.nearest(name); t != nil {
			column.Field, column.Known = columns.Fields(keysOf(t)).String(), true
		}
		if slices.ContainsFunc(asked, func(before AskedColumn) bool { return column.Field != "" && before.Field == column.Field }) {
			column.Field, column.Known = "", false
		}
		if cells != nil {
			column.Cells = cells[i]
		}
		isAsked = isAsked || !column.Known
		asked = append(asked, column)
	}
	if !isAsked {
		return
	}
	for i := range asked {
		if holdsSecrets { // which may stand in a wrong column
			asked[i].Cells = nil
		}
	}
	question := Question{Sheet: sheet, Columns: asked}
	if missing != nil {
		question.Missing = func(answers []string) []string {
			all := maps.Clone(given)
			for _, answer := range answers {
				for _, field := range columns.ParseFields(answer) {
					all[field] = answer
				}
			}
			return phrase.Each(missing(all), func(issue decode.Issue) string { return issue.Column })
		}
	}
	answers, err := b.schema.Ask(question)
	if b.err = err; err != nil {
		return
	}
	for i, column := range asked {
		if answer := strings.TrimSpace(answers[i]); answer != column.Field || !column.Known {
			b.schema.Map[column.Name], b.used[column.Name] = answer, true
		}
	}
}

// keysOf returns the keys of a binding, none if its cells are not used.
func keysOf(t *binding) []string {
	if t == nil || t.isIgnored() {
		return nil
	}
	return t.keys()
}

func (b *binder) checkAnswer(column, answer string) error {
	if t, why := b.schema.bindFields(column, columns.ParseFields(answer)); t == nil {
		return errors.New(why)
	}
	return nil
}

// A Repeated is an invalid value that several cells of a column have.
type Repeated struct {
	decode.Issue // the first of them
	Cells        int
	Field        *schema.Field
}

// Repeated returns the values that several of some issues are about, apart from passwords.
func (s *Source) Repeated(issues []decode.Issue) (found []Repeated) {
	at, names := map[[2]string]int{}, newBinder(s.Layout.schema)
	for _, issue := range issues {
		t, _, _ := names.known(issue.Column)
		if issue.Value == "" || t == nil || t.kind != kindField {
			continue
		}
		value := [2]string{issue.Column, issue.Value}
		if i, isKnown := at[value]; isKnown {
			found[i].Cells++
			continue
		}
		at[value] = len(found)
		found = append(found, Repeated{issue, 1, t.field})
	}
	return slices.DeleteFunc(found, func(r Repeated) bool { return r.Cells == 1 })
}

// Replace puts another value in place of a repeated one, as a table of a map file does. Validate has to be called again.
func (s *Source) Replace(r Repeated, value string) {
	sch := s.Layout.schema
	if sch.values[r.Field.Name] == nil {
		if sch.MapFile.Values == nil {
			sch.MapFile.Values = map[string]columns.Table{}
		}
		sch.values[r.Field.Name] = map[string]string{}
		sch.MapFile.Values[r.Field.Name] = sch.values[r.Field.Name]
	}
	sch.values[r.Field.Name][r.Value] = value
	s.Mapping.Values = sch.MapFile.Values
	s.MappingKey["values of "+r.Field.Name] = keyOf(sch.values[r.Field.Name])
}

// keyOf returns a text for a table of values.
func keyOf(table map[string]string) string {
	text, _ := json.Marshal(table) // a map of strings gives no error, and its keys are sorted
	return string(text)
}
