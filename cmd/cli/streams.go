// Package cli is the frame of all commands: session, output, prompt and outcome; global flags, help, errors and exit codes.
package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"golang.org/x/term"

	"reseller/client/crash"
	"reseller/cmd/form"
	"reseller/config"
)

// Streams are the standard streams, the terminal and the environment of the process, which tests replace.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	InTTY    bool
	OutTTY   bool
	ErrTTY   bool
	Width    func() int // columns of the terminal that Out is, or else Err
	Env      func(string) (string, bool)
	// Form shows a form on the terminal. It is nil without a terminal that can show one.
	Form func(context.Context, *form.Form) error
	// Exit ends the process. It is nil in tests that run in one process.
	Exit func(code int)
}

// Var returns a variable of the environment, "" if it is not set.
func (s *Streams) Var(name string) string { return config.Env{Lookup: s.Env}.Get(name) }

func Process() Streams {
	fd := func(f *os.File) int { return int(f.Fd()) }
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: term.IsTerminal(fd(os.Stdin)), OutTTY: term.IsTerminal(fd(os.Stdout)), ErrTTY: term.IsTerminal(fd(os.Stderr)),
		Env:  os.LookupEnv,
		Exit: os.Exit,
		Width: func() int {
			for _, file := range []*os.File{os.Stdout, os.Stderr} {
				if w, _, err := term.GetSize(fd(file)); err == nil && w > 0 {
					return w
				}
			}
			return 80
		},
	}
	kind := os.Getenv("TERM") // terminals of Windows have none
	if s.InTTY && s.ErrTTY && kind != "dumb" && (kind != "" || runtime.GOOS == "windows") {
		s.Form = func(ctx context.Context, fm *form.Form) error { return fm.Run(ctx, os.Stdin, os.Stderr) }
	}
	return s
}

func showStacks() {
	stacks := make([]byte, 4<<20)
	_, _ = os.Stderr.Write(stacks[:runtime.Stack(stacks, true)])
}

// messages writes what a command tells on stderr, without tokens. While a form is on the screen, which notes would disturb, it
// keeps them.
type messages struct {
	w    io.Writer
	hide func(string) string

	mu   sync.Mutex
	held *bytes.Buffer // nil without a form
}

func (m *messages) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.w
	if m.held != nil {
		w = m.held
	}
	_, err := io.WriteString(w, m.hide(string(p)))
	return len(p), err
}

func (m *messages) hold() {
	m.mu.Lock()
	m.held = &bytes.Buffer{}
	m.mu.Unlock()
}

func (m *messages) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held != nil {
		_, _ = m.held.WriteTo(m.w)
	}
	m.held = nil
}

func ReadAtMost(r io.Reader, name string, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(text)) > limit {
		size := fmt.Sprintf("%d MB", limit>>20)
		if limit < 1<<20 {
			size = fmt.Sprintf("%d kB", limit>>10)
		}
		err = fmt.Errorf("%s is larger than %s", name, size)
	}
	return text, err
}

// ContextReader returns a reader of r whose Read returns when ctx ends, even if r is a pipe without a writer.
func ContextReader(ctx context.Context, r io.Reader) io.Reader {
	if r == nil {
		return nil
	}
	return &contextReader{ctx: ctx, r: r}
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
	buf []byte // of the read that is under way, if ctx ended before it returned
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	if cap(c.buf) < len(p) {
		c.buf = make([]byte, len(p))
	}
	buf := c.buf[:len(p)] // prompts read the terminal too, so this must not read more than was asked for
	n, err := WithContext(c.ctx, func() (int, error) { return c.r.Read(buf) })
	return copy(p, buf[:n]), err
}

// WithContext runs read, which may block forever, until it returns or ctx ends.
func WithContext[T any](ctx context.Context, read func() (T, error)) (T, error) {
	var got T
	var err error
	done := make(chan struct{})
	go func() {
		defer crash.Recover()
		got, err = read()
		close(done)
	}()
	select {
	case <-done:
		return got, err
	case <-ctx.Done():
		return *new(T), context.Cause(ctx)
	}
}
