package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

func TestSummaryKeys(t *testing.T) {
	got, err := json.Marshal(job.Summary{})
	want := `{"job":"","operation":"","rows":0,"sent":0,"present":0,"differs":0,"duplicates":0,"invalid":0,"refused":0,"unknown":0,"requests":null,"retries":null,"seconds":0,"remaining":0}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, error %v; want %s", got, err, want)
	}
}

// TestRunNeedsValidatedRows: the whole file is validated before the first call.
func TestRunNeedsValidatedRows(t *testing.T) {
	var f fake
	if _, err := Run(t.Context(), openText(t, "csv", keywordRows(1), createSchema()), Rows(f.op()), nil, Options{}); !errors.Is(err, ErrNotValidated) {
		t.Errorf("got error %v, want %v", err, ErrNotValidated)
	}
}

func TestRunNeedsTheRowsOfTheJob(t *testing.T) {
	store := newStore(t)
	src, j := beginJob(t, store, writeFile(t, "k.csv", keywordRows(3)), createSchema())
	defer func() { _, _ = src.Close(), j.Close() }()
	other := openText(t, "csv", keywordRows(4), createSchema())
	if _, err := other.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var f fake
	_, err := Run(t.Context(), other, Rows(f.op()), j, Options{})
	wantError(t, err, "the file has 4 rows, the job 3")
}

const mixedRows = keywordHead + "1,1,a,target\n1,1,b,both\n1,1,c,target\n1,1,C,interest\n1,1,a,target\n1,1,d\n"

func TestInvalidRowsStopTheLoad(t *testing.T) {
	var f fake
	rejects := filepath.Join(t.TempDir(), "r.csv")
	sum, err := validateAndRun(t.Context(), openText(t, "csv", mixedRows, createSchema()), f.op(), Options{Rejects: rejects})
	wantError(t, err, "line 3, keyword_type", "line 5: contradicts line 4", "line 7: has 3")
	if sum.Requests != nil || sum.Invalid != 4 || len(f.calls) != 0 {
		t.Errorf("got %v requests, %d invalid rows, %d calls; want nil, 4, 0", sum.Requests, sum.Invalid, len(f.calls))
	}
	if _, err := os.Stat(rejects); err == nil {
		t.Error("the rejects were written although nothing was loaded")
	}
}

func TestInvalidRowsAreSkipped(t *testing.T) {
	var f fake
	rejects := filepath.Join(t.TempDir(), "r.csv")
	sum := mustLoad(t, "csv", mixedRows, createSchema(), f.op(), Options{Rejects: rejects, OnInvalid: Skip})
	wantCounts(t, sum, counts{Rows: 6, Sent: 1, Invalid: 4, Duplicates: 1})
	got := readFile(t, rejects)
	for _, want := range []string{
		"1,1,b,both,\"line 3, keyword_type: \"\"both\"\" is not one of target, interest\",\n",
		"1,1,c,target,line 4: contradicts line 5: the same keyword with different content in keyword_type,\n",
		"1,1,C,interest,line 5: contradicts line 4",
		"1,1,d,,line 7: has 3 cells",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got the rejects\n%s\nwant a line with %q", got, want)
		}
	}
}

// TestSyntaxErrorStopsTheLoad checks that a file which can't be read to its end is not
// loaded, even if invalid rows are skipped.
func TestSyntaxErrorStopsTheLoad(t *testing.T) {
	var f fake
	src := openText(t, "csv", keywordHead+"1,1,a,target\n1,1,\"b,target\n", createSchema())
	_, err := validateAndRun(t.Context(), src, f.op(), Options{OnInvalid: Skip})
	wantError(t, err, "line 3: ")
	if len(f.calls) != 0 {
		t.Errorf("got %d calls, want none", len(f.calls))
	}
}

// TestDurationOfALostCallIsRecorded checks that the duration of a call which a killed
// run left in flight is measured on the clock of that run: the log has no time of day.
func TestDurationOfALostCallIsRecorded(t *testing.T) {
	path, store := writeFile(t, "k.csv", keywordRows(3)), newStore(t)
	src, j := beginJob(t, store, path, createSchema())
	now := time.Now()
	l, err := newLoad(src, Rows(Operation{}), j, Options{now: func() time.Time { return now }})
	noError(t, err)
	now = now.Add(5 * time.Second)
	r := l.runs[0]
	noError(t, r.sender.markInFlight(&batch{rows: []uint32{0, 1, 2}}, r.sender.elapsed(), true))
	j.Record(job.Heartbeat(40 * time.Second))
	_ = j.Close()
	_ = src.Close()
	src, resumed := beginJob(t, store, path, createSchema())
	defer func() { _, _ = src.Close(), resumed.Close() }()
	if found := resumed.StartRun(job.BootClock()()); found.Rows != 3 || found.LongestCall != 35*time.Second {
		t.Errorf("got %d rows left in flight, the longest call %v; want 3, 35s", found.Rows, found.LongestCall)
	}
}

// TestResentUnknownRows checks that unknown rows which can't be read back are sent again
// only on request.
func TestResentUnknownRows(t *testing.T) {
	path, store := writeFile(t, "k.csv", keywordHead+"1,1,a,target\n"), newStore(t)
	for _, c := range []struct {
		name    string
		respond bool
		options Options
		want    counts
		calls   int
	}{
		{"the response is lost", false, Options{}, counts{Rows: 1, Unknown: 1}, 1},
		{"resumed", true, Options{}, counts{Rows: 1, Unknown: 1}, 0},
		{"resumed with ResendUnknown", true, Options{ResendUnknown: true}, counts{Rows: 1, Sent: 1}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fake{unverifiable: true}
			if !c.respond {
				f.respond = failAll(errLostResponse)
			}
			src, j := beginJob(t, store, path, createSchema())
			defer func() { _, _ = src.Close(), j.Close() }()
			var notes []string
			clock := &testClock{}
			c.options.Note, c.options.sleep, c.options.now = func(text string) { notes = append(notes, text) }, clock.sleep, clock.time
			sum, err := Run(t.Context(), src, Rows(f.op()), j, c.options)
			noError(t, err)
			wantCounts(t, sum, c.want)
			if len(f.calls) != c.calls || sum.Unverifiable != (c.want.Unknown > 0) {
				t.Errorf("got %d calls, unverifiable %t; want %d, and unverifiable if any is unknown", len(f.calls), sum.Unverifiable, c.calls)
			}
			if got := strings.Join(notes, "\n"); strings.Contains(got, "line 2: unknown: ") != (c.want.Unknown > 0) {
				t.Errorf("got the notes %q, want the unknown line: %t", got, c.want.Unknown > 0)
			}
		})
	}
}

// TestCanceledValidation checks that no row is sent if the validation did not end.
func TestCanceledValidation(t *testing.T) {
	src := openText(t, "csv", keywordRows(5000), createSchema())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := src.Validate(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("Validate returned %v, want %v", err, context.Canceled)
	}
	var f fake
	if _, err := Run(t.Context(), src, Rows(f.op()), nil, Options{}); !errors.Is(err, ErrNotValidated) {
		t.Errorf("Run returned %v, want %v", err, ErrNotValidated)
	}
}

// TestUnknownWordOfAnOutcome checks that an outcome with a word that the engine does not
// know is never counted as sent.
func TestUnknownWordOfAnOutcome(t *testing.T) {
	f := fake{unverifiable: true, respond: func(batch []rows.Row) ([]Outcome, error) {
		return []Outcome{{State: "failed"}}, nil
	}}
	sum, err := validateAndRun(t.Context(), openText(t, "csv", keywordRows(3), createSchema()), f.op(), Options{})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 3, Unknown: 3})
}

// TestCallWithoutOnSend checks that a call which sends rows without calling onSend stops
// the load. Its intent might not be durable, and after an interrupt it would be sent again.
func TestCallWithoutOnSend(t *testing.T) {
	op := Operation{Name: "silent", MaxBatch: 1, Send: func([]rows.Row) Call {
		return func(context.Context, func() error) ([]Outcome, error) { return make([]Outcome, 1), nil }
	}}
	_, err := validateAndRun(t.Context(), openText(t, "csv", keywordRows(30), createSchema()), op, Options{Concurrency: 1})
	if err == nil || !strings.Contains(err.Error(), "silent: the call sent rows without calling onSend") {
		t.Errorf("got error %v, want one that names the operation and onSend", err)
	}
}

// TestRowsThatWereNotSentAreNotInDoubt checks that after a kill only the rows whose call
// had started are unknown, unless the machine was started again.
func TestRowsThatWereNotSentAreNotInDoubt(t *testing.T) {
	for name, c := range map[string]struct {
		boot string
		want []job.State
	}{
		"on the same boot": {"first", []job.State{job.StateUnknown, job.StatePending}},
		"on another boot":  {"second", []job.State{job.StateUnknown, job.StateUnknown}},
	} {
		t.Run(name, func(t *testing.T) {
			path, store := writeFile(t, "k.csv", keywordHead+"1,1,a,target\n1,2,b,target\n"), newStore(t)
			src, j := beginJob(t, store, path, createSchema())
			j.StartRun(job.Boot{ID: "first", Uptime: time.Hour})
			j.Record(job.CallStarted(j.RecordIntent([]uint32{0}), time.Second))
			j.RecordIntent([]uint32{1})
			_, _ = j.Close(), src.Close()
			written := time.Now().Add(-time.Minute)
			noError(t, os.Chtimes(filepath.Join(string(store), j.ID+".journal"), written, written))
			src, j = beginJob(t, store, path, createSchema())
			defer func() { _, _ = j.Close(), src.Close() }()
			found := j.StartRun(job.Boot{ID: c.boot, Uptime: time.Hour + 31*time.Second})
			wantStates(t, j.Table(), c.want...)
			ago := 30 * time.Second
			if c.boot != "first" {
				ago = 0
			}
			if found.Ago != ago {
				t.Errorf("the last run ended %v ago, want %v", found.Ago, ago)
			}
		})
	}
}

// TestClockIsMonotonic checks that the engine measures how long it waits with a clock that
// nobody sets.
func TestClockIsMonotonic(t *testing.T) {
	o := Options{}.withDefaults()
	if now := o.now().String(); !strings.Contains(now, " m=") {
		t.Errorf("got the time %s, want one with a monotonic reading, m=…", now)
	}
	on := job.Boot{ID: "boot"}
	o = Options{boot: func() job.Boot { return on }}.withDefaults()
	before := o.now()
	on.Uptime += time.Hour // during which the machine slept
	if got := o.now().Sub(before); got != time.Hour {
		t.Errorf("got %v, want the hour that the machine slept", got)
	}
}

// TestWaitIsCountedFromTheCall checks that the settling time of a call without a response begins when the call was sent.
func TestWaitIsCountedFromTheCall(t *testing.T) {
	src, j := beginJob(t, newStore(t), writeFile(t, "k.csv", keywordRows(3)), createSchema())
	defer func() { _, _ = j.Close(), src.Close() }()
	sent := time.Now()
	now := sent
	l, err := newLoad(src, Rows(Operation{}), j, Options{now: func() time.Time { return now }})
	noError(t, err)
	r := l.runs[0]
	now = now.Add(20 * time.Second)
	r.sender.record(t.Context(), &batch{rows: []uint32{0}}, nil, errLostResponse, true, 0)
	if got := r.sender.settledAt().Sub(sent); got != cutSettleTime {
		t.Errorf("a call that took 20s is settled %v after it was sent, want %v", got, cutSettleTime)
	}
}

// TestRemovedJobsAreTold checks that a load says which stopped jobs were removed when it began.
func TestRemovedJobsAreTold(t *testing.T) {
	src, j := beginJob(t, newStore(t), writeFile(t, "k.csv", keywordRows(3)), createSchema())
	defer func() { _, _ = j.Close(), src.Close() }()
	j.Stale = []string{"0a1b2c3d-1"}
	var f fake
	var notes []string
	if _, err := Run(t.Context(), src, Rows(f.op()), j, Options{Note: func(text string) { notes = append(notes, text) }}); err != nil {
		t.Fatal(err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "job 0a1b2c3d-1 and the files of its rows were removed") {
		t.Errorf("got the notes %q, want one on the removed job", notes)
	}
}
