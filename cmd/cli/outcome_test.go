package cli

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// watching is a context that counts how often something asks whether it has ended, from when on signals are watched.
type watching struct {
	context.Context
	asked int
}

func (w *watching) Err() error {
	w.asked++
	return nil
}

// TestSignalsAreInTheSummary begins a command: from then on a signal must not end the process, which would leave no summary.
func TestSignalsAreInTheSummary(t *testing.T) {
	f, c, ctx := NewFrame(Streams{}, ""), &cobra.Command{Use: "load"}, &watching{Context: t.Context()}
	f.Flags.AddTo(c)
	f.Flags.AddSummaryFile(c)
	f.Context = ctx
	if err := f.Outcome.Begin(c); err != nil || ctx.asked == 0 {
		t.Errorf("got the error %v, and asked %d times whether the context has ended, want none and once", err, ctx.asked)
	}
}

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

// TestNoOldSummaryStays finishes a command whose summary was written before and can't be written again, since the path of its temporary
// file is too long: the first one, with another exit code, is gone.
func TestNoOldSummaryStays(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems than Linux limit a path to another length")
	}
	folder, maxPath := t.TempDir(), 4095
	for len(folder) < maxPath-20 {
		folder = filepath.Join(folder, strings.Repeat("f", min(200, maxPath-20-len(folder))))
	}
	path := filepath.Join(folder, "s.json")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"exit_code": 0}`), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &Outcome{s: &Session{Streams: Streams{Env: func(string) (string, bool) { return "", false }}}, summarized: true, summaryFiles: []string{path}}
	err := o.Finish(nil, nil, nil)
	if text, _ := os.ReadFile(path); ExitCode(err) != ExitFailed || len(text) > 0 {
		t.Errorf("got the error %v and the summary %s, want exit code %d and no file", err, text, ExitFailed)
	}
}
