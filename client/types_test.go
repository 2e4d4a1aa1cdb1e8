package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
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

// TestNumbersThatAreNone decodes texts of a number that no JSON has.
func TestNumbersThatAreNone(t *testing.T) {
	for _, text := range []string{`"NaN"`, `"Inf"`, `"-infinity"`, `"1e999"`, `true`} {
		var n client.Number
		if err := n.UnmarshalJSON([]byte(text)); err == nil || n != 0 {
			t.Errorf("%s: got %v and the error %v, want 0 and an error", text, n, err)
		}
	}
}

// TestNewRefusesAddresses gives New the addresses to which no call can be sent.
func TestNewRefusesAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"":                        `"": not the address of a service`,
		"api.example.com":         "api.example.com: not the address of a service",
		"ftp://api.example.com":   "ftp://api.example.com: not the address of a service",
		"http://api.example.com":  "http://api.example.com: plain http would send the token unencrypted",
		"https://u:p@example.com": "https://example.com: user info in the address",
		"http://127.0.0.1:1":      "<nil>",
	} {
		if _, err := client.New(client.Options{BaseURL: address}); fmt.Sprint(err) != want {
			t.Errorf("%s: got the error %v, want %s", address, err, want)
		}
	}
}

// TestKindsOfItems tells the kinds of updates of which the service has refused some or all keywords.
func TestKindsOfItems(t *testing.T) {
	for _, test := range []struct {
		count            int
		codes            []client.Integer
		isRefused, isNot bool
	}{
		{2, []client.Integer{404}, false, false},
		{2, []client.Integer{404, 404}, true, true},
		{2, []client.Integer{404, 400}, true, false},
		{1, []client.Integer{400}, true, false},
	} {
		e := &client.Error{HTTPStatus: 200, Envelope: true, ItemCount: test.count}
		for _, code := range test.codes {
			e.Items = append(e.Items, client.ItemError{StatusCode: code})
		}
		if errors.Is(e, client.ErrRefused) != test.isRefused || errors.Is(e, client.ErrNotFound) != test.isNot {
			t.Errorf("%d of %d: got ErrRefused %t, ErrNotFound %t", len(test.codes), test.count, errors.Is(e, client.ErrRefused), errors.Is(e, client.ErrNotFound))
		}
	}
}
