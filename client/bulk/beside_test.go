package bulk

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"reseller/client/bulk/job"
)

// TestLoadsSideBySide loads other files while the load of a file is in the midst of its first call: one that shares rows with
// it is refused and can be loaded afterwards, and one that shares none is loaded.
func TestLoadsSideBySide(t *testing.T) {
	t.Parallel()
	f := &unreliableService{random: rand.New(rand.NewPCG(1, 1))}
	store := newStore(t)
	load := func(path string, op Operation) (job.Summary, error) {
		src, j := beginJob(t, store, path, createSchema())
		defer func() { _ = src.Close() }()
		sum, err := Run(t.Context(), src, Rows(op), j, Options{BatchSize: 1, Concurrency: 1, sleep: f.sleep, now: f.time, boot: f.boot})
		noError(t, j.Close())
		return sum, err
	}
	edited := keywordFile(t, "new", "c", "a", "b")
	beside := sync.OnceFunc(func() {
		sum, err := load(edited, f.op())
		if busy, ok := errors.AsType[*job.BusyError](err); !ok || busy.Rows != 3 || sum.Sent > 0 {
			t.Errorf("of the edited file, the counts are %+v, and the error is %v, want a *BusyError about 3 rows", countsOf(sum), err)
		}
		sum, err = load(keywordFile(t, "other"), f.op())
		noError(t, err)
		wantCounts(t, sum, counts{Rows: 1, Sent: 1})
	})
	sum, err := load(keywordFile(t, "a", "b", "c"), wrapCalls(f.op(), func(call Call) Call {
		return func(ctx context.Context, onSend func() error) ([]Outcome, error) {
			beside()
			return call(ctx, onSend)
		}
	}))
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 3, Sent: 3})
	sum, err = load(edited, f.op())
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 4, Sent: 1, Present: 3})
	if len(f.stored) != 5 {
		t.Errorf("the service holds %d keywords, want 5", len(f.stored))
	}
}
