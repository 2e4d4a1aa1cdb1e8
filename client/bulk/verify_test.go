package bulk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// verifyOptions are options of a load that is verified. What the last reading finds is added to
// found.
func verifyOptions(found *[]string) Options {
	return Options{Verify: true, BatchSize: 10, OnRow: func(what string, issue decode.Issue, _ int) {
		if what == Doubled || what == Missing {
			*found = append(*found, fmt.Sprintf("%s, twice %t", issue, what == Doubled))
		}
	}}
}

// TestVerify ends loads with one more reading of the service. A keyword that the service holds twice,
// or has lost, is found, also if it was there before the load. A late list is read until it shows what was
// acknowledged, or until --settle-time has passed.
func TestVerify(t *testing.T) {
	second := time.Second
	for _, tt := range []struct {
		name      string
		listDelay time.Duration
		settle    *time.Duration
		resend    bool
		again     bool                       // load the file twice
		between   func(f *unreliableService) // what happens before the last reading
		want      job.Verification
		lists     int
		waited    time.Duration
	}{
		{name: "all there", lists: 2},
		{name: "twice", between: func(f *unreliableService) { f.stored = append(f.stored, f.stored[3]) }, want: job.Verification{Doubled: 1}, lists: 2},
		{name: "twice before the load", again: true, between: func(f *unreliableService) { f.stored = append(f.stored, f.stored[3], f.stored[3]) }, want: job.Verification{Doubled: 1}, lists: 2},
		{name: "lost", between: func(f *unreliableService) { f.stored = slices.Delete(f.stored, 2, 4) }, want: job.Verification{Missing: 2}, lists: 3, waited: 2 * time.Second},
		{name: "the last one lost", between: func(f *unreliableService) { f.stored = f.stored[:20] }, want: job.Verification{Missing: 10}, lists: 15, waited: MaxListLag},
		{name: "with another text", between: func(f *unreliableService) { f.stored[3].id += "x" }, want: job.Verification{Missing: 1}, lists: 3, waited: 2 * time.Second},
		{name: "late list", listDelay: 30 * time.Second, lists: 8, waited: 30 * time.Second},
		{name: "late list, one lost", listDelay: 30 * time.Second, between: func(f *unreliableService) { f.stored = slices.Delete(f.stored, 2, 3) }, want: job.Verification{Missing: 1}, lists: 9, waited: 30 * time.Second},
		{name: "later than the settling time", listDelay: 30 * time.Second, settle: &second, want: job.Verification{Missing: 30}, lists: 4, waited: time.Second},
		{name: "sent again on purpose", resend: true, again: true, want: job.Verification{Doubled: 30}, lists: 2},
		{name: "sent again, and twice", resend: true, again: true, between: func(f *unreliableService) { f.stored = append(f.stored, f.stored[0]) }, want: job.Verification{Doubled: 30}, lists: 2},
		{name: "sent again, and lost", resend: true, again: true, between: func(f *unreliableService) { f.stored = slices.Delete(f.stored, 0, 1) }, want: job.Verification{Doubled: 29, Missing: 1}, lists: 3, waited: 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newUnreliableService(1)
			f.listDelay = tt.listDelay
			if tt.again {
				if _, err := runUnreliable(t, keywordRows(30), f, f.op(), Options{}); err != nil {
					t.Fatal(err)
				}
			}
			var found []string
			o := verifyOptions(&found)
			o.SettleTime, o.ResendExisting = tt.settle, tt.resend
			op, lists := f.op(), 0
			op.Snapshot = func(ctx context.Context, r SnapshotRequest) (Snapshot, error) {
				if lists++; lists == 2 && tt.between != nil {
					tt.between(f)
				}
				return f.snapshot(ctx, r)
			}
			began := f.now
			sum, err := runUnreliable(t, keywordRows(30), f, op, o)
			noError(t, err)
			if sum.Verification == nil || *sum.Verification != tt.want || len(found) != tt.want.Doubled+tt.want.Missing {
				t.Errorf("got %+v and the rows %v, want %+v", sum.Verification, found, tt.want)
			}
			if waited := f.now - began; lists != tt.lists || waited < tt.waited || waited > tt.waited+20*time.Second {
				t.Errorf("got %d lists in %v, want %d in %v", lists, waited, tt.lists, tt.waited)
			}
		})
	}
}

// TestVerifyPerRow verifies rows each of which is read by a call of its own. Those that a reading
// shows are not read again.
func TestVerifyPerRow(t *testing.T) {
	f, reads := fake{}, map[string]int{}
	op := f.op()
	op.MaxBatch, op.ReadBack = 1, ReadBackPerRow
	op.Snapshot = func(_ context.Context, q SnapshotRequest) (Snapshot, error) {
		return SnapshotFunc(func(_ context.Context, row *rows.Row) (Outcome, error) {
			text := row.Values.Get("keyword").Text()
			f.mu.Lock()
			defer f.mu.Unlock()
			switch reads[text]++; {
			case !q.Reconciling:
				return Outcome{State: Absent}, nil
			case text == "word 2":
				return Outcome{State: Absent}, nil
			case text == "word 3":
				return Outcome{State: Present, Count: 2}, nil
			}
			return Outcome{State: Present}, nil
		}), nil
	}
	var found []string
	sum, err := validateAndRun(t.Context(), openText(t, "csv", keywordRows(5), createSchema()), op, verifyOptions(&found))
	noError(t, err)
	want := `line 4: the service does not list it (keyword "word 2"), twice false; line 5: the service holds it more than once (keyword "word 3"), twice true`
	if got := strings.Join(found, "; "); got != want || *sum.Verification != (job.Verification{Doubled: 1, Missing: 1}) {
		t.Errorf("got %s, %+v; want %s", got, sum.Verification, want)
	}
	if reads["word 1"] != 1 || reads["word 2"] != 2 {
		t.Errorf("got the reads %v, want one of word 1 and two of word 2", reads)
	}
}
