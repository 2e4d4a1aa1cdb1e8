package cmd_test

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// needsProcess finds what a story has if its commands need processes of their own, which exec gives them: an input that only exec
// knows, a stream by its path, or a variable that a process reads once.
var needsProcess = regexp.MustCompile(`(?m)^stdin |/dev/(std|fd)|\benv .*\b(TZ|IMPATIENT|\w+_PROXY|DBUS\w+|GO\w+)=`)

// A storyState is what the commands of a story need to know.
type storyState struct {
	alone bool            // each command has a process of its own
	names map[string]bool // of the variables that a story may set; true if they count when they are empty
	stdin string          // of the next command
}

// newState returns the state of a story.
func newState(env *testscript.Env, script string) *storyState {
	s := &storyState{needsProcess.MatchString(script), map[string]bool{"RESELLER_TOKEN": false, "RESELLER_BASE_URL": false}, ""}
	for _, name := range regexp.MustCompile(`\b[A-Z][A-Z0-9_]+\b`).FindAllString(script, -1) {
		s.names[name] = regexp.MustCompile(`(?m)^(\[.*\] )?env .*\b` + name + `=( |$)`).MatchString(script)
	}
	for _, variable := range env.Vars {
		name, value, _ := strings.Cut(variable, "=")
		s.names[name] = s.names[name] || value == ""
	}
	return s
}

// storyKey is the key of the state in the values of a story.
type storyKey struct{}

// A process is a program that runs one command after another, and ends with the tests.
type process struct {
	command  *exec.Cmd
	commands *gob.Encoder
	results  *gob.Decoder
	stderr   strings.Builder // what it says if it ends
}

// idle holds the processes that wait for a command.
var idle = make(chan *process, 100)

// takeProcess returns a process that is idle, or else a new one.
func takeProcess(env []string) (*process, error) {
	select {
	case p := <-idle:
		return p, nil
	default:
	}
	p := &process{command: exec.Command(filepath.Join(programs, "several"))}
	p.command.Env, p.command.Stderr = env, &p.stderr
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.commands, p.results = gob.NewEncoder(in), gob.NewDecoder(out)
	return p, p.command.Start()
}

// A storyCommand is a command as the program several reads it, and a storyResult what it writes.
type (
	storyCommand struct {
		Dir       string
		Args, Env []string
		Stdin     string
	}
	storyResult struct {
		Code      int
		Out, Errs string
	}
)

// run runs a command in a process that others may have had.
func (c storyCommand) run() (r storyResult, err error) {
	p, err := takeProcess(c.Env)
	if err != nil {
		return r, err
	}
	kill := func() { _ = p.command.Process.Kill() }
	timer := time.AfterFunc(commandTimeout, kill)
	defer timer.Stop()
	if err := errors.Join(p.commands.Encode(c), p.results.Decode(&r)); err != nil {
		kill()
		return r, fmt.Errorf("%w: %s", errors.Join(err, p.command.Wait()), &p.stderr)
	}
	idle <- p
	return r, nil
}

// commandTimeout is how long a command of a story may take.
const commandTimeout = 5 * time.Minute

// expect runs a command of a story, which must end with an exit code.
func expect(ts *testscript.TestScript, code string, args []string) storyResult {
	r := runCommand(ts, args)
	if code != strconv.Itoa(r.Code) {
		ts.Fatalf("exit code %d, want %s", r.Code, code)
	}
	return r
}

// runCommand runs a command of a story. Those of the program share processes if they can.
func runCommand(ts *testscript.TestScript, args []string) (r storyResult) {
	s := ts.Value(storyKey{}).(*storyState)
	c := storyCommand{ts.MkAbs("."), args[1:], []string{"PWD=" + ts.MkAbs(".")}, s.stdin}
	s.stdin = ""
	if s.alone || args[0] != "reseller" {
		if c.Stdin != "" {
			ts.Fatalf("feed is not for a command with a process of its own: use stdin")
		}
		exit := (*exec.ExitError)(nil)
		if err := ts.Exec(args[0], args[1:]...); errors.As(err, &exit) {
			r.Code = exit.ExitCode()
		} else {
			ts.Check(err)
		}
		r.Out, r.Errs = ts.ReadFile("stdout"), ts.ReadFile("stderr")
	} else {
		for name, counts := range s.names {
			if value := ts.Getenv(name); value != "" || counts {
				c.Env = append(c.Env, name+"="+value)
			}
		}
		var err error
		r, err = c.run()
		ts.Check(err)
	}
	_, _ = io.WriteString(ts.Stdout(), r.Out)
	_, _ = io.WriteString(ts.Stderr(), r.Errs)
	return r
}
