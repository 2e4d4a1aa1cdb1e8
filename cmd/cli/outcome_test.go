package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFinishTellsItsOwnFailure writes a summary to a file and to a folder that is gone by then: the file has the exit
// code of that failure.
func TestFinishTellsItsOwnFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	nothing := func(string) (string, bool) { return "", false }
	o := &Outcome{s: &Session{Streams: Streams{Env: nothing}}, summarized: true, summaryFiles: []string{path, filepath.Join(t.TempDir(), "gone", "s.xml")}}
	if printed := o.Summarized(nil); printed.ExitCode != ExitFailed {
		t.Errorf("the summary that is printed has exit code %d, want %d", printed.ExitCode, ExitFailed)
	}
	err := o.Finish(nil, nil, nil)
	text, _ := os.ReadFile(path)
	if ExitCode(err) != ExitFailed || !strings.Contains(string(text), `"exit_code": 1,`) {
		t.Errorf("got the error %v and the summary %s, want exit code %d in both", err, text, ExitFailed)
	}
}
