package cmd_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"

	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output/encode"
)

// commandsWith returns the names of the commands that have a flag of their own.
func commandsWith(flag string) (names []string) {
	walk(newTree(), func(c *cobra.Command) {
		if c.LocalNonPersistentFlags().Lookup(flag) != nil {
			names = append(names, strings.TrimPrefix(c.CommandPath(), "reseller "))
		}
	})
	return names
}

// exampleFile writes the example of a command in a format, with texts replaced, and returns its path.
func exampleFile(t *testing.T, command, format string, replaced ...string) string {
	t.Helper()
	code, text, errs := session{}.run(t, append(strings.Fields(command), "--example", format)...)
	if code != 0 {
		t.Fatalf("%s --example: got exit code %d: %s", command, code, errs)
	}
	path := filepath.Join(t.TempDir(), "rows."+format)
	if err := os.WriteFile(path, []byte(strings.NewReplacer(replaced...).Replace(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWritesByHandNameWhatTheyChange runs every write that is given by flags: it names the account by its name and id, also if
// nothing is sent.
func TestWritesByHandNameWhatTheyChange(t *testing.T) {
	lines := []string{"accounts status 1 --deactivate --yes", "keywords delete 1001 --yes"}
	for _, w := range writes {
		names := w.resource.Field("account_id") != nil || w.resource.Field("campaign_id") != nil || w.resource.Field("rank_id") != nil
		if w.args != "" && names && w.use&schema.Create == 0 || w.args != "" && strings.Contains(w.args, "--account 1") {
			lines = append(lines, w.command+" "+w.args)
		}
	}
	if len(lines) < 8 {
		t.Fatalf("got the writes %q, want those of all commands", lines)
	}
	for _, line := range lines {
		for _, more := range []string{"--dry-run", "-o json", "-o csv", ""} {
			t.Run(line+" "+more, func(t *testing.T) {
				args := append(strings.Fields(line), append(strings.Fields(more), "--server", "mock")...)
				code, out, errs := session{stdin: "secret\n"}.run(t, args...)
				if code != 0 || !strings.Contains(out+errs, "Harbor Dental") || !regexp.MustCompile(`account(_id"?: ?| )1\b`).MatchString(errs) {
					t.Errorf("got exit code %d, want 0 and the account with its name: %s%s", code, out, errs)
				}
			})
		}
	}
}

// TestSecondCampaignTakesNoFields gives each field of an account to the call that makes a second campaign, which would drop it.
func TestSecondCampaignTakesNoFields(t *testing.T) {
	for _, field := range schema.AccountsV2.Having(schema.Create) {
		if field.Name == "account_id" || field.Type == schema.Attributes || strings.Contains(field.Name, ".") {
			continue
		}
		t.Run(field.Name, func(t *testing.T) {
			flag, value := "--"+cli.FlagName(field.Name), field.Example
			if field.Type == schema.Country {
				value = "DE" // the example is what the account has
			}
			code, out, errs := session{}.run(t, "accounts", "create", "--account", "3", flag, value, "--server", "mock", "--dry-run")
			if code != 2 || out != "" || !strings.Contains(errs, flag) {
				t.Errorf("got exit code %d, want 2 and %s in: %s%s", code, flag, out, errs)
			}
		})
	}
}

// TestAnswersAreAboutWhatWasAsked runs every command that asks for a record by its id, or changes one, while the service answers
// about another one; and those that ask for one while it answers about none.
func TestAnswersAreAboutWhatWasAsked(t *testing.T) {
	const other = `"account_id":9,"campaign_id":909,"rank_id":9009,"ticket_id":9,"status":"active","type":"target"`
	walked := 0
	for _, c := range shows() {
		namesOne := regexp.MustCompile(`(^| )(1|101|1001|--campaign 101|--ticket-id 1)( |$)`).MatchString(c.command)
		if c.use != 0 || !namesOne || strings.HasPrefix(c.command, "accounts create") || strings.HasPrefix(c.command, "keywords add") {
			continue
		}
		walked++
		check := func(name, data string, want *regexp.Regexp) {
			t.Run(c.command+"/"+name, func(t *testing.T) {
				s := newService(t, data, data)
				env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url, "RESELLER_RETRIES": "0"}
				code, out, errs := session{stdin: "secret\n", env: env}.run(t, append(strings.Fields(c.command), "-o", "csv")...)
				if code == 0 || !want.MatchString(errs) {
					t.Errorf("got exit code %d, want an error as %s: %s%s", code, want, errs, out)
				}
			})
		}
		about := regexp.MustCompile(`the response is about (account_id 9, not 1|campaign_id 909, not 101|rank_id 9009, not 1001|ticket_id 9, not 1)\b`)
		check("a list of another", "[{"+other+"}]", about)
		if !strings.HasPrefix(c.command, "reports ") && !strings.HasPrefix(c.command, "products plans list") { // which are lists
			check("another", "{"+other+"}", about)
		}
		if strings.Contains(c.command, " get ") {
			check("an empty record", "{}", regexp.MustCompile(`the response has no record with \w+_id 1\d*\b`))
			check("null", "null", regexp.MustCompile(`the response has no record with \w+_id 1\d*\b`))
		}
	}
	if walked < 18 {
		t.Errorf("got %d commands, want those of all records with an id", walked)
	}
}

// TestReportsBeginWithTheirCampaign runs every report in every format, and by every way to choose campaigns: its rows begin with
// the ids and the name, and csv has no histogram by itself.
func TestReportsBeginWithTheirCampaign(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "campaigns.csv")
	if err := os.WriteFile(file, []byte("account_id,campaign_id\n1,101\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	begins := map[string]string{
		"csv": `^account_id,campaign_id,account_name\b`, "tsv": `^account_id\tcampaign_id\taccount_name\b`, "table": `^ACCOUNT_ID +CAMPAIGN_ID +ACCOUNT_NAME\b`,
		"markdown": `^\| *account_id *\| *campaign_id *\| *account_name`, "json": `^\W*"account_id": ?\d,\s*"campaign_id": ?10\d,\s*"account_name": ?"`,
		"ndjson": `^\{"account_id":\d,"campaign_id":10\d,"account_name":"`, "yaml": `^- account_id: \d\s+campaign_id: 10\d\s+account_name: `,
	}
	home, walked := t.TempDir(), 0
	for _, name := range commandsWith("compare") {
		if name == "reports summary" || name == "reports notes init" {
			continue
		}
		for _, format := range encode.Names() {
			for _, chosen := range []string{"--account 1 --campaign 101", "--campaign 101", "--account 1", "--all", "--file " + file} {
				if begins[format] == "" || chosen != "--all" && format != "csv" && format != "ndjson" {
					continue
				}
				walked++
				t.Run(name+"/"+format+"/"+chosen, func(t *testing.T) {
					line := append(strings.Fields(name+" --server mock --from 2026-01-01 -o "+format), strings.Fields(chosen)...)
					code, out, errs := session{home: home, width: 400}.run(t, line...)
					if code == 2 && strings.Contains(errs, "--from") {
						code, out, errs = session{home: home, width: 400}.run(t, slices.DeleteFunc(line, func(w string) bool { return strings.HasPrefix(w, "--from") || strings.HasPrefix(w, "2026") })...)
					}
					if header, _, _ := strings.Cut(out, "\n"); code != 0 || !regexp.MustCompile(begins[format]).MatchString(out) || format == "csv" && strings.Contains(header, "histogram") {
						t.Errorf("got exit code %d, want the ids and the name first: %.300s%s", code, out, errs)
					}
				})
			}
		}
	}
	if walked < 99 {
		t.Errorf("got %d runs, want those of all reports and formats", walked)
	}
}

// TestDeclaredHeaderOfNothing prints lists without records, and records without fields: csv begins with the header of the
// declared fields, never with a bare new line.
func TestDeclaredHeaderOfNothing(t *testing.T) {
	walked := 0
	for _, c := range shows() {
		if c.use != 0 {
			continue
		}
		for _, data := range []string{"[]", "[{}]", "{}"} {
			for _, columns := range []string{"--columns all", ""} {
				t.Run(c.command+"/"+data+columns, func(t *testing.T) {
					s := newService(t, data, data)
					env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url, "RESELLER_RETRIES": "0"}
					code, out, errs := session{stdin: "secret\n", env: env}.run(t, append(strings.Fields(c.command+" -o csv"), strings.Fields(columns)...)...)
					if code != 0 && out == "" {
						return // an answer of another form
					}
					rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
					if err != nil || len(rows) == 0 || strings.HasPrefix(out, "\n") {
						t.Fatalf("got exit code %d and %q (%v), want a header: %s", code, out, err, errs)
					}
					if len(rows) > 1 && strings.Join(rows[1], "") != "" {
						return // what was asked for stands for what the service does not show
					}
					walked++
					for _, column := range c.resource.Columns() {
						if (columns != "" && !column.Has(schema.OnRequest) || column.Has(schema.DefaultColumn)) && !slices.Contains(rows[0], column.Name) {
							t.Errorf("got the header %q, want %s in it", rows[0], column.Name)
						}
					}
				})
			}
		}
	}
	if walked < 30 {
		t.Errorf("got %d headers, want those of all lists", walked)
	}
}

// TestFailuresAreComplete runs every command that has --failures: a run that could ask for nothing leaves the file as it was, one
// in which nothing failed leaves the header alone, and a retry of what failed asks for what the first run asked for.
func TestFailuresAreComplete(t *testing.T) {
	for _, name := range commandsWith("failures") {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "failures.csv")
			what, again := "--all", ""
			if name == "reports summary" {
				what, again = "--all --output-dir "+t.TempDir(), " --output-dir "+t.TempDir()
			}
			var mu sync.Mutex
			asked := map[bool][]string{}
			isDown := true
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				isList := regexp.MustCompile(`/api/v\d/(campaigns|accounts|keywords)(/\d+)?$`).MatchString(r.URL.Path)
				if !isList {
					asked[isDown] = append(asked[isDown], r.URL.String())
				}
				if isDown && !isList {
					w.WriteHeader(http.StatusForbidden)
					return
				}
				data := `[{"account_id":1,"campaign_id":101,"account_name":"One"},{"account_id":2,"campaign_id":201,"account_name":"Two"}]`
				if !isList {
					data = `{"keywords":[]}`
				}
				fmt.Fprintf(w, `{"data":%s,"error":false}`, data)
			}))
			defer server.Close()
			run := func(url, what string) (int, string) {
				line := append(strings.Fields(name+" --failures "+path+" --base-url "+url), strings.Fields(what)...)
				code, _, errs := session{env: map[string]string{"RESELLER_TOKEN": "t", "RESELLER_RETRIES": "0"}}.run(t, line...)
				return code, errs
			}
			if code, errs := run("http://127.0.0.1:1", what); code == 0 {
				t.Errorf("got exit code 0, want another: %s", errs)
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("got a file, want none, since nothing was asked for")
			}
			period := ""
			if slices.Contains(commandsWith("from"), name) {
				period = " --from 2025-01-05 --to 2025-02-03 --compare previous"
			}
			if name == "reports backlinks" || name == "reports movers" || name == "reports summary" {
				period = strings.TrimSuffix(period, " --compare previous")
			}
			code, errs := run(server.URL, what+period)
			rows, err := os.ReadFile(path)
			if code == 0 || err != nil || strings.Count(string(rows), "\n") < 3 {
				t.Fatalf("got exit code %d, and %q (%v), want two rows: %s", code, rows, err, errs)
			}
			isDown = false
			failed := filepath.Join(t.TempDir(), "failed.csv")
			if err := os.Rename(path, failed); err != nil {
				t.Fatal(err)
			}
			code, errs = run(server.URL, "--file "+failed+again)
			left, err := os.ReadFile(path)
			if got, _ := csv.NewReader(strings.NewReader(string(left))).ReadAll(); err != nil || code != 0 || len(got) != 1 {
				t.Errorf("got exit code %d and %q (%v), want 0 and the header alone: %s", code, left, err, errs)
			}
			slices.Sort(asked[true])
			slices.Sort(asked[false])
			if !slices.Equal(asked[true], asked[false]) {
				t.Errorf("the retry asked for\n%s, want\n%s", strings.Join(asked[false], "\n"), strings.Join(asked[true], "\n"))
			}
		})
	}
}

// TestSheetsAreToldAlike gives every command that reads rows of a file a workbook: the sheet with its columns is chosen, hidden
// rows are told and left out on request, and an unknown column names the sheets and the fields.
func TestSheetsAreToldAlike(t *testing.T) {
	names := commandsWith("map")
	if len(names) < 11 {
		t.Fatalf("got the commands %q, want all that load files", names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			_, text, _ := session{}.run(t, append(strings.Fields(name), "--example", "csv")...)
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			load := func(header []string, more ...string) (code int, errs string) {
				path := filepath.Join(t.TempDir(), "book.xlsx")
				hidden := slices.Clone(rows[1])
				hidden[0] = "~" + hidden[0]
				if err := writeWorkbook(path, []sheet{{"Read me", "visible", [][]string{{"Read"}, {"this"}}}, {"Rows", "visible", [][]string{header, rows[1], hidden}}}); err != nil {
					t.Fatal(err)
				}
				code, _, errs = session{}.run(t, append(append(strings.Fields(name), "--file", path, "--server", "mock", "--dry-run", "-o", "json"), more...)...)
				return code, errs
			}
			code, errs := load(rows[0])
			if code != 0 || !strings.Contains(errs, `note: reading the sheet "Rows", the one with most of the required columns; --sheet takes another one: "Read me"`) ||
				!strings.Contains(errs, "1 row is hidden or filtered out in the sheet and is read like the others: --visible-rows leaves it out") {
				t.Errorf("got exit code %d, want notes of the sheet and of the hidden row: %s", code, errs)
			}
			if code, errs = load(rows[0], "--visible-rows"); code != 0 || !strings.Contains(errs, "1 row is hidden or filtered out in the sheet and is left out") || strings.Contains(errs, "repeats") {
				t.Errorf("--visible-rows: got exit code %d, want a note of the row that is left out: %s", code, errs)
			}
			header := slices.Clone(rows[0])
			header[len(header)-1] = "Nonsense"
			code, errs = load(header, "--sheet", "Rows")
			if code != 2 || !strings.Contains(errs, `row 1, Nonsense: unknown column`) || !strings.Contains(errs, `this is the sheet "Rows"; --sheet takes another one: "Read me"; the fields are `) {
				t.Errorf("an unknown column: got exit code %d, want its sheet and the fields: %s", code, errs)
			}
			for _, field := range rows[0] {
				if !strings.Contains(errs, field) {
					t.Errorf("got no word of the field %s in: %s", field, errs)
				}
			}
			if code, errs = load(header, "--sheet", "Rows", "--map", "Nonsense="+rows[0][len(header)-1]); code != 0 {
				t.Errorf("--map: got exit code %d, want 0: %s", code, errs)
			}
		})
	}
}

// TestSeveralKeywordsOfACell gives every command with lists of keywords a cell with a separator that it does not split by.
func TestSeveralKeywordsOfACell(t *testing.T) {
	separators := map[string]string{";": ";", ",": ",", "|": "|", `\n`: "\n"}
	for _, name := range commandsWith("keyword-separator") {
		for _, given := range []string{";", ",", "|", `\n`, ""} {
			for held, text := range separators {
				if given == held || given == "" && held == ";" || given != "" && held == "," {
					continue // a separator that is given says that a comma is part of the keyword
				}
				t.Run(fmt.Sprint(name, " ", given, " ", held), func(t *testing.T) {
					path := exampleFile(t, name, "csv", "city bikes;cargo bikes|interest", `"city bikes`+text+`road bikes"`)
					args := append(strings.Fields(name), "--file", path, "--server", "mock", "--dry-run")
					if given != "" {
						args = append(args, "--keyword-separator", given)
					}
					code, _, errs := session{}.run(t, args...)
					if code != 2 || !strings.Contains(errs, "error: line 2, keywords: ") || !strings.Contains(errs, "--keyword-separator '"+held+"'") {
						t.Errorf("got exit code %d, want the line and the flag that splits: %s", code, errs)
					}
					if code, out, errs := (session{}).run(t, append(args, "--keyword-separator", held)...); code != 0 || !strings.Contains(out+errs, "road bikes") {
						t.Errorf("both flags: got exit code %d, want two keywords: %s%s", code, errs, out)
					}
				})
			}
		}
	}
}

// TestSimilarCustomersAreTold loads the example of every command that creates accounts, while the service holds the customer
// under another identifier, or its identifier twice. What the service shows is told also of a file with passwords.
func TestSimilarCustomersAreTold(t *testing.T) {
	commands := append(commandsWith("allow-similar"), "accounts create --api-version v1")
	commands = slices.DeleteFunc(commands, func(name string) bool { return name == "accounts update" }) // creates none
	if len(commands) < 5 {
		t.Fatalf("got %q, want all commands that create accounts", commands)
	}
	for _, command := range commands {
		name, identifier := "Harbour Bikes", "crm-3001"
		if strings.Contains(command, "v1") {
			name, identifier = "1001", "1001"
		}
		held := strings.NewReplacer("Harbour Bikes", name, `"crm-3001"`, `{"field_name":"crm","field_value":"IDENTIFIER"}`, `{"account_id"`, `{"campaign_id":101,"account_id"`).Replace(heldAccount)
		other := strings.NewReplacer("IDENTIFIER", "crm-9", "ada@", "other@").Replace(held)
		twice := strings.Replace(held, "IDENTIFIER", identifier, 1)
		for want, reads := range map[string]string{
			`account 1 has the same account_name, email and phone, and the external_account_identifier "crm-8"`: "[" + strings.Replace(held, "IDENTIFIER", "crm-8", 1) + "," + strings.Replace(other, `"account_id":1`, `"account_id":2`, 1) + "]",
			fmt.Sprintf("%q is that of 2 accounts (1, 2)", identifier):                                          "[" + twice + "," + strings.Replace(twice, `"account_id":1`, `"account_id":2`, 1) + "]",
		} {
			t.Run(command+"/"+want[:8], func(t *testing.T) {
				s := newService(t, reads, writeAnswer)
				run := func(more ...string) (int, string) {
					env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url, "RESELLER_RETRIES": "0"}
					code, out, errs := session{env: env}.run(t, append(append(strings.Fields(command), "--file", exampleFile(t, command, "csv")), more...)...)
					return code, errs + out
				}
				for _, more := range []string{"--no-input", "--dry-run"} {
					if command == "diff" && more == "--dry-run" {
						continue
					}
					if code, text := run(more); code != 2 || !strings.Contains(text, want) {
						t.Errorf("%s: got exit code %d, want 2 and %s: %s", more, code, want, text)
					}
				}
				if bodies := s.written(); bodies != nil {
					t.Errorf("got the calls %v, want none", bodies)
				}
				if strings.HasPrefix(want, "account 1") && command != "diff" {
					if code, text := run("--allow-similar", "--dry-run"); code != 0 {
						t.Errorf("--allow-similar: got exit code %d, want 0: %s", code, text)
					}
				}
			})
		}
	}
}

// TestRequiredFieldsAreNeverEmpty gives an empty text for each required field of every write, by its flag and in its column: it
// is missing, and nothing is sent.
func TestRequiredFieldsAreNeverEmpty(t *testing.T) {
	walked := 0
	for _, w := range writes {
		for _, field := range w.resource.Having(w.use &^ schema.Constant) {
			if !isNeeded(field) {
				continue
			}
			check := func(by string, args []string) {
				walked++
				t.Run(w.command+"/"+by, func(t *testing.T) {
					s := newService(t, w.reads, writeAnswer)
					if w.use&schema.Update != 0 && w.resource != &schema.Notes {
						s.reads = heldBy(w.resource, w.use) // an empty cell that is what the service holds changes nothing
					}
					env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}
					code, out, errs := session{stdin: "secret\n", env: env}.run(t, append(strings.Fields(w.command), args...)...)
					if code != 2 || !strings.Contains(errs, cli.FlagName(field.Name)) && !strings.Contains(errs, field.Name) || s.written() != nil {
						t.Errorf("got exit code %d, want 2 and the missing %s: %s%s", code, field.Name, errs, out)
					}
				})
			}
			args, flag := strings.Fields(w.args), "--"+cli.FlagName(field.Name)
			if at := slices.Index(args, flag); at >= 0 && field.Type != schema.Bool {
				args[at+1] = ""
				check(flag, args)
			}
			_, text, _ := session{}.run(t, append(strings.Fields(w.command), "--example", "csv")...)
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if w.file == "" || err != nil {
				continue
			}
			column := cmp.Or(strings.Replace(w.column, newField, field.Name, 1), field.Name)
			at := slices.Index(rows[0], column)
			if isOfStep := w.resource == &schema.Plans; at < 0 || isOfStep || w.command == "keywords update" && field.Name == "keyword_type" {
				continue // a customer needs no plan, and the service shows the type of a keyword
			}
			rows[1][at] = ""
			path := filepath.Join(t.TempDir(), "rows.csv")
			var b strings.Builder
			_ = csv.NewWriter(&b).WriteAll(rows)
			if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append([]string{"--file", path}, strings.Fields(w.file)...)
			if strings.HasPrefix(w.command, "accounts update") || w.command == "campaigns notes update" {
				args = append(args, "--empty", "clear") // an empty cell changes nothing without it
			}
			check(w.resource.Name+" "+column, args)
		}
	}
	if walked < 90 {
		t.Errorf("got %d fields, want all that a write requires", walked)
	}
}

// TestConditionsOnEveryColumn filters each list by each of its columns: texts compare as texts and numbers as numbers, and what
// can't match is an error.
func TestConditionsOnEveryColumn(t *testing.T) {
	lists, walked := commandsWith("where"), 0
	for _, c := range shows() {
		name, _, _ := strings.Cut(c.command, " --")
		if !slices.Contains(lists, strings.TrimSpace(name)) || name == "reports backlinks" { // of one campaign, it is one record
			continue
		}
		for _, column := range c.resource.Columns() {
			isNumber := column.Type == schema.Int || column.Type == schema.Float
			if strings.Contains(c.command, column.Name+" ") || column.Words != nil || column.Enum != nil || !isNumber && column.Type != schema.Text || strings.Contains(column.Name, ".") {
				continue
			}
			walked++
			t.Run(c.command+"/"+column.Name, func(t *testing.T) {
				value, conditions := `"0042"`, map[string]string{"=42": "", "=0042": "0042", "!=42": "0042", " in 1,42": "", "~004": "0042"}
				if isNumber {
					value, conditions = "1", map[string]string{"=1.0": "1", ">=1": "1", "!=1": "", " in 1,2": "1", "<abc": "usage"}
					if column.Name == "campaign_id" {
						value = "101"
						conditions = map[string]string{"=101.0": "101", ">101": "", "<abc": "usage"}
					}
				}
				ids := ""
				for id, value := range map[string]string{"account_id": "1", "campaign_id": "101"} {
					if id != column.Name {
						ids += fmt.Sprintf("%q:%s,", id, value)
					}
				}
				s := newService(t, fmt.Sprintf("[{%s%q:%s}]", ids, column.Name, value), "")
				for where, want := range conditions {
					env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}
					code, out, errs := session{env: env}.run(t, append(strings.Fields(c.command), "-o", "csv", "--no-header", "--columns", column.Name, "--where", column.Name+where)...)
					got := strings.TrimSpace(out)
					if code == 2 {
						got = "usage"
					}
					if got != want {
						t.Errorf("--where %s%s: got %q, want %q: %s", column.Name, where, got, want, errs)
					}
				}
				env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}
				if code, _, errs := (session{env: env}).run(t, append(strings.Fields(c.command), "--where", ".nonsense=1")...); code != 2 {
					t.Errorf("a field that no record has: got exit code %d, want 2: %s", code, errs)
				}
			})
		}
	}
	if walked < 60 {
		t.Errorf("got %d columns, want those of all lists", walked)
	}
}

// TestColumnsThatNoRecordHas has every list print a field that no record has, which is told once in every format, beside one that
// the records have.
func TestColumnsThatNoRecordHas(t *testing.T) {
	lists, walked := commandsWith("where"), 0
	for _, c := range shows() {
		if name, _, _ := strings.Cut(c.command, " --"); !slices.Contains(lists, strings.TrimSpace(name)) {
			continue
		}
		walked++
		for _, format := range []string{"csv", "json", "table", "json --jq .", "csv --sort .known", "csv --limit 1"} {
			if strings.HasPrefix(c.command, "reports backlinks --") && strings.Contains(format, "limit") {
				continue // of one campaign, it is one record
			}
			t.Run(c.command+"/"+format, func(t *testing.T) {
				s := newService(t, `[{"account_id":1,"campaign_id":101,"known":1}]`, "")
				env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}
				args := append(strings.Fields(c.command), "--columns", ".known,.nosuch", "-o")
				code, out, errs := session{env: env}.run(t, append(args, strings.Fields(format)...)...)
				const want = "note: --columns: no record that was printed has .nosuch\n"
				if code != 0 || strings.Count(errs, want) != 1 || !strings.Contains(out, "1") {
					t.Errorf("got exit code %d, want 0 and %q: %s%s", code, want, errs, out)
				}
			})
		}
	}
	if walked < 12 {
		t.Errorf("got %d lists, want all", walked)
	}
}

// TestCreatesTellMissingIDs makes each create by flags that has ids of its own, to which the service answers without one of them:
// that is told.
func TestCreatesTellMissingIDs(t *testing.T) {
	both := map[string]string{
		`{}`: "account_id and no campaign_id", `null`: "account_id and no campaign_id", `[]`: "account_id and no campaign_id",
		`{"account_id":null,"campaign_id":""}`: "account_id and no campaign_id", `{"account_id":0,"campaign_id":8}`: "account_id",
		`{"account_id":"7","campaign_id":""}`: "campaign_id", `{"account_id":"7","campaign_id":8}`: "",
	}
	for command, answers := range map[string]map[string]string{
		"accounts create " + recordCommands["accounts create"]: both, "accounts create --api-version v1 " + createV1: both,
		"gbp create --gpid x": {`{}`: "task_id and no campaign_id and no task_field_id", `{"task_id":"Task7","campaign_id":1,"task_field_id":2}`: ""},
		"accounts credentials create --resend-sent --reseller-account-id 1 --account 2 --campaign 3 --credentials-types-id 4 --username u --note n --password-stdin": {
			`{}`: "iam_credentials_id", `{"iam_credentials_id":""}`: "iam_credentials_id", `{"iam_credentials_id":"5"}`: "",
		},
		"products plans attach --resend-sent --yes --account 2 --campaign 3 --plan 4": {`{}`: ""},
		"keywords add --account 1 --campaign 101 --type target word":                  {`{}`: ""},
	} {
		for data, want := range answers {
			s := newService(t, "[]", data)
			env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}
			code, out, errs := session{env: env, stdin: "hunter2"}.run(t, strings.Fields(command)...)
			_, told, isTold := strings.Cut(errs, "note: the response tells no ")
			told, _, _ = strings.Cut(strings.ReplaceAll(told, "\n", ":"), ":")
			if code != 0 || told != want || isTold && strings.HasPrefix(command, "accounts create") && !strings.Contains(errs, "`reseller accounts list` shows") {
				t.Errorf("%s, answered %s: got exit code %d, want 0 and a note of %q: %s%s", command, data, code, want, errs, out)
			}
		}
	}
}

// TestOutcomesBeginWithASentence loads the example of every command, with and without --dry-run, in a terminal of 80 columns: the
// first line is a sentence that counts the rows, and the table of a dry run with changes says what would be done to each row.
func TestOutcomesBeginWithASentence(t *testing.T) {
	changesHeader := regexp.MustCompile(`(?m)^(?:\x1b\[1m)?LINE .*`)
	sentence := regexp.MustCompile(`^(all|both|none of|\d+( of \d+)?) .*\b(in|sent|says|deleted|deactivated|created)\b`)
	for _, name := range commandsWith("rejects") {
		for _, more := range []string{"--dry-run", "--yes"} {
			if more == "--dry-run" && (name == "apply" || name == "onboard") {
				continue // their plans are those of diff
			}
			t.Run(name+more, func(t *testing.T) {
				args := append(strings.Fields(name), "--file", exampleFile(t, name, "csv"), "--server", "mock", "--no-input", "--rate", "1000", more)
				code, out, errs := session{tty: true, width: 80}.run(t, args...)
				text := strings.TrimLeft(out, "\n")
				first, _, _ := strings.Cut(text, "\n")
				if code != 0 || !sentence.MatchString(first) {
					t.Errorf("got exit code %d and the first line %q, want a sentence: %s%s", code, first, out, errs)
				}
				if header := changesHeader.FindString(out); header != "" && !regexp.MustCompile(`FIELD +FROM +TO\b`).MatchString(header) {
					t.Errorf("got %s, want what is done to each row", out)
				}
			})
		}
	}
}
