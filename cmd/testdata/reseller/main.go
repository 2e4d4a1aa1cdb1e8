// Command reseller is the program as the stories run it: without the packages of the tests, which take longer to start than the
// program. It keeps what a command says as JSON, for setup in stories_test.go. By the name panics it is the program with a bug, by
// the name several it runs one command after another, since most of the time of a short one is its start. By the name faulty it is the
// mock service with faults.
package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"reseller/client/mock"
	"reseller/client/mock/fault"
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
	switch strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") {
	case "panics":
		panicsMain()
	case "several":
		several()
	case "faulty":
		faulty()
	default:
		os.Exit(command(os.Args[1:]))
	}
}

// command runs a command, and returns its exit code.
func command(args []string) int {
	var out, errs bytes.Buffer
	streams := cli.Process()
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
	return code
}

// several runs each command that it reads from stdin in the folder and with the environment, the pipes and the settings of the
// garbage collector that it would have as a process of its own. It writes its exit code, stdout and stderr.
func several() {
	commands, results := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	defer runtime.KeepAlive(os.Stderr) // where the runtime writes
	for {
		var c struct {
			Dir       string
			Args, Env []string
			Stdin     string
		}
		if commands.Decode(&c) != nil {
			return
		}
		os.Clearenv()
		for _, variable := range c.Env {
			name, value, _ := strings.Cut(variable, "=")
			_ = os.Setenv(name, value)
		}
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
		if err := os.Chdir(c.Dir); err != nil {
			panic(err)
		}
		var r struct {
			Code      int
			Out, Errs string
		}
		var reading sync.WaitGroup
		in, writeIn := pipe()
		go func() {
			_, _ = io.WriteString(writeIn, c.Stdin)
			_ = writeIn.Close()
		}()
		readOut, out := pipe()
		readErrs, errs := pipe()
		os.Stdin, os.Stdout, os.Stderr = in, out, errs
		reading.Go(func() { r.Out = readAll(readOut) })
		reading.Go(func() { r.Errs = readAll(readErrs) })
		r.Code = command(c.Args)
		_, _, _ = in.Close(), out.Close(), errs.Close()
		reading.Wait()
		_ = os.Chdir(os.TempDir()) // since Windows removes no folder that a program is in
		if err := results.Encode(r); err != nil {
			panic(err)
		}
	}
}

// pipe returns a pipe.
func pipe() (read, write *os.File) {
	read, write, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	return read, write
}

// readAll returns all that comes from a pipe, and closes it.
func readAll(pipe *os.File) string {
	text, _ := io.ReadAll(pipe)
	_ = pipe.Close()
	return string(text)
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

// faulty is the program faulty DATABASE SHARE FAULT...: the mock service, of whose requests a share fails. It prints its address.
func faulty() {
	known := map[string]fault.Fault{"garbled": {Body: `{"data":{"account_id":1,"camp`}, "page": {HTML: true}, "late-lists": {Stale: time.Hour}}
	var faults []fault.Fault
	for _, name := range os.Args[3:] {
		faults = append(faults, known[name])
	}
	share, err := strconv.ParseFloat(os.Args[2], 64)
	if err != nil {
		panic(err)
	}
	service, err := mock.Open(mock.Options{Path: os.Args[1], Faults: fault.NewSchedule(0, share, faults...)})
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	panic(http.Serve(listener, service))
}

type panickingReader struct{}

func (panickingReader) Read([]byte) (int, error) { panic("on purpose") }
