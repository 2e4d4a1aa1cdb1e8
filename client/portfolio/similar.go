package portfolio

import (
	"fmt"
	"slices"

	"reseller/client/safetext"
	"reseller/client/schema"
)

// Similar are the accounts that the service holds, by what tells that an account to create is the same customer under
// another identifier: name, e-mail and phone. Case and white space do not count. The zero value has no accounts.
type Similar struct{ accounts map[string]similarAccount }

type similarAccount struct {
	id         int64
	identifier string
}

// Add adds an account whose fields have the texts that text returns.
func (s *Similar) Add(id int64, text func(*schema.Field) string) {
	if s.accounts == nil {
		s.accounts = map[string]similarAccount{}
	}
	s.accounts[similarKey(text)] = similarAccount{id, text(schema.AccountsV2.Field(fieldIdentifier))}
}

// Fault returns the field and the reason why an account whose fields have the texts that text returns should not be created:
// the service holds the customer under another identifier. The reason is empty if it does not.
func (s *Similar) Fault(text func(*schema.Field) string) (field, reason string) {
	key := similarKey(text)
	found, ok := s.accounts[key]
	if !ok || key == "" {
		return "", ""
	}
	under := "no external_account_identifier"
	if found.identifier != "" {
		under = "the external_account_identifier " + safetext.Quote(found.identifier)
	}
	return fieldIdentifier, fmt.Sprintf("account %d has the same account_name, email and phone, and %s: --allow-similar creates another account", found.id, under)
}

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
