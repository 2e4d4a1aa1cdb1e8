package configure

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// run executes `config ARGS` for somebody at a terminal who types answers.
func run(t *testing.T, dir, answers string, args ...string) (string, string, error) {
	t.Helper()
	var out, errs bytes.Buffer
	f := &cli.Factory{Streams: cli.Streams{
		In: strings.NewReader(answers), Out: &out, Err: &errs, InTTY: true, ErrTTY: true,
		Width: func() int { return 80 }, Restore: func() {},
		Env: func(name string) (string, bool) { return dir, name == "XDG_CONFIG_HOME" },
	}}
	defer f.Close()
	root := &cobra.Command{Use: "reseller", SilenceErrors: true, SilenceUsage: true}
	f.Flags.AddTo(root)
	root.AddCommand(New(f))
	root.SetArgs(append([]string{"config"}, args...))
	err := root.ExecuteContext(context.Background())
	return out.String(), errs.String(), err
}

func value(t *testing.T, dir, key string) string {
	t.Helper()
	out, _, err := run(t, dir, "", "get", key)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(out, "\n")
}

func TestInitAsks(t *testing.T) {
	dir := t.TempDir()
	// The second and fifth answers are refused and asked for again.
	answers := "ftp://x\nhttps://api.example.com\n\nnowhere\nsandbox\n\n"
	_, errs, err := run(t, dir, answers, "init")
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	for key, want := range map[string]string{"base_url": "https://api.example.com", "sandbox_url": "", "server": "sandbox", "output": "table"} {
		if got := value(t, dir, key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if strings.Count(errs, "base_url, ") != 2 || !strings.Contains(errs, "(production/sandbox/mock) [production]: ") {
		t.Errorf("questions: %s", errs)
	}

	// A profile that is there is changed only after a yes.
	if _, _, err := run(t, dir, "\n", "init", "--server", "mock"); cli.ExitCode(err) != cli.ExitFailed {
		t.Errorf("no answer: %v", err)
	}
	if got := value(t, dir, "server"); got != "sandbox" {
		t.Errorf("server is %q after a no", got)
	}
	if _, _, err := run(t, dir, "y\n", "init", "--server", "mock"); err != nil {
		t.Error(err)
	}
	if got := value(t, dir, "server"); got != "mock" {
		t.Errorf("server is %q after a yes", got)
	}
}

// TestInitGivenUp: an input that ends writes nothing.
func TestInitGivenUp(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := run(t, dir, "https://api.example.com\n", "init"); err == nil {
		t.Error("no error")
	}
	if got := value(t, dir, "base_url"); got != "" {
		t.Errorf("base_url is %q", got)
	}
}
