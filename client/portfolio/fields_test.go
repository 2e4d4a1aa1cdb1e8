package portfolio

import (
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
)

func TestAgreesInAnyForm(t *testing.T) {
	for _, c := range []struct {
		resource           *schema.Resource
		name, sent, remote string
		equal, shown       bool
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
		t.Run(c.name+" "+c.sent+" in "+c.remote, func(t *testing.T) {
			rec, err := record.Parse([]byte(c.remote))
			if err != nil {
				t.Fatal(err)
			}
			field := c.resource.Field(c.name)
			remote, shown := HeldValue(field, rec)
			if equal := shown && Agrees(field, record.Value(c.sent), remote); equal != c.equal || shown != c.shown {
				t.Errorf("got equal %v, shown %v, want %v, %v", equal, shown, c.equal, c.shown)
			}
		})
	}
}

func TestAccountStatusInAnyForm(t *testing.T) {
	for text, want := range map[string]string{
		`{"status":"active"}`: "active", `{"active":1}`: "active", `{"active":"0"}`: "deactivated", `{"status":"","active":0}`: "deactivated",
		`{"status":1}`: "active", `{"active":true}`: "active", `{"status":"new"}`: "new", `{}`: "",
	} {
		t.Run(text, func(t *testing.T) {
			rec, err := record.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if got := AccountStatus(rec); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
