package job

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/wal"
)

// TestSingles looks for what commands without a job have written, whose log has damage in its midst, as of one that was killed while
// it wrote.
func TestSingles(t *testing.T) {
	store, key := Store(t.TempDir()), dedupe.NewKey()
	of := func(text string) dedupe.Fingerprint { return key.Fingerprint([]byte(text), nil) }
	write := func(to Key, texts ...string) func(time.Duration, ...Result) {
		e := Identities("keyword")
		for i, text := range texts {
			e = e.AppendIdentity(uint32(i), of(text))
		}
		return store.RememberSingle(to, len(texts), Boot{"boot", time.Hour}, e)
	}
	here := Key{Operation: "keywords.create", BaseURL: "http://a", Subject: "7"}
	write(here, "sent", "refused")(time.Second, Result{State: StateSent, Fields: `{"rank_id":5}`}, Result{State: StatePending})
	log, err := filepath.Glob(filepath.Join(string(store), singlePrefix+"*"))
	if len(log) != 1 || err != nil {
		t.Fatalf("got the logs %q, error %v, want one", log, err)
	}
	text, err := os.ReadFile(log[0])
	noError(t, err)
	noError(t, os.WriteFile(log[0], append(text, "half an event"...), 0o600))
	running := write(here, "running")
	write(Key{Operation: "keywords.create", BaseURL: "http://b", Subject: "7"}, "elsewhere")(0, Result{State: StateSent})
	check := func(want ...string) {
		t.Helper()
		var got []string
		for m, err := range store.Preview(Header{Key: here}, 0).Memories("keyword", time.Hour, Boot{"boot", time.Hour + time.Minute}, All) {
			noError(t, err)
			if m.IsCorrupt {
				got = append(got, "damage")
			}
			for row := range m.Rows {
				for _, name := range []string{"sent", "refused", "running", "elsewhere"} {
					if of(name) == row.Fingerprint {
						got = append(got, fmt.Sprintf("%s %s %t %s %v", name, row.State, row.IsOpen, row.Fields, m.Ago))
					}
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check("damage", "running unknown true  1m0s", `sent sent false {"rank_id":5} 0s`)
	running(time.Second, Result{State: StateUnknown})
	check("damage", "running unknown false  1m0s", `sent sent false {"rank_id":5} 0s`)
	noError(t, store.Forget("http://a"))
	check()
}

// TestOtherLogsAreNotRead looks for rows in the log of a job that writes something else: it is read up to the first of its rows.
func TestOtherLogsAreNotRead(t *testing.T) {
	store := Store(t.TempDir())
	j, err := store.Begin(Header{Key: Key{Operation: "keywords.create", Digest: "abc"}, Format: "txt"}, threeRows(), false)
	noError(t, err)
	key := dedupe.NewKey()
	j.Record(Identities("keyword").AppendIdentity(0, key.Fingerprint([]byte("a"), nil)))
	noError(t, j.Close())
	file, err := os.OpenFile(store.path(j.ID, logSuffix), os.O_APPEND|os.O_WRONLY, 0)
	noError(t, err)
	_, err = file.Write(wal.AppendFrame(nil, Event{kindIntent})) // which is invalid, and so an error if it is read
	noError(t, err)
	noError(t, file.Close())
	for writes, want := range map[string]bool{"keyword": false, "account_id": true} {
		err := store.Preview(Header{}, 0).EachSent(writes, time.Hour, Boot{}, All, func(*Memory, SentRow) {})
		if (err == nil) != want {
			t.Errorf("%s: got the error %v, want that %t", writes, err, !want)
		}
	}
}
