package cmd_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"reseller/client/schema"
)

// TestDeclaredFieldsMeanTheSame sends each field that has other names or other words in these, and finds the one declared value in
// every format and by every filter. Beside it, json has what was sent.
func TestDeclaredFieldsMeanTheSame(t *testing.T) {
	t.Parallel()
	walked := 0
	for _, command := range shows() {
		if command.use != 0 { // an export has a form of its own
			continue
		}
		for _, column := range command.resource.Columns() {
			want := map[string]string{} // what is sent, and what it means
			word := "word"
			if column.Name == "keyword_type" {
				word = "target" // any other type contradicts what `keywords add` has sent
			}
			if len(column.Alt) > 0 {
				want[`"`+word+`"`] = word
			}
			for word, meaning := range column.Words {
				want[`"`+word+`"`] = meaning
				if json.Valid([]byte(word)) {
					want[word] = meaning
				}
			}
			if len(column.Enum) > 0 && len(want) > 0 {
				want[`"`+strings.ToUpper(column.Enum[0])+`"`] = column.Enum[0]
				delete(want, `"`+word+`"`)
			}
			for sent, meaning := range want {
				for _, name := range append([]string{column.Name}, column.Alt...) {
					walked++
					t.Run(fmt.Sprintf("%s/%s as %s/%s", command.command, column.Name, name, sent), func(t *testing.T) {
						checkDeclared(t, command.command, column, name, sent, meaning)
					})
				}
			}
		}
	}
	if walked < 40 {
		t.Errorf("got %d fields with another name or words, want 40 at least", walked)
	}
}

// checkDeclared sends a value under a name, and looks for its meaning as the value of column.
func checkDeclared(t *testing.T, command string, column schema.Column, name, sent, meaning string) {
	t.Helper()
	ids := map[string]string{"account_id": "1", "campaign_id": "101", "rank_id": "1001", "status_code": "200"}
	delete(ids, column.Name)
	data := ""
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		data += fmt.Sprintf(`%q:%s,`, id, ids[id])
	}
	data = fmt.Sprintf(`[{%s%q:%s}]`, data, name, sent)
	s := newService(t, data, data)
	run := func(flags ...string) string {
		return s.call(t, "secret\n", append(strings.Fields(command), flags...)...)
	}
	got := map[string]string{}
	for _, format := range []string{"csv", "tsv", "markdown", "table"} {
		lines := strings.Split(strings.TrimSpace(run("-o", format, "--columns", column.Name)), "\n")
		got[format] = strings.Trim(strings.TrimPrefix(lines[len(lines)-1], column.Name), "| ")
	}
	rows, err := csv.NewReader(strings.NewReader(run("-o", "csv", "--columns", "all"))).ReadAll()
	if err != nil || len(rows) != 2 || slices.Index(rows[0], column.Name) < 0 {
		t.Fatalf("--columns all: got %q (%v), want %s in it", rows, err, column.Name)
	}
	got["--columns all"] = rows[1][slices.Index(rows[0], column.Name)]
	record := func(v any) map[string]any {
		if list, ok := v.([]any); ok {
			v = list[0]
		}
		return v.(map[string]any)
	}
	for _, flags := range [][]string{{"-o", "json"}, {"-o", "ndjson"}, {"-o", "yaml"}, {"-o", "json", "--columns", column.Name}, {"-o", "yaml", "--columns", column.Name}} {
		var v any
		noError(t, yaml.Unmarshal([]byte(run(flags...)), &v))
		rec := record(v)
		got[strings.Join(flags, " ")] = fmt.Sprint(rec[column.Name])
		if kept := fmt.Sprintf("%q", rec[name]); name != column.Name && len(flags) == 2 && kept != sent && fmt.Sprint(rec[name]) != sent {
			t.Errorf("%s: %s is %s, want %s as it was sent", flags, name, kept, sent)
		}
	}
	got["--jq"] = strings.TrimSpace(run("--jq", fmt.Sprintf("if type == \"array\" then .[0] else . end | .%s", column.Name)))
	if strings.HasPrefix(run("-o", "json"), "[") { // only lists have filters
		for _, flags := range [][]string{{"--where", column.Name + "=" + meaning}, {"--search", meaning}, {"--sort", column.Name}} {
			got[flags[0]] = strings.TrimSpace(run(append(flags, "-o", "csv", "--no-header", "--columns", column.Name)...))
		}
		got["--where !="] = meaning + strings.TrimSpace(run("--where", column.Name+"!="+meaning, "-o", "csv", "--no-header"))
	}
	for where, value := range got {
		if value != meaning {
			t.Errorf("%s: got %q, want %q", where, value, meaning)
		}
	}
}
