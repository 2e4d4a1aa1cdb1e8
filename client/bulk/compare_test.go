package bulk

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

func TestInterpretSnapshotOutcome(t *testing.T) {
	rec := job.NewRecorder(2)
	rec.Record(job.Baseline(2, []uint32{1})) // the service held two of row 1 before the job
	for name, c := range map[string]struct {
		resend bool
		row    uint32
		out    Outcome
		want   byte
	}{
		"absent":                                {false, 0, Outcome{State: Absent}, foundAbsent},
		"present":                               {false, 0, Outcome{State: Present, Count: 1}, foundPresent},
		"differs":                               {false, 0, Outcome{State: Differs, Count: 1}, foundDifferent},
		"unknown":                               {false, 0, Outcome{State: Unknown}, foundUnclear},
		"refused":                               {false, 0, Outcome{State: Refused}, foundUnclear},
		"the baseline counts only with resend":  {false, 1, Outcome{State: Present, Count: 2}, foundPresent},
		"resend: none is listed":                {true, 0, Outcome{State: Absent}, foundAbsent},
		"resend: one is new":                    {true, 0, Outcome{State: Present, Count: 1}, foundPresent},
		"resend: one is new with other content": {true, 0, Outcome{State: Differs, Count: 1}, foundPresent},
		"resend: as many as before":             {true, 1, Outcome{State: Present, Count: 2}, foundAbsent},
		"resend: fewer than before":             {true, 1, Outcome{State: Present, Count: 1}, foundAbsent},
		"resend: one more than before":          {true, 1, Outcome{State: Present, Count: 3}, foundPresent},
	} {
		t.Run(name, func(t *testing.T) {
			r := reconciler{run: &run{rec: rec, opts: Options{ResendExisting: c.resend}}}
			if got := r.interpret(c.row, c.out); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

// TestWitnessWithOtherContentIsNotShown checks that a list vouches for nothing if it shows
// a witness with other content: it may have shown that before the witness was converged.
func TestWitnessWithOtherContentIsNotShown(t *testing.T) {
	for name, c := range map[string]struct {
		count   uint8
		matches bool
		want    bool
	}{
		"absent":                  {0, false, false},
		"present":                 {1, true, true},
		"present, other content ": {1, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			rec := job.NewRecorder(1)
			rec.Record(job.RowResult(job.Result{State: job.StateSent}, 0))
			list := &ListSnapshot{total: 1, counts: []uint8{c.count}, Compare: otherContent}
			if c.matches {
				list.matches.Set(0)
			}
			r := reconciler{run: &run{rec: rec, opts: Options{UpdateExisting: true}, op: Operation{Converge: func([]rows.Row) Call { return nil }}, src: &rows.Source{}}}
			if _, shown := r.compareList(list, &witness{row: 0}); shown != c.want {
				t.Errorf("got shown = %t, want %t", shown, c.want)
			}
		})
	}
}

// TestStoppedRunKnowsNoRowAsAbsent stops a run while it looks for the rows that other records may be, after which none is known as absent.
func TestStoppedRunKnowsNoRowAsAbsent(t *testing.T) {
	src := openText(t, "csv", keywordRows(1), createSchema())
	_, err := src.Validate(t.Context())
	noError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := reconciler{run: &run{load: &load{}, rec: job.NewRecorder(1), src: src}}
	list := &ListSnapshot{Doubt: func(*rows.Row) string { return "another text" }}
	wantError(t, r.suspect(ctx, list, []byte{foundAbsent}, false), "canceled")
}

func TestTransientSnapshotErrors(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"unreadable":   {&client.UnreadableError{Err: errors.New("cut short")}, true},
		"network":      {fmt.Errorf("list: %w", &client.NetworkError{Err: errors.New("reset")}), true},
		"throttled":    {refusal(429), true},
		"server error": {refusal(503), true},
		"unauthorized": {refusal(401), false},
		"invalid":      {refusal(422), false},
		"other":        {errors.New("no token"), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := isTransient(c.err); got != c.want {
				t.Errorf("isTransient(%v) = %t, want %t", c.err, got, c.want)
			}
		})
	}
}

func TestAllSuspectsAreNamed(t *testing.T) {
	for want, ids := range map[string][]int64{
		"rank_id 7":                               {7},
		"rank_id 7 or 9":                          {7, 9},
		"rank_id 1 or 2 or 3 or 4 or 5":           {1, 2, 3, 4, 5},
		"one of 6 records with rank_id 1 to 1027": {1, 2, 3, 4, 5, 1027},
	} {
		if got := suspects("rank_id", ids); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
