package client_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goBlocks returns the Go files that a text shows.
func goBlocks(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	noError(t, err)
	var out []string
	for i, block := range strings.Split(string(text), "```") {
		if code, ok := strings.CutPrefix(block, "go\n"); ok && i%2 == 1 {
			out = append(out, code)
		}
	}
	return out
}

// TestOutsideModule runs the Go programs that the README and the guide show in a module of
// their own, which names this one by a replacement.
func TestOutsideModule(t *testing.T) {
	root, err := filepath.Abs("..")
	noError(t, err)
	readme, guide := goBlocks(t, "../README.md"), goBlocks(t, "../docs/library.md")
	if len(readme) != 1 || len(guide) != 2 {
		t.Fatalf("got %d programs in the README and %d in the guide, want 1 and 2", len(readme), len(guide))
	}
	if lines := strings.Count(readme[0], "\n"); lines >= 40 {
		t.Errorf("the program in the README has %d lines, want less than 40", lines)
	}
	sums, err := os.ReadFile("../go.sum")
	noError(t, err)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                    "module example.com/onboarding\n\ngo 1.26\n\nrequire reseller v0.0.0\n\nreplace reseller => " + root + "\n",
		"go.sum":                    string(sums),
		"readme/onboarding_test.go": readme[0],
		"guide/main.go":             guide[0],
		"guide/main_test.go":        guide[1],
	} {
		path := filepath.Join(dir, name)
		noError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		noError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	run := exec.CommandContext(t.Context(), "go", "test", "-mod=mod", "./...")
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if unformatted, err := exec.CommandContext(t.Context(), "gofmt", "-l", dir).CombinedOutput(); err != nil || len(unformatted) > 0 {
		t.Errorf("gofmt: %v %s", err, unformatted)
	}
}
