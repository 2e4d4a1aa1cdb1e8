package cmd_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"reseller/client/mock"
)

// A drawnService is the mock with what must be stored in it, by the number of the customer.
type drawnService struct {
	t        *rapid.T
	service  *mock.Service
	token    string
	writes   atomic.Int64
	expected map[int]*drawnCustomer
}

// A drawnCustomer is what must be stored of a customer.
type drawnCustomer struct {
	account, campaign int64
	fields            map[string]any // as the list of version 2 shows them
	notes             [2]string
	plans             []int64
	keywords          map[string]string // type and status, by text
}

func (s *drawnService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		s.writes.Add(1)
	}
	s.service.ServeHTTP(w, r)
}

// read reads data of the service.
func (s *drawnService) read(path string, into any) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+s.token)
	w := httptest.NewRecorder()
	s.service.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &struct{ Data any }{into}); err != nil || w.Code != http.StatusOK {
		s.t.Fatalf("%s: %v in %d %s", path, err, w.Code, w.Body)
	}
}

// draw draws a file of customers in ndjson, and notes what must be stored once it was applied with
// --prune keywords,accounts.
func (s *drawnService) draw() []byte {
	for _, c := range s.expected {
		c.fields["status"] = "deactivated"
	}
	word := rapid.SampledFrom([]string{"a", "Ä b", "=a", "x;y|z", "[1]"})
	var file []byte
	for _, id := range rapid.SliceOfNDistinct(rapid.IntRange(1, 4), 1, 4, rapid.ID).Draw(s.t, "customers") {
		c, row := s.expected[id], map[string]any{}
		isNew := c == nil
		if isNew {
			c = &drawnCustomer{fields: map[string]any{"status": "active", "attributes": []any{}}, keywords: map[string]string{}}
			s.expected[id] = c
		}
		maybe := func(name string) bool { return isNew || rapid.Bool().Draw(s.t, "with "+name) }
		for _, name := range []string{"account_name", "first_name", "last_name", "address_1", "address_2", "city", "state", "phone", "postal"} {
			if maybe(name) {
				c.fields[name] = fmt.Sprintf("%s %s %d", word.Draw(s.t, name), name, id)
				row[name] = c.fields[name]
			}
		}
		if maybe("email") {
			c.fields["email"] = fmt.Sprintf("c%d.%d@example.com", id, rapid.IntRange(1, 2).Draw(s.t, "email"))
			row["email"] = c.fields["email"]
		}
		if isNew {
			c.fields["website_url"], row["website_url"], row["country_code"] = "https://example.com", "https://example.com", "US"
		}
		if isNew || rapid.Bool().Draw(s.t, "by identifier") {
			row["external_account_identifier"] = fmt.Sprint("crm-", id)
		} else {
			row["account_id"] = c.account
		}
		// Who names a customer wants its account active only if the file says so.
		switch status := rapid.SampledFrom([]any{"active", "deactivated", nil}).Draw(s.t, "status"); {
		case status != nil:
			c.fields["status"], row["status"] = status, status
		case !isNew:
			c.fields["status"] = nil // as it was
		}
		if rapid.Bool().Draw(s.t, "attributes") {
			list := []any{}
			for i := range rapid.IntRange(0, 2).Draw(s.t, "number") {
				list = append(list, map[string]any{"field_name": fmt.Sprint("Tier ", i), "field_value": word.Draw(s.t, "value")})
			}
			c.fields["attributes"], row["attributes"] = list, list
		}
		if rapid.Bool().Draw(s.t, "manager") {
			m := map[string]any{"name": word.Draw(s.t, "manager"), "email": "kim@example.com"}
			c.fields["external_account_manager"], row["external_account_manager"] = m, m
		}
		for i, name := range []string{"writer_instructions", "additional_instructions"} {
			if rapid.Bool().Draw(s.t, name) {
				c.notes[i] = word.Draw(s.t, name)
				row[name] = c.notes[i]
			}
		}
		if plan := rapid.Int64Range(0, 2).Draw(s.t, "plan"); plan > 0 {
			if row["service_plan_id"] = plan; !slices.Contains(c.plans, plan) {
				c.plans = append(c.plans, plan)
			}
		}
		if rapid.Bool().Draw(s.t, "with keywords") {
			row["keywords"] = c.drawKeywords(s.t)
		}
		line, _ := json.Marshal(row)
		file = append(append(file, line...), '\n')
	}
	return file
}

// drawKeywords draws a list of keywords, and notes what must be stored once it was applied.
func (c *drawnCustomer) drawKeywords(t *rapid.T) []any {
	for text, state := range c.keywords {
		c.keywords[text] = strings.Replace(state, " 1", " 0", 1)
	}
	list := []any{}
	for _, text := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"red shoes", "a,b", "x|y", "[1]", "=1+1", "é", "10"}), 0, 5, rapid.ID).Draw(t, "keywords") {
		kind, status := "target", "1"
		spelled := rapid.SampledFrom([]string{text, strings.ToUpper(text), "  " + strings.ReplaceAll(text, " ", "   ")}).Draw(t, "spelling")
		var element any = spelled
		if strings.Contains(text, "|") || rapid.Bool().Draw(t, "object") {
			object := map[string]any{"keyword": spelled}
			if rapid.Bool().Draw(t, "type") {
				kind = "interest"
				object["type"] = kind
			}
			if rapid.Bool().Draw(t, "deactivated") {
				status = "0"
				object["status"] = "deactivated"
			}
			element = object
		}
		c.keywords[text] = kind + " " + status
		list = append(list, element)
	}
	return list
}

// check compares what is stored with what must be.
func (s *drawnService) check() {
	var accounts []map[string]any
	s.read("/api/v2/accounts", &accounts)
	var identified []struct {
		AccountID  int64 `json:"account_id"`
		Identifier struct {
			Value string `json:"field_value"`
		} `json:"external_account_identifier"`
	}
	s.read("/api/v1/accounts", &identified)
	var keywords []struct {
		CampaignID    int64 `json:"campaign_id"`
		Keyword, Type string
		Status        int
	}
	s.read("/api/v1/keywords", &keywords)
	for id, c := range s.expected {
		n := 0
		for i, a := range identified {
			if a.Identifier.Value == fmt.Sprint("crm-", id) {
				n, c.account = n+1, a.AccountID
				s.same(fmt.Sprintf("customer %d", id), accounts[i], c)
			}
		}
		if n != 1 {
			s.t.Fatalf("got %d accounts of customer %d, want 1", n, id)
		}
		got := map[string]string{}
		for _, k := range keywords {
			if k.CampaignID == c.campaign {
				got[strings.ToLower(strings.Join(strings.Fields(k.Keyword), " "))] = fmt.Sprint(k.Type, " ", k.Status)
			}
		}
		if !maps.Equal(got, c.keywords) {
			s.t.Fatalf("got the keywords %v of customer %d, want %v", got, id, c.keywords)
		}
	}
}

// same compares the account, the notes and the plans of one customer.
func (s *drawnService) same(name string, got map[string]any, c *drawnCustomer) {
	if c.fields["status"] == nil {
		c.fields["status"] = got["status"]
	}
	for field, want := range c.fields {
		if fmt.Sprint(got[field]) != fmt.Sprint(want) {
			s.t.Fatalf("%s: got the %s %v, want %v", name, field, got[field], want)
		}
	}
	c.campaign = int64(got["campaign_id"].(float64))
	var notes struct {
		Writer     string `json:"writer_instructions"`
		Additional string `json:"additional_instructions"`
	}
	s.read(fmt.Sprint("/api/v2/campaigns/notes?campaign_id=", c.campaign), &notes)
	if got := [2]string{notes.Writer, notes.Additional}; got != c.notes {
		s.t.Fatalf("%s: got the notes %q, want %q", name, got, c.notes)
	}
	var plans []struct {
		ID       int64  `json:"service_plan_id"`
		Attached string `json:"attached_date"`
	}
	s.read(fmt.Sprintf("/api/v1/products/plans/campaigns/%d/accounts/%d", c.campaign, c.account), &plans)
	var attached []int64
	for _, p := range plans {
		if p.Attached != "" {
			attached = append(attached, p.ID)
		}
	}
	slices.Sort(attached)
	slices.Sort(c.plans)
	if !slices.Equal(attached, c.plans) {
		s.t.Fatalf("%s: got the plans %v, want %v", name, attached, c.plans)
	}
}

// TestAppliedFileIsHeld applies two drawn files one after the other on the mock. After each, the mock stores what the file
// says, a comparison with the file finds no change, a second run sends no write, and a comparison with what export
// writes finds no change. It draws 15 pairs of files, or as many as -rapid.checks says.
func TestAppliedFileIsHeld(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{"rapid.checks": "15", "rapid.nofailfile": "true"} {
		if f := flag.Lookup(name); f.Value.String() == f.DefValue {
			defer func() { _ = f.Value.Set(f.DefValue) }()
			_ = f.Value.Set(value)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		s := &drawnService{t: rt, expected: map[int]*drawnCustomer{}}
		if s.service, err = mock.Open(mock.Options{Path: filepath.Join(dir, "mock.db")}); err != nil {
			rt.Fatal(err)
		}
		if s.token, err = s.service.Token(1); err != nil {
			rt.Fatal(err)
		}
		server := httptest.NewServer(s)
		defer server.Close()
		cli := session{home: dir, env: map[string]string{"RESELLER_BASE_URL": server.URL, "RESELLER_TOKEN": s.token}}
		run := func(args ...string) {
			if code, out, errs := cli.run(t, args...); code != 0 {
				rt.Fatalf("%q: got exit code %d, want 0:\n%s%s", args, code, out, errs)
			}
		}
		prune := []string{"--prune", "keywords,accounts", "--prune-limit", "100%"}
		for i := range 2 {
			file := filepath.Join(dir, fmt.Sprintf("%d.ndjson", i))
			if err := os.WriteFile(file, s.draw(), 0o600); err != nil {
				rt.Fatal(err)
			}
			run(append([]string{"apply", "--file", file, "--yes", "--rate", "100000"}, prune...)...)
			s.check()
			run(append([]string{"diff", "--file", file, "--exit-code"}, prune...)...)
			before := s.writes.Load()
			run(append([]string{"apply", "--file", file, "--yes", "--rate", "100000"}, prune...)...)
			if n := s.writes.Load() - before; n != 0 {
				rt.Fatalf("got %d writes by the second run, want 0", n)
			}
			format := rapid.SampledFrom([]string{"csv", "tsv", "xlsx", "json", "ndjson", "yaml"}).Draw(rt, "format")
			exported := filepath.Join(dir, fmt.Sprintf("export%d.%s", i, format))
			run("export", "-o", format, "--output-file", exported)
			run(append([]string{"diff", "--file", exported, "--exit-code"}, prune...)...)
		}
	})
}
