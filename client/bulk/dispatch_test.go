package bulk

import (
	"testing"

	"reseller/client/bulk/job"
)

// TestStateCacheReadsBlocks checks that the cache reads the states of a block at once, and
// those of the next block only when the walk reaches it.
func TestStateCacheReadsBlocks(t *testing.T) {
	var c stateCache
	block := uint32(len(c.states))
	rec := job.NewRecorder(int(2*block) + 3)
	rec.Record(job.RowResult(job.Result{State: job.StateSent}, 1, block, 2*block+2))
	for row := range uint32(rec.Table().Len()) {
		if row == 0 { // the later blocks have not been read yet
			c.state(rec, 0)
			rec.Record(job.RowResult(job.Result{State: job.StateRefused}, 2*block))
		}
		if got, want := c.state(rec, row), rec.Table().State(row); got != want {
			t.Errorf("row %d: got the state %d, want %d", row, got, want)
		}
	}
	rec.Record(job.RowResult(job.Result{State: job.StateUnknown}, 3))
	if got := c.state(rec, 3); got != job.StateUnknown {
		t.Errorf("a row before the block: got the state %d, want %d", got, job.StateUnknown)
	}
}
