package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

// TestExamplesRun runs the example of every command, each in a home of its own.
func TestExamplesRun(t *testing.T) {
	dir := t.TempDir()
	walk(newTree(), func(c *cobra.Command) {
		if c.Example == "" || skipExample[c.CommandPath()] {
			return
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".txtar"
		writeStory(t, filepath.Join(dir, name), "export RESELLER_SERVER=mock\n"+c.Example)
	})
	runScripts(t, dir)
}

// skipExample are commands whose examples wait for something outside.
var skipExample = map[string]bool{
	"reseller mock serve": true, // until interrupted; has stories
	"reseller auth login": true, // asks, or logs in at a real service; has stories
	"reseller doctor":     true, // tells what is missing by its exit code; has stories
}

// writeStory writes a story that runs a shell script beside the examples, up to
// the first line that fails.
func writeStory(t *testing.T, path, script string) {
	t.Helper()
	story := "shell 'sh -e script'\n-- script --\ncp -r \"$PROJECT/examples\" .\n" + script
	if err := os.WriteFile(path, []byte(story), 0o600); err != nil {
		t.Fatal(err)
	}
}

// shellBlocks are the shell scripts of a text.
func shellBlocks(t *testing.T, path string) []string {
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

// TestDocsRun runs the shell blocks of the README, of which the second runs these
// tests and is left out, and those of the guides.
func TestDocsRun(t *testing.T) {
	readme := shellBlocks(t, "../README.md")
	if len(readme) < 12 || !strings.HasPrefix(readme[0], "go run . ") || strings.TrimSpace(readme[1]) != "go test ./..." {
		t.Fatalf("got %d blocks in the README, want 12 or more, first the demonstration and then the tests", len(readme))
	}
	readme[0] = strings.Replace(readme[0], "go run .", "reseller", 1)
	texts := map[string][]string{"readme": append(readme[:1], readme[2:]...)}
	guides, err := filepath.Glob("../docs/*.md")
	if err != nil || len(guides) == 0 {
		t.Fatalf("got no guides (%v)", err)
	}
	for _, guide := range guides {
		texts[filepath.Base(guide)] = shellBlocks(t, guide)
	}
	dir := t.TempDir()
	for name, list := range texts {
		for i, block := range list {
			writeStory(t, filepath.Join(dir, fmt.Sprintf("%s-%02d.txtar", name, i)), block)
		}
	}
	runScripts(t, dir)
}

// runScripts runs the stories in a directory, for which PROJECT is the root of the repository.
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"shell": shell},
	})
}
