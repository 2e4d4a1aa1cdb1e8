package mock

import (
	"strconv"

	"reseller/client/mock/api"
)

// identifierField is the name of the field with the identifier of an account. An
// identifier is a string in version 2 and a pair of field_name and field_value in version
// 1. For an identifier that was written as a string, field_name is identifierField too.
const identifierField = "external_account_identifier"

type itemV1 struct {
	AccountID   int64  `json:"account_id"`
	CampaignID  int64  `json:"campaign_id"`
	Active      int    `json:"active"`
	AccountName string `json:"account_name"`
	FirstName   string `json:"first_name"`
	LastName    string `json:"last_name"`
	Email       string `json:"email"`
	PhoneNumber string `json:"phone_number"`
	Address1    string `json:"address_1"`
	Address2    string `json:"address_2"`
	City        string `json:"city"`
	State       string `json:"state"`
	Zip         string `json:"zip"`
	Identifier  any    `json:"external_account_identifier"`
}

func newItemV1(a *account) itemV1 {
	item := itemV1{
		AccountID: a.ID, CampaignID: a.Campaign, Active: 1, AccountName: a.AccountName,
		FirstName: a.FirstName, LastName: a.LastName, Email: a.Email, PhoneNumber: a.Phone,
		Address1: a.Address1, Address2: a.Address2, City: a.City, State: a.State, Zip: a.Postal,
		Identifier: struct{}{},
	}
	if a.Deactivated {
		item.Active = 0
	}
	if a.Identifier != nil {
		item.Identifier = a.Identifier
	}
	return item
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
