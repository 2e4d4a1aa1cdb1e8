package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"reseller/docs"
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
// the first line that fails. Each of the told lines must be among those that the script
// writes to stderr.
func writeStory(t *testing.T, path, script string, told ...string) {
	t.Helper()
	story := "shell 'sh -e script'\n"
	if strings.Contains(script, "\nsqlite3 ") {
		story = "[!exec:sqlite3] skip 'sqlite3 is not installed'\n" + story
	}
	for _, line := range told {
		story += "stderr '^" + strings.ReplaceAll(regexp.QuoteMeta(line), "'", "''") + "$'\n"
	}
	story += "-- script --\ncp -r \"$PROJECT/examples\" .\n" + script
	if err := os.WriteFile(path, []byte(story), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A shellBlock is a shell script of a text, and the lines of the block of text that follows
// it: what the script writes to stderr.
type shellBlock struct {
	script string
	told   []string
}

// shellBlocks are the shell scripts of a text.
func shellBlocks(t *testing.T, path string) []shellBlock {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []shellBlock
	parts := strings.Split(string(text), "```")
	for i := 1; i < len(parts); i += 2 {
		script, ok := strings.CutPrefix(parts[i], "sh\n")
		if !ok {
			continue
		}
		block := shellBlock{script: script}
		if i+2 < len(parts) && strings.TrimSpace(parts[i+1]) == "" {
			if told, ok := strings.CutPrefix(parts[i+2], "text\n"); ok {
				block.told = strings.Split(strings.TrimSpace(told), "\n")
			}
		}
		out = append(out, block)
	}
	return out
}

// TestDocsRun runs the shell blocks of the README, of which the second runs these
// tests and is left out, and those of the guides.
func TestDocsRun(t *testing.T) {
	readme := shellBlocks(t, "../README.md")
	if len(readme) < 12 || !strings.HasPrefix(readme[0].script, "go run . ") || strings.TrimSpace(readme[1].script) != "go test ./..." {
		t.Fatalf("got %d blocks in the README, want 12 or more, first the demonstration and then the tests", len(readme))
	}
	readme[0].script = strings.Replace(readme[0].script, "go run .", "reseller", 1)
	texts := map[string][]shellBlock{"readme": append(readme[:1], readme[2:]...)}
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
			writeStory(t, filepath.Join(dir, fmt.Sprintf("%s-%02d.txtar", name, i)), block.script, block.told...)
		}
	}
	runScripts(t, dir)
}

// TestGuidesAreInTheProgram checks that each page of docs is a guide that the program shows,
// or one for developers.
func TestGuidesAreInTheProgram(t *testing.T) {
	developers := map[string]bool{
		"architecture.md": true, "dependencies.md": true, "performance.md": true,
		"reference.md": true, // `reseller help` shows it
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("got no pages (%v)", err)
	}
	for _, page := range pages {
		name := filepath.Base(page)
		t.Run(name, func(t *testing.T) {
			_, err := docs.Guides.ReadFile(name)
			if shown := err == nil; shown == developers[name] {
				t.Errorf("got shown %v, want %v: name guides in docs/guides.go, and pages for developers here", shown, !shown)
			}
		})
	}
}

// TestCronLineRuns runs the command of the line for cron that the guide of reports has.
func TestCronLineRuns(t *testing.T) {
	text, err := os.ReadFile("../docs/reports.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```crontab\n")
	line, _, _ := strings.Cut(block, "\n")
	fields := strings.SplitN(line, " ", 6)
	if len(fields) < 6 || regexp.MustCompile(`(^|[^\\])%`).MatchString(line) {
		t.Fatalf("got the line %q, want five times and a command without a bare %%", line)
	}
	dir := t.TempDir()
	command := strings.ReplaceAll(fields[5], `\%`, "%")
	writeStory(t, filepath.Join(dir, "cron.txtar"), "export RESELLER_SERVER=mock\n"+command+"\nls \"$HOME\"/reports/*/index.html\n")
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
