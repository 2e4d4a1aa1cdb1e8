package cmd_test

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// A session is what surrounds a command line that runs in this process.
type session struct {
	home  string // of the user; a new one for each run where it is empty
	stdin string
	tty   bool // stdout and stderr are terminals
	width int  // of the terminal, 80 where it is 0
	env   map[string]string
	form  func(context.Context, *form.Form) error // shows forms; none can be shown where it is nil
}

// run runs a command line, and returns its exit code and what it wrote.
func (s session) run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	home := s.home
	if home == "" {
		home = t.TempDir()
	}
	env := map[string]string{"HOME": home}
	for _, dir := range []string{"CONFIG", "DATA", "STATE"} {
		env["XDG_"+dir+"_HOME"] = filepath.Join(home, strings.ToLower(dir))
	}
	var out, errs strings.Builder
	code = cmd.Main(t.Context(), args, cli.Streams{
		In: strings.NewReader(s.stdin), Out: &out, Err: &errs, OutTTY: s.tty, ErrTTY: s.tty,
		Width: func() int { return cmp.Or(s.width, 80) }, Form: s.form,
		Env: func(name string) (string, bool) {
			if text, ok := s.env[name]; ok {
				return text, true
			}
			text, ok := env[name]
			return text, ok
		},
	}, "test")
	return code, out.String(), errs.String()
}
