package loads

import (
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
)

func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		res              *schema.Resource
		name, sent, held string
		same, shown      bool
	}{
		{&schema.AccountsV2, "phone", `"1"`, `{"phone":"1"}`, true, true},
		{&schema.AccountsV2, "phone", `"1"`, `{"phone_number":1}`, true, true},
		{&schema.AccountsV2, "phone", `"1"`, `{"phone":"2","phone_number":"1"}`, false, true},
		{&schema.AccountsV2, "phone", `""`, `{"phone":null}`, true, true},
		{&schema.AccountsV2, "phone", `"1"`, `{}`, false, false},
		{&schema.AccountsV1, "postal", `"1"`, `{"zip":"1"}`, true, true},
		{&schema.AccountsV2, "external_account_manager.name", `"a"`, `{"external_account_manager":{"name":"a"}}`, true, true},
		{&schema.AccountsV2, "attributes", `[{"field_name":"a","field_value":"b"}]`, `{"attributes":[{ "field_value": "b", "field_name":"a" }]}`, true, true},
		{&schema.AccountsV2, "attributes", `[]`, `{"attributes":null}`, true, true},
		{&schema.AccountsV2, "attributes", `[]`, `{"attributes":[{"field_name":"a","field_value":"b"}]}`, false, true},
		{&schema.AccountsV1, "external_account_identifier", `{"field_name":"a","field_value":"b"}`, `{"external_account_identifier":{"field_value":"b","field_name":"a"}}`, true, true},
		{&schema.AccountsV2, "external_account_identifier", `"b"`, `{"external_account_identifier":{"field_value":"b","field_name":"a"}}`, true, true},
	} {
		rec, err := record.Parse([]byte(c.held))
		if err != nil {
			t.Fatal(err)
		}
		field := c.res.Field(c.name)
		held, shown := remoteValue(field, rec)
		if same := shown && equalValue(field, record.Value(c.sent), held); same != c.same || shown != c.shown {
			t.Errorf("%s %s in %s: same %v, shown %v", c.name, c.sent, c.held, same, shown)
		}
	}
}

func TestStatusOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"status":"active"}`: "active", `{"active":1}`: "active", `{"active":"0"}`: "deactivated", `{"status":"","active":0}`: "deactivated",
		`{"status":1}`: "active", `{"active":true}`: "active", `{"status":"new"}`: "new", `{}`: "",
	} {
		rec, _ := record.Parse([]byte(text))
		if got := AccountStatus(rec); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
