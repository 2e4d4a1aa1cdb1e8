package cmd_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"reseller/cmd/complete"
	"reseller/cmd/lookup"
)

// TestMain lets many stories run side by side whatever the number of processors, since they wait more than they work.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(runTests(m))
}

// programs is a folder with the programs that the stories run, which is in PATH. Where there is no Go, RESELLER_TEST_PROGRAM
// names one that has reseller and programs.
var programs = os.Getenv("RESELLER_TEST_PROGRAM")

// runTests runs the tests of this package, which have a folder for their programs.
func runTests(m *testing.M) int {
	debug.SetGCPercent(400)                                       // else half of the time goes to the garbage of the commands that run in this process
	complete.Patience, lookup.Patience = time.Minute, time.Minute // as in testdata/reseller
	var err error
	if programs == "" {
		programs, err = os.MkdirTemp("", "programs")
		defer func() { _ = os.RemoveAll(programs) }()
	} else {
		programs, err = filepath.Abs(programs)
	}
	if err != nil {
		panic(err)
	}
	_ = os.Setenv("PATH", programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// storyPrograms builds the programs once.
var storyPrograms = sync.OnceValue(func() error {
	if os.Getenv("RESELLER_TEST_PROGRAM") == "" {
		for _, name := range []string{"reseller", "programs"} {
			if _, err := os.ReadFile("testdata/" + name + "/main.go"); err != nil { // so that a result is not cached once it has changed
				return err
			}
		}
		if err := buildProgram(programs+"/", "./testdata/reseller", "./testdata/programs"); err != nil {
			return err
		}
	}
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	for name, program := range map[string]string{
		"await": "programs", "first": "programs", "halfcall": "programs", "input": "programs", "interrupt": "programs", "killed": "programs",
		"faulty": "reseller", "panics": "reseller", "several": "reseller", "screen": "programs", "terminal": "programs", "typist": "programs",
	} {
		path, link := filepath.Join(programs, program+suffix), filepath.Join(programs, name+suffix)
		built, _ := os.Stat(path)
		if linked, _ := os.Stat(link); os.SameFile(built, linked) {
			continue
		}
		_ = os.Remove(link) // of a program that was built anew
		if err := os.Link(path, link); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return os.Chmod(programs, 0o755)
})

// buildProgram builds a program, or several into a folder, that needs no library, as it is released. Where a C compiler can link it so, the packages are those
// that are compiled for the tests already.
func buildProgram(path string, sources ...string) error {
	build := func(ldflags string, env ...string) error {
		c := exec.Command("go", append([]string{"build", "-buildvcs=false", "-ldflags", "-s -w" + ldflags, "-o", path}, sources...)...)
		c.Env = append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return err
	}
	if build(" -linkmode=external -extldflags=-static") == nil {
		return nil
	}
	return build("", "CGO_ENABLED=0")
}

// TestStories runs every story below testdata/stories, however deep.
func TestStories(t *testing.T) {
	folders := map[string]bool{}
	err := filepath.WalkDir("testdata/stories", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".txtar") {
			folders[filepath.Dir(path)] = true
		}
		return err
	})
	if err != nil || len(folders) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for dir := range folders {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Dir: dir, Setup: func(env *testscript.Env) error { return setup(env, dir) }, RequireExplicitExec: true, RequireUniqueNames: true, UpdateScripts: *update,
				Condition: hasFile,
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"reseller": reseller, "feed": feed, "exits": exits, "serve": serve, "shell": shell, "workbook": workbook, "keep": keep, "drop": drop, "absent": absent, "capture": capture,
					"write": write, "text": text, "replace": replace, "names": names, "path": path, "private": private, "each": each,
					"cells": cells, "prints": prints, "tells": tells, "refuses": refuses, "gives": gives, "has": has,
				},
			})
		})
	}
}

// hasFile is the condition file:PATH of a story, which holds if the machine has the file.
func hasFile(condition string) (bool, error) {
	path, ok := strings.CutPrefix(condition, "file:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	_, err := os.Stat(path)
	return err == nil, nil
}

// usesShell finds the lines of a story that run a shell, or send a signal, under no condition.
var usesShell = regexp.MustCompile(`(?m)^(! )?(exec |exits \d+ )?(shell |sh |interrupt |kill -INT)`)

// servesAnswers finds the line of a story that starts a server with the file answers.
var servesAnswers = regexp.MustCompile(`(?m)^serve \S+ answers$`)

// setup gives a story an empty home and no message bus with a keyring. A story that needs a shell is skipped where there
// is none, as on Windows. A story with a file of the name answers has the server api that responds as it says. One with a
// server has the token t, and the address of api, unless it says itself which token or address it has.
func setup(env *testscript.Env, dir string) error {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	story, err := os.ReadFile(filepath.Join(dir, name+".txtar"))
	if err != nil {
		return err
	}
	if err := storyPrograms(); err != nil {
		return err
	}
	script, _, _ := strings.Cut(string(story), "\n-- ")
	if _, err := exec.LookPath("sh"); (err != nil || runtime.GOOS == "windows") && usesShell.MatchString(script) {
		env.T().Skip("the story needs a shell or signals")
	}
	home := filepath.Join(env.WorkDir, "home")
	for name, dir := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_DATA_HOME": home + "/data", "XDG_STATE_HOME": home + "/state", "XDG_CACHE_HOME": home + "/cache", "XDG_RUNTIME_DIR": home + "/run"} {
		env.Setenv(name, dir)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	env.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	env.Setenv("TZ", "UTC")
	said, err := os.MkdirTemp("", "said")
	if err != nil {
		return err
	}
	env.Setenv("STORY_SAID", said)
	env.Defer(func() {
		problems := checkSaid(said)
		_ = os.RemoveAll(said)
		if len(problems) > 0 {
			env.T().Fatal(strings.Join(problems, "\n"))
		}
	})
	env.Values[storyKey{}] = newState(env, script)
	answers, err := os.ReadFile(filepath.Join(env.WorkDir, "answers"))
	served := err == nil && !servesAnswers.MatchString(script)
	if (served || strings.Contains("\n"+script, "\nserve ")) && !strings.Contains(script, "RESELLER_TOKEN") {
		env.Setenv("RESELLER_TOKEN", "t")
	}
	if !served {
		return nil
	}
	if err := startServer(env, env.WorkDir, "api", string(answers)); err != nil || strings.Contains(string(story), "base-url") || strings.Contains(string(story), "BASE_URL") {
		return err
	}
	env.Setenv("RESELLER_BASE_URL", env.Getenv("API_URL"))
	return nil
}

// eventTimeout is how long a story waits for an event before it fails.
const eventTimeout = time.Minute

// reseller ARGS... runs the program, which must succeed, or with ! must not.
func reseller(ts *testscript.TestScript, neg bool, args []string) {
	if r := runCommand(ts, append([]string{"reseller"}, args...)); neg == (r.Code == 0) {
		ts.Fatalf("exit code %d", r.Code)
	}
}

// feed FILE lets the next command of the program read a file from stdin, as stdin does for those of exec.
func feed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: feed FILE")
	}
	ts.Value(storyKey{}).(*storyState).stdin = ts.ReadFile(args[0])
}

// exits CODE COMMAND ARGS... runs a command and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	expect(ts, args[0], args[1:])
}

// prints REGEXP COMMAND ARGS... runs a command, which must succeed, and checks that stdout matches.
func prints(ts *testscript.TestScript, neg bool, args []string) {
	exitsWith(ts, neg, append([]string{"0"}, args...), "stdout")
}

// tells REGEXP COMMAND ARGS... runs a command, which must succeed, and checks that stderr matches.
func tells(ts *testscript.TestScript, neg bool, args []string) {
	exitsWith(ts, neg, append([]string{"0"}, args...), "stderr")
}

// refuses CODE REGEXP COMMAND ARGS... runs a command, and checks its exit code and that stderr matches.
func refuses(ts *testscript.TestScript, neg bool, args []string) { exitsWith(ts, neg, args, "stderr") }

// gives CODE REGEXP COMMAND ARGS... runs a command, and checks its exit code and that stdout matches.
func gives(ts *testscript.TestScript, neg bool, args []string) { exitsWith(ts, neg, args, "stdout") }

// exitsWith runs the command that follows an exit code and a regular expression, which the output must match.
func exitsWith(ts *testscript.TestScript, neg bool, args []string, output string) {
	if len(args) < 3 {
		ts.Fatalf("usage: prints|tells REGEXP COMMAND ARGS..., refuses|gives CODE REGEXP COMMAND ARGS...")
	}
	r := expect(ts, args[0], args[2:])
	matches(ts, map[string]string{"stdout": r.Out, "stderr": r.Errs}[output], output, args[1])
}

// has FILE REGEXP... checks that a file, stdout or stderr has a match of each.
func has(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: has FILE REGEXP...")
	}
	matches(ts, ts.ReadFile(args[0]), args[0], args[1:]...)
}

// matches checks that a text has a match of each regular expression.
func matches(ts *testscript.TestScript, text, name string, wants ...string) {
	for _, arg := range wants {
		want, err := regexp.Compile("(?m)" + arg)
		ts.Check(err)
		if !want.MatchString(text) {
			ts.Fatalf("no match for %q in %s", arg, name)
		}
	}
}

// keep REGEXP FILE OUT writes the lines of FILE that match to OUT. There must be one.
func keep(ts *testscript.TestScript, neg bool, args []string) { filterLines(ts, neg, args, true) }

// drop REGEXP FILE OUT writes the lines of FILE that do not match to OUT.
func drop(ts *testscript.TestScript, neg bool, args []string) { filterLines(ts, neg, args, false) }

func filterLines(ts *testscript.TestScript, neg bool, args []string, matching bool) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: keep|drop REGEXP FILE OUT")
	}
	line, err := regexp.Compile(args[0])
	ts.Check(err)
	var out strings.Builder
	for text := range strings.Lines(ts.ReadFile(args[1])) {
		if line.MatchString(text) == matching {
			out.WriteString(text)
		}
	}
	if matching && out.Len() == 0 {
		ts.Fatalf("no line of %s matches %s", args[1], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(out.String()), 0o600))
}

// absent REGEXP PATH... checks that no file matches, at the paths or anywhere below them.
func absent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: absent REGEXP PATH...")
	}
	what, err := regexp.Compile(args[0])
	ts.Check(err)
	for _, root := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(path)
			if err == nil && what.Match(content) {
				err = fmt.Errorf("%s matches %s", path, what)
			}
			return err
		}))
	}
}

// capture NAME COMMAND ARGS... runs a command, and sets NAME to the line that it prints.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: capture NAME COMMAND ARGS...")
	}
	line := strings.TrimSuffix(expect(ts, "0", args[1:]).Out, "\n")
	if line == "" || strings.Contains(line, "\n") {
		ts.Fatalf("capture: %q is not one line", line)
	}
	ts.Setenv(args[0], line)
}

// shell SCRIPT runs a script by sh, for what needs pipes or several processes.
func shell(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("sh", append([]string{"-c"}, args...)...)
	if neg == (err == nil) {
		ts.Fatalf("sh: %v", err)
	}
}

// A block is one response of a server that serve started.
type block struct {
	method, path string
	status       int
	header       http.Header
	body         string
	used         bool
}

// serve NAME FILE starts a server that responds as FILE says, sets NAME_URL to
// its address and NAME_HOST to its host and port, and logs the requests in NAME.log. FILE holds blocks. A block begins
// with METHOD PATH STATUS BODY, or with METHOD PATH STATUS [HEADER: VALUE]... (headers separated by |) and the body on
// the lines that follow. Each block is the response to
// one request of its method and path, in their order; the last one is also the
// response to all further requests. The header Hold: FILE delays the response until
// the story has a file of that name, and a block with the header If: FILE counts from then on. Instead of a status, cut breaks the connection
// after the body, drop breaks it at once, slow sends nothing until the caller gives
// up, and more sends the caller's token after the body.
func serve(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: serve NAME FILE")
	}
	ts.Check(startServer(ts, ts.MkAbs("."), args[0], ts.ReadFile(args[1])))
}

// startServer starts a server for a story, which looks for files, and logs, in a folder.
func startServer(story interface {
	Setenv(name, value string)
	Defer(f func())
}, dir, name, text string) error {
	blocks, err := readBlocks(text)
	if err != nil {
		return err
	}
	logPath := filepath.Join(dir, name+".log")
	if err := os.WriteFile(logPath, nil, 0o600); err != nil {
		return err
	}
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		if log, err := os.OpenFile(logPath, os.O_APPEND|os.O_WRONLY, 0); err == nil {
			fmt.Fprintf(log, "%s %s %s\n", r.Method, r.URL.RequestURI(), body)
			_ = log.Close()
		}
		b := choose(blocks, r, exists)
		mu.Unlock()
		if b != nil && b.header.Get("Hold") != "" {
			for end := time.Now().Add(eventTimeout); !exists(b.header.Get("Hold")) && r.Context().Err() == nil && time.Now().Before(end); {
				time.Sleep(20 * time.Millisecond)
			}
		}
		respond(w, r, b)
	}))
	story.Defer(func() { server.CloseClientConnections(); server.Close() })
	story.Setenv(strings.ToUpper(name)+"_URL", server.URL)
	story.Setenv(strings.ToUpper(name)+"_HOST", server.Listener.Addr().String())
	return nil
}

// blockHead is what the first line of a block begins with.
var blockHead = regexp.MustCompile(`^[A-Z]+ (/\S*|\*) (\d{3}|cut|drop|slow|more)$`)

// wordStatus are the words instead of a status.
var wordStatus = map[string]int{"cut": -1, "drop": -2, "slow": -3, "more": -4}

func readBlocks(text string) ([]*block, error) {
	var blocks []*block
	for line := range strings.Lines(text) {
		head := append(strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4), "", "")
		if !blockHead.MatchString(strings.Join(head[:3], " ")) {
			if len(blocks) == 0 {
				return nil, fmt.Errorf("serve: %q is not METHOD PATH STATUS", line)
			}
			if line != "---\n" {
				blocks[len(blocks)-1].body += line
			}
			continue
		}
		b := &block{method: head[0], path: head[1], status: wordStatus[head[2]], header: http.Header{"Content-Type": {"application/json"}}}
		if b.status == 0 {
			b.status, _ = strconv.Atoi(head[2])
		}
		if strings.IndexAny(head[3], "[{<") == 0 {
			b.body, head[3] = head[3]+"\n", ""
		}
		for h := range strings.SplitSeq(head[3], "|") {
			if name, value, ok := strings.Cut(h, ":"); ok {
				b.header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
			}
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// choose returns the block that answers a request, nil if there is none. The path *
// answers the requests that no other block answers.
func choose(blocks []*block, r *http.Request, exists func(string) bool) *block {
	var named, all *block
	for _, b := range blocks {
		last := &named
		switch {
		case b.method != r.Method:
			continue
		case !exists(b.header.Get("If")):
			continue
		case b.path == "*":
			last = &all
		case b.path != r.URL.Path && b.path != r.URL.RequestURI():
			continue
		}
		if *last == nil || (*last).used {
			*last = b
		}
	}
	if named == nil {
		named = all
	}
	if named != nil {
		named.used = true
	}
	return named
}

func respond(w http.ResponseWriter, r *http.Request, b *block) {
	if b == nil {
		http.Error(w, "the story has no response for this request", http.StatusTeapot)
		return
	}
	if b.status == -2 {
		panic(http.ErrAbortHandler)
	}
	if b.status == -3 {
		<-r.Context().Done()
		return
	}
	for name, values := range b.header {
		w.Header()[name] = values
	}
	if b.status == -1 {
		w.Header().Set("Content-Length", strconv.Itoa(len(b.body)+100))
		_, _ = io.WriteString(w, b.body)
		_ = http.NewResponseController(w).Flush()
		time.Sleep(20 * time.Millisecond)
		panic(http.ErrAbortHandler)
	}
	if b.status == -4 {
		conn, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(out, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s%s", len(b.body), b.body, r.Header.Get("Authorization"))
		_ = out.Flush()
		time.Sleep(100 * time.Millisecond)
		_ = conn.Close()
		return
	}
	w.WriteHeader(b.status)
	_, _ = io.WriteString(w, b.body)
}
