package rows

import (
	"fmt"
	"maps"
	"slices"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/schema"
)

// A Schema says what the rows of a file are.
type Schema struct {
	Resource *schema.Resource
	Use      schema.Use        // schema.Create or schema.Update: which fields may be columns, and which are required
	Map      map[string]string // names of columns to names of fields
	// Constants are the values that flags set for all rows, by field.
	Constants map[string]string
	// Defaults are the values of rows that have none of their own, by field.
	Defaults schema.Values
	// ReadOnly accepts columns of read-only fields, and of fields that are not
	// documented, so that a list that was exported can be loaded as it is.
	ReadOnly    bool
	EmptyClears bool // in an update, an empty cell makes the field empty
	Validate    bool // check the values; without it the service does
	// CheckValues returns what is wrong with a row whose values are all valid. It
	// may be nil.
	CheckValues func(Values) error
	// CheckRow returns what else is wrong with a complete row, and with which field.
	// It may be nil.
	CheckRow func(Values) (field, reason string)
	// Identity says which rows are about the same thing; by default those with the
	// same values in all fields.
	Identity Identity
	Shard    Shard

	required, orEmpty []*schema.Field
}

// A Shard is part I of N of a file, from 1. All rows of one identity are in the same
// part. The zero value is the whole file.
type Shard struct{ I, N int }

func (s Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

func (s *Schema) identity() Identity {
	if s.Identity == nil {
		return ByAllFields
	}
	return s.Identity
}

func (s *Schema) holdsSecrets() bool {
	return slices.ContainsFunc(s.Resource.Having(s.Use), func(f *schema.Field) bool { return f.Type == schema.Password })
}

type bindingKind uint8

const (
	kindIgnored  bindingKind = iota // the column is ignored, as those of a rejects file are
	kindNameless                    // a column without a name, as spreadsheets write at the end; its cells must be empty
	kindField                       // a field
	kindSubfield                    // one attribute, or one half of a pair
	kindReadOnly                    // a field that is only read
)

// A binding says where the cells of a column go.
type binding struct {
	kind     bindingKind
	field    *schema.Field // nil for a field that is not documented
	subfield string        // the name of an attribute; of a pair, field_name or field_value
	key      string        // the same for all columns that name the same thing
}

// isIgnored reports whether the column is no field.
func (b *binding) isIgnored() bool { return b.kind == kindIgnored || b.kind == kindNameless }

// trimsSpace reports whether white space around the cell is dropped.
func (b *binding) trimsSpace() bool { return b.field != nil && b.field.Has(schema.TextLine) }

// isSecret reports whether the cell must not be shown.
func (b *binding) isSecret() bool { return b.field != nil && b.field.Type == schema.Password }

// A constant is a value that a flag sets for all rows.
type constant struct {
	field *schema.Field
	value record.Value
}

func (s *Schema) parseConstants() ([]constant, error) {
	var out []constant
	for _, name := range slices.Sorted(maps.Keys(s.Constants)) {
		b, why := s.byName(name)
		if b == nil || b.kind != kindField {
			return nil, &decode.FileError{What: fmt.Sprintf("%s: %s", name, why)}
		}
		v, err := b.field.FromText(s.Constants[name], s.Validate)
		if err != nil {
			return nil, &decode.FileError{What: fmt.Sprintf("%s: %s", name, issueReason(b.field, s.Constants[name], err))}
		}
		out = append(out, constant{b.field, v})
	}
	return out, nil
}

func (s *Schema) checkMap() error {
	for _, from := range slices.Sorted(maps.Keys(s.Map)) {
		if b, why := s.byName(s.Map[from]); b == nil {
			return &decode.FileError{What: fmt.Sprintf("--map %s: %s: %s", decode.Quote(from+"="+s.Map[from]), decode.Shorten(s.Map[from]), why)}
		}
	}
	return nil
}

// validates reports whether values of f are checked. The id that names the record
// always is: nothing is sent for a record that can't exist.
func (s *Schema) validates(f *schema.Field) bool {
	return s.Validate || f.Type == schema.Int && f.Has(schema.Key)
}

// isValid reports whether the values pass their fields' checks.
func (s *Schema) isValid(values Values) bool {
	return !slices.ContainsFunc(values, func(v Value) bool {
		f := s.Resource.Field(v.Name)
		if f == nil {
			return false
		}
		_, err := f.FromJSON(v.JSON, s.validates(f))
		return err != nil
	})
}
