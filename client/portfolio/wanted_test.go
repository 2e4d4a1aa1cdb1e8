package portfolio

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
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
		`[{"type":"target"}]`:                                     `"{\"type\":\"target\"}" has no text`,
		`["a",{"keyword":"A","type":"interest"}]`:                 `"A" is given twice, with different types`,
	} {
		t.Run(text, func(t *testing.T) {
			list, got := parseKeywords(record.Value(text), "target")
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

// FuzzKeywords checks that each keyword of a customer has a text and a type.
func FuzzKeywords(f *testing.F) {
	f.Add("red shoes | interest")
	f.Add("a|b|target")
	f.Add("|")
	f.Fuzz(func(t *testing.T, text string) {
		list, reason := parseKeywords(record.Value(`["x",`+string(record.Quote(text))+`]`), "target")
		if (reason == "") != (len(list) > 0) {
			t.Errorf("%q: got %v and the reason %q, want one of the two", text, list, reason)
		}
		for _, k := range list {
			if strings.TrimSpace(k.Text) == "" || k.Type != "" && !slices.Contains(keywordTypes(), k.Type) {
				t.Errorf("%q: got %+v, want a text, and a type or none", text, k)
			}
		}
	})
}
