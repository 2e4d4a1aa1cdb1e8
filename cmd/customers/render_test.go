package customers

import (
	"fmt"
	"strings"
	"testing"

	"reseller/client/portfolio"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/output/textwidth"
)

// rendered returns plans as people see them.
func rendered(t *testing.T, width int, color bool, plans ...portfolio.Plan) string {
	t.Helper()
	var out strings.Builder
	if err := showPlans(t.Context(), &out, width, color, plans, &portfolio.Pruned{}, &compareFlags{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// change returns a change of five words.
func change(words ...string) portfolio.Change {
	return portfolio.Change{Action: words[0], Object: words[1], Field: words[2], From: words[3], To: words[4]}
}

var (
	harbour = portfolio.Plan{Customer: "Harbour Bikes", Identifier: "crm-3001", Account: 6, Campaign: 106, Changes: []portfolio.Change{
		change("update", "account", "phone", "555-0100", "555-0199"),
		change("add", "keyword", "cargo bikes", "", "target"),
		change("deactivate", "keyword", "bike stickers", "active", "deactivated"),
	}}
	bakery = portfolio.Plan{Customer: "North Bakery", Identifier: "crm-3002", Create: schema.Values{}, Changes: []portfolio.Change{change("create", "account", "", "", "")}}
)

func TestRendering(t *testing.T) {
	for name, test := range map[string]struct {
		plans []portfolio.Plan
		want  string
	}{
		"the page": {[]portfolio.Plan{harbour, bakery}, `
~ Harbour Bikes (crm-3001, account 6)
    phone     555-0100 → 555-0199
  + keyword   cargo bikes (target)
  - keyword   bike stickers (deactivate)
+ North Bakery (crm-3002)
2 customers: 1 to create, 1 to update, 0 to deactivate, 0 unchanged
`},
		"no changes": {[]portfolio.Plan{{Customer: "A", Account: 1}, {Customer: "B", Account: 2}}, `
2 customers: 0 to create, 0 to update, 0 to deactivate, 2 unchanged
`},
		"a keyword without a type is deactivated": {[]portfolio.Plan{{Customer: "A", Account: 1, Changes: []portfolio.Change{
			change("add", "keyword", "a", "", ""), change("deactivate", "keyword", "a", "active", "deactivated"),
		}}}, `
~ A (account 1)
  + keyword   a (deactivated)
1 customer: 0 to create, 1 to update, 0 to deactivate, 0 unchanged
`},
		"deactivated": {[]portfolio.Plan{{Customer: "Old Mill", Account: 4, Status: "deactivate", Changes: []portfolio.Change{change("deactivate", "account", "status", "active", "deactivated")}}}, `
- Old Mill (account 4)
1 customer: 0 to create, 0 to update, 1 to deactivate, 0 unchanged
`},
		"created and deactivated": {[]portfolio.Plan{{Customer: "New", Create: schema.Values{}, Changes: []portfolio.Change{
			change("create", "account", "", "", ""), change("deactivate", "account", "status", "active", "deactivated"),
			change("add", "credentials", "username", "", "ana"), change("attach", "plan", "service_plan_id", "", "3"),
			change("add", "keyword", "a", "", "interest"), change("deactivate", "keyword", "a", "active", "deactivated"),
		}}}, `
+ New
    status        active → deactivated
  + credentials   ana
  + plan          3 (attach)
  + keyword       a (interest, deactivated)
1 customer: 1 to create, 0 to update, 0 to deactivate, 0 unchanged
`},
		"what can't be changed": {[]portfolio.Plan{{Customer: "A", Identifier: "crm-1", Account: 1, Changes: []portfolio.Change{change("keep", "account", "website_url", "https://a.example", "https://b.example")}}}, `
= A (crm-1, account 1)
  = website_url   https://a.example, not https://b.example (can't be changed)
1 customer: 0 to create, 0 to update, 0 to deactivate, 1 unchanged
`},
		"status and types": {[]portfolio.Plan{{Customer: "A", Account: 1, Changes: []portfolio.Change{
			change("reactivate", "account", "status", "deactivated", "active"),
			change("update", "keyword", "b", "interest", "target"),
			change("reactivate", "keyword", "c", "deactivated", "active"),
			change("update", "keyword", "d", "interest", "target"), change("deactivate", "keyword", "d", "active", "deactivated"),
		}}}, `
~ A (account 1)
    status    deactivated → active
  ~ keyword   b (interest → target)
  + keyword   c (reactivate)
  - keyword   d (interest → target, deactivate)
1 customer: 0 to create, 1 to update, 0 to deactivate, 0 unchanged
`},
		"texts that do not fit": {[]portfolio.Plan{{Customer: "A", Account: 1, Changes: []portfolio.Change{
			change("update", "notes", "writer_instructions", "Write in a friendly tone.\nMention free parking behind the shop.", "Write in a formal tone.\nMention free parking behind the shop."),
			change("update", "notes", "additional_instructions", strings.Repeat("The same words. ", 20)+"Old end.", strings.Repeat("The same words. ", 20)+"New end."),
			change("update", "notes", "additional_instructions", strings.Repeat("The same words. ", 5)+"An end.", strings.Repeat("The same words. ", 4)+"The same words."),
			change("update", "account", "email", "", "a@example.com"),
			change("update", "account", "address_2", "Suite 4", ""),
		}}}, `
~ A (account 1)
    writer_instructions       Write in a friendly tone.\nMention free parking b…
                            → Write in a formal tone.\nMention free parking beh…
    additional_instructions   …e words. The same words. The same words. Old end.
                            → …e words. The same words. The same words. New end.
    additional_instructions   …me words. The same words. The same words. An end.
                            → …me words. The same words. The same words.
    email                     (empty) → a@example.com
    address_2                 Suite 4 → (empty)
1 customer: 0 to create, 1 to update, 0 to deactivate, 0 unchanged
`},
		"everything": {[]portfolio.Plan{{Customer: "Harbor Dental", Identifier: "CRM-1001", Account: 1, Changes: []portfolio.Change{
			change("update", "account", "account_name", "Harbor Dental", "Harbor Dental & Orthodontics of Greater Portland"),
			change("update", "account", "attributes", `[{"field_name":"Industry","field_value":"Dental"},{"field_name":"Tier","field_value":"Gold"}]`, `[{"field_name":"Tier","field_value":"Platinum"}]`),
			change("update", "account", "external_account_manager.name", "Dana Reed", "Dana Miller"),
			change("update", "account", "external_campaign_manager.email", "luis@agency.example.com", "luis.ortega@agency.example.com"),
			change("keep", "account", "website_url", "https://harbordental.example.com", "https://www.harbordental.example.com"),
			change("keep", "account", "country_code", "US", "CA"),
			change("update", "notes", "writer_instructions", "", "Be kind.\nAlways."),
			change("update", "notes", "additional_instructions", "Mention the parking lot behind the shop, and the tram.", "Mention the parking lot behind the shop, and the bus."),
			change("add", "keyword", "a long keyword that was pasted from a sentence of some page of a website", "", "interest"),
		}}}, `
~ Harbor Dental (CRM-1001, account 1)
    account_name              Harbor Dental
                            → Harbor Dental & Orthodontics of Greater Portland
    attributes                Industry=Dental, Tier=Gold → Tier=Platinum
    external_account_manager.name   Dana Reed → Dana Miller
    external_campaign_manager.email   luis@agency.example.com
                                    → luis.ortega@agency.example.com
  = website_url               https://harbordental.example.com
                          not https://www.harbordental.examp… (can't be changed)
  = country_code              US, not CA (can't be changed)
    writer_instructions       (empty) → Be kind.\nAlways.
    additional_instructions   …on the parking lot behind the shop, and the tram.
                            → …on the parking lot behind the shop, and the bus.
  + keyword                   a long keyword that was pasted from a … (interest)
1 customer: 0 to create, 1 to update, 0 to deactivate, 0 unchanged
`},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := rendered(t, 80, false, test.plans...), strings.TrimPrefix(test.want, "\n")
			if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestColorsOfTheRendering(t *testing.T) {
	got := rendered(t, 80, true, harbour)
	want := "\x1b[33m~ Harbour Bikes (crm-3001, account 6)\x1b[0m\n    phone     555-0100 → 555-0199\n" +
		"  \x1b[32m+ keyword   cargo bikes (target)\x1b[0m\n  \x1b[31m- keyword   bike stickers (deactivate)\x1b[0m\n" +
		"1 customer: 0 to create, 1 to update, 0 to deactivate, 0 unchanged\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHostileTextsOfTheRendering checks that no text makes a line of its own, is wider than the
// terminal, hides the account, or controls the terminal.
func TestHostileTextsOfTheRendering(t *testing.T) {
	for name, text := range map[string]string{
		"escapes":   "\x1b[2J\x1b]0;title\x07\x9b31m",
		"lines":     "a\n+ b (account 1)\r\n\u2028c\x85d",
		"direction": "\u202eevil\u2066 \u200f",
		"long":      strings.Repeat("0123456789", 1000),
		"wide":      strings.Repeat("自転車", 1000),
		"combining": "a" + strings.Repeat("\u0301", 20_000),
		"invisible": strings.Repeat("\u200b", 10_000),
		"no UTF-8":  "\xff\xfe\xc3",
	} {
		for _, width := range []int{10, 60, 80, 200} {
			t.Run(fmt.Sprintf("%s/%d", name, width), func(t *testing.T) {
				p := portfolio.Plan{Customer: text, Identifier: text, Account: 6}
				for _, object := range []string{"account", "keyword", "notes", "plan", "credentials"} {
					for _, action := range []string{"update", "add", "deactivate", "reactivate", "keep", "attach"} {
						p.Changes = append(p.Changes, change(action, object, text, text, text+"x"))
					}
				}
				out := rendered(t, width, false, p)
				if n := strings.Count(out, "account 6)\n"); n != 1 {
					t.Errorf("got %d titles, want 1:\n%.2000s", n, out)
				}
				for line := range strings.Lines(out) {
					line = strings.TrimSuffix(line, "\n")
					if escaped := safetext.Escape(line); escaped != line {
						t.Errorf("got %.200q, want no character that is not shown", line)
					}
					if n := textwidth.Of(line); n > max(width, minWidth) && !strings.HasPrefix(line, "1 customer") {
						t.Errorf("got %d columns, want up to %d: %.200s", n, max(width, minWidth), line)
					}
				}
			})
		}
	}
}
