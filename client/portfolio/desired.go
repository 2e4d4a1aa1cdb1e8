package portfolio

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// Desired is what a file says of one customer. What the file does not say is the zero value.
type Desired struct {
	Line       int // of the file; the caller sets it
	AccountID  int64
	CampaignID int64
	Fields     schema.Values // of accounts create, without account_id, and attributes.NAME for single attributes
	Status     string        // active, deactivated or empty, or another word, of which Invalid has the reason
	Keywords   []DesiredKeyword
	// HasKeywords says that the customer has a list of keywords, which may be empty.
	HasKeywords bool
	// InvalidKeywords are the keywords of the list that can't be sent, each with its Reason. Keywords lacks them.
	InvalidKeywords []DesiredKeyword
	// KeywordType is the type of keywords whose type the file does not say.
	KeywordType string
	Notes       schema.Values // nil if not given
	Plan        schema.Values // nil if not given
	// Credentials has no password, which must not stay in memory: the caller takes it from the row with
	// CredentialsOf when it is sent. nil if not given.
	Credentials schema.Values
	// Original are the texts in the file of the values that were repaired when the file was read, by the name of the
	// field; the caller sets it. If the service holds such a text, the field does not differ.
	Original map[string]string
	// Invalid are the reasons for which values can't be sent, by the name of the field; the caller adds those that it has
	// found. They are faults only of values that would be sent: of what the service holds, nothing is.
	Invalid map[string]string
}

// A DesiredKeyword is a keyword of a customer's list.
type DesiredKeyword struct {
	Text   string
	Type   string // empty if the file does not say it, which means Desired.KeywordType
	Active bool   // false only if the file says so
	// Other has the values of the other fields that a write of a keyword may have, nil if the file gives none.
	Other  schema.Values
	Status string // the word of the file for the status, if it is none of a keyword's statuses
	Reason string // why the keyword can't be sent: its text, type or status is invalid
}

// KeywordValues returns what a write of a keyword of the list sends, by the fields that have a use, and always its text.
func (w *Desired) KeywordValues(item int, use schema.Use) schema.Values {
	k := &w.Keywords[item]
	values := schema.Values{memberText: record.Quote(k.Text)}
	for i := range schema.Keywords.Fields {
		f := &schema.Keywords.Fields[i]
		switch name := f.ReadName(); {
		case !f.Has(use) || name == memberText:
		case name == memberType:
			values[f.Name] = record.Quote(cmp.Or(k.Type, w.KeywordType))
		case name == memberStatus:
			values[f.Name] = record.Quote(keywordActivated)
			if !k.Active {
				values[f.Name] = record.Quote(keywordDeactivated)
			}
		default:
			if v := k.Other[f.Name]; v != nil {
				values[f.Name] = v
			}
		}
	}
	return values
}

// merge adds what another entry of the list says of the same keyword. If the two contradict each other, it returns in what.
func (k *DesiredKeyword) merge(other *DesiredKeyword, defaultType string) (contradiction string) {
	if cmp.Or(k.Type, defaultType) != cmp.Or(other.Type, defaultType) {
		return "types"
	}
	if k.Active != other.Active {
		return "statuses"
	}
	for _, name := range slices.Sorted(maps.Keys(other.Other)) {
		if before := k.Other[name]; before != nil && before.Text() != other.Other[name].Text() {
			return name
		}
	}
	k.Type = cmp.Or(k.Type, other.Type)
	if k.Other == nil {
		k.Other = other.Other
	}
	maps.Copy(k.Other, other.Other)
	return ""
}

// A Fault is why a row is invalid. Field is empty if it is the row as a whole.
type Fault struct {
	Field, Reason string
	Shown         bool // the service shows what the reason quotes, so that it is no secret of the file
}

// InvalidFaults returns the faults of all values that can't be sent.
func (w *Desired) InvalidFaults() []Fault {
	var faults []Fault
	for _, name := range slices.Sorted(maps.Keys(w.Invalid)) {
		faults = append(faults, Fault{Field: name, Reason: w.Invalid[name]})
	}
	for i := range w.InvalidKeywords {
		faults = append(faults, Fault{Field: FieldKeywords, Reason: w.InvalidKeywords[i].Reason})
	}
	return faults
}

// KeywordOptions say how the list of a row's keywords is parsed.
type KeywordOptions struct {
	Type string // the type of new keywords whose type the row does not say
	// NoValidate takes texts for valid that a spreadsheet has certainly spoiled.
	NoValidate bool
}

// Desired returns what the values of a row say of a customer. A value that is null counts as not given. If the row is invalid
// whatever the service holds, Desired returns the field and the reason. The result does not refer to the memory of values.
func (m *Model) Desired(values schema.Values, o KeywordOptions) (w *Desired, field, reason string) {
	w = &Desired{Fields: schema.Values{}, KeywordType: o.Type}
	for _, f := range m.account[frontFields:] {
		if v := values[f.Name]; isGiven(v) {
			if w.Fields[f.Name] = slices.Clone(v); f.Name == fieldIdentifier {
				w.Fields[f.Name] = record.Quote(IdentifierText(v))
			}
		}
	}
	for name, v := range values {
		if strings.HasPrefix(name, AttributesPrefix) && isGiven(v) {
			w.Fields[name] = slices.Clone(v)
		}
	}
	if w.AccountID, reason = desiredID(values[fieldAccount]); reason != "" {
		return nil, fieldAccount, reason
	}
	if w.CampaignID, reason = desiredID(values[fieldCampaign]); reason != "" {
		return nil, fieldCampaign, reason
	}
	if v := values[fieldStatus]; isGiven(v) {
		w.Status = StatusWord(v.Text())
		if _, err := schema.AccountsV2.Field(fieldStatus).FromJSON(v, true); err != nil {
			w.AddInvalid(fieldStatus, err.Error())
		}
	}
	if v := values[FieldKeywords]; isGiven(v) {
		w.HasKeywords = true
		if w.Keywords, w.InvalidKeywords, reason = m.parseKeywords(v, o); reason != "" {
			return nil, FieldKeywords, reason
		}
	}
	w.Notes = valuesOf(values, m.notes)
	if isGiven(values[fieldPlan]) {
		w.Plan = valuesOf(values, m.plan)
	}
	if w.Credentials = CredentialsOf(values); w.Credentials != nil {
		given, missing := "note", []string(nil)
		for _, f := range schema.Credentials.Without(fieldAccount, fieldCampaign, given).Having(schema.Required) {
			if w.Credentials[f.Name] == nil {
				missing = append(missing, f.Name)
			} else if f.Name != "reseller_account_id" { // which the configuration may give
				given = f.Name
			}
			if f.Type == schema.Password {
				delete(w.Credentials, f.Name)
			}
		}
		if missing != nil {
			return nil, CredentialsColumn(given), "the credentials lack " + phrase.And(missing) + ": give " + phrase.Noun(len(missing), "it", "them") + ", or no credentials"
		}
	}
	return w, "", ""
}

// AddInvalid adds to Invalid why the value of a field can't be sent.
func (w *Desired) AddInvalid(field, reason string) {
	if w.Invalid == nil {
		w.Invalid = map[string]string{}
	}
	w.Invalid[field] = reason
}

func isGiven(v record.Value) bool {
	k := v.Kind()
	return k != record.Missing && k != record.Null
}

func desiredID(v record.Value) (id int64, reason string) {
	if !isGiven(v) || v.Kind() == record.String && v.Text() == "" {
		return 0, ""
	}
	id, ok := v.Int64()
	if !ok || id <= 0 {
		return 0, fmt.Sprintf("%s is not an id", safetext.Quote(v.Text()))
	}
	return id, ""
}

// valuesOf returns copies of the values of a row that are fields of a list, nil if there are none.
func valuesOf(row schema.Values, fields []schema.Field) schema.Values {
	var values schema.Values
	for _, f := range fields {
		if v := row[f.Name]; isGiven(v) {
			if values == nil {
				values = schema.Values{}
			}
			values[f.Name] = slices.Clone(v)
		}
	}
	return values
}

// CredentialsPrefix begins the names of the columns for a customer's credentials.
const CredentialsPrefix = "credentials."

// CredentialsColumn returns the column for a field of schema.Credentials.
func CredentialsColumn(field string) string { return CredentialsPrefix + field }

// CredentialsOf returns the credentials of a row by the fields of schema.Credentials, the password among them, or nil
// if it has none. A row with only a reseller_account_id has none, since that value is a default of all rows.
func CredentialsOf(row schema.Values) schema.Values {
	given := schema.Values{}
	for name, v := range row {
		if field, ok := strings.CutPrefix(name, CredentialsPrefix); ok && isGiven(v) {
			given[field] = slices.Clone(v)
		}
	}
	if _, account := given["reseller_account_id"]; len(given) == 0 || account && len(given) == 1 {
		return nil
	}
	if given["note"] == nil {
		given["note"] = record.Value(`""`)
	}
	return given
}

// parseKeywords returns the keywords of a list, each once, and apart from them those that can't be sent. If the list is
// invalid whatever the service holds, it returns the reason.
func (m *Model) parseKeywords(list record.Value, o KeywordOptions) (keywords, invalid []DesiredKeyword, reason string) {
	field := m.resource.Field(FieldKeywords)
	seen := map[string]int{} // the index in keywords of each folded text, or isInvalid
	const isInvalid = -1
	for item := range list.Elements() {
		k, reason := m.parseKeyword(item)
		if reason != "" {
			return nil, nil, reason
		}
		if damage := field.Damage(item.Text(), item); damage != nil && !o.NoValidate {
			k.Reason = shortened(damage)
		}
		folded := schema.FoldText(k.Text)
		at, twice := seen[folded]
		switch {
		case twice && (at == isInvalid || k.Reason != ""):
			return nil, nil, cmp.Or(k.Reason, fmt.Sprintf("%q is given twice", safetext.Shorten(k.Text)))
		case k.Reason != "":
			seen[folded] = isInvalid
			invalid = append(invalid, k)
		case !twice:
			seen[folded] = len(keywords)
			keywords = append(keywords, k)
		default:
			if what := keywords[at].merge(&k, o.Type); what != "" {
				return nil, nil, fmt.Sprintf("%q is given twice, with different %s", safetext.Shorten(k.Text), what)
			}
		}
	}
	return keywords, invalid, ""
}

// shortened returns the text of an error that begins with a quoted value, which may be long.
func shortened(err error) string {
	quoted, _ := strconv.QuotedPrefix(err.Error())
	value, _ := strconv.Unquote(quoted)
	return safetext.Quote(value) + strings.TrimPrefix(err.Error(), quoted)
}

// parseKeyword returns a keyword of a list, with the reason if it can't be sent. fault is why no list may have it.
func (m *Model) parseKeyword(item record.Value) (k DesiredKeyword, fault string) {
	switch kind := item.Kind(); {
	case kind == record.Object:
		k, fault = m.parseKeywordObject(item)
	case kind != record.String && kind != record.Number:
		return k, fmt.Sprintf("contains %s, not a string or an object", kind)
	default:
		k.Text, k.Active = schema.TrimSpace(item.Text()), true
		if at := strings.LastIndex(k.Text, typeSeparator); at >= 0 {
			k.Text, k.Type = schema.TrimSpace(k.Text[:at]), schema.TrimSpace(k.Text[at+1:])
			if !slices.Contains(KeywordTypes(), k.Type) {
				k.Reason = fmt.Sprintf("%q: the type after the last | is %q, not one of %s", safetext.Shorten(item.Text()), safetext.Shorten(k.Type), strings.Join(KeywordTypes(), ", "))
			}
		}
	}
	if k.Text == "" && k.Reason == "" {
		k.Reason = fmt.Sprintf("%q has no text", safetext.Shorten(item.Text()))
	}
	return k, fault
}

// parseKeywordObject returns a keyword that an object gives by the fields that a write of a keyword may have, with the reason
// if it can't be sent. fault is why no list may have it.
func (m *Model) parseKeywordObject(object record.Value) (k DesiredKeyword, fault string) {
	k.Active = true
	text := safetext.Shorten(object.Get(memberText).Text()) // quoted in each reason, so that it can be hidden
	for name, v := range object.Members() {
		at := slices.IndexFunc(m.keyword, func(f schema.Field) bool { return f.Is(name) })
		if at < 0 {
			names := phrase.Each(m.keyword, func(f schema.Field) string { return f.ReadName() })
			return k, fmt.Sprintf("%q has %q, which is none of %s", text, safetext.Shorten(name), strings.Join(names, ", "))
		}
		f := &m.keyword[at]
		if !isGiven(v) && f.Name != memberText {
			continue
		}
		isText := v.Kind() != record.Array && v.Kind() != record.Object && !schema.IsBroken(v)
		if word := f.Word(v.Text()); f.Name == memberStatus && slices.Contains(f.Enum, word) {
			v = record.Quote(word)
		}
		valid, err := f.FromJSON(v, f.Name != memberText || !isText) // an object has the text as it is; parseKeywords looks for damage
		if err != nil {
			k.Reason = cmp.Or(k.Reason, fmt.Sprintf("%q: %s %v", text, name, err))
			valid = v
		}
		switch value := valid.Text(); {
		case f.ReadName() == memberText:
			k.Text = schema.TrimSpace(value)
		case f.ReadName() == memberType:
			k.Type = value
		case f.ReadName() != memberStatus:
			if k.Other == nil {
				k.Other = schema.Values{}
			}
			k.Other[f.Name] = slices.Clone(valid)
		case err != nil:
			k.Status = value
		default:
			k.Active = value == keywordActivated
		}
	}
	return k, ""
}
