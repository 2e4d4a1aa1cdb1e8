package cmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/schema"
)

// heldAccount is the account of the example file as lists of both versions show it.
const heldAccount = `{"account_id":1,"account_name":"Harbour Bikes","first_name":"Ada","last_name":"Quist","email":"ada@example.com","phone":"555-0100",
	"phone_number":"555-0100","address_1":"1 Quay Street","address_2":"","city":"Portland","state":"OR","postal":"97201","zip":"97201","new_field":"%s",
	"attributes":[{"field_name":"Industry","field_value":"Retail"}],"external_account_manager":{"name":"Kim Lee","email":"kim@example.com"},
	"external_campaign_manager":null,"external_account_identifier":"crm-3001"}`

type contentCase struct {
	resource *schema.Resource
	use      schema.Use
	command  string
	reads    string // with the value of newField
}

// contents has, for every load whose rows a list of the service shows, what the list shows of the row of its example file.
var contents = []contentCase{
	{&schema.Keywords, schema.Create, "keywords add", `[{"rank_id":7,"account_id":1,"campaign_id":101,"keyword":"red shoes","type":"target","status":1,"new_field":"%s"}]`},
	{&schema.AccountsV2, schema.Create, "accounts create", `[{"account_id":7,"campaign_id":8,"external_account_identifier":{"field_name":"a","field_value":"crm-3001"},"new_field":"%s"}]`},
	{&schema.AccountsV1, schema.Create, "accounts create --api-version v1", `[{"account_id":7,"campaign_id":8,"external_account_identifier":{"field_name":"crm","field_value":"1001"},"new_field":"%s"}]`},
	{&schema.AccountsV2, schema.Update, "accounts update", "[" + heldAccount + "]"},
	{&schema.AccountsV1, schema.Update, "accounts update --api-version v1", "[" + strings.NewReplacer(`"Harbour Bikes"`, `"1001"`, `"crm-3001"`, `{"field_name":"crm","field_value":"1001"}`).Replace(heldAccount) + "]"},
	{&schema.Keywords, schema.Update, "keywords update", `[{"rank_id":1001,"type":"target","status":1,"new_field":"%s"}]`},
	{&schema.Notes, schema.Update, "campaigns notes update", `{"campaign_id":101,"writer_instructions":"friendly, no slang","additional_instructions":"call before publishing","new_field":"%s"}`},
	{&schema.StatusChange, schema.Create, "accounts status", ""},
	{&schema.Credentials, schema.Create, "accounts credentials create", ""},
	{&schema.AccountsV2, schema.Create, "onboard", ""},
	{&schema.Notes, schema.Update, "onboard", ""},
	{&schema.AccountsV2, schema.Create, "apply", ""},
}

// TestNewFieldIsContent inserts a field into every resource that files write, and finds it in what a row says: rows that
// differ only in it contradict each other, and a record that shows another value differs from its row. A dry run names
// both values.
func TestNewFieldIsContent(t *testing.T) {
	for _, name := range commandsWith("rejects") {
		isTried := slices.ContainsFunc(contents, func(c contentCase) bool { return strings.HasPrefix(c.command, name) })
		if !isTried && name != "keywords delete" { // of which only the rank_id is sent
			t.Errorf("got no line of %s, which writes the rows of a file", name)
		}
	}
	for _, c := range contents {
		for position, at := range positions(c.resource) {
			t.Run(c.command+"/"+c.resource.Name+"/"+position, func(t *testing.T) {
				insertField(t, c.resource, at, c.use)
				s := newService(t, strings.Replace(c.reads, "%s", "old", 1), writeAnswer)
				command := strings.Fields(c.command)
				example, _, _ := strings.Cut(s.call(t, "", append(slices.Clone(command), "--example", "ndjson")...), "\n")
				run := func(rows ...string) (code int, out, errs string) {
					path := filepath.Join(t.TempDir(), "rows.ndjson")
					if err := os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o600); err != nil {
						t.Fatal(err)
					}
					args := append(slices.Clone(command), "--file", path, "--dry-run", "-o", "json")
					return session{env: map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}}.run(t, args...)
				}
				other := strings.Replace(example, `"new_field":"example"`, `"new_field":"other"`, 1)
				if code, out, errs := run(example, other); code != 2 || !strings.Contains(errs, "contradicts line 1") || !strings.Contains(errs, "in new_field") {
					t.Errorf("rows that differ in new_field: got %d, want 2 and a contradiction in new_field: %s%s", code, out, errs)
				}
				if c.reads == "" {
					return
				}
				counts := func(rows ...string) (sum struct {
					Present, Duplicates, Differs, Send int
					Changes                            []struct{ Field, From, To string }
				}, notes string) {
					_, out, notes := run(rows...)
					if err := json.Unmarshal([]byte(out), &sum); err != nil {
						t.Fatalf("%v: %s%s", err, out, notes)
					}
					return sum, notes
				}
				got, notes := counts(example, example)
				named := strings.Contains(notes, `new_field: "old", not "example"`) // of a row that stays as it is
				if got.Send > 0 {
					named = strings.Contains(fmt.Sprint(got.Changes), "{new_field old example}")
				}
				if got.Duplicates != 1 || got.Differs+got.Send != 1 || got.Present != 0 || !named || got.Send == 0 && len(got.Changes) > 0 {
					t.Errorf("the service shows another new_field: got %+v and the notes %s", got, notes)
				}
				s.reads = strings.Replace(c.reads, "%s", "example", 1)
				if got, _ := counts(example); got.Present != 1 || len(got.Changes) != 0 {
					t.Errorf("the service shows the new_field of the row: got %+v", got)
				}
				s.reads = strings.Replace(c.reads, "%s", "old", 1)
				without := strings.Replace(example, `"new_field":"example"`, `"new_field":null`, 1)
				if got, _ := counts(without); got.Present != 1 {
					t.Errorf("the row does not say new_field: got %+v", got)
				}
			})
		}
	}
}

// TestNewFieldOfKeywordsIsApplied inserts a field that is written into keywords, and finds it in the changes of a customer's
// list and in what is sent for them.
func TestNewFieldOfKeywordsIsApplied(t *testing.T) {
	const reads = `[{"account_id":1,"campaign_id":101,"rank_id":7,"keyword":"k","type":"target","status":%s,"new_field":"old",
		"external_account_identifier":"x"}]`
	for position, at := range positions(&schema.Keywords) {
		for name, c := range map[string]struct{ keyword, status, change, sent string }{
			"update":                {`{"keyword":"k","new_field":"new"}`, "1", "update keyword k new_field=old new_field=new", `[{"new_field":"new","status":"activate","keyword_type":"target","rank_id":7}]`},
			"update and reactivate": {`{"keyword":"k","new_field":"new"}`, "0", "update keyword k new_field=old new_field=new", `[{"new_field":"new","status":"activate","keyword_type":"target","rank_id":7}]`},
			"add":                   {`{"keyword":"other","new_field":"new"}`, "1", "add keyword other  target", `[{"new_field":"new","keyword":"other","keyword_type":"target"}]`},
			"nothing":               {`{"keyword":"k","new_field":"old"}`, "1", "", ""},
			"not said":              {`"k"`, "1", "", ""},
		} {
			t.Run(position+"/"+name, func(t *testing.T) {
				insertField(t, &schema.Keywords, at, schema.Create|schema.Update)
				s := newService(t, fmt.Sprintf(reads, c.status), `[{"rank_id":7,"status_code":200}]`)
				path := filepath.Join(t.TempDir(), "rows.ndjson")
				if err := os.WriteFile(path, []byte(`{"account_id":1,"keywords":[`+c.keyword+`]}`), 0o600); err != nil {
					t.Fatal(err)
				}
				var changes []struct{ Action, Object, Field, From, To string }
				if err := json.Unmarshal([]byte(s.call(t, "", "diff", "--file", path, "-o", "json")), &changes); err != nil {
					t.Fatal(err)
				}
				if got := strings.Trim(fmt.Sprint(changes[:min(1, len(changes))]), "[{}]"); got != c.change {
					t.Errorf("diff: got %q, want %q", got, c.change)
				}
				s.call(t, "", "apply", "--file", path, "--yes", "-q")
				var sent, want any
				for _, body := range s.written() {
					sent = body.(map[string]any)["keywords"]
				}
				_ = json.Unmarshal([]byte(c.sent), &want)
				if got, want := fmt.Sprint(sent), fmt.Sprint(want); got != want {
					t.Errorf("apply sent %s, want %s", got, want)
				}
			})
		}
	}
}
