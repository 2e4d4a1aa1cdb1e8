package rows

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"reseller/client/bulk/columns"
	"reseller/client/bulk/dedupe"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/trust"
)

// A Schema describes the rows of a file: which columns they may have, how their values
// are checked, and which rows are about the same thing.
type Schema struct {
	Resource *schema.Resource
	Use      schema.Use        // schema.Create or schema.Update: which fields may be columns, and which are required
	Map      map[string]string // from names of columns to names of fields, as --map gives them; "" passes the column over
	MapFile  *columns.Mapping  // the map file, for the columns that Map does not have; may be nil
	// IgnoreUnknown passes over the columns that no field takes.
	IgnoreUnknown bool
	// OnlyIDs says that the rows are read for their ids, by a command without flags about columns and sheets: columns that no
	// field takes are passed over, but one whose name is near that of a field is refused, and so is a workbook.
	OnlyIDs bool
	// LineFields are the fields whose values the lines of a txt file may be, if lineFields finds others: those of the first one
	// that the first line fits.
	LineFields []string
	// VisibleRows leaves out the rows of a workbook that are hidden.
	VisibleRows bool
	// Others are the resources of other commands, whose fields MapFile may name.
	Others []*schema.Resource
	// Ask returns the answers to a question, one for each column, which AskedColumn.Check accepts. An error ends the reading of the
	// file. Ask may be nil.
	Ask func(Question) (answers []string, err error)
	// Constants are the values that flags set for all rows, by field.
	Constants map[string]string
	// Defaults are the values, by field, that a row gets if it has no value of its own.
	Defaults schema.Values
	// ReadOnly accepts columns of read-only fields and of undocumented fields, so that
	// an exported list can be loaded without deleting columns.
	ReadOnly bool
	// IsDoubtful reports whether the service may show that a row is invalid. It is nil if any row may be.
	IsDoubtful  func(*Row) bool
	EmptyClears bool // in an update, an empty cell makes the field empty
	Validate    bool // check the values; if false, only the service checks them
	Strict      bool // with Validate, a cell that needs a repair is invalid
	// ListSeparators separate the items of a list in a cell (see schema.SplitKeywords).
	ListSeparators []string
	// KeepsInvalid reports of a value, by its name, whether a row may have it although it is invalid: Row.Invalid has it then,
	// and Row.Values lacks it. The elements of such a list are left to CheckRow. It may be nil.
	KeepsInvalid func(name string) bool
	// CheckRow checks a complete row without issues, after missing values were set to empty. It gets the invalid values that
	// the row keeps, too. It returns an invalid field and the reason, which is empty if the row is valid. It may be nil.
	CheckRow func(Values) (field, reason string)
	// Identity tells which rows are about the same thing. If it is nil, two rows are
	// about the same thing if all their values are equal.
	Identity Identity
	// References finds the accounts and campaigns that cells name in other words than by an id. It may be nil.
	References *References
	Words      phrase.Wording // of errors
	HashKey    dedupe.Key     // makes the hashes of identities in Source.Index; random if it is zero
	Shard      Shard

	constants Values                                  // of Constants
	mappings  [fromFlag + 1]map[string]columns.Fields // MapFile.Columns, and those of Map, to which answers are added
	exact     map[string]string                       // by the letters and digits of a name or synonym, the exact name of its field
	columns   map[string]string                       // by a name or synonym of a field that may be a column, its exact name
	names     []string                                // the keys of columns: names of fields, and then synonyms
	members   map[string][]*schema.Field              // by the name of an object, or its letters and digits
	values    map[string]map[string]string            // of MapFile: the replacements of cells, by the key of a binding
	required  []*schema.Field
	orEmpty   []*schema.Field // fields that are sent empty if a row has no value for them
	title     *schema.Field   // the field that names a record to users; may be nil
	postal    []*schema.Field // the fields for postal codes
}

// A Question asks which fields the columns of a file are. An answer is a field, two fields as a map file has them, or "" for a
// column that is passed over.
type Question struct {
	Sheet   string // of a workbook
	Columns []AskedColumn
	// Missing returns the required fields that answers lack. It is nil in a format without a header.
	Missing func(answers []string) []string
}

type AskedColumn struct {
	Name   string
	Field  string   // what its name says, or probably means
	Known  bool     // the name says it, and that of no column before says the same
	Cells  []string // some cells of the column, unless they are hidden; none in a format without a header
	Hidden bool     // the cells are not shown, since they may be passwords
	Check  func(answer string) error
}

// A Shard is part I of the N parts of a file, where I counts from 1. All rows of one
// identity are in the same part. The zero value is the whole file.
type Shard struct{ I, N int }

func (s Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// prepare sets HashKey, MapFile and Identity if they are not set, and what is made of the options, which it checks. In an update
// only the key of the record is required: the service keeps the values of fields that are not sent.
func (s *Schema) prepare() error {
	if titles := s.Resource.Having(schema.Title); titles != nil {
		s.title = titles[0]
	}
	if s.HashKey == (dedupe.Key{}) {
		s.HashKey = dedupe.NewKey()
	}
	s.MapFile = cmp.Or(s.MapFile, &columns.Mapping{})
	s.mappings[fromMapFile], s.mappings[fromFlag] = s.MapFile.Columns, map[string]columns.Fields{}
	for column, fields := range s.Map {
		s.mappings[fromFlag][column] = columns.ParseFields(fields)
	}
	s.foldNames()
	if s.Identity == nil {
		s.Identity = ByAllFields
	}
	for i := range s.Resource.Fields {
		if f := &s.Resource.Fields[i]; f.Content == schema.PostalCode {
			s.postal = append(s.postal, f)
		}
	}
	if s.Use == schema.Update {
		keys := s.Resource.Having(schema.Key)
		s.required = keys[:min(1, len(keys))]
		return cmp.Or(s.parseConstants(), s.checkMap(), s.checkMapFile())
	}
	s.orEmpty = s.Resource.Having(schema.EmptyIfAbsent | schema.EmptyInFile)
	for _, f := range s.Resource.Having(schema.Required) {
		if f.Use&(schema.EmptyIfAbsent|schema.EmptyInFile) == 0 {
			s.required = append(s.required, f)
		}
	}
	return cmp.Or(s.parseConstants(), s.checkMap(), s.checkMapFile())
}

func (s *Schema) FieldNames() []string {
	use := s.Use
	if s.ReadOnly {
		use |= schema.Read
	}
	return phrase.Each(s.Resource.Having(use), func(field *schema.Field) string { return field.Name })
}

func (s *Schema) holdsSecrets() bool {
	return slices.ContainsFunc(s.Resource.Having(s.Use), func(f *schema.Field) bool { return f.Type == schema.Password })
}

// lineFields returns the names of the fields whose values the lines of a txt file may be: LineFields, the one of the resource,
// or the only field that is required and that no flag sets. The only name is empty if a row needs more.
func (s *Schema) lineFields() []string {
	if s.LineFields != nil {
		return s.LineFields
	}
	for _, f := range s.Resource.Having(schema.TextLine) {
		if f.Use&s.Use != 0 {
			return []string{f.Name}
		}
	}
	missing := slices.DeleteFunc(slices.Clone(s.required), func(f *schema.Field) bool { _, isSet := s.Constants[f.Name]; return isSet })
	if len(missing) != 1 || s.Use == schema.Update && len(s.Constants) == 0 {
		return []string{""}
	}
	return []string{missing[0].Name}
}

// isBesideSecret reports whether a field belongs to an object that has a password, such as credentials.username; the empty
// name, whether every row has one. A column without a field may then be the password.
func (s *Schema) isBesideSecret(name string) bool {
	return slices.ContainsFunc(s.Resource.Having(s.Use), func(f *schema.Field) bool {
		object := f.Name[:strings.LastIndexByte(f.Name, '.')+1]
		return f.Type == schema.Password && strings.HasPrefix(name, object)
	})
}

func (s *Schema) isSecret(name string) bool {
	f := s.Resource.Field(name)
	return f != nil && f.Type == schema.Password
}

type bindingKind uint8

const (
	kindIgnored  bindingKind = iota // the column is ignored: it is error or http_status, which rejects files have
	kindNameless                    // a column without a name, as spreadsheets write at the end; its cells must be empty
	kindField                       // the column is a whole field
	kindSubfield                    // the column is one attribute, or the name or the value of a pair
	kindReadOnly                    // the column is a field that can't be written
	kindPassed                      // the column is passed over: a mapping or IgnoreUnknown says so
	kindSplit                       // the cells of the column are split at their last spaces
)

const (
	attributesPrefix = "attributes." // begins the name of one attribute
	nameError        = "error"       // a column of rejects files
	nameStatus       = "http_status" // a column of rejects files
	nameHalf         = "field_name"  // of a pair
	valueHalf        = "field_value" // of a pair
)

type binding struct {
	kind     bindingKind
	field    *schema.Field // nil for a field that is not documented, and for a kindSplit
	subfield string        // for kindSubfield: the name of the attribute, or field_name or field_value of a pair
	key      string        // the field, and the subfield after a dot; two columns of a file must not have the same key
	parts    []*binding    // for kindSplit: the two fields
}

// keysOf returns the keys of a binding, none if its cells are not used.
func keysOf(t *binding) []string {
	if t == nil || t.isIgnored() {
		return nil
	}
	return t.keys()
}

// sameField returns the reason of an issue of a column whose field the column before has.
func (s *Schema) sameField(column, before string) string {
	if column == before {
		return "names the same field as another column of this name: rename one of them in the file"
	}
	return fmt.Sprintf("names the same field as %s: use %s to pass one of them over", safetext.Quote(before), s.Words.Of("--map"))
}

// keys returns the keys of the fields that the cells of the column are values of.
func (b *binding) keys() []string {
	if b.kind == kindPassed || b.kind == kindNameless {
		return nil
	}
	if b.kind != kindSplit {
		return []string{b.key}
	}
	return phrase.Each(b.parts, func(part *binding) string { return part.key })
}

func (b *binding) isIgnored() bool {
	return b.kind == kindIgnored || b.kind == kindNameless || b.kind == kindPassed
}

// isShortText reports whether the cells are short texts, such as names, numbers and keywords, so that none of them is a date.
func (b *binding) isShortText() bool {
	return b.kind == kindSplit || b.kind == kindField && b.field.Content != schema.Prose && (b.field.Type == schema.Text || b.field.Type == schema.List)
}

// isNumbers reports whether the cells may be numbers of any format, of which the digits count.
func (b *binding) isNumbers() bool {
	return b.kind == kindField && (b.field.Content == schema.Code || b.field.Content == schema.PostalCode)
}

func (b *binding) isInt() bool { return b.kind == kindField && b.field.Type == schema.Int }

func (b *binding) isSecret() bool {
	return b.field != nil && b.field.Type == schema.Password || slices.ContainsFunc(b.parts, (*binding).isSecret)
}

// validates reports whether values of f are checked. The id of a record is checked
// even without Validate: no record can have an invalid id, so nothing is sent for it.
func (s *Schema) validates(f *schema.Field) bool {
	return s.Validate || f.Type == schema.Int && f.Has(schema.Key)
}

// mayClear reports whether an empty cell may make the field empty.
func (s *Schema) mayClear(t *binding) bool {
	return s.Use == schema.Update && t.kind != kindReadOnly && (len(s.required) == 0 || t.key != s.required[0].Name)
}

// leaveOut returns how the column of a field is left out, empty if the rows need the field.
func (s *Schema) leaveOut(name, column string) string {
	f := s.Resource.Field(name)
	if f == nil || f.Use&(schema.Key|schema.Identity) != 0 || slices.Contains(s.required, f) {
		return ""
	}
	return s.Words.Of("--map") + " " + trust.ShellWord(column+"=")
}

// quotedText matches a text in quotes, as safetext.Quote writes it.
var quotedText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\\]|\\.)*"`) })

func (s *Schema) countryOf(values Values) string {
	for i := range s.Resource.Fields {
		if f := &s.Resource.Fields[i]; f.Type == schema.Country {
			return values.Get(f.Name).Text()
		}
	}
	return ""
}

// hasSoundPostal reports whether the postal codes of a row need no repair and can be those of its country.
func (s *Schema) hasSoundPostal(values Values) bool {
	for _, f := range s.postal {
		text, country := values.Get(f.Name).Text(), s.countryOf(values)
		if _, made := f.Repair(text, country, false); made != 0 || f.CheckPostal(text, country) != nil {
			return false
		}
	}
	return true
}

func (s *Schema) splitList(f *schema.Field, text string) (record.Value, error) {
	items, err := schema.SplitKeywords(text, s.ListSeparators, f.Content == schema.KeywordText && s.validates(f))
	list := make([]record.Value, len(items))
	for i, item := range items {
		list[i] = record.Quote(item)
	}
	return record.ArrayOf(list...), err
}
