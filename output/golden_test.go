package output

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files again")

// compareGolden fails the test if got is not the text of the file at path. With -update it writes the file.
func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		noError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if diff := cmp.Diff(string(want), got); err != nil || diff != "" {
		t.Errorf("%s differs (error %v); if that is intended, run the test with -update:\n%s", path, err, diff)
	}
}
