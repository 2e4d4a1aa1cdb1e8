package job

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var corruptHeader = Header{Key: Key{Operation: "keywords.create", Digest: "abc"}, Format: "txt", Since: new(int64(7))}

// corruptJob creates a job and corrupts its log, in the header or in the next event. It
// returns the id of the job.
func corruptJob(t *testing.T, store Store, inHeader bool) (id string) {
	t.Helper()
	j, err := store.Begin(corruptHeader, threeRows(), false)
	noError(t, err)
	start := 1
	if !inHeader {
		info, err := os.Stat(store.path(j.ID, logSuffix))
		noError(t, err)
		start = int(info.Size()) + 1
	}
	j.RecordIntent([]uint32{0, 2})
	j.Record(RowResult(Result{State: StateSent}, 0))
	noError(t, j.Close())
	path := store.path(j.ID, logSuffix)
	text, err := os.ReadFile(path)
	noError(t, err)
	text[start+1] ^= 0x40
	writeFile(t, path, text)
	return j.ID
}

// TestCorruptLogStopsTheJob checks that a job with a corrupt log is not resumed, that
// its status says so, and that --restart replaces it.
func TestCorruptLogStopsTheJob(t *testing.T) {
	for name, inHeader := range map[string]bool{"in the header": true, "behind the header": false} {
		t.Run(name, func(t *testing.T) {
			store := Store(t.TempDir())
			id := corruptJob(t, store, inHeader)
			_, err := store.Begin(corruptHeader, threeRows(), false)
			corrupt, ok := errors.AsType[*CorruptError](err)
			if !ok || corrupt.ID != id || !strings.Contains(err.Error(), id) {
				t.Fatalf("Begin: got error %v, want a *CorruptError of job %s", err, id)
			}
			status, err := store.Find(id)
			if err != nil || status.Corrupt == nil || status.State != JobStopped {
				t.Errorf("Find: got state %s, corrupt %v, error %v; want %s and a *CorruptError", status.State, status.Corrupt, err, JobStopped)
			}
			next, err := store.Begin(corruptHeader, threeRows(), true)
			noError(t, err)
			defer func() { _ = next.Close() }()
			if next.ID == id || next.Abandoned == nil || next.Abandoned.ID != id || !next.Abandoned.Corrupt {
				t.Errorf("restart: got job %s that abandons %+v, want a new one that abandons the corrupt %s", next.ID, next.Abandoned, id)
			}
			if since := *next.Since; (since == 7) == inHeader {
				t.Errorf("restart: got records above id %d as those of the jobs before, want those above 7 unless the header is lost", since)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	store := Store(t.TempDir())
	h := corruptHeader
	h.File = "-"
	j, err := store.Begin(h, threeRows(), false)
	noError(t, err)
	if got, want := j.Rejects(), store.path(j.ID, ".rejects.csv"); got != want {
		t.Errorf("Rejects: got %s, want %s", got, want)
	}
	writeFile(t, j.Rejects(), []byte("x"))
	j.Record(Wrote(RejectsFile, j.Rejects()))
	noError(t, j.Flush())
	if status, err := store.Find(j.ID); err != nil || status.State != JobRunning || status.Rejects != j.Rejects() {
		t.Errorf("Find: got state %s, rejects %q, error %v; want %s, %q", status.State, status.Rejects, err, JobRunning, j.Rejects())
	}
	err = store.Remove(j.ID)
	if busy, ok := errors.AsType[*BusyError](err); !ok || busy.ID != j.ID || !strings.Contains(err.Error(), "job "+j.ID+" is already running") {
		t.Errorf("Remove of a running job: got error %v, want a *BusyError", err)
	}
	noError(t, j.Close())
	if err := store.Remove(j.ID); err != nil {
		t.Errorf("Remove: got error %v, want none", err)
	}
	entries, _ := os.ReadDir(string(store))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), j.ID) {
			t.Errorf("Remove left %s", e.Name())
		}
	}
	if _, ok := errors.AsType[*UnknownJobError](store.Remove(j.ID)); !ok {
		t.Error("Remove of a removed job: want an *UnknownJobError")
	}
	if got := (&BusyError{ID: "j", Finished: true}).Error(); !strings.Contains(got, "has finished since") {
		t.Errorf("got the error %q, want one that says that the other run has finished the job", got)
	}
}

// TestHeartbeatWhileCallsAreInFlight checks that the log shows how long a call had lasted
// when the process was killed.
func TestHeartbeatWhileCallsAreInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := Store(t.TempDir())
		j, err := store.create(Header{ID: "j-1", Counts: Counts{Rows: 3}})
		noError(t, err)
		began := time.Now()
		j.Start(func() time.Duration { return time.Since(began) }, func() bool { return true })
		id := j.RecordIntent([]uint32{1})
		j.Record(CallStarted(id, 0))
		time.Sleep(10 * time.Second)
		noError(t, j.Close())
		resumed, err := store.open("j-1")
		noError(t, err)
		defer func() { _ = resumed.Close() }()
		found := resumed.StartRun(Boot{})
		left, longest := found.Rows, found.LongestCall
		if left != 1 || longest < 8*time.Second || longest > 10*time.Second {
			t.Errorf("got %d rows left, the longest call %v; want 1, about 9s", left, longest)
		}
	})
}

// TestInvalidEventsAreErrors checks that an event whose numbers or texts are cut off, or
// that names rows or batches that do not exist, is an error.
func TestInvalidEventsAreErrors(t *testing.T) {
	for name, e := range map[string]Event{
		"row out of range":        RowResult(Result{State: StateSent}, 4),
		"more rows than bytes":    {kindIntent, 0, 200},
		"intent without rows":     {kindIntent},
		"unknown batch":           BatchResult(7, Result{State: StateSent}),
		"unknown state":           RowResult(Result{State: numStates}, 1),
		"text longer than event":  {kindRowResult, byte(StateSent), 0, 9, 'x'},
		"no state":                {kindRowResult},
		"baseline without number": {kindBaseline},
		"step out of order":       StepItems(1, nil),
		"event of unknown step":   {kindStep, 3, kindFinished},
		"event of step is empty":  {kindStep, 0},
		"heartbeat without time":  {kindHeartbeat},
	} {
		t.Run(name, func(t *testing.T) {
			if err := NewTable(4).apply(e); !errors.Is(err, errInvalidEvent) {
				t.Errorf("got error %v, want %v", err, errInvalidEvent)
			}
			path := filepath.Join(t.TempDir(), "log")
			writeFile(t, path, logOf(e, Finished()))
			if _, _, err := replayFile(path); !errors.Is(err, errInvalidEvent) {
				t.Errorf("replay: got error %v, want %v", err, errInvalidEvent)
			}
		})
	}
	r := NewRecorder(4)
	r.Record(RowResult(Result{State: StateSent}, 4))
	if err := r.Err(); !errors.Is(err, errInvalidEvent) {
		t.Errorf("Err: got %v, want %v", err, errInvalidEvent)
	}
}

// TestCommonRefusal refuses rows, some of them without a message, which is no common one.
func TestCommonRefusal(t *testing.T) {
	r := NewRecorder(3)
	for row, message := range []string{"", "", "m"} {
		r.Record(RowResult(Result{State: StateRefused, Message: message}, uint32(row)))
	}
	if got := r.Table().CommonRefusal(); got != "m" {
		t.Errorf("got %q, want m", got)
	}
}

// TestStateWords checks that each word gives a state, and that the state gives the word.
func TestStateWords(t *testing.T) {
	for word, state := range map[string]State{Absent: StatePending, Present: StatePresent, Differs: StateDiffers, Refused: StateRefused, Unknown: StateUnknown, Sent: StateSent, "": StateSent} {
		t.Run("word "+word, func(t *testing.T) {
			got := StateOf(word)
			if got != state {
				t.Errorf("StateOf(%q) = %d, want %d", word, got, state)
			}
			if back := got.String(); word != "" && word != Absent && back != word {
				t.Errorf("State(%d) = %q, want %q", got, back, word)
			}
		})
	}
}
