// Command reseller is the program as the stories run it: without the packages of the tests, which take longer to start than the
// program. It keeps what a command says as JSON, for setup in stories_test.go.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/complete"
	"reseller/cmd/lookup"
)

// said is what a command said as JSON.
type said struct {
	Args      []string
	Code      int
	Out, Errs string
	Summary   string
}

func main() {
	if os.Getenv("IMPATIENT") == "" { // The completion and the names in questions and notes may take their time.
		complete.Patience, lookup.Patience = time.Minute, time.Minute
	}
	var out, errs bytes.Buffer
	streams, args := cli.Process(), os.Args[1:]
	isJSON := printsJSON(args)
	if isJSON && !slices.ContainsFunc(args, func(arg string) bool {
		return arg == "--raw" || strings.HasPrefix(arg, "--jq") || strings.HasPrefix(arg, "--columns") || arg == "api" || arg == "help"
	}) {
		streams.Out = io.MultiWriter(streams.Out, &out)
	}
	if isJSON {
		streams.Err = io.MultiWriter(streams.Err, &errs)
	}
	code := cmd.Main(cli.Signals(os.Exit), args, streams, "test")
	summary := summaryOf(args)
	if dir := os.Getenv("STORY_SAID"); dir != "" && out.Len()+errs.Len()+len(summary) > 0 {
		if err := keep(dir, said{args, code, out.String(), errs.String(), summary}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 99
		}
	}
	os.Exit(code)
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

// summaryOf returns the text of the summary file that a command line names, if it is JSON.
func summaryOf(args []string) string {
	if i := slices.Index(args, "--summary-file"); i >= 0 && i+1 < len(args) && strings.HasSuffix(args[i+1], ".json") {
		text, _ := os.ReadFile(args[i+1])
		return string(text)
	}
	return ""
}

func keep(dir string, s said) error {
	file, err := os.CreateTemp(dir, "")
	if err != nil {
		return err
	}
	if err := json.NewEncoder(file).Encode(s); err != nil {
		return err
	}
	return file.Close()
}
