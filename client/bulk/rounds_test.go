package bulk

import (
	"slices"
	"testing"

	"reseller/client/bulk/breaker"
	"reseller/client/bulk/job"
)

// rejectBatch records that the service refused a batch of rows as a whole.
func rejectBatch(rec *job.Recorder, b *breaker.Set, key string, rows []uint32) {
	id := rec.RecordIntent(rows)
	rec.Record(job.BatchResult(id, job.Result{State: job.StateRejectedBatch, HTTPStatus: 422, Message: "no"}))
	b.RecordBatchFailure(key, rows[0])
}

func rowRange(first, n int) (rows []uint32) {
	for row := range n {
		rows = append(rows, uint32(first+row))
	}
	return rows
}

func TestRejectedBatchIsSplitIntoParts(t *testing.T) {
	for name, c := range map[string]struct {
		rows  int
		sizes []int
	}{
		"two rows":       {2, []int{1, 1}},
		"ten rows":       {10, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		"25 rows":        {25, []int{3, 3, 3, 3, 3, 3, 3, 3, 1}},
		"a hundred rows": {100, []int{10, 10, 10, 10, 10, 10, 10, 10, 10, 10}},
	} {
		t.Run(name, func(t *testing.T) {
			rec, b := job.NewRecorder(c.rows), breaker.New("")
			rejectBatch(rec, b, "a", rowRange(0, c.rows))
			plan := planBisect(rec, b, rec.Table().TakeRejected())
			if !slices.Equal(plan.sizes, c.sizes) {
				t.Fatalf("got the plan %+v, want parts of %v rows", plan, c.sizes)
			}
			next := uint32(0) // the parts cover the rows in their order
			for i, size := range c.sizes {
				for range size {
					if got := plan.partOf[next]; got != i+1 {
						t.Errorf("row %d is in part %d, want %d", next, got, i+1)
					}
					next++
				}
			}
			if got := plan.partOf[next]; got != 0 {
				t.Errorf("a row of no batch is in part %d, want 0", got)
			}
		})
	}
}

// TestOnlyAbsentRowsAreSplit: only the absent rows of a rejected batch are sent again.
func TestOnlyAbsentRowsAreSplit(t *testing.T) {
	rec, b := job.NewRecorder(6), breaker.New("")
	rejectBatch(rec, b, "a", rowRange(0, 3))
	rejectBatch(rec, b, "a", rowRange(3, 3))
	rejected := rec.Table().TakeRejected()
	rec.Record(job.RowResult(job.Result{State: job.StateSent}, 0, 3, 4, 5)) // read back
	plan := planBisect(rec, b, rejected)
	if !slices.Equal(plan.sizes, []int{1, 1}) || plan.partOf[1] != 1 || plan.partOf[2] != 2 {
		t.Errorf("got the plan %+v, want rows 1 and 2 alone", plan)
	}
}

func TestNothingToBisect(t *testing.T) {
	rec, b := job.NewRecorder(3), breaker.New("")
	if plan := planBisect(rec, b, nil); plan.sizes != nil {
		t.Errorf("without rejected batches: got the plan %+v, want none", plan)
	}
	rejectBatch(rec, b, "a", rowRange(0, 3))
	rejected := rec.Table().TakeRejected()
	rec.Record(job.RowResult(job.Result{State: job.StateSent}, 0, 1, 2))
	if plan := planBisect(rec, b, rejected); plan.sizes != nil {
		t.Errorf("with all rows read back: got the plan %+v, want none", plan)
	}
}

func TestOpenBreakerRefusesRejectedBatches(t *testing.T) {
	rec, b := job.NewRecorder(2), breaker.New("campaign")
	rejectBatch(rec, b, "a", rowRange(0, 2))
	for range breaker.Threshold {
		b.RecordRowFailure("a", job.Result{State: job.StateRefused, HTTPStatus: 422, Message: "no such campaign"})
	}
	if plan := planBisect(rec, b, rec.Table().TakeRejected()); plan.sizes != nil {
		t.Errorf("got the plan %+v, want none", plan)
	}
	wantStates(t, rec.Table(), job.StateRefused, job.StateRefused)
}

// TestProbeOfAKeyThatAcceptedNothing checks that single rows of the first batch are sent
// as a probe, while the rest of it and other batches of the key wait.
func TestProbeOfAKeyThatAcceptedNothing(t *testing.T) {
	const size = breaker.Threshold + 10
	rec, b := job.NewRecorder(2*size+2), breaker.New("campaign")
	rejectBatch(rec, b, "a", rowRange(0, size))
	rejectBatch(rec, b, "a", rowRange(size, size))
	rejectBatch(rec, b, "b", rowRange(2*size, 2))
	plan := planBisect(rec, b, rec.Table().TakeRejected())
	if want := slices.Repeat([]int{1}, breaker.Threshold+2); !slices.Equal(plan.sizes, want) {
		t.Fatalf("got the plan %+v, want %d single rows", plan, len(want))
	}
	for row, want := range map[uint32]int{0: 1, breaker.Threshold - 1: breaker.Threshold, breaker.Threshold: 0, size: 0, 2 * size: breaker.Threshold + 1} {
		if got := plan.partOf[row]; got != want {
			t.Errorf("row %d is in part %d, want %d", row, got, want)
		}
	}
	waiting := rec.Table().TakeRejected()
	want := [][]uint32{rowRange(breaker.Threshold, 10), rowRange(size, size)}
	if !slices.EqualFunc(waiting, want, slices.Equal[[]uint32]) {
		t.Fatalf("the batches %v wait, want %v", waiting, want)
	}
	rec.Record(job.RowResult(job.Result{State: job.StateSent}, rowRange(0, breaker.Threshold)...)) // the probe succeeded
	if plan = planBisect(rec, b, waiting); len(plan.sizes) != 10+10 {
		t.Errorf("after the probe: got the plan %+v, want both batches in 10 parts each", plan)
	}
}
