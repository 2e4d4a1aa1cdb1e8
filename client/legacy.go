package client

import (
	"cmp"
	"encoding/json"
)

// UnmarshalJSON accepts the older form of the record too.
func (a *Account) UnmarshalJSON(b []byte) error {
	type plain Account
	form := struct {
		*plain
		Active      String `json:"active"`
		PhoneNumber String `json:"phone_number"`
		Zip         String `json:"zip"`
	}{plain: (*plain)(a)}
	a.Status, a.Phone, a.Postal = "", "", "" // of a record that was decoded here before
	if err := json.Unmarshal(b, &form); err != nil {
		return err
	}
	a.Phone, a.Postal = cmp.Or(a.Phone, form.PhoneNumber), cmp.Or(a.Postal, form.Zip)
	if a.Status == "" {
		a.Status = map[String]String{"1": "active", "0": "deactivated"}[form.Active]
	}
	return nil
}

// UnmarshalJSON accepts the single record too, which has phone for phone_number.
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
