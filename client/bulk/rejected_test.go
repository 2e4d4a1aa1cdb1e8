package bulk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client/bulk/breaker"
	"reseller/client/bulk/job"
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
	sum := mustLoad(t, "csv", text, createSchema(), f.op(), Options{BatchSize: 10, Concurrency: 1, sleep: clock.sleep, now: clock.time})
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
	_, err := Run(ctx, src, Rows(f.op()), j, Options{now: clock.time, sleep: func(ctx context.Context, _ time.Duration) error {
		cancel() // in the pause before the batch is read back
		return context.Cause(ctx)
	}})
	_, _ = j.Close(), src.Close()
	wantError(t, err, "canceled")
	src, j = beginJob(t, store, path, createSchema())
	defer func() { _, _ = j.Close(), src.Close() }()
	sum, err := Run(t.Context(), src, Rows(f.op()), j, Options{now: clock.time, sleep: clock.sleep})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 3, Sent: 2, Refused: 1})
}

// TestRejectedRowsNeedAWitness refuses a batch that was stored in part, and checks that no
// row is stored twice, however late the list is, unless the load has no row left that it has
// not sent: then it can be one, if nothing says for how long to wait.
func TestRejectedRowsNeedAWitness(t *testing.T) {
	for name, c := range map[string]struct {
		delay    time.Duration
		rows     int // after a batch of ten that ends with an invalid one
		maxTime  time.Duration
		maxPosts int
		maxTwice int // the rows that may be stored twice
	}{
		"rows are left":                              {0, 5, 30 * time.Second, 4, 0},
		"rows are left, and the list is late":        {50 * time.Second, 5, 90 * time.Second, 4, 0},
		"rows are left, and the list is very late":   {100 * time.Second, 5, 150 * time.Second, 4, 0},
		"no row is left":                             {0, 0, 20 * time.Second, 2, 0},
		"no row is left, and the list is late":       {50 * time.Second, 0, 80 * time.Second, 3, 1},
		"no row is left, and the list is very late":  {100 * time.Second, 0, 90 * time.Second, 12, 9},
		"the last row is good, and the list in time": {0, 1, 30 * time.Second, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text := keywordHead
			for i := range 9 {
				text += fmt.Sprintf("1,1,good %d,target\n", i)
			}
			text += "1,1,bad,target\n"
			for i := range c.rows {
				text += fmt.Sprintf("1,1,more %d,target\n", i)
			}
			f := newUnreliableService(1)
			f.storesPartially, f.listDelay = true, c.delay
			var notes strings.Builder
			sum, err := runUnreliable(t, text, f, f.op(), Options{BatchSize: 10, Note: func(text string) { notes.WriteString(text + "\n") }})
			noError(t, err)
			if told := strings.Contains(notes.String(), "then stored twice"); told != (c.maxTwice > 0) {
				t.Errorf("told that a row may be stored twice: %t, want %t; notes: %s", told, c.maxTwice > 0, &notes)
			}
			if many := strings.Contains(notes.String(), "they are then stored twice"); many != (c.maxTwice > 1) {
				t.Errorf("told that rows may be stored twice: %t, want %t; notes: %s", many, c.maxTwice > 1, &notes)
			}
			wantCounts(t, sum, counts{Rows: 10 + c.rows, Sent: 9 + c.rows, Refused: 1})
			if got := len(f.stored); got > 9+c.rows+c.maxTwice {
				t.Errorf("got %d stored keywords, want at most %d", got, 9+c.rows+c.maxTwice)
			}
			if f.now > c.maxTime || f.posts > c.maxPosts {
				t.Errorf("got %v and %d calls that add keywords, want at most %v and %d", f.now, f.posts, c.maxTime, c.maxPosts)
			}
		})
	}
}

// TestLostCanaries loses every response after a batch was refused, and checks that few of its rows are sent alone.
func TestLostCanaries(t *testing.T) {
	f, calls := newUnreliableService(1), 0
	op := wrapCalls(f.op(), func(next Call) Call {
		return func(ctx context.Context, onSend func() error) ([]Outcome, error) {
			if calls++; calls > 1 {
				return nil, errLostResponse
			}
			return next(ctx, onSend)
		}
	})
	sum, err := runUnreliable(t, keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n1,1,d,target\n1,1,bad,target\n", f, op, Options{BatchSize: 5, Retries: 1})
	noError(t, err)
	if wantCounts(t, sum, counts{Rows: 5, Unknown: 5}); calls != 1+2 {
		t.Errorf("got %d calls, want the batch and 2 rows alone", calls)
	}
}

// TestLateListDoesNotTakeARefusedRowForAWitness refuses some batches, of which the service has stored every second row. Its list is
// late: it may show what a refused batch has stored of a row that was sent alone, and not yet what later batches have stored.
func TestLateListDoesNotTakeARefusedRowForAWitness(t *testing.T) {
	for seed := range uint64(30) {
		var faults []string
		synctest.Test(t, func(t *testing.T) {
			s := &lateService{random: rand.New(rand.NewPCG(seed, 1)), lag: maxLate, latency: 30 * time.Second, rejects: 0.3, readsWhole: true, refusesLast: -1}
			s.loseCall = func(call int) (bool, bool) { return call == 13, false } // of the one row that is left
			path, store := writeFile(t, "k.csv", keywordRows(61)), newStore(t)
			src, j := beginJob(t, store, path, createSchema())
			_, err := Run(t.Context(), src, Rows(s.op()), j, Options{BatchSize: 5, Concurrency: 8, Retries: 4, now: time.Now, Note: func(text string) { s.notes += text + "\n" }})
			time.Sleep(2 * maxLate)
			if _, faults = s.check(j.Table()); err != nil {
				faults = append(faults, err.Error())
			}
			_, _ = j.Close(), src.Close()
		})
		if faults != nil {
			t.Fatalf("seed %d: %s", seed, strings.Join(faults, "\n"))
		}
	}
}

// TestResumedRunDoesNotTakeARefusedRowForAWitness resumes a job whose last acknowledged row was refused before with its batch, which
// has stored it. The late list shows that, and not yet a row whose call got no response.
func TestResumedRunDoesNotTakeARefusedRowForAWitness(t *testing.T) {
	f := newUnreliableService(1)
	f.listDelay = 100 * time.Second
	path, store := keywordFile(t, "a", "b", "lost"), newStore(t)
	src, j := beginJob(t, store, path, createSchema())
	var texts []rows.Row
	for row, err := range src.Valid() {
		noError(t, err)
		texts = append(texts, rows.Clone(*row)...)
	}
	j.StartRun(f.boot())
	j.Record(job.Intent(0, []uint32{0, 1}), job.CallStarted(0, 0), job.BatchResult(0, job.Result{State: job.StateRejectedBatch}), job.RowResult(job.Result{State: job.StateRefused}, 1))
	f.store(texts[:1], 0)
	j.Record(job.Intent(1, []uint32{2}), job.CallStarted(1, 10*time.Second))
	f.store(texts[2:], 10*time.Second)
	j.Record(job.Heartbeat(20*time.Second), job.BatchResult(1, job.Result{State: job.StateUnknown}))
	j.Record(job.RowResult(job.Result{State: job.StateRejectedBatch}, 0), job.Intent(2, []uint32{0}), job.CallStarted(2, 90*time.Second), job.BatchResult(2, job.Result{State: job.StateSent}))
	_, _ = j.Close(), src.Close()
	f.now = 101 * time.Second
	f.load(t, store, path, Options{Retries: 4})
	if n := f.storedCounts()[keywordID("1", "1", "lost")]; n != 1 {
		t.Errorf("got the row without a response stored %d times, want once", n)
	}
}

// TestRefusedCampaignDoesNotWait refuses all rows of a file, and checks that the breaker of
// their campaign opens without a wait if rows are left that were not sent.
func TestRefusedCampaignDoesNotWait(t *testing.T) {
	text := keywordHead
	for i := range 50 {
		text += fmt.Sprintf("1,1,bad %d,target\n", i)
	}
	f := newUnreliableService(1)
	sum, err := runUnreliable(t, text, f, f.op(), Options{BatchSize: 25})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 50, Refused: 50})
	if f.now > 10*time.Second || f.posts != 1+breaker.Threshold {
		t.Errorf("got %v and %d calls that add keywords, want at most 10 s and %d", f.now, f.posts, 1+breaker.Threshold)
	}
}

// TestRejectedRowsAreReadTwice checks that one list which shows the witness but not the rows
// of a rejected batch does not prove that they are absent: another page of it may be older.
func TestRejectedRowsAreReadTwice(t *testing.T) {
	f := newUnreliableService(1)
	f.storesPartially = true
	op := f.op()
	snapshot, stale := op.Snapshot, true
	op.Snapshot = func(ctx context.Context, r SnapshotRequest) (Snapshot, error) {
		if stored := f.stored; r.Reconciling && stale {
			stale, f.stored = false, stored[len(stored)-1:]
			defer func() { f.stored = stored }()
		}
		return snapshot(ctx, r)
	}
	text := keywordHead + "1,1,a,target\n1,1,b,target\n1,1,bad,target\n1,1,c,target\n1,1,d,target\n1,1,e,target\n"
	sum, err := runUnreliable(t, text, f, op, Options{BatchSize: 3})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 6, Sent: 5, Refused: 1})
	f.wantStoredOnce(t)
}

// TestResumedKeyIsKnownToBeAccepted interrupts a load after the service has refused a batch
// of a campaign and acknowledged a later one, and checks that the next run does not take the
// campaign for one of which nothing is accepted.
func TestResumedKeyIsKnownToBeAccepted(t *testing.T) {
	text := keywordHead
	for i := range 5 { // the last batch to be sent, although its rows come first
		text += fmt.Sprintf("1,2,other %d,target\n", i)
	}
	for i := range 800 {
		word := "good"
		if i < breaker.Threshold || i < 400 && i%40 == 0 {
			word = "bad"
		}
		text += fmt.Sprintf("1,1,%s %d,target\n", word, i)
	}
	path, store := writeFile(t, "k.csv", text), newStore(t)
	f := fake{respond: refuseBad(422)}
	load := func(stopsAt int) (job.Summary, error) {
		src, j := beginJob(t, store, path, createSchema())
		defer func() { _, _ = j.Close(), src.Close() }()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		clock := &testClock{}
		return Run(ctx, src, Rows(f.op()), j, Options{BatchSize: 400, Concurrency: 1, now: clock.time, sleep: clock.sleep, Progress: func(done, _ int) {
			if done == stopsAt {
				cancel()
			}
		}})
	}
	_, err := load(400)
	wantError(t, err, "canceled")
	sum, err := load(-1)
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 805, Sent: 776, Refused: 29})
}

// TestRefusedRowsDoNotQueue refuses every row with a message of its own, and checks that
// most rows are sent several at a time all the same.
func TestRefusedRowsDoNotQueue(t *testing.T) {
	for name, isIdempotent := range map[string]bool{"create": false, "update": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := fake{respond: func(batch []rows.Row) ([]Outcome, error) {
					time.Sleep(time.Second)
					return nil, refusal(422, "refused: "+batch[0].Values.Get("keyword").Text())
				}}
				op := f.op()
				op.Idempotent = isIdempotent
				began := time.Now()
				sum, err := validateAndRun(t.Context(), openText(t, "csv", keywordRows(1000), createSchema()), op, Options{now: time.Now})
				noError(t, err)
				wantCounts(t, sum, counts{Rows: 1000, Refused: 1000})
				if took := time.Since(began); took > 250*time.Second {
					t.Errorf("got %d calls in %v, want 8 calls of a second at a time", len(f.calls), took)
				}
			})
		})
	}
}

// TestCampaignThatRefusesEverything checks that few calls are made and few lists are read
// for a campaign whose rows are all refused, and that another campaign is loaded.
func TestCampaignThatRefusesEverything(t *testing.T) {
	var text strings.Builder
	text.WriteString(keywordHead)
	for i := range 5000 {
		fmt.Fprintf(&text, "1,1,bad %d,target\n1,2,good %d,target\n", i, i)
	}
	f := newUnreliableService(1)
	sum, err := runUnreliable(t, text.String(), f, f.op(), Options{})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 10_000, Sent: 5000, Refused: 5000})
	if f.posts > 50+30 || f.lists > 8 {
		t.Errorf("got %d posts and %d lists, want at most 80 and 8", f.posts, f.lists)
	}
}

// TestCampaignThatAcceptsRowsHasNoBreaker checks that every row of a campaign is sent
// once the campaign has accepted one.
func TestCampaignThatAcceptsRowsHasNoBreaker(t *testing.T) {
	text := keywordHead + "1,1,good,target\n"
	for i := range 60 {
		text += fmt.Sprintf("1,1,bad %d,target\n", i)
	}
	f := newUnreliableService(1)
	sum, err := runUnreliable(t, text+"1,1,better,target\n", f, f.op(), Options{BatchSize: 1})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 62, Sent: 2, Refused: 60})
}
