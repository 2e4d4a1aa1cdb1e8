package cmd_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"reseller/client/portfolio"
	"reseller/client/schema"
)

// newField is a field that no resource has.
const newField = "new_field"

// insertField declares newField as the at-th field of a resource until the test
// ends.
func insertField(t *testing.T, res *schema.Resource, at int, use schema.Use) {
	t.Helper()
	before := res.Fields
	t.Cleanup(func() { res.Fields = before })
	res.Fields = slices.Insert(slices.Clone(before), at, schema.Field{
		Name: newField, Use: schema.Read | schema.DefaultColumn | use, Help: "a field of the test", Example: "example",
		ColumnSynonyms: []string{"added later"},
	})
}

// positions are where a test inserts a field: before the others, which moves them all, and behind them.
func positions(res *schema.Resource) map[string]int {
	return map[string]int{"first": 0, "last": len(res.Fields)}
}

// A service answers every read with the same data, every write with success,
// and keeps the bodies of the writes.
type service struct {
	url    string
	home   string // of the user of dry runs
	reads  string // the data of the answers to reads
	mu     sync.Mutex
	bodies []any
}

// newService starts a service whose reads show data.
func newService(t *testing.T, reads, writes string) *service {
	t.Helper()
	s := &service{home: t.TempDir(), reads: reads}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data := s.reads
		if r.Method != http.MethodGet {
			data = writes
			var body any
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Errorf("%s %s: the body is no JSON: %v", r.Method, r.URL, err)
			}
			s.mu.Lock()
			s.bodies = append(s.bodies, body)
			s.mu.Unlock()
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"data":%s,"error":false}`, data)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// written returns the bodies of the writes so far and forgets them.
func (s *service) written() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	bodies := s.bodies
	s.bodies = nil
	return bodies
}

// call runs a command line against a service, and returns what it prints.
func (s *service) call(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	code, out, errs := session{stdin: stdin, env: map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}}.run(t, args...)
	if code != 0 {
		t.Fatalf("%s: got exit code %d, want 0: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// removeNewField removes newField from a JSON value, however deep, and returns its values.
func removeNewField(v any) (found []any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			found = append(found, removeNewField(item)...)
		}
	case map[string]any:
		if value, ok := v[newField]; ok {
			found = append(found, value)
			delete(v, newField)
		}
		for _, member := range v {
			found = append(found, removeNewField(member)...)
		}
	}
	return found
}

// createV1 are the flags of an account of version 1, whose name is a number and
// whose identifier is a pair.
var createV1 = strings.NewReplacer("--account-name N", "--account-name 1", "--country-code us", "", "-identifier k", "-identifier crm=k").
	Replace(recordCommands["accounts create"])

// writes has, for every resource that is written, the commands that do it.
var writes = []struct {
	resource *schema.Resource
	use      schema.Use
	command  string
	args     string // the fields by flags; empty where the command takes them from a file only
	file     string // the flags beside --file; empty where the command takes no file
	column   string // the field's column, where it is not called like the field
	reads    string // what the service shows
}{
	{resource: &schema.AccountsV2, use: schema.Create, command: "accounts create", args: recordCommands["accounts create"], file: "-q", reads: "[]"},
	{resource: &schema.AccountsV1, use: schema.Create, command: "accounts create --api-version v1", args: createV1, file: "-q", reads: "[]"},
	{resource: &schema.AccountsV2, use: schema.Update, command: "accounts update", args: "1 --phone 2", file: "-q", reads: `[{"account_id":1,"external_account_manager":null,"external_campaign_manager":null,"new_field":"old"}]`},
	{resource: &schema.AccountsV1, use: schema.Update, command: "accounts update --api-version v1", args: "1 --phone 2", file: "-q", reads: `[{"account_id":1,"new_field":"old"}]`},
	{resource: &schema.StatusChange, use: schema.Create, command: "accounts status", file: "--yes", reads: `[{"account_id":1,"status":"active"}]`},
	{resource: &schema.Credentials, use: schema.Create, command: "accounts credentials create", args: recordCommands["accounts credentials create"], file: "--rate 1000", reads: "[]"},
	{resource: &schema.Keywords, use: schema.Create | schema.Constant, command: "keywords add", args: recordCommands["keywords add"], file: "-q", reads: "[]"},
	{resource: &schema.Keywords, use: schema.Update | schema.Constant, command: "keywords update", args: "1001 --status activate", file: "-q", reads: `[{"rank_id":1001,"type":"target","status":1,"new_field":"old"}]`},
	{resource: &schema.Notes, use: schema.Update, command: "campaigns notes update", args: "101 --writer-instructions w", file: "-q", reads: `{"campaign_id":101,"writer_instructions":"friendly, no slang","additional_instructions":"call before publishing","new_field":"old"}`},
	{resource: &schema.Plans, use: schema.Create, command: "products plans attach", args: recordCommands["products plans attach"] + " --settle-time 1ms", reads: "[]"},
	{resource: &schema.BusinessProfiles, use: schema.Create, command: "gbp create", args: recordCommands["gbp create"]},
	{resource: &schema.Estimates, use: schema.Create, command: "budget estimate", args: "https://x.example.com --market us"},
	{resource: &schema.AccountsV2, use: schema.Create, command: "onboard", file: "--rate 1000", reads: "[]"},
	{resource: &schema.Credentials, use: schema.Create, command: "onboard", file: "--rate 1000", column: portfolio.CredentialsColumn(newField), reads: "[]"},
	{resource: &schema.Notes, use: schema.Update, command: "onboard", file: "--rate 1000", reads: "[]"},
	{resource: &schema.Plans, use: schema.Create, command: "onboard", file: "--rate 1000", reads: "[]"},
	{resource: &schema.AccountsV2, use: schema.Create, command: "apply", file: "--rate 1000 --yes", reads: "[]"},
	{resource: &schema.Credentials, use: schema.Create, command: "apply", file: "--rate 1000 --yes", column: portfolio.CredentialsColumn(newField), reads: "[]"},
	{resource: &schema.Notes, use: schema.Update, command: "apply", file: "--rate 1000 --yes", reads: "[]"},
	{resource: &schema.Plans, use: schema.Create, command: "apply", file: "--rate 1000 --yes", reads: "[]"},
}

// writeAnswer is what all writes answer.
const writeAnswer = `{"account_id":1,"campaign_id":101}`

// TestNewFieldIsWritten inserts a field into every resource that is written, and
// finds it among the flags, in the help, in the example file, in the columns of an input
// file under its name and its synonym, and in the body of the call, whose other members
// stay.
func TestNewFieldIsWritten(t *testing.T) {
	written := map[*schema.Resource]bool{&schema.Campaigns: true} // whose ids only name what a report is asked of
	for _, c := range writes {
		written[c.resource] = true
	}
	for _, name := range append(commandsWith("rejects"), commandsWith("resend-sent")...) {
		isTried := false
		for _, c := range writes {
			isTried = isTried || strings.HasPrefix(c.command, name)
		}
		if !isTried && name != "keywords delete" { // of which only the rank_id is sent
			t.Errorf("got no line of %s, which writes", name)
		}
	}
	for _, c := range shows() {
		if c.resource.Having(schema.Create|schema.Update) != nil && !written[c.resource] {
			t.Errorf("no command of the table writes the fields of %s, which %q shows", c.resource.Name, c.command)
		}
	}
	for _, c := range writes {
		command := strings.Fields(c.command)
		flags := append(slices.Clone(command), strings.Fields(c.args)...)
		column := c.column
		if column == "" {
			column = newField
		}
		for position, at := range positions(c.resource) {
			if c.args != "" {
				t.Run(fmt.Sprintf("%s/flags/%s", c.command, position), func(t *testing.T) {
					s := newService(t, c.reads, writeAnswer)
					s.call(t, "secret\n", flags...)
					before := s.written()
					insertField(t, c.resource, at, c.use)
					if help := s.call(t, "", append(slices.Clone(command), "--help", "--all")...); !strings.Contains(help, "--new-field ") || !strings.Contains(help, "a field of the test") {
						t.Errorf("the help does not show --new-field: %s", help)
					}
					s.call(t, "secret\n", append(slices.Clone(flags), "--new-field", "value")...)
					checkWritten(t, before, s.written(), "value")
				})
			}
			if c.file != "" {
				t.Run(fmt.Sprintf("%s/file/%s/%s", c.command, c.resource.Name, position), func(t *testing.T) {
					s := newService(t, c.reads, writeAnswer)
					load := func(name string) []any {
						example := strings.Replace(s.call(t, "", append(slices.Clone(command), "--example", "csv")...), column, name, 1)
						path := filepath.Join(t.TempDir(), "rows.csv")
						if err := os.WriteFile(path, []byte(example), 0o600); err != nil {
							t.Fatal(err)
						}
						s.call(t, "", append(append(slices.Clone(command), "--file", path), strings.Fields(c.file)...)...)
						return s.written()
					}
					before := load(column)
					insertField(t, c.resource, at, c.use)
					header, _, _ := strings.Cut(s.call(t, "", append(slices.Clone(command), "--example", "csv")...), "\n")
					if !slices.Contains(strings.Split(header, ","), column) {
						t.Errorf("the example has the columns %s, want %s among them", header, column)
					}
					synonym := strings.NewReplacer(newField, "Added Later", ".", " ").Replace(column)
					for _, name := range []string{column, synonym} {
						checkWritten(t, before, load(name), "example")
					}
					if before == nil {
						s.reads = strings.Replace(c.reads, `"old"`, `"example"`, 1)
						if bodies := load(column); bodies != nil {
							t.Errorf("the service shows the values of the file, and gets %v", bodies)
						}
					}
				})
			}
		}
	}
}

// checkWritten compares the bodies of writes before and after a field was
// inserted: they are the same but for one value of the field. Where nothing was
// written before, the field is the reason for the write.
func checkWritten(t *testing.T, before, after []any, want string) {
	t.Helper()
	if found := removeNewField(after); len(found) != 1 || found[0] != want {
		t.Errorf("the bodies have %s as %q, want one %q", newField, found, want)
	}
	got, _ := json.Marshal(after)
	if wanted, _ := json.Marshal(before); before != nil && !reflect.DeepEqual(after, before) {
		t.Errorf("the bodies are beside that\n%s, want\n%s", got, wanted)
	}
}

// shown is a command that prints the records of a resource.
type shown struct {
	resource  *schema.Resource
	command   string
	completes bool       // --columns completes to the fields of the resource
	use       schema.Use // the use without which the command does not print a field
}

// shows returns, for every resource that is read, a command that prints it. A response
// that is not in the list is printed by the command that its operation is named after:
// keywords.list by `keywords list`.
func shows() []shown {
	all := []shown{
		{&schema.AccountsV2, "accounts list", true, 0},
		{&schema.AccountsV2, "accounts get 1", true, 0},
		{&schema.AccountsV1, "accounts list --api-version v1", false, 0},
		{&schema.AccountV1Record, "accounts get 1 --api-version v1", false, 0},
		{&schema.AccountCreated, "accounts create " + recordCommands["accounts create"], true, 0},
		{&schema.StatusChanged, "accounts update 1 --phone 2", true, 0},
		{&schema.StatusChanged, "accounts status 1 --deactivate --yes", true, 0},
		{&schema.Credentials, "accounts credentials create " + recordCommands["accounts credentials create"], true, 0},
		{&schema.Keywords, "keywords list", true, 0},
		{&schema.Keywords, "keywords get 1001", true, 0},
		{&schema.KeywordsCreated, "keywords add " + recordCommands["keywords add"], true, 0},
		{&schema.KeywordsUpdated, "keywords update 1001 --status activate --type target", true, 0},
		{&schema.Estimates, "budget estimate https://x.example.com --summary", false, 0},
		{&schema.EstimateKeywords, "budget estimate https://x.example.com", true, 0},
		{&schema.Notes, "campaigns notes get 101", true, 0},
		{&schema.Notes, "campaigns notes update 101 --writer-instructions w --additional-instructions a", true, 0},
		{&schema.Plans, "products plans list --account 1 --campaign 101", true, 0},
		{&schema.PlanAttached, "products plans attach " + recordCommands["products plans attach"], true, 0},
		{&schema.AccountsV2, "export", true, schema.Create},
		{&schema.Notes, "export", true, schema.Update},
		{&schema.Plans, "export", true, schema.Create},
		{&schema.BusinessProfiles, "gbp create " + recordCommands["gbp create"], true, 0},
	}
	listed := map[*schema.Resource]bool{nil: true}
	for _, c := range all {
		listed[c.resource] = true
	}
	for _, op := range schema.Operations() {
		if !listed[op.Response] {
			listed[op.Response] = true
			command := strings.ReplaceAll(op.ID, ".", " ")
			all = append(all, shown{op.Response, command + " " + defaultArgs(command), true, 0})
		}
	}
	return all
}

// TestNewFieldIsShown inserts a field into every resource that is read, and
// finds it in csv and in the completion of --columns, beside all other columns.
func TestNewFieldIsShown(t *testing.T) {
	const data = `[{"account_id":1,"campaign_id":101,"rank_id":1001,"keyword":"k","type":"target","service_plan_id":2,"status_code":200,"status":"active",
		"keywords":[{"keyword":"k","new_field":"value"}],"new_field":"value"}]`
	for _, c := range shows() {
		command := strings.Fields(c.command)
		for position, at := range positions(c.resource) {
			t.Run(c.command+"/"+c.resource.Name+"/"+position, func(t *testing.T) {
				s := newService(t, data, data)
				header := func() []string {
					rows, err := csv.NewReader(strings.NewReader(s.call(t, "secret\n", append(slices.Clone(command), "-o", "csv")...))).ReadAll()
					if err != nil || len(rows) < 2 {
						t.Fatalf("got %d lines of csv (%v), want 2", len(rows), err)
					}
					if i := slices.Index(rows[0], newField); i >= 0 && rows[1][i] != "value" {
						t.Errorf("%s is %q, want value", newField, rows[1][i])
					}
					return slices.DeleteFunc(rows[0], func(name string) bool { return name == newField })
				}
				before := header()
				insertField(t, c.resource, at, c.use)
				out := s.call(t, "secret\n", append(slices.Clone(command), "-o", "csv", "--columns", newField)...)
				if out != newField+"\nvalue\n" {
					t.Errorf("--columns %s prints %q", newField, out)
				}
				if after := header(); !slices.Equal(before, after) {
					t.Errorf("the other columns are %s, want %s", after, before)
				}
				words := s.call(t, "", append(append([]string{"__complete"}, command...), "--columns", "")...)
				if got := slices.Contains(strings.Split(words, "\n"), newField); got != c.completes {
					t.Errorf("--columns completes to %s: got %v, want %v of %q", newField, got, c.completes, words)
				}
			})
		}
	}
}

// TestNewFieldOfKeywordsIsExported inserts a field that is written into keywords, and finds it
// in the list of a customer.
func TestNewFieldOfKeywordsIsExported(t *testing.T) {
	const data = `[{"account_id":1,"campaign_id":101,"keyword":"k","service_plan_id":2,"type":"target","status":1,"new_field":"value"}]`
	for position, at := range positions(&schema.Keywords) {
		t.Run(position, func(t *testing.T) {
			s := newService(t, data, data)
			insertField(t, &schema.Keywords, at, schema.Create)
			var customer struct{ Keywords []map[string]string }
			if err := json.Unmarshal([]byte(s.call(t, "", "export", "-o", "ndjson")), &customer); err != nil {
				t.Fatal(err)
			}
			want := []map[string]string{{"keyword": "k", "type": "target", "status": "active", newField: "value"}}
			if !reflect.DeepEqual(customer.Keywords, want) {
				t.Errorf("got the keywords %v, want %v", customer.Keywords, want)
			}
		})
	}
}
