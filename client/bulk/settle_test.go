package bulk

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"reseller/client"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// lossy loses the answer of the first calls; only stored of them are carried out.
func lossy(f *faulty, lose int, stored bool) Operation {
	n := 0
	return wrapped(f.op(), func(next Call) Call {
		return func(ctx context.Context, onSend func() error) ([]Outcome, error) {
			if n++; n > lose {
				return next(ctx, onSend)
			}
			if stored {
				if _, err := next(ctx, onSend); err != nil {
					return nil, err
				}
			}
			return nil, &client.NetworkError{Action: "add keywords", Sent: true, Err: errors.New("reset")}
		}
	})
}

func settleRun(t *testing.T, f *faulty, op Operation, rows int, o Options) (job.Summary, error) {
	t.Helper()
	s, err := source(t, "csv", keywordRows(rows), creating())
	if err != nil {
		t.Fatal(err)
	}
	o.Concurrency, o.Sleep = 1, f.pause
	return checkedRun(t.Context(), s, op, o)
}

func TestSettling(t *testing.T) {
	for name, tc := range map[string]struct {
		lose    int
		stored  bool
		lag     time.Duration
		retries int
		want    string // sent, unknown, times stored, lists
		fails   bool
	}{
		"stored":               {1, true, 0, 4, "30 0 30 3", false},
		"not stored":           {1, false, 0, 4, "30 0 30 3", false},
		"two rounds":           {4, false, 0, 2, "30 0 30 5", false},
		"rounds used up":       {9, false, 0, 1, "0 0 0 5", true},
		"a list that lags":     {1, true, 5 * time.Second, 4, "30 0 30 5", false},
		"a list that is stale": {1, true, time.Hour, 4, "20 10 30 11", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFaulty(1)
			f.lag = tc.lag
			sum, err := settleRun(t, f, lossy(f, tc.lose, tc.stored), 30, Options{Retries: tc.retries})
			var unfinished *IncompleteError
			if errors.As(err, &unfinished) != tc.fails || err != nil && !tc.fails {
				t.Errorf("%v", err)
			}
			if got := fmt.Sprintf("%d %d %d %d", sum.Sent, sum.Unknown, len(f.stored), f.lists); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			for id, n := range f.times() {
				if n != 1 {
					t.Errorf("%s is stored %d times", id, n)
				}
			}
		})
	}
}

// TestPatience: the reading back waits as long as the call had lasted.
func TestPatience(t *testing.T) {
	f := newFaulty(1)
	op := f.op()
	var pauses []time.Duration
	op.Encode = EncodeRows(func(batch []rows.Row) Call {
		batch = rows.Clone(batch...)
		return func(context.Context, func() error) ([]Outcome, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.store(batch, 0)
			return nil, refusal(504)
		}
	})
	s, err := source(t, "csv", keywordRows(1), creating())
	if err != nil {
		t.Fatal(err)
	}
	sum, err := checkedRun(t.Context(), s, op, Options{Sleep: func(_ context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		return nil
	}})
	if err != nil || sum.Sent != 1 || len(pauses) != 2 || pauses[0] < 1900*time.Millisecond || pauses[1] != 2*time.Second {
		t.Errorf("%+v, %v, %v", sum, err, pauses)
	}
	var snd sender
	snd.deferReconcile(40 * time.Second)
	if wait := time.Until(snd.reconcileNotBefore); wait < 39*time.Second || wait > 40*time.Second {
		t.Errorf("%v after a call of 40 s", wait)
	}
}

// TestGivenUpCampaign: 20 rows refused alone are enough, and a campaign that
// takes rows is never given up.
func TestGivenUpCampaign(t *testing.T) {
	text := keywordHead
	for i := range 5000 {
		text += fmt.Sprintf("1,1,bad %d,target\n1,2,good %d,target\n", i, i)
	}
	f := newFaulty(1)
	s, err := source(t, "csv", text, creating())
	if err != nil {
		t.Fatal(err)
	}
	sum, err := checkedRun(t.Context(), s, f.op(), Options{Concurrency: 1, Sleep: f.pause})
	if err != nil || sum.Refused != 5000 || sum.Sent != 5000 || f.posts > 50+30 || f.lists > 8 {
		t.Errorf("%+v, %v, %v", sum, err, f)
	}
	text = keywordHead + "1,1,good,target\n"
	for i := range 60 {
		text += fmt.Sprintf("1,1,bad %d,target\n", i)
	}
	text += "1,1,better,target\n"
	f = newFaulty(1)
	if s, err = source(t, "csv", text, creating()); err != nil {
		t.Fatal(err)
	}
	sum, err = checkedRun(t.Context(), s, f.op(), Options{Concurrency: 1, BatchSize: 1, Sleep: f.pause})
	if err != nil || sum.Sent != 2 || sum.Refused != 60 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// TestOneReadForAllRefused: however many batches are refused in one round.
func TestOneReadForAllRefused(t *testing.T) {
	text := keywordHead
	for i := range 300 {
		word := "good"
		if i%30 == 7 {
			word = "bad"
		}
		text += fmt.Sprintf("1,1,%s %d,target\n", word, i)
	}
	for lag, lists := range map[time.Duration]int{0: 6, time.Second: 12} {
		f := newFaulty(1)
		f.partly, f.lag = true, lag
		s, err := source(t, "csv", text+"1,2,last,target\n", creating())
		if err != nil {
			t.Fatal(err)
		}
		sum, err := checkedRun(t.Context(), s, f.op(), Options{Concurrency: 1, BatchSize: 30, Sleep: f.pause})
		if err != nil || sum.Sent != 291 || sum.Refused != 10 || f.lists > lists {
			t.Errorf("%v: %+v, %v, %v", lag, sum, err, f)
		}
		for id, n := range f.times() {
			if n != 1 {
				t.Errorf("%v: %s is stored %d times", lag, id, n)
			}
		}
	}
}

// TestUpdateExisting brings in line what differs, failures included.
func TestUpdateExisting(t *testing.T) {
	for seed := range uint64(30) {
		f := newFaulty(seed)
		f.rate = 0.5
		f.hold("1", "1", "one", "interest", false)
		f.hold("1", "1", "two", "target", true)
		f.hold("1", "1", "three", "target", false)
		text := keywordHead + "1,1,One,target\n1,1,two,target\n1,1,three,target\n1,1,four,target\n"
		s, err := source(t, "csv", text, creating())
		if err != nil {
			t.Fatal(err)
		}
		sum, err := checkedRun(t.Context(), s, f.op(), Options{UpdateExisting: true, Retries: 50, Sleep: f.pause})
		if err != nil || sum.Sent != 3 || sum.Present != 1 || len(f.stored) != 4 {
			t.Fatalf("%d: %+v, %v, %v", seed, sum, err, f.stored)
		}
		for _, k := range f.stored {
			if k.kind != "target" || k.off {
				t.Errorf("%+v", k)
			}
		}
	}
}

// TestShards: disjoint and complete for every number of shards.
func TestShards(t *testing.T) {
	const total = 200
	path := file(t, "k.csv", keywordRows(total)+"0,1,WORD 0,target\nx,1,y,target\n")
	for n := 1; n <= 9; n++ {
		seen := map[int]int{}
		all, invalid := 0, 0
		for i := 1; i <= n; i++ {
			spec := creating()
			spec.Shard = rows.Shard{I: i, N: n}
			s, err := rows.Open(decode.Options{Path: path}, spec)
			if err != nil {
				t.Fatal(err)
			}
			report, err := s.Validate(t.Context())
			if err == nil {
				t.Fatal("the invalid row is told by every shard")
			}
			all, invalid = all+report.Rows, invalid+report.Invalid
			for row, err := range s.All() {
				if err == nil {
					seen[row.Line]++
				}
			}
			_ = s.Close()
		}
		if len(seen) != total || all != total+2 || invalid != 1 {
			t.Errorf("%d shards: %d rows of %d, %d invalid", n, len(seen), all, invalid)
		}
		for line, times := range seen {
			if times != 1 {
				t.Errorf("%d shards: line %d is in %d", n, line, times)
			}
		}
	}
}
