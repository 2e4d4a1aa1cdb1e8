package portfolio

import (
	"strings"
	"testing"

	"reseller/client/schema"
)

// TestSimilar looks for the account that a customer has under another identifier.
func TestSimilar(t *testing.T) {
	text := func(of map[string]string) func(*schema.Field) string {
		return func(f *schema.Field) string { return of[f.Name] }
	}
	var held Similar
	held.Add(6, text(map[string]string{"account_name": "Harbour  Bikes", "email": "ada@example.com", "phone": "555-0100", "external_account_identifier": "k-1"}))
	held.Add(7, text(map[string]string{"account_name": "Quay", "email": "q@example.com", "phone": "1"}))
	held.Add(8, text(map[string]string{"account_name": "No phone", "email": "n@example.com"}))
	for name, c := range map[string]struct {
		name, email, phone, want string
	}{
		"the same":          {"Harbour Bikes", "ada@example.com", "555-0100", `account 6 has the same account_name, email and phone, and the external_account_identifier "k-1"`},
		"in another case":   {"HARBOUR bikes ", "Ada@Example.com", "555-0100", "account 6 has"},
		"another phone":     {"Harbour Bikes", "ada@example.com", "555-0101", ""},
		"without a number":  {"Quay", "q@example.com", "1", "account 7 has the same account_name, email and phone, and no external_account_identifier"},
		"nothing to go by":  {"No phone", "n@example.com", "", ""},
		"an empty customer": {"", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			reason := held.Fault(text(map[string]string{"account_name": c.name, "email": c.email, "phone": c.phone, "external_account_identifier": "k-9"})).Reason
			if !strings.HasPrefix(reason, c.want) || (reason == "") != (c.want == "") {
				t.Errorf("got %q, want %q", reason, c.want)
			}
		})
	}
}
