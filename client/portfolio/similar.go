package portfolio

import (
	"fmt"
	"slices"

	"reseller/client/safetext"
	"reseller/client/schema"
)

// Similar are accounts that the service holds or that rows of a file create, by what tells that another account to create is
// the same customer under another identifier: name, e-mail and phone. Case and white space do not count. The zero value has no
// accounts.
type Similar struct{ accounts map[string]similarAccount }

type similarAccount struct {
	place      string
	identifier string
}

// Add adds an account whose fields have the texts that text returns, unless there is one of the customer. place says where it is.
func (s *Similar) Add(place string, text func(*schema.Field) string) {
	if s.accounts == nil {
		s.accounts = map[string]similarAccount{}
	}
	key := similarKey(text)
	if _, ok := s.accounts[key]; !ok && key != "" {
		s.accounts[key] = similarAccount{place, text(schema.AccountsV2.Field(fieldIdentifier))}
	}
}

// Fault returns the field and the reason why a row, whose fields have the texts that text returns, should not create its
// account: there is one of the customer under another identifier. Otherwise the reason is empty, and the account is added.
func (s *Similar) Fault(place string, text func(*schema.Field) string) (field, reason string) {
	found, ok := s.accounts[similarKey(text)]
	if !ok {
		s.Add(place, text)
		return "", ""
	}
	under := "no external_account_identifier"
	if found.identifier != "" {
		under = "the external_account_identifier " + safetext.Quote(found.identifier)
	}
	return fieldIdentifier, fmt.Sprintf("%s has the same account_name, email and phone, and %s: --allow-similar creates another account", found.place, under)
}

// HeldPlace is the place of an account that the service holds.
func HeldPlace(account int64) string { return fmt.Sprintf("account %d", account) }

// similarKey returns the fields of ContactFields but the postal code as one text, empty if one of them is.
func similarKey(text func(*schema.Field) string) string {
	fields := slices.DeleteFunc(ContactFields(), func(f *schema.Field) bool { return f.Content == schema.PostalCode })
	return keyOf(fields, func(f *schema.Field) string { return schema.FoldText(text(f)) })
}

// keyOf returns the texts of fields as one text, empty if one of them is.
func keyOf(fields []*schema.Field, text func(*schema.Field) string) string {
	key := ""
	for _, f := range fields {
		part := text(f)
		if part == "" {
			return ""
		}
		key += part + "\x00"
	}
	return key
}

// SeveralAccounts says that several accounts have an identifier.
func SeveralAccounts(identifier string, ids []int64) string {
	return fmt.Sprintf("%s is that of %d accounts (%s)", safetext.Quote(identifier), len(ids), IDsText(ids))
}
