package job

import (
	"testing"
	"time"
)

// TestMemoryChanges kills a job in a call, and asks whether that may still change what another job changes.
func TestMemoryChanges(t *testing.T) {
	updates := map[string][]string{"update-existing": {"true"}}
	for name, c := range map[string]struct {
		before string
		flags  map[string][]string
		after  string
		want   bool
	}{
		"records of one kind":         {"keywords.update", nil, "keywords.update", true},
		"records of two kinds":        {"keywords.update", nil, "accounts.update", false},
		"steps before":                {"onboard", nil, "keywords.update", true},
		"steps after":                 {"keywords.update", nil, "onboard", true},
		"new records":                 {"keywords.create", nil, "keywords.update", false},
		"records that may be updated": {"keywords.create", updates, "keywords.update", true},
	} {
		t.Run(name, func(t *testing.T) {
			store := Store(t.TempDir())
			j, err := store.Begin(Header{Key: Key{Operation: c.before, Digest: "abc"}, Flags: c.flags, Format: "txt"}, threeRows(), false)
			noError(t, err)
			if c.before == "keywords.create" {
				j.Record(Identities("keywords"))
			}
			j.Record(CallStarted(j.RecordIntent([]uint32{1}), 0))
			noError(t, j.Close())
			later, got := store.Preview(Header{Key: Key{Operation: c.after, Digest: "def"}}, 0), false
			for m, err := range later.Memories("", time.Hour, Boot{}, nil) {
				noError(t, err)
				got = got || m.Changes(later)
			}
			if got != c.want {
				t.Errorf("after %s, %s: got %t, want %t", c.before, c.after, got, c.want)
			}
		})
	}
}
