package job

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"reseller/client/bulk/wal"
)

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

// TestANewCallHasNoReasonOfTheOld checks that a row which is sent again and killed has not the reason of its first call, by which nothing
// could be found out of it.
func TestANewCallHasNoReasonOfTheOld(t *testing.T) {
	table := NewTable(2)
	for _, e := range []Event{
		Intent(0, []uint32{1}), CallStarted(0, 0), BatchResult(0, Result{State: StateUnknown, HTTPStatus: 201, Message: "another id"}),
		RowResult(Result{State: StatePending}, 1), Intent(1, []uint32{0, 1}), CallStarted(1, 0),
	} {
		if isFirst := e[0] == kindRowResult; isFirst && !table.Reason(1).IsAcknowledged() {
			t.Errorf("got the reason %v, want that of an acknowledged call", table.Reason(1))
		}
		noError(t, table.apply(e))
	}
	if table.recoverInFlight(Boot{}); table.State(1) != StateUnknown || table.Reason(1) != (Reason{}) {
		t.Errorf("got state %v with the reason %v, want unknown without one", table.State(1), table.Reason(1))
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

// TestRollUp checks that a row gets the state of its first step if that did not succeed,
// and otherwise the most severe state of its steps.
func TestRollUp(t *testing.T) {
	for _, c := range []struct {
		first State
		later []State
		want  State
		open  bool
	}{
		{StateSent, nil, StateSent, false},
		{StatePresent, nil, StatePresent, false},
		{StatePresent, []State{StatePresent, StateSent}, StateSent, false},
		{StateSent, []State{StatePresent, StateAmbiguous}, StateAmbiguous, false},
		{StateSent, []State{StateDiffers, StatePresent}, StateDiffers, false},
		{StateSent, []State{StatePending, StateSent}, StatePending, true},
		{StateSent, []State{StateUnknown, StateSent}, StateUnknown, true},
		{StateSent, []State{StateUnknown, StateRefused}, StateRefused, true},
		{StateSent, []State{StateAmbiguous, StateRefused}, StateRefused, false},
		{StateRefused, []State{StatePending, StatePending}, StateRefused, false},
		{StateAmbiguous, []State{StatePending}, StateAmbiguous, false},
		{StateUnknown, []State{StatePending}, StateUnknown, true},
		{StatePending, []State{StatePending}, StatePending, true},
	} {
		t.Run(fmt.Sprintf("%d then %d", c.first, c.later), func(t *testing.T) {
			table := NewTable(3)
			for step, states := range [][]State{{c.first}, c.later} {
				owners := slices.Repeat([]uint32{1}, len(states))
				noError(t, table.apply(StepItems(step, owners)))
				for item, s := range states {
					table.steps[step].setState(s, []uint32{uint32(item)})
				}
			}
			open := table.RollUp()
			if table.State(1) != c.want || open != c.open || table.Count(StatePending) < 2 {
				t.Errorf("got state %d, open %t; want %d, %t", table.State(1), open, c.want, c.open)
			}
		})
	}
}

// TestForgedCounts checks that counts which no job can have make the journal corrupt,
// instead of taking all memory.
func TestForgedCounts(t *testing.T) {
	const id = "0123abcd-1"
	for name, counts := range map[string]string{
		"negative rows":       `"rows":-5`,
		"too many rows":       `"rows":4611686018427387904`,
		"one row too many":    fmt.Sprintf(`"rows":%d`, maxRows+1),
		"no number":           `"rows":1e300`,
		"negative shard":      `"rows":3,"shares":-1`,
		"shard of more rows":  `"rows":3,"shares":4`,
		"negative duplicates": `"rows":3,"shares":3,"duplicates":-1`,
		"more invalid rows":   `"rows":3,"shares":3,"invalid":4`,
	} {
		t.Run(name, func(t *testing.T) {
			store := Store(t.TempDir())
			log, err := wal.Create(store.path(id, logSuffix))
			noError(t, err)
			log.Append([]byte(fmt.Sprintf(`%c{"id":%q,%s}`, kindHeader, id, counts)))
			log.Append(Finished())
			noError(t, log.Close())
			status, err := store.Find(id)
			if err != nil || !errors.As(status.Corrupt, new(*CorruptError)) {
				t.Errorf("Find: got %v, error %v, want a corrupt job", status.Corrupt, err)
			}
			if all, err := store.List(); err != nil || len(all) != 1 || all[0].Corrupt == nil {
				t.Errorf("List: got %v, error %v, want a corrupt job", all, err)
			}
			if _, err := store.open(id); !errors.As(err, new(*CorruptError)) {
				t.Errorf("open: got error %v, want a *CorruptError", err)
			}
		})
	}
}

// TestIDs checks which names of files are of jobs.
func TestIDs(t *testing.T) {
	for text, want := range map[string]bool{
		"0123abcd-1": true, "deadbeef-4711": true, "": false, "*": false, "0123abcd-*": false, "0123abc?-1": false, "0123abcd": false,
		"0123abcd-": false, "0123abcd-0": false, "0123abcd-01": false, "0123ABCD-1": false, "../0123ab-1": false, "0123abcd-1/2": false,
		"0123abcd--1": false, "0123abcd-1-2": false, "0123abcd-99999999999": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := isID(text); got != want {
				t.Errorf("got %t, want %t", got, want)
			}
		})
	}
}

// TestClockOfTheStore sets the clock forward by a day, as far as the file with the time of the boot can say so: nothing becomes old.
func TestClockOfTheStore(t *testing.T) {
	on := BootClock()()
	if on.ID == "" {
		t.Skip("the machine does not tell its boots apart")
	}
	store := Store(t.TempDir())
	began := time.Now().Add(-on.Uptime - 24*time.Hour)
	noError(t, os.WriteFile(filepath.Join(string(store), clockFile), fmt.Appendf(nil, "%s %d", on.ID, began.UnixMilli()), 0o600))
	if off := time.Since(store.steadyNow()) - 24*time.Hour; off.Abs() > time.Minute {
		t.Errorf("got a time that is off by %v, want that of the clock before it was set", off)
	}
}

// TestMayHaveCreated asks a job that replaces another one: the largest id that the service listed before is not of its making.
func TestMayHaveCreated(t *testing.T) {
	store, since := Store(t.TempDir()), int64(7)
	j, err := store.Begin(corruptHeader, threeRows(), false)
	noError(t, err)
	defer func() { noError(t, j.Close()) }()
	j.Since = &since
	for id, want := range map[int64]bool{6: false, 7: false, 8: true} {
		if got := j.MayHaveCreated(id); got != want {
			t.Errorf("id %d: got %t, want %t", id, got, want)
		}
	}
}
