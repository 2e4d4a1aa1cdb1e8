package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
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
	kinds := map[string]error{"unauthorized": client.ErrUnauthorized, "not found": client.ErrNotFound, "not offered": client.ErrNotOffered, "refused": client.ErrRefused}
	for _, test := range []struct{ items, want string }{
		{`{"rank_id":1,"status_code":404}`, ""}, // which says nothing of the other
		{`{"rank_id":1,"status_code":404},{"rank_id":2,"status_code":200}`, ""},
		{`{"rank_id":1,"status_code":404},{"rank_id":2,"status_code":404}`, "not found, refused"},
		{`{"rank_id":1,"status_code":404},{"rank_id":2,"status_code":400}`, "refused"},
		{`{"rank_id":1,"status_code":401},{"rank_id":2,"status_code":403}`, "refused, unauthorized"},
		{`{"rank_id":1,"status_code":429},{"rank_id":2,"status_code":429}`, ""},
		{`{"rank_id":1,"status_code":400},{"rank_id":2,"status_code":500}`, ""},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"data":[%s],"error":false,"messages":[]}`, test.items)
		}))
		c, err := client.New(client.Options{BaseURL: s.URL, Tokens: client.StaticToken("x")})
		if err != nil {
			t.Fatal(err)
		}
		_, updated := c.UpdateKeywords(t.Context(), []client.KeywordChange{{RankID: 1}, {RankID: 2}})
		_, deleted := c.DeleteKeywords(t.Context(), []int64{1, 2})
		for _, err := range []error{updated, deleted} {
			var got []string
			for _, name := range slices.Sorted(maps.Keys(kinds)) {
				if errors.Is(err, kinds[name]) {
					got = append(got, name)
				}
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("%s: got %v as %q, want %q", test.items, err, got, test.want)
			}
		}
		s.Close()
	}
}
