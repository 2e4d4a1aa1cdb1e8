package schema

import (
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
)

func TestFromText(t *testing.T) {
	choice := Field{Type: Choice, Enum: []string{"activate", "deactivate"}, Values: []string{"1", "0"}, Synonyms: map[string]string{"on": "activate"}}
	for _, tt := range []struct {
		name      string
		field     Field
		text      string
		want      string // JSON with validation, "" where it fails
		unchecked string // JSON without, "" where that fails too
	}{
		{"text", Field{}, `a "b"`, `"a \"b\""`, `"a \"b\""`},
		{"text that is not UTF-8", Field{}, "\xff", "", ""},
		{"number", Field{Type: Int}, "7", "7", "7"},
		{"number with white space and zeros", Field{Type: Int}, " 007 ", "7", "7"},
		{"largest number", Field{Type: Int}, "9223372036854775807", "9223372036854775807", "9223372036854775807"},
		{"number that is too large", Field{Type: Int}, "9223372036854775808", "", `"9223372036854775808"`},
		{"not a number", Field{Type: Int}, "x", "", `"x"`},
		{"at the bound", Field{Type: Int, Max: 10}, "10", "10", "10"},
		{"beyond the bound", Field{Type: Int, Max: 10}, "11", "", "11"},
		{"below the bound", Field{Type: Int, Max: 10}, "0", "", "0"},
		{"true", Field{Type: Bool}, "Yes", "true", "true"},
		{"false", Field{Type: Bool}, " 0", "false", "false"},
		{"neither true nor false", Field{Type: Bool}, "maybe", "", `"maybe"`},
		{"e-mail address", Field{Type: Email}, "ada@example.com", `"ada@example.com"`, `"ada@example.com"`},
		{"empty e-mail address", Field{Type: Email}, "", `""`, `""`},
		{"e-mail address with a name", Field{Type: Email}, "Ada <ada@example.com>", "", `"Ada <ada@example.com>"`},
		{"e-mail address without a domain", Field{Type: Email}, "ada@localhost", "", `"ada@localhost"`},
		{"URL", Field{Type: URL}, "https://example.com/a", `"https://example.com/a"`, `"https://example.com/a"`},
		{"URL without a scheme", Field{Type: URL}, "example.com", "", `"example.com"`},
		{"country", Field{Type: Country}, " us ", `"US"`, `"US"`},
		{"country of three letters", Field{Type: Country}, "USA", "", `"USA"`},
		{"country of digits", Field{Type: Country}, "U1", "", `"U1"`},
		{"word", choice, "activate", `"activate"`, `"activate"`},
		{"value that reads show", choice, "0", `"deactivate"`, `"deactivate"`},
		{"synonym", choice, "on", `"activate"`, `"activate"`},
		{"another word", choice, "maybe", "", `"maybe"`},
		{"pair", Field{Type: Pair}, "crm=a=1", `{"field_name":"crm","field_value":"a=1"}`, `{"field_name":"crm","field_value":"a=1"}`},
		{"pair without a name", Field{Type: Pair}, "=1", "", ""},
		{"list", Field{Type: List}, ` [ "a" ] `, `["a"]`, `["a"]`},
		{"not a list", Field{Type: List}, `{}`, "", ""},
		{"not JSON", Field{Type: List}, `[`, "", ""},
		{"attributes", Field{Type: Attributes}, `[{"field_name":"a","field_value":"b"}]`, `[{"field_name":"a","field_value":"b"}]`, `[{"field_name":"a","field_value":"b"}]`},
		{"attribute with a number", Field{Type: Attributes}, `[{"field_name":"a","field_value":1}]`, `[{"field_name":"a","field_value":"1"}]`, `[{"field_name":"a","field_value":1}]`},
		{"attribute with a list", Field{Type: Attributes}, `[{"field_name":"a","field_value":[1]}]`, "", `[{"field_name":"a","field_value":[1]}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, check := range []bool{true, false} {
				want := tt.unchecked
				if check {
					want = tt.want
				}
				got, err := tt.field.FromText(tt.text, check)
				if string(got) != want || (err == nil) != (want != "") {
					t.Errorf("with validation %v: got %s, %v, want %s", check, got, err, want)
				}
			}
		})
	}
}

func TestFromJSON(t *testing.T) {
	for _, tt := range []struct {
		name  string
		field Field
		in    string
		want  string // JSON with validation, "" where it fails
	}{
		{"id that is a string", Field{Type: Int}, `"7"`, "7"},
		{"string that is a number", Field{}, "7", `"7"`},
		{"null", Field{}, "null", ""},
		{"object", Field{}, "{}", ""},
		{"pair", Field{Type: Pair}, `{"field_name":"a","field_value":"b"}`, `{"field_name":"a","field_value":"b"}`},
		{"pair of a number", Field{Type: Pair}, `{"field_name":"a","field_value":1}`, `{"field_name":"a","field_value":"1"}`},
		{"pair as text", Field{Type: Pair}, `"a=b"`, `{"field_name":"a","field_value":"b"}`},
		{"half of a surrogate pair", Field{}, `"\ud83d"`, ""},
		{"a whole surrogate pair", Field{}, `"\ud83d\ude00"`, `"😀"`},
		{"replacement character", Field{}, `"\ufffd"`, "\"\ufffd\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.field.FromJSON(record.Value(tt.in), true)
			if string(got) != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
	if got, err := (&Field{}).FromJSON(record.Value(`"\ud83d"`), false); string(got) != `"\ud83d"` || err != nil {
		t.Errorf("half of a surrogate pair without validation: got %s, %v, want it as it is", got, err)
	}
}

func TestBody(t *testing.T) {
	values := Values{
		"external_campaign_manager.name": record.Quote("Lee"), "account_id": record.Value("7"), "external_account_manager.email": record.Quote("kim@example.com"),
		"external_account_manager.name": record.Quote("Kim"), "unknown": record.Value("1"),
		"external_account_manager.phone": record.Value("7"), "external_account_manager.a.\"b": record.Value("[]"),
	}
	want := `{"account_id":7,"external_account_manager":{"name":"Kim","email":"kim@example.com","a.\"b":[],"phone":7},"external_campaign_manager":{"name":"Lee"}}`
	if got := string(AccountsV2.Body(values)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(AccountsV2.Body(nil)); got != "{}" {
		t.Errorf("without values: got %s, want {}", got)
	}
}

func TestAddAttribute(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"none", `null`, `[{"field_name":"a","field_value":"1"}]`},
		{"another", `[{"field_name":"b","field_value":"2"}]`, `[{"field_name":"b","field_value":"2"},{"field_name":"a","field_value":"1"}]`},
		{"the same twice", `[{"field_name":"a","field_value":"0"},{"field_name":"a","field_value":"2"},{"field_name":"b","field_value":"2"}]`, `[{"field_name":"a","field_value":"1"},{"field_name":"b","field_value":"2"}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(AddAttribute(record.Value(tt.in), "a", "1")); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestFieldNames(t *testing.T) {
	for _, tt := range []struct {
		resource   *Resource
		name, want string
	}{
		{&Keywords, "type", "keyword_type"}, {&AccountsV2, "zip", "postal"}, {&AccountsV1, "zip", "postal"}, {&AccountsV2, "country", "country_code"}, {&AccountsV2, "status", "status"}, {&AccountsV2, "", ""}, {&AccountsV2, "colour", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if field := tt.resource.Field(tt.name); field != nil {
				got = field.Name
			}
			if got != tt.want {
				t.Errorf("got field %q, want %q", got, tt.want)
			}
		})
	}
}

func TestColumns(t *testing.T) {
	columns := map[string]Column{}
	var names []string
	for _, column := range AccountsV1.Columns() {
		columns[column.Name] = column
		names = append(names, column.Name)
	}
	if got := columns["zip"]; !slices.Equal(got.Alt, []string{"postal"}) || got.Has(DefaultColumn) {
		t.Errorf("zip: got %+v, want the alternative postal", got)
	}
	if slices.Contains(names, "website_url") || slices.Contains(names, "external_account_identifier") || !slices.Contains(names, "external_account_identifier.field_value") {
		t.Errorf("got columns %q, want those of reads, a pair as two", names)
	}
	for _, column := range Keywords.Columns() {
		if column.Name == "status" && !slices.Equal(column.Enum, []string{"1", "0"}) {
			t.Errorf("status: got values %q, want those that reads show", column.Enum)
		}
	}
}

// TestOperations checks that every operation is listed once and named by its method
// and path.
func TestOperations(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range Operations() {
		if seen[op.Name()] || seen[op.ID] || op.Title == "" {
			t.Errorf("%s (%s) is listed twice or has no title", op.Name(), op.ID)
		}
		seen[op.Name()], seen[op.ID] = true, true
		if op.Writes() != (op.Method != "GET") {
			t.Errorf("%s: writes %v", op.Name(), op.Writes())
		}
	}
	for row, id := range map[string]string{"GET /api/v2/accounts": "accounts.v2.list", "PUT /api/v1/keywords": "keywords.update"} {
		if !seen[row] || !seen[id] {
			t.Errorf("%s (%s) is not listed", row, id)
		}
	}
}

// TestPlainBodies checks that no field of an operation with a plain body is a secret.
func TestPlainBodies(t *testing.T) {
	plain := 0
	for _, op := range Operations() {
		if !op.IsBatch() {
			continue
		}
		plain++
		if !strings.HasPrefix(op.ID, "keywords.") || op.Public {
			t.Errorf("%s: got a plain body, want that of keywords only", op.ID)
		}
	}
	if plain != 3 {
		t.Errorf("got %d operations with a plain body, want 3", plain)
	}
	for _, f := range Keywords.Fields {
		switch f.Type {
		case Password, List, Pair, Attributes:
			t.Errorf("%s: got a field that may hold a secret, want none in a plain body", f.Name)
		}
	}
}

// TestExamplesAreValid checks that an example of each required field can be sent as it is.
func TestExamplesAreValid(t *testing.T) {
	for _, res := range []*Resource{&AccountsV1, &AccountsV2, &Credentials, &Keywords, &Notes, &BusinessProfiles} {
		for _, f := range res.For(Create).Fields {
			if f.Use&Required == 0 || f.Use&(EmptyInFile|EmptyIfAbsent) != 0 {
				continue
			}
			if v, err := f.FromText(f.Example, true); err != nil || v.Text() == "" {
				t.Errorf("%s, %s: got %s (%v) of the example %q, want a value", res.Name, f.Name, v, err, f.Example)
			}
		}
	}
}
