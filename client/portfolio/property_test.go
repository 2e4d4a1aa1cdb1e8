package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"reseller/client/record"
	"reseller/client/schema"
)

// A service is what the service holds, and what it does with the writes of a plan.
type service struct {
	accounts []*account
	lastID   int64
}

type account struct {
	id, campaign int64
	status       string
	fields       schema.Values // of accounts create
	notes        schema.Values
	plans        []record.Value
	keywords     []Keyword
}

// current returns what the lists and the single reads show. An account in the older form has other names and types.
func (s *service) current(m *Model, isOlder func() bool) *Current {
	h := &Current{}
	for _, a := range s.accounts {
		names := map[string]string{"country_code": "country"}
		values := schema.Values{fieldAccount: record.Integer(a.id), fieldCampaign: record.Integer(a.campaign), fieldStatus: record.Quote(a.status)}
		res := &schema.Resource{}
		for _, f := range m.account {
			if v := a.fields[f.Name]; v != nil {
				values[f.Name] = v
			} else if values[f.Name] == nil {
				values[f.Name] = record.Value("null")
			}
			if f.Name == fieldIdentifier {
				delete(values, f.Name)
			}
		}
		identifier := Identifier(record.Of(record.Pair{Name: fieldIdentifier, Value: a.fields[fieldIdentifier]}))
		if isOlder() {
			names = map[string]string{"country_code": "country", "phone": "phone_number", "postal": "zip", "status": "active"}
			values[fieldStatus] = record.Quote(cmp.Or(map[string]string{StatusActive: "1", StatusDeactivated: "0"}[a.status], a.status))
			if values["country_code"].Text() == "US" {
				values["country_code"] = record.Quote("USA")
			}
		}
		named := schema.Values{}
		for _, f := range m.account {
			if v := values[f.Name]; v != nil {
				if name := names[f.Name]; name != "" {
					f.Name = name
					named[name] = v
				} else {
					named[f.Name] = v
				}
			}
			res.Fields = append(res.Fields, f)
		}
		notes := schema.Values{}
		for _, f := range m.notes {
			notes[f.Name] = record.Value("null")
			if v := a.notes[f.Name]; v != nil {
				notes[f.Name] = v
			}
		}
		c := CurrentCustomer{
			Account: a.id, Campaign: a.campaign, Listed: record.Value(res.Body(named)), Identifier: identifier,
			Keywords: slices.Clone(a.keywords), Notes: record.Value(schema.Notes.Body(notes)), Plans: a.plans, PlansRead: true,
		}
		if c.Keywords == nil {
			c.Keywords = []Keyword{}
		}
		SortKeywords(c.Keywords)
		h.Customers = append(h.Customers, c)
	}
	h.Index(m)
	return h
}

// apply carries out a plan.
func (s *service) apply(p *Plan) {
	var a *account
	if p.Create != nil {
		s.lastID++
		a = &account{id: s.lastID, campaign: 100 + s.lastID, status: StatusActive, fields: p.Create}
		s.accounts = append(s.accounts, a)
	} else {
		a = s.accounts[slices.IndexFunc(s.accounts, func(a *account) bool { return a.id == p.Account })]
	}
	for name, v := range p.Update {
		a.fields[name] = v
	}
	switch p.Status {
	case ActionDeactivate:
		a.status = StatusDeactivated
	case ActionReactivate:
		a.status = StatusActive
	}
	for name, v := range p.Notes {
		if a.notes == nil {
			a.notes = schema.Values{}
		}
		a.notes[name] = v
	}
	if p.Attach != nil {
		a.plans = append(a.plans, record.Value(schema.Plans.Body(p.Attach)))
	}
	for _, k := range p.AddKeywords {
		s.lastID++
		a.keywords = append(a.keywords, Keyword{RankID: s.lastID, Text: k.Text, Type: k.Type, Status: statusWord(k.Active)})
	}
	for _, change := range p.ChangeKeywords {
		at := slices.IndexFunc(a.keywords, func(k Keyword) bool { return k.RankID == change.RankID })
		a.keywords[at].Type, a.keywords[at].Status = change.Type, statusWord(change.Active)
	}
}

// An accountKeyword is the folded text of a keyword of an account.
type accountKeyword struct {
	account int64
	text    string
}

// activeKeywords counts the active keywords of each account that differ in case and white space only.
func (s *service) activeKeywords() map[accountKeyword]int {
	n := map[accountKeyword]int{}
	for _, a := range s.accounts {
		for i := range a.keywords {
			if k := &a.keywords[i]; k.Active() {
				n[accountKeyword{a.id, schema.FoldText(k.Text)}]++
			}
		}
	}
	return n
}

func statusWord(active bool) string {
	if active {
		return keywordActivated
	}
	return keywordDeactivated
}

// drawCustomer draws the values of a row that can create a customer, and more.
func drawCustomer(t *rapid.T, m *Model, identifier string) schema.Values {
	word := rapid.SampledFrom([]string{"a", "b", "Ä", " a ", "=a", "'a", "a\nb", "a\u200b", "\x01", "02134", "x;y,z", `{"a":1}`, "[]"})
	values := schema.Values{}
	for _, f := range m.account[frontFields:] {
		if !f.Has(schema.Required) && !rapid.Bool().Draw(t, "has "+f.Name) {
			continue
		}
		switch f.Type {
		case schema.Attributes:
			list := record.Value("[]")
			for range rapid.IntRange(0, 2).Draw(t, f.Name) {
				list = schema.AddAttribute(list, word.Draw(t, "attribute"), word.Draw(t, "value"))
			}
			values[f.Name] = list
		case schema.Country:
			values[f.Name] = record.Quote(rapid.SampledFrom([]string{"US", "DE"}).Draw(t, f.Name))
		default:
			values[f.Name] = record.Quote(word.Draw(t, f.Name))
		}
	}
	values[fieldIdentifier] = record.Quote(identifier)
	values["account_name"] = record.Quote(values["account_name"].Text() + identifier) // one of the same name, e-mail and phone would be similar
	if rapid.Bool().Draw(t, "older identifier") {
		values[fieldIdentifier] = record.Value(fmt.Sprintf(`{"field_name":"n","field_value":%s}`, record.Quote(identifier)))
	}
	if status := rapid.SampledFrom([]string{"", "active", "deactivated"}).Draw(t, "status"); status != "" {
		values[fieldStatus] = record.Quote(status)
	}
	for _, f := range m.notes {
		if rapid.Bool().Draw(t, "has "+f.Name) {
			values[f.Name] = record.Quote(rapid.SampledFrom([]string{"", "x", "x\n y ", "="}).Draw(t, f.Name))
		}
	}
	if n := rapid.IntRange(0, 3).Draw(t, "plan"); n > 0 {
		values[fieldPlan] = record.Integer(int64(n))
	}
	if rapid.Bool().Draw(t, "has keywords") {
		values[FieldKeywords] = record.ArrayOf(drawKeywords(t)...)
	}
	return values
}

// oddValues are values that a file could not send, or not for all fields. An empty one is none.
var oddValues = []string{"", "", "", `""`, `" "`, `"nobody"`, `"x\ny"`, `"\u0001"`, `"#REF!"`, `"5.03556E+09"`, `"\ud800"`, `7.0`, `true`, `{"a":1}`, `["a"]`, `"[]"`, `"Narnia"`, `" de "`}

// keywordTexts are texts of which several are the same keyword.
var keywordTexts = []string{"x\ny", "a\u200b", "TRUE", `="a"`, "red shoes", "Red  shoes", "RED SHOES", "ä", "Ä", "A\u030a", "å", "boots", "a|b", "x;y"}

func drawKeywords(t *rapid.T) []record.Value {
	var list []record.Value
	seen := map[string]bool{}
	for _, text := range rapid.SliceOfN(rapid.SampledFrom(keywordTexts), 0, 5).Draw(t, "keywords") {
		if folded := schema.FoldText(text); seen[folded] {
			continue
		} else {
			seen[folded] = true
		}
		k := Keyword{Text: text, Type: rapid.SampledFrom([]string{"", "target", "interest"}).Draw(t, "type"), Status: rapid.SampledFrom([]string{"", keywordActivated, keywordDeactivated}).Draw(t, "status")}
		if k.Type+k.Status == "" && !strings.Contains(text, "|") {
			list = append(list, record.Quote(text))
		} else {
			list = append(list, k.element())
		}
	}
	return list
}

// drawPortfolio draws the rows of a file.
func drawPortfolio(t *rapid.T, m *Model) []schema.Values {
	var file []schema.Values
	for _, identifier := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3", "crm 4"}), 0, 4, rapid.ID).Draw(t, "identifiers") {
		file = append(file, drawCustomer(t, m, identifier))
	}
	return file
}

// compareFile returns the plans of a file, whose values are validated as those of the rows of a file if validated is true,
// and what is pruned.
func compareFile(t *rapid.T, m *Model, h *Current, file []schema.Values, o Options, validated bool) ([]Plan, Pruned) {
	c := comparisonOf(m, h, o)
	var plans []Plan
	for i, values := range file {
		w, field, reason := m.Desired(values, KeywordOptions{Type: "target", NoValidate: !validated})
		for _, f := range m.Resource().Fields {
			v := values[f.Name]
			if _, err := f.FromJSON(v, true); v != nil && validated && f.Type != schema.List && (err != nil || f.Damage(v.Text(), v) != nil) {
				w.AddInvalid(f.Name, "is invalid")
			}
		}
		if reason != "" {
			t.Fatalf("row %d of the file: got the fault %s: %s, want none", i, field, reason)
		}
		w.Line = i + 1
		p, faults := c.Add(w)
		if faults != nil || p.Unread != nil {
			t.Fatalf("row %d of the file: got the faults %v, unread %v, want none", i, faults, p.Unread)
		}
		plans = append(plans, p)
	}
	pruned, err := c.Prune(NoLimit)
	if err != nil {
		t.Fatal(err)
	}
	return append(plans, pruned.Accounts...), pruned
}

// exported returns what export writes, as the rows that a file with it has.
func exported(t *rapid.T, m *Model, h *Current) []schema.Values {
	var file []schema.Values
	for i := range h.Customers {
		rec, err := m.Record(&h.Customers[i], false)
		if err != nil {
			t.Fatal(err)
		}
		values := schema.Values{}
		for _, f := range m.Resource().Fields {
			if v := rec.Get(f.Name); v != nil {
				values[f.Name] = v
			}
		}
		file = append(file, values)
	}
	return file
}

// TestAppliedPortfolioIsHeld draws two files and applies one after the other, with changes of others between them. After
// each, a comparison with the same file finds no change, and none with what export writes.
func TestAppliedPortfolioIsHeld(t *testing.T) {
	m := New()
	rapid.Check(t, func(t *rapid.T) {
		s := &service{}
		isOlder := func() bool { return rapid.Bool().Draw(t, "older form") }
		for range 2 {
			file := drawPortfolio(t, m)
			o := Options{PruneAccounts: rapid.Bool().Draw(t, "prune accounts"), PruneKeywords: rapid.Bool().Draw(t, "prune keywords")}
			plans, _ := compareFile(t, m, s.current(m, isOlder), file, o, false)
			before := s.activeKeywords()
			for i := range plans {
				s.apply(&plans[i])
			}
			for k, n := range s.activeKeywords() {
				if n > max(1, before[k]) {
					t.Fatalf("got the keyword %q of account %d active %d times, want once, or at most %d times as before: %+v", k.text, k.account, n, before[k], plans)
				}
			}
			again, pruned := compareFile(t, m, s.current(m, isOlder), file, o, false)
			for i := range again {
				if again[i].HasChanges() || again[i].Outcome() != ActionKeep {
					t.Fatalf("got the changes %+v after the file was applied, want none: %s", again[i].Changes, schema.AccountsV2.Body(file[i]))
				}
			}
			if pruned.Keywords != 0 || len(pruned.Accounts) != 0 {
				t.Fatalf("got %+v pruned after the file was applied, want nothing", pruned)
			}
			h := s.current(m, isOlder)
			all, pruned := compareFile(t, m, s.current(m, isOlder), exported(t, m, h), Options{PruneAccounts: true, PruneKeywords: true}, true)
			for i := range all {
				if len(all[i].Changes) != 0 || all[i].Update != nil || all[i].Attach != nil || all[i].ChangeKeywords != nil {
					t.Fatalf("got %+v for what export wrote, want no change", all[i])
				}
			}
			if pruned.Keywords != 0 || len(pruned.Accounts) != 0 {
				t.Fatalf("got %+v pruned for what export wrote, want nothing", pruned)
			}
			for _, a := range s.accounts { // what others do
				for _, text := range rapid.SliceOfN(rapid.SampledFrom(append(keywordTexts, "", " ", "#N/A")), 0, 3).Draw(t, "keywords of others") {
					s.lastID++
					kind := rapid.SampledFrom([]string{"target", "interest", "Target", "brand"}).Draw(t, "type")
					status := rapid.SampledFrom([]string{"1", "0", "Deactivated", "paused"}).Draw(t, "status")
					k := record.Of(record.Pair{Name: "keyword", Value: record.Quote(text)}, record.Pair{Name: "type", Value: record.Quote(kind)},
						record.Pair{Name: "status", Value: record.Quote(status)}, record.Pair{Name: "rank_id", Value: record.Integer(s.lastID)})
					a.keywords = append(a.keywords, m.NewKeyword(k))
				}
				a.status = rapid.SampledFrom([]string{a.status, a.status, "Active", "DEACTIVATED", "pending", ""}).Draw(t, "status of others")
				for _, f := range m.account[frontFields:] {
					if odd := rapid.SampledFrom(oddValues).Draw(t, f.Name+" of others"); odd != "" && f.Name != fieldIdentifier {
						a.fields[f.Name] = record.Value(odd)
					}
				}
				if rapid.Bool().Draw(t, "has no notes") {
					a.notes = nil
				}
			}
		}
	})
}
