package portfolio

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"reseller/client/record"
	"reseller/client/schema"
)

func parse(t *testing.T, text string) record.Record {
	t.Helper()
	rec, err := record.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestKeyword(t *testing.T) {
	for text, want := range map[string]string{
		`{"rank_id":1,"keyword":"a","type":"target","status":1}`:      `"a"`,
		`{"keyword":"a","keyword_type":"target","status":"activate"}`: `"a"`,
		`{"keyword":"a","type":"interest","status":1}`:                `{"keyword":"a","type":"interest","status":"active"}`,
		`{"keyword":"a","type":"target","status":0}`:                  `{"keyword":"a","type":"target","status":"deactivated"}`,
		`{"keyword":"a|b","type":"target","status":"1"}`:              `{"keyword":"a|b","type":"target","status":"active"}`,
		`{"keyword":"a","status":1}`:                                  `{"keyword":"a","status":"active"}`,
		`{"keyword":"a","type":"target","status":null}`:               `{"keyword":"a","type":"target"}`,
		`{"keyword":"a","type":"other","status":2}`:                   `{"keyword":"a","type":"other","status":"2"}`,
		`{"keyword":24,"type":"target","status":1}`:                   `"24"`,
		`{"rank_id":1}`: `{}`,
		`{"keyword":"a","type":"target","status":1,"rank_google_map":"x"}`: `"a"`,
	} {
		t.Run(text, func(t *testing.T) {
			k := New().NewKeyword(parse(t, text))
			if got := string(k.element()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestCell(t *testing.T) {
	active := func(kind string, texts ...string) (list []Keyword) {
		for _, text := range texts {
			list = append(list, Keyword{Text: text, Type: kind, Status: keywordActivated})
		}
		return list
	}
	const noText = "no text"
	for _, c := range []struct {
		keywords []Keyword
		want     string
	}{
		{nil, ""},
		{active("target", "a"), "a"},
		{active("target", "a", "c, d"), noText},
		{append(active("target", "a"), active("interest", "b")...), "a;b|interest"},
		{active("target", "a|b"), "a|b|target"},
		{active("target", "a, b"), noText},
		{active("target", "a;b"), noText},
		{active("target", "[a"), noText},
		{active("target", "'-50% shoes"), noText},
		{active("target", " a"), noText},
		{active("target", ""), noText},
		{active("", "a"), noText},
		{active("other", "a"), noText},
		{[]Keyword{{Text: "a", Type: "target", Status: keywordDeactivated}}, noText},
		{[]Keyword{{Text: "a", Type: "target"}}, noText},
		{[]Keyword{{Text: "a", Type: "target", Status: keywordActivated, Other: schema.Values{"rank_google_map": record.Value(`"x"`)}}}, noText},
	} {
		t.Run(fmt.Sprint(c.keywords), func(t *testing.T) {
			cell, got := New().cellOf(c.keywords, listSeparator), noText
			if cell.Kind() == record.String {
				got = cell.Text()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestRecordOfOlderForm checks that both forms of an account give the same record, and that
// what the service does not show is left out.
func TestRecordOfOlderForm(t *testing.T) {
	const want = `{"account_id":1,"campaign_id":2,"status":"active","account_name":"24","phone":"1","postal":"p","country_code":"US","external_account_identifier":"7","external_account_manager":{"name":"Kim"}}`
	for _, text := range []string{
		`{"status":"active","account_id":1,"campaign_id":2,"account_name":"24","phone":"1","postal":"p","country":"US","attributes":null,"external_account_manager":{"name":"Kim"},"external_account_identifier":"7","added":1}`,
		`{"active":"1","account_id":"1","campaign_id":"2","account_name":24,"phone_number":1,"zip":"p","country":"USA","external_account_manager":{"name":"Kim","email":null},"external_account_identifier":{"field_name":"f","field_value":7},"email":null}`,
	} {
		t.Run(text, func(t *testing.T) {
			rec, err := New().Record(&CurrentCustomer{Listed: record.Value(text), Notes: record.Value(`{"writer_instructions":null}`)}, false)
			if got := string(rec.Raw()); err != nil || got != want {
				t.Errorf("got %s (%v), want %s", got, err, want)
			}
		})
	}
}

// TestEveryFieldIsExported draws values for random fields of a customer. The record has exactly
// these, with these values, in the order of the resource.
func TestEveryFieldIsExported(t *testing.T) {
	m := New()
	inOrder := m.Resource().Without(FieldKeywords)
	text := rapid.StringN(0, 20, -1)
	rapid.Check(t, func(r *rapid.T) {
		values := schema.Values{}
		var want []string
		for _, f := range inOrder.Fields {
			if !rapid.Bool().Draw(r, "has "+f.Name) {
				continue
			}
			want = append(want, f.Name)
			switch f.Type {
			case schema.Int:
				values[f.Name] = record.Integer(rapid.Int64().Draw(r, f.Name))
			case schema.Attributes:
				values[f.Name] = schema.AddAttribute(record.Value("[]"), text.Draw(r, "name"), text.Draw(r, "value"))
			case schema.Country:
				values[f.Name] = record.Value(`"DE"`)
			case schema.Choice:
				values[f.Name] = record.Quote(rapid.SampledFrom(f.Enum).Draw(r, f.Name))
			default:
				values[f.Name] = record.Quote(text.Draw(r, f.Name))
			}
		}
		rec, err := record.Parse(inOrder.Body(values))
		if err != nil {
			r.Fatal(err)
		}
		got, err := m.Record(&CurrentCustomer{Listed: rec.Raw(), Notes: rec.Raw(), Plans: []record.Value{rec.Raw()}}, false)
		if err != nil || string(got.Raw()) != string(rec.Raw()) {
			r.Fatalf("got %s (%v), want the fields %s: %s", got.Raw(), err, strings.Join(want, ", "), rec.Raw())
		}
	})
}
