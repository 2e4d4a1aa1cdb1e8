package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// Wanted is what a file says of one customer. What the file does not say is the zero value.
type Wanted struct {
	Line       int // of the file; the caller sets it
	AccountID  int64
	CampaignID int64
	Fields     schema.Values // of accounts create, without account_id, and attributes.NAME for single attributes
	Status     string        // active, deactivated or empty
	Keywords   []WantedKeyword
	// HasKeywords says that the customer has a list of keywords, which may be empty.
	HasKeywords bool
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
}

// A WantedKeyword is a keyword of a customer's list.
type WantedKeyword struct {
	Text   string
	Type   string // empty if the file does not say it, which means Wanted.KeywordType
	Active bool   // false only if the file says so
}

// Wanted returns what the values of a row say of a customer. A value that is null counts as not given. keywordType is
// the type of new keywords whose type the row does not say. If the row is invalid, Wanted returns the field and the
// reason. The result does not refer to the memory of values.
func (m *Model) Wanted(values schema.Values, keywordType string) (w *Wanted, field, reason string) {
	w = &Wanted{Fields: schema.Values{}, KeywordType: keywordType}
	for _, f := range m.account[frontFields:] {
		if v := values[f.Name]; isGiven(v) {
			w.Fields[f.Name] = wantedValue(&f, v)
		}
	}
	for name, v := range values {
		if strings.HasPrefix(name, attributesPrefix) && isGiven(v) {
			w.Fields[name] = slices.Clone(v)
		}
	}
	if w.AccountID, reason = wantedID(values[fieldAccount]); reason != "" {
		return nil, fieldAccount, reason
	}
	if w.CampaignID, reason = wantedID(values[fieldCampaign]); reason != "" {
		return nil, fieldCampaign, reason
	}
	if v := values[fieldStatus]; isGiven(v) {
		status, err := schema.AccountsV2.Field(fieldStatus).FromJSON(v, true)
		if err != nil {
			return nil, fieldStatus, err.Error()
		}
		w.Status = status.Text()
	}
	if v := values[FieldKeywords]; isGiven(v) {
		w.HasKeywords = true
		if w.Keywords, reason = parseKeywords(v, keywordType); reason != "" {
			return nil, FieldKeywords, reason
		}
	}
	w.Notes = valuesOf(values, m.notes)
	if isGiven(values[fieldPlan]) {
		w.Plan = valuesOf(values, m.plan)
	}
	if w.Credentials = CredentialsOf(values); w.Credentials != nil {
		for _, f := range schema.Credentials.Without(fieldAccount, fieldCampaign).Having(schema.Required) {
			if w.Credentials[f.Name] == nil {
				return nil, CredentialsColumn(f.Name), "missing: other credentials of the customer are given"
			}
			if f.Type == schema.Password {
				delete(w.Credentials, f.Name)
			}
		}
	}
	return w, "", ""
}

func isGiven(v record.Value) bool {
	k := v.Kind()
	return k != record.Missing && k != record.Null
}

// wantedValue returns a copy of the value of a field of the account in the form in which it is sent.
func wantedValue(f *schema.Field, v record.Value) record.Value {
	switch {
	case f.Name == fieldIdentifier:
		return record.Quote(IdentifierText(v))
	case f.Type == schema.Country:
		code, _ := f.Repair(v.Text(), "")
		return record.Quote(code)
	}
	return slices.Clone(v)
}

// wantedID returns the id that a value is, 0 if none is given.
func wantedID(v record.Value) (id int64, reason string) {
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

// parseKeywords returns the keywords of a list, each once. keywordType is the type of those without one.
func parseKeywords(list record.Value, keywordType string) (keywords []WantedKeyword, reason string) {
	seen := map[string]int{} // the index in keywords of each folded text
	for item := range list.Elements() {
		k := WantedKeyword{Text: schema.TrimSpace(item.Text()), Active: true}
		switch itemKind := item.Kind(); {
		case itemKind == record.Object:
			if k, reason = parseKeywordObject(item); reason != "" {
				return nil, reason
			}
		case itemKind != record.String && itemKind != record.Number:
			return nil, fmt.Sprintf("contains %s, not a string or an object", itemKind)
		default:
			at := strings.LastIndex(k.Text, typeSeparator)
			if at < 0 {
				break
			}
			k.Text, k.Type = schema.TrimSpace(k.Text[:at]), schema.TrimSpace(k.Text[at+1:])
			if !slices.Contains(KeywordTypes(), k.Type) {
				return nil, fmt.Sprintf("%q: the type after the last | is %q, not one of %s", safetext.Shorten(item.Text()), safetext.Shorten(k.Type), strings.Join(KeywordTypes(), ", "))
			}
		}
		if k.Text == "" {
			return nil, fmt.Sprintf("%q has no text", safetext.Shorten(item.Text()))
		}
		folded := schema.FoldText(k.Text)
		at, twice := seen[folded]
		switch {
		case !twice:
			seen[folded] = len(keywords)
			keywords = append(keywords, k)
		case cmp.Or(keywords[at].Type, keywordType) != cmp.Or(k.Type, keywordType):
			return nil, fmt.Sprintf("%q is given twice, with different types", safetext.Shorten(k.Text))
		case keywords[at].Active != k.Active:
			return nil, fmt.Sprintf("%q is given twice, with different statuses", safetext.Shorten(k.Text))
		default:
			keywords[at].Type = cmp.Or(keywords[at].Type, k.Type)
		}
	}
	return keywords, ""
}

// parseKeywordObject returns a keyword that an object gives by its keyword, type and status.
func parseKeywordObject(object record.Value) (k WantedKeyword, reason string) {
	k.Active = true
	text := safetext.Shorten(object.Get(memberText).Text()) // quoted in each reason, so that it can be hidden
	for name, v := range object.Members() {
		f := schema.Keywords.Field(name)
		if f == nil || !slices.Contains([]string{"keyword", "keyword_type", "status"}, f.Name) {
			return k, fmt.Sprintf("%q has %q, which is none of keyword, type, status", text, safetext.Shorten(name))
		}
		if !isGiven(v) && f.Name != memberText {
			continue
		}
		if word := keywordStatusWords[v.Text()]; f.Name == memberStatus && word != "" {
			v = record.Quote(word)
		}
		v, err := f.FromJSON(v, true)
		if err != nil {
			return k, fmt.Sprintf("%q: %s %v", text, name, err)
		}
		switch value := v.Text(); f.Name {
		case "keyword":
			k.Text = schema.TrimSpace(value)
		case "keyword_type":
			k.Type = value
		default:
			k.Active = value == keywordActivated
		}
	}
	return k, ""
}
