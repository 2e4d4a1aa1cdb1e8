package bulk

import (
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

// stepped is a service for two steps: rows, and two things for each that can't
// be read back.
type stepped struct {
	held  []string // rows that are in
	sent  []string
	fails map[string]error
}

func (s *stepped) steps() []Step {
	send := func(word string) func(batch []rows.Row) Call {
		return func(batch []rows.Row) Call {
			key := word + batch[0].Values.Get("keyword").Text()
			return func(context.Context, func() error) ([]Outcome, error) {
				s.sent = append(s.sent, key)
				if err := s.fails[key]; err != nil {
					return nil, err
				}
				s.held = append(s.held, key)
				rec, _ := record.Parse(fmt.Appendf(nil, `{"rank_id":%d}`, len(s.held)))
				return []Outcome{{Result: rec}}, nil
			}
		}
	}
	look := func(_ context.Context, r SnapshotRequest) (Snapshot, error) {
		return SnapshotFunc(func(_ context.Context, row *rows.Row) (Outcome, error) {
			if slices.Contains(s.held, row.Values.Get("keyword").Text()) {
				return Outcome{State: Present}, nil
			}
			return Outcome{State: Absent}, nil
		}), nil
	}
	return []Step{
		{
			Label: "row", Operation: Operation{Name: "row", MaxBatch: 1, Encode: EncodeRows(send("")), Snapshot: look, Results: []string{"rank_id"}}, Identity: keywordIdentity,
			Items: func(row rows.Row) []rows.Values { return []rows.Values{row.Values} },
			After: func(_ context.Context, gifts []StepResult) (map[int]string, error) {
				held := map[int]string{}
				for n, gift := range gifts {
					if gift.State == Sent && gift.Fields.Get("rank_id") == nil {
						held[n] = "no id"
					}
				}
				return held, nil
			},
		},
		{
			Label: "thing", Operation: Operation{Name: "thing", MaxBatch: 1, Encode: EncodeRows(send("x-"))}, Identity: rows.ByAllFields,
			Items: func(row rows.Row) []rows.Values {
				text := row.Values.Get("keyword").Text()
				return []rows.Values{{{Name: "keyword", JSON: record.Quote(text + "1")}}, {{Name: "keyword", JSON: record.Quote(text + "2")}}}
			},
			Guard: func(row int) Outcome { return Outcome{State: Absent} },
		},
	}
}

func runSteps(t *testing.T, store job.Store, path string, s *stepped, o Options) (job.Summary, job.Status, error) {
	t.Helper()
	o.Concurrency = 1
	o.Sleep = func(context.Context, time.Duration) error { return nil }
	src, j := begin(t, store, path, creating())
	sum, err := RunSteps(t.Context(), src, s.steps(), j, o)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	_ = src.Close()
	status, failed := store.Find(j.ID)
	if failed != nil {
		t.Fatal(failed)
	}
	if status.Summary.Refused != sum.Refused || status.Summary.Sent != sum.Sent {
		t.Errorf("the run says %+v, its journal %+v", sum, status.Summary)
	}
	return sum, status, err
}

// TestStepsGoOn: a row that does not get in stops no others, a lost answer is
// not sent again, and the next run takes up just what is left.
func TestStepsGoOn(t *testing.T) {
	path, store := file(t, "k.csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n"), job.Store(filepath.Join(t.TempDir(), "jobs"))
	lost := &client.NetworkError{Action: "add", Sent: true, Err: os.ErrClosed}
	s := &stepped{fails: map[string]error{"a": lost, "x-b2": lost, "x-c1": refusal(422, "no")}}
	sum, status, err := runSteps(t, store, path, s, Options{Retries: 1})
	if !isIncomplete(err) || status.State != job.JobStopped || sum.Refused != 1 || sum.Unknown != 1 || sum.Sent != 0 {
		t.Fatalf("%+v, %v, %s", sum, err, status.State)
	}
	if got := strings.Join(s.sent, " "); got != "a b c a x-b1 x-b2 x-c1 x-c2" {
		t.Errorf("sent %s", got)
	}
	s.fails, s.sent = nil, nil
	sum, status, err = runSteps(t, store, path, s, Options{})
	if err != nil || status.State != job.JobStopped || sum.Sent != 1 || sum.Unknown != 1 || sum.Refused != 1 || !sum.Unverifiable {
		t.Fatalf("%+v, %v, %s", sum, err, status.State)
	}
	if got := strings.Join(s.sent, " "); got != "a x-a1 x-a2" {
		t.Errorf("sent %s", got)
	}
	s.sent = nil
	sum, status, err = runSteps(t, store, path, s, Options{ResendUnknown: true})
	if err != nil || status.State != job.JobFinished || sum.Sent != 2 || strings.Join(s.sent, " ") != "x-b2" {
		t.Fatalf("%+v, %v, %s, sent %v", sum, err, status.State, s.sent)
	}
}

// TestStepsTornPlan: a job that was killed before all its items were recorded is
// continued like a new one; one whose items have changed is refused.
func TestStepsTornPlan(t *testing.T) {
	path, store := file(t, "k.csv", keywordHead+"1,1,a,target\n1,1,b,target\n"), job.Store(filepath.Join(t.TempDir(), "jobs"))
	src, j := begin(t, store, path, creating())
	j.Record(job.StepItems(0, []uint32{0, 1}))
	_, _ = j.Close(), src.Close()
	s := &stepped{fails: map[string]error{"b": &client.NetworkError{Action: "add", Sent: true, Err: os.ErrClosed}}}
	if sum, _, err := runSteps(t, store, path, s, Options{}); !isIncomplete(err) || sum.Sent != 1 {
		t.Fatalf("%+v, %v", sum, err)
	}
	src, j = begin(t, store, path, creating())
	defer func() { _, _ = j.Close(), src.Close() }()
	steps := s.steps()
	steps[1].Items = func(rows.Row) []rows.Values { return nil }
	_, err := RunSteps(t.Context(), src, steps, j, Options{Results: filepath.Join(t.TempDir(), "r.csv")})
	wantError(t, err, "the rows have other thing than when the job started")
}
