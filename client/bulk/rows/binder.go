package rows

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"reseller/client/bulk/columns"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
	"reseller/client/nearest"
	"reseller/client/redact"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// A binder finds the bindings of column names and remembers them. Each pass over the file
// has its own binder, and so has each pass over all files of a folder.
type binder struct {
	schema  *Schema
	header  []string // the column names of csv and tsv; nil for other formats
	bound   map[string]boundName
	used    map[string]bool   // the columns of Schema.Map and Schema.MapFile that the file has
	inForce []columns.Column  // the columns that do not have the exact name of their field
	key     map[string]string // by column: what a mapping has changed
	passed  []string          // the unknown columns that Schema.IgnoreUnknown passes over
	unknown bool              // the file has an unknown column
	err     error             // of Schema.Ask: then the file can't be read

	file      string              // of a folder: the name of the file that is read
	told      []string            // the notes on how files of a folder are read
	filesWith map[string][]string // the first files that each of them is about
}

// begin forgets the bindings of another file, whose header differs.
func (b *binder) begin(header []string) { b.header, b.bound = header, map[string]boundName{} }

// addNotes adds notes on how a file of a folder is read.
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

// hintUnknown says what the user can do about unknown columns.
const hintUnknown = "--map 'COLUMN=FIELD' gives the field of a column, --map 'COLUMN=' passes it over; --ignore-unknown passes over all unknown columns; --map-file can also split the cells of a column into two fields"

// sameField returns the reason of an issue of a column whose field the column before has.
func sameField(column, before string) string {
	if column == before {
		return "names the same field as another column of this name: rename one of them in the file"
	}
	return fmt.Sprintf("names the same field as %s: use --map to pass one of them over", safetext.Quote(before))
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
	return &binder{schema: s, bound: map[string]boundName{}, used: map[string]bool{}, key: map[string]string{}, filesWith: map[string][]string{}}
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
	isObject := b.header == nil && len(b.schema.membersOf(column)) > 0
	switch {
	case t != nil || from != fromName || column == "" || isObject:
	case b.schema.IgnoreUnknown:
		t = b.schema.passOver(column)
		if len(b.passed) < maxBound && (b.file == "" || !slices.Contains(b.passed, column)) {
			b.passed = append(b.passed, column)
		}
	case b.schema.Ask != nil:
		t, from = b.ask(column), fromFlag
	default:
		b.unknown = true
		why += ": use --map or --ignore-unknown"
	}
	if t != nil && len(b.bound) < maxBound {
		b.keep(column, t, from == fromFlag)
	}
	return t, why
}

// An origin says where the field of a column comes from.
type origin uint8

const (
	fromName    origin = iota // the name of the column
	fromMapFile               // Schema.MapFile
	fromFlag                  // Schema.Map, or the answer to a question
)

// known returns the binding that a mapping or its name gives to a column.
func (b *binder) known(column string) (t *binding, why string, from origin) {
	fields, from := b.mapped(column)
	switch {
	case from != fromName:
		t, why = b.schema.bindFields(column, fields)
		return t, why, from
	case column == "":
		return nil, "a column without a name", from
	}
	if t, why = b.schema.byName(column); t == nil && why == "" {
		why = "unknown column"
		if near := b.schema.nearest(column); near != "" {
			why += fmt.Sprintf(", the nearest field is %q", near)
		}
	}
	return t, why, from
}

// mapped returns the fields that Schema.Map, or else Schema.MapFile, gives to a column.
func (b *binder) mapped(column string) (fields []string, from origin) {
	names := slices.Sorted(maps.Keys(b.schema.Map))
	if i := b.match(column, names); i >= 0 {
		if field := strings.TrimSpace(b.schema.Map[names[i]]); field != "" {
			fields = []string{field}
		}
		return fields, fromFlag
	}
	if b.schema.MapFile == nil {
		return nil, fromName
	}
	names = nil
	for _, c := range b.schema.MapFile.Columns {
		names = append(names, c.Name)
	}
	if i := b.match(column, names); i >= 0 {
		return b.schema.MapFile.Columns[i].Fields, fromMapFile
	}
	return nil, fromName
}

// passesOver reports whether a mapping passes over an object with all its members.
func (b *binder) passesOver(object string) bool {
	if len(b.schema.Map) == 0 && b.schema.MapFile == nil {
		return false
	}
	if fields, from := b.mapped(object); from == fromName || fields != nil {
		return false
	}
	b.bind(object)
	return true
}

// match returns the index of the one of names that a column has, -1 if there is none. The
// same name takes precedence over one in another case, and that over one with the same
// letters and digits, unless this is the exact name of a field. The exact name of another
// column of the header does not match.
func (b *binder) match(column string, names []string) int {
	folded := columns.Fold(column)
	for tier, same := range [...]func(name string) bool{
		func(name string) bool { return name == column },
		func(name string) bool { return strings.EqualFold(name, column) },
		func(name string) bool {
			return folded != "" && columns.Fold(name) == folded && b.schema.byExactName(column) == nil
		},
	} {
		for i, name := range names {
			if trimmed := strings.TrimSpace(name); same(trimmed) && (tier == 0 || !b.hasColumn(trimmed)) {
				b.used[name] = true
				return i
			}
		}
	}
	return -1
}

// hasColumn reports whether the header has a column with exactly this name.
func (b *binder) hasColumn(name string) bool {
	return slices.ContainsFunc(b.header, func(column string) bool { return strings.TrimSpace(column) == name })
}

// ask asks for the field of a column until the answer can be used. It returns nil if there
// is no answer.
func (b *binder) ask(column string) *binding {
	problem := ""
	for b.err == nil {
		var field string
		if field, b.err = b.schema.Ask(column, problem); b.err != nil {
			break
		}
		t, why := b.schema.passOver(column), ""
		if field = strings.TrimSpace(field); field != "" {
			t, why = b.schema.bindFields(column, []string{field})
		}
		if t != nil {
			why = b.taken(column, t)
		}
		if why == "" {
			b.schema.Map[column], b.used[column] = field, true
			return t
		}
		problem = safetext.Quote(field) + ": " + why
	}
	return nil
}

// taken returns the reason why a column can't have a binding, "" if it can: another column
// of the header means the same field.
func (b *binder) taken(column string, t *binding) string {
	for _, name := range b.header {
		if name = strings.TrimSpace(name); name == column || t.isIgnored() {
			continue
		}
		if other, _, _ := b.known(name); other != nil && other.key == t.key {
			return fmt.Sprintf("the column %s is this field", safetext.Quote(name))
		}
	}
	return ""
}

// keep remembers what a column means, unless the column has the exact name of its field.
// given says that --map or an answer gives the field.
func (b *binder) keep(column string, t *binding, given bool) {
	if exact := b.schema.byExactName(column); given || exact == nil || exact.key != t.key {
		unmapped, _ := b.schema.byName(column)
		c := columns.Column{Name: column, Fields: t.keys()}
		isKnown := func(other columns.Column) bool { return other.Name == column && slices.Equal(other.Fields, c.Fields) }
		if b.file == "" || !slices.ContainsFunc(b.inForce, isKnown) {
			b.inForce = append(b.inForce, c)
		}
		if given || unmapped == nil || unmapped.key != t.key {
			b.key[column] = c.String()
		}
	}
}

// unused returns an issue for each column of Schema.Map that the file does not have.
func (b *binder) unused(header []string) []decode.Issue {
	var out []decode.Issue
	for _, from := range slices.Sorted(maps.Keys(b.schema.Map)) {
		if b.used[from] {
			continue
		}
		f := decode.Issue{Column: from, Reason: "no such column in the file"}
		if near := nearest.Close(from, header); near != "" {
			f.Reason += ", the nearest is " + safetext.Quote(near)
		}
		out = append(out, f)
	}
	return out
}

// notes returns notes on the columns that are passed over, and on those of Schema.MapFile
// that the file does not have.
func (b *binder) notes() []string {
	var notes, unused []string
	for _, note := range b.told {
		notes = append(notes, quoteList(b.filesWith[note])+": "+note)
	}
	if b.passed != nil {
		notes = append(notes, "passed over: "+quoteList(b.passed))
	}
	if b.schema.MapFile != nil {
		for _, c := range b.schema.MapFile.Columns {
			if !b.used[c.Name] {
				unused = append(unused, c.Name)
			}
		}
	}
	if unused != nil {
		notes = append(notes, fmt.Sprintf("%s names columns that the file does not have: %s", b.schema.MapFile.Name, quoteList(unused)))
	}
	return notes
}

// maxNamed is how many columns a note names.
const maxNamed = 20

func quoteList(names []string) string {
	var list []string
	for _, name := range names[:min(len(names), maxNamed)] {
		list = append(list, safetext.Quote(name))
	}
	text := strings.Join(list, ", ")
	if more := len(names) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// byName returns the binding of a name, or nil and the reason why the field can't have
// values. An unknown name has no reason. The exact name of a field takes precedence over
// the same name in another case, and that over names and synonyms with the same letters
// and digits.
func (s *Schema) byName(name string) (*binding, string) {
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, attributesPrefix) {
		lower = attributesPrefix + name[len(attributesPrefix):]
	}
	for _, exact := range []func() string{func() string { return name }, func() string { return lower }, func() string { return s.exactName(name) }} {
		name := exact()
		if t := s.byExactName(name); t != nil {
			return t, ""
		}
		if s.Resource.Field(name) != nil {
			if s.Use == schema.Update {
				return nil, "can't be updated"
			}
			return nil, "can't be set on create"
		}
	}
	return nil, ""
}

// exactName returns the exact name of the field that has a name or a synonym with the same
// letters and digits, "" if there is none. A leading dot begins the name of a field that is
// not documented.
func (s *Schema) exactName(name string) string {
	folded := columns.Fold(name)
	if folded == "" || strings.HasPrefix(name, ".") {
		return ""
	}
	for known, exact := range s.columnNames() {
		if columns.Fold(known) == folded {
			return exact
		}
	}
	return ""
}

// columnNames yields the names of all fields and then their synonyms, each with the exact
// name of its field.
func (s *Schema) columnNames() iter.Seq2[string, string] {
	return func(yield func(name, exact string) bool) {
		names := []string{nameError, nameStatus}
		for i := range s.Resource.Fields {
			f := &s.Resource.Fields[i]
			names = append(append(names, f.Name, f.ReadName()), f.Aliases...)
			if f.Type == schema.Pair {
				names = append(names, f.Name+"."+nameHalf, f.Name+"."+valueHalf)
			}
		}
		for _, name := range names {
			if !yield(name, name) {
				return
			}
		}
		for i := range s.Resource.Fields {
			for _, synonym := range s.Resource.Fields[i].ColumnSynonyms {
				if !yield(synonym, s.Resource.Fields[i].Name) {
					return
				}
			}
		}
	}
}

// nearest returns the field that a misspelled name probably means, "" if no name or synonym
// of a field that may be a column is close. A synonym must be closer than a name: client since is
// none of client id.
func (s *Schema) nearest(name string) string {
	exact := map[string]string{}
	for known, field := range s.columnNames() {
		if t := s.byExactName(field); t != nil && t.kind != kindIgnored && exact[known] == "" {
			exact[known] = field
		}
	}
	known := nearest.Close(name, slices.Sorted(maps.Keys(exact)))
	folded := columns.Fold(name)
	if known != exact[known] && 4*nearest.Distance(folded, columns.Fold(known)) > utf8.RuneCountInString(folded) {
		return ""
	}
	return exact[known]
}

// bindFields returns the binding of a column to the fields that a mapping gives it, or nil
// and the reason why there is none.
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
	return t, ""
}

// passOver returns the binding of a column that is passed over. If its name says that it
// has passwords, no file gets its cells.
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

const (
	attributesPrefix = "attributes."
	nameError        = "error"
	nameStatus       = "http_status"
	nameHalf         = "field_name"
	valueHalf        = "field_value"
)

// byExactName returns the binding of a name in exactly this letter case, nil if it has
// none.
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

// membersOf returns the fields whose names begin with the name of an object and a dot.
func (s *Schema) membersOf(name string) []string {
	for _, same := range []func(object string) bool{
		func(object string) bool { return object == name },
		func(object string) bool { return columns.Fold(object) == columns.Fold(name) },
	} {
		var out []string
		for i := range s.Resource.Fields {
			f := s.Resource.Fields[i].Name
			for dot, c := range f {
				if c == '.' && same(f[:dot]) {
					out = append(out, f)
				}
			}
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// isSecret reports whether a field is a password.
func (s *Schema) isSecret(name string) bool {
	f := s.Resource.Field(name)
	return f != nil && f.Type == schema.Password
}

// prepare sets HashKey if it is not set, and the lists of fields, and copies Map, to which
// answers are added. In an update only the key
// of the record is required: the service keeps the values of fields that are not sent.
func (s *Schema) prepare() {
	if titles := s.Resource.Having(schema.Title); titles != nil {
		s.title = titles[0]
	}
	if s.HashKey == (dedupe.Key{}) {
		s.HashKey = dedupe.NewKey()
	}
	if s.Map = maps.Clone(s.Map); s.Map == nil {
		s.Map = map[string]string{}
	}
	for i := range s.Resource.Fields {
		if f := &s.Resource.Fields[i]; f.Content == schema.PostalCode {
			s.postal = append(s.postal, f)
		}
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
