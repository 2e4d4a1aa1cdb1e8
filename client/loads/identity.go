package loads

import (
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// KeywordIdentity is account, campaign and text as FoldText has it; the
// keyword_type must agree.
func KeywordIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	id = AppendKeywordID(id, v.Get("account_id"), v.Get("campaign_id"), v.Get("keyword"))
	return id, v.Get("keyword_type").AppendText(content)
}

// AppendKeywordID appends the identity of a keyword.
func AppendKeywordID(id []byte, account, campaign, text record.Value) []byte {
	start := len(id)
	id = account.AppendText(id)
	first := len(id)
	id = campaign.AppendText(id)
	second := len(id)
	if folded, ok := text.AppendLower(id); ok {
		id = folded
	} else {
		id = rows.AppendFolded(text.AppendText(id), second)
	}
	return rows.AppendEnds(id, first-start, second-start, len(id)-start)
}

// AccountIdentity is the external_account_identifier, else name, e-mail, phone
// and postal code together; everything must agree.
func AccountIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	content = rows.AppendValues(content, v)
	external := v.Get("external_account_identifier")
	if external.Kind() == record.Object {
		external = external.Get("field_value")
	}
	if len(external) > 0 && external.Text() != "" {
		return append(id, ExternalID(external.Text())...), content
	}
	contact := ContactID(v.Get("account_name").Text(), v.Get("email").Text(), v.Get("phone").Text(), v.Get("postal").Text())
	return append(id, contact...), content
}

// ExternalID is the identity of an account by its external_account_identifier.
func ExternalID(identifier string) []byte { return rows.JoinKey("external", identifier) }

// ContactID is the identity of an account without one.
func ContactID(name, email, phone, postal string) []byte {
	return rows.JoinKey("contact", name, email, phone, postal)
}

// CredentialsIdentity is everything but the password, which must agree.
func CredentialsIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	var rest rows.Values
	for _, value := range v {
		if value.Name != "password" {
			rest = append(rest, value)
		}
	}
	return rows.AppendValues(id, rest), v.Get("password").AppendText(content)
}
