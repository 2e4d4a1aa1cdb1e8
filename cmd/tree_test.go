package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/internal/golden"
)

func tree() *cobra.Command {
	f := &cli.Factory{Streams: cli.Streams{
		In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{},
		Env: func(string) (string, bool) { return "", false },
	}}
	return cmd.New(f)
}

// walk visits every command that a person sees.
func walk(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			walk(sub, visit)
		}
	}
}

// TestSurface holds every command and flag: scripts rely on them, so one that
// goes or changes must be owned up to by a change of the file.
func TestSurface(t *testing.T) {
	var b strings.Builder
	walk(tree(), func(c *cobra.Command) {
		fmt.Fprintf(&b, "%s\n", c.UseLine())
		set := c.LocalNonPersistentFlags()
		if !c.HasParent() {
			set = c.PersistentFlags()
		}
		set.VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				fmt.Fprintf(&b, "%s --%s %s\n", c.CommandPath(), f.Name, f.Value.Type())
			}
		})
	})
	golden.Compare(t, "../.surface", b.String())
}

// TestReference keeps the reference equal to the help of the commands.
func TestReference(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Reference\n\nMade from the commands by `go test ./cmd -run Reference -update`.\n")
	walk(tree(), func(c *cobra.Command) {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s```\n", c.CommandPath(), cli.HelpText(c))
	})
	golden.Compare(t, "../docs/reference.md", b.String())
}

// TestHelpIsWhole checks that every command says what it does, and every leaf
// shows how.
func TestHelpIsWhole(t *testing.T) {
	walk(tree(), func(c *cobra.Command) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: short help %q", c.CommandPath(), c.Short)
		}
		if !c.HasAvailableSubCommands() && c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for line := range strings.SplitSeq(cli.HelpText(c), "\n") {
			if len(line) > 160 {
				t.Errorf("%s: a line of %d characters: %s", c.CommandPath(), len(line), line)
			}
		}
	})
}

// TestHelpTouchesNothing runs help, version and completion in surroundings
// that count every look at the environment, from which all else follows.
func TestHelpTouchesNothing(t *testing.T) {
	lines := [][]string{{"version"}, {"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"completion", "powershell"}, {"help", "exit-codes"}, {"__complete", "accounts", ""}, {"__complete", "accounts", "list", "--columns", ""}, {"__complete", "accounts", "list", "--output", ""}}
	walk(tree(), func(c *cobra.Command) {
		lines = append(lines, append(strings.Fields(c.CommandPath())[1:], "--help"))
	})
	for _, args := range lines {
		looks := 0
		var out, errs bytes.Buffer
		streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) (string, bool) {
			if name != "RESELLER_OUTPUT" { // of the environment alone, it needs no file
				looks++
			}
			return "", false
		}, Width: func() int { return 80 }}
		if code := cmd.Main(t.Context(), args, streams, "test"); code != 0 || out.Len() == 0 || looks > 0 {
			t.Errorf("%v: exit %d, %d bytes, %d looks at the environment, %s", args, code, out.Len(), looks, errs.String())
		}
	}
}

// TestBranchesAreWhole checks that a command that the command line makes by
// itself is the one of the whole tree.
func TestBranchesAreWhole(t *testing.T) {
	walk(tree(), func(c *cobra.Command) {
		var want, got bytes.Buffer
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		root := tree()
		root.SetOut(&want)
		root.SetArgs(args)
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		streams := cli.Streams{Out: &got, Err: &got, Env: func(string) (string, bool) { return "", false }}
		if code := cmd.Main(t.Context(), args, streams, "test"); code != 0 || got.String() != want.String() {
			t.Errorf("%v: exit %d: %s", args, code, got.String())
		}
	})
}

// TestExamplesRun runs the example of every command, each in a home of its own.
func TestExamplesRun(t *testing.T) {
	dir := t.TempDir()
	walk(tree(), func(c *cobra.Command) {
		if c.Example == "" || skipExample[c.CommandPath()] {
			return
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".txtar"
		script := "shell " + quote(exampleScript(c.Example)) + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	runScripts(t, dir)
}

// skipExample are commands whose examples wait for something outside.
var skipExample = map[string]bool{
	"reseller mock serve": true, // until interrupted; has stories
	"reseller auth login": true, // asks, or logs in at a real service; has stories
	"reseller doctor":     true, // tells what is missing by its exit code; has stories
}

// exampleScript stops at the first line that fails.
func exampleScript(example string) string {
	return "set -e\ncp -r \"$PROJECT/examples\" .\nexport RESELLER_SERVER=mock\n" + example
}

// blocks are the shell commands of a text.
func blocks(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, part := range strings.Split(string(text), "```") {
		if block, ok := strings.CutPrefix(part, "sh\n"); ok && i%2 == 1 {
			out = append(out, block)
		}
	}
	return out
}

// TestTextsRun pastes the blocks of the README, behind the first two which are
// the demonstration and the tests themselves, and those of the guides.
func TestTextsRun(t *testing.T) {
	readme := blocks(t, "../README.md")
	if len(readme) < 12 || !strings.HasPrefix(readme[0], "go run . ") || strings.TrimSpace(readme[1]) != "go test ./..." {
		t.Fatalf("%d blocks; the first must be the demonstration, the second the tests", len(readme))
	}
	readme[0] = strings.Replace(readme[0], "go run .", "reseller", 1)
	texts := map[string][]string{"readme": append(readme[:1], readme[2:]...)}
	guides, err := filepath.Glob("../docs/*.md")
	if err != nil || len(guides) == 0 {
		t.Fatalf("no guides: %v", err)
	}
	for _, guide := range guides {
		texts[filepath.Base(guide)] = blocks(t, guide)
	}
	dir := t.TempDir()
	for name, list := range texts {
		for i, block := range list {
			script := "shell " + quote("set -e\ncp -r \"$PROJECT/examples\" .\n"+block) + "\n"
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%02d.txtar", name, i)), []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	runScripts(t, dir)
}

func runScripts(t *testing.T, dir string) {
	t.Helper()
	project, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: dir, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PROJECT", project)
			return setup(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"shell": shellFile},
	})
}

// quote makes text one word of a script, whose words end with their line.
func quote(text string) string { return fmt.Sprintf("%x", text) }

// shellFile runs a script that quote made a word of.
func shellFile(ts *testscript.TestScript, neg bool, args []string) {
	var script []byte
	_, err := fmt.Sscanf(args[0], "%x", &script)
	ts.Check(err)
	shell(ts, neg, []string{string(script)})
}
