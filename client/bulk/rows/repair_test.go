package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/columns"
	"reseller/client/schema"
)

const accountHead = "account_name,phone,email,first_name,last_name,address_1,city,state,postal,country_code,website_url,external_account_identifier\n"

// accountRow returns a row of accountHead with some cells.
func accountRow(name, postal, country, site string) string {
	return fmt.Sprintf("%s,5,a@example.com,A,Q,1 Quay,c,s,%s,%s,%s,%s\n", name, postal, country, site, strings.TrimSpace(name))
}

// TestRepairsAreTold checks that a note tells of each kind of repair, with the number of
// the cells and the place of the first, and leaves out rows that are not sent.
func TestRepairsAreTold(t *testing.T) {
	text := accountHead + accountRow("a", "97201", "us", "https://a.example.com") + accountRow(" b", "2134", "USA", "b.example.com") +
		accountRow("c ", "2134", " Germany", "https://c.example.com") + accountRow("d ", "2134", "Narnia", "d.example.com")
	s, err := source(t, "csv", text, accountSchema(schema.Create))
	noError(t, err)
	report, err := s.Validate(t.Context())
	wantError(t, err, `line 5, country_code: "Narnia"`)
	want := []string{
		"removed white space around the text of 3 cells, the first: line 3, account_name",
		"replaced the name of the country by its code in 2 cells, the first: line 3, country_code",
		"put https:// in front of the site in 1 cell: line 3, website_url",
		"put back the leading zeros of the postal code in 2 cells, the first: line 3, postal",
	}
	if !slices.Equal(report.Notes, want) {
		t.Errorf("got the notes\n%s\nwant\n%s", strings.Join(report.Notes, "\n"), strings.Join(want, "\n"))
	}
	again, _ := s.Validate(t.Context())
	if !slices.Equal(again.Notes, want) {
		t.Errorf("a second validation: got the notes %q, want the same", again.Notes)
	}
}

// TestRepairedTwiceKeepsTheText checks that a cell which is repaired again once its country is known keeps the text of the file.
func TestRepairedTwiceKeepsTheText(t *testing.T) {
	rows, report, err := validRows(t, "csv", "account_id,postal,country_code\n1,1067.0,DE\n", accountSchema(schema.Update))
	if err != nil || len(rows) != 1 || len(rows[0].Repaired) != 1 || rows[0].Repaired[0].Text != "1067.0" {
		t.Fatalf("got the rows %v and the error %v, want one with one repaired cell, 1067.0", rows, err)
	}
	if got := rows[0].Values.Get("postal").Text(); got != "01067" || len(report.Notes) != 2 {
		t.Errorf("got the postal code %s and the notes %q, want 01067 and two", got, report.Notes)
	}
}

// TestRepairedRowsAreTheSame checks that the repair of a row comes before its identity.
func TestRepairedRowsAreTheSame(t *testing.T) {
	text := accountHead + accountRow("a", "02134", "US", "https://a.example.com") + accountRow("a\u00a0", "2134", "u.s.", "a.example.com ")
	rows, report, err := validRows(t, "csv", text, accountSchema(schema.Create))
	if err != nil || report.Duplicates != 1 || len(rows) != 1 {
		t.Fatalf("got %d rows, %d duplicates, error %v; want 1 and 1", len(rows), report.Duplicates, err)
	}
}

func TestStrictRefusesRepairs(t *testing.T) {
	sch := accountSchema(schema.Create)
	sch.Strict = true
	_, _, err := validRows(t, "csv", accountHead+accountRow(" b", "2134", "USA", "b.example.com"), sch)
	wantError(t, err,
		`line 2, account_name: " b" would be repaired to "b", which --strict refuses`,
		`line 2, country_code: "USA" would be repaired to "US", which --strict refuses`,
		`line 2, website_url: "b.example.com" would be repaired to "https://b.example.com", which --strict refuses`,
		`line 2, postal: "2134" would be repaired to "02134", which --strict refuses`)
	if issues := issuesOf(t, err).Issues; len(issues) != 4 {
		t.Errorf("got the issues %+v, want 4", issues)
	}
	if _, _, err := validRows(t, "csv", accountHead+accountRow("b", "02134", "us", "https://b.example.com"), sch); err != nil {
		t.Errorf("clean cells: got the error %v, want none", err)
	}
}

// TestStrictRefusesRepairsOfSplitCells: what else is wrong with such a cell is not told.
func TestStrictRefusesRepairsOfSplitCells(t *testing.T) {
	sch := accountSchema(schema.Update)
	sch.Strict, sch.MapFile = true, &columns.Mapping{Columns: map[string]columns.Fields{"name": {"first_name", "last_name"}}}
	_, _, err := validRows(t, "csv", "account_id,name\n1,Ada\u00ad\n", sch)
	if issues := issuesOf(t, err).Issues; len(issues) != 1 || !strings.Contains(err.Error(), "which --strict refuses") {
		t.Errorf("got %v, want one issue of --strict", err)
	}
}

// TestPostalCodesNeedACountry checks that a code gets back its zeros only if the row has the country. In
// an update the country is read only.
func TestPostalCodesNeedACountry(t *testing.T) {
	for name, c := range map[string]struct{ format, text, want string }{
		"US":                  {"csv", "account_id,postal,country\n1,2134,US\n", "02134"},
		"US by name, before":  {"csv", "account_id,country,postal\n1,usa,2134\n", "02134"},
		"Switzerland":         {"csv", "account_id,postal,country\n1,2134,CH\n", "2134"},
		"none":                {"csv", "account_id,postal\n1,2134\n", "2134"},
		"none after one":      {"csv", "account_id,postal,country\n2,2134,US\n1,2134,\n", "2134"},
		"number in an object": {"json", `[{"account_id":1,"postal":2134,"country":"US"}]`, "02134"},
	} {
		t.Run(name, func(t *testing.T) {
			rows, _, err := validRows(t, c.format, c.text, accountSchema(schema.Update))
			noError(t, err)
			if got := rows[len(rows)-1].Values.Get("postal").Text(); got != c.want {
				t.Errorf("got the postal code %s, want %s", got, c.want)
			}
		})
	}
}

func TestKeywordSeparator(t *testing.T) {
	res := schema.Resource{Name: "customer", Fields: []schema.Field{{Name: "keywords", Type: schema.List, Use: schema.Create, Content: schema.KeywordText}}}
	for name, c := range map[string]struct {
		separators []string
		cell       string
		unchecked  bool
		want       string // "" for an issue
		issue      string
	}{
		"semicolons":               {nil, "a;b", false, `keywords=["a","b"]`, ""},
		"one":                      {nil, "a", false, `keywords=["a"]`, ""},
		"commas":                   {nil, "a, b", false, "", `"a, b" may be one keyword or several: --keyword-separator ',' splits it, --keyword-separator ';' does not`},
		"both":                     {nil, "a; b, c", false, "", `"a; b, c" may be one keyword or several: --keyword-separator ';' --keyword-separator ',' splits it, --keyword-separator ';' alone does not`},
		"both, said":               {[]string{",", ";"}, "a; b, c", false, `keywords=["a","b","c"]`, ""},
		"commas, not validated":    {nil, "a, b", true, `keywords=["a, b"]`, ""},
		"commas that separate":     {[]string{","}, "a, b", false, `keywords=["a","b"]`, ""},
		"semicolons, not said":     {[]string{","}, "a; b, c", false, "", `"a; b, c" may be several keywords: --keyword-separator ',' --keyword-separator ';' splits it`},
		"semicolons that separate": {[]string{";"}, "a, b", false, `keywords=["a, b"]`, ""},
		"list":                     {nil, `["a, b", "c|d"]`, false, `keywords=["a, b","c|d"]`, ""},
		"list with semicolons":     {nil, `["a; b"]`, false, "", `"a; b" may be several keywords: give each by itself`},
		"line breaks":              {nil, `a\nb`, false, "", `"a\nb" may be several keywords: --keyword-separator '\n' splits it`},
		"line breaks, said":        {[]string{"\n", ";"}, `a\r\nb;c`, false, `keywords=["a","b","c"]`, ""},
		"bars":                     {nil, "a | b", false, "", `"a | b" may be several keywords: --keyword-separator '|' splits it; a type behind the last | is one of target, interest`},
		"bars, said":               {[]string{"|"}, "a | b | interest|c", false, `keywords=["a","b|interest","c"]`, ""},
		"bar before a type":        {nil, "a|b|target", false, `keywords=["a|b|target"]`, ""},
		"bars, not validated":      {nil, "a | b", true, `keywords=["a | b"]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			rows, _, err := validRows(t, "tsv", "keywords\n"+c.cell+"\n", Schema{Resource: &res, Use: schema.Create, Validate: !c.unchecked, ListSeparators: c.separators})
			if c.want != "" {
				wantRow(t, rows, err, c.want)
				return
			}
			wantError(t, err, "line 2, keywords: "+c.issue)
		})
	}
}

// TestRepairedCellsOutliveTheRow checks that the texts of repaired cells stay as they are when the memory of their row is used
// for the rows of the next blocks of the file.
func TestRepairedCellsOutliveTheRow(t *testing.T) {
	text, n := strings.Builder{}, 3000
	text.WriteString("account_id,campaign_id,keyword,type\n")
	for i := range n {
		fmt.Fprintf(&text, "1,2, red shoes of the best kind for dry and for wet weather %d ,target\n", i)
	}
	s := validSource(t, "csv", text.String(), createSchema())
	var cells []RepairedCell
	for row, err := range s.Valid() {
		noError(t, err)
		cells = append(cells, row.Repaired...)
	}
	if len(cells) != n {
		t.Fatalf("got %d repaired cells, want %d", len(cells), n)
	}
	for i, cell := range cells {
		if want := fmt.Sprintf(" red shoes of the best kind for dry and for wet weather %d ", i); cell.Text != want {
			t.Fatalf("row %d: got the text %q, want %q", i, cell.Text, want)
		}
	}
}
