package rows

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// maxNesting is how deep objects may be nested. No field needs more than 2.
const maxNesting = 8

// members sets values from the members of a JSON object. The name of a nested member is the names on its path, joined by
// dots; prefix is the path of v, with a dot at its end.
func (b *builder) members(v record.Value, prefix string, depth int, names *binder) {
	for name, member := range v.Members() {
		name = prefix + name
		if b.seen[name] {
			b.addIssue(name, "", "occurs twice in one object")
			continue
		}
		b.seen[name] = true
		if member.Kind() == record.Object && len(member) > 2 {
			if fields, from := names.mapped(name); from != fromName && fields == nil { // which passes the object over
				names.bind(name)
				continue
			}
			if depth >= maxNesting {
				b.addIssue(name, "", "is nested too deeply")
				continue
			}
			b.members(member, name+".", depth+1, names)
			continue
		}
		to, reason := names.bind(name)
		if to != nil {
			b.set(to, name, member.Text(), member)
			continue
		}
		switch parts := names.schema.membersOf(name); {
		case parts != nil && (member.Kind() == record.Null || isEmptyObject(member)):
			// an object without members sets nothing
		case slices.ContainsFunc(parts, func(f *schema.Field) bool { return f.Type == schema.Password }):
			b.addIssue(name, "", fmt.Sprintf("is %s, not an object", member.Kind()))
		case parts != nil:
			b.addIssue(name, member.Text(), fmt.Sprintf("%s is %s, not an object", safetext.Quote(member.Text()), member.Kind()))
		default:
			b.addIssue(name, "", reason)
		}
	}
}

// has reports whether the row has the value already, as the json of a list does where the service sent it under an older name.
func (b *builder) has(t *binding, text string, v record.Value) bool {
	if t.kind != kindReadOnly {
		return v != nil && string(b.row.Values.Get(t.key)) == string(v)
	}
	before := b.row.ReadOnly[t.key]
	if t.field != nil {
		before, text = cmp.Or(t.field.Synonyms[before], before), cmp.Or(t.field.Synonyms[text], text)
	}
	return before == text
}

// set sets a value from a member of json, ndjson or yaml, or from the cell of another format, which has no v.
func (b *builder) set(t *binding, column, text string, v record.Value) {
	isCell, isList := v == nil, v.Kind() == record.Array || v.Kind() == record.Object
	if t.isIgnored() || v.Kind() == record.Null || t.kind == kindField && t.field.Type == schema.Pair && isEmptyObject(v) {
		return
	}
	change := func(to string) {
		if to != text && !isCell {
			v = record.Quote(to)
		}
		text = to
	}
	if t.kind == kindSplit && !isList {
		for i, part := range b.split(t, column, text) {
			change(part)
			b.set(t.parts[i], column, part, v)
		}
		return
	}
	if value, ok := b.schema.values[t.key][strings.TrimSpace(text)]; ok && !isList { // of the map file
		change(value)
	}
	if k := v.Kind(); isCell || (k == record.String || k == record.Number) && !schema.IsBroken(v) {
		repaired, err := b.repair(t, column, text)
		if err != nil {
			b.setValue(t, column, repaired, nil, err)
			return
		}
		change(repaired)
	}
	isText := isCell || v.Kind() == record.String
	if isText && (b.isAbsent(t, text, isCell) || b.keepReference(t, column, text) || b.isEmpty(t, column, text)) {
		return
	}
	switch {
	case t.kind == kindReadOnly:
		b.setValue(t, column, text, v, nil)
		return
	case t.kind != kindField && isList:
		b.addIssue(column, text, fmt.Sprintf("%s is %s, not a string", safetext.Quote(text), v.Kind()))
		return
	case t.kind != kindField:
		var err error
		if b.checks(t) {
			err = t.field.Damage(text, nil)
		}
		b.setValue(t, column, text, record.Quote(text), err)
		return
	case t.field.Type == schema.List && isText:
		b.setList(t, column, text)
		return
	case isCell && t.field.Type == schema.Attributes && text == "":
		text = "[]"
	case isCell && t.field.Type == schema.Pair && strings.HasPrefix(strings.TrimSpace(text), "{"):
		v, _ = record.ParseValue([]byte(text)) // nil for a text that is no JSON
	}
	if v != nil {
		v, err := t.field.FromJSON(v, b.checks(t))
		b.setValue(t, column, text, compact(v), err)
		return
	}
	start := len(b.bytes)
	var err error
	b.bytes, err = t.field.AppendText(b.bytes, text, b.checks(t))
	b.setValue(t, column, text, b.bytes[start:len(b.bytes):len(b.bytes)], err)
}

// isAbsent reports whether a text is empty and sets nothing. A member of an update is empty because its field is to be.
func (b *builder) isAbsent(t *binding, text string, isCell bool) bool {
	if isCell {
		return text == "" && !(b.schema.EmptyClears && b.schema.mayClear(t))
	}
	return text == "" && b.schema.Use == schema.Create
}

// isEmptyObject reports whether v stands for a missing object. Exported lists contain {}, [] or "" for one.
func isEmptyObject(v record.Value) bool {
	switch v.Kind() {
	case record.Object, record.Array:
		return !v.HasElements()
	}
	return v.Kind() == record.String && v.Text() == ""
}

// setList sets a list from a text, which is that of an array, or has separators. A text without an item says nothing: an
// empty list is an array.
func (b *builder) setList(t *binding, column, text string) {
	var v record.Value
	var err error
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		v, err = t.field.AppendText(nil, text, b.checks(t))
	} else if v, err = b.schema.splitList(t.field, text); err == nil && string(v) == "[]" {
		return
	}
	b.setValue(t, column, text, v, err)
}

// split returns the parts of a cell before and after its last space. A cell without a space is an issue, and has no parts.
func (b *builder) split(t *binding, column, text string) []string {
	if !t.isSecret() {
		var err error
		if text, err = b.repair(t.parts[0], column, text); err != nil {
			b.refuseCell(t, column, text, issueReason(t.parts[0].field, text, err))
			return nil
		}
	}
	at := strings.LastIndexFunc(text, unicode.IsSpace)
	switch {
	case text == "":
		return []string{"", ""}
	case at >= 0:
		return []string{strings.TrimRightFunc(text[:at], unicode.IsSpace), strings.TrimLeftFunc(text[at:], unicode.IsSpace)}
	}
	if t.isSecret() {
		text = ""
	}
	b.refuseCell(t, column, text, fmt.Sprintf("%s has no space at which %s ends and %s begins", safetext.Quote(text), t.parts[0].key, t.parts[1].key))
	return nil
}

// repair returns the text of a cell with its repairs, and records them. With Schema.Strict, which permits none, it returns an
// error, or the text of a field that is not validated. The cell of the country tells how those after it are repaired.
func (b *builder) repair(t *binding, column, text string) (string, error) {
	if t.field == nil {
		return text, nil
	}
	repaired, made := t.field.Repair(text, b.country, b.isSheet)
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
		if at := slices.IndexFunc(b.repaired, func(cell RepairedCell) bool { return cell.Field == t.key }); at >= 0 {
			b.repaired[at].Repairs |= made // once more, now that the country is known: its text is that of the file
			return repaired, nil
		}
		b.repaired = append(b.repaired, RepairedCell{t.key, column, text, made})
		return repaired, nil
	case b.schema.validates(t.field):
		if b.isPadded {
			return text, fmt.Errorf("%q is how the sheet shows a number with other digits or texts, which %s refuses", text, b.schema.Words.Of("--strict"))
		}
		return text, fmt.Errorf("%q would be repaired to %s, which %s refuses", text, safetext.Quote(repaired), b.schema.Words.Of("--strict"))
	}
	return text, nil
}

// isEmpty reports whether a text is empty although its field must not be, which it adds as an issue.
func (b *builder) isEmpty(t *binding, column, text string) bool {
	if text != "" || t.kind != kindField {
		return false
	}
	err := t.field.CheckEmpty(text)
	if err != nil {
		b.setValue(t, column, text, nil, err)
	}
	return err != nil
}

// checks reports whether the values of a binding are checked here. CheckRow checks the elements of a list that the row keeps.
func (b *builder) checks(t *binding) bool {
	return b.schema.validates(t.field) && !(t.field.Type == schema.List && b.schema.keepsInvalid(t))
}

// A cellReference is a cell of a row that names an account or a campaign in other words than by a number.
type cellReference struct {
	to     *binding
	column string
	text   string
}

// keepReference keeps a cell that names an account or a campaign by something else than a number, until resolveReferences sets its
// value. It reports whether the cell is one.
func (b *builder) keepReference(t *binding, column, text string) bool {
	isReference := b.schema.References != nil && t.kind == kindField && t.field.IsReference() && schema.IsReferenceCell(text)
	if isReference {
		b.references = append(b.references, cellReference{t, column, text})
	}
	return isReference
}

// resolveReferences sets the ids that the references of the row stand for: the account first, since a campaign is looked for
// among those of the account.
func (b *builder) resolveReferences() error {
	for _, field := range []string{"account_id", "campaign_id"} {
		account, _ := b.row.Values.Get("account_id").Int64()
		if account == 0 {
			account, _ = b.schema.constants.Get("account_id").Int64()
		}
		for _, r := range b.references {
			if r.to.field.Name != field {
				continue
			}
			found, err := b.schema.References.resolve(field, r.text, account)
			if err != nil {
				return err
			}
			if found.reason != "" {
				b.setValue(r.to, r.column, r.text, nil, fmt.Errorf("%s %s", strconv.Quote(r.text), found.reason))
				continue
			}
			b.setValue(r.to, r.column, r.text, record.Integer(found.id), nil)
			b.row.written = append(b.row.written, Value{field, record.Quote(r.text)})
		}
		b.doubtNumber(field)
	}
	return nil
}

// doubtNumber refuses a number in a field that is an id and a name of another record.
func (b *builder) doubtNumber(field string) {
	refs, number := b.schema.References, b.row.Values.Get(field).Text()
	if refs == nil || !refs.Numbers[number] || slices.ContainsFunc(b.row.written, func(v Value) bool { return v.Name == field }) {
		return
	}
	var called []string
	for _, name := range []string{"account_name", "external_account_identifier"} {
		called = append(called, b.row.Values.Get(name).Text(), b.row.ReadOnly[name])
	}
	campaign, _ := b.row.Values.Get("campaign_id").Int64()
	refs.mu.Lock()
	defer refs.mu.Unlock()
	if reason := refs.Doubt(field, number, campaign, called...); reason != "" {
		column, _ := b.column(field)
		b.addIssue(column, number, reason)
	}
}

func compact(v record.Value) record.Value {
	if k := v.Kind(); k == record.Array || k == record.Object {
		return v.AppendCompact(nil)
	}
	return v
}
