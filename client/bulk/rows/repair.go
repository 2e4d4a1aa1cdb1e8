package rows

import (
	"fmt"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// repair returns the text of a cell with its repairs, and records them. With
// Schema.Strict it returns an error instead.
func (b *builder) repair(t *binding, column, text string) (string, error) {
	if t.field == nil {
		return text, nil
	}
	repaired, made := t.field.Repair(text, b.country)
	if t.field.Type == schema.Country {
		b.country = strings.ToUpper(repaired)
	}
	switch {
	case made == 0 || t.kind == kindReadOnly:
		return text, nil
	case t.field.Content == schema.Prose && text == repaired+"\n": // a block of yaml ends so: nothing is to be noted
		b.repaired = append(b.repaired, RepairedCell{Field: t.key, Column: column, Text: text})
		return repaired, nil
	case !b.schema.Strict:
		b.repaired = append(b.repaired, RepairedCell{t.key, column, text, made})
		return repaired, nil
	case b.validates(t.field):
		return text, strictError(text, repaired)
	}
	return text, nil
}

func strictError(text, repaired string) error {
	return fmt.Errorf("%q would be repaired to %s, which --strict refuses", text, safetext.Quote(repaired))
}

// repairPostal repairs the postal codes of a row again, when the country of the row is
// known.
func (b *builder) repairPostal() {
	for _, f := range b.schema.postal {
		column, ok := b.column(f.Name)
		text := b.row.Values.Get(f.Name).Text()
		if !ok || text == "" {
			continue
		}
		t := &binding{kind: kindField, field: f, key: f.Name}
		repaired, err := b.repair(t, column, text)
		if err != nil {
			b.row.Values = slices.DeleteFunc(b.row.Values, func(v Value) bool { return v.Name == f.Name })
			b.addInvalid(t, column, text, err)
		} else if repaired != text {
			b.row.Values.Set(f.Name, record.Quote(repaired))
		}
	}
}

// checkDamage returns an error if a spreadsheet has spoiled a cell. text is the cell, v
// its value, nil if the cell is no valid value.
func (b *builder) checkDamage(t *binding, text string, v record.Value) error {
	if t.field == nil || t.kind == kindReadOnly || !b.schema.Validate || b.tolerant {
		return nil
	}
	if t.field.Type == schema.List && b.schema.keepsInvalid(t) {
		return nil
	}
	return t.field.Damage(text, v)
}

// splitList converts a cell such as "a; b" to a JSON array. White space around items and
// empty items are dropped.
func (b *builder) splitList(f *schema.Field, text string) (record.Value, error) {
	separator := b.schema.ListSeparator
	if separator == "" {
		separator = ";"
		if f.Content == schema.KeywordText && b.validates(f) && strings.Contains(text, ",") && !strings.Contains(text, separator) {
			return nil, fmt.Errorf("%q may be one keyword or several: --keyword-separator ',' splits it, --keyword-separator ';' does not", text)
		}
	}
	return splitList(text, separator), nil
}
