// Package golden compares what a test got with a file that a person can read.
//
// The test packages that use it have the flag -update, which writes the files
// again: go test ./cmd ./output ./output/chart -update
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files, stories and reference again")

// Update reports whether the files are to be written instead of compared.
func Update() bool { return *update }

// Compare fails the test if got is not the text of the file at path, and reports
// the lines that differ. With -update it writes the file.
func Compare(t *testing.T, path, got string) {
	t.Helper()
	if Update() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	if got == want {
		return
	}
	missing, added := difference(want, got), difference(got, want)
	if len(missing)+len(added) == 0 {
		t.Errorf("%s: the same lines in another order, got:\n%s", path, got)
	}
	for _, line := range missing {
		t.Errorf("%s: want %q", path, line)
	}
	for _, line := range added {
		t.Errorf("%s: got %q", path, line)
	}
	t.Errorf("%s differs; if that is intended, run: go test -run '^%s$' -update", path, strings.Split(t.Name(), "/")[0])
}

// difference returns the lines of a that b does not have.
func difference(a, b string) []string {
	in := map[string]bool{}
	for line := range strings.SplitSeq(b, "\n") {
		in[line] = true
	}
	var out []string
	for line := range strings.SplitSeq(a, "\n") {
		if !in[line] {
			out = append(out, line)
		}
	}
	return out
}
