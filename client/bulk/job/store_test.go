package job

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client/atomicfile"
)

// threeRows is an input that was opened now.
func threeRows() Input {
	return Input{Counts: Counts{Rows: 3, ShardRows: 3}, Opened: time.Now(), CopyTo: func(w io.Writer) error {
		_, err := io.WriteString(w, "a\nb\nc\n")
		return err
	}}
}

// TestHashKeyOfOthersIsRefused checks that a key which another user may have written is an error, and that no other one takes
// its place: the rows that were sent would no longer be known.
func TestHashKeyOfOthersIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Unix file modes")
	}
	store := Store(t.TempDir())
	key, err := store.HashKey([16]byte{1})
	if err != nil || key != [16]byte{1} {
		t.Fatalf("got key %v, error %v, want the proposed key", key, err)
	}
	noError(t, os.Chmod(filepath.Join(string(store), keyFile), 0o666))
	if key, err := store.HashKey([16]byte{2}); err == nil {
		t.Errorf("got key %v, want an error", key)
	}
}

// TestInputIsCopiedFirst checks that the copy of the input is older than the log, and that
// Begin removes files that a killed process left of a job that was never created.
func TestInputIsCopiedFirst(t *testing.T) {
	store := Store(t.TempDir())
	killed := ".tmp-" + strings.Repeat("A", 26)
	for _, name := range []string{"deadbeef-1.input", killed, "cafecafe-1.input", "cafecafe-1.journal"} {
		writeFile(t, store.path(name, ""), []byte("x"))
	}
	old := time.Now().Add(-48 * time.Hour)
	noError(t, os.Chtimes(store.path(killed, ""), old, old))
	writing, err := atomicfile.Create(store.path("kept", ""), 0o600) // its temporary file stays
	noError(t, err)
	defer writing.Abort()
	j, err := store.Begin(Header{File: "-", Format: "csv"}, threeRows(), false)
	noError(t, err)
	defer func() { _ = j.Close() }()
	var names []string
	entries, _ := os.ReadDir(string(store))
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".tmp-") && name != killed {
			name = "being written"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{".lock", "being written", j.ID + ".input", j.ID + ".journal", j.ID + ".lock", "cafecafe-1.input", "cafecafe-1.journal"}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("got files %q, want %q", names, want)
	}
	input, err := os.Stat(j.Input(store))
	noError(t, err)
	log, err := os.Stat(store.path(j.ID, logSuffix))
	if err != nil || input.ModTime().After(log.ModTime()) {
		t.Errorf("the input is from %v, the log from %v, %v", input.ModTime(), log.ModTime(), err)
	}
}

// TestInputThatCannotBeCopied checks that no job is created if its input can't be copied.
func TestInputThatCannotBeCopied(t *testing.T) {
	store, in, failure := Store(t.TempDir()), threeRows(), errors.New("no input")
	in.CopyTo = func(io.Writer) error { return failure }
	if _, err := store.Begin(Header{File: "-", Format: "csv"}, in, false); !errors.Is(err, failure) {
		t.Errorf("got error %v, want %v", err, failure)
	}
	if left, _ := filepath.Glob(store.path("*.*", "")); len(left) > 1 { // the store's own lock
		t.Errorf("files left: %q", left)
	}
}

// finish records that a job is finished, and closes it.
func finish(t *testing.T, j *Job) {
	t.Helper()
	j.Start(func() time.Duration { return 0 }, func() bool { return false })
	j.Record(Finished())
	noError(t, j.Close())
}

// TestOneRunAtATime checks that a second run of a job is refused, that an unfinished job
// is resumed, and that a new job is created once it is finished.
func TestOneRunAtATime(t *testing.T) {
	store := Store(filepath.Join(t.TempDir(), "jobs [1]")) // a path with the characters of a pattern
	h := Header{Key: Key{Operation: "keywords.create", Digest: "abc"}, Format: "csv"}
	first := threeRows()
	j, err := store.Begin(h, first, false)
	noError(t, err)
	var busy *BusyError
	if _, err := store.Begin(h, threeRows(), false); !errors.As(err, &busy) || busy.ID != j.ID {
		t.Errorf("a second run got error %v, want a *BusyError", err)
	}
	if err := store.Remove(j.ID); !errors.As(err, &busy) {
		t.Errorf("removing a running job got error %v, want a *BusyError", err)
	}
	other := h
	other.Profile = "other"
	if o, err := store.Begin(other, threeRows(), false); err != nil || o.ID == j.ID || o.Resumed() {
		t.Errorf("another profile: job %v, error %v; want a new job", o, err)
	} else {
		_ = o.Close()
	}
	_ = j.Close()
	again, err := store.Begin(h, threeRows(), false)
	if err != nil || !again.Resumed() || again.ID != j.ID {
		t.Fatalf("got job %v, error %v; want %s resumed", again, err, j.ID)
	}
	finish(t, again)
	if _, err := store.Begin(h, first, false); !errors.As(err, &busy) || !busy.Finished {
		t.Errorf("a load that started before the job was finished got error %v, want a *BusyError", err)
	}
	// The log has a time in the future, as it has after the clock was set back.
	noError(t, os.Chtimes(store.path(j.ID, logSuffix), time.Time{}, time.Now().Add(time.Hour)))
	next, err := store.Begin(h, threeRows(), false)
	if err != nil || next.Resumed() || next.ID == j.ID {
		t.Fatalf("got job %v, error %v; want a new one", next, err)
	}
	_ = next.Close()
}

func TestOldFinishedJobsAreRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := Store(t.TempDir())
		h := Header{Key: Key{Operation: "keywords.create", Digest: "abc"}, Format: "csv"}
		var first string
		for range maxFinished + 10 {
			j, err := store.Begin(h, threeRows(), false)
			noError(t, err)
			if first == "" {
				first = j.ID
			}
			finish(t, j)
			time.Sleep(time.Second) // so that the next load is opened later
		}
		all, err := store.List()
		if err != nil || len(all) != maxFinished {
			t.Errorf("got %d jobs, %v; want %d", len(all), err, maxFinished)
		}
		if _, err := os.Stat(store.path(first, logSuffix)); err == nil {
			t.Errorf("the oldest job %s was not removed", first)
		}
	})
}

// TestStoppedJobsAreRemoved checks that a job that nobody has resumed for 90 days is removed, and that its load is told.
func TestStoppedJobsAreRemoved(t *testing.T) {
	store := Store(t.TempDir())
	begin := func(digest string, restart bool) *Job {
		t.Helper()
		j, err := store.Begin(Header{Key: Key{Operation: "keywords.create", Digest: digest}, Format: "csv"}, threeRows(), restart)
		noError(t, err)
		return j
	}
	jobs := map[string]*Job{}
	for _, digest := range []string{"stopped", "running", "last month", "resumed", "restarted"} {
		j := begin(digest, false)
		if jobs[digest] = j; digest == "running" {
			defer func() { _ = j.Close() }()
		} else if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for digest, j := range jobs {
		then := time.Now().Add(-91 * 24 * time.Hour)
		if digest == "last month" {
			then = time.Now().Add(-30 * 24 * time.Hour)
		}
		noError(t, os.Chtimes(store.path(j.ID, logSuffix), then, then))
	}
	j := begin("resumed", false)
	j.Record(RunEnded(0, 0, 0))
	if err := j.Close(); err != nil || !j.Resumed() {
		t.Errorf("got the error %v, resumed %t", err, j.Resumed())
	}
	j = begin("restarted", true)
	if err := j.Close(); err != nil || !slices.Equal(j.Stale, []string{jobs["stopped"].ID}) || j.Abandoned == nil {
		t.Errorf("got the error %v and the removed jobs %q, want %q", err, j.Stale, jobs["stopped"].ID)
	}
	if all, err := store.List(); len(all) != 4 || err != nil {
		t.Errorf("got %d jobs, error %v; want 4", len(all), err)
	}
}

// TestTornHeader checks that a job is created anew if the process was killed before the
// header of its log was complete.
func TestTornHeader(t *testing.T) {
	store := Store(t.TempDir())
	h := Header{Key: Key{Operation: "keywords.create", Digest: "abc"}, Format: "csv"}
	for _, size := range []int64{0, 1, 50} {
		t.Run(fmt.Sprint(size, " bytes"), func(t *testing.T) {
			j, err := store.Begin(h, threeRows(), false)
			if err != nil || j.Resumed() {
				t.Fatalf("got job %v, error %v; want a new one", j, err)
			}
			_ = j.Close()
			noError(t, os.Truncate(store.path(j.ID, logSuffix), size))
			if all, err := store.List(); err != nil || len(all) > 0 {
				t.Errorf("List returned %v, %v; want none", all, err)
			}
		})
	}
}

func TestRestartAbandons(t *testing.T) {
	store := Store(t.TempDir())
	h := Header{Key: Key{Operation: "keywords.create", Digest: "abc"}, Format: "csv"}
	j, err := store.Begin(h, threeRows(), false)
	noError(t, err)
	j.RecordIntent([]uint32{0, 2})
	_ = j.Close()
	next, err := store.Begin(h, threeRows(), true)
	if err != nil || next.Resumed() || next.Abandoned == nil || next.Abandoned.ID != j.ID || next.Abandoned.Unknown != 2 {
		t.Fatalf("got job %+v, error %v; want a new job that abandons %s with 2 unknown rows", next, err, j.ID)
	}
	_ = next.Close()
	if _, err := store.Find(j.ID); err == nil || !strings.Contains(err.Error(), j.ID) {
		t.Errorf("Find returned %v, want an unknown job", err)
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
