// Package portfolio is the model of a customer as a file holds it: an account, the keywords and
// the notes of its campaign, and its plan, in one record. It knows no call and no file.
//
// Model.Desired parses what a row of a file says of a customer. Current is what the service holds.
// A Comparison compares the two, and gives a Plan of what has to change for each customer.
package portfolio

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// A Model has the fields of a customer. All of them are declared in package schema.
type Model struct {
	account, keyword, notes, plan []schema.Field
	contact                       []*schema.Field
	resource                      *schema.Resource
}

// The fields of schema that the model treats in a way of their own.
const (
	fieldAccount    = "account_id"
	fieldCampaign   = "campaign_id"
	fieldStatus     = "status"
	fieldIdentifier = "external_account_identifier"
	fieldName       = "account_name"
	fieldPlan       = "service_plan_id"
	fieldUsername   = "username"
	fieldEmail      = "email"
	fieldAttributes = "attributes"
)

// frontFields is how many of Model.account are not fields of accounts create: the ids and the status.
const frontFields = 3

// FieldKeywords is the field with the list of keywords, and FieldPostal that with the postal code.
const (
	FieldKeywords = "keywords"
	FieldPostal   = "postal"
)

// New returns the model of the fields that are declared.
func New() *Model {
	front := []string{fieldAccount, fieldCampaign, fieldStatus}
	m := &Model{
		keyword: schema.Keywords.For(schema.Create|schema.Update).Without("rank_id", fieldAccount, fieldCampaign).Fields,
		notes:   schema.Notes.For(schema.Update).Without(fieldCampaign).Fields,
		plan:    schema.Plans.For(schema.Create).Without(fieldAccount, fieldCampaign).Fields,
		contact: ContactFields(),
	}
	for _, name := range front {
		m.account = append(m.account, schema.AccountsV2.Only(name).Fields...)
	}
	m.account = append(m.account, schema.AccountsV2.For(schema.Create).Without(front...).Fields...)
	m.resource = m.newResource()
	return m
}

// Resource returns the fields of a customer in their order, under their names in writes. Their
// uses are Read, and Create for those that a new customer may have.
func (m *Model) Resource() *schema.Resource { return m.resource }

// FileResource returns the fields of a new customer in a file, with those of its credentials.
func FileResource() *schema.Resource {
	res := New().resource.For(schema.Create)
	credentials := schema.Credentials.For(schema.Create).Without(fieldAccount, fieldCampaign).Fields
	for i := range credentials {
		f := &credentials[i]
		f.Name, f.Use, f.ColumnSynonyms = CredentialsColumn(f.Name), schema.Create, phrase.Each(f.ColumnSynonyms, CredentialsColumn)
	}
	behind := slices.IndexFunc(res.Fields, func(f schema.Field) bool { return f.Name == FieldKeywords }) + 1
	res.Fields = slices.Insert(res.Fields, behind, credentials...)
	return res
}

func (m *Model) newResource() *schema.Resource {
	res := &schema.Resource{Name: "customer"}
	for _, f := range m.account {
		f.Use |= schema.Read
		if f.ReadAs != "" {
			f.Aliases, f.ReadAs = append([]string{f.ReadAs}, f.Aliases...), ""
		}
		res.Fields = append(res.Fields, f)
	}
	res.Fields = append(res.Fields, schema.Field{
		Name: FieldKeywords, Type: schema.List, Use: schema.Read | schema.Create, Content: schema.KeywordText, Example: "city bikes;cargo bikes|interest",
		Help: "keywords separated by ;, each as text or text|type", ColumnSynonyms: schema.KeywordListSynonyms,
	})
	for _, f := range m.notes {
		f.Use = schema.Read | schema.Create
		res.Fields = append(res.Fields, f)
	}
	for _, f := range m.plan {
		if f.Use = schema.Read | schema.Create; f.Name == fieldPlan {
			f.Example = "3"
		}
		res.Fields = append(res.Fields, f)
	}
	return res
}

// Record returns the customer as a record of a file, with the fields of the model's resource. It leaves out what the service does
// not show or was not read, of keywords whose texts differ in case and white space only all but one (see Distinct), and the plan
// if there are several. If inCells is true, the keywords are one text, as a cell holds them, where a text can say all about them.
func (m *Model) Record(c *CurrentCustomer, inCells bool) (record.Record, error) {
	values := schema.Values{}
	set := func(fields []schema.Field, value func(f *schema.Field, rec record.Record) record.Value, rec record.Record) {
		for i := range fields {
			if v := value(&fields[i], rec); v != nil {
				values[fields[i].Name] = v
			}
		}
	}
	listed := c.listed()
	set(m.account, c.value, listed)
	set(m.notes, valueIn, recordOf(c.Notes))
	if len(c.Plans) == 1 {
		set(m.plan, valueIn, recordOf(c.Plans[0]))
	}
	if status := AccountStatus(listed); status != "" {
		values[fieldStatus] = record.Quote(status)
	}
	if c.Campaign != 0 {
		values[fieldCampaign] = record.Integer(c.Campaign)
	}
	switch {
	case c.Keywords == nil:
	case inCells:
		values[FieldKeywords] = m.cellOf(Distinct(c.Keywords), listSeparator)
	default:
		values[FieldKeywords] = elementsOf(Distinct(c.Keywords))
	}
	return record.Parse(m.resource.Body(values))
}

// valueIn returns the value of a field in a record of the service, of the type that the field
// has, or nil if the record does not show it. Older forms of records have other names.
func valueIn(f *schema.Field, rec record.Record) record.Value {
	for _, name := range append([]string{f.ReadName(), f.Name}, f.Aliases...) {
		v := rec.Get(name)
		k := v.Kind()
		if k == record.Missing || k == record.Null {
			continue
		}
		if (k == record.Object || k == record.Array) && f.Type != schema.Attributes {
			v = record.Quote(string(plainText(v))) // as a cell has it, since the fields of a file have no members
		}
		if f.Type == schema.Country && v.Kind() == record.String {
			code, _ := f.Repair(v.Text(), "", false)
			v = record.Quote(code)
		}
		if typed, err := f.FromJSON(v, false); err == nil {
			return typed
		}
		return v
	}
	return nil
}

// Identifier returns the external_account_identifier of an account of either version as a
// string, or nil if the account does not show it.
func Identifier(account record.Record) record.Value {
	v := account.Get(fieldIdentifier)
	if v.Kind() == record.Object {
		v = v.Get("field_value")
	}
	if !isGiven(v) {
		return nil
	}
	return record.Quote(v.Text())
}

// KeywordsCell returns the list of a row as a cell has it, with what its campaign holds in place of the entries of which isOther
// reports true: nothing for one that the campaign lacks. It reports false if all entries are as the row says.
func (m *Model) KeywordsCell(w *Desired, current []Keyword, isOther func(item int) bool, separator string) (cell string, ok bool) {
	same, _, _ := matchKeywords(w.Keywords, w.KeywordType, current)
	list := make([]Keyword, len(w.Keywords))
	for i := range list {
		k := &w.Keywords[i]
		switch list[i] = (Keyword{Text: k.Text, Type: cmp.Or(k.Type, w.KeywordType), Status: keywordDeactivated, Other: k.Other}); {
		case isOther(i) && !m.isCurrent(k, same[i], w.KeywordType):
			list[i], ok = *cmp.Or(same[i], &Keyword{}), true
		case k.Active:
			list[i].Status = keywordActivated
		}
	}
	return m.cellOf(list, separator).Text(), ok
}

// elementsOf returns keywords as a list, without those that have no value.
func elementsOf(keywords []Keyword) record.Value {
	var elements []record.Value
	for i := range keywords {
		if !keywords[i].isNone() {
			elements = append(elements, keywords[i].element())
		}
	}
	return record.ArrayOf(elements...)
}

// element returns a keyword as an element of a customer's list: its text, if it is an active target keyword, and otherwise an
// object with its keyword, type and status. A text with a | is in an object too, since a type may follow the | of a text.
func (k *Keyword) element() record.Value {
	if k.Type == KeywordTypes()[0] && k.Status == keywordActivated && k.Other == nil && !strings.Contains(k.Text, typeSeparator) {
		return record.Quote(k.Text)
	}
	var pairs []record.Pair
	status := k.Status
	switch status {
	case keywordActivated:
		status = StatusActive
	case keywordDeactivated:
		status = StatusDeactivated
	}
	for _, p := range [][2]string{{memberText, k.Text}, {memberType, k.Type}, {memberStatus, status}} {
		if p[1] != "" {
			pairs = append(pairs, record.Pair{Name: p[0], Value: record.Quote(p[1])})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.Other)) {
		pairs = append(pairs, record.Pair{Name: schema.Keywords.Field(name).ReadName(), Value: k.Other[name]})
	}
	return record.Of(pairs...).Raw()
}

// KeywordTypes returns the types of keywords. The first is that of most.
func KeywordTypes() []string { return schema.Keywords.Field("keyword_type").Enum }

// The statuses of a keyword in writes.
var (
	keywordActivated   = schema.Keywords.Field(fieldStatus).Enum[0]
	keywordDeactivated = schema.Keywords.Field(fieldStatus).Enum[1]
)

// The members of a keyword that is an object.
const (
	memberText   = "keyword"
	memberType   = "type"
	memberStatus = "status"
)

const (
	typeSeparator = "|" // between the text of a keyword and its type
	listSeparator = ";" // between the keywords of a cell
)

func (k *Keyword) isNone() bool { return k.Text+k.Type+k.Status == "" }

// cellOf returns keywords as one text, each as text or text|type, and nothing for one without a value. If the text would not be read
// back as these keywords, it returns them as a list.
func (m *Model) cellOf(keywords []Keyword, separator string) record.Value {
	parts := make([]string, len(keywords))
	for i := range keywords {
		k := &keywords[i]
		if k.isNone() {
			continue
		}
		if k.Status != keywordActivated || k.Other != nil || !slices.Contains(KeywordTypes(), k.Type) ||
			k.Text == "" || schema.TrimSpace(k.Text) != k.Text || strings.Contains(k.Text, listSeparator) || strings.Contains(k.Text, separator) || strings.HasPrefix(k.Text, "[") ||
			strings.ContainsFunc(k.Text, safetext.IsControl) || // which the cell would have as an escape
			strings.Contains(k.Text, ",") { // which may be meant as several keywords
			return elementsOf(keywords)
		}
		if parts[i] = k.Text; k.Type != KeywordTypes()[0] || strings.Contains(k.Text, typeSeparator) {
			parts[i] += typeSeparator + k.Type
		}
	}
	list := strings.Join(parts, separator)
	if _, repairs := m.resource.Field(FieldKeywords).Repair(list, "", true); repairs > 0 {
		return elementsOf(keywords)
	}
	return record.Quote(list)
}
