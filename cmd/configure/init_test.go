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
	f := &cli.Factory{Streams: cli.Streams{
		In: strings.NewReader(answers), Out: &out, Err: &errs, InTTY: true, ErrTTY: true,
		Width: func() int { return 80 },
		Env:   func(name string) (string, bool) { return dir, name == "XDG_CONFIG_HOME" },
	}}
	defer f.Close()
	root := &cobra.Command{Use: "reseller", SilenceErrors: true, SilenceUsage: true}
	f.Flags.AddTo(root)
	root.AddCommand(New(f))
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

func TestInitAsks(t *testing.T) {
	dir := t.TempDir()
	// The second and fifth answers are refused and asked for again.
	answers := "ftp://x\nhttps://api.example.com\n\nnowhere\nsandbox\n\n"
	_, errs, err := execute(t, dir, answers, "init")
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	for key, want := range map[string]string{"base_url": "https://api.example.com", "sandbox_url": "", "server": "sandbox", "output": "table"} {
		t.Run(key, func(t *testing.T) {
			if got := setting(t, dir, key); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	if strings.Count(errs, "base_url, ") != 2 || !strings.Contains(errs, "(production/sandbox/mock) [production]: ") {
		t.Errorf("asked %s\nwant base_url twice, and server with its words", errs)
	}

	// A profile that is there is changed only after a yes.
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

// TestInitWithoutAnswers ends the input between two questions: nothing is written.
func TestInitWithoutAnswers(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := execute(t, dir, "https://api.example.com\n", "init"); err == nil {
		t.Error("got no error where the input ends")
	}
	if got := setting(t, dir, "base_url"); got != "" {
		t.Errorf("base_url: got %q, want none", got)
	}
}
