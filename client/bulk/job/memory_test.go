package job

import (
	"testing"
	"time"
)

// TestMemoryChanges kills a job in a call, and asks whether that may still change what another job changes.
func TestMemoryChanges(t *testing.T) {
	for name, c := range map[string]struct {
		before  string
		changes bool
		after   string
		want    bool
	}{
		"records of one kind":       {"keywords.update", true, "keywords.update", true},
		"records of two kinds":      {"keywords.update", true, "accounts.update", false},
		"steps before":              {"onboard", true, "keywords.update", true},
		"steps after":               {"keywords.update", true, "onboard", true},
		"new records":               {"keywords.create", false, "keywords.update", false},
		"records that were updated": {"keywords.create", true, "keywords.update", true},
	} {
		t.Run(name, func(t *testing.T) {
			store := Store(t.TempDir())
			j, err := store.Begin(Header{Key: Key{Operation: c.before, Digest: "abc"}, Format: "txt"}, threeRows(), false)
			noError(t, err)
			if c.changes {
				j.Record(Changes(1, nil))
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
