package customers

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/columns"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

func TestOnboardFlags(t *testing.T) {
	for args, want := range map[string]string{
		"":                                       "missing: --file",
		"--file f.csv":                           "target []",
		"--file f.csv --type interest":           "interest []",
		"--file f.csv --keyword-type interest":   "interest []",
		"--file f.csv --type both":               `--type: "both" is neither target nor interest`,
		"--file f.csv --repeat plan":             "target [plan]",
		"--file f.csv --repeat plan,credentials": "target [plan credentials]",
		"--file f.csv --repeat=":                 "target []",
		"--file f.csv --repeat notes":            `--repeat: "notes" is neither credentials nor plan`,
		"--example csv":                          "target []",
	} {
		t.Run(args, func(t *testing.T) {
			got := ""
			c := newOnboard(&cli.Factory{}, func(o *onboardOptions) error { got = fmt.Sprint(o.keywordType, " ", o.repeat); return nil })
			c.SetGlobalNormalizationFunc(cli.Normalize)
			c.SetArgs(strings.Fields(args))
			c.SetOut(io.Discard)
			c.SetErr(io.Discard)
			c.SilenceErrors, c.SilenceUsage = true, true
			if err := c.Execute(); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestKeywords(t *testing.T) {
	for text, want := range map[string]string{
		`["a"," b | interest ","A|target"]`: "a/target b/interest",
		`["Ä","ä"]`:                         "Ä/target",
		`["a|b|target"]`:                    "a|b/target",
		`[24]`:                              "24/target",
		`[]`:                                "",
		`["a","a|interest"]`:                `"a" is given twice, with different types`,
		`["a|b"]`:                           `"a|b": the type after the last | is "b", not one of target, interest`,
		`["a|"]`:                            `"a|": the type after the last | is "", not one of target, interest`,
		`["|target"]`:                       `"|target" has no text`,
		`[" "]`:                             `" " has no text`,
		`[null]`:                            "contains null, not a string or an object",

		`[{"keyword":" a|b "}]`:                                   "a|b/target",
		`[{"keyword":"a","type":"interest","status":"activate"}]`: "a/interest",
		`[{"keyword":"a","keyword_type":"interest","status":1}]`:  "a/interest",
		`[{"keyword":"a","status":"deactivate"}]`:                 `"a": status is "deactivate", and a new keyword is active`,
		`[{"keyword":"a","status":0}]`:                            `"a": status is "deactivate", and a new keyword is active`,
		`[{"keyword":"a","type":"b"}]`:                            `"a": type "b" is not one of target, interest`,
		`[{"keyword":"a","rank_id":1}]`:                           `"a" has "rank_id", which is none of keyword, type, status`,
		`[{"keyword":null}]`:                                      `"": keyword is null`,
		`[{"type":"target"}]`:                                     `"{\"type\":\"target\"}" has no text`,
		`["a",{"keyword":"A","type":"interest"}]`:                 `"A" is given twice, with different types`,
	} {
		t.Run(text, func(t *testing.T) {
			list, got := parseKeywords(schema.Values{"keywords": record.Value(text)}, "target")
			if got == "" {
				var parts []string
				for _, k := range list {
					parts = append(parts, k.Keyword+"/"+k.KeywordType)
				}
				got = strings.Join(parts, " ")
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestColumnNamesAreDistinct checks that no name and no synonym of a column means two fields
// of a customer.
func TestColumnNamesAreDistinct(t *testing.T) {
	fields := map[string]string{}
	for _, f := range customerResource().Fields {
		for _, name := range slices.Concat([]string{f.Name, f.ReadName()}, f.Aliases, f.ColumnSynonyms) {
			if before, ok := fields[columns.Fold(name)]; ok && before != f.Name {
				t.Errorf("got %q for both %s and %s, want one field", name, before, f.Name)
			}
			fields[columns.Fold(name)] = f.Name
		}
	}
}

func TestChoose(t *testing.T) {
	for _, test := range []struct {
		who    customerState
		listed []int64
		want   int64
		why    string
	}{
		{customerState{account: 1, campaign: 5}, nil, 5, ""},
		{customerState{account: 1, campaign: 5}, []int64{5}, 5, ""},
		{customerState{account: 1}, []int64{6}, 6, ""},
		{customerState{account: 1, campaign: 5}, []int64{6}, 5, "account 1 has 2 campaigns (5, 6), so it is unclear which one to use"},
		{customerState{account: 1}, []int64{7, 6}, 0, "account 1 has 2 campaigns (6, 7), so it is unclear which one to use"},
		{customerState{account: 1}, nil, 0, "the service shows no campaign of account 1 yet"},
		{customerState{campaign: 5}, nil, 5, "the service does not show the id of its account yet"},
	} {
		t.Run(fmt.Sprintf("account %d, campaign %d, listed %v", test.who.account, test.who.campaign, test.listed), func(t *testing.T) {
			c := test.who
			if why := c.chooseCampaign(test.listed); why != test.why || c.campaign != test.want {
				t.Errorf("got campaign %d, %q, want %d, %q", c.campaign, why, test.want, test.why)
			}
		})
	}
}

// FuzzKeywords checks that each keyword of a customer has a text and a type.
func FuzzKeywords(f *testing.F) {
	f.Add("red shoes | interest")
	f.Add("a|b|target")
	f.Add("|")
	f.Fuzz(func(t *testing.T, text string) {
		list, reason := parseKeywords(schema.Values{"keywords": record.Value(`["x",` + string(record.Quote(text)) + `]`)}, "target")
		if (reason == "") != (len(list) > 0) {
			t.Errorf("%q: got %v and the reason %q, want one of the two", text, list, reason)
		}
		for _, k := range list {
			if strings.TrimSpace(k.Keyword) == "" || !slices.Contains(keywordTypes(), k.KeywordType) {
				t.Errorf("%q: got %+v, want a text and a type", text, k)
			}
		}
	})
}
