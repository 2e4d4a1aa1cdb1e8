package cmd_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The customers that most of the awkward files hold, as the service holds them once they are
// loaded.
const (
	bikes  = "Harbour Bikes|Ada|Quist|ada@bikes.example.com|5035550100|1 Quay Street|Portland|OR|97201|US|https://bikes.example.com|3007\n"
	baker  = "Müller & Söhne, Bäcker|Jürgen|Müller|j.mueller@baecker.example.com|6175550101|22 Mill Lane; Unit 4|Boston|MA|02134|US|https://baecker.example.com|3008\n"
	dental = "Dental \"Fern\"|Inès|O'Neill|ines@dental.example.com|4165550102|7 Hill Road|Toronto|ON|M5V 2T6|CA|https://www.dental.example.com|3009\n"
	all    = bikes + baker + dental
)

// awkward are files in testdata/awkward as spreadsheets, CRMs and programs write them, each with
// the flags that it needs. Unless said otherwise, accounts create reads them.
var awkward = []struct {
	file    string
	flags   string
	command string // accounts create if it is empty
	want    string // the rows that are in afterwards; or the error, up to its end
}{
	// What users can learn from.
	{file: "../../../examples/customers.xlsx", flags: "--map Client_since=attributes.Since", want: "Harbour Bikes|Ada|Quist|ada@bikes.example.com|(503) 555-0100|1 Quay Street|Portland|OR|97201|US|https://bikes.example.com|4001|2021-03-09\n" +
		"North Bakery|Otto|Brandt|otto@bakery.example.com|6175550101|22 Mill Lane|Boston|MA|02134|US|https://bakery.example.com|4002|2022-11-22\n" +
		"Müller & Sons Plumbing|Jürgen|Müller|juergen@mueller.example.com|(604) 555-0102|8 Canal Road|Vancouver|BC|V5K 0A1|CA|https://www.mueller.example.com|4003|2024-02-29\n" +
		"Cedar Coffee|Omar|Haddad|omar@cedar.example.com|5415550103|7 Hill Road|Eugene|OR|97401|US|https://cedar.example.com|4004|2025-06-01\n"},
	{file: "../../../examples/crm.csv", flags: "--map-file ../examples/crm.yaml", want: `error: line 4, Phone Number: "5.03556E+09" is a number that a spreadsheet has shortened: write all its digits, in a column with the format Text, or export the file as .xlsx (account_name "Hillside Vets")`},

	// LibreOffice in three languages: numbers, dates and truth values differ, and the names of the columns.
	{file: "libreoffice-en.csv", flags: "--ignore-unknown", want: all},
	{file: "libreoffice-de.csv", flags: "--map-file testdata/awkward/german.yaml", want: all},
	{file: "libreoffice-fr.csv", flags: "--map-file testdata/awkward/french.yaml", want: all},
	{file: "libreoffice-en.xlsx", flags: "--ignore-unknown", want: all},
	{file: "libreoffice-de.xlsx", flags: "--map-file testdata/awkward/german.yaml", want: all},
	{file: "libreoffice-fr.xlsx", flags: "--map-file testdata/awkward/french.yaml", want: all},
	{file: "libreoffice-tab.tsv", flags: "--ignore-unknown", want: "error: line 4: cell 2 is in quotes that are doubled inside it, as in csv: give --input-format csv, which reads tabs too"},
	{file: "libreoffice-tab.tsv", flags: "--ignore-unknown --input-format csv", want: all},
	{file: "customers.ods", want: "error: testdata/awkward/customers.ods is an OpenDocument spreadsheet (.ods): save it as .xlsx"},
	{file: "customers.xls", want: "error: testdata/awkward/customers.xls is an old workbook (.xls): save it as .xlsx"},

	// Google Sheets: phone numbers such as 5.0355501E9 and ids such as 3007.0 in the workbook, and questions as names of columns.
	{file: "google.csv", flags: "--ignore-unknown", want: all},
	{file: "google.csv", want: "error: line 1, Customer since: unknown column: use --map or --ignore-unknown"}, // not a customer id
	{file: "google.xlsx", flags: "--ignore-unknown", want: all},
	{file: "google-form.csv", flags: "--map Timestamp= --map What_is_your_company's_name?=account_name --map Phone_number_with_area_code=phone --map Your_website=website_url", want: all},

	// Excel.
	{file: "excel-1252.csv", flags: "--ignore-unknown --encoding windows-1252", want: all},
	{file: "excel-1252.csv", flags: "--ignore-unknown", want: "error: line 3: has bytes that are no text in UTF-8 or the encoding that was given: save it as UTF-8, or name its encoding, as in --encoding windows-1252"},
	{file: "excel-sep.csv", flags: "--encoding windows-1252", want: all}, // begins with sep=;
	{file: "excel-unicode.txt", want: all},
	{file: "excel-unicode.tsv", want: all},
	{file: "excel-tab-1252.txt", flags: "--encoding windows-1252", want: all},
	{file: "excel-utf8.csv", want: all},
	{file: "excel-mac.csv", want: "error: line 1: the lines end with CR only: save the file with LF or CRLF"},
	{file: "html.xls", want: "error: testdata/awkward/html.xls is HTML or XML, not a workbook: open it in a spreadsheet and save it as .xlsx"},
	{file: "locked.xlsx", want: "error: testdata/awkward/locked.xlsx is protected by a password: save it without one"},

	// Other programs.
	{file: "powershell.csv", want: all}, // UTF-16, begins with #TYPE
	{file: "powershell-7.csv", want: all},
	{file: "numbers.csv", want: all}, // begins with the name of a table
	{file: "openpyxl.xlsx", want: all},
	{file: "openpyxl-inline.xlsx", want: all},
	{file: "xlsxwriter.xlsx", want: all},
	{file: "keyword-planner.csv", command: "keywords add", flags: "--account 1 --campaign 101 --type target --ignore-unknown", want: "1|101|gravel bikes|target\n1|101|bikes, used|target\n1|101|électrique vélo|target\n"},
	{file: "pandas-ids.csv", command: "keywords add", flags: "--map rank=", want: "1|101|gravel bikes|target\n1|101|bike rental|interest\n"},

	// Rows and columns.
	{file: "blank-lines.csv", want: all},
	{file: "title-rows.csv", want: all},
	{file: "merged-title.xlsx", want: all},
	{file: "tabs.csv", want: all},
	{file: "hidden-cells.xlsx", want: all},
	{file: "sheets.xlsx", command: "keywords add", want: `error: row 4, Keyword: "2026-12-24" is a date to the spreadsheet: give the column the format Text, enter the text again and save the file again`},
	{file: "merged-cells.xlsx", want: "error: row 3, Company: missing"},
	{file: "duplicate-columns.csv", want: `error: line 1, Phone: names the same field as another column of this name: rename one of them in the file`},
	{file: "two-phones.csv", want: `error: line 1, Mobile: names the same field as "Phone": use --map to pass one of them over`},
	{file: "two-phones.csv", flags: "--map Mobile=", want: all},
	{file: "nameless-column.csv", want: "error: line 1, state: missing: no such column in the file, and no flag sets it\nline 1, column 8: a column without a name"},
	{file: "nameless-end-text.csv", want: `error: column 13: 3 rows, the first line 2: has a value, but the column has no name`},
	{file: "empty.csv", want: "error: the file is empty: its first line must name the columns"},
	{file: "empty.xlsx", want: `error: testdata/awkward/empty.xlsx has no visible sheet with cells: its sheets are 1 "Sheet"`},

	// Cells.
	{file: "dates-1904.xlsx", want: strings.NewReplacer("3007\n", "3007|2021-03-09\n", "3008\n", "3008|2022-11-22\n", "3009\n", "3009|2024-02-29\n").Replace(all)},
	{file: "formulas.xlsx", want: all},
	{file: "formulas-no-values.xlsx", want: `error: Website: 3 rows, the first row 2: is a formula without a value: open the workbook in a spreadsheet and save it there`},
	{file: "formula-texts.csv", want: all}, // ="02134"
	{file: "text-numbers.xlsx", want: all},
	{file: "postal.csv", want: all},
	{file: "nbsp.csv", want: all},
	{file: "errors.xlsx", want: `error: row 2, Phone: "#N/A" is an error of a spreadsheet: correct the cell there and save the file again (account_name "Harbour Bikes")`},
	{file: "errors.csv", want: `error: line 2, Phone: "#N/A" is an error of a spreadsheet: correct the cell there and save the file again (account_name "Harbour Bikes")`},
	{file: "phones.csv", want: `error: line 2, Phone: "5.03556E+09" is a number that a spreadsheet has shortened: write all its digits, in a column with the format Text, or export the file as .xlsx (account_name "Harbour Bikes")`},
	{file: "narrow.csv", want: `error: line 2, Phone: "########" is what a spreadsheet shows where a column is too narrow: widen the column and save the file again (account_name "Harbour Bikes")`},
	{file: "truth.csv", command: "keywords add", want: `error: line 2, keyword: "TRUE" is what a spreadsheet makes of a truth value: if the text is meant, write it in small letters`},
	{file: "multiline.xlsx", want: `error: row 3, Street: "22 Mill Lane\nUnit 4" has a line feed: write it in one line (account_name "Müller & Söhne, Bäcker")`},
	{file: "multiline.csv", flags: "--map Phone_office=phone", want: `error: line 4 (row 3), attributes.Remarks: "two shops:\nBoston\nSalem" has a line feed: write it in one line (account_name "Müller & Söhne, Bäcker")`},
	{file: "onboard-commas.csv", command: "onboard", want: `error: line 2, Keywords: "gravel bikes, bike rental" may be one keyword or several: --keyword-separator ',' splits it, --keyword-separator ';' does not (account_name "Harbour Bikes")`},
	{file: "onboard-commas.csv", command: "onboard", flags: "--keyword-separator ,", want: bikes},
	{file: "latin-utf8-mixed.csv", want: "error: line 3: has bytes that are no text in UTF-8 or the encoding that was given: save it as UTF-8, or name its encoding, as in --encoding windows-1252"},
}

// TestAwkwardFiles loads each of the awkward files and compares what the mock then holds with
// what was meant; or the file is refused with a clear line, and nothing is in.
func TestAwkwardFiles(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range awkward {
		tried[c.file] = true
		t.Run(strings.TrimSpace(c.file+" "+c.flags), func(t *testing.T) {
			t.Parallel()
			s := session{home: t.TempDir()}
			args := append(strings.Fields(c.command), "--server", "mock", "--file", filepath.Join("testdata", "awkward", c.file))
			if c.command == "" {
				args = append([]string{"accounts", "create"}, args...)
			}
			for _, flag := range strings.Fields(c.flags) { // a _ stands for a space
				if strings.Contains(flag, "=") {
					column, field, _ := strings.Cut(flag, "=")
					flag = strings.ReplaceAll(column, "_", " ") + "=" + field
				}
				args = append(args, flag)
			}
			before := s.held(t, c.command)
			code, _, errs := s.run(t, args...)
			_, mistake, _ := strings.Cut("\n"+errs, "\nerror: ")
			wantCode := 0
			if strings.HasPrefix(c.want, "error: ") {
				wantCode = 2
				if !strings.HasPrefix("error: "+mistake, c.want+"\n") {
					t.Errorf("got %swant %s", errs, c.want)
				}
			}
			if code != wantCode {
				t.Fatalf("got exit code %d, want %d: %s", code, wantCode, errs)
			}
			var got, want []string
			for _, row := range s.held(t, c.command) {
				if !slices.Contains(before, row) {
					got = append(got, row)
				}
			}
			if wantCode == 0 {
				want = slices.Sorted(strings.Lines(c.want)) // several calls at a time create the rows
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("got the rows\n%swant\n%s", strings.Join(got, ""), strings.Join(want, ""))
			}
		})
	}
	files, err := os.ReadDir("testdata/awkward")
	if err != nil || len(files) < 30 {
		t.Fatalf("got %d files, %v, want 30 or more", len(files), err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Size() > 8<<10 || !tried[f.Name()] && filepath.Ext(f.Name()) != ".yaml" {
			t.Errorf("%s: got no case for it, or more than 8 kB (%v)", f.Name(), err)
		}
	}
}

// held returns what the mock holds: the keywords for the commands of keywords, otherwise the
// accounts with their identifiers and the values of their attributes.
func (s session) held(t *testing.T, command string) []string {
	t.Helper()
	if strings.HasPrefix(command, "keywords") {
		return s.list(t, "keywords list --columns account_id,campaign_id,keyword,type")
	}
	rows := s.list(t, "accounts list --columns account_name,first_name,last_name,email,phone,address_1,city,state,postal,country,website_url")
	identifiers := s.list(t, "accounts list --api-version v1 --columns external_account_identifier.field_value")
	since := s.list(t, "accounts list --columns attributes.Since")
	if len(rows) != len(identifiers) || len(rows) != len(since) {
		t.Fatalf("got %d accounts, %d identifiers and %d values of an attribute, want as many", len(rows), len(identifiers), len(since))
	}
	for i := range rows {
		rows[i] = strings.TrimSuffix(rows[i], "\n") + "|" + identifiers[i]
		if since[i] != "\n" {
			rows[i] = strings.TrimSuffix(rows[i], "\n") + "|" + since[i]
		}
	}
	return rows
}

// list returns the rows that a command lists, each with | between its cells.
func (s session) list(t *testing.T, command string) []string {
	t.Helper()
	code, out, errs := s.run(t, append(strings.Fields(command), "--server", "mock", "-o", "csv", "--no-header")...)
	if code != 0 {
		t.Fatalf("%s: got exit code %d, want 0: %s", command, code, errs)
	}
	var rows []string
	for line := range strings.Lines(out) {
		if line == "\n" { // an empty cell alone
			rows = append(rows, line)
			continue
		}
		cells, err := csv.NewReader(strings.NewReader(line)).Read()
		noError(t, err)
		rows = append(rows, strings.Join(cells, "|")+"\n")
	}
	return rows
}
