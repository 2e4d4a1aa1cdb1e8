package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
)

func TestKeywords(t *testing.T) {
	for text, want := range map[string]string{
		`["a"," b | interest ","A|target"]`: "a/target b/interest",
		`["Ä","ä"]`:                         "Ä/?",
		`["a|b|target"]`:                    "a|b/target",
		`[24]`:                              "24/?",
		`[]`:                                "",
		`["a","a|interest"]`:                `"a" is given twice, with different types`,
		`["a|b"]`:                           `"a|b": the type after the last | is "b", not one of target, interest`,
		`["a|"]`:                            `"a|": the type after the last | is "", not one of target, interest`,
		`["|target"]`:                       `"|target" has no text`,
		`[" "]`:                             `" " has no text`,
		`[null]`:                            "contains null, not a string or an object",

		`[{"keyword":" a|b "}]`:                                   "a|b/?",
		`[{"keyword":"a","type":"interest","status":"activate"}]`: "a/interest",
		`[{"keyword":"a","keyword_type":"interest","status":1}]`:  "a/interest",
		`[{"keyword":"a","status":"deactivate"}]`:                 "a/?/deactivated",
		`[{"keyword":"a","status":0}]`:                            "a/?/deactivated",
		`["a",{"keyword":"A","status":0}]`:                        `"A" is given twice, with different statuses`,
		`["a","A|interest","a"]`:                                  `"A" is given twice, with different types`,
		`[{"keyword":"a","type":"b"}]`:                            `"a": type "b" is not one of target, interest`,
		`[{"keyword":"a","rank_id":1}]`:                           `"a" has "rank_id", which is none of keyword, type, status`,
		`[{"keyword":null}]`:                                      `"": keyword is null`,
		`[{"keyword":"a","type":null,"status":null}]`:             "a/?",
		`[{"type":"target"}]`:                                     `"{\"type\":\"target\"}" has no text`,
		`["a",{"keyword":"A","type":"interest"}]`:                 `"A" is given twice, with different types`,
	} {
		t.Run(text, func(t *testing.T) {
			list, invalid, got := New().parseKeywords(record.Value(text), KeywordOptions{Type: "target"})
			for i := range invalid {
				got = cmp.Or(got, invalid[i].Reason)
			}
			if got == "" {
				var parts []string
				for _, k := range list {
					status := ""
					if !k.Active {
						status = "/deactivated"
					}
					parts = append(parts, k.Text+"/"+cmp.Or(k.Type, "?")+status)
				}
				got = strings.Join(parts, " ")
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestMergedKeywords gives a keyword twice, each time with a field that the other does not have, and with one that both have.
func TestMergedKeywords(t *testing.T) {
	k := DesiredKeyword{Other: map[string]record.Value{"a": record.Value("1")}}
	if what := k.merge(&DesiredKeyword{Other: map[string]record.Value{"a": record.Value("1"), "b": record.Value("2")}}, "target"); what != "" || k.Other["b"].Text() != "2" {
		t.Errorf("got %v and the contradiction %q, want the fields of both and none", k.Other, what)
	}
	if what := k.merge(&DesiredKeyword{Other: map[string]record.Value{"b": record.Value("3")}}, "target"); what != "b" {
		t.Errorf("got the contradiction %q, want b", what)
	}
}

// FuzzKeywords checks that each keyword of a customer has a text and a type.
func FuzzKeywords(f *testing.F) {
	f.Add("red shoes | interest")
	f.Add("a|b|target")
	f.Add("|")
	f.Fuzz(func(t *testing.T, text string) {
		list, invalid, reason := New().parseKeywords(record.Value(`["x",`+string(record.Quote(text))+`]`), KeywordOptions{Type: "target"})
		if (reason == "") != (len(list) > 0) || len(list)+len(invalid) > 2 {
			t.Errorf("%q: got %v, invalid %v and the reason %q, want a list or a reason", text, list, invalid, reason)
		}
		for _, k := range list {
			if strings.TrimSpace(k.Text) == "" || k.Type != "" && !slices.Contains(KeywordTypes(), k.Type) {
				t.Errorf("%q: got %+v, want a text, and a type or none", text, k)
			}
		}
	})
}

// TestWanted parses values of rows, and the faults of those that are invalid.
func TestWanted(t *testing.T) {
	for row, want := range map[string]string{
		`{}`: "0 0 status= fields={} keywords=0/false notes=map[] plan=map[] credentials=map[]",
		`{"account_id":"6","campaign_id":16,"status":1,"phone":"1","country_code":"DE","keywords":[]}`:                     `6 16 status=active fields={"phone":"1","country_code":"DE"} keywords=0/true notes=map[] plan=map[] credentials=map[]`,
		`{"account_id":null,"status":null,"phone":null,"keywords":null,"writer_instructions":null,"service_plan_id":null}`: "0 0 status= fields={} keywords=0/false notes=map[] plan=map[] credentials=map[]",
		`{"writer_instructions":"w","service_plan_id":3}`:                                                                  `0 0 status= fields={} keywords=0/false notes=map[writer_instructions:"w"] plan=map[service_plan_id:3] credentials=map[]`,
		`{"credentials":{"reseller_account_id":1}}`:                                                                        "0 0 status= fields={} keywords=0/false notes=map[] plan=map[] credentials=map[]",
		`{"credentials":{"reseller_account_id":1,"credentials_types_id":4,"username":"u","password":"p"}}`:                 `0 0 status= fields={} keywords=0/false notes=map[] plan=map[] credentials=map[credentials_types_id:4 note:"" reseller_account_id:1 username:"u"]`,
		`{"credentials":{"username":"u","reseller_account_id":1,"credentials_types_id":4}}`:                                "fault credentials.username: the credentials lack password: give it, or no credentials",
		`{"credentials":{"note":"n","reseller_account_id":1}}`:                                                             "fault credentials.note: the credentials lack credentials_types_id, username and password: give them, or no credentials",
		`{"credentials":{"password":"p"}}`:                                                                                 "fault credentials.password: the credentials lack reseller_account_id, credentials_types_id and username: give them, or no credentials",
		`{"account_id":"x"}`:                                                                                               `fault account_id: "x" is not an id`,
		`{"account_id":0}`:                                                                                                 `fault account_id: "0" is not an id`,
		`{"campaign_id":-1}`:                                                                                               `fault campaign_id: "-1" is not an id`,
		`{"keywords":["a",5,{}]}`:                                                                                          `0 0 status= fields={} keywords=2/true notes=map[] plan=map[] credentials=map[] invalid: keywords: "{}" has no text`,
		`{"status":"paused"}`:                                                                                              `0 0 status=paused fields={} keywords=0/false notes=map[] plan=map[] credentials=map[] invalid: status: "paused" is not one of active, deactivated, 0, 1, false, true`,
		`{"keywords":["a|b"]}`:                                                                                             `0 0 status= fields={} keywords=0/true notes=map[] plan=map[] credentials=map[] invalid: keywords: "a|b": the type after the last | is "b", not one of target, interest`,
		`{"keywords":[" ","a"]}`:                                                                                           `0 0 status= fields={} keywords=1/true notes=map[] plan=map[] credentials=map[] invalid: keywords: " " has no text`,
		`{"keywords":["a\nb"]}`:                                                                                            `0 0 status= fields={} keywords=0/true notes=map[] plan=map[] credentials=map[] invalid: keywords: "a\nb" has a line feed: write it in one line`,
		`{"keywords":["a","a|b"]}`:                                                                                         `fault keywords: "a|b": the type after the last | is "b", not one of target, interest`,
	} {
		t.Run(row, func(t *testing.T) {
			w, field, reason := New().Desired(valuesOfJSON(t, row), KeywordOptions{Type: "target"})
			got := "fault " + field + ": " + reason
			if reason == "" {
				got = fmt.Sprintf("%d %d status=%s fields=%s keywords=%d/%t notes=%s plan=%s credentials=%s",
					w.AccountID, w.CampaignID, w.Status, schema.AccountsV2.Body(w.Fields), len(w.Keywords), w.HasKeywords, w.Notes, w.Plan, w.Credentials)
				for _, f := range w.InvalidFaults() {
					got += " invalid: " + f.Field + ": " + f.Reason
				}
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestWantedHasItsOwnMemory overwrites the values of a row, as the reading of the next row does.
func TestWantedHasItsOwnMemory(t *testing.T) {
	values := valuesOfJSON(t, `{"phone":"1","attributes":[],"attributes.a":"b","writer_instructions":"w","service_plan_id":3,"keywords":["k"],"credentials.username":"u","credentials.password":"p","credentials.reseller_account_id":1,"credentials.credentials_types_id":4}`)
	w, _, reason := New().Desired(values, KeywordOptions{Type: "target"})
	if reason != "" {
		t.Fatal(reason)
	}
	before := fmt.Sprint(w)
	for _, v := range values {
		for i := range v {
			v[i] = 'x'
		}
	}
	if got := fmt.Sprint(w); got != before {
		t.Errorf("got %s after the row was overwritten, want %s", got, before)
	}
}
