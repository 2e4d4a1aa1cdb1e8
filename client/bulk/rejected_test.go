package bulk

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"reseller/client/bulk/rows"
)

// TestLoadGoesOnLongAfterARefusal refuses batches of one campaign, whose other rows wait
// for a probe, and then sends batches of another campaign for a long time.
func TestLoadGoesOnLongAfterARefusal(t *testing.T) {
	text := keywordHead
	for i := range 200 {
		text += fmt.Sprintf("1,1,bad %d,target\n", i)
	}
	for i := range 60 {
		text += fmt.Sprintf("1,2,good %d,target\n", i)
	}
	clock := &testClock{}
	f := fake{}
	f.respond = func(batch []rows.Row) ([]Outcome, error) {
		if strings.HasPrefix(batch[0].Values.Get("keyword").Text(), "bad") {
			return nil, refusal(422, "Unprocessable Entity")
		}
		_ = clock.sleep(context.Background(), time.Minute)
		return make([]Outcome, len(batch)), nil
	}
	sum := mustLoad(t, "csv", text, createSchema(), f.op(), Options{BatchSize: 10, Concurrency: 1, Sleep: clock.sleep, Now: clock.time})
	wantCounts(t, sum, counts{Rows: 260, Sent: 60, Refused: 200})
}

// TestRejectedBatchIsBisectedByALaterRun interrupts a run after a batch was refused, and
// checks that the next run finds the invalid row.
func TestRejectedBatchIsBisectedByALaterRun(t *testing.T) {
	path, store := writeFile(t, "k.csv", keywordHead+"1,1,a,target\n1,1,bad,target\n1,1,c,target\n"), newStore(t)
	f := fake{respond: refuseBad(422)}
	ctx, cancel := context.WithCancel(t.Context())
	clock := &testClock{}
	src, j := beginJob(t, store, path, createSchema())
	_, err := Run(ctx, src, f.op(), j, Options{Now: clock.time, Sleep: func(ctx context.Context, _ time.Duration) error {
		cancel() // in the pause before the batch is read back
		return context.Cause(ctx)
	}})
	_, _ = j.Close(), src.Close()
	wantError(t, err, "canceled")
	src, j = beginJob(t, store, path, createSchema())
	defer func() { _, _ = j.Close(), src.Close() }()
	sum, err := Run(t.Context(), src, f.op(), j, Options{Now: clock.time, Sleep: clock.sleep})
	if err != nil {
		t.Fatal(err)
	}
	wantCounts(t, sum, counts{Rows: 3, Sent: 2, Refused: 1})
}
