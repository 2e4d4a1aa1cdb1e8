package bulk

import (
	"cmp"
	"context"
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
	"reseller/client/record"
)

// A twoStepService accepts the two steps of a row: one item for the first step, and two
// for the second, which can't be read back.
type twoStepService struct {
	stored []string
	sent   []string
	fails  map[string]error
}

func (s *twoStepService) steps() []Step {
	encode := func(prefix string) func(batch []rows.Row) Call {
		return func(batch []rows.Row) Call {
			key := prefix + batch[0].Values.Get("keyword").Text()
			return func(_ context.Context, onSend func() error) ([]Outcome, error) {
				if err := onSend(); err != nil {
					return nil, err
				}

				s.sent = append(s.sent, key)
				if err := s.fails[key]; err != nil {
					return nil, err
				}
				s.stored = append(s.stored, key)
				rec, _ := record.Parse(fmt.Appendf(nil, `{"rank_id":%d}`, len(s.stored)))
				return []Outcome{{Result: rec}}, nil
			}
		}
	}
	snapshot := func(context.Context, SnapshotRequest) (Snapshot, error) {
		return SnapshotFunc(func(_ context.Context, row *rows.Row) (Outcome, error) {
			if slices.Contains(s.stored, row.Values.Get("keyword").Text()) {
				return Outcome{State: Present}, nil
			}
			return Outcome{State: Absent}, nil
		}), nil
	}
	return []Step{
		{
			Label: "row", Operation: Operation{Name: "row", MaxBatch: 1, Send: encode(""), Snapshot: snapshot, Results: []string{"rank_id"}}, Identity: keywordIdentity,
			Items: func(row rows.Row) []rows.Values { return []rows.Values{row.Values} },
			After: func(_ context.Context, results []StepResult) (map[int]string, error) {
				blocked := map[int]string{}
				for n, result := range results {
					if result.State == Sent && result.Fields.Get("rank_id") == nil {
						blocked[n] = "it has no rank_id"
					}
				}
				return blocked, nil
			},
		},
		{
			Label: "thing", Operation: Operation{Name: "thing", MaxBatch: 1, Send: encode("x-")}, Identity: rows.ByAllFields,
			Items: func(row rows.Row) []rows.Values {
				text := row.Values.Get("keyword").Text()
				return []rows.Values{{{Name: "keyword", JSON: record.Quote(text + "1")}}, {{Name: "keyword", JSON: record.Quote(text + "2")}}}
			},
			Guard: func(int) Outcome { return Outcome{State: Absent} },
		},
	}
}

// runSteps runs the steps of a job, and checks that its log has the same counts.
func runSteps(t *testing.T, store job.Store, path string, s *twoStepService, o Options) (job.Summary, job.Status, error) {
	t.Helper()
	clock := &testClock{}
	o.Concurrency, o.sleep, o.now = 1, clock.sleep, clock.time
	src, j := beginJob(t, store, path, createSchema())
	sum, err := Run(t.Context(), src, s.steps(), j, o)
	noError(t, j.Close())
	_ = src.Close()
	status, failed := store.Find(j.ID)
	if failed != nil {
		t.Fatal(failed)
	}
	if got, want := status.Summary, sum; got.Refused != want.Refused || got.Sent != want.Sent {
		t.Errorf("the log counts %d refused, %d sent rows; want %d, %d as the run", got.Refused, got.Sent, want.Refused, want.Sent)
	}
	return sum, status, err
}

// TestFailedRowsStopNoOthers checks that failed rows do not keep the steps of other rows
// from being sent, and that the next run sends only the items that were not sent.
func TestFailedRowsStopNoOthers(t *testing.T) {
	path, store := writeFile(t, "k.csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n"), newStore(t)
	lost := &client.NetworkError{Action: "add", Sent: true, Err: os.ErrClosed}
	s := &twoStepService{}
	for _, c := range []struct {
		name    string
		fails   map[string]error
		options Options
		want    counts
		sent    string
		state   string
	}{
		{
			"calls of three rows fail", map[string]error{"a": lost, "x-b2": lost, "x-c1": refusal(422, "no")}, Options{Retries: 1},
			counts{Rows: 3, Refused: 1, Unknown: 2}, "a b c a x-b1 x-b2 x-c1 x-c2", job.JobStopped,
		},
		{"resumed", nil, Options{}, counts{Rows: 3, Refused: 1, Unknown: 2}, "", job.JobStopped},
		{"resumed with ResendUnknown", nil, Options{ResendUnknown: true}, counts{Rows: 3, Sent: 2, Refused: 1}, "a x-a1 x-a2 x-b2", job.JobFinished},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.fails, s.sent = c.fails, nil
			sum, status, err := runSteps(t, store, path, s, c.options)
			if err != nil {
				t.Errorf("got error %v, want none", err)
			}
			wantCounts(t, sum, c.want)
			if got := strings.Join(s.sent, " "); got != c.sent {
				t.Errorf("sent %s, want %s", got, c.sent)
			}
			if status.State != c.state {
				t.Errorf("the job is %s, want %s", status.State, c.state)
			}
			if c.want.Unknown > 0 && !sum.Unverifiable {
				t.Error("the summary does not say that unknown items can't be read back")
			}
		})
	}
}

// TestStepsOfATornPlan checks that a job whose process was killed before all items were
// recorded is resumed like a new job, and that a job whose items have changed is refused.
func TestStepsOfATornPlan(t *testing.T) {
	path, store := writeFile(t, "k.csv", keywordHead+"1,1,a,target\n1,1,b,target\n"), newStore(t)
	src, j := beginJob(t, store, path, createSchema())
	j.Record(job.StepItems(0, []uint32{0, 1}))
	_, _ = j.Close(), src.Close()
	s := &twoStepService{fails: map[string]error{"b": &client.NetworkError{Action: "add", Sent: true, Err: os.ErrClosed}}}
	if sum, _, err := runSteps(t, store, path, s, Options{}); !isIncomplete(err) || sum.Sent != 1 {
		t.Fatalf("got %d sent rows, error %v; want 1, and that the other one is not loaded", sum.Sent, err)
	}
	src, j = beginJob(t, store, path, createSchema())
	defer func() { _, _ = j.Close(), src.Close() }()
	steps := s.steps()
	steps[1].Items = func(rows.Row) []rows.Values { return nil }
	_, err := Run(t.Context(), src, steps, j, Options{Results: filepath.Join(t.TempDir(), "r.csv")})
	wantError(t, err, "the rows have other thing than when the job started")
}

// TestBlockedRowsAreUnknown checks that the later steps of a row which After blocks are not
// sent, and that the row is unknown.
func TestBlockedRowsAreUnknown(t *testing.T) {
	s := &twoStepService{}
	steps := s.steps()
	steps[0].After = func(context.Context, []StepResult) (map[int]string, error) {
		return map[int]string{1: "it has no id"}, nil
	}
	src := openText(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\n", createSchema())
	if _, err := src.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	last, total := 0, 0
	sum, err := Run(t.Context(), src, steps, nil, withClock(Options{Concurrency: 1, Progress: func(done, all int) { last, total = done, all }}))
	noError(t, err)
	if got, want := strings.Join(s.sent, " "), "a b x-a1 x-a2"; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if sum.Sent+sum.Unknown != 2 || last != 4 || total != 6 {
		t.Errorf("got %d sent, %d unknown rows and progress %d of %d; want 2 rows, 4 of 6 items", sum.Sent, sum.Unknown, last, total)
	}
}

// TestProgressOfSteps reads the progress while rows that are present are recorded,
// which the race detector checks.
func TestProgressOfSteps(t *testing.T) {
	src := openText(t, "csv", keywordRows(2000), createSchema())
	if _, err := src.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	call := func([]rows.Row) Call {
		return func(_ context.Context, onSend func() error) ([]Outcome, error) { return make([]Outcome, 1), onSend() }
	}
	snapshot := func(context.Context, SnapshotRequest) (Snapshot, error) {
		return SnapshotFunc(func(_ context.Context, row *rows.Row) (Outcome, error) {
			if row.Ordinal%2 == 0 {
				return Outcome{State: Present}, nil
			}
			return Outcome{State: Absent}, nil
		}), nil
	}
	steps := []Step{{
		Label: "row", Identity: keywordIdentity, Items: func(row rows.Row) []rows.Values { return []rows.Values{row.Values} },
		Operation: Operation{Name: "row", MaxBatch: 1, Results: []string{"rank_id"}, Send: call, Snapshot: snapshot},
	}}
	last := 0
	sum, err := Run(t.Context(), src, steps, nil, Options{Progress: func(done, _ int) { last = max(last, done) }})
	if err != nil || sum.Sent != 1000 || sum.Present != 1000 || last != 2000 {
		t.Errorf("got %+v, progress %d, error %v; want 1000 sent, 1000 present, progress 2000", sum, last, err)
	}
}

// TestGuardAnswersForTheService checks that the service is not read for a step whose guard knows
// the outcome of every item, and that the fields of these outcomes are in the results. A
// refused row that stands in no file is a note, and not in the rejects.
func TestGuardAnswersForTheService(t *testing.T) {
	s := &twoStepService{}
	steps := s.steps()
	known := Outcome{State: Present, Result: record.Of(record.Pair{Name: "rank_id", Value: record.Integer(8)})}
	steps[0].Guard = func(int) Outcome { return known }
	steps[1].Guard = func(row int) Outcome {
		if row == 1 {
			return Outcome{State: Refused, HTTPStatus: 404, Message: "gone"}
		}
		return Outcome{State: Present}
	}
	for i := range steps {
		steps[i].Snapshot = func(context.Context, SnapshotRequest) (Snapshot, error) {
			t.Errorf("the service is read in step %d", i)
			return nil, os.ErrInvalid
		}
	}
	src := openText(t, "csv", keywordHead+"1,1,a,target\n", createSchema())
	if _, err := src.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	src.Append(rows.Appended{Name: "keyword b", Values: rows.Values{{Name: "keyword", JSON: record.Quote("b")}}})
	rejects, results, note := filepath.Join(t.TempDir(), "r"), filepath.Join(t.TempDir(), "s"), ""
	sum, err := Run(t.Context(), src, steps, nil, withClock(Options{Rejects: rejects, Results: results, Note: func(text string) { note += text + "\n" }}))
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 2, Present: 1, Refused: 1})
	want := "account_id,campaign_id,keyword,keyword_type,rank_id,row_state,thing_state\n1,1,a,target,8,present,present\n,,b,,8,present,refused\n"
	if got := readFile(t, results); got != want {
		t.Errorf("got the results\n%s\nwant\n%s", got, want)
	}
	if _, err := os.Stat(rejects); !os.IsNotExist(err) || !strings.Contains(note, "keyword b: thing: gone; thing: gone\n") {
		t.Errorf("got rejects (error %v) and the notes\n%s\nwant a note instead of rejects", err, note)
	}
}

// TestRecallsOfSteps checks that only items for which Recalls permits it are recalled, and that the items of rows whose guards
// find them all present are not sent.
func TestRecallsOfSteps(t *testing.T) {
	s := &twoStepService{}
	steps := s.steps()
	steps[0].Guard = func(int) Outcome {
		return Outcome{State: Present, Result: record.Of(record.Pair{Name: "rank_id", Value: record.Integer(8)})}
	}
	steps[1].Guard = func(row int) Outcome {
		if row == 1 {
			return Outcome{State: Absent}
		}
		return Outcome{State: Present}
	}
	var recalled []string
	steps[1].Recalls = func(row int) bool { return row > 0 }
	steps[1].Recall = func(_ context.Context, item *rows.Row) (Outcome, bool, error) {
		recalled = append(recalled, item.Values.Get("keyword").Text())
		return Outcome{}, false, nil
	}
	src := openText(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n", createSchema())
	if _, err := src.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	sum, err := Run(t.Context(), src, steps, nil, withClock(Options{Concurrency: 1}))
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 3, Sent: 1, Present: 2})
	if got, want := strings.Join(s.sent, " "), "x-b1 x-b2"; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if got, want := strings.Join(recalled, " "), "b1 b2 c1 c2"; got != want {
		t.Errorf("recalled %s, want %s", got, want)
	}
}

// TestPresentRowsMayBeSentAgain checks that a run may send present items again.
func TestPresentRowsMayBeSentAgain(t *testing.T) {
	path, store := writeFile(t, "k.csv", keywordHead+"1,1,a,target\n1,1,b,target\n"), newStore(t)
	s := &twoStepService{stored: []string{"a", "b"}, fails: map[string]error{"x-b1": &client.NetworkError{Action: "add", Sent: true, Err: os.ErrClosed}}}
	for _, c := range []struct {
		resend bool
		sent   string
	}{{false, "x-b1 x-b2"}, {true, "x-a1 x-a2"}} {
		steps := s.steps()
		steps[1].Guard = func(row int) Outcome { return Outcome{State: []string{Present, Absent}[row]} }
		steps[1].Recall = func(context.Context, *rows.Row) (Outcome, bool, error) {
			return Outcome{State: Absent}, c.resend, nil
		}
		src, j := beginJob(t, store, path, createSchema())
		s.sent = nil
		_, err := Run(t.Context(), src, steps, j, withClock(Options{ResendSent: c.resend, Concurrency: 1}))
		noError(t, cmp.Or(err, j.Close()))
		_ = src.Close()
		if got := strings.Join(s.sent, " "); got != c.sent {
			t.Errorf("with ResendSent %t: sent %s, want %s", c.resend, got, c.sent)
		}
	}
}

// TestLateStepsAreFoundOut checks that the second step of a load, whose call was lost too, is read for as long as the load said that
// it would wait, and then by the next run.
func TestLateStepsAreFoundOut(t *testing.T) {
	const never = time.Hour
	for _, c := range []struct {
		name      string
		shownAt   time.Duration // the second step
		resumedIn time.Duration
		want      counts
		runs      int
	}{
		{"shown after a while", 8 * time.Second, 0, counts{Rows: 1, Sent: 1}, 1},
		{"shown to the next run", 90 * time.Second, time.Minute, counts{Rows: 1, Sent: 1}, 2},
		{"never shown", never, 5 * time.Minute, counts{Rows: 1, Unknown: 1}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, store, clock := writeFile(t, "k.csv", keywordHead+"1,1,a,target\n"), newStore(t), &testClock{}
			o := Options{sleep: clock.sleep, now: clock.time, boot: func() job.Boot { return job.Boot{ID: "boot", Uptime: clock.time().Sub(epoch)} }}
			for run := range c.runs {
				src, j := beginJob(t, store, path, createSchema())
				sum, err := Run(t.Context(), src, []Step{lateStep(clock, "row", 3*time.Second), lateStep(clock, "plan", c.shownAt)}, j, o)
				noError(t, err)
				_, _ = j.Close(), src.Close()
				if run == c.runs-1 {
					wantCounts(t, sum, c.want)
				}
				if isUnknown := sum.Unknown > 0; sum.MayBeShown != isUnknown || sum.Unverifiable != isUnknown {
					t.Errorf("run %d: %d unknown, may be shown %t, unverifiable %t; want both if any is unknown", run, sum.Unknown, sum.MayBeShown, sum.Unverifiable)
				}
				_ = clock.sleep(t.Context(), c.resumedIn)
			}
		})
	}
}

// lateStep returns a step whose calls get no response, and whose items the service shows from a time on.
func lateStep(clock *testClock, label string, shownAt time.Duration) Step {
	return Step{
		Label: label, Identity: rows.ByAllFields, Items: func(row rows.Row) []rows.Values { return []rows.Values{row.Values} },
		Operation: Operation{
			Name: label, MaxBatch: 1, ReadBack: ReadBackPresence,
			Send: func([]rows.Row) Call {
				return func(_ context.Context, onSend func() error) ([]Outcome, error) {
					return nil, cmp.Or[error](onSend(), errLostResponse)
				}
			},
			Snapshot: func(context.Context, SnapshotRequest) (Snapshot, error) {
				return SnapshotFunc(func(context.Context, *rows.Row) (Outcome, error) {
					if clock.time().Before(epoch.Add(shownAt)) {
						return Outcome{State: Unknown}, nil
					}
					return Outcome{State: Present}, nil
				}), nil
			},
		},
	}
}
