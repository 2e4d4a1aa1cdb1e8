package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"reseller/docs"
)

// TestExamplesRun runs the example of every command, each in a home of its own.
func TestExamplesRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	walk(newTree(), func(c *cobra.Command) {
		if c.Example == "" || skipExample[c.CommandPath()] {
			return
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".txtar"
		writeStory(t, filepath.Join(dir, name), shellBlock{script: "export RESELLER_SERVER=mock\n" + c.Example})
	})
	runScripts(t, dir)
}

// skipExample are commands whose examples wait for something outside.
var skipExample = map[string]bool{
	"reseller mock serve": true, // until interrupted; has stories
	"reseller auth login": true, // asks, or logs in at a real service; has stories
	"reseller doctor":     true, // tells what is missing by its exit code; has stories
}

// A shellBlock is a shell script of a text, and the lines of the block of text that follows
// it: what the script writes to stderr. If one of them is an error, the script fails.
type shellBlock struct {
	script string
	told   []string
}

// writeStory writes a story that runs shell scripts beside the examples, one after the
// other, each up to the first line that fails.
func writeStory(t *testing.T, path string, blocks ...shellBlock) {
	t.Helper()
	var commands, files strings.Builder
	for i, block := range blocks {
		if strings.Contains("\n"+block.script, "\nsqlite3 ") {
			commands.WriteString("[exec:sqlite3] ")
		}
		if slices.ContainsFunc(block.told, func(line string) bool { return strings.HasPrefix(line, "error: ") }) {
			commands.WriteString("! ")
		}
		fmt.Fprintf(&commands, "shell 'sh -e script-%d'\n", i+1)
		for _, line := range block.told {
			fmt.Fprintf(&commands, "stderr '^%s$'\n", strings.ReplaceAll(regexp.QuoteMeta(line), "'", "''"))
		}
		fmt.Fprintf(&files, "-- script-%d --\n%s", i+1, block.script)
	}
	story := "shell 'cp -r \"$PROJECT/examples\" .'\n" + commands.String() + files.String()
	noError(t, os.WriteFile(path, []byte(story), 0o600))
}

// shellBlocks are the shell scripts of a text.
func shellBlocks(t *testing.T, path string) []shellBlock {
	t.Helper()
	text, err := os.ReadFile(path)
	noError(t, err)
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

// TestDocsRun runs the shell blocks of the README, of which the second runs these tests and is
// left out, and those of each guide one after the other in one home, as a reader runs them.
func TestDocsRun(t *testing.T) {
	t.Parallel()
	readme := shellBlocks(t, "../README.md")
	if len(readme) < 12 || !strings.HasPrefix(readme[0].script, "go run . ") || strings.TrimSpace(readme[1].script) != "go test ./..." {
		t.Fatalf("got %d blocks in the README, want 12 or more, first the demonstration and then the tests", len(readme))
	}
	readme[0].script = strings.Replace(readme[0].script, "go run .", "reseller", 1)
	dir := t.TempDir()
	writeStory(t, filepath.Join(dir, "README.md.txtar"), slices.Delete(readme, 1, 2)...)
	guides, err := filepath.Glob("../docs/*.md")
	if err != nil || len(guides) == 0 {
		t.Fatalf("got no guides (%v)", err)
	}
	for _, guide := range guides {
		if blocks := shellBlocks(t, guide); len(blocks) > 0 {
			writeStory(t, filepath.Join(dir, filepath.Base(guide)+".txtar"), blocks...)
		}
	}
	runScripts(t, dir)
}

// TestGuidesAreInTheProgram checks that each page of docs is a guide that the program shows,
// or one for developers.
func TestGuidesAreInTheProgram(t *testing.T) {
	developers := map[string]bool{
		"architecture.md": true, "dependencies.md": true, "performance.md": true,
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
	t.Parallel()
	text, err := os.ReadFile("../docs/reports.md")
	noError(t, err)
	_, block, _ := strings.Cut(string(text), "```crontab\n")
	line, _, _ := strings.Cut(block, "\n")
	fields := strings.SplitN(line, " ", 6)
	if len(fields) < 6 || regexp.MustCompile(`(^|[^\\])%`).MatchString(line) {
		t.Fatalf("got the line %q, want five times and a command without a bare %%", line)
	}
	dir := t.TempDir()
	command := strings.ReplaceAll(fields[5], `\%`, "%")
	writeStory(t, filepath.Join(dir, "cron.txtar"), shellBlock{script: "export RESELLER_SERVER=mock\n" + command + "\nls \"$HOME\"/reports/*/index.html\n"})
	runScripts(t, dir)
}

// runScripts runs the stories in a directory, for which PROJECT is the root of the repository.
func runScripts(t *testing.T, dir string) {
	t.Helper()
	project, err := filepath.Abs("..")
	noError(t, err)
	testscript.Run(t, testscript.Params{
		Dir: dir, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PROJECT", project)
			return setup(env, dir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"shell": shell},
	})
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
