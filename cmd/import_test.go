package cmd_test

import (
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/job"
	"reseller/cmd/bulkcmd"
)

// TestCheckImported checks that a journal from an archive runs only commands that load a
// file, sets only flags that these have of their own, and names no file to write.
func TestCheckImported(t *testing.T) {
	root := newTree()
	for _, words := range []string{"api", "jobs resume", "jobs import", "auth logout", "reports keywords", "keywords", "none", ""} {
		t.Run("command "+words, func(t *testing.T) {
			h := job.Header{ID: "0123abcd-1", Command: strings.Fields(words)}
			if _, err := bulkcmd.CheckImported(root, &h); err == nil || !strings.Contains(err.Error(), "was started by a command that this version does not have: "+words) {
				t.Errorf("got error %v, want one that names the command %q", err, words)
			}
		})
	}
	for _, flag := range []string{"output-file", "debug", "ca-file", "base-url", "yes", "none"} {
		t.Run("flag "+flag, func(t *testing.T) {
			h := job.Header{ID: "0123abcd-1", Command: []string{"keywords", "add"}, Flags: map[string][]string{flag: {"x"}}}
			if _, err := bulkcmd.CheckImported(root, &h); err == nil || !strings.Contains(err.Error(), "has no flag --"+flag+" of its own") {
				t.Errorf("got error %v, want one that names --%s", err, flag)
			}
		})
	}
	t.Run("files", func(t *testing.T) {
		h := job.Header{Command: []string{"keywords", "add"}, Flags: map[string][]string{
			"type": {"target"}, "results": {"/r"}, "rejects": {"/j"}, "unknown": {"/u"}, "save-map": {"/m"}, "summary-file": {"/s"}, "allow-http": {"true"}, "restart": {"true"},
		}}
		left, err := bulkcmd.CheckImported(root, &h)
		if want := []string{"--rejects /j", "--results /r", "--unknown /u"}; err != nil || !slices.Equal(left, want) {
			t.Errorf("got %q, error %v, want %q", left, err, want)
		}
		if len(h.Flags) != 1 || h.Flags["type"] == nil {
			t.Errorf("got flags %v, want --type alone", h.Flags)
		}
	})
}
