package rows

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/schema"
)

const shoe = `account_id=1 campaign_id=101 keyword="red shoes" keyword_type="target"`

func TestEveryFormatGivesTheSameRow(t *testing.T) {
	for name, c := range map[string]struct{ format, text string }{
		"csv":              {"csv", "account_id,campaign_id,keyword,keyword_type\n1,101,red shoes,target\n"},
		"crlf, bom":        {"csv", "\xef\xbb\xbfaccount_id,campaign_id,keyword,keyword_type\r\n1,101,red shoes,target\r\n"},
		"no last line end": {"csv", "account_id,campaign_id,keyword,keyword_type\n1,101,red shoes,target"},
		"empty lines":      {"csv", "\n\naccount_id,campaign_id,keyword,keyword_type\n\r\n\n1,101,red shoes,target\n\n"},
		"emptied cells":    {"csv", "account_id,campaign_id,keyword,keyword_type,, \n,,,,,\n1,101,red shoes,target,,\n,,,,,\n"},
		"semicolons":       {"csv", "account_id;campaign_id;keyword;keyword_type\n1;101;red shoes;target\n"},
		"quotes":           {"csv", "\"account_id\",\"campaign_id\",\"keyword\",\"type\"\n\"1\",\"101\",\"red shoes\",\"target\"\n"},
		"spaces":           {"csv", " account_id , campaign_id,keyword ,TYPE\n 1 ,101,\"  red shoes\t\",target\n"},
		"tabs in csv":      {"csv", "account_id\tcampaign_id\tkeyword\tkeyword_type\n1\t101\t\"red shoes\"\ttarget\n"},
		"tabs in txt":      {"txt", "account_id\tcampaign_id\tkeyword\tkeyword_type\n1\t101\t\"red shoes\"\ttarget\n"},
		"empty first row":  {"csv", ",,,\n  \naccount_id,campaign_id,keyword,keyword_type\n1,101,red shoes,target\n"},
		"title":            {"csv", "\"Shoes, 2026\",,,\n,,,\naccount_id,campaign_id,keyword,keyword_type\n1,101,red shoes,target\n"},
		"title alone":      {"csv", "Shoes; 2026\naccount_id,campaign_id,keyword,keyword_type\n1,101,red shoes,target\n"},
		"title, tabs":      {"csv", "Shoes, 2026\naccount_id\tcampaign_id\tkeyword\tkeyword_type\n1\t101\tred shoes\ttarget\n"},
		"title, tsv":       {"tsv", "Shoes\naccount_id\tcampaign_id\tkeyword\tkeyword_type\n1\t101\tred shoes\ttarget\n"},
		"separator named":  {"csv", "sep=;\r\naccount_id;campaign_id;keyword;keyword_type\r\n1;101;red shoes;target\r\n"},
		"PowerShell":       {"csv", "#TYPE System.Object\r\n\"account_id\",\"campaign_id\",\"keyword\",\"type\"\r\n\"1\",\"101\",\"red shoes\",\"target\"\r\n"},
		"tsv":              {"tsv", "account_id\tcampaign_id\tkeyword\tkeyword_type\n1\t101\t red shoes\ttarget\n"},
		"json":             {"json", `[{"account_id":1,"campaign_id":"101","keyword":" red shoes ","type":"target"}]`},
		"one object":       {"json", "\xef\xbb\xbf\n {\"account_id\":1,\n\"campaign_id\":101,\"keyword\":\"red shoes\",\"keyword_type\":\"target\",\"error\":null}\n"},
		"ndjson":           {"ndjson", "\n{\"account_id\":1,\"campaign_id\":101,\"keyword\":\"red shoes\",\"keyword_type\":\"target\"}\r\n\n"},
		"yaml list":        {"yaml", "# rows\n- account_id: 1\n  campaign_id: 101\n  keyword: red shoes\n  keyword_type: target\n"},
		"yaml document":    {"yaml", "%YAML 1.2\n---\naccount_id: 1\ncampaign_id: 101\nkeyword: red shoes\nkeyword_type: target\n...\n"},
		"yaml flow":        {"yaml", "[{account_id: 1, campaign_id: 101, keyword: ' red shoes', keyword_type: target}]\n"},
		"yaml indented":    {"yaml", "  - account_id: 1\n    campaign_id: 101\n    keyword: red shoes\n    keyword_type: target\n"},
	} {
		t.Run(name, func(t *testing.T) {
			rows, _, err := validRows(t, c.format, c.text, createSchema())
			wantRow(t, rows, err, shoe)
			if len(rows) != 1 {
				t.Errorf("got %d rows, want 1", len(rows))
			}
		})
	}
}

func TestTextHasOneKeywordPerLine(t *testing.T) {
	sch := createSchema()
	sch.Constants = map[string]string{"account_id": "1", "campaign_id": "101", "keyword_type": "target"}
	rows, report, err := validRows(t, "txt", "\xef\xbb\xbf\n  red shoes \r\n\n \t\nblue shoes", sch)
	wantRow(t, rows, err, shoe)
	if len(rows) != 2 || rows[0].Line != 2 || rows[1].Line != 5 || report.Rows != 2 {
		t.Errorf("got the rows %+v, want lines 2 and 5", rows)
	}
}

func TestRowsKnowTheirLine(t *testing.T) {
	head := "account_id,campaign_id,keyword,keyword_type\n"
	for name, c := range map[string]struct {
		format, text string
		want         []int
	}{
		"csv":       {"csv", head + "\n1,1,a,target\n1,1,\"b\n\n\",target\r\n\n1,1,c,target\n", []int{3, 4, 8}},
		"header":    {"csv", "account_id,campaign_id,keyword,\"keyword_type\n\"\n1,1,a,target\n", []int{3}},
		"json":      {"json", "[\n{\"account_id\":1,\"campaign_id\":1,\n\"keyword\":\"a\",\"type\":\"target\"}\n,\n\n{\"account_id\":1,\"campaign_id\":1,\"keyword\":\"b\",\"type\":\"target\"}]", []int{2, 6}},
		"ndjson":    {"ndjson", "\n{\"account_id\":1,\"campaign_id\":1,\"keyword\":\"a\",\"type\":\"target\"}\n\n{\"account_id\":1,\"campaign_id\":1,\"keyword\":\"b\",\"type\":\"target\"}\n", []int{2, 4}},
		"yaml":      {"yaml", "# one\n- account_id: 1\n  campaign_id: 1\n  keyword: a\n  type: target\n\n# two\n-\n  account_id: 1\n  campaign_id: 1\n  keyword: b\n  type: target\n", []int{2, 9}},
		"documents": {"yaml", "---\naccount_id: 1\ncampaign_id: 1\nkeyword: a\ntype: target\n--- # two\naccount_id: 1\ncampaign_id: 1\nkeyword: b\ntype: target\n", []int{2, 7}},
	} {
		t.Run(name, func(t *testing.T) {
			rows, _, err := validRows(t, c.format, c.text, createSchema())
			var got []int
			for _, r := range rows {
				got = append(got, r.Line)
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got the lines %v, error %v; want %v", got, err, c.want)
			}
		})
	}
}

func TestInvalidFilesNameTheLine(t *testing.T) {
	head := "account_id,campaign_id,keyword,keyword_type\n"
	row := "1,1,a,target\n"
	for name, c := range map[string]struct {
		format, text string
		want         []string
	}{
		"empty":                 {"csv", "", []string{"empty"}},
		"only a bom":            {"csv", "\xef\xbb\xbf", []string{"empty"}},
		"utf-16 cut short":      {"csv", "\xff\xfea", []string{"line 1: ", "--encoding"}},
		"utf-16 without":        {"csv", "a\x00,\x00", []string{"UTF-16", "--encoding"}},
		"spreadsheet":           {"csv", "PK\x03\x04\x00\x00", []string{"damaged or cut short"}},
		"cr":                    {"csv", strings.ReplaceAll(head+row, "\n", "\r"), []string{"CR only"}},
		"not utf-8":             {"csv", head + row + "1,1,caf\xe9,target\n", []string{"line 3: ", "UTF-8", "--encoding"}},
		"not utf-8 in quotes":   {"csv", head + row + "1,1,\"x\ncaf\xe9\",target\n", []string{"line 3: ", "UTF-8"}},
		"not utf-8 tsv":         {"tsv", strings.ReplaceAll(head, ",", "\t") + "1\t1\tcaf\xe9\ttarget\n", []string{"line 2: ", "UTF-8"}},
		"not utf-8 ndjson":      {"ndjson", "{\"keyword\":\"caf\xe9\"}", []string{"line 1: ", "UTF-8"}},
		"not utf-8 yaml":        {"yaml", "- keyword: a\n- keyword: caf\xe9\n", []string{"line 2: ", "UTF-8"}},
		"unclosed":              {"csv", head + row + "1,1,\"x,target\n" + row + row, []string{"line 3: ", "never closed"}},
		"unclosed, second cell": {"csv", head + row + "\"1\n\",1,\"x,target\n" + row, []string{"line 4: ", "never closed"}},
		"closed by another":     {"csv", head + "1,1,\"x,target\n" + row + "1,1,\"y\",target\n", []string{"line 2: ", "line 4"}},
		"stray quote":           {"csv", head + row + "1,1,5\" disk,target\n", []string{"line 3: ", "cell 3"}},
		"text behind a quote":   {"csv", head + row + "1,1,\"disk\"s,target\n", []string{"line 3: ", "cell 3"}},
		"too few cells":         {"csv", head + row + "1,1,a\n", []string{"line 3: has 3 cells where the header has 4"}},
		"too many cells":        {"csv", head + row + "1,1,a,target,\n", []string{"line 3: has 5 cells where the header has 4"}},
		"json text":             {"json", `"a"`, []string{"line 1: ", "array of objects"}},
		"json empty":            {"json", " \n", []string{"empty"}},
		"json cut":              {"json", "[\n{\"keyword\":\"a\"", []string{"line 2: ", "begins here is incomplete"}},
		"json not closed":       {"json", "[\n{\"keyword\":\"a\"}\n", []string{"not closed"}},
		"json syntax":           {"json", "[\n{\"keyword\":\"a\",\n\n\"b\" 1}]", []string{"line 4: invalid JSON"}},
		"json cut at a comma":   {"json", "[\n{\"keyword\":\"a\"},\n", []string{"line 3: the array is not closed"}},
		"json comma":            {"json", "[{}\n{}]", []string{"line 2: ", "comma"}},
		"json trailing comma":   {"json", "[{},]", []string{"line 1: "}},
		"json is ndjson":        {"json", "{\"keyword\":\"a\"}\n{\"keyword\":\"a\"}\n", []string{"line 2: ", "ndjson"}},
		"json behind":           {"json", "[]\n]", []string{"line 2: unexpected text after the end"}},
		"json number":           {"json", "[\n5]", []string{"line 2: is a number, not an object"}},
		"json twice":            {"json", `[{"keyword":"a","keyword":"b"}]`, []string{"line 1, keyword: occurs twice"}},
		"json aliases":          {"json", `[{"type":"target","keyword_type":"interest"}]`, []string{`keyword_type: names the same field as "type"`}},
		"ndjson syntax":         {"ndjson", "{\"keyword\":}\n", []string{"line 1: invalid JSON"}},
		"ndjson array":          {"ndjson", "[]\n", []string{"line 1: is an array, not an object"}},
		"yaml syntax":           {"yaml", "- account_id: 1\n- keyword: 'a\n", []string{"invalid YAML"}},
		"yaml twice":            {"yaml", "- keyword: a\n  keyword: b\n", []string{"line 1, keyword: occurs twice"}},
		"yaml scalar":           {"yaml", "- a\n", []string{"line 1: is a string, not an object"}},
		"yaml recursion":        {"yaml", "- &a\n  keyword: a\n  b: *a\n", []string{"line "}},
		"yaml anchor elsewhere": {"yaml", "- keyword: &a x\n- keyword: *a\n", []string{"line 2: ", "anchor"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := validRows(t, c.format, c.text, createSchema())
			wantError(t, err, c.want...)
		})
	}
	t.Run("txt of other records", func(t *testing.T) {
		_, _, err := validRows(t, "txt", "a", accountSchema(schema.Create))
		wantError(t, err, "txt has one value in each line")
	})
}

func TestYAMLAliasBombIsRefused(t *testing.T) {
	text := "- a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		text += fmt.Sprintf("  %c: &%c [*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s]\n", c, c, p, p, p, p, p, p, p, p, p, p)
	}
	_, _, err := validRows(t, "yaml", text, createSchema())
	wantError(t, err, "line 1: is too large")
}

func TestLinesMayNotBeTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("33 MB")
	}
	long := strings.Repeat("x", decode.MaxLine+10)
	for format, text := range map[string]string{
		"csv":    "account_id,campaign_id,keyword,keyword_type\n1,1," + long + ",target\n",
		"ndjson": `{"keyword":"` + long + `"}`,
		"json":   `[{"keyword":"` + long + `"}]`,
		"yaml":   "- keyword: " + long,
	} {
		t.Run(format, func(t *testing.T) {
			_, _, err := validRows(t, format, text, createSchema())
			wantError(t, err, "longer than 32 MB")
		})
	}
}

func TestTSVEscapes(t *testing.T) {
	sch := Schema{Resource: &schema.Notes, Use: schema.Update, Validate: true}
	rows, _, err := validRows(t, "tsv", "campaign_id\twriter_instructions\n1\ta\\tb\\nc\\\\n\\r\"d\"\n", sch)
	wantRow(t, rows, err, `campaign_id=1 writer_instructions="a\tb\nc\\n\r\"d\""`)
}

func TestYAMLScalarsAreTexts(t *testing.T) {
	sch := accountSchema(schema.Update)
	rows, _, err := validRows(t, "yaml", "- account_id: 7\n  postal: 01234\n  phone: 555\n  city: no\n  state: ~\n  address_2: ''\n  account_name: 2024-01-02\n  attributes:\n  - field_name: 1\n    field_value: yes\n", sch)
	want := `account_id=7 account_name="2024-01-02" address_2="" attributes=[{"field_name":"1","field_value":"yes"}] city="no" phone="555" postal="01234"`
	wantRow(t, rows, err, want)
}

// FuzzSource checks that any bytes in any format give the same rows twice.
func FuzzSource(f *testing.F) {
	seeds := []string{
		"account_id,campaign_id,keyword,type\n1,1,\"a\nb\",target\n1,1,c\n", "keyword\tattributes.x\n\\n\t\\\\\n",
		`[{"account_id":1,"a":{"b":[1]}},{}]`, "{\"keyword\":\"x\"}\n{\n", "- keyword: x\n  type: &a target\n- *a\n---\nkeyword: |\n  y\n",
		"red shoes\n\xff\n", "- &a [*a]\n", "external_account_manager:\n  name: x\n",
	}
	for _, s := range seeds {
		for n := range decode.Formats {
			f.Add([]byte(s), byte(n))
		}
	}
	schemas := []Schema{createSchema(), updateSchema(), accountSchema(schema.Update)}
	f.Fuzz(func(t *testing.T, data []byte, n byte) {
		format := decode.Formats[int(n)%len(decode.Formats)]
		s, err := Open(decode.Options{Path: "-", Stdin: bytes.NewReader(data), Format: format}, schemas[int(n)%len(schemas)])
		if err != nil {
			return
		}
		defer func() { _ = s.Close() }()
		walk := func() (out []string) {
			for row, err := range s.All() {
				if out = append(out, fmt.Sprint(row.Line, describe(*row), row.Cells, err)); row.Line < 0 {
					t.Fatalf("got line %d, want a line number", row.Line)
				}
			}
			return out
		}
		if first, second := walk(), walk(); !slices.Equal(first, second) {
			t.Fatalf("the first walk gave %q, the second %q", first, second)
		}
		report, _ := s.Validate(t.Context())
		if report.Send < 0 || report.Invalid > report.Rows {
			t.Fatalf("got the report %+v, want no more invalid rows than rows", report)
		}
	})
}
