package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/spf13/cobra"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/meta"
)

// checkedMain runs a command of a story. What it prints as JSON, its summary and its error must have the JSON Schema of
// `reseller help --json-schema`: else the exit code is 99.
func checkedMain(args []string) int {
	var out, errs bytes.Buffer
	streams := cli.Process()
	isJSON := printsJSON(args)
	if isJSON && !slices.ContainsFunc(args, func(arg string) bool {
		return arg == "--raw" || strings.HasPrefix(arg, "--jq") || arg == "api" || arg == "help"
	}) {
		streams.Out = io.MultiWriter(streams.Out, &out)
	}
	if isJSON {
		streams.Err = io.MultiWriter(streams.Err, &errs)
	}
	code := cmd.Main(cli.Signals(os.Exit), args, streams, "test")
	problems := checkJSON(args, code, out.Bytes(), errs.String())
	for _, problem := range problems {
		fmt.Fprintln(os.Stderr, "not as the JSON Schema says:", problem)
		code = 99
	}
	return code
}

// printsJSON reports whether a command line asks for -o json.
func printsJSON(args []string) bool {
	for i, arg := range args {
		if arg == "-ojson" || arg == "--output=json" || arg == "json" && i > 0 && (args[i-1] == "-o" || args[i-1] == "--output") {
			return true
		}
	}
	return false
}

// checkJSON returns what is wrong with the data, the error and the summaries of a command.
func checkJSON(args []string, code int, out []byte, errs string) (problems []string) {
	check := func(name string, text []byte) {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", name, err))
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
	for i, arg := range args {
		if i > 0 && args[i-1] == "--summary-file" && strings.HasSuffix(arg, ".json") {
			if text, err := os.ReadFile(arg); err == nil && (code == 0 || json.Valid(text)) {
				check("summary", text)
			}
		}
	}
	return problems
}

func definitionOf(c *cobra.Command) string {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return strings.ReplaceAll(words, " ", ".")
}

// schemaOf returns a definition of the JSON Schema, with the definitions that it refers to in its place.
func schemaOf(name string) *openapi3.Schema {
	frame := cli.NewFrame(cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: func(string) (string, bool) { return "", false }}, "")
	text, err := json.Marshal(meta.JSONSchema(frame.Session, cmd.New(frame)))
	if err != nil {
		panic(err)
	}
	var document struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		panic(err)
	}
	definition := regexp.MustCompile(`{"\$ref":"#/\$defs/([^"]*)"}`).ReplaceAllStringFunc(string(document.Defs[name]), func(ref string) string {
		return string(document.Defs[strings.Split(ref, "/")[2][:len(strings.Split(ref, "/")[2])-2]])
	})
	var found openapi3.Schema
	if err := json.Unmarshal([]byte(definition), &found); err != nil {
		panic(fmt.Sprintf("%s: %v", name, err))
	}
	return &found
}

// TestJSONSchemaRefusesOtherOutputs checks that the stories would fail if a command printed something else.
func TestJSONSchemaRefusesOtherOutputs(t *testing.T) {
	for name, texts := range map[string][2]string{
		"accounts.list": {`[{"account_id":"1","city":null,"new":{}}]`, `[{"account_id":{}}]`},
		"accounts.get":  {`{"account_id":1,"external_account_manager":{"name":"A"}}`, `{"external_account_manager":7}`},
		"keywords.add":  {`{"operation":"x","rows":1,"send":1,"present":0,"differs":0,"refused":0,"duplicates":0,"invalid":0,"calls":1}`, `7`},
		"summary":       {`{"job":"","operation":"","rows":0,"sent":0,"present":0,"differs":0,"duplicates":0,"invalid":0,"refused":0,"unknown":0,"requests":0,"retries":0,"seconds":0.5,"remaining":0,"exit_code":0,"state":"finished","faults":[],"refused_rows":[]}`, `{"rows":"1"}`},
		"error":         {`{"error":{"message":"m","exit_code":1,"http_status":0,"messages":[],"error_code":"","operation":""}}`, `{"error":{"message":"m"}}`},
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
