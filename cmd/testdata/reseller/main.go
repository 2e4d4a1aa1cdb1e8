// Command reseller is the program as the stories run it: without the packages of the tests, which take longer to start than the
// program. It keeps what a command says as JSON, for setup in stories_test.go. By the name panics it is the program with a bug.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	Args       []string
	Code       int
	Out, Errs  string
	Summary    string
	HasSummary bool
}

func main() {
	if os.Getenv("IMPATIENT") == "" { // The completion and the names in questions and notes may take their time.
		complete.Patience, lookup.Patience = time.Minute, time.Minute
	}
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "panics" {
		panicsMain()
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
	summary, hasSummary := summaryOf(args)
	if dir := os.Getenv("STORY_SAID"); dir != "" && (hasSummary || out.Len()+errs.Len() > 0) {
		if err := keep(dir, said{args, code, out.String(), errs.String(), summary, hasSummary}); err != nil {
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

// summaryOf returns the text of the summary file that a command line names, if it is JSON, and whether there is one.
func summaryOf(args []string) (text string, isThere bool) {
	for i, arg := range args {
		if i > 0 && args[i-1] == "--summary-file" && strings.HasSuffix(arg, ".json") {
			content, err := os.ReadFile(arg)
			text, isThere = string(content), isThere || err == nil
		}
	}
	return text, isThere
}

// keep writes what was said to a file that has its name once it is complete.
func keep(dir string, s said) error {
	content, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, fmt.Sprint(os.Getpid(), time.Now().UnixNano()))
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return err
	}
	return os.Rename(path, path+".json")
}

// panicsMain is the program panics WHERE ARGS...: reseller with a bug. It panics in the
// goroutine of the command when that asks for the width of its terminal (WHERE is
// command), or in another goroutine when that reads stdin (WHERE is goroutine).
func panicsMain() {
	streams := cli.Process()
	switch os.Args[1] {
	case "command":
		streams.OutTTY, streams.Width = true, func() int { panic("on purpose") }
	case "goroutine":
		streams.In = panickingReader{}
	}
	os.Exit(cmd.Main(cli.Signals(os.Exit), os.Args[2:], streams, "test"))
}

type panickingReader struct{}

func (panickingReader) Read([]byte) (int, error) { panic("on purpose") }
