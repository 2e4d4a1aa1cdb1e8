package cmd_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/spf13/cobra"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/meta"
)

// checkSaid returns what is wrong with all that the commands of a story said as JSON, which the program has kept in a folder:
// their data, their summaries and their errors must have the JSON Schema of `reseller help --json-schema`.
func checkSaid(dir string) (problems []string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, file := range files {
		var said struct {
			Args               []string
			Code               int
			Out, Errs, Summary string
			HasSummary         bool
		}
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &said)
		}
		if err != nil {
			problems = append(problems, err.Error())
		}
		for _, problem := range checkJSON(said.Args, said.Code, []byte(said.Out), said.Errs, said.Summary, said.HasSummary) {
			problems = append(problems, fmt.Sprintf("%q: not as the JSON Schema says: %s", said.Args, problem))
		}
	}
	return problems
}

// checkJSON returns what is wrong with the data, the error and the summaries of a command.
func checkJSON(args []string, code int, out []byte, errs, summary string, hasSummary bool) (problems []string) {
	check := func(name string, text []byte) {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", name, err))
		} else if schemaOf(name) == nil {
			problems = append(problems, name+": no definition, and JSON")
		} else if err := schemaOf(name).VisitJSON(v, openapi3.EnableJSONSchema2020()); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", name, err))
		}
	}
	if len(out) > 0 && (code == 0 || json.Valid(out)) {
		if c, _, err := newTree().Find(args); err == nil && c.HasParent() {
			check(definitionOf(c), out)
		}
	}
	if at := strings.LastIndex(errs, "{\"error\":"); at >= 0 && code != 0 {
		line, _, _ := strings.Cut(errs[at:], "\n")
		check("error", []byte(line))
	}
	if hasSummary && (code == 0 || json.Valid([]byte(summary))) {
		check("summary", []byte(summary))
	}
	return problems
}

func definitionOf(c *cobra.Command) string {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return strings.ReplaceAll(words, " ", ".")
}

// definitions are the texts of the definitions of the JSON Schema, by their names.
var definitions = sync.OnceValue(func() map[string]json.RawMessage {
	frame := cli.NewFrame(cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: func(string) (string, bool) { return "", false }}, "")
	text, err := json.Marshal(meta.JSONSchema(frame.Session, cmd.New(frame)))
	var document struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	if err != nil {
		panic(err)
	}
	return document.Defs
})

var reference = regexp.MustCompile(`{"\$ref":"#/\$defs/([^"]*)"}`)

// schemaOf returns a definition of the JSON Schema, with the definitions that it refers to in its place. It is nil if there is none.
func schemaOf(name string) *openapi3.Schema {
	definition := string(definitions()[name])
	if definition == "" {
		return nil
	}
	for reference.MatchString(definition) {
		definition = reference.ReplaceAllStringFunc(definition, func(ref string) string {
			return string(definitions()[reference.FindStringSubmatch(ref)[1]])
		})
	}
	var found openapi3.Schema
	if err := json.Unmarshal([]byte(definition), &found); err != nil {
		panic(fmt.Sprintf("%s: %v", name, err))
	}
	return &found
}

// TestJSONSchemaRefusesOtherOutputs checks that the stories would fail if a command printed something else.
func TestJSONSchemaRefusesOtherOutputs(t *testing.T) {
	const plan = `{"operation":"x","rows":1,"send":1,"present":0,"differs":0,"refused":0,"duplicates":0,"invalid":0,"unknown":0,"calls":1,"method":null,"url":null,"body":null,"requests":[],"changes":[]}`
	const summary = `{"job":"","operation":"","rows":0,"sent":0,"present":0,"differs":0,"duplicates":0,"invalid":0,"refused":0,"unknown":0,"requests":0,"retries":0,"seconds":0.5,"remaining":0,"exit_code":0,"state":"finished","faults":[],"refused_rows":[]}`
	const change = `{"customer":"A","account_id":null,"campaign_id":1,"action":"add","object":"notes","field":"f","from":"","to":"t"}`
	replaced := func(text, old, by string) string { return strings.Replace(text, old, by, 1) }
	for name, texts := range map[string][]string{ // the first one is right
		"accounts.list":     {`[{"account_id":"1","city":null,"new":{}},{"account_id":{},"city":[],"phone":true,"attributes":{}},{"attributes":"","external_account_manager":[]}]`, `[{"account_id":{"id":1}}]`, `[{"attributes":1}]`, `[{"city":["A"]}]`, `{"account_id":1}`},
		"accounts.get":      {`{"account_id":1,"external_account_manager":{"name":"A"}}`, `{"external_account_manager":7}`},
		"keywords.add":      {plan, `7`, replaced(plan, `"calls":1,`, ""), replaced(plan, `{`, `{"more":1,`), replaced(plan, `"changes":[]`, `"changes":[{}]`), replaced(plan, `"requests":[]`, `"requests":[{"method":"GET"}]`)},
		"onboard":           {plan, `[]`, `{}`},
		"budget.estimate":   {`{"url":"https://a.example.com","keywords":[{"keyword":"a"}]}`, `{"keywords":1}`},
		"summary":           {summary, `{"rows":"1"}`, replaced(summary, "finished", "done"), replaced(summary, `{`, `{"more":1,`), replaced(summary, `"faults":[]`, `"faults":[{"line":"1"}]`)},
		"error":             {`{"error":{"message":"m","exit_code":1,"http_status":0,"messages":[],"error_code":"","operation":""}}`, `{"error":{"message":"m"}}`},
		"diff":              {"[" + change + "]", change, "[" + replaced(change, `"add"`, `"ad"`) + "]", "[" + replaced(change, `"to":"t"`, `"to":7`) + "]", "[" + replaced(change, `{`, `{"more":1,`) + "]"},
		"doctor":            {`[{"check":"c","result":"ok","detail":"d","advice":""}]`, `[{"check":"c","result":"fine","detail":"d","advice":""}]`, `[{"check":"c"}]`},
		"config.list":       {`[{"key":"k","value":"v","origin":"o"}]`, `{"key":"k","value":"v","origin":"o"}`},
		"jobs.list":         {`[{"job":"a","operation":"b","state":"stopped","file":"f","rows":1,"done":0,"started":""}]`, `[{"job":"a"}]`},
		"version":           {`{"version":"1","go":"","os":"","arch":"","commit":"","date":""}`, `{}`},
		"reports.backlinks": {`[{"account_id":1,"campaign_id":2,"domain_rating":"7"}]`, `[{"domain_rating":[7]}]`},
	} {
		t.Run(name, func(t *testing.T) {
			for i, text := range texts {
				var v any
				noError(t, json.Unmarshal([]byte(text), &v))
				if err := schemaOf(name).VisitJSON(v, openapi3.EnableJSONSchema2020()); (err == nil) != (i == 0) {
					t.Errorf("%s: got %v", text, err)
				}
			}
		})
	}
}

// TestDryRunsHaveOneShape runs each command that sends something with --dry-run, by arguments and by the example of its file.
func TestDryRunsHaveOneShape(t *testing.T) {
	shape := schemaOf("dry-run")
	check := func(t *testing.T, isFile bool, args ...string) {
		if !slices.Contains(args, "--base-url") {
			args = append(args, "--server", "mock")
		}
		code, out, errs := session{stdin: "secret\n"}.run(t, append(args, "--dry-run", "-o", "json")...)
		var plan struct {
			Rows, Send        int
			Requests, Changes []any
		}
		var v any
		if err := json.Unmarshal([]byte(out), &v); code != 0 || err != nil || json.Unmarshal([]byte(out), &plan) != nil {
			t.Fatalf("got exit code %d and %s, want 0 and an object: %s", code, out, errs)
		}
		if err := shape.VisitJSON(v, openapi3.EnableJSONSchema2020()); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		if isFile == (len(plan.Requests) > 0) || plan.Rows == 0 || !isFile && plan.Send != len(plan.Requests) {
			t.Errorf("got %d requests for %d of %d rows, want those of a command without a file: %s", len(plan.Requests), plan.Send, plan.Rows, out)
		}
	}
	calls := map[string]string{
		"accounts status": "1 --deactivate", "api": "POST /api/v2/accounts --field a=b", "auth login": "--username a --password-stdin --base-url http://127.0.0.1:9",
		"onboard": "", "apply": "",
	}
	n := 0
	walk(newTree(), func(c *cobra.Command) {
		name := strings.TrimPrefix(c.CommandPath(), "reseller ")
		if !c.HasParent() {
			return
		}
		if definition, _ := json.Marshal(schemaOf(definitionOf(c))); !strings.Contains(string(definition), `"requests"`) || name == "jobs resume" {
			return
		}
		n++
		args, ok := calls[name]
		if !ok {
			args = recordCommands[name]
		}
		if args != "" {
			t.Run(name, func(t *testing.T) { check(t, false, append(strings.Fields(name), strings.Fields(args)...)...) })
		}
		if c.Flags().Lookup("example") == nil {
			return
		}
		t.Run(name+" --file", func(t *testing.T) {
			_, example, _ := session{}.run(t, append(strings.Fields(name), "--example", "csv")...)
			path := filepath.Join(t.TempDir(), "rows.csv")
			noError(t, os.WriteFile(path, []byte(example), 0o600))
			check(t, true, append(strings.Fields(name), "--file", path)...)
		})
	})
	if n < 14 {
		t.Errorf("got %d commands that have a dry run, want all", n)
	}
}
