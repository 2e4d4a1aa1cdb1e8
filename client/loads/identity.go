package loads

import (
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/schema"
)

// keywordIdentity identifies a keyword by account, campaign and folded text. Rows of
// one keyword must agree in the keyword_type.
func keywordIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	id = appendKeywordID(id, v.Get("account_id"), v.Get("campaign_id"), v.Get("keyword"))
	return id, v.Get("keyword_type").AppendText(content)
}

// appendKeywordID appends the identity of a keyword to id.
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

// accountIdentity identifies an account by its external_account_identifier, or without
// one by name, e-mail, phone and postal code. Rows of one account must agree in all
// values.
func accountIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	content = rows.AppendValues(content, v)
	external := v.Get("external_account_identifier")
	if external.Kind() == record.Object {
		external = external.Get("field_value")
	}
	if len(external) > 0 && external.Text() != "" {
		return append(id, externalKey(external.Text())...), content
	}
	contact := contactKey(v.Get("account_name").Text(), v.Get("email").Text(), v.Get("phone").Text(), v.Get("postal").Text())
	return append(id, contact...), content
}

// externalKey returns the identity of an account with an external_account_identifier. As in portfolio.Held.Match, white space
// around the texts of an identity does not count, which a file never has, but the service may.
func externalKey(identifier string) []byte {
	return rows.JoinKey("external", schema.TrimSpace(identifier))
}

// contactKey returns the identity of an account without an
// external_account_identifier.
func contactKey(name, email, phone, postal string) []byte {
	return rows.JoinKey("contact", schema.TrimSpace(name), schema.TrimSpace(email), schema.TrimSpace(phone), schema.TrimSpace(postal))
}

// CustomerKey returns the identity of a customer that is known by the id of its account, and of its campaign
// if campaign is not empty.
func CustomerKey(account, campaign string) []byte { return rows.JoinKey("account", account, campaign) }

// credentialsIdentity identifies credentials by all values except the password, in
// which rows of the same credentials must agree.
func credentialsIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	var rest rows.Values
	for _, value := range v {
		if value.Name != "password" {
			rest = append(rest, value)
		}
	}
	return rows.AppendValues(id, rest), v.Get("password").AppendText(content)
}
