package configure

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// execute runs `config ARGS` on a terminal where these answers are typed.
func execute(t *testing.T, dir, answers string, args ...string) (string, string, error) {
	t.Helper()
	var out, errs bytes.Buffer
	f := cli.NewFrame(cli.Streams{
		In: strings.NewReader(answers), Out: &out, Err: &errs, InTTY: true, ErrTTY: true,
		Width: func() int { return 80 },
		Env:   func(name string) (string, bool) { return dir, name == "XDG_CONFIG_HOME" },
	}, "")
	defer f.Close()
	root := &cobra.Command{Use: "reseller", SilenceErrors: true, SilenceUsage: true}
	f.Flags.AddTo(root)
	root.AddCommand(New(f, nil))
	root.SetArgs(append([]string{"config"}, args...))
	err := root.ExecuteContext(context.Background())
	return out.String(), errs.String(), err
}

// setting is what `config get` prints of a key.
func setting(t *testing.T, dir, key string) string {
	t.Helper()
	out, _, err := execute(t, dir, "", "get", key)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(out, "\n")
}

// TestInitOfProfileThatExists: a profile is changed only after a yes.
func TestInitOfProfileThatExists(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := execute(t, dir, "", "init", "--server", "sandbox"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := execute(t, dir, "\n", "init", "--server", "mock"); cli.ExitCode(err) != cli.ExitFailed {
		t.Errorf("an empty answer: got %v, want exit code %d", err, cli.ExitFailed)
	}
	if got := setting(t, dir, "server"); got != "sandbox" {
		t.Errorf("server after an empty answer: got %q, want sandbox", got)
	}
	if _, _, err := execute(t, dir, "y\n", "init", "--server", "mock"); err != nil {
		t.Error(err)
	}
	if got := setting(t, dir, "server"); got != "mock" {
		t.Errorf("server after a yes: got %q, want mock", got)
	}
}
