package bulk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client"
	"reseller/client/bulk/breaker"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// loseResponses returns the service's operation with the responses to the first n calls
// lost. stored says whether those calls were carried out.
func loseResponses(f *unreliableService, n int, stored bool) Operation {
	calls := 0
	return wrapCalls(f.op(), func(next Call) Call {
		return func(ctx context.Context, onSend func() error) ([]Outcome, error) {
			if calls++; calls > n {
				return next(ctx, onSend)
			}
			if stored {
				if _, err := next(ctx, onSend); err != nil {
					return nil, err
				}
			}
			return nil, errLostResponse
		}
	})
}

// runUnreliable loads keywords into an unreliable service, one call at a time.
func runUnreliable(t *testing.T, text string, f *unreliableService, op Operation, o Options) (job.Summary, error) {
	t.Helper()
	o.Concurrency, o.sleep, o.now, o.boot = 1, f.sleep, f.time, f.boot
	return validateAndRun(t.Context(), openText(t, "csv", text, createSchema()), op, o)
}

// TestLostResponsesAreReconciled: a row is sent again only if it was surely not carried out, or is proven absent, and it
// counts as absent only in a list that shows a row which was sent after the settling time of its call.
func TestLostResponsesAreReconciled(t *testing.T) {
	for name, c := range map[string]struct {
		lost    int
		carried bool // the calls were carried out
		delay   time.Duration
		retries int
		want    string // rows sent, rows unknown, keywords stored, lists read
	}{
		"calls that were carried out":     {1, true, 0, 4, "30 0 30 2"},
		"calls that were not carried out": {1, false, 0, 4, "30 0 30 12"},
		"several rounds":                  {4, false, 0, 2, "28 2 28 19"},
		"nothing is ever acknowledged":    {9, false, 0, 1, "0 30 0 12"},
		"a list with a delay":             {1, true, 5 * time.Second, 4, "30 0 30 4"},
		"a list that stays stale":         {1, true, time.Hour, 4, "20 10 30 17"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newUnreliableService(1)
			f.listDelay = c.delay
			sum, err := runUnreliable(t, keywordRows(30), f, loseResponses(f, c.lost, c.carried), Options{Retries: c.retries})
			if err != nil {
				t.Errorf("got error %v, want none", err)
			}
			if got := fmt.Sprintf("%d %d %d %d", sum.Sent, sum.Unknown, len(f.stored), f.lists); got != c.want {
				t.Errorf("sent, unknown, stored, lists: got %s, want %s", got, c.want)
			}
			f.wantStoredOnce(t)
		})
	}
}

// TestListThatNeverComesWhole checks that rows which can't be read back are unknown,
// and not sent again.
func TestListThatNeverComesWhole(t *testing.T) {
	f := newUnreliableService(1)
	op := loseResponses(f, 1, false)
	snapshot, complete := op.Snapshot, 1
	op.Snapshot = func(ctx context.Context, r SnapshotRequest) (Snapshot, error) {
		if complete--; complete < 0 {
			f.lists++
			return nil, &client.UnreadableError{Action: "list keywords", HTTPStatus: 200, Err: errors.New("cut short")}
		}
		return snapshot(ctx, r)
	}
	sum, err := runUnreliable(t, keywordRows(30), f, op, Options{Retries: 4})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 30, Sent: 20, Unknown: 10})
	if len(f.stored) != 20 || f.lists != 1+maxUnreadable+1 {
		t.Errorf("got %d stored and %d lists, want 20 and %d", len(f.stored), f.lists, 1+maxUnreadable+1)
	}
}

// TestFirstListThatIsCut checks that a list which is cut before anything was sent is read once more.
func TestFirstListThatIsCut(t *testing.T) {
	f := newUnreliableService(1)
	op := f.op()
	snapshot, lists := op.Snapshot, 0
	op.Snapshot = func(ctx context.Context, r SnapshotRequest) (Snapshot, error) {
		if lists++; lists == 1 {
			return nil, &client.UnreadableError{Action: "list keywords", HTTPStatus: 200, Err: errors.New("cut short")}
		}
		return snapshot(ctx, r)
	}
	sum, err := runUnreliable(t, keywordRows(30), f, op, Options{})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 30, Sent: 30})
}

// TestSettledAt checks for how long the outcome of a call stays uncertain.
func TestSettledAt(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		err      error
		lasted   time.Duration
		evidence job.Evidence
		fixed    time.Duration // -1 for none
		want     time.Duration
	}{
		"no response":                          {errLostResponse, ms, job.Evidence{}, -1, time.Minute},
		"no response of a fast service":        {errLostResponse, ms, job.Evidence{Slowest: ms}, -1, time.Minute},
		"no response of a slow service":        {errLostResponse, ms, job.Evidence{Slowest: 7 * time.Second}, -1, 70 * time.Second},
		"no response within a long time":       {errLostResponse, 90 * time.Second, job.Evidence{}, -1, 180 * time.Second},
		"a gateway's 504":                      {fromGateway(504), ms, job.Evidence{Slowest: ms}, -1, time.Minute},
		"a gateway's 500":                      {fromGateway(500), ms, job.Evidence{Slowest: ms}, -1, time.Minute},
		"a gateway's 200":                      {fromGateway(200), ms, job.Evidence{Slowest: ms}, -1, time.Minute},
		"the service's 504":                    {refusal(504), ms, job.Evidence{Slowest: ms}, -1, time.Minute},
		"a response, with nothing measured":    {refusal(500), ms, job.Evidence{}, -1, 30*time.Second + ms},
		"a response of a fast service":         {refusal(500), ms, job.Evidence{Slowest: ms}, -1, ReconcileDelay + ms},
		"a response of a slow service":         {refusal(500), ms, job.Evidence{Slowest: time.Second}, -1, 10*time.Second + ms},
		"a response of one whose list is late": {refusal(500), ms, job.Evidence{Slowest: ms, Lag: 40 * time.Second}, -1, 40*time.Second + ms},
		"a fixed settling time":                {errLostResponse, 90 * time.Second, job.Evidence{Slowest: time.Second}, 3 * time.Second, 90 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			var d doubt
			var fixed *time.Duration
			if c.fixed >= 0 {
				fixed = &c.fixed
			}
			d.add(Answered(c.err), epoch.Add(time.Second), c.lasted)
			d.add(Answered(c.err), epoch, 0) // an earlier call does not bring it forward
			if got := d.settledAt(fixed, c.evidence).Sub(epoch) - time.Second; got != c.want {
				t.Errorf("got %v after the call, want %v", got, c.want)
			}
		})
	}
}

// TestRejectedBatchesShareSnapshots checks that few lists are read, however many batches
// are refused in a round.
func TestRejectedBatchesShareSnapshots(t *testing.T) {
	text := keywordHead
	for i := range 300 {
		word := "good"
		if i%30 == 7 {
			word = "bad"
		}
		text += fmt.Sprintf("1,1,%s %d,target\n", word, i)
	}
	for delay, maxLists := range map[time.Duration]int{0: 7, time.Second: 12} {
		t.Run("list delay "+delay.String(), func(t *testing.T) {
			f := newUnreliableService(1)
			f.storesPartially, f.listDelay = true, delay
			sum, err := runUnreliable(t, text+"1,2,last,target\n", f, f.op(), Options{BatchSize: 30})
			noError(t, err)
			wantCounts(t, sum, counts{Rows: 301, Sent: 291, Refused: 10})
			if f.lists > maxLists {
				t.Errorf("got %d lists, want at most %d", f.lists, maxLists)
			}
			f.wantStoredOnce(t)
		})
	}
}

// TestUpdateExistingConvergesRows checks that rows with other content are updated, even
// if calls fail.
func TestUpdateExistingConvergesRows(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			f := newUnreliableService(seed)
			f.failureRate = 0.5
			f.addStored("1", "1", "one", "interest", false)
			f.addStored("1", "1", "two", "target", true)
			f.addStored("1", "1", "three", "target", false)
			src := openText(t, "csv", keywordHead+"1,1,One,target\n1,1,two,target\n1,1,three,target\n1,1,four,target\n", createSchema())
			sum, err := validateAndRun(t.Context(), src, f.op(), Options{UpdateExisting: true, Retries: 50, sleep: f.sleep, now: f.time, boot: f.boot})
			noError(t, err)
			if sum.Unknown > 0 { // the new keyword, if no other call can be its witness
				sum.Unknown, sum.Sent = sum.Unknown-1, sum.Sent+1
			}
			wantCounts(t, sum, counts{Rows: 4, Sent: 3, Present: 1})
			if len(f.stored) < 3+sum.Unknown || len(f.stored) > 4 {
				t.Errorf("got %d stored keywords, want 3 or 4", len(f.stored))
			}
			for _, k := range f.stored {
				if k.kind != "target" || k.inactive {
					t.Errorf("%q: got type %s, inactive %t; want target, false", k.text, k.kind, k.inactive)
				}
			}
		})
	}
}

func TestMoveKeepsSettledRows(t *testing.T) {
	rec := job.NewRecorder(4)
	rejectBatch(rec, breaker.New("campaign"), "a", []uint32{0, 1, 2})
	rec.Record(job.RowResult(job.Result{State: job.StateSent}, 1))
	(&run{rec: rec}).move(job.StateRejectedBatch, job.StateUnknown, true)
	wantStates(t, rec.Table(), job.StateUnknown, job.StateSent, job.StateUnknown, job.StatePending)
}

// TestPermanentSnapshotErrorStopsTheRun checks that a list which is refused while rows
// are reconciled ends the run with the rows unknown.
func TestPermanentSnapshotErrorStopsTheRun(t *testing.T) {
	f := newUnreliableService(1)
	op := loseResponses(f, 1, false)
	snapshot, lists := op.Snapshot, 0
	op.Snapshot = func(ctx context.Context, r SnapshotRequest) (Snapshot, error) {
		if lists++; lists > 1 {
			return nil, refusal(403, "no access")
		}
		return snapshot(ctx, r)
	}
	sum, err := runUnreliable(t, keywordRows(30), f, op, Options{Retries: 4})
	wantError(t, err, "no access")
	wantCounts(t, sum, counts{Rows: 30, Sent: 20, Unknown: 10})
	if lists != 3 { // the second attempt has the last batch as a witness
		t.Errorf("got %d lists, want 3", lists)
	}
}

// TestPerRowReadBack checks that a row which can't be read does not keep other rows from
// being reconciled, if each row is read by a call of its own.
func TestPerRowReadBack(t *testing.T) {
	stored, reads := map[string]bool{}, 0
	f := fake{respond: func(batch []rows.Row) ([]Outcome, error) {
		text := batch[0].Values.Get("keyword").Text()
		stored[text] = text != "word 4"
		return nil, errLostResponse
	}}
	op := f.op()
	op.MaxBatch, op.ReadBack = 1, ReadBackPerRow
	op.Snapshot = func(context.Context, SnapshotRequest) (Snapshot, error) {
		return SnapshotFunc(func(_ context.Context, row *rows.Row) (Outcome, error) {
			reads++
			switch text := row.Values.Get("keyword").Text(); {
			case text == "word 2":
				return Outcome{}, refusal(500)
			case stored[text]:
				return Outcome{State: Present}, nil
			}
			return Outcome{State: Absent}, nil
		}), nil
	}
	sum, err := validateAndRun(t.Context(), openText(t, "csv", keywordRows(5), createSchema()), op, Options{Concurrency: 1})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 5, Sent: 3, Unknown: 2}) // only one snapshot shows word 4, so it stays unknown
	if reads == 0 || len(f.calls) != 5 {
		t.Errorf("got %d reads and %d calls, want some reads and 5 calls", reads, len(f.calls))
	}
}

// TestAlteredRowsAreUnknown loads rows of which the service stores some with another text, and loses the response to one
// call. What may be a new record of the list is not sent again unless the user asks for it.
func TestAlteredRowsAreUnknown(t *testing.T) {
	for _, isStored := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := &lateService{random: rand.New(rand.NewPCG(1, 1)), readsWhole: true, alters: 4}
			s.loseCall = func(call int) (bool, bool) { return call == 2, isStored }
			path, store, notes, began := writeFile(t, "k.csv", keywordRows(9)), newStore(t), "", time.Now()
			boot := func() job.Boot { return job.Boot{ID: "boot", Uptime: time.Since(began)} }
			load := func(resend bool) job.Summary {
				src, j := beginJob(t, store, path, createSchema())
				defer func() { _, _ = j.Close(), src.Close() }()
				sum, err := Run(t.Context(), src, Rows(s.op()), j, Options{BatchSize: 3, Concurrency: 1, Retries: 4, ResendUnknown: resend, boot: boot, Note: func(text string) { notes += text + "\n" }})
				if err != nil {
					t.Error(err)
				}
				return sum
			}
			want := counts{Rows: 9, Sent: 9}
			if isStored {
				want = counts{Rows: 9, Sent: 8, Unknown: 1}
			}
			wantCounts(t, load(false), want)
			if reason := "unknown: the service may have stored it with another text, as rank_id 1004: --resend-unknown sends it if not"; isStored != strings.Contains(notes, reason) {
				t.Errorf("stored %t: got the notes %q", isStored, notes)
			}
			if isStored {
				wantCounts(t, load(false), want)
				wantCounts(t, load(true), counts{Rows: 9, Sent: 9})
			}
		})
	}
}

// TestRowsOfOtherShardsAreNoDoubt checks that what another machine has meanwhile sent of the same file is no other text of a row
// of this shard, whether the rows themselves are sent or items of them.
func TestRowsOfOtherShardsAreNoDoubt(t *testing.T) {
	items := func(op Operation) []Step {
		return []Step{{Operation: op, Label: "row", Identity: keywordIdentity, Items: func(row rows.Row) []rows.Values { return []rows.Values{row.Values} }}}
	}
	for _, steps := range []func(Operation) []Step{Rows, items} {
		synctest.Test(t, func(t *testing.T) {
			s := &lateService{random: rand.New(rand.NewPCG(1, 1)), readsWhole: true}
			path, began := writeFile(t, "k.csv", keywordRows(30)), time.Now()
			boot := func() job.Boot { return job.Boot{ID: "boot", Uptime: time.Since(began)} }
			load := func(shard int, beforeCall func(call int)) job.Summary {
				sch := createSchema()
				sch.Shard = rows.Shard{I: shard, N: 2}
				src, j := beginJob(t, newStore(t), path, sch)
				defer func() { _, _ = j.Close(), src.Close() }()
				op, calls := s.op(), 0
				send := op.Send
				op.Send = func(batch []rows.Row) Call {
					calls++
					beforeCall(calls)
					return send(batch)
				}
				sum, err := Run(t.Context(), src, steps(op), j, Options{BatchSize: 3, Concurrency: 1, Retries: 4, boot: boot})
				noError(t, err)
				return sum
			}
			sum := load(1, func(call int) {
				if call == 2 {
					load(2, func(int) {})
					next := s.posts + 1
					s.loseCall = func(call int) (bool, bool) { return call == next, false }
				}
			})
			if len(s.stored) != 30 || sum.Unknown != 0 {
				t.Errorf("got %d stored rows and %d unknown ones, want 30 and none", len(s.stored), sum.Unknown)
			}
		})
	}
}
