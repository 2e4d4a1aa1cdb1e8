package client_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/schema"
)

// TestTypesAgreeWithFields checks that each typed struct and its resource name
// the same fields. For the rows of reports, TestEveryOperation does.
func TestTypesAgreeWithFields(t *testing.T) {
	for _, tc := range []struct {
		res   *schema.Resource
		use   schema.Use
		typed any
	}{
		{&schema.AccountsV2, schema.Create, client.AccountCreate{}},
		{&schema.AccountsV2, schema.Update, client.AccountUpdate{}},
		{&schema.AccountsV1, schema.Create, client.AccountCreateV1{}},
		{&schema.AccountsV1, schema.Update, client.AccountUpdateV1{}},
		{&schema.AccountsV2, schema.Read, client.Account{}},
		{&schema.Resource{Fields: append(slices.Clone(schema.AccountsV1.Fields), *schema.AccountV1Record.Field("website_url"))}, schema.Read, client.AccountV1{}},
		{&schema.Credentials, schema.Create, client.CredentialsCreate{}},
		{&schema.Keywords, schema.Read, client.Keyword{}},
		{&schema.Estimates, schema.Create, client.EstimateRequest{}},
		{&schema.EstimateKeywords, schema.Read, client.EstimateKeyword{}},
		{&schema.Campaigns, schema.Read, client.Campaign{}},
		{&schema.Notes, schema.Update, client.CampaignNotes{}},
		{&schema.BusinessProfiles, schema.Create, client.BusinessProfile{}},
		{&schema.Plans, schema.Create, client.PlanAttach{}},
		{&schema.Plans, schema.Read, client.Plan{}},
	} {
		t.Run(reflect.TypeOf(tc.typed).Name(), func(t *testing.T) {
			checkFields(t, tc.res, tc.use, reflect.TypeOf(tc.typed))
		})
	}
}

// checkFields checks that a struct has the fields that a resource has for a use.
func checkFields(t *testing.T, res *schema.Resource, use schema.Use, typ reflect.Type) {
	t.Helper()
	want, got := map[string]bool{}, map[string]bool{}
	for _, field := range res.Having(use) {
		name := field.Name
		if use == schema.Read {
			name = field.ReadName()
		}
		object, _, _ := strings.Cut(name, ".")
		want[object] = true
	}
	for i := range typ.NumField() {
		if name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); name != "" { // else it is Received
			got[name] = true
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got fields %v, the resource has %v", got, want)
	}
}

// TestTypedBodiesAreThoseOfCommands checks that a typed request sends the body that
// the registry makes of the same values, as commands send it.
func TestTypedBodiesAreThoseOfCommands(t *testing.T) {
	for _, tc := range []struct {
		res   *schema.Resource
		use   schema.Use
		typed any // pointer to a request
	}{
		{&schema.AccountsV2, schema.Create, &client.AccountCreate{}},
		{&schema.AccountsV2, schema.Update, &client.AccountUpdate{}},
		{&schema.AccountsV1, schema.Create, &client.AccountCreateV1{}},
		{&schema.AccountsV1, schema.Update, &client.AccountUpdateV1{}},
		{&schema.Credentials, schema.Create, &client.CredentialsCreate{}},
		{&schema.Estimates, schema.Create, &client.EstimateRequest{}},
		{&schema.Notes, schema.Update, &client.CampaignNotes{}},
		{&schema.Plans, schema.Create, &client.PlanAttach{}},
		{&schema.BusinessProfiles, schema.Create, &client.BusinessProfile{}},
		{&schema.Keywords, schema.Update, &client.KeywordChange{}},
	} {
		t.Run(reflect.TypeOf(tc.typed).Elem().Name(), func(t *testing.T) {
			values := schema.Values{}
			for _, field := range tc.res.Having(tc.use) {
				if tc.use == schema.Create {
					field = field.ForCreate()
				}
				text := field.Example
				switch {
				case text == "" && field.Type == schema.Int:
					text = "7"
				case text == "" && field.Type == schema.Bool:
					text = "true"
				}
				value, err := field.FromText(text, false)
				if err != nil {
					t.Fatalf("%s: %v", field.Name, err)
				}
				values[field.Name] = value
			}
			var got, want any
			body := tc.res.Body(values)
			if err := json.Unmarshal(body, tc.typed); err != nil {
				t.Fatal(err)
			}
			sent, err := json.Marshal(tc.typed)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(json.Unmarshal(sent, &got), json.Unmarshal(body, &want)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %s, %v, want %s", sent, err, body)
			}
		})
	}
}
