package cmd_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// awkwardNames are the names of the accounts that the shells complete. The id of an account is its place in the list, from 1.
var awkwardNames = []string{
	"Harbour Bikes", "Harbour Boats", "$(touch pwned-1)", "`touch pwned-2`", "two\nlines\there", "Colon: Co", "Joe's Diner",
	"Smith & touch pwned-3", `The "Inn"`, `Back\slash Bar`, "Equal=Sign", "Comma, Inc.", "München Café", "東京 寿司", "-rf",
	"'; touch pwned-4; '", "Wow!Deal", "~root", "*star?", "#hash {a,b}", "MIXED one", "mixed Two", `"; touch pwned-5; "`,
	"Pizza 🍕", "%s (Ltd.)", "$HOME sweet", "a;b|c>d<e", "[x] ^y", "\x1b[31mred", "Trail\\", "@at", "Zig", "Zig Zag",
	"Straße", "Option -q", "tie & x", "tie (y)", "mail@example:8=x", "Ale-House",
}

// completionCases are what users type into each shell, where a tab is the key, and the arguments that the command line has then.
var completionCases = []struct {
	name, typed string
	want        []string
	shows       string // what the shell lists, if anything
	hides       string // what it does not list
}{
	{name: "command", typed: "acc\tge\t", want: []string{"accounts", "get"}},
	{name: "flag", typed: "accounts list --colum\t", want: []string{"accounts", "list", "--columns"}},
	{name: "name", typed: "accounts get Zi\t", want: []string{"accounts", "get", "Zig"}},
	{name: "name with a dash", typed: "accounts get Ale\t", want: []string{"accounts", "get", "Ale-House"}},
	{name: "letters of other scripts", typed: "accounts get Stra\t", want: []string{"accounts", "get", "Straße"}},
	{name: "flag and value", typed: "keywords list --account 3\t7\t", want: []string{"keywords", "list", "--account", "37"}},
	{name: "flag with equals sign", typed: "keywords list --account=Zi\t", want: []string{"keywords", "list", "--account=Zig"}},
	{name: "after a quoted name", typed: "keywords add --account 'Harbour Bikes' --campaign 10\t", want: []string{"keywords", "add", "--account", "Harbour Bikes", "--campaign", "101"}},
	{name: "name with a space", typed: "accounts get Har\t", want: []string{"accounts", "get", "Har"}},
	{name: "name of signs", typed: "accounts get tie\t", want: []string{"accounts", "get", "tie"}},
	{name: "substitution that is a name", typed: "accounts get '$(\t'", want: []string{"accounts", "get", "$("}},
	{name: "escaped substitution that is a name", typed: "accounts get \\$\\(\t", want: []string{"accounts", "get", "$("}},
	{name: "backtick", typed: "accounts get \\`\t", want: []string{"accounts", "get", "`"}},
	{name: "line feed", typed: "accounts get two\t", want: []string{"accounts", "get", "two"}},
	{name: "leading dash after a flag", typed: "keywords list --account -r\t", want: []string{"keywords", "list", "--account", "-r"}},
	{name: "behind a quoted substitution", typed: "keywords list --account '$(touch pwned-6)' --color ne\t", want: []string{"keywords", "list", "--account", "$(touch pwned-6)", "--color", "never"}},
	{name: "behind an escaped substitution", typed: "keywords list --account \\$\\(touch\\ pwned-7\\) --color ne\t", want: []string{"keywords", "list", "--account", "$(touch pwned-7)", "--color", "never"}},
	{name: "behind a quoted semicolon", typed: "keywords list --account 'x; touch pwned-8' --color ne\t", want: []string{"keywords", "list", "--account", "x; touch pwned-8", "--color", "never"}},
	{name: "identifier", typed: "accounts get crm-30\t17\t", want: []string{"accounts", "get", "crm-3017"}},
	{name: "id", typed: "accounts get 37\t", want: []string{"accounts", "get", "37"}},
	{name: "ids with names", typed: "accounts get 1\t\t", want: []string{"accounts", "get", "1"}, shows: "Wow!Deal"},
	{name: "all ids", typed: "accounts get \t\t1\t", want: []string{"accounts", "get", "1"}, shows: "touch pwned-1"},
	{name: "no names of files", typed: "accounts get pla\t\t", want: []string{"accounts", "get", "pla"}, hides: "plain-file"},
	{name: "file", typed: "keywords add --file pla\t", want: []string{"keywords", "add", "--file", "plain-file"}},
	{name: "file with a space", typed: "keywords add --file spa\t", want: []string{"keywords", "add", "--file", "spaced file"}},
	{name: "file after an equals sign", typed: "keywords add --file=pla\t", want: []string{"keywords", "add", "--file=plain-file"}},
	{name: "folder", typed: "help --man fol\t", want: []string{"help", "--man", "folder/"}},
	{name: "redirection", typed: "accounts list >pla\t", want: []string{"accounts", "list"}},
	{name: "columns", typed: "accounts list --columns account_id,ci\t", want: []string{"accounts", "list", "--columns", "account_id,city"}},
	{name: "columns are listed as they are", typed: "accounts list --columns account_id,\t\t", want: []string{"accounts", "list", "--columns", "account_id,"}, shows: "city", hides: `\,`},
	{name: "sort with equals sign", typed: "accounts list --sort=-ci\t", want: []string{"accounts", "list", "--sort=-city"}},
	{name: "sort by two", typed: "accounts list --sort=-city,-account_i\t", want: []string{"accounts", "list", "--sort=-city,-account_id"}},
	{name: "value of a list", typed: "accounts list --color ne\t", want: []string{"accounts", "list", "--color", "never"}},
}

// TestShells types into real shells at a terminal, and compares the arguments that the shells make of the completed lines. Nothing that an
// account is called is run.
func TestShells(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the test has been tried with the shells of Linux only")
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var list []map[string]any
		switch r.URL.Path {
		case "/api/v1/accounts":
			for i, name := range awkwardNames {
				list = append(list, map[string]any{"account_id": i + 1, "account_name": name, "external_account_identifier": map[string]string{"field_name": "x", "field_value": fmt.Sprint("crm-", 3001+i)}})
			}
		case "/api/v1/campaigns":
			list = append(list, map[string]any{"campaign_id": 101, "account_id": 1, "campaign_name": "London"}, map[string]any{"campaign_id": 102, "account_id": 2, "campaign_name": "Londonderry"})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": list, "error": false})
	}))
	t.Cleanup(service.Close)
	const bashCompletion = "/usr/share/bash-completion/bash_completion"
	for _, shell := range []struct{ name, needs, start, setup string }{
		{"bash", bashCompletion, "bash --noprofile --norc -i", ". " + bashCompletion + "; . ./script"},
		{"bash that lists at once", bashCompletion, "bash --noprofile --norc -i", "bind 'set show-all-if-ambiguous on'; . " + bashCompletion + "; . ./script"},
		{"zsh", "", "zsh -f -i", "bindkey -e; setopt no_auto_menu no_auto_remove_slash; autoload -Uz compinit; compinit -u -D; . ./script"},
		{"fish", "", "fish --no-config -i", ". ./script"},
	} {
		t.Run(shell.name, func(t *testing.T) {
			t.Parallel()
			program, _, _ := strings.Cut(shell.start, " ")
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("no %s was found: %v", program, err)
			}
			if _, err := os.Stat(shell.needs); shell.needs != "" && err != nil {
				t.Skipf("no bash-completion was found: %v", err)
			}
			s := startShell(t, program, shell.start, service.URL)
			s.run(t, "setup", shell.setup+"; ")
			for _, tt := range completionCases {
				t.Run(tt.name, func(t *testing.T) {
					typed := tt.typed
					if program != "bash" { // which shows words at the second tab
						typed = strings.ReplaceAll(typed, "\t\t", "\t")
					}
					got, screen := s.run(t, tt.name, "reseller "+typed+"\x01")
					want := append([]string{"reseller"}, tt.want...)
					if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
						t.Errorf("typed %q: got %q, want %q; the terminal shows\n%s", tt.typed, got, want, screen)
					}
					if !strings.Contains(screen, tt.shows) {
						t.Errorf("typed %q: the terminal shows no %q:\n%s", tt.typed, tt.shows, screen)
					}
					if tt.hides != "" && strings.Contains(screen, tt.hides) {
						t.Errorf("typed %q: the terminal shows %q:\n%s", tt.typed, tt.hides, screen)
					}
				})
			}
			if found, _ := filepath.Glob(filepath.Join(s.dir, "pwned*")); found != nil {
				t.Errorf("the shell ran what an account is called: got %q, want no such files", found)
			}
		})
	}
}

// sequences are what a terminal does not show.
var sequences = regexp.MustCompile("\x1b(\\[[0-9;?<>=$ ]*[a-zA-Z~]|[^\\[])")

// A shellSession is a shell at a terminal.
type shellSession struct {
	dir      string
	terminal *os.File
	written  chan string
	lines    int
}

// startShell starts a shell in a folder with some files and the script for the completion.
func startShell(t *testing.T, program, start, url string) *shellSession {
	t.Helper()
	s := &shellSession{dir: t.TempDir()}
	for _, name := range []string{"plain-file", "spaced file"} {
		noError(t, os.WriteFile(filepath.Join(s.dir, name), nil, 0o600))
	}
	noError(t, os.Mkdir(filepath.Join(s.dir, "folder"), 0o700))
	words := strings.Fields(start)
	c := exec.Command(words[0], words[1:]...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "RESELLER_TOKEN=t", "RESELLER_BASE_URL="+url, "LC_ALL=C.UTF-8", "TERM=xterm", "HOME="+s.dir)
	for _, name := range []string{"CONFIG", "DATA", "STATE", "CACHE"} {
		c.Env = append(c.Env, "XDG_"+name+"_HOME="+filepath.Join(s.dir, "home"))
	}
	noError(t, storyPrograms())
	script := exec.Command("reseller", "completion", program, "--output-file", filepath.Join(s.dir, "script"))
	script.Env = c.Env
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	programs := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(programs, "arguments"), []byte(argumentsScript), 0o700))
	c.Env = append(c.Env, "PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var err error
	if s.terminal, err = pty.StartWithSize(c, &pty.Winsize{Cols: 160, Rows: 200}); err != nil {
		t.Fatal(err)
	}
	s.written = make(chan string)
	go func() {
		defer close(s.written)
		b := make([]byte, 4096)
		for {
			n, err := s.terminal.Read(b)
			if err != nil {
				return
			}
			s.written <- string(b[:n])
		}
	}()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = s.terminal.Close()
		for range s.written {
		}
		_ = c.Wait()
	})
	return s
}

// run types keys, runs the program arguments at the cursor, and returns the arguments that it got and what the terminal showed meanwhile.
func (s *shellSession) run(t *testing.T, name, keys string) ([]string, string) {
	t.Helper()
	s.lines++
	line := strconv.Itoa(s.lines)
	if _, err := io.WriteString(s.terminal, keys+"arguments "+line+" \n"); err != nil {
		t.Fatal(err)
	}
	end := regexp.MustCompile(`(?s)\{` + line + `\}(.*)\{end\}`)
	screen := ""
	for timeout := time.After(eventTimeout); ; {
		select {
		case more, open := <-s.written:
			if screen += more; !open {
				t.Fatalf("%s: the shell has ended; the terminal shows\n%s", name, screen)
			}
		case <-timeout:
			_, _ = s.terminal.WriteString("\x03")
			t.Fatalf("%s: the line was not run; the terminal shows\n%s", name, screen)
		}
		if found := end.FindStringSubmatch(screen); found != nil {
			return strings.Split(strings.TrimSuffix(found[1], "\x1f"), "\x1f"), sequences.ReplaceAllString(end.ReplaceAllString(screen, ""), "")
		}
	}
}

// argumentsScript is the program arguments LINE ARGS...: it prints its arguments, each with a separator behind it, between the number of
// the line and a mark, to the terminal wherever its stdout goes.
const argumentsScript = `#!/bin/sh
line=$1
shift
{ printf '{%s}' "$line"; printf '%s\037' "$@"; printf '{end}\n'; } >/dev/tty
`
