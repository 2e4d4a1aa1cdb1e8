package portfolio

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
)

// valuesOfJSON returns the values of a row that is a JSON object, as rows of files have them.
// comparisonOf is NewComparison of rows whose places are their lines, unless o says otherwise.
func comparisonOf(m *Model, h *Current, o Options) *Comparison {
	if o.Place == nil {
		o.Place = func(line int) string { return fmt.Sprintf("line %d", line) }
	}
	return NewComparison(m, h, o)
}

func valuesOfJSON(t *testing.T, text string) schema.Values {
	t.Helper()
	values := schema.Values{}
	for name, v := range parse(t, text).Fields() {
		if v.Kind() != record.Object || name == fieldIdentifier {
			values[name] = v
			continue
		}
		for member, v := range v.Members() {
			values[name+"."+member] = v
		}
	}
	return values
}

// wantedOf returns what the rows of a file say, in the lines 1, 2 and so on.
func wantedOf(t *testing.T, rows ...string) []*Desired {
	t.Helper()
	m := New()
	var all []*Desired
	for i, row := range rows {
		w, field, reason := m.Desired(valuesOfJSON(t, row), KeywordOptions{Type: "target"})
		if reason != "" {
			t.Fatalf("got the fault %s: %s, want none", field, reason)
		}
		w.Line = i + 1
		all = append(all, w)
	}
	return all
}

func seeAll(c *Comparison, desired []*Desired) {
	for _, w := range desired {
		c.See(w)
	}
}

// heldOf returns what the service holds of customers, indexed.
func heldOf(customers ...CurrentCustomer) *Current {
	h := &Current{Customers: customers}
	h.Index(New())
	return h
}

// changesOf returns the changes of a plan as one text, and the fault or the part that is unread, if there is one.
func changesOf(p Plan, faults []Fault) string {
	var parts []string
	for _, c := range p.Changes {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %s %s>%s", c.Action, c.Object, c.Field, c.From, c.To)))
	}
	if p.Unread != nil {
		parts = append(parts, "unread: "+p.Unread.Error())
	}
	for _, f := range faults {
		parts = append(parts, strings.TrimSpace("fault "+f.Field)+": "+f.Reason)
	}
	return strings.Join(parts, "; ")
}

// TestCompareFields compares one field of an account with what the service shows. sent is the body of the update.
func TestCompareFields(t *testing.T) {
	const pairAB, pairBC = `[{"field_name":"a","field_value":"b"}]`, `[{"field_name":"b","field_value":"c"}]`
	for _, c := range []struct{ name, listed, row, want, sent string }{
		{"equal", `{"phone":"1"}`, `{"phone":"1"}`, "", ""},
		{"differs", `{"phone":"1"}`, `{"phone":"2"}`, "update account phone 1>2", `{"phone":"2"}`},
		{"not given", `{"phone":"1"}`, `{}`, "", ""},
		{"null is not given", `{"phone":"1"}`, `{"phone":null}`, "", ""},
		{"emptied", `{"address_2":"x"}`, `{"address_2":""}`, "update account address_2 x>", `{"address_2":""}`},
		{"empty and null", `{"address_2":null}`, `{"address_2":""}`, "", ""},
		{"empty and not shown", `{}`, `{"address_2":""}`, "", ""},
		{"not shown", `{}`, `{"phone":"2"}`, "update account phone >2", `{"phone":"2"}`},
		{"null", `{"phone":null}`, `{"phone":"2"}`, "update account phone >2", `{"phone":"2"}`},
		{"number", `{"phone":1}`, `{"phone":"1"}`, "", ""},
		{"white space around it", `{"city":" Bonn "}`, `{"city":"Bonn"}`, "", ""},
		{"white space in it", `{"city":"Bad  Ems"}`, `{"city":"Bad Ems"}`, "update account city Bad  Ems>Bad Ems", `{"city":"Bad Ems"}`},
		{"case", `{"city":"bonn"}`, `{"city":"Bonn"}`, "update account city bonn>Bonn", `{"city":"Bonn"}`},
		{"older phone", `{"phone_number":"1"}`, `{"phone":"1"}`, "", ""},
		{"newer phone before the older one", `{"phone":"2","phone_number":"1"}`, `{"phone":"1"}`, "update account phone 2>1", `{"phone":"1"}`},
		{"older postal code", `{"zip":2134}`, `{"postal":"2134"}`, "", ""},
		{"postal code that only the file spells so", `{"postal":"2134","country":"US"}`, `{"postal":"02134"}`, "update account postal 2134>02134", `{"postal":"02134"}`},
		{"as csv shows a control character", `{"city":"a\u0001"}`, `{"city":"a\\u0001"}`, "", ""},
		{"as csv shows a formula", `{"city":"=a"}`, `{"city":"'=a"}`, "", ""},
		{"country by another name", `{"country":"USA"}`, `{"country_code":"US"}`, "", ""},
		{"country by its name", `{"country":"Germany"}`, `{"country_code":"DE"}`, "", ""},
		{"country differs", `{"country":"USA"}`, `{"country_code":"DE"}`, "keep account country_code US>DE", ""},
		{"site differs", `{"website_url":"https://a.example"}`, `{"website_url":"https://b.example","phone":"1"}`, "update account phone >1; keep account website_url https://a.example>https://b.example", `{"phone":"1"}`},

		{"attributes equal", `{"attributes":[{ "field_value":"b","field_name":"a"}]}`, `{"attributes":` + pairAB + `}`, "", ""},
		{"attributes differ", `{"attributes":` + pairAB + `}`, `{"attributes":` + pairBC + `}`, "update account attributes " + pairAB + ">" + pairBC, `{"attributes":` + pairBC + `}`},
		{"attributes emptied", `{"attributes":` + pairAB + `}`, `{"attributes":[]}`, "update account attributes " + pairAB + ">[]", `{"attributes":[]}`},
		{"no attributes", `{"attributes":null}`, `{"attributes":[]}`, "", ""},
		{"one attribute equal", `{"attributes":` + pairAB + `}`, `{"attributes.a":"b"}`, "", ""},
		{"one attribute added", `{"attributes":` + pairAB + `}`, `{"attributes.b":"c"}`, "update account attributes.b >c", `{"attributes":[{"field_name":"a","field_value":"b"},{"field_name":"b","field_value":"c"}]}`},
		{"one attribute of unknown ones", `{}`, `{"attributes.b":"c"}`, "update account attributes.b >c; fault attributes.b: the service does not show the account's attributes, which would be lost: give them all in the column attributes", ""},

		{"manager equal", `{"external_account_manager":{"name":"Kim","email":null}}`, `{"external_account_manager":{"name":"Kim","email":""}}`, "", ""},
		{"half of a manager differs", `{"external_account_manager":{"name":"Kim","email":"k@example.com"}}`, `{"external_account_manager":{"name":"Lee"}}`,
			"update account external_account_manager.name Kim>Lee", `{"external_account_manager":{"name":"Lee","email":"k@example.com"}}`},
		{"half of no manager", `{"external_campaign_manager":null}`, `{"external_campaign_manager":{"email":"k@example.com"}}`,
			"update account external_campaign_manager.email >k@example.com", `{"external_campaign_manager":{"email":"k@example.com"}}`},
		{"half of an object without members", `{"external_account_manager":{}}`, `{"external_account_manager":{"name":"Lee"}}`,
			`update account external_account_manager.name >Lee; fault external_account_manager.name: the service does not show the account's external_account_manager.email, which would be lost: give both external_account_manager.name and external_account_manager.email, the second as "" if there is none`, ""},
		{"half of an unknown manager", `{}`, `{"external_campaign_manager":{"email":"k@example.com"}}`,
			`update account external_campaign_manager.email >k@example.com; fault external_campaign_manager.email: the service does not show the account's external_campaign_manager.name, which would be lost: give both external_campaign_manager.email and external_campaign_manager.name, the second as "" if there is none`, ""},
		{"half of a manager of which the service shows that half only", `{"external_account_manager":{"name":"Kim"}}`, `{"external_account_manager":{"name":"Lee"}}`,
			`update account external_account_manager.name Kim>Lee; fault external_account_manager.name: the service does not show the account's external_account_manager.email, which would be lost: give both external_account_manager.name and external_account_manager.email, the second as "" if there is none`, ""},
		{"both halves, of which the service shows one only", `{"external_account_manager":{"name":"Kim"}}`, `{"external_account_manager":{"name":"Lee","email":""}}`,
			"update account external_account_manager.name Kim>Lee", `{"external_account_manager":{"name":"Lee","email":""}}`},
		{"no manager and an object without members", `{"external_account_manager":{}}`, `{"external_account_manager":{"name":"","email":""}}`, "", ""},

		{"identifier as text and as object", `{"external_account_identifier":{"field_name":"n","field_value":"7"}}`, `{"external_account_identifier":"7"}`, "", ""},
		{"identifier of a file as object", `{"external_account_identifier":7}`, `{"external_account_identifier":{"field_name":"n","field_value":"7"}}`, "", ""},
		{"identifier differs", `{"external_account_identifier":{"field_value":"7"}}`, `{"external_account_identifier":"8"}`, "update account external_account_identifier 7>8", `{"external_account_identifier":"8"}`},

		{"status equal", `{"status":"active"}`, `{"status":"active"}`, "", ""},
		{"older status equal", `{"active":0}`, `{"status":"deactivated"}`, "", ""},
		{"older status beside an empty one", `{"status":"","active":0}`, `{"status":"deactivated"}`, "", ""},
		{"status as a number", `{"status":1}`, `{"status":"active"}`, "", ""},
		{"older status as a truth value", `{"active":true}`, `{"status":"active"}`, "", ""},
		{"deactivated", `{"status":"active"}`, `{"status":"deactivated"}`, "deactivate account status active>deactivated", ""},
		{"reactivated", `{"active":"0"}`, `{"status":"active"}`, "reactivate account status deactivated>active", ""},
		{"status in capitals", `{"status":"ACTIVE"}`, `{"status":"active"}`, "", ""},
		{"status not shown", `{}`, `{"status":"active"}`, "", ""},
		{"status not shown, deactivated", `{}`, `{"status":"deactivated"}`, "deactivate account status >deactivated", ""},
		{"unknown status", `{"status":"pending"}`, `{"status":"pending"}`, "", ""},
		{"unknown status that the service does not hold", `{"status":"pending"}`, `{"status":"Paused","phone":"2"}`, `fault status: "Paused" is not one of active, deactivated, 0, 1, false, true`, ""},
		{"activated from an unknown status", `{"status":"pending"}`, `{"status":"active"}`, "reactivate account status pending>active", ""},
		{"status not given", `{"status":"deactivated"}`, `{}`, "", ""},
		{"credentials of an account that exists", `{}`, `{"credentials":{"reseller_account_id":1,"credentials_types_id":4,"username":"u","password":"p"}}`, "keep credentials username >u", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := strings.Replace(c.row, "{", `{"account_id":6,`, 1)
			row = strings.Replace(row, ",}", "}", 1)
			h := heldOf(CurrentCustomer{Account: 6, Campaign: 9, Listed: record.Value(c.listed)})
			p, faults := comparisonOf(New(), h, Options{}).Add(wantedOf(t, row)[0])
			if got := changesOf(p, faults); got != c.want {
				t.Errorf("got the changes %s, want %s", got, c.want)
			}
			sent := ""
			if p.Update != nil {
				sent = string(schema.AccountsV2.Body(p.Update))
			}
			if sent != c.sent {
				t.Errorf("got the update %s, want %s", sent, c.sent)
			}
			if wantChange := c.want != "" && !strings.HasPrefix(c.want, "keep") && !strings.HasPrefix(c.want, "fault"); p.HasChanges() != wantChange {
				t.Errorf("got HasChanges %t, want %t", p.HasChanges(), wantChange)
			}
		})
	}
}

// TestCompareRepaired compares a value that was repaired when the file was read: neither form differs.
func TestCompareRepaired(t *testing.T) {
	for postal, want := range map[string]string{"2134": "", "02134": "", "2135": "update account postal 2135>02134"} {
		t.Run(postal, func(t *testing.T) {
			h := heldOf(CurrentCustomer{Account: 6, Listed: record.Of(record.Pair{Name: "postal", Value: record.Quote(postal)}).Raw()})
			w := wantedOf(t, `{"account_id":6,"postal":"02134"}`)[0]
			w.Original = map[string]string{"postal": "2134"}
			if got := changesOf(comparisonOf(New(), h, Options{}).Add(w)); got != want {
				t.Errorf("got the changes %q, want %q", got, want)
			}
		})
	}
}

// TestCompareRepairedNotes compares notes that were repaired when the file was read.
func TestCompareRepairedNotes(t *testing.T) {
	h := heldOf(CurrentCustomer{Account: 6, Campaign: 9, Listed: record.Value(`{}`), Notes: record.Value(`{"writer_instructions":"=\"a\""}`)})
	w := wantedOf(t, `{"account_id":6,"writer_instructions":"a"}`)[0]
	w.Original = map[string]string{"writer_instructions": `="a"`}
	if got := changesOf(comparisonOf(New(), h, Options{}).Add(w)); got != "" {
		t.Errorf("got the changes %s, want none", got)
	}
}

func TestCompareNotesAndPlans(t *testing.T) {
	read := CurrentCustomer{Notes: record.Value(`{"writer_instructions":"a","additional_instructions":null}`), Plans: []record.Value{record.Value(`{"service_plan_id":"3"}`)}, PlansRead: true}
	unread := CurrentCustomer{Unread: errors.New("status 500")}
	for _, c := range []struct {
		name, row, want string
		current         CurrentCustomer
	}{
		{"equal", `{"writer_instructions":" a","additional_instructions":"","service_plan_id":3}`, "", read},
		{"differ", `{"writer_instructions":"b","service_plan_id":4}`, "update notes writer_instructions a>b; attach plan service_plan_id >4; keep plan service_plan_id 3>3", read},
		{"emptied", `{"writer_instructions":""}`, "update notes writer_instructions a>", read},
		{"not given", `{}`, "", unread},
		{"notes can't be read", `{"phone":"1","writer_instructions":"b"}`, "update account phone >1; unread: status 500", unread},
		{"plans can't be read", `{"service_plan_id":4}`, "unread: status 500", unread},
		{"only plans can't be read", `{"writer_instructions":"b","service_plan_id":4}`, "update notes writer_instructions a>b; unread: status 500", CurrentCustomer{Notes: read.Notes, Unread: unread.Unread}},
		{"notes were not read", `{"writer_instructions":"b"}`, "unread: the notes were not read", CurrentCustomer{}},
		{"plans were not read", `{"service_plan_id":3}`, "unread: the plans were not read", CurrentCustomer{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.current.Account, c.current.Campaign, c.current.Listed = 6, 9, record.Value(`{}`)
			w := wantedOf(t, strings.Replace(strings.Replace(c.row, "{", `{"account_id":6,`, 1), ",}", "}", 1))[0]
			if got := changesOf(comparisonOf(New(), heldOf(c.current), Options{}).Add(w)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestCompareKeywords compares lists of keywords. The keywords of the campaign are text/type/status, those that change
// rank_id:type/status.
func TestCompareKeywords(t *testing.T) {
	for _, c := range []struct{ name, current, list, want, sent string }{
		{"equal", "a/target/activate b/interest/deactivate", `["a",{"keyword":"b","type":"interest","status":"deactivate"}]`, "", ""},
		{"case and white space", "red_Shoes/target/activate", `[" RED   shoes"]`, "", ""},
		{"unicode", "Å/target/activate", `["A\u030a"]`, "", ""},
		{"added", "", `["a","b|interest"]`, "add keyword a >target; add keyword b >interest", ""},
		{"added deactivated", "", `[{"keyword":"a","status":"deactivate"}]`, "add keyword a >target; deactivate keyword a active>deactivated", ""},
		{"type differs", "a/interest/activate", `["a|target"]`, "update keyword a interest>target", "1:target/activate"},
		{"text is a target keyword", "a/interest/activate", `["a"]`, "update keyword a interest>target", "1:target/activate"},
		{"neither shown nor said", "a//activate", `["a"]`, "", ""},
		{"words of the account", "a/target/activate b/target/deactivate", `[{"keyword":"a","status":"active"},{"keyword":"b","status":"deactivated"}]`, "", ""},
		{"type not shown", "a//activate", `["a|interest"]`, "update keyword a >interest", "1:interest/activate"},
		{"status not shown", "a/target/", `["a"]`, "", ""},
		{"reactivated", "a/interest/deactivate", `[{"keyword":"a","type":"interest"}]`, "reactivate keyword a deactivated>active", "1:interest/activate"},
		{"deactivated, without a type", "a//activate", `[{"keyword":"a","status":"deactivate"}]`, "deactivate keyword a active>deactivated", "1:target/deactivate"},
		{"status and type", "A/interest/deactivate", `["a|target"]`, "update keyword A interest>target; reactivate keyword A deactivated>active", "1:target/activate"},
		{"not named", "a/target/activate b/target/activate c/target/deactivate", `["a"]`, "keep keyword b active>active", ""},
		{"empty list", "a/target/activate", `[]`, "keep keyword a active>active", ""},
		{"exact text first", "A/target/activate a/target/activate", `["a|interest"]`, "update keyword a target>interest", "2:interest/activate"},
		{"exact text first, if none is active", "A/target/deactivate a/target/deactivate", `["a"]`, "reactivate keyword a deactivated>active", "2:target/activate"},
		{"active before exact text", "A/target/activate a/target/deactivate", `["a"]`, "", ""},
		{"active first", "A/target/deactivate AA/target/activate A/target/activate", `["a"]`, "keep keyword AA active>active", ""},
		{"lowest rank_id", "A/interest/activate A/interest/activate", `["a|target"]`, "update keyword A interest>target", "1:target/activate"},
		{"deactivated, whichever is active", "A/interest/deactivate A/target/activate", `[{"keyword":"a","type":"interest","status":"deactivate"}]`, "deactivate keyword A active>deactivated", "2:target/deactivate"},
		{"all are deactivated", "A/target/activate a/target/activate a/target/activate", `[{"keyword":"a","status":"deactivate"}]`,
			"deactivate keyword a active>deactivated; deactivate keyword A active>deactivated; deactivate keyword a active>deactivated", "2:target/deactivate 1:target/deactivate 3:target/deactivate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			current := CurrentCustomer{Account: 6, Campaign: 9, Listed: record.Value(`{}`), Keywords: []Keyword{}}
			for i, text := range strings.Fields(c.current) {
				parts := strings.Split(strings.ReplaceAll(text, "_", " "), "/")
				current.Keywords = append(current.Keywords, Keyword{RankID: int64(i + 1), Text: parts[0], Type: parts[1], Status: parts[2]})
			}
			SortKeywords(current.Keywords)
			p, faults := comparisonOf(New(), heldOf(current), Options{}).Add(wantedOf(t, `{"account_id":6,"keywords":`+c.list+`}`)[0])
			if got := changesOf(p, faults); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			var sent []string
			for _, k := range p.ChangeKeywords {
				sent = append(sent, fmt.Sprintf("%d:%s/%s", k.RankID, k.Type, statusWord(k.Active)))
			}
			if got := strings.Join(sent, " "); got != c.sent {
				t.Errorf("got the changes of keywords %s, want %s", got, c.sent)
			}
		})
	}
}

// TestCampaignOfKeywords compares keywords of customers whose campaign or whose keywords are not known.
func TestCampaignOfKeywords(t *testing.T) {
	for _, c := range []struct {
		name, row, want string
		current         []CurrentCustomer
	}{
		{"no campaign", `{"account_id":6,"keywords":["a"]}`, "unread: the service shows no campaign of account 6 yet", []CurrentCustomer{{}}},
		{"no campaign, nothing for it", `{"account_id":6,"phone":"1"}`, "update account phone >1", []CurrentCustomer{{}}},
		{"keywords not read", `{"account_id":6,"keywords":["a"]}`, "unread: the keywords of campaign 9 were not read", []CurrentCustomer{{Campaign: 9}}},
		{"campaign of several that are not listed", `{"account_id":6,"campaign_id":9,"keywords":["a"]}`, "unread: the keywords of campaign 9 were not read", []CurrentCustomer{{Campaigns: []int64{8, 9}}}},
		{"several campaigns", `{"account_id":6,"keywords":["a"]}`, "fault campaign_id: account 6 has 2 campaigns (8, 9), so it is unclear which one to use: give campaign_id", []CurrentCustomer{{Campaigns: []int64{8, 9}}}},
		{"several customers", `{"account_id":6,"keywords":[]}`, "fault campaign_id: account 6 has 2 campaigns (8, 9), so it is unclear which one to use: give campaign_id", []CurrentCustomer{{Campaign: 9}, {Campaign: 8}}},
		{"several customers, nothing for a campaign", `{"account_id":6,"phone":"1"}`, "update account phone >1", []CurrentCustomer{{Campaign: 9}, {Campaign: 8}}},
		{"one of several customers", `{"account_id":6,"campaign_id":9,"keywords":["a"]}`, "add keyword a >target", []CurrentCustomer{{Campaign: 8}, {Campaign: 9, Keywords: []Keyword{}}}},
		{"other campaign", `{"account_id":6,"campaign_id":7}`, "fault campaign_id: account 6 has the campaigns 8, 9, and not 7", []CurrentCustomer{{Campaign: 8}, {Campaign: 9}}},
		{"campaign of none", `{"account_id":6,"campaign_id":7}`, "fault campaign_id: the service shows no campaign of account 6, so not 7", []CurrentCustomer{{}}},
		{"not in version 2", `{"account_id":5,"phone":"1"}`, "unread: it is not in the accounts list of version 2", []CurrentCustomer{{Account: 5}}},
		{"only in version 1", `{"external_account_identifier":"crm-5",` + newCustomer + `}`, "unread: it is not in the accounts list of version 2",
			[]CurrentCustomer{{Account: 5, ListedV1: record.Value(`{"account_name":"North","phone_number":"1"}`), InVersion1: true, Identifier: record.Quote("crm-5")}}},
		{"only in version 1, by its contact", `{` + newCustomer + `}`, "unread: it is not in the accounts list of version 2",
			[]CurrentCustomer{{Account: 5, ListedV1: record.Value(`{"account_name":"North","email":"a@example.com","phone_number":"1","zip":"p"}`), InVersion1: true}}},
		{"listed twice", `{"account_id":6,"keywords":["a"]}`, "add keyword a >target", []CurrentCustomer{{Campaign: 9, Keywords: []Keyword{}}, {Campaign: 9, Keywords: []Keyword{}}}},
		{"keywords of no campaign", `{"account_id":6,"keywords":["a"]}`, "unread: no campaign", []CurrentCustomer{{Campaign: 9, KeywordsUnread: errors.New("no campaign")}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.current {
				if current := &c.current[i]; current.Account == 0 {
					current.Account, current.Listed = 6, record.Value(`{}`)
				}
			}
			if got := changesOf(comparisonOf(New(), heldOf(c.current...), Options{}).Add(wantedOf(t, c.row)[0])); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

const newCustomer = `"account_name":"North","first_name":"A","last_name":"B","email":"a@example.com","phone":"1","address_1":"s","city":"c","state":"st","postal":"p","country_code":"US","website_url":"https://a.example"`

// TestMatch finds the customers of rows, and the faults of those that mean none or several.
func TestMatch(t *testing.T) {
	contact := func(postal string) record.Value {
		return record.Value(`{"status":"active","account_name":"North","email":" a@example.com","phone_number":1,"zip":"` + postal + `","country":"US","first_name":"A","last_name":"B","address_1":"s","city":"c","state":"st","website_url":"https://a.example"}`)
	}
	h := heldOf(
		CurrentCustomer{Account: 6, Campaign: 16, Listed: contact("p"), Identifier: record.Quote("crm-6")},
		CurrentCustomer{Account: 5, Campaign: 15, Listed: contact("q"), Identifier: record.Quote(" same")},
		CurrentCustomer{Account: 4, Campaign: 14, Listed: contact("q"), Identifier: record.Quote("same ")},
		CurrentCustomer{Account: 3, Campaign: 13, Listed: record.Value(`{"account_name":"North","email":"a@example.com","phone":"1"}`)},
	)
	for _, c := range []struct{ name, row, want string }{
		{"account_id", `{"account_id":"6"}`, "6"},
		{"account_id before identifier", `{"account_id":6,"external_account_identifier":"same"}`, `update account external_account_identifier crm-6>same; fault external_account_identifier: "same" is that of account 4: --allow-similar permits it`},
		{"account_id that is not held", `{"account_id":7,"external_account_identifier":"crm-6"}`, "fault account_id: the service does not list account 7"},
		{"identifier", `{"external_account_identifier":" crm-6 "}`, "6"},
		{"identifier before contact", `{"external_account_identifier":"new",` + newCustomer + `}`, `fault external_account_identifier: account 6 has the same account_name, email and phone, and the external_account_identifier "crm-6": --allow-similar creates another account`},
		{"ambiguous identifier", `{"external_account_identifier":"same"}`, `fault external_account_identifier: "same" is that of 2 accounts (4, 5): give account_id`},
		{"contact", `{` + newCustomer + `}`, "6"},
		{"ambiguous contact", strings.Replace(`{`+newCustomer+`}`, `"p"`, `"q"`, 1), "fault: 2 accounts have this name, e-mail, phone and postal code (4, 5): give account_id"},
		{"part of a contact", `{"account_name":"North","email":"a@example.com","phone":"1"}`, "fault: missing: first_name, last_name, address_1, city, state, postal, country_code, website_url, external_account_identifier; the row means no customer that the service holds, by account_id, by its identifier or by name, e-mail, phone and postal code together, and creating one requires them"},
		{"blank values", strings.Replace(`{"external_account_identifier":"new",`+newCustomer+`}`, `"c"`, `" "`, 1), "fault: missing: city; the row means no customer that the service holds, by account_id, by its identifier or by name, e-mail, phone and postal code together, and creating one requires them"},
		{"case of an identifier", `{"external_account_identifier":"CRM-6",` + newCustomer + `}`, "6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, faults := comparisonOf(New(), h, Options{}).Add(wantedOf(t, c.row)[0])
			got := changesOf(p, faults)
			switch {
			case p.Create != nil:
				got = "new " + got
			case faults == nil:
				got = strings.TrimSpace(fmt.Sprint(p.Account, " ", got))
			}
			if got = strings.ReplaceAll(got, "account >", "account  >"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestSameCustomerTwice adds rows of one customer: all are at fault.
func TestSameCustomerTwice(t *testing.T) {
	h := heldOf(CurrentCustomer{Account: 6, Listed: record.Value(`{}`), Identifier: record.Quote("crm-6")})
	c := comparisonOf(New(), h, Options{})
	var got []string
	desired := wantedOf(t, `{"account_id":6}`, `{"external_account_identifier":"crm-6"}`, `{"external_account_identifier":"new",`+newCustomer+`}`, `{"external_account_identifier":" new",`+newCustomer+`}`)
	seeAll(c, desired)
	for _, w := range desired {
		got = append(got, changesOf(c.Add(w)))
	}
	want := []string{"fault: matches account 6, as line 2 does", "fault: matches account 6, as line 1 does",
		"fault: line 4 has the same account_name, email and phone: --allow-similar sends both", "fault: line 3 has the same account_name, email and phone: --allow-similar sends both"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRowsOfOneAccount adds rows of the campaigns of one account. What they say of the account must agree, and is sent once.
func TestRowsOfOneAccount(t *testing.T) {
	listed := record.Value(`{"status":"active","city":"Lund","website_url":"https://a.example","country":"SE","external_account_manager":{"name":"Kim","email":"k@example.com"},"attributes":[]}`)
	for _, c := range []struct{ name, first, second, want, wantSecond string }{
		{"agree", `"city":"Malmö","status":"deactivated"`, `"city":" Malmö","status":"deactivated"`, "update account city Lund>Malmö; deactivate account status active>deactivated", ""},
		{"agree in what is kept", `"website_url":"https://b.example"`, `"website_url":"https://b.example"`, "keep account website_url https://a.example>https://b.example", ""},
		{"only one says it", `"phone":"1"`, `"city":"Malmö"`, "update account phone >1", "update account city Lund>Malmö"},
		{"agree in a new identifier", `"external_account_identifier":"k"`, `"external_account_identifier":{"field_value":"k"}`, "update account external_account_identifier >k", ""},
		{"contradict", `"city":"Malmö"`, `"city":"Lund"`, `fault city: "Malmö" contradicts line 2, which says "Lund" of the same account (6)`, `fault city: "Lund" contradicts line 1, which says "Malmö" of the same account (6)`},
		{"contradict in the status", `"status":"active"`, `"status":"deactivated"`, `fault status: "active" contradicts line 2, which says "deactivated" of the same account (6)`, `fault status: "deactivated" contradicts line 1, which says "active" of the same account (6)`},
		{"contradict in what is kept", `"website_url":"https://b.example"`, `"website_url":"https://c.example"`, `fault website_url: "https://b.example" contradicts line 2, which says "https://c.example" of the same account (6)`,
			`fault website_url: "https://c.example" contradicts line 1, which says "https://b.example" of the same account (6)`},
		{"each has half of a manager", `"external_account_manager":{"name":"Lee"}`, `"external_account_manager":{"email":"l@example.com"}`, `fault external_account_manager: "name=Lee" contradicts line 2, which says "email=l@example.com" of the same account (6)`,
			`fault external_account_manager: "email=l@example.com" contradicts line 1, which says "name=Lee" of the same account (6)`},
		{"each has an attribute", `"attributes.a":"1"`, `"attributes.b":"2"`, `fault attributes: "a=1" contradicts line 2, which says "b=2" of the same account (6)`, `fault attributes: "b=2" contradicts line 1, which says "a=1" of the same account (6)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := heldOf(CurrentCustomer{Account: 6, Campaign: 60, Listed: listed}, CurrentCustomer{Account: 6, Campaign: 61, Listed: listed})
			comparison := comparisonOf(New(), h, Options{})
			desired := wantedOf(t, `{"account_id":6,"campaign_id":60,`+c.first+`}`, `{"account_id":6,"campaign_id":61,`+c.second+`}`)
			seeAll(comparison, desired)
			if got := changesOf(comparison.Add(desired[0])); got != c.want {
				t.Errorf("line 1: got %s, want %s", got, c.want)
			}
			p, faults := comparison.Add(desired[1])
			if got := changesOf(p, faults); got != c.wantSecond || c.wantSecond == "" && (p.Update != nil || p.Status != "") {
				t.Errorf("line 2: got %s and the update %s, want %s", got, p.Update, c.wantSecond)
			}
		})
	}
}

// TestCreate has all that a new customer may have.
func TestCreate(t *testing.T) {
	w := wantedOf(t, `{"status":"deactivated","external_account_identifier":"crm-1",`+newCustomer+`,"attributes.a":"b","keywords":["x",{"keyword":"y","type":"interest","status":"deactivate"}],
		"writer_instructions":"w","service_plan_id":3,"credentials":{"reseller_account_id":1,"credentials_types_id":4,"username":"u","password":"secret"}}`)[0]
	p, faults := comparisonOf(New(), heldOf(), Options{}).Add(w)
	want := "create account  >; deactivate account status active>deactivated; add credentials username >u; update notes writer_instructions >w; attach plan service_plan_id >3; " +
		"add keyword x >target; add keyword y >interest; deactivate keyword y active>deactivated"
	if got := changesOf(p, faults); got != want {
		t.Errorf("got the changes %s, want %s", got, want)
	}
	want = `{"account_name":"North","first_name":"A","last_name":"B","email":"a@example.com","phone":"1","address_1":"s","address_2":"","city":"c","state":"st","postal":"p","country_code":"US","website_url":"https://a.example","external_account_identifier":"crm-1","attributes":[{"field_name":"a","field_value":"b"}]}`
	if got := string(schema.AccountsV2.Body(p.Create)); got != want {
		t.Errorf("got the account %s, want %s", got, want)
	}
	if got, want := fmt.Sprintf("%s %s %s %v", p.Customer, p.Identifier, p.Status, p.AddKeywords), "North crm-1 deactivate [{0 0 x target true false} {1 0 y interest false false}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := fmt.Sprintf("%s %s", p.Outcome(), w.Credentials); strings.Contains(got, "secret") || p.Outcome() != ActionCreate {
		t.Errorf("got %s, want the outcome create and no password", got)
	}
}

func TestOutcome(t *testing.T) {
	for name, c := range map[string]struct {
		p    Plan
		want string
	}{
		"nothing":     {Plan{}, ActionKeep},
		"kept":        {Plan{Changes: []Change{{Action: ActionKeep}}}, ActionKeep},
		"updated":     {Plan{Changes: []Change{{Action: ActionKeep}, {Action: ActionAdd}}}, ActionUpdate},
		"reactivated": {Plan{Status: ActionReactivate, Changes: []Change{{Action: ActionReactivate}}}, ActionUpdate},
		"deactivated": {Plan{Status: ActionDeactivate, Changes: []Change{{Action: ActionUpdate}, {Action: ActionDeactivate}}}, ActionDeactivate},
		"created":     {Plan{Create: schema.Values{}, Status: ActionDeactivate}, ActionCreate},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.p.Outcome(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestCompareOddKeywords compares lists of keywords with keywords that the service shows in words of its own. Those of a
// list that can't be sent are faults unless the campaign has them so.
func TestCompareOddKeywords(t *testing.T) {
	const brand = `{"rank_id":1,"keyword":"a","type":"brand","status":1}`
	const wrongType = `fault keywords: "a": type "brand" is not one of target, interest`
	for _, c := range []struct{ name, current, list, want string }{
		{"words in capitals", `{"keyword":"a","type":"Target","status":"ACTIVE"}`, `["a"]`, ""},
		{"deactivated in words", `{"keyword":"a","type":"target","status":"Deactivated"}`, `["a"]`, "reactivate keyword a deactivated>active"},
		{"type as held", brand, `[{"keyword":"A","type":"brand"}]`, ""},
		{"type not as held", `{"keyword":"a","type":"target","status":1}`, `[{"keyword":"a","type":"brand"}]`, wrongType},
		{"type as held, status not", brand, `[{"keyword":"a","type":"brand","status":"deactivated"}]`, wrongType},
		{"type not held", `{"keyword":"b","type":"brand","status":1}`, `[{"keyword":"a","type":"brand"}]`, wrongType},
		{"type that becomes valid", brand, `["a"]`, "update keyword a brand>target"},
		{"status as held", `{"keyword":"a","type":"target","status":"paused"}`, `[{"keyword":"a","type":"target","status":"paused"}]`, ""},
		{"status not as held", `{"keyword":"a","type":"target","status":1}`, `[{"keyword":"a","type":"target","status":"paused"}]`, `fault keywords: "a": status "paused" is not one of activate, deactivate, 1, 0, false, true`},
		{"beside a valid one", brand, `[{"keyword":"a","type":"brand"},"b"]`, "add keyword b >target"},
		{"line feed", `{"keyword":"a\nb","type":"target","status":1}`, `["a\nb"]`, ""},
		{"line feed, deactivated", `{"keyword":"a\nb","type":"target","status":1}`, `[{"keyword":"a\nb","status":"deactivated"}]`, `fault keywords: "a\nb" has a line feed: write it in one line`},
		{"white space around exact texts", `{"rank_id":1,"keyword":"a\u200b","type":"interest","status":0},{"rank_id":2,"keyword":"a","type":"target","status":0}`,
			`[{"keyword":"a\u200b","type":"interest","status":"deactivated"}]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			current := CurrentCustomer{Account: 6, Campaign: 9, Listed: record.Value(`{}`), Keywords: []Keyword{}}
			for k := range record.Value("[" + c.current + "]").Elements() {
				current.Keywords = append(current.Keywords, New().NewKeyword(parse(t, string(k))))
			}
			SortKeywords(current.Keywords)
			if got := changesOf(comparisonOf(New(), heldOf(current), Options{}).Add(wantedOf(t, `{"account_id":6,"keywords":`+c.list+`}`)[0])); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestCreatedFields shows each field that an account is created with.
func TestCreatedFields(t *testing.T) {
	row := schema.Values{}
	for _, f := range New().account[frontFields:] {
		row[f.Name] = record.Quote("a value of " + f.Name)
		if f.Type == schema.Attributes {
			row[f.Name] = record.Value(`[{"field_name":"a","field_value":"b"}]`)
		}
	}
	w, _, reason := New().Desired(row, KeywordOptions{Type: "target"})
	if reason != "" {
		t.Fatal(reason)
	}
	p, faults := comparisonOf(New(), heldOf(), Options{}).Add(w)
	if faults != nil {
		t.Fatal(faults)
	}
	shown := map[string]string{}
	for c := range p.All() {
		shown[c.Field] = c.To
	}
	for name, v := range p.Create {
		if want := string(plainText(v)); shown[name] != want || want == "" {
			t.Errorf("%s: got %q, want %q", name, shown[name], want)
		}
	}
	if len(p.Create) != len(row) {
		t.Errorf("got %d values, want %d", len(p.Create), len(row))
	}
}

func TestDistinct(t *testing.T) {
	off, low, high := Keyword{RankID: 1, Text: "Red  Shoes", Status: "deactivate"}, Keyword{RankID: 2, Text: "red shoes", Status: "activate"}, Keyword{RankID: 3, Text: "RED SHOES", Status: "activate"}
	for name, list := range map[string][]Keyword{
		"an active one":            {off, low},
		"an active one, first":     {low, off},
		"the lowest rank_id":       {high, low},
		"the lowest rank_id first": {low, high, off},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Distinct(list); len(got) != 1 || got[0].RankID != low.RankID {
				t.Errorf("got %v, want %v alone", got, low)
			}
		})
	}
}

// TestSimilar looks for the account that a customer has under another identifier.
func TestSimilar(t *testing.T) {
	text := func(of map[string]string) func(*schema.Field) string {
		return func(f *schema.Field) string { return of[f.Name] }
	}
	var current Similar
	current.Add(6, text(map[string]string{"account_name": "Harbour  Bikes", "email": "ada@example.com", "phone": "555-0100", "external_account_identifier": "k-1"}))
	current.Add(7, text(map[string]string{"account_name": "Quay", "email": "q@example.com", "phone": "1"}))
	current.Add(8, text(map[string]string{"account_name": "No phone", "email": "n@example.com"}))
	for name, c := range map[string]struct {
		name, email, phone, want string
	}{
		"the same":          {"Harbour Bikes", "ada@example.com", "555-0100", `account 6 has the same account_name, email and phone, and the external_account_identifier "k-1"`},
		"in another case":   {"HARBOUR bikes ", "Ada@Example.com", "555-0100", "account 6 has"},
		"another phone":     {"Harbour Bikes", "ada@example.com", "555-0101", ""},
		"without a number":  {"Quay", "q@example.com", "1", "account 7 has the same account_name, email and phone, and no external_account_identifier"},
		"nothing to go by":  {"No phone", "n@example.com", "", ""},
		"an empty customer": {"", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			reason := current.Fault(Claim{}, text(map[string]string{"account_name": c.name, "email": c.email, "phone": c.phone, "external_account_identifier": "k-9"}), nil).Reason
			if !strings.HasPrefix(reason, c.want) || (reason == "") != (c.want == "") {
				t.Errorf("got %q, want %q", reason, c.want)
			}
		})
	}
}

// TestPlacesOfFaults checks that a fault names the other row by its place, which in a folder
// is not the line alone.
func TestPlacesOfFaults(t *testing.T) {
	for want, place := range map[string]func(int) string{
		"line 7 has the same":        nil, // as comparisonOf says it
		"a.csv: line 5 has the same": func(line int) string { return fmt.Sprintf("a.csv: line %d", line-2) },
	} {
		t.Run(want, func(t *testing.T) {
			m, h := New(), &Current{}
			h.Index(m)
			c := comparisonOf(m, h, Options{Place: place})
			var desired []*Desired
			for _, line := range []int{7, 9} {
				values := schema.Values{}
				for _, f := range m.Resource().Having(schema.Required) {
					values[f.Name] = record.Quote("x")
				}
				values["external_account_identifier"] = record.Value(`{"field_name":"external_account_identifier","field_value":"k-1"}`)
				w, field, reason := m.Desired(values, KeywordOptions{Type: "target"})
				if reason != "" {
					t.Fatal(field, reason)
				}
				w.Line = line
				desired = append(desired, w)
			}
			seeAll(c, desired)
			_, faults := c.Add(desired[1])
			if got := changesOf(Plan{}, faults); !strings.Contains(got, want) {
				t.Errorf("got the fault %q, want one with %q", got, want)
			}
		})
	}
}

// TestHalfOfAManager gives the e-mail of a manager, whose name the service shows in several forms, or not at all.
func TestHalfOfAManager(t *testing.T) {
	for held, want := range map[string]string{
		`{"external_account_manager":{"name":"Ann"}}`: "Ann", `{"external_account_manager":"Bob"}`: "Bob",
		`{"external_account_manager":null}`: "nothing to keep", `{"external_account_manager":{"name":null}}`: "nothing to keep",
		`{"external_account_manager":{}}`: "not shown", `{}`: "not shown", `{"external_account_manager":7}`: "not shown",
	} {
		rec, err := record.Parse([]byte(held))
		if err != nil {
			t.Fatal(err)
		}
		send := schema.Values{"external_account_manager.email": record.Quote("x@example.com")}
		got := "not shown"
		if _, err := MergePartial(send, send, rec, record.NeverLate, InFile); err == nil {
			got = "nothing to keep"
		}
		if name := send["external_account_manager.name"]; name != nil {
			got = name.Text()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", held, got, want)
		}
	}
}
