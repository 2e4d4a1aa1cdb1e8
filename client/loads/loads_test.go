package loads

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// TestZeroLoads checks that a load without a client gives an error.
func TestZeroLoads(t *testing.T) {
	for name, load := range map[string]Load{"zero": {}, "no client": Keywords(nil)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "keywords.csv")
			noError(t, os.WriteFile(path, []byte("keyword\na\n"), 0o600))
			if _, err := load.Run(t.Context(), path, "", bulk.Options{}); err == nil || !strings.Contains(err.Error(), "no client") {
				t.Errorf("got %v, want an error about the client", err)
			}
		})
	}
}

func TestIsAttached(t *testing.T) {
	for text, want := range map[string]bool{
		`{"service_plan_id":1}`:                     true,
		`{"attached_date":null,"status":null}`:      true,
		`{"attached_date":"","status":"available"}`: false,
		`{"status":"inactive"}`:                     false,
		`{"status":0}`:                              false,
		`{"attached_date":"2026-01-01"}`:            true,
		`{"status":"Active"}`:                       true,
		`{"status":"attached"}`:                     true,
		`{"status":1}`:                              true,
	} {
		t.Run(text, func(t *testing.T) {
			rec, err := record.Parse([]byte(text))
			noError(t, err)
			if got := isAttached(rec); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestAccountIdentity(t *testing.T) {
	values := func(pairs ...string) (v rows.Values) {
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], record.Quote(pairs[i+1]))
		}
		return v
	}
	id := func(v rows.Values) string { id, _ := AccountIdentity(v, nil, nil); return string(id) }
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

func TestCompleteKeywordFillsStatusAndType(t *testing.T) {
	for _, c := range []struct{ given, remote, want string }{
		{"", `{"type":"target","status":1}`, "activate target"},
		{"", `{"keyword_type":"interest","status":"0"}`, "deactivate interest"},
		{"", `{"type":"interest","status":"activate"}`, "activate interest"},
		{"deactivate", `{"type":"target","status":1}`, "deactivate target"},
		{"deactivate", `{"type":"target"}`, "deactivate target"},
		{"", `{"type":"target"}`, ""},
		{"", `{"status":1}`, ""},
		{"", `{"type":null,"status":1}`, ""},
		{"", `{"type":"target","status":2}`, ""},
	} {
		t.Run(c.given+" "+c.remote, func(t *testing.T) {
			rec, err := record.Parse([]byte(c.remote))
			noError(t, err)
			change := schema.Values{"rank_id": record.Value("1")}
			if c.given != "" {
				change["status"] = record.Quote(c.given)
			}
			err = Complete(&schema.Keywords, change, rec, record.NeverLate, "keyword 1", "give both")
			if got := change["status"].Text() + " " + change["keyword_type"].Text(); (err == nil) != (c.want != "") || err == nil && got != c.want {
				t.Errorf("got %q, error %v, want %q", got, err, c.want)
			}
		})
	}
}

// TestKeywordChanges compares rows with the keywords that the service holds for them.
func TestKeywordChanges(t *testing.T) {
	held := []portfolio.Keyword{
		{RankID: 3, Text: "Red  shoes", Type: "interest", Status: "deactivate"},
		{RankID: 2, Text: "RED shoes", Type: "target", Status: "activate"},
	}
	for name, c := range map[string]struct {
		row  map[string]string
		held []portfolio.Keyword
		want string // the state, rank_id and keyword_type
	}{
		"is as the row says":             {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "target"}, held, "present  target"},
		"keeps its type":                 {map[string]string{"keyword": "red shoes", "status": "deactivate"}, held, "absent 2 target"},
		"gets a type":                    {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "interest"}, held, "absent 2 interest"},
		"is named by its id":             {map[string]string{"keyword": "red shoes", "status": "activate", "rank_id": "3"}, held[:1], "absent 3 interest"},
		"was added and is not shown yet": {map[string]string{"keyword": "red shoes", "status": "activate"}, nil, "present  "},
		"can't be deactivated yet":       {map[string]string{"keyword": "red shoes", "status": "deactivate"}, nil, "unknown  "},
		"shows no type":                  {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "target"}, []portfolio.Keyword{{RankID: 4, Text: "red shoes", Status: "activate"}}, "present  target"},
		"shows no type, which is given":  {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "target", "rank_id": "4"}, []portfolio.Keyword{{RankID: 4, Text: "red shoes", Status: "activate"}}, "absent 4 target"},
		"shows no status":                {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "target"}, []portfolio.Keyword{{RankID: 4, Text: "red shoes", Type: "target"}}, "present  target"},
		"has no type":                    {map[string]string{"keyword": "red shoes", "status": "activate"}, []portfolio.Keyword{{RankID: 4, Text: "red shoes", Status: "deactivate"}}, "refused  "},
	} {
		t.Run(name, func(t *testing.T) {
			row := &rows.Row{Ordinal: 7}
			for field, text := range c.row {
				row.Values.Set(field, record.Quote(text))
			}
			out := heldKeywords{7: c.held}.outcome(row, record.NeverLate)
			got := out.State + " " + row.Values.Get("rank_id").Text() + " " + row.Values.Get("keyword_type").Text()
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestAccountChanges checks what an update says of the fields of an account that it changes, and of those that it can't change.
func TestAccountChanges(t *testing.T) {
	held, err := record.Parse([]byte(`{"account_id":7,"status":"deactivated","account_name":"Acme","phone":"1","country":"DE","website_url":"https://acme.example",
		"external_account_identifier":{"field_name":"k","field_value":"old"},"external_account_manager":{"name":"Ann","email":"a@acme.example"}}`))
	noError(t, err)
	for name, c := range map[string]struct {
		values      map[string]string // as JSON
		readOnly    map[string]string
		reconciling bool
		all         bool   // what does not change anything is sent, too
		want        string // the state, the changes and the columns that can't be changed
	}{
		"a text":                          {map[string]string{"phone": `"2"`}, nil, false, false, "absent phone: 1 → 2"},
		"an identifier":                   {map[string]string{"external_account_identifier": `"new"`}, nil, false, false, "absent external_account_identifier: old → new"},
		"the same identifier":             {map[string]string{"external_account_identifier": `"old"`}, nil, false, false, "present"},
		"an object":                       {map[string]string{"external_account_manager": `{"name":"Bob","email":"b@acme.example"}`}, nil, false, false, `absent external_account_manager: {"name":"Ann","email":"a@acme.example"} → {"name":"Bob","email":"b@acme.example"}`},
		"a read-only column":              {nil, map[string]string{"website_url": "https://other.example"}, false, false, "differs website_url"},
		"a read-only column, sent":        {nil, map[string]string{"website_url": "https://other.example"}, true, false, "present website_url"},
		"an empty read-only column":       {nil, map[string]string{"website_url": ""}, false, false, "present"},
		"the name of reads":               {nil, map[string]string{"country_code": "DE"}, false, false, "present"},
		"another country":                 {nil, map[string]string{"country_code": "FR"}, false, false, "differs country_code"},
		"a status in other words":         {nil, map[string]string{"status": "0", "active": "0"}, false, false, "present"},
		"another status":                  {nil, map[string]string{"status": "active"}, false, false, "differs status"},
		"another status, by version 1":    {nil, map[string]string{"active": "1"}, false, false, "differs active"},
		"a status in another column":      {nil, map[string]string{"account_id": "deactivated"}, false, false, "differs account_id"},
		"a field that can't be read back": {map[string]string{"phone": `"1"`, "last_name": `"Quist"`}, nil, false, false, "absent last_name:  → Quist"},
		"all of an account":               {map[string]string{"phone": `"1"`}, nil, false, true, "absent phone: 1 → 1"},
		"all, read back":                  {map[string]string{"phone": `"1"`}, nil, true, true, "present"},
		"an account that is not listed":   {map[string]string{"account_id": `8`, "phone": `"1"`}, nil, false, false, "refused"},
		"all of one that is not listed":   {map[string]string{"account_id": `8`, "phone": `"1"`}, nil, false, true, "absent phone:  → 1"},
		"a repaired text":                 {map[string]string{"account_name": `"ACME"`}, nil, false, false, "present"},
		"all of a repaired text":          {map[string]string{"account_name": `"ACME"`}, nil, false, true, "absent account_name: Acme → ACME"},
	} {
		t.Run(name, func(t *testing.T) {
			got := []string{}
			a := &remoteAccounts{isLate: record.NeverLate, mayLack: func() bool { return false },
				res: &schema.AccountsV2, dryRun: true, reconciling: c.reconciling, accounts: map[string]record.Record{"7": held},
				sendUnchanged: c.all && !c.reconciling,
				o:             UpdateOptions{SendUnchanged: c.all, OnReadOnly: func(_ *rows.Row, column string) { got = append(got, column) }},
			}
			row := &rows.Row{ReadOnly: c.readOnly, Repaired: []rows.RepairedCell{{Field: "account_name", Text: "Acme"}}}
			row.Values.Set("account_id", record.Value("7"))
			for field, text := range c.values {
				row.Values.Set(field, record.Value(text))
			}
			out, err := a.compare(t.Context(), row)
			noError(t, err)
			for _, change := range out.Changes {
				got = append(got, change.Field+": "+change.From+" → "+change.To)
			}
			if text := strings.Join(append([]string{out.State}, got...), " "); text != c.want {
				t.Errorf("got %s, want %s", text, c.want)
			}
		})
	}
}

// TestRepairedNotes checks when notes that only a repair changes are up to date: unless all
// rows are sent, which has then to be read back as it was sent.
func TestRepairedNotes(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":{"campaign_id":101,"writer_instructions":" short ","additional_instructions":""},"error":false}`)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Options{BaseURL: server.URL})
	noError(t, err)
	for name, test := range map[string]struct {
		sendsAll, reconciling bool
		cell, want            string
	}{
		"as exported":                {false, false, " short ", bulk.Present},
		"edited":                     {false, false, "short ", bulk.Absent},
		"read back":                  {false, true, " short ", bulk.Present},
		"all are sent":               {true, false, " short ", bulk.Absent},
		"all are sent and read back": {true, true, " short ", bulk.Absent},
	} {
		t.Run(name, func(t *testing.T) {
			load := Notes(c, UpdateOptions{SendUnchanged: test.sendsAll})
			snapshot, err := load.Operation.Snapshot(t.Context(), bulk.SnapshotRequest{Reconciling: test.reconciling})
			noError(t, err)
			row := rows.Row{
				Values: rows.Values{
					{Name: "campaign_id", JSON: record.Value("101")}, {Name: "writer_instructions", JSON: record.Quote("short")},
					{Name: "additional_instructions", JSON: record.Quote("")},
				},
				Repaired: []rows.RepairedCell{{Field: "writer_instructions", Text: test.cell, Repairs: 1}},
			}
			if out, err := snapshot.Find(t.Context(), &row); err != nil || out.State != test.want {
				t.Errorf("got the state %s, error %v; want %s", out.State, err, test.want)
			}
		})
	}
}

// TestRepeatedRecords verifies a load against lists that show a keyword twice. With the same id it is one record, which a
// list repeats when records move between its pages; with another id the service holds the keyword twice.
func TestRepeatedRecords(t *testing.T) {
	for _, c := range []struct {
		name    string
		ids     []int64
		doubled int
	}{
		{"the same record", []int64{5, 5}, 0},
		{"the same record with a large id", []int64{5 << 40, 5 << 40}, 0},
		{"two records", []int64{5, 6}, 1},
		{"two records whose ids differ in the upper half", []int64{5, 1<<32 + 5}, 1},
		{"two records without an id", []int64{0, 0}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := ""
			for i, id := range c.ids {
				if i > 0 {
					list += ","
				}
				list += fmt.Sprintf(`{"rank_id":%d,"account_id":1,"campaign_id":2,"keyword":"a","type":"target","status":1}`, id)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprintf(w, `{"data":[%s],"error":false}`, list)
			}))
			defer server.Close()
			service, err := client.New(client.Options{BaseURL: server.URL})
			noError(t, err)
			path := filepath.Join(t.TempDir(), "rows.csv")
			noError(t, os.WriteFile(path, []byte("account_id,campaign_id,keyword,type\n1,2,a,target\n"), 0o600))
			sum, err := Keywords(service).Run(t.Context(), path, newStore(t), bulk.Options{Verify: true})
			noError(t, err)
			if sum.Present != 1 || sum.Verification == nil || sum.Doubled != c.doubled {
				t.Errorf("got %d present, verification %+v; want 1 present, %d doubled", sum.Present, sum.Verification, c.doubled)
			}
		})
	}
}
