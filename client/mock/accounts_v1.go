package mock

import (
	"strconv"

	"reseller/client/mock/api"
)

// identifierField is the name of the field with the identifier of an account. An
// identifier is a string in version 2 and a pair of field_name and field_value in version
// 1. For an identifier that was written as a string, field_name is identifierField too.
const identifierField = "external_account_identifier"

func newItemV1(a *account) api.Object {
	active, identifier := 1, any(struct{}{})
	if a.Deactivated {
		active = 0
	}
	if a.Identifier != nil {
		identifier = a.Identifier
	}
	return api.Object{
		"account_id", a.ID, "campaign_id", a.Campaign, "active", active, "account_name", a.AccountName,
		"first_name", a.FirstName, "last_name", a.LastName, "email", a.Email, "phone_number", a.Phone,
		"address_1", a.Address1, "address_2", a.Address2, "city", a.City, "state", a.State, "zip", a.Postal, identifierField, identifier,
	}
}

func idsV1(a *account) api.Object { return api.Object{"account_id", a.ID, "campaign_id", a.Campaign} }

func createAccountV1(c *call) (api.Response, error) {
	b := c.body
	var a account
	a.AccountName = strconv.FormatInt(b.RequiredInteger("account_name"), 10)
	a.setTexts(b, true)
	a.WebsiteURL = b.RequiredText("website_url")
	setIdentifierV1(&a, b)
	err := createAccount(c, &a)
	return respond(idsV1(&a), err)
}

func updateAccountV1(c *call) (api.Response, error) {
	b := c.body
	a, _, err := updateAccount(c, func(a *account) {
		b.SetText(&a.AccountName, "account_name", false)
		a.setTexts(b, false)
		setIdentifierV1(a, b)
	})
	return respond(idsV1(&a), err)
}

func setIdentifierV1(a *account, b *api.Body) {
	if o := b.Object(identifierField); o != nil {
		a.Identifier = &fieldValue{o.RequiredText("field_name"), o.RequiredText("field_value")}
	}
}

// getAccountV1 returns one account in version 1. Unlike an item of the list, it has no id, and some of its fields have
// other names.
func getAccountV1(c *call) (api.Response, error) {
	a, err := readAccount(c)
	return respond(api.Object{
		"account_name", a.AccountName, "phone", a.Phone, "email", a.Email, "first_name", a.FirstName, "last_name", a.LastName,
		"address_1", a.Address1, "address_2", a.Address2, "city", a.City, "state", a.State, "zip", a.Postal, "website_url", a.WebsiteURL,
	}, err)
}
