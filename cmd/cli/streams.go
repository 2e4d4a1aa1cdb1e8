// Package cli is the frame of all commands: the factory with streams, settings,
// client, output and prompts; global flags, help, errors and exit codes.
package cli

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/term"
)

// Streams are the standard streams, the terminal and the environment of the process.
// Tests replace them.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	InTTY    bool
	OutTTY   bool
	ErrTTY   bool
	Width    func() int // columns of the terminal that Out is
	Env      func(string) (string, bool)
	// Secret reads a line from the terminal without showing it.
	Secret func() (line []byte, err error)
	// Exit ends the process. It is nil in tests that run in one process.
	Exit func(code int)
	// Restore restores the terminal after Secret was abandoned.
	Restore func()
}

// Process returns the streams of this process.
func Process() Streams {
	fd := func(f *os.File) int { return int(f.Fd()) }
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: term.IsTerminal(fd(os.Stdin)), OutTTY: term.IsTerminal(fd(os.Stdout)), ErrTTY: term.IsTerminal(fd(os.Stderr)),
		Env:     os.LookupEnv,
		Exit:    os.Exit,
		Secret:  func() ([]byte, error) { return term.ReadPassword(fd(os.Stdin)) },
		Restore: func() {},
		Width: func() int {
			if w, _, err := term.GetSize(fd(os.Stdout)); err == nil && w > 0 {
				return w
			}
			return 80
		},
	}
	if s.InTTY {
		if state, err := term.GetState(fd(os.Stdin)); err == nil {
			s.Restore = func() { _ = term.Restore(fd(os.Stdin), state) }
		}
	}
	return s
}

// showStacks writes the stacks of all goroutines to stderr.
func showStacks() {
	stacks := make([]byte, 4<<20)
	_, _ = os.Stderr.Write(stacks[:runtime.Stack(stacks, true)])
}
