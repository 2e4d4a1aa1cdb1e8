package client

import (
	"cmp"
	"encoding/json"

	"reseller/client/schema"
)

// UnmarshalJSON accepts both forms of the record: the older one has active,
// phone_number and zip for status, phone and postal.
func (a *Account) UnmarshalJSON(b []byte) error {
	type plain Account
	form := struct {
		*plain
		Active      String `json:"active"`
		PhoneNumber String `json:"phone_number"`
		Zip         String `json:"zip"`
	}{plain: (*plain)(a)}
	a.Status, a.Phone, a.Postal = "", "", "" // a may hold an account that was decoded before
	if err := json.Unmarshal(b, &form); err != nil {
		return err
	}
	a.Phone, a.Postal = cmp.Or(a.Phone, form.PhoneNumber), cmp.Or(a.Postal, form.Zip)
	if a.Status == "" {
		a.Status = String(schema.AccountStatusWords[string(form.Active)])
	}
	return nil
}

// UnmarshalJSON accepts an account of the list and a single account, which has phone
// for phone_number.
func (a *AccountV1) UnmarshalJSON(b []byte) error {
	type plain AccountV1
	form := struct {
		*plain
		Phone String `json:"phone"`
	}{plain: (*plain)(a)}
	a.PhoneNumber = ""
	err := json.Unmarshal(b, &form)
	a.PhoneNumber = cmp.Or(a.PhoneNumber, form.Phone)
	return err
}
