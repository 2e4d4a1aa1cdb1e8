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
	"reseller/client/record"
)

// TestRollUp: a row is as its first step where that did not go on, else as the
// gravest of its steps.
func TestRollUp(t *testing.T) {
	for _, test := range []struct {
		first rowState
		later []rowState
		want  rowState
		open  bool
	}{
		{sent, nil, sent, false},
		{present, nil, present, false},
		{present, []rowState{present, sent}, sent, false},
		{sent, []rowState{present, vague}, vague, false},
		{sent, []rowState{differs, present}, differs, false},
		{sent, []rowState{todo, sent}, todo, true},
		{sent, []rowState{doubt, sent}, doubt, true},
		{sent, []rowState{doubt, refused}, refused, true},
		{sent, []rowState{vague, refused}, refused, false},
		{refused, []rowState{todo, todo}, refused, false},
		{vague, []rowState{todo}, vague, false},
		{doubt, []rowState{todo}, doubt, true},
		{todo, []rowState{todo}, todo, true},
	} {
		l := newLedger(3)
		for step, states := range [][]rowState{{test.first}, test.later} {
			rows := slices.Repeat([]uint32{1}, len(states))
			if err := l.apply(unitsEntry(step, rows)); err != nil {
				t.Fatal(err)
			}
			for unit, s := range states {
				l.tracks[step].mark(s, []uint32{uint32(unit)})
			}
		}
		if open := l.rollUp(nil); l.state[1] != test.want || open != test.open || l.counts[todo] < 2 {
			t.Errorf("%v then %v: %v, open %v", test.first, test.later, l.state[1], open)
		}
	}
}

// stepped is a service for two steps: rows, and two things for each that can't
// be read back.
type stepped struct {
	held  []string // rows that are in
	sent  []string
	fails map[string]error
}

func (s *stepped) steps() []Step {
	send := func(word string) func(rows []Row) Send {
		return func(rows []Row) Send {
			key := word + rows[0].Values.Get("keyword").Text()
			return func(ctx context.Context) ([]Outcome, error) {
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
	look := func(_ context.Context, r Reading) (View, error) {
		return ViewFunc(func(_ context.Context, row *Row) (Outcome, error) {
			if slices.Contains(s.held, row.Values.Get("keyword").Text()) {
				return Outcome{State: Present}, nil
			}
			return Outcome{State: Absent}, nil
		}), nil
	}
	return []Step{
		{
			Word: "row", Op: Op{Name: "row", Size: 1, Begin: OfRows(send("")), Look: look, Gives: []string{"rank_id"}}, Identity: KeywordIdentity,
			Units: func(row Row) []Values { return []Values{row.Values} },
			After: func(_ context.Context, gifts []Gift) (map[int]string, error) {
				held := map[int]string{}
				for n, gift := range gifts {
					if gift.State == Sent && gift.Given.Get("rank_id") == nil {
						held[n] = "no id"
					}
				}
				return held, nil
			},
		},
		{
			Word: "thing", Op: Op{Name: "thing", Size: 1, Begin: OfRows(send("x-"))}, Identity: Whole,
			Units: func(row Row) []Values {
				text := row.Values.Get("keyword").Text()
				return []Values{{{"keyword", record.Quote(text + "1")}}, {{"keyword", record.Quote(text + "2")}}}
			},
			Admit: func(row int) Outcome { return Outcome{State: Absent} },
		},
	}
}

func runSteps(t *testing.T, store Store, path string, s *stepped, o Options) (Summary, Status, error) {
	t.Helper()
	o.Concurrency = 1
	o.Pause = func(context.Context, time.Duration) error { return nil }
	src, job := begin(t, store, path, creating())
	sum, err := RunSteps(t.Context(), src, s.steps(), job, o)
	if err := job.Close(); err != nil {
		t.Fatal(err)
	}
	_ = src.Close()
	status, failed := store.Find(job.ID)
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
	path, store := file(t, "k.csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n"), Store(filepath.Join(t.TempDir(), "jobs"))
	lost := &client.NetworkError{Action: "add", Sent: true, Err: os.ErrClosed}
	s := &stepped{fails: map[string]error{"a": lost, "x-b2": lost, "x-c1": refusal(422, "no")}}
	sum, status, err := runSteps(t, store, path, s, Options{Retries: 1})
	if !unfinished(err) || status.State != Stopped || sum.Refused != 1 || sum.Unknown != 1 || sum.Sent != 0 {
		t.Fatalf("%+v, %v, %s", sum, err, status.State)
	}
	if got := strings.Join(s.sent, " "); got != "a b c a x-b1 x-b2 x-c1 x-c2" {
		t.Errorf("sent %s", got)
	}
	s.fails, s.sent = nil, nil
	sum, status, err = runSteps(t, store, path, s, Options{})
	if err != nil || status.State != Stopped || sum.Sent != 1 || sum.Unknown != 1 || sum.Refused != 1 || !sum.Blind {
		t.Fatalf("%+v, %v, %s", sum, err, status.State)
	}
	if got := strings.Join(s.sent, " "); got != "a x-a1 x-a2" {
		t.Errorf("sent %s", got)
	}
	s.sent = nil
	sum, status, err = runSteps(t, store, path, s, Options{ResendUnknown: true})
	if err != nil || status.State != Finished || sum.Sent != 2 || strings.Join(s.sent, " ") != "x-b2" {
		t.Fatalf("%+v, %v, %s, sent %v", sum, err, status.State, s.sent)
	}
}

// TestStepsTornLayout: a job that died before its units were noted is begun
// like a new one; one whose units have become others is refused.
func TestStepsTornLayout(t *testing.T) {
	path, store := file(t, "k.csv", keywordHead+"1,1,a,target\n1,1,b,target\n"), Store(filepath.Join(t.TempDir(), "jobs"))
	src, job := begin(t, store, path, creating())
	job.journal.add(unitsEntry(0, []uint32{0, 1}))
	_, _ = job.Close(), src.Close()
	s := &stepped{fails: map[string]error{"b": &client.NetworkError{Action: "add", Sent: true, Err: os.ErrClosed}}}
	if sum, _, err := runSteps(t, store, path, s, Options{}); !unfinished(err) || sum.Sent != 1 {
		t.Fatalf("%+v, %v", sum, err)
	}
	src, job = begin(t, store, path, creating())
	defer func() { _, _ = job.Close(), src.Close() }()
	steps := s.steps()
	steps[1].Units = func(Row) []Values { return nil }
	_, err := RunSteps(t.Context(), src, steps, job, Options{Results: filepath.Join(t.TempDir(), "r.csv")})
	wantError(t, err, "other thing than those that the job began with")
}

// TestLeftOnce: calls that a run left are taken up by the next one, and no
// later one waits for as long as the job is old.
func TestLeftOnce(t *testing.T) {
	hour := uint64(time.Hour / time.Millisecond)
	call := [][]byte{intentEntry(0, []uint32{1}), numbersEntry(entryStart, 0, hour), numbersEntry(entryTick, hour+3000)}
	lived := func(l, of *ledger, entries ...[]byte) {
		for _, entry := range entries {
			if err := l.apply(entry); err != nil {
				t.Fatal(err)
			}
		}
		if of.abandon(); of.left != 1 || of.lasted != 3*time.Second {
			t.Errorf("left %d, for %v", of.left, of.lasted)
		}
	}
	l := newLedger(3)
	lived(l, l, call...)
	_ = l.apply([]byte{entryRun})
	_ = l.apply(numbersEntry(entryTick, 3*hour))
	if l.abandon(); l.left != 0 || l.lasted != 3*time.Second || l.counts[doubt] != 1 {
		t.Errorf("taken up twice: %d, for %v", l.left, l.lasted)
	}
	// A step may be come to by a later run than the next one.
	l = newLedger(3)
	_ = l.apply(unitsEntry(0, []uint32{0, 1}))
	for i, entry := range call {
		if i < 2 {
			entry = append([]byte{entryStep, 0}, entry...)
		}
		_ = l.apply(entry)
	}
	lived(l, l.tracks[0].ledger, []byte{entryRun}, numbersEntry(entryTick, 3*hour), []byte{entryRun})
	_ = l.apply([]byte{entryStep, 0, entryRun})
	if step := l.tracks[0]; step.left != 0 || step.lasted != 3*time.Second {
		t.Errorf("taken up twice: %d, for %v", step.left, step.lasted)
	}
}
