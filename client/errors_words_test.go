package client_test

import (
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/schema"
)

// TestWordsOfErrors makes the text of a refused call with what responses may leave out.
func TestWordsOfErrors(t *testing.T) {
	one := func(item client.ItemError) []client.ItemError { return []client.ItemError{item} }
	for _, c := range []struct {
		name string
		err  client.Error
		want string
	}{
		{"messages", client.Error{HTTPStatus: 422, Messages: []string{"a", "b"}}, "update keywords failed (422): a; b"},
		{"an empty message", client.Error{HTTPStatus: 422, Messages: []string{""}}, "update keywords failed (422): Unprocessable Entity"},
		{"one message twice", client.Error{HTTPStatus: 422, Messages: []string{"a", "a"}}, "update keywords failed (422): a"},
		{"a status without words", client.Error{HTTPStatus: 599}, "update keywords failed (599)"},
		{"only the code", client.Error{HTTPStatus: 200, Code: "E7"}, "update keywords failed (200): E7"},
		{"nothing", client.Error{HTTPStatus: 200}, "update keywords failed (200): the response says that the call failed"},
		{"an item", client.Error{HTTPStatus: 200, Items: one(client.ItemError{RankID: 7, StatusCode: 404, StatusMessage: "not found"})}, "update keywords failed (200): rank_id 7: not found (404)"},
		{"an item without a message", client.Error{HTTPStatus: 200, Items: one(client.ItemError{RankID: 7, StatusCode: 400})}, "update keywords failed (200): rank_id 7 (400)"},
		{"an item without an id", client.Error{HTTPStatus: 200, Items: one(client.ItemError{StatusCode: 400, StatusMessage: "failed"})}, "update keywords failed (200): item: failed (400)"},
		{"an item without either", client.Error{HTTPStatus: 200, Items: one(client.ItemError{StatusCode: 400})}, "update keywords failed (200): item (400)"},
		{"an item without a status", client.Error{HTTPStatus: 200, Items: one(client.ItemError{RankID: 7, StatusMessage: "failed"})}, "update keywords failed (200): rank_id 7: failed"},
		{"two items", client.Error{HTTPStatus: 200, Items: []client.ItemError{{StatusCode: 400}, {StatusCode: 404}}}, "update keywords failed (200): item (400); item (404)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.err.Action = "update keywords"
			if got := c.err.Error(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestActionNamesItsIDs makes the beginning of the errors of each operation: an id follows what it is the id of.
func TestActionNamesItsIDs(t *testing.T) {
	wants := map[string]string{
		"accounts.v2.get": "get account 1", "keywords.get": "get keyword 7", "products.plans.list": "list plans for campaign 101 of account 1",
		"reports.keywords": "report keywords for campaign 101 of account 1",
		"reports.traffic":  "report traffic for campaign 101 of account 1 from 2026-09-01 to 2026-09-30", "keywords.create": "add keywords",
	}
	for _, op := range schema.Operations() {
		call := client.Call{Op: op}
		for name, value := range map[string]string{
			"account_id": "1", "campaign_id": "101", "rank_id": "7", "date_from": "2026-09-01", "date_to": "2026-09-30",
		} {
			if strings.Contains(op.Path, "{"+name+"}") {
				call = call.WithParam(name, value)
			}
		}
		if got, want := call.Action(), wants[op.ID]; want != "" && got != want {
			t.Errorf("%s: got %q, want %q", op.ID, got, want)
		}
	}
}
