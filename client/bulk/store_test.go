package bulk

import (
	"os"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
)

// A job that is known has its input: it is kept before the job begins. What a
// kill leaves of one that did not begin is swept away.
func TestInputIsKeptFirst(t *testing.T) {
	store := Store(t.TempDir())
	for _, left := range []string{"dead-1.input", ".input-123", "live-1.input", "live-1.journal"} {
		if err := os.WriteFile(store.path(left, ""), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := Open(decode.Options{Path: "-", Stdin: strings.NewReader(keywordHead + "1,1,a,target\n"), Format: "csv"}, creating())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = src.Close() }()
	if _, err := src.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	job, err := store.Begin(Header{File: "-", Format: "csv"}, src, false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = job.Close() }()
	var names []string
	entries, _ := os.ReadDir(string(store))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	want := []string{".lock", job.ID + ".input", job.ID + ".journal", job.ID + ".lock", "live-1.input", "live-1.journal"}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	input, err := os.Stat(job.Input(store))
	if err != nil {
		t.Fatal(err)
	}
	journal, err := os.Stat(store.path(job.ID, journalEnding))
	if err != nil || input.ModTime().After(journal.ModTime()) {
		t.Errorf("the input is from %v, the journal from %v, %v", input.ModTime(), journal.ModTime(), err)
	}
}
