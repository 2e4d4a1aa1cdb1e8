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
	for _, c := range []struct {
		name string
		a, b rows.Values
		want bool
	}{
		{"the identifier alone counts", values("external_account_identifier", "x", "account_name", "a"), values("external_account_identifier", "x", "account_name", "b"), true},
		{"the city does not count", values("account_name", "a", "city", "x"), values("account_name", "a", "city", "y"), true},
		{"fields are kept apart", values("account_name", "a", "email", "b"), values("account_name", "ab"), false},
		{"an identifier is no name", values("external_account_identifier", "a"), values("account_name", "a"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := id(c.a) == id(c.b); got != c.want {
				t.Errorf("the identities %q and %q are equal: %t, want %t", id(c.a), id(c.b), got, c.want)
			}
		})
	}
}
