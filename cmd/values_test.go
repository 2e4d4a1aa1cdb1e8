package cmd_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// oddTexts are texts that are repaired, refused or missing, each in some kind of field.
var oddTexts = []string{
	"", " \u00a0", " x\u00a0", "run\u00adning\u200b", `="02134"`, "3007.0", "1067", "67", "Germany", "UK", "a.example.com", "#N/A", "########", "5.03556E+09", "TRUE",
	"a\tb", "a\nb", "a; b", "a | b", "nobody",
}

// givenBy has the commands that take the same values by flags and from a file.
var givenBy = []struct {
	command  string
	resource *schema.Resource
	use      schema.Use
	base     []string // the fields that a row has beside the one that is tried; "required" for those that a new record must have
	reads    string   // what the service holds; if it is empty, a record with a value in each field
	form     bool     // a form asks for the fields
	applies  bool     // diff and apply take the fields, too
}{
	{"accounts create", &schema.AccountsV2, schema.Create, []string{"required"}, "[]", true, true},
	{"accounts create --api-version v1", &schema.AccountsV1, schema.Create, []string{"required"}, "[]", true, false},
	{"accounts update", &schema.AccountsV2, schema.Update, []string{"account_id"}, "", false, false},
	{"keywords add", &schema.Keywords, schema.Create, []string{"required"}, "[]", false, false},
	{"campaigns notes update", &schema.Notes, schema.Update, []string{"campaign_id"}, `{"campaign_id":101,"writer_instructions":"","additional_instructions":""}`, false, false},
}

// TestValuesMeanTheSameEverywhere tries odd texts in each field of the commands in the table: a cell of csv, a member of
// json, a flag and a form give the same value or the same refusal, and so does apply. Of the fields of a command that are
// declared alike, the first is tried with all texts, and the others with a few.
func TestValuesMeanTheSameEverywhere(t *testing.T) {
	t.Parallel()
	type kind struct {
		of      schema.Type
		content schema.Content
		use     schema.Use
	}
	for _, c := range givenBy {
		tried := map[kind]bool{}
		if c.reads == "" {
			c.reads = heldBy(c.resource, c.use)
		}
		s := newService(t, c.reads, writeAnswer)
		for _, field := range c.resource.Having(c.use) {
			isID := strings.HasSuffix(field.Name, "_id") // which a flag may give by a name
			if isID || field.Type == schema.Attributes || field.Type == schema.Pair || field.Type == schema.Password || strings.Contains(field.Name, ".") || slices.Contains(c.base, field.Name) {
				continue
			}
			texts, declared := oddTexts, kind{field.Type, field.Content, field.Use}
			if tried[declared] {
				texts = []string{"", " x\u00a0", "#N/A"}
			}
			tried[declared] = true
			t.Run(c.command+" "+field.Name, func(t *testing.T) {
				for _, text := range texts {
					isBlank := schema.TrimSpace(text) == ""
					if isBlank && !isNeeded(field) {
						continue // an empty optional field means other things in a file
					}
					row, order := rowOf(c.resource, c.use, c.base)
					if row[field.Name] = text; !slices.Contains(order, field.Name) {
						order = append(order, field.Name)
					}
					want := s.dryRun(t, csvOf(row, order), fileArgs(c.command, "csv")...)
					if got := s.dryRun(t, jsonOf(row, order), fileArgs(c.command, "json")...); got != want {
						t.Errorf("%q in json: got %s, want %s as in csv", text, got, want)
					}
					if got := s.dryRun(t, "", flagArgs(c.command, c.use, row, order)...); got != want {
						t.Errorf("%q as a flag: got %s, want %s as in a file", text, got, want)
					}
					if c.form && field.Type != schema.Choice {
						if got := s.formRefusal(t, c.command, row, field); (got == "") != strings.HasPrefix(want, "{") || got != "" && got != want {
							t.Errorf("%q in a form: got %q, want %s as in a file", text, got, want)
						}
					}
					if c.applies {
						got := s.dryRun(t, csvOf(row, order), "diff", "--file", "-", "--input-format", "csv", "-o", "ndjson")
						value := record.Value(want).Get(field.ReadName())
						if value == nil {
							value = record.Value(want).Get(field.Name)
						}
						if isFound := strings.Contains(got, `"field":"`+field.Name+`","from":"","to":`+string(value)); got != want && (value == nil || !isFound) {
							t.Errorf("%q in diff: got %s, want %s", text, got, want)
						}
					}
				}
			})
		}
	}
}

// heldBy returns a list of one record, which has a value in each field.
func heldBy(res *schema.Resource, use schema.Use) string {
	held := map[string]any{}
	for _, field := range res.Having(use) {
		held[field.ReadName()] = "held"
	}
	held["account_id"] = 1
	text, _ := json.Marshal([]any{held})
	return string(text)
}

func isNeeded(field *schema.Field) bool {
	return field.Has(schema.Required) && field.Use&(schema.EmptyIfAbsent|schema.EmptyInFile) == 0
}

// rowOf returns a valid row with some fields, and their order.
func rowOf(res *schema.Resource, use schema.Use, base []string) (row map[string]string, order []string) {
	row = map[string]string{}
	for _, field := range res.Having(use) {
		if base[0] == "required" && isNeeded(field) || slices.Contains(base, field.Name) {
			row[field.Name], order = field.Example, append(order, field.Name)
		}
	}
	if row["country_code"] != "" {
		row["country_code"] = "DE"
	}
	return row, order
}

func csvOf(row map[string]string, order []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	var cells []string
	for _, name := range order {
		cells = append(cells, row[name])
	}
	_ = w.WriteAll([][]string{order, cells})
	return b.String()
}

func jsonOf(row map[string]string, order []string) string {
	values := map[string]string{}
	for _, name := range order {
		values[name] = row[name]
	}
	text, _ := json.Marshal(values)
	return string(text)
}

func fileArgs(command, format string) []string {
	args := append(strings.Fields(command), "--file", "-", "--input-format", format, "--dry-run", "-o", "ndjson")
	if strings.HasSuffix(command, "update") {
		args = append(args, "--empty", "clear")
	}
	return args
}

func flagArgs(command string, use schema.Use, row map[string]string, order []string) []string {
	args := append(strings.Fields(command), "--dry-run", "-o", "ndjson")
	for _, name := range order {
		switch {
		case name == "keyword", use == schema.Update && name == order[0]:
			args = append(args, row[name])
		default:
			args = append(args, "--"+cli.FlagName(name), row[name])
		}
	}
	return args
}

// refusal matches the error of a value, behind the place of a cell, a flag or an argument.
var refusal = regexp.MustCompile(`(?m)^error: (?:line 2(?: \(row \d+\))?, |line 1, )?(?:--)?[\w-]+: (.*?)(?: \([\w]+ ".*"\))?$`)

// dryRun returns the body that a command would send, or the reason for which it refuses a value.
func (s *service) dryRun(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	code, out, errs := session{home: s.home, stdin: stdin, env: map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}}.run(t, args...)
	if code == 0 {
		if body := record.Value(strings.TrimSpace(out)).Get("body"); body != nil && body.Kind() == record.Object {
			return string(body)
		}
		return out
	}
	if at := strings.Index(errs, `{"error":`); at >= 0 {
		errs = "error: " + record.Value(strings.TrimSpace(errs[at:])).Get("error").Get("message").Text()
	}
	return refusalIn(errs)
}

// refusalIn returns the reason for which a value is refused.
func refusalIn(errs string) string {
	found := refusal.FindStringSubmatch(errs)
	if found == nil || strings.HasPrefix(errs, "error: missing: ") || found[1] == "missing" || found[1] == schema.ErrEmpty.Error() {
		if strings.Contains(errs, "missing") || strings.Contains(errs, schema.ErrEmpty.Error()) {
			return "missing"
		}
		return errs
	}
	reason, _, _ := strings.Cut(found[1], ", in a column with the format Text") // of a sheet
	return reason
}

// formRefusal returns what a form says of a value, "" if it takes it.
func (s *service) formRefusal(t *testing.T, command string, row map[string]string, field *schema.Field) (reason string) {
	t.Helper()
	args := strings.Fields(command)
	for name, text := range row {
		if name != field.Name && name != "first_name" { // which is missing, so that there is a form
			args = append(args, "--"+cli.FlagName(name), text)
		}
	}
	streams := session{home: s.home, env: map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}}
	streams.form = func(_ context.Context, fm *form.Form) error {
		value := schema.TrimSpace(row[field.Name]) // as the form does
		for _, asked := range slices.Concat(fm.Fields, fm.Optional) {
			switch {
			case asked.Name != strings.ReplaceAll(field.Name, "_", " "):
			case value == "" && !asked.MayBeEmpty && !asked.Optional:
				reason = "missing"
			case value != "" && asked.Check != nil:
				if err := asked.Check(value); err != nil {
					reason = err.Error()
				}
			}
		}
		return form.ErrCanceled
	}
	streams.run(t, args...)
	return reason
}
