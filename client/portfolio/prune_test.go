package portfolio

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
)

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "12": "12", "10%": "10%", "0%": "0%", "100%": "100%",
		"":                     `"" is neither a number nor a percentage from 0% to 100%`,
		"%":                    `"%" is neither a number nor a percentage from 0% to 100%`,
		"-1":                   `"-1" is neither a number nor a percentage from 0% to 100%`,
		"+1":                   `"+1" is neither a number nor a percentage from 0% to 100%`,
		"101%":                 `"101%" is neither a number nor a percentage from 0% to 100%`,
		"1.5%":                 `"1.5%" is neither a number nor a percentage from 0% to 100%`,
		"10 %":                 `"10 %" is neither a number nor a percentage from 0% to 100%`,
		"10%%":                 `"10%%" is neither a number nor a percentage from 0% to 100%`,
		"9e9":                  `"9e9" is neither a number nor a percentage from 0% to 100%`,
		"99999999999999999999": `"99999999999999999999" is neither a number nor a percentage from 0% to 100%`,
	} {
		t.Run(text, func(t *testing.T) {
			limit, err := ParseLimit(text)
			got := limit.text
			if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestPrunedWithoutType prunes a keyword whose type the service does not show: a write would need the type.
func TestPrunedWithoutType(t *testing.T) {
	current := CurrentCustomer{Account: 6, Campaign: 9, Listed: record.Value(`{}`), Keywords: []Keyword{{RankID: 1, Text: "a", Status: keywordActivated}, {RankID: 2, Text: "A", Status: keywordActivated}}}
	for list, want := range map[string]string{
		`[]`: `fault keywords: the list does not name "a", and the service does not show its type, which would be lost: name it with its type and the status deactivated`,
		`[{"keyword":"a","type":"interest","status":"deactivated"}]`: "update keyword a >interest; deactivate keyword a active>deactivated; deactivate keyword A active>deactivated",
	} {
		t.Run(list, func(t *testing.T) {
			c := comparisonOf(New(), heldOf(current), Options{PruneKeywords: true})
			p, faults := c.Add(wantedOf(t, `{"account_id":6,"keywords":`+list+`}`)[0])
			if got := changesOf(p, faults); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			for _, k := range p.ChangeKeywords {
				if k.Type != "interest" {
					t.Errorf("keyword %d: got the type %q, want interest", k.RankID, k.Type)
				}
			}
		})
	}
}

// TestPrune prunes accounts and keywords that the file does not name.
func TestPrune(t *testing.T) {
	h := func() *Current {
		active, inactive := record.Value(`{"status":"active","account_name":"N"}`), record.Value(`{"active":0}`)
		keywords := []Keyword{{RankID: 1, Text: "Named  One", Type: "target", Status: "activate"}, {RankID: 2, Text: "named one", Type: "target", Status: "activate"}, {RankID: 3, Text: "other", Type: "interest", Status: "activate"}, {RankID: 4, Text: "OTHER", Type: "target", Status: "1"}, {RankID: 5, Text: "off", Type: "target", Status: "deactivate"}}
		return heldOf(
			CurrentCustomer{Account: 1, Campaign: 11, Listed: active, Identifier: record.Quote("same"), Keywords: keywords},
			CurrentCustomer{Account: 1, Campaign: 12, Listed: active, Keywords: keywords},
			CurrentCustomer{Account: 2, Campaign: 21, Listed: active, Identifier: record.Quote("same"), Keywords: keywords[2:]},
			CurrentCustomer{Account: 3, Campaign: 31, Listed: inactive, Keywords: keywords},
			CurrentCustomer{Account: 4, Campaign: 41, Listed: record.Value(`{}`), Keywords: keywords},
			CurrentCustomer{Account: 5, Campaign: 51, Listed: active},
			CurrentCustomer{Account: 6, Campaign: 61},
		)
	}
	both := Options{PruneAccounts: true, PruneKeywords: true}
	for _, c := range []struct {
		name  string
		o     Options
		limit string
		rows  []string
		want  string
	}{
		{"nothing is pruned without being asked", Options{}, "0", []string{`{"account_id":2,"keywords":[]}`}, "accounts [] of 3, keywords [] of 0"},
		{"accounts that are active and that no row names", both, "100%", []string{`{"account_id":2}`}, "accounts [1 5] of 3, keywords [] of 0"},
		{"an account of which one campaign is named", both, "100%", []string{`{"account_id":1,"campaign_id":12}`, `{"account_id":5}`}, "accounts [2] of 3, keywords [] of 0"},
		{"an invalid row may mean an account", both, "100%", []string{`{"external_account_identifier":"same"}`}, "accounts [5] of 3, keywords [] of 0"},
		{"an invalid row that means one account", both, "100%", []string{`{"account_id":5,"campaign_id":99}`}, "accounts [1 2] of 3, keywords [] of 0"},
		{"a second row of an account", both, "100%", []string{`{"account_id":5}`, `{"account_id":5}`}, "accounts [1 2] of 3, keywords [] of 0"},
		{"keywords of lists", Options{PruneKeywords: true}, "100%", []string{`{"account_id":1,"campaign_id":11,"keywords":["named ONE","new"]}`, `{"account_id":2}`}, "accounts [] of 3, keywords [3:interest 4:target] of 4"},
		{"keywords of an empty list", Options{PruneKeywords: true}, "100%", []string{`{"account_id":2,"keywords":[]}`}, "accounts [] of 3, keywords [3:interest 4:target] of 2"},
		{"keywords that were not read", Options{PruneKeywords: true}, "100%", []string{`{"account_id":5,"keywords":[]}`}, "accounts [] of 3, keywords [] of 0"},
		{"too many accounts", both, "1", []string{`{"account_id":2}`}, "2 of 3 active accounts would be deactivated, and the limit is 1"},
		{"too large a part of the accounts", both, "66%", []string{`{"account_id":2}`}, "2 of 3 active accounts would be deactivated, and the limit is 66%, which is 1"},
		{"no more than a part", both, "67%", []string{`{"account_id":2}`}, "accounts [1 5] of 3, keywords [] of 0"},
		{"too many of both", both, "10%", []string{`{"account_id":2,"keywords":[]}`}, "2 of 3 active accounts would be deactivated, and the limit is 10%, which is 0; 2 of 2 active keywords would be deactivated, and the limit is 10%, which is 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			comparison := comparisonOf(New(), h(), c.o)
			var keywords []string
			for _, w := range wantedOf(t, c.rows...) {
				p, _ := comparison.Add(w)
				for _, k := range p.ChangeKeywords {
					if keywords = append(keywords, fmt.Sprintf("%d:%s", k.RankID, k.Type)); k.Item >= 0 || k.Active {
						t.Errorf("got the change %+v of a keyword, want one that is pruned", k)
					}
					if !slices.Contains(p.Changes, Change{ActionDeactivate, ObjectKeyword, k.Text, "active", "deactivated", false}) {
						t.Errorf("got the changes %+v, want one for %s", p.Changes, k.Text)
					}
				}
			}
			limit, err := ParseLimit(c.limit)
			if err != nil {
				t.Fatal(err)
			}
			pruned, err := comparison.Prune(limit)
			var accounts []int64
			for _, p := range pruned.Accounts {
				accounts = append(accounts, p.Account)
				if got := changesOf(p, nil); got != "deactivate account status active>deactivated" || p.Customer != "N" || p.Outcome() != ActionDeactivate {
					t.Errorf("got %s of %s, want the deactivation of N", got, p.Customer)
				}
			}
			got := fmt.Sprintf("accounts %v of %d, keywords %v of %d", accounts, pruned.ActiveAccounts, keywords, pruned.ActiveKeywords)
			if err != nil {
				got = err.Error()
			} else if pruned.Keywords != len(keywords) {
				t.Errorf("got %d pruned keywords, want %d", pruned.Keywords, len(keywords))
			}
			if got = strings.ReplaceAll(got, "<nil>", "[]"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
