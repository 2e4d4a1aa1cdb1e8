package rows

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/bulk/columns"
	"reseller/client/bulk/decode"
	"reseller/client/nearest"
	"reseller/client/phrase"
	"reseller/client/safetext"
)

// A binder finds the bindings of column names and remembers them. Each pass over the file
// has its own binder, and so has each pass over all files of a folder.
type binder struct {
	schema  *Schema
	header  []string // the column names of csv and tsv; nil for other formats
	bound   map[string]boundName
	taken   map[string]bool           // the fields of the columns of header; nil until isTaken
	used    map[string]bool           // the columns of Schema.Map and Schema.MapFile that the file has
	inForce map[string]columns.Fields // of the columns that do not have the exact name of their field
	key     map[string]string         // by column: what a mapping has changed
	passed  []string                  // the unknown columns that Schema.IgnoreUnknown passes over
	hidden  int                       // how many rows of workbooks are hidden
	unknown bool                      // the file has an unknown column
	err     error                     // of Schema.Ask: then the file can't be read

	file      string              // of a folder: the name of the file that is read
	told      []string            // the notes on how files of a folder are read
	filesWith map[string][]string // the first files that each of them is about
}

// begin forgets the bindings of another file, whose header differs.
func (b *binder) begin(header []string) {
	b.header, b.bound, b.taken = header, map[string]boundName{}, nil
}

// isTaken reports whether the header has a column for a field.
func (b *binder) isTaken(field string) bool {
	if b.taken == nil {
		b.taken = map[string]bool{}
		for _, column := range b.header {
			t, _, _ := b.known(strings.TrimSpace(column))
			for _, key := range keysOf(t) {
				b.taken[key] = true
			}
		}
	}
	return b.taken[field]
}

func (b *binder) addNotes(notes []string) {
	for _, note := range notes {
		if b.filesWith[note] == nil {
			if len(b.told) == maxNamed {
				continue
			}
			b.told = append(b.told, note)
		}
		b.filesWith[note] = append(b.filesWith[note], b.file)
	}
}

// A boundName is what bind returned for a name: a binding, or the reason why it has none.
type boundName struct {
	binding *binding
	reason  string
}

// maxBound is how many names a binder remembers. It bounds the memory for a file whose objects have ever new names.
const maxBound = 10_000

func newBinder(s *Schema) *binder {
	return &binder{schema: s, bound: map[string]boundName{}, used: map[string]bool{}, inForce: map[string]columns.Fields{}, key: map[string]string{}, filesWith: map[string][]string{}}
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

// lookup returns the binding of a column. A column that no field takes is passed over with
// Schema.IgnoreUnknown. Otherwise the user is asked for its field, if that is possible.
func (b *binder) lookup(column string) (*binding, string) {
	t, why, from := b.known(column)
	near := ""
	if t == nil && why == "" && !b.schema.IgnoreUnknown {
		why = "unknown column"
		near = b.schema.nearest(column)
		if b.isTaken(near) || b.schema.OnlyIDs && !slices.Contains(b.schema.LineFields, near) {
			near = ""
		}
		if near != "" {
			why += fmt.Sprintf(", the nearest field is %q", near)
		}
	}
	isObject := b.header == nil && len(b.schema.membersOf(column)) > 0
	switch {
	case from == fromMapFile && t != nil && t.kind == kindPassed:
		if fields, _ := b.mapped(column); fields != nil {
			b.addPassed(column)
		}
	case t != nil || from != fromName || column == "" || isObject:
	case b.schema.IgnoreUnknown, b.schema.OnlyIDs && near == "":
		t = b.schema.passOver(column)
		b.addPassed(column)
	case b.schema.OnlyIDs:
	case b.schema.Ask != nil && b.header == nil:
		b.ask("", []string{column}, nil, nil)
		if b.err == nil {
			t, why, from = b.known(column)
		}
	default:
		b.unknown = true
		why += b.schema.Words.Of(": use --map or --ignore-unknown")
	}
	if t != nil && len(b.bound) < maxBound {
		b.keep(column, t, from == fromFlag)
	}
	return t, why
}

// ask asks for the fields of columns, if no mapping and no name gives that of one of them. missing returns the issues of
// required fields that are not among some; it is nil in a format without a header.
func (b *binder) ask(sheet string, names []string, cells [][]string, missing func(given map[string]string) []decode.Issue) {
	asked, given := b.askedColumns(names, cells)
	if !slices.ContainsFunc(asked, func(column AskedColumn) bool { return !column.Known }) {
		return
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
			b.schema.mappings[fromFlag][column.Name], b.used[column.Name] = columns.ParseFields(answer), true
		}
	}
}

// askedColumns returns the columns that no mapping gives a field, and the names of the others by their fields. It returns none if
// two have one name, which no answer tells apart: bind refuses them.
func (b *binder) askedColumns(names []string, cells [][]string) (asked []AskedColumn, given map[string]string) {
	given = map[string]string{}
	holdsSecrets, isFound := false, false
	for i, name := range names {
		name = strings.TrimSpace(name)
		t, _, from := b.known(name)
		isSecret := t != nil && t.isSecret() || b.schema.passOver(name).isSecret()
		isFound = isFound || isSecret
		holdsSecrets = holdsSecrets || slices.ContainsFunc(keysOf(t), b.schema.isBesideSecret)
		if name == "" || from != fromName {
			for _, key := range keysOf(t) {
				given[key] = name
			}
			continue
		}
		if slices.ContainsFunc(asked, func(before AskedColumn) bool { return before.Name == name }) {
			return nil, nil
		}
		column := b.schema.askedColumn(name, t)
		if slices.ContainsFunc(asked, func(before AskedColumn) bool { return column.Field != "" && before.Field == column.Field }) {
			column.Field, column.Known = "", false
		}
		column.Hidden = isSecret || b.schema.isBesideSecret("")
		if cells != nil {
			column.Cells = cells[i]
		}
		asked = append(asked, column)
	}
	for i := range asked {
		column := &asked[i]
		if column.Hidden = column.Hidden || holdsSecrets && !isFound && !column.Known; column.Hidden {
			column.Cells = nil
		}
	}
	return asked, given
}

// askedColumn returns a column with the binding that its name gives it, which may be nil.
func (s *Schema) askedColumn(name string, t *binding) AskedColumn {
	column := AskedColumn{Name: name, Field: s.nearest(name), Check: func(answer string) error {
		if t, why := s.bindFields(name, columns.ParseFields(answer)); t == nil {
			return errors.New(why)
		}
		return nil
	}}
	if t != nil {
		column.Field, column.Known = columns.Fields(keysOf(t)).String(), true
	}
	return column
}

func (b *binder) addPassed(column string) {
	if len(b.passed) < maxBound && (b.file == "" || !slices.Contains(b.passed, column)) {
		b.passed = append(b.passed, column)
	}
}

type origin uint8

const (
	fromName    origin = iota // the name of the column
	fromMapFile               // Schema.MapFile
	fromFlag                  // Schema.Map, or the answer to a question
)

// known returns the binding that a mapping or its name gives to a column. An unknown one has no reason.
func (b *binder) known(column string) (t *binding, why string, from origin) {
	fields, from := b.mapped(column)
	switch {
	case from != fromName:
		t, why = b.schema.bindFields(column, fields)
		if t == nil && from == fromMapFile && b.schema.areKnown(fields) {
			t, why = b.schema.passOver(column), ""
		}
		return t, why, from
	case column == "":
		return nil, "a column without a name", from
	}
	t, why = b.schema.byName(column)
	return t, why, from
}

// mapped returns the fields that Schema.Map, or else Schema.MapFile, gives to a column.
func (b *binder) mapped(column string) (columns.Fields, origin) {
	for _, from := range []origin{fromFlag, fromMapFile} {
		if name, ok := b.match(column, b.schema.mappings[from]); ok {
			b.used[name] = true
			return b.schema.mappings[from][name], from
		}
	}
	return nil, fromName
}

// match returns the name of a mapping that a column has. The same name takes precedence over one in another case, and that over
// one with the same letters and digits, unless this is the exact name of a field. The exact name of another column of the header
// does not match.
func (b *binder) match(column string, in map[string]columns.Fields) (name string, ok bool) {
	if len(in) == 0 {
		return "", false
	}
	folded := columns.Fold(column)
	for tier, same := range [...]func(name string) bool{
		func(name string) bool { return name == column },
		func(name string) bool { return strings.EqualFold(name, column) },
		func(name string) bool {
			return folded != "" && columns.Fold(name) == folded && b.schema.byExactName(column) == nil
		},
	} {
		for _, name := range slices.Sorted(maps.Keys(in)) {
			trimmed := strings.TrimSpace(name)
			isTrimmed := func(column string) bool { return strings.TrimSpace(column) == trimmed }
			if same(trimmed) && (tier == 0 || !slices.ContainsFunc(b.header, isTrimmed)) {
				return name, true
			}
		}
	}
	return "", false
}

// keep remembers what a column means, unless the column has the exact name of its field.
// given says that --map or an answer gives the field.
func (b *binder) keep(column string, t *binding, given bool) {
	if exact := b.schema.byExactName(column); given || exact == nil || exact.key != t.key {
		unmapped, _ := b.schema.byName(column)
		fields := columns.Fields(t.keys())
		if t.kind == kindPassed {
			fields, _ = b.mapped(column) // which may be those of another command
		}
		b.inForce[column] = fields
		if given || unmapped == nil || unmapped.key != t.key {
			b.key[column] = fields.String()
		}
	}
}

// mapping returns what the columns mean, and what a mapping has changed.
func (b *binder) mapping() (m columns.Mapping, key map[string]string) {
	m.Columns, m.Values = maps.Clone(b.inForce), b.schema.MapFile.Values
	for name, fields := range b.schema.MapFile.Columns {
		if !b.used[name] {
			m.Columns[name] = fields
		}
	}
	for _, bound := range b.bound {
		if bound.binding == nil {
			continue
		}
		for _, field := range bound.binding.keys() {
			if table := b.schema.values[field]; table != nil {
				b.key["values of "+field] = keyOf(table)
			}
		}
	}
	return m, b.key
}

func keyOf(table map[string]string) string {
	text, _ := json.Marshal(table) // a map of strings gives no error, and its keys are sorted
	return string(text)
}

// unused returns an issue for each column of Schema.Map that the file does not have.
func (b *binder) unused(header []string) []decode.Issue {
	var out []decode.Issue
	for _, from := range slices.Sorted(maps.Keys(b.schema.mappings[fromFlag])) {
		if b.used[from] {
			continue
		}
		f := decode.Issue{Column: from, Reason: "no such column in the file"}
		if near := nearest.Name(from, header); near != "" {
			f.Reason += ", the nearest is " + safetext.Quote(near)
		}
		out = append(out, f)
	}
	return out
}

// notes returns notes on the columns that are passed over, and on those of Schema.MapFile that the file does not have.
func (b *binder) notes() []string {
	var notes, unused []string
	for _, note := range b.told {
		notes = append(notes, quoteList(b.filesWith[note])+": "+note)
	}
	if b.passed != nil {
		notes = append(notes, "passed over: "+quoteList(b.passed))
	}
	for _, name := range slices.Sorted(maps.Keys(b.schema.MapFile.Columns)) {
		if !b.used[name] {
			unused = append(unused, name)
		}
	}
	if unused != nil {
		notes = append(notes, fmt.Sprintf("%s names columns that the file does not have: %s", b.schema.MapFile.Name, quoteList(unused)))
	}
	return notes
}

const maxNamed = 20

func quoteList(names []string) string {
	return phrase.First(phrase.Each(names, safetext.Quote), maxNamed)
}

func (s *Schema) parseConstants() error {
	for _, name := range slices.Sorted(maps.Keys(s.Constants)) {
		b, why := s.bindFields(name, []string{name})
		if b == nil || b.kind != kindField {
			return &decode.FileError{What: fmt.Sprintf("%s: %s", name, why)}
		}
		v, err := b.field.FromText(s.Constants[name], s.Validate)
		if err != nil {
			return &decode.FileError{What: fmt.Sprintf("%s: %s", name, issueReason(b.field, s.Constants[name], err))}
		}
		s.constants = append(s.constants, Value{b.field.Name, v})
	}
	return nil
}

func (s *Schema) checkMap() error {
	for _, from := range slices.Sorted(maps.Keys(s.Map)) {
		fields := s.mappings[fromFlag][from]
		if b, why := s.bindFields(from, fields); b == nil {
			return &decode.FileError{What: fmt.Sprintf("%s %s: %s", s.Words.Of("--map"), safetext.Quote(from+"="+fields.String()), why)}
		}
	}
	return nil
}

// checkMapFile checks the fields of MapFile, and sets values. Fields of other commands are no fault, nor are those of columns
// that Map has.
func (s *Schema) checkMapFile() error {
	var issues []string
	add := func(name, why string) {
		if why != "" {
			issues = append(issues, safetext.Shorten(name)+": "+why)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.MapFile.Columns)) {
		fields := s.MapFile.Columns[name]
		t, why := s.bindFields(name, fields)
		if _, isGiven := newBinder(s).match(name, s.mappings[fromFlag]); isGiven || t == nil && s.areKnown(fields) {
			continue
		}
		if t != nil && t.kind == kindSplit && t.parts[0].key == t.parts[1].key {
			why = "splits a cell into twice the same field"
		}
		add(name, why)
	}
	s.values = map[string]map[string]string{}
	for _, field := range slices.Sorted(maps.Keys(s.MapFile.Values)) {
		t, why := s.bindFields("", []string{field})
		switch {
		case t == nil && s.areKnown([]string{field}):
			continue
		case t == nil:
		case t.isIgnored():
			why = "is no field"
		case t.isSecret():
			why = "is a password, and no map file may hold one"
		case s.values[t.key] != nil:
			why = "is the field of another table too"
		default:
			s.values[t.key] = s.MapFile.Values[field]
		}
		add(field, why)
	}
	if issues != nil {
		return s.MapFile.Error(issues...)
	}
	return nil
}
