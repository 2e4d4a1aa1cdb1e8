// Package cli is what every command is handed: streams, settings, a client
// made when it is first needed, the printer and prompts. It also has the
// bodies that commands share, and the exit codes.
package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are the process as commands see it: where data goes in and out, and
// the environment.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	InTTY    bool
	OutTTY   bool
	ErrTTY   bool
	Width    func() int // columns of the terminal that Out is
	Env      func(string) (string, bool)
	// Secret reads a line from the terminal without showing it; restore puts
	// the terminal back when the reading is given up.
	Secret func() (line []byte, err error)
	// Restore puts the terminal back as it was.
	Restore func()
}

// Process returns the streams of this process.
func Process() Streams {
	fd := func(f *os.File) int { return int(f.Fd()) }
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: term.IsTerminal(fd(os.Stdin)), OutTTY: term.IsTerminal(fd(os.Stdout)), ErrTTY: term.IsTerminal(fd(os.Stderr)),
		Env:     os.LookupEnv,
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
