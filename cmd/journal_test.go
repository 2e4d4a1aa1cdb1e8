package cmd_test

import (
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/job"
)

// TestJournalRunsOnlyLoads checks that a journal, which may have come with a state folder from elsewhere, runs only commands
// that load a file, and sets only flags that these have of their own.
func TestJournalRunsOnlyLoads(t *testing.T) {
	refused := func(name string, command []string, flags map[string][]string, want string) {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			header := job.Header{Key: job.Key{Operation: "keywords.create", BaseURL: "mock", Profile: "default"}, Command: command, Flags: flags, File: "rows.csv", Format: "csv"}
			j, err := job.Store(filepath.Join(state, "jobs")).Begin(header, job.Input{Counts: job.Counts{Rows: 1, ShardRows: 1}}, false)
			noError(t, err)
			noError(t, j.Close())
			code, _, stderr := session{}.run(t, "jobs", "resume", j.ID, "--file", "rows.csv", "--state-dir", state)
			if code != 2 || !strings.Contains(stderr, want) {
				t.Errorf("got exit code %d and %q, want 2 and %q", code, stderr, want)
			}
		})
	}
	for _, words := range []string{"api", "jobs resume", "auth logout", "reports keywords", "keywords", "none", ""} {
		refused("command "+words, strings.Fields(words), nil, "was started by a command that this version does not have:"+strings.TrimRight(" "+words, " "))
	}
	for _, flag := range []string{"output-file", "debug", "ca-file", "base-url", "yes", "none"} {
		refused("flag "+flag, []string{"keywords", "add"}, map[string][]string{flag: {"x"}}, "has no flag --"+flag+" of its own")
	}
}
