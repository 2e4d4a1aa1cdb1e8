package job

import (
	"path/filepath"
	"testing"
	"time"

	"reseller/client/bulk/dedupe"
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

// TestRemember sends rows without a job. Without an end of the call they are in doubt, and after an end they have its outcome.
func TestRemember(t *testing.T) {
	key, index := Key{Operation: "keywords.create", BaseURL: "http://localhost"}, dedupe.NewKey()
	for name, c := range map[string]struct {
		outcome State
		sent    int
		doubts  int
		changes bool
	}{
		"without an end": {StateInFlight, 0, 1, true},
		"lost":           {StateUnknown, 0, 1, true},
		"acknowledged":   {StateSent, 1, 0, false},
		"refused":        {StateRefused, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			store := Store(t.TempDir())
			for _, said := range []Event{Identities("keyword").AppendIdentity(0, index.Fingerprint([]byte("a"), nil)), Changes(0, []dedupe.Fingerprint{index.Fingerprint([]byte("b"), nil)})} {
				key.Operation = map[bool]string{true: "keywords.create", false: "keywords.update"}[said[0] == kindIdentities]
				end := store.Remember(key, Boot{"1", time.Hour}, 1, said)
				if c.outcome != StateInFlight {
					end(c.outcome)
				}
			}
			for _, creates := range []string{"keyword", ""} {
				later := store.Preview(Header{Key: Key{Operation: "keywords.update", Digest: "d", BaseURL: key.BaseURL}}, 0)
				sent, doubts, changes := 0, 0, false
				for m, err := range later.Memories(creates, time.Hour, Boot{"1", time.Hour + time.Minute}, All) {
					noError(t, err)
					changes = changes || m.Changes(later)
					for row := range m.Rows {
						if row.State == StateSent {
							sent++
						}
						if row.IsInDoubt() {
							doubts++
						}
					}
					if m.By() != "another command" || m.Recovery.Rows > 0 && m.Ago != time.Minute {
						t.Errorf("got the memory %+v, want one of another command, a minute old", m)
					}
				}
				if sent != c.sent || doubts != c.doubts || changes != (c.changes && creates == "") {
					t.Errorf("of %q: got %d rows sent, %d in doubt, changes %t; want %d, %d, %t", creates, sent, doubts, changes, c.sent, c.doubts, c.changes)
				}
			}
			if logs, _ := filepath.Glob(string(store) + "/" + memoryPrefix + "*"); len(logs) > 0 == (c.outcome == StateRefused) {
				t.Errorf("got the logs %v after %v", logs, c.outcome)
			}
			all, err := store.List()
			if noError(t, err); len(all) > 0 {
				t.Errorf("got the jobs %v, want none", all)
			}
			noError(t, store.Forget(key.BaseURL))
			noError(t, store.Preview(Header{Key: key}, 0).EachSent("keyword", MemoryTime, Boot{}, All, func(_ *Memory, row SentRow) { t.Errorf("got %v after Forget", row) }))
			store.Remember(key, Boot{}, 1)(StateRefused) // which removes those that are a day old
			if logs, _ := filepath.Glob(string(store) + "/" + memoryPrefix + "*"); len(logs) > 0 {
				t.Errorf("got the logs %v after a day", logs)
			}
		})
	}
}
