package loads

import (
	"slices"

	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

const fieldIdentifier = "external_account_identifier"

// A keywordContent is the fields of a keyword to add that do not identify it.
type keywordContent []*schema.Field

func newKeywordContent() keywordContent {
	return slices.DeleteFunc(schema.Keywords.Having(schema.Create), func(f *schema.Field) bool { return f.Has(schema.Identity) })
}

// identity identifies a keyword by account, campaign and folded text. Rows of one keyword must agree in all else.
func (fields keywordContent) identity(v rows.Values, id, content []byte) ([]byte, []byte) {
	id = appendKeywordID(id, v.Get("account_id"), v.Get("campaign_id"), v.Get("keyword"))
	for i, f := range fields {
		content = appendKeywordField(content, i, v.Get(f.Name))
	}
	return id, content
}

// of returns the content of a keyword that the service holds, as identity returns it for a row that says all of it.
func (fields keywordContent) of(rec record.Record, content []byte) []byte {
	for i, f := range fields {
		v, _ := portfolio.CurrentValue(f, rec)
		content = appendKeywordField(content, i, v)
	}
	return content
}

func appendKeywordField(content []byte, field int, v record.Value) []byte {
	if v == nil {
		return content
	}
	return append(v.AppendText(append(content, byte(field))), 0)
}

func appendKeywordID(id []byte, account, campaign, text record.Value) []byte {
	start := len(id)
	id = account.AppendText(id)
	first := len(id)
	id = campaign.AppendText(id)
	second := len(id)
	if folded, ok := text.AppendLower(id); ok {
		id = folded
	} else {
		id = schema.AppendFolded(text.AppendText(id), second)
	}
	return rows.AppendEnds(id, first-start, second-start, len(id)-start)
}

// KeywordKey returns the identity of a keyword.
func KeywordKey(account, campaign int64, text string) []byte {
	return appendKeywordID(nil, record.Integer(account), record.Integer(campaign), record.Quote(text))
}

// AccountIdentity is the rows.Schema.Identity of accounts to create: it identifies an account by its external_account_identifier, or without
// one by the other fields of its identity. Rows of one account must agree in all values.
func AccountIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	content = AppendAccount(content, v)
	if external := portfolio.IdentifierText(v.Get(fieldIdentifier)); external != "" {
		return append(id, externalKey(external)...), content
	}
	return append(id, contactKey(func(f *schema.Field) string { return v.Get(f.Name).Text() })...), content
}

// AppendAccount appends the values of an account in the form in which two of them are compared.
func AppendAccount(content []byte, v rows.Values) []byte {
	v = slices.Clone(v)
	for i, value := range v {
		if f := schema.AccountsV2.Field(value.Name); f != nil && value.JSON.Kind() == record.String {
			v[i].JSON = record.Quote(portfolio.Comparable(f, value.JSON.Text()))
		}
	}
	return rows.AppendValues(content, v)
}

// externalKey returns the identity of an account with an external_account_identifier. It compares as portfolio.Current.Match does.
func externalKey(identifier string) []byte {
	return rows.JoinKey("external", portfolio.Comparable(schema.AccountsV2.Field(fieldIdentifier), identifier))
}

// contactKey returns the identity of an account without an external_account_identifier: text returns the text of a field.
func contactKey(text func(*schema.Field) string) []byte {
	parts := []string{"contact"}
	for _, f := range portfolio.ContactFields() {
		parts = append(parts, portfolio.Comparable(f, text(f)))
	}
	return rows.JoinKey(parts...)
}

// CustomerKey returns the identity of a customer that is known by the id of its account, and of its campaign
// if campaign is not empty.
func CustomerKey(account, campaign string) []byte { return rows.JoinKey("account", account, campaign) }

// unplacedKeywords are keywords of which the service does not show the account, the campaign or the text.
type unplacedKeywords map[unplacedKeyword]bool

// An unplacedKeyword has what the service shows of a keyword, its text folded. What it does not show is 0 or empty.
type unplacedKeyword struct {
	account, campaign int64
	text              string
}

// doubt returns why a row may be one of the keywords, empty if none may be it.
func (u unplacedKeywords) doubt(row *rows.Row) string {
	account, campaign := IDsOf(row.Values)
	text := schema.FoldText(row.Values.Get("keyword").Text())
	switch {
	case u[unplacedKeyword{account, 0, text}], u[unplacedKeyword{0, 0, text}]:
		return "the service shows this keyword without its campaign"
	case u[unplacedKeyword{0, campaign, text}]:
		return "the service shows this keyword without its account"
	case u[unplacedKeyword{account, campaign, ""}], u[unplacedKeyword{account, 0, ""}], u[unplacedKeyword{0, campaign, ""}], u[unplacedKeyword{}]:
		return "the service shows a keyword without its text, which may be this one"
	}
	return ""
}
