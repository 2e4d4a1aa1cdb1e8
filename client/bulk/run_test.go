package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

func TestSummaryKeys(t *testing.T) {
	got, err := json.Marshal(job.Summary{})
	want := `{"job":"","operation":"","rows":0,"sent":0,"present":0,"differs":0,"duplicates":0,"invalid":0,"refused":0,"unknown":0,"requests":0,"retries":0,"seconds":0}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestBatchesAcrossTheFile(t *testing.T) {
	var f fake
	last, calls := 0, 0
	sum := mustRun(t, "csv", keywordRows(60), creating(), f.op(), Options{BatchSize: 8, Progress: func(done, total int) {
		calls++
		if done < last || total != 60 { // two calls may be counted before either is told
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}})
	if sum.Sent != 60 || sum.Rows != 60 || sum.Requests != 9 || last != 60 || calls != 10 || sum.Operation != "keywords.create" {
		t.Errorf("%+v, %d", sum, last)
	}
	for _, words := range f.calls {
		if len(words) != 8 && len(words) != 4 {
			t.Errorf("a call of %d", len(words))
		}
		for _, w := range words {
			var n, first int
			_, _ = fmt.Sscanf(w, "word %d", &n)
			_, _ = fmt.Sscanf(words[0], "word %d", &first)
			if n%3 != first%3 {
				t.Errorf("mixed: %v", words)
			}
		}
	}
}

func TestOpSizeBoundsBatches(t *testing.T) {
	var f fake
	op := f.op()
	op.MaxBatch, op.Key = 1, nil
	if sum := mustRun(t, "csv", keywordRows(5), creating(), op, Options{}); sum.Requests != 5 {
		t.Errorf("%+v", sum)
	}
}

func TestManyKeysFlushTheOldest(t *testing.T) {
	b := newBatcher(func(batchKey) int { return 100 }, func(batchKey) BatchEncoder { return &rowsEncoder{Arena: &rows.Arena{}} })
	for i := range maxOpenRows {
		p := b.add(&batchKey{key: fmt.Sprint(i)}, &rows.Row{Ordinal: i})
		if (p != nil) != (i == maxOpenRows-1) {
			t.Fatalf("row %d: %v", i, p)
		}
		if p != nil && p.rows[0] != 0 {
			t.Errorf("row %d goes first", p.rows[0])
		}
	}
}

func TestForbiddenRefusesTheCall(t *testing.T) {
	f := fake{respond: blame(403)}
	sum := mustRun(t, "csv", keywordRows(9)+"1,1,bad,target\n", creating(), f.op(), Options{})
	if sum.Refused != 4 || sum.Sent != 6 || sum.Requests != 3 {
		t.Errorf("%+v", sum)
	}
}

func TestSomeAnswersStopTheRun(t *testing.T) {
	for _, failure := range []error{refusal(401), refusal(404), refusal(405), &client.GuardError{URL: "x", Reason: "y"}, errors.New("no token")} {
		f := fake{respond: func([]rows.Row) ([]Outcome, error) { return nil, failure }}
		s, err := source(t, "csv", keywordRows(100), creating())
		if err != nil {
			t.Fatal(err)
		}
		sum, err := checkedRun(t.Context(), s, f.op(), Options{BatchSize: 1, Concurrency: 2})
		if !errors.Is(err, failure) || sum.Requests > 2 || sum.Sent+sum.Refused+sum.Unknown > 0 {
			t.Errorf("%v: %+v, %v", failure, sum, err)
		}
	}
}

func TestUnknownOutcomes(t *testing.T) {
	lost := &client.NetworkError{Operation: "POST", Action: "add keywords", Sent: true, Err: errors.New("reset")}
	n := 0
	f := fake{blind: true, respond: func(batch []rows.Row) ([]Outcome, error) {
		if n++; n%2 == 0 {
			return nil, lost
		}
		return make([]Outcome, len(batch)), nil
	}}
	sum := mustRun(t, "csv", keywordRows(60), creating(), f.op(), Options{BatchSize: 1, Concurrency: 1})
	if sum.Unknown != 30 || sum.Sent != 30 {
		t.Errorf("%+v", sum)
	}
	for _, silence := range []error{lost, refusal(502), &client.NetworkError{Err: errors.New("refused")}} {
		f := fake{blind: true, respond: func([]rows.Row) ([]Outcome, error) { return nil, silence }}
		s, err := source(t, "csv", keywordRows(60), creating())
		if err != nil {
			t.Fatal(err)
		}
		sum, err := checkedRun(t.Context(), s, f.op(), Options{BatchSize: 1, Concurrency: 1})
		want := 20 // what surely did not arrive is not in doubt
		if !client.OutcomeUnknown(silence) {
			want = 0
		}
		if !errors.Is(err, silence) || sum.Unknown != want || sum.Requests != 20 {
			t.Errorf("%v: %+v, %v", silence, sum, err)
		}
	}
}

// TestBusyIsWaitedOut: a 429 is no failure for 15 minutes.
func TestBusyIsWaitedOut(t *testing.T) {
	var waited time.Duration
	o := Options{BatchSize: 1, Concurrency: 1, Sleep: func(_ context.Context, d time.Duration) error {
		waited += d
		return nil
	}}
	f := fake{}
	f.respond = func(batch []rows.Row) ([]Outcome, error) {
		if len(f.calls) < 30 {
			return nil, refusal(429)
		}
		return make([]Outcome, len(batch)), nil
	}
	if sum := mustRun(t, "csv", keywordRows(3), creating(), f.op(), o); sum.Sent != 3 || waited > 15*time.Minute {
		t.Errorf("%+v after %v", sum, waited)
	}
	waited = 0
	f = fake{respond: func([]rows.Row) ([]Outcome, error) { return nil, refusal(429) }}
	s, err := source(t, "csv", keywordRows(3), creating())
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := checkedRun(t.Context(), s, f.op(), o); err == nil || sum.Unknown+sum.Sent+sum.Refused > 0 || waited < 15*time.Minute || waited > 16*time.Minute {
		t.Errorf("%+v, %v after %v", sum, err, waited)
	}
	f = fake{respond: func([]rows.Row) ([]Outcome, error) {
		return nil, &client.Error{HTTPStatus: 429, RetryAfter: true, Wait: time.Hour}
	}}
	if sum, err := checkedRun(t.Context(), s, f.op(), o); err == nil || len(f.calls) != 1 {
		t.Errorf("%+v, %v, %d calls", sum, err, len(f.calls))
	}
}

func TestOnInvalid(t *testing.T) {
	text := keywordHead + "1,1,a,target\n1,1,b,both\n1,1,c,target\n1,1,C,interest\n1,1,a,target\n1,1,d\n"
	var f fake
	rejects := filepath.Join(t.TempDir(), "r.csv")
	s, err := source(t, "csv", text, creating())
	if err != nil {
		t.Fatal(err)
	}
	sum, err := checkedRun(t.Context(), s, f.op(), Options{Rejects: rejects})
	wantError(t, err, "line 3, keyword_type", "line 5: contradicts line 4", "line 7: has 3")
	if sum.Requests != 0 || sum.Invalid != 4 || len(f.calls) != 0 {
		t.Errorf("%+v", sum)
	}
	if _, err := os.Stat(rejects); err == nil {
		t.Error("rejects although nothing was loaded")
	}
	sum, err = checkedRun(t.Context(), s, f.op(), Options{Rejects: rejects, OnInvalid: Skip})
	if err != nil || sum.Sent != 1 || sum.Invalid != 4 || sum.Duplicates != 1 || sum.Rows != 6 {
		t.Errorf("%+v, %v", sum, err)
	}
	got, _ := os.ReadFile(rejects)
	want := []string{
		"1,1,b,both,\"line 3, keyword_type: \"\"both\"\" is none of target, interest\",\n",
		"1,1,c,target,line 4: contradicts line 5: the same keyword with different content,\n",
		"1,1,C,interest,line 5: contradicts line 4",
		"1,1,d,,line 7: has 3 cells",
	}
	for _, w := range want {
		if !strings.Contains(string(got), w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	broken, err := source(t, "csv", keywordHead+"1,1,a,target\n1,1,\"b,target\n", creating())
	if err != nil {
		t.Fatal(err)
	}
	_, err = checkedRun(t.Context(), broken, f.op(), Options{OnInvalid: Skip})
	wantError(t, err, "line 3: ")
	if len(f.calls) != 1 {
		t.Error("sent a file that is broken")
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := fake{respond: func(batch []rows.Row) ([]Outcome, error) {
		cancel()
		return make([]Outcome, len(batch)), nil
	}}
	s, err := source(t, "csv", keywordRows(1000), creating())
	if err != nil {
		t.Fatal(err)
	}
	sum, err := checkedRun(ctx, s, f.op(), Options{BatchSize: 1, Concurrency: 2})
	if !errors.Is(err, context.Canceled) || sum.Sent == 0 || sum.Sent > 4 {
		t.Errorf("%+v, %v", sum, err)
	}
}

func TestBatchMustTellAllRows(t *testing.T) {
	for told, want := range map[int]string{0: "0 outcomes for 3 rows", 1: "", 2: "2 outcomes for 3 rows", 3: ""} {
		f := fake{respond: func([]rows.Row) ([]Outcome, error) {
			return slices.Repeat([]Outcome{{State: Refused, Message: "no"}}, told), nil
		}}
		s, err := source(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n", creating())
		if err != nil {
			t.Fatal(err)
		}
		sum, err := checkedRun(t.Context(), s, f.op(), Options{})
		if want != "" {
			wantError(t, err, want)
		} else if err != nil || sum.Refused != 3 {
			t.Errorf("%d told: %+v, %v", told, sum, err)
		}
	}
}
