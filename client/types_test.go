package client_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/schema"
)

// checkFields checks that a struct has the fields that reads of a resource show.
func checkFields(t *testing.T, res *schema.Resource, typ reflect.Type) {
	t.Helper()
	want, got := map[string]bool{}, map[string]bool{}
	for _, field := range res.Having(schema.Read) {
		object, _, _ := strings.Cut(field.ReadName(), ".")
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
			noError(t, json.Unmarshal(body, tc.typed))
			sent, err := json.Marshal(tc.typed)
			noError(t, err)
			if err := errors.Join(json.Unmarshal(sent, &got), json.Unmarshal(body, &want)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %s, %v, want %s", sent, err, body)
			}
		})
	}
}
