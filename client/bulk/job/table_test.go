package job

import "testing"

// TestFound checks that a row which only another job has sent is present, not sent, once
// the service turns out to hold it.
func TestFound(t *testing.T) {
	table := NewTable(2)
	table.inherited.Set(1)
	for row, want := range []State{StateSent, StatePresent} {
		if got := table.Found(uint32(row)); got != want {
			t.Errorf("row %d: got %v, want %v", row, got, want)
		}
	}
}

// TestStatusOfAKilledRun checks that only rows whose call had started count as unknown in
// the status of a job that a process has left.
func TestStatusOfAKilledRun(t *testing.T) {
	store := Store(t.TempDir())
	j, err := store.Begin(corruptHeader, threeRows(), false)
	noError(t, err)
	j.StartRun(BootClock()())
	started, _ := j.RecordIntent([]uint32{0}), j.RecordIntent([]uint32{1})
	j.Record(CallStarted(started, 0))
	noError(t, j.Close())
	status, err := store.Find(j.ID)
	noError(t, err)
	want := 1
	if BootClock()() == (Boot{}) {
		want = 2 // it is not known whether the machine was started again
	}
	if status.Summary.Unknown != want || status.Done != 0 {
		t.Errorf("got %d rows unknown, %d done; want %d, 0", status.Summary.Unknown, status.Done, want)
	}
}
