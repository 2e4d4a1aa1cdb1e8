package job

import (
	"testing"
	"time"
)

// TestMemoryChanges kills a job in a call, or lets it find out what became of the call, and asks whether that may still change
// what another job changes.
func TestMemoryChanges(t *testing.T) {
	updates, row := map[string][]string{"update-existing": {"true"}}, []uint32{1}
	lost, shown := BatchResult(0, Result{State: StateUnknown}), RowResult(Result{State: StateSent}, 1)
	again := []Event{lost, RowResult(Result{State: StatePending}, 1), Intent(1, row), BatchResult(1, Result{State: StateSent}), Finished()}
	for name, c := range map[string]struct {
		before string
		flags  map[string][]string
		after  string
		events []Event
		want   bool
	}{
		"records of one kind":         {"keywords.update", nil, "keywords.update", nil, true},
		"records of two kinds":        {"keywords.update", nil, "accounts.update", nil, false},
		"steps before":                {"onboard", nil, "keywords.update", nil, true},
		"steps after":                 {"keywords.update", nil, "onboard", nil, true},
		"new records":                 {"keywords.create", nil, "keywords.update", nil, false},
		"records that may be updated": {"keywords.create", updates, "keywords.update", nil, true},
		"not yet shown":               {"keywords.update", nil, "keywords.delete", []Event{lost}, true},
		"shown in a stopped job":      {"keywords.update", nil, "keywords.delete", []Event{lost, shown}, true},
		"shown":                       {"keywords.update", nil, "keywords.delete", []Event{lost, shown, Finished()}, false},
		"sent again":                  {"keywords.update", nil, "keywords.delete", again, true},
	} {
		t.Run(name, func(t *testing.T) {
			store := Store(t.TempDir())
			j, err := store.Begin(Header{Key: Key{Operation: c.before, Digest: "abc"}, Flags: c.flags, Format: "txt"}, threeRows(), false)
			noError(t, err)
			if c.before == "keywords.create" {
				j.Record(Identities("keywords"))
			}
			j.Record(RunStarted(Boot{"boot", time.Hour}))
			j.Record(CallStarted(j.RecordIntent(row), 0))
			j.Record(c.events...)
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
