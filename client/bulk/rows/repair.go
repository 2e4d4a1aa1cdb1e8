package rows

import (
	"cmp"
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
	if b.isPadded && t.field.Type != schema.Int && t.field.Type != schema.Password {
		made |= schema.ShownZeros
	}
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
		if b.isPadded {
			return text, fmt.Errorf("%q is how the sheet shows a number with other digits or texts, which --strict refuses", text)
		}
		return text, fmt.Errorf("%q would be repaired to %s, which --strict refuses", text, safetext.Quote(repaired))
	}
	return text, nil
}

// completePostal repairs and checks the postal codes of a row, now that its country is known.
func (b *builder) completePostal() {
	if b.schema.postal == nil {
		return
	}
	b.country = cmp.Or(b.country, b.schema.countryOf(b.row.Values))
	for _, f := range b.schema.postal {
		text := b.row.Values.Get(f.Name).Text()
		if text == "" {
			continue
		}
		column, ok := b.column(f.Name)
		if !ok {
			column = f.Name // a flag sets it
		}
		t := &binding{kind: kindField, field: f, key: f.Name}
		repaired, err := b.repair(t, column, text)
		if err == nil && b.validates(f) {
			err = f.CheckPostal(repaired, b.country)
		}
		if err != nil {
			b.row.Values = slices.DeleteFunc(b.row.Values, func(v Value) bool { return v.Name == f.Name })
			b.named = append(b.named, sourceColumn{f.Name, column})
			b.addInvalid(t, column, text, err)
		} else if repaired != text {
			b.row.Values.Set(f.Name, record.Quote(repaired))
		}
	}
}

// countryOf returns the code of the country that a row has, "" if it has none.
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
		if _, made := f.Repair(text, country); made != 0 || f.CheckPostal(text, country) != nil {
			return false
		}
	}
	return true
}

// splitList converts a cell such as "a; b" to a JSON array. White space around items and empty items are dropped.
func (b *builder) splitList(f *schema.Field, text string) (record.Value, error) {
	items, err := schema.SplitKeywords(text, b.schema.ListSeparators, f.Content == schema.KeywordText && b.validates(f))
	list := make([]record.Value, len(items))
	for i, item := range items {
		list[i] = record.Quote(item)
	}
	return record.ArrayOf(list...), err
}

// isEmpty reports whether a text is empty although its field must not be, which it adds as an issue.
func (b *builder) isEmpty(t *binding, column, text string) bool {
	if text != "" || t.kind != kindField || b.tolerant {
		return false
	}
	err := t.field.CheckEmpty(text)
	if err != nil {
		b.setValue(t, column, text, nil, err)
	}
	return err != nil
}

// setPart sets one attribute, or the name or the value of a pair.
func (b *builder) setPart(t *binding, column, text string) {
	var err error
	if b.checks(t) {
		err = t.field.Damage(text, nil)
	}
	b.setValue(t, column, text, record.Quote(text), err)
}

// checks reports whether the values of a binding are checked here. CheckRow checks the elements of a list that the row keeps.
func (b *builder) checks(t *binding) bool {
	return b.validates(t.field) && !(t.field.Type == schema.List && b.schema.keepsInvalid(t))
}
