package bulk

import (
	"cmp"
	"context"
	"sync"
	"testing"
	"time"

	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// TestRowsOfRejectedBatchesAreCompleted checks that a row which a snapshot completes is
// completed whenever it is sent, also in the parts of a rejected batch.
func TestRowsOfRejectedBatchesAreCompleted(t *testing.T) {
	var mu sync.Mutex
	stored := map[string]bool{}
	complete := func(_ context.Context, row *rows.Row) (Outcome, error) {
		mu.Lock()
		defer mu.Unlock()
		if stored[row.Values.Get("rank_id").Text()] {
			return Outcome{State: Present}, nil
		}
		row.Values.Set("keyword_type", record.Quote("target"))
		return Outcome{State: Absent}, nil
	}
	op := Operation{
		Name: "keywords.update", Key: []string{},
		Snapshot: func(context.Context, SnapshotRequest) (Snapshot, error) { return SnapshotFunc(complete), nil },
		Encode: EncodeRows(func(batch []rows.Row) Call {
			batch = rows.Clone(batch...)
			return func(_ context.Context, onSend func() error) ([]Outcome, error) {
				mu.Lock()
				defer mu.Unlock()
				for _, row := range batch {
					if row.Values.Get("keyword_type") == nil {
						t.Errorf("row %d of %d was sent without its type", row.Ordinal, len(batch))
					}
				}
				if err := onSend(); err != nil || len(batch) > 1 {
					return nil, cmp.Or(err, refusal(422, "no"))
				}
				stored[batch[0].Values.Get("rank_id").Text()] = true
				return []Outcome{{}}, nil
			}
		}),
	}
	src := openText(t, "csv", "rank_id,status\n1,activate\n2,activate\n3,deactivate\n", updateSchema())
	sum, err := validateAndRun(t.Context(), src, op, Options{Sleep: func(context.Context, time.Duration) error { return nil }})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 3, Sent: 3})
}
