package loads

import (
	"testing"

	"reseller/client/bulk/rows"
	"reseller/client/record"
)

func TestAccountIdentity(t *testing.T) {
	values := func(pairs ...string) (v rows.Values) {
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], record.Quote(pairs[i+1]))
		}
		return v
	}
	id := func(v rows.Values) string { id, _ := accountIdentity(v, nil, nil); return string(id) }
	if id(values("external_account_identifier", "x", "account_name", "a")) != id(values("external_account_identifier", "x", "account_name", "b")) {
		t.Error("one identifier, two identities")
	}
	if id(values("account_name", "a", "city", "x")) != id(values("account_name", "a", "city", "y")) {
		t.Error("city makes an identity")
	}
	if id(values("account_name", "a", "email", "b")) == id(values("account_name", "ab")) {
		t.Error("fields run into each other")
	}
	if id(values("external_account_identifier", "a")) == id(values("account_name", "a")) {
		t.Error("an identifier is taken for a name")
	}
}
