package rows

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// A builder builds the values of a row from its cells or its object, and collects the
// issues. It builds one row after the other in the same memory.
type builder struct {
	schema   *Schema
	row      Row
	issues   []decode.Issue
	named    []sourceColumn  // the columns that the row has a value in
	seen     map[string]bool // the members of the row's object so far
	repaired []RepairedCell
	country  string // the code of the row's country, which may stand in a column that is read only; empty if no column has it yet
	kept     int    // how many of the issues are of values that the row keeps
	parts    []part // the parts of fields from columns of their own
	bytes    []byte // the memory of the row's values

	references []cellReference

	unit     decode.Unit // how users find a row of the file
	hides    bool        // issues quote no cell, since the password of a row may stand in a wrong column
	isSheet  bool        // the file is csv, tsv or a workbook
	isPadded bool        // the cell that is set is a number that its sheet shows with zeros in front
}

// A part is one attribute, or the name or the value of a field of type Pair.
type part struct {
	field      *schema.Field
	name, text string
}

type sourceColumn struct{ key, column string }

func (b *builder) column(key string) (string, bool) {
	for i := range b.named {
		if b.named[i].key == key {
			return b.named[i].column, true
		}
	}
	return "", false
}

func (b *builder) addIssue(column, value, reason string) {
	if b.hides {
		value, reason = "", quotedText().ReplaceAllString(reason, "[hidden]")
	}
	// The issue must not keep the block of the file that the value is part of.
	value = strings.Clone(safetext.Cut(value, safetext.MaxMessage))
	issue := b.unit.Issue(b.row.Line, b.row.number)
	issue.Column, issue.Value, issue.Reason = column, value, reason
	b.issues = append(b.issues, issue)
}

// nameRecord says in the issues of the row which record the row is about, unless they are about the field that names it.
func (b *builder) nameRecord() {
	title := b.schema.title
	if title == nil || b.hides || b.issues == nil {
		return
	}
	name := cmp.Or(b.row.Values.Get(title.Name).Text(), b.row.ReadOnly[title.Name])
	if name == "" {
		return
	}
	column, _ := b.column(title.Name)
	for i := range b.issues {
		if b.issues[i].Column != column {
			b.issues[i].Record = title.Name + " " + safetext.Quote(name)
		}
	}
}

// refuseCell adds an issue of a cell that has no value for its fields, so that none of them is reported as missing.
func (b *builder) refuseCell(t *binding, column, text, reason string) {
	for _, key := range t.keys() {
		b.named = append(b.named, sourceColumn{key, column})
	}
	b.addIssue(column, text, reason)
}

// setValue sets a value, or adds an issue if err is not nil. text is the value as the file writes it, v the same as JSON.
func (b *builder) setValue(t *binding, column, text string, v record.Value, err error) {
	if before, ok := b.column(t.key); ok {
		if before == column || !b.has(t, text, v) {
			b.addIssue(column, "", b.schema.sameField(column, before))
		}
		return
	}
	b.named = append(b.named, sourceColumn{t.key, column})
	if err != nil {
		b.addInvalid(t, column, text, err)
		return
	}
	switch t.kind {
	case kindReadOnly:
		if b.row.ReadOnly == nil {
			b.row.ReadOnly = map[string]string{}
		}
		b.row.ReadOnly[t.key] = text
	case kindSubfield:
		b.parts = append(b.parts, part{t.field, t.subfield, text})
	default: // Values.Set is not needed: setValue is called once for each key
		b.row.Values = append(b.row.Values, Value{t.field.Name, v})
	}
}

// addInvalid adds the issue of an invalid value, which makes the row invalid unless the schema says that the row keeps it.
func (b *builder) addInvalid(t *binding, column, text string, err error) {
	value := text
	if t.isSecret() {
		value = ""
	}
	if errors.Is(err, schema.ErrNotWhole) && b.schema.References != nil && t.kind == kindField && t.field.IsReference() && !schema.IsID(text) && schema.ReferencePrefix(text) == "" {
		err = fmt.Errorf("%w: a name begins with %s, an external identifier with %s", err, schema.PrefixName, schema.PrefixIdentifier)
	}
	switch isShortened := b.isSheet && schema.IsShortened(text); {
	case isShortened && b.row.kinds == nil:
		err = fmt.Errorf("%w, in a column with the format Text, or export the file as .xlsx", err)
	case isShortened:
		err = fmt.Errorf("%w, in a column with the format Text", err)
	}
	b.addIssue(column, value, issueReason(t.field, text, err))
	b.issues[len(b.issues)-1].LeaveOut = b.schema.leaveOut(t.key, column)
	if b.schema.keepsInvalid(t) && t.field.Type != schema.List {
		b.kept++
	}
	v, bad := t.field.FromText(text, false)
	if bad != nil || t.kind == kindSubfield {
		v = record.Quote(text)
	}
	b.row.Invalid = append(b.row.Invalid, InvalidValue{Value: Value{t.key, v}})
}

func (s *Schema) keepsInvalid(t *binding) bool {
	return s.KeepsInvalid != nil && (t.kind == kindField || t.kind == kindSubfield) && s.KeepsInvalid(t.key)
}

// isInvalid reports whether the row has an issue that is not one of a value that it keeps.
func (b *builder) isInvalid() bool { return len(b.issues) > b.kept }

// complete joins subfields, adds constants and defaults, and checks the row as a
// whole. column returns the name of a field's column, for messages.
func (b *builder) complete(column func(field string) string) {
	b.joinParts()
	for _, c := range b.schema.constants {
		have := b.row.Values.Get(c.Name)
		column, _ := b.column(c.Name)
		switch {
		case have == nil:
			b.row.Values.Set(c.Name, c.JSON)
		case bytes.Equal(have, c.JSON):
		case b.schema.isSecret(c.Name):
			b.addIssue(column, "", "contradicts "+b.schema.Words.Of("the flag's value"))
		default:
			b.addIssue(column, have.Text(), fmt.Sprintf("%s contradicts %s %s", safetext.Quote(have.Text()), b.schema.Words.Of("the flag's value"), safetext.Quote(c.JSON.Text())))
		}
	}
	for name, v := range b.schema.Defaults {
		if b.row.Values.Get(name) == nil {
			b.row.Values.Set(name, v)
		}
	}
	b.completePostal()
	var missing []string
	for _, f := range b.schema.required {
		if b.row.Values.Get(f.Name) != nil {
			continue
		}
		name, last := column(f.Name), len(b.issues)-1
		isTold := last >= 0 && b.issues[last].Column == name || slices.Contains(missing, name) // of a column that is split
		if _, hasIssue := b.column(f.Name); !hasIssue && !isTold {                             // an invalid value has an issue already
			missing = append(missing, name)
		}
	}
	if len(missing) > maxMissing {
		b.addIssue("", "", "missing: "+strings.Join(missing, ", ")+"; delete the row if it has totals or a remark")
		missing = nil
	}
	for _, name := range missing {
		b.addIssue(name, "", "missing")
	}
	for _, f := range b.schema.orEmpty {
		if b.row.Values.Get(f.Name) == nil {
			b.row.Values.Set(f.Name, record.Value(`""`))
		}
	}
	if b.schema.CheckRow == nil || b.isInvalid() {
		return
	}
	if name, reason := b.schema.CheckRow(b.row.Given()); reason != "" {
		b.addIssue(column(name), "", reason)
		b.issues[len(b.issues)-1].LeaveOut = b.schema.leaveOut(name, column(name))
	}
}

// maxMissing is the largest number of missing values of a row that have an issue each. A row that lacks more may be no record.
const maxMissing = 5

// joinParts sets the fields whose parts have columns of their own: a list of attributes, or a pair of a name and a value. In an
// update it sets a value attributes.NAME for each attribute instead, since package loads merges them into the list that the
// service holds.
func (b *builder) joinParts() {
	for len(b.parts) > 0 {
		f := b.parts[0].field
		parts := slices.DeleteFunc(slices.Clone(b.parts), func(p part) bool { return p.field != f })
		b.parts = slices.DeleteFunc(b.parts, func(p part) bool { return p.field == f })
		if f.Type == schema.Pair {
			slices.SortFunc(parts, func(p, q part) int { return strings.Compare(p.name, q.name) }) // the name before the value
		}
		first, _ := b.column(f.Name + "." + parts[0].name)
		switch column, ok := b.column(f.Name); {
		case ok && f.Type == schema.Pair:
			b.addIssue(first, "", safetext.Quote(column)+" already sets it")
		case ok:
			b.addIssue(first, "", safetext.Quote(column)+" already sets the attributes")
		case f.Type == schema.Pair && len(parts) == 1:
			b.addIssue(first, "", nameHalf+" and "+valueHalf+" are required together")
		case f.Type == schema.Pair:
			b.row.Values.Set(f.Name, schema.PairValue(parts[0].text, parts[1].text))
		case b.schema.Use != schema.Create:
			for _, p := range parts {
				b.row.Values.Set(attributesPrefix+p.name, record.Quote(p.text))
			}
		default:
			list := record.Value("[]")
			for _, p := range parts {
				list = schema.AddAttribute(list, p.name, p.text)
			}
			b.row.Values.Set(f.Name, list)
		}
	}
}

const maxReason = 200

// issueReason returns the reason of an issue: the shortened value, and the message of err, the error of the field's check. It
// leaves the value of a password out.
func issueReason(f *schema.Field, text string, err error) string {
	rest := err.Error()
	if errors.Is(err, schema.ErrEmpty) {
		return rest
	}
	if quoted, bad := strconv.QuotedPrefix(rest); bad == nil {
		rest = strings.TrimSpace(rest[len(quoted):])
		text, _ = strconv.Unquote(quoted) // of a list, the item
	}
	if len(rest) > maxReason {
		rest = strings.ToValidUTF8(rest[:maxReason], "") + "…"
	}
	if f.Type == schema.Password {
		return rest
	}
	return safetext.Quote(text) + " " + rest
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
		if err == nil && b.schema.validates(f) {
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
