package job

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"reseller/client/bulk/wal"
)

// replayFile replays a log. It returns the table and the length of the part that was read.
func replayFile(path string) (end int64, t *Table, err error) {
	err = replay(&Header{}, &t, func(apply func([]byte) error) (err error) {
		end, err = wal.Replay(path, isKind, apply)
		return err
	})
	return end, t, err
}

// logOf returns the bytes of a log with events, for a job of four rows.
func logOf(events ...Event) []byte {
	text := wal.AppendFrame(nil, append([]byte{kindHeader}, `{"rows":4}`...))
	for _, e := range events {
		text = wal.AppendFrame(text, e)
	}
	return text
}

// TestFieldsAreForgotten says of a row that its fields are not known any more: nothing is known of it then, as of one without a response.
func TestFieldsAreForgotten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	writeFile(t, path, logOf(RowResult(Result{State: StateSent, Fields: `{"id":7}`}, 1), RowResult(Result{State: StateUnknown, Message: "no", Fields: NoFields}, 1)))
	_, table, err := replayFile(path)
	noError(t, err)
	if got := table.Fields(1); got != "" {
		t.Errorf("got the fields %s, want none", got)
	}
}

func writeFile(t *testing.T, path string, text []byte) {
	t.Helper()
	noError(t, os.WriteFile(path, text, 0o600))
}

// FuzzReplay checks that a replay of a log with any content counts each row once, and
// that a second replay of the part that was read gives the same table.
func FuzzReplay(f *testing.F) {
	var events [][]byte
	for _, e := range []Event{
		RunStarted(Boot{}), Intent(0, []uint32{0, 2}), CallStarted(0, 5*time.Millisecond), Heartbeat(9 * time.Millisecond),
		BatchResult(0, Result{State: StateRejectedBatch, HTTPStatus: 422, Message: "no"}), RowResult(Result{State: StateSent, Fields: "{}"}, 0, 3),
		BatchClosed(0), Baseline(2, []uint32{1}), RunEnded(3, 1, 700*time.Millisecond), Finished(),
	} {
		events = append(events, e)
	}
	f.Add(bytes.Join(events, []byte("|")), []byte{})
	f.Add([]byte{kindBatchResult, 7, 200}, []byte("torn"))
	f.Fuzz(func(t *testing.T, events, tail []byte) {
		text := logOf()
		for e := range bytes.SplitSeq(events, []byte("|")) {
			text = wal.AppendFrame(text, e)
		}
		text = append(text, tail...)
		path := filepath.Join(t.TempDir(), "log")
		writeFile(t, path, text)
		end, table, err := replayFile(path)
		if err != nil {
			return
		}
		if end <= 0 || end > int64(len(text)) {
			t.Fatalf("replay ended at %d of %d bytes", end, len(text))
		}
		total := 0
		for _, n := range table.counts {
			total += n
		}
		if total != 4 {
			t.Errorf("the table counts %d rows, want 4", total)
		}
		writeFile(t, path, text[:end])
		again, second, err := replayFile(path)
		if again != end || err != nil || second.counts != table.counts {
			t.Errorf("second replay: end %d, counts %v, error %v; want %d, %v", again, second.counts, err, end, table.counts)
		}
	})
}

// TestCorruption flips each bit of a log and checks that the replay returns an error. Only
// a flipped bit in the last event gives none, since that event may be torn.
func TestCorruption(t *testing.T) {
	events := []Event{RunStarted(Boot{}), Intent(0, []uint32{0, 2}), BatchResult(0, Result{State: StateSent}), RunEnded(3, 1, 700*time.Millisecond)}
	text, last := logOf(events...), int64(len(logOf(events[:3]...)))
	path := filepath.Join(t.TempDir(), "log")
	for i := range text {
		for bit := range 8 {
			flipped := bytes.Clone(text)
			flipped[i] ^= 1 << bit
			writeFile(t, path, flipped)
			end, _, err := replayFile(path)
			corrupt := (*wal.CorruptError)(nil)
			if reported := errors.As(err, &corrupt); reported != (int64(i) < last) || !reported && end != last {
				t.Errorf("byte %d, bit %d: replay ended at %d with error %v", i, bit, end, err)
			}
		}
	}
}

// TestLongestCallOutlivesRuns checks that the duration of a call without an outcome is
// kept as long as its rows are unknown, even if runs start and end meanwhile.
func TestLongestCallOutlivesRuns(t *testing.T) {
	r := NewRecorder(2)
	r.Record(RunStarted(Boot{}), Intent(0, []uint32{0}), CallStarted(0, time.Second), Heartbeat(7*time.Second),
		BatchResult(0, Result{State: StateUnknown}), RunStarted(Boot{}), RunStarted(Boot{}))
	if longest := r.StartRun(Boot{}).LongestCall; longest != 6*time.Second {
		t.Errorf("the longest call is %v, want 6s", longest)
	}
	r.Record(RowResult(Result{State: StateSent}, 0), RunStarted(Boot{}))
	if longest := r.StartRun(Boot{}).LongestCall; longest != 0 {
		t.Errorf("no row is unknown, but the longest call is %v", longest)
	}
}

// TestEndsFinished checks that only the end of a log shows that its job is finished.
func TestEndsFinished(t *testing.T) {
	finished, ended := wal.AppendFrame(nil, Finished()), wal.AppendFrame(nil, encode(kindRunEnded, uint64(1<<40), uint64(1<<40), uint64(1<<40)))
	quoted := wal.AppendFrame(nil, RowResult(Result{State: StateRefused, Message: string(finished) + string(ended)}, 1))
	started := wal.AppendFrame(nil, RunStarted(Boot{}))
	for name, c := range map[string]struct {
		text []byte
		want bool
	}{
		"finished":             {slices.Concat(started, finished, ended), true},
		"killed when finished": {slices.Concat(started, finished), true},
		"stopped":              {slices.Concat(started, ended), false},
		"torn":                 {slices.Concat(started, finished, ended[:3]), false},
		"started again":        {slices.Concat(finished, ended, started), false},
		"inside a message":     {slices.Concat(started, quoted), false},
		"empty":                {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			store := Store(t.TempDir())
			writeFile(t, store.path("j", logSuffix), c.text)
			if got := store.endsFinished("j"); got != c.want {
				t.Errorf("endsFinished is %t, want %t", got, c.want)
			}
		})
	}
}

// TestRecoveredOnce checks that the next run recovers the calls that a run left in flight,
// and that the time between runs is no part of the duration of these calls.
func TestRecoveredOnce(t *testing.T) {
	call := []Event{Intent(0, []uint32{1}), CallStarted(0, time.Hour), Heartbeat(time.Hour + 3*time.Second)}
	startRun := func(t *testing.T, r *Recorder, want int) {
		t.Helper()
		if found := r.StartRun(Boot{}); found.Rows != want || found.LongestCall != 3*time.Second || r.Table().Count(StateUnknown) != 1 {
			t.Errorf("%d rows left, the longest call %v, %d unknown; want %d, 3s, 1", found.Rows, found.LongestCall, r.Table().Count(StateUnknown), want)
		}
	}
	t.Run("job", func(t *testing.T) {
		r := NewRecorder(3)
		r.Record(call...)
		startRun(t, r, 1)
		r.Record(Heartbeat(3 * time.Hour))
		startRun(t, r, 0)
	})
	t.Run("step that the last run did not reach", func(t *testing.T) {
		first, second := Boot{"boot", time.Hour}, Boot{"boot", 2 * time.Hour}
		r := NewRecorder(3)
		r.StartRun(first)
		r.Record(StepItems(0, []uint32{0, 1}))
		step := r.Step(0)
		step.StartRun(first)
		step.Record(call[:2]...)
		r.Record(Heartbeat(time.Hour))
		r.StartRun(second)
		r.Record(Heartbeat(time.Minute)) // of another step
		if ago := step.StartRun(Boot{"boot", 2*time.Hour + time.Minute}).Ago; ago != time.Minute {
			t.Errorf("the step ended %v ago, want 1m: the second run did not reach it", ago)
		}
	})
	t.Run("step that a later run reaches", func(t *testing.T) {
		r := NewRecorder(3)
		r.Record(StepItems(0, []uint32{0, 1}))
		step := r.Step(0)
		step.Record(call[:2]...)
		r.Record(call[2], RunStarted(Boot{}), Heartbeat(3*time.Hour), RunStarted(Boot{}))
		startRun(t, step, 1)
		startRun(t, step, 0)
	})
}

// FuzzHeader checks that a header that is accepted describes a job that can be: another user
// may have forged it.
func FuzzHeader(f *testing.F) {
	f.Add([]byte(`{"id":"0123abcd-1","rows":4,"shares":4,"operation":"x","flags":{"file":["a"]},"started":"2024-01-02T03:04:05Z"}`))
	f.Add([]byte(`{"rows":-5}`))
	f.Add([]byte(`{"rows":4611686018427387904,"shares":1e3}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var h Header
		err := replay(&h, nil, func(apply func([]byte) error) error {
			if err := apply(append([]byte{kindHeader}, text...)); !errors.Is(err, wal.ErrStop) {
				return err
			}
			return nil
		})
		if err == nil && (h.Rows < 0 || h.Rows > maxRows || min(h.ShardRows, h.Duplicates, h.Invalid) < 0 || max(h.ShardRows, h.Duplicates, h.Invalid) > h.Rows) {
			t.Errorf("%q: got the header %+v, want an error", text, h)
		}
	})
}

func TestLastUnfinished(t *testing.T) {
	for _, state := range []State{StatePending, StateInFlight, StateUnknown, StateRejectedBatch} {
		rec := NewRecorder(4)
		rec.Record(RowResult(Result{State: StateSent}, 0, 1, 2, 3), RowResult(Result{State: state}, 1, 3))
		for sendable, want := range map[int]int{4: 3, 3: 1, 1: -1} {
			if got := rec.LastUnfinished(func(row int) bool { return row < sendable }); got != want {
				t.Errorf("state %d, rows below %d can be sent: got row %d, want %d", state, sendable, got, want)
			}
		}
	}
}
