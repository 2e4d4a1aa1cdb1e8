//go:build unix

package form

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"reseller/client/crash"
)

// A tester is a terminal of a test: what is written to keyboard is what its user types, and what the form writes comes
// from there.
type tester struct {
	t             *testing.T
	keyboard, tty *os.File
	before        *term.State
}

func newTester(t *testing.T) *tester {
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal can be opened here:", err)
	}
	t.Cleanup(func() { _, _ = keyboard.Close(), tty.Close() })
	if err := pty.Setsize(keyboard, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return &tester{t, keyboard, tty, before}
}

// see waits until the form has written a text.
func (te *tester) see(text string) {
	te.t.Helper()
	written, b := "", make([]byte, 4096)
	if err := te.keyboard.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		te.t.Fatal(err)
	}
	for !strings.Contains(written, text) {
		n, err := te.keyboard.Read(b)
		if written += string(b[:n]); err != nil {
			te.t.Fatalf("got %q and %v, want %q", written, err, text)
		}
	}
}

func (te *tester) wantRestored() {
	te.t.Helper()
	after, err := term.GetState(int(te.tty.Fd()))
	if err != nil || *after != *te.before {
		te.t.Errorf("got a terminal in the state %v (%v), want %v as before the form", after, err, te.before)
	}
}

// TestTerminalIsRestored checks that the terminal is as before after each end of a form, also before a panic is reported.
func TestTerminalIsRestored(t *testing.T) {
	canceled := errors.New("a signal")
	for name, c := range map[string]struct {
		end  func(te *tester, cancel context.CancelCauseFunc)
		want error
	}{
		"sent":    {func(te *tester, _ context.CancelCauseFunc) { _, _ = te.keyboard.WriteString("a\r") }, nil},
		"Ctrl-C":  {func(te *tester, _ context.CancelCauseFunc) { _, _ = te.keyboard.WriteString("\x03") }, ErrCanceled},
		"context": {func(_ *tester, cancel context.CancelCauseFunc) { cancel(canceled) }, canceled},
	} {
		t.Run(name, func(t *testing.T) {
			te := newTester(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			ended := make(chan error, 1)
			go func() { ended <- (&Form{Title: "store", Fields: []*Field{{Name: "name"}}}).Run(ctx, te.tty, te.tty) }()
			te.see("cancel")
			c.end(te, cancel)
			if err := <-ended; !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			te.see("\x1b[?2004l")
			te.wantRestored()
		})
	}
	t.Run("panic", func(t *testing.T) {
		te, reported := newTester(t), make(chan bool)
		crash.Handle(func(any, []byte) {
			Restore() // as the program does
			close(reported)
		})
		account := &Field{Name: "account", Choices: func(context.Context, string) ([]Choice, error) { panic("a bug") }}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- (&Form{Title: "get", Fields: []*Field{account}}).Run(ctx, te.tty, te.tty) }()
		<-reported
		te.wantRestored()
		cancel()
		<-ended
	})
}
