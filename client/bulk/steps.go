package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"reseller/client/bulk/decode"
	"reseller/client/record"
)

// A Step is one of the writes that each row of a file needs. A row goes on to
// the later ones when the first is in; those do not wait for each other's rows.
type Step struct {
	Op
	Word string // what it is called: credentials
	// Units are what it writes for a row: nothing, one thing or many. How many
	// follows from the row alone.
	Units    func(row Row) []Values
	Identity Identity // of a unit
	// Label names one of many units.
	Label func(Values) string
	// Admit tells of a row whether what was not sent yet may be: Absent where
	// it may. Nil admits all.
	Admit func(row int) Outcome
	// After is told what the step gave to each row, and may complete it. It may
	// hold rows back from the later steps, with a reason, until another run.
	After func(ctx context.Context, gifts []Gift) (held map[int]string, err error)
	// Once are fields that a rejects file leaves empty where the step is done: to
	// send them again would write them twice.
	Once []string
	As   map[string]string // columns of the results file, where Gives has other names
}

// A Gift is what a step gave to a row.
type Gift struct {
	State string
	Given record.Record
}

// RunSteps is Run for rows that need several writes, each of them exactly
// once. The summary counts rows, by what counts most of their steps.
func RunSteps(ctx context.Context, src *Source, steps []Step, job *Job, o Options) (Summary, error) {
	r, header, err := newRun(src, Op{}, job, o)
	if err != nil {
		return Summary{}, err
	}
	s := &stepping{run: r, steps: steps, runs: make([]*run, len(steps)), given: make([][]Gift, len(steps)), held: map[int]string{}}
	s.start(func() bool {
		now := s.now.Load()
		return now != nil && now.busy()
	})
	err = s.all(ctx)
	s.end()
	sum := s.ledger.summary(header)
	sum.Rejected, sum.Told, sum.Blind, sum.Partly = s.rejected, s.told, s.blind(), s.partly()
	return sum, err
}

// stepping is one process's work on a job of steps.
type stepping struct {
	*run
	steps []Step
	runs  []*run
	given [][]Gift // by step, where the step has an After
	now   atomic.Pointer[run]
	held  map[int]string // rows that can't go on for now, and why
}

func (s *stepping) all(ctx context.Context) error {
	s.note([]byte{entryRun})
	err := s.layOut()
	s.tell(0, 0) // from where it goes on
	for i := 0; i < len(s.steps) && (err == nil || unfinished(err)); i++ {
		if failed := s.step(ctx, i); err == nil || !unfinished(failed) {
			err = cmp.Or(failed, err)
		}
	}
	open := s.ledger.rollUp(s.held)
	s.complete = err == nil && !open
	if err == nil {
		err = s.tellUnknown(s.unknown)
	}
	return errors.Join(err, s.files(ctx))
}

// unfinished tells of an error of some rows, which stops no others.
func unfinished(err error) bool {
	var some *UnfinishedError
	return errors.As(err, &some)
}

// layOut finds out how many units each row has in each step, and notes it
// before the first call. What an earlier run noted must still hold.
func (s *stepping) layOut() error {
	rows := make([][]uint32, len(s.steps))
	err := each(s.src, func(row Row) error {
		for i, step := range s.steps {
			for range step.Units(row) {
				rows[i] = append(rows[i], uint32(row.ordinal))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range s.steps {
		if i >= len(s.ledger.tracks) {
			s.note(unitsEntry(i, rows[i]))
		} else if !slices.Equal(s.ledger.tracks[i].rows, rows[i]) {
			return &decode.FileError{What: fmt.Sprintf("the rows have other %s than those that the job began with", s.steps[i].Word)}
		}
	}
	return s.journal.sync()
}

// step sends what is to be sent of a step.
func (s *stepping) step(ctx context.Context, i int) error {
	step, track := &s.steps[i], s.ledger.tracks[i]
	if len(track.rows) == 0 {
		return nil
	}
	stays := func(row int) bool {
		_, held := s.held[row]
		return i > 0 && (held || !s.ledger.goesOn(uint32(row)))
	}
	src, err := s.src.units(step, len(track.rows), stays)
	if err != nil {
		return err
	}
	r := &run{
		src: src, op: step.Op, o: s.o, ledger: track.ledger, journal: s.journal, mark: []byte{entryStep, byte(i)},
		begun: s.begun, total: len(track.rows), campaigns: newCampaigns(step.Op),
	}
	r.o.fill(step.Op)
	r.o.Progress = s.tell
	s.runs[i] = r
	if !track.idle() {
		s.now.Store(r)
		r.takeUp()
		r.admit(step, track.rows, stays)
		err = r.rounds(ctx)
		s.calls += r.calls
	}
	if step.After == nil || err != nil && !unfinished(err) {
		return err
	}
	s.given[i] = s.gifts(ctx, i)
	held, failed := step.After(ctx, s.given[i])
	for row, why := range held {
		s.held[row] = why
	}
	return cmp.Or(failed, err)
}

// admit keeps back what the step may not send.
func (r *run) admit(step *Step, rows []uint32, stays func(row int) bool) {
	if step.Admit == nil {
		return
	}
	for _, unit := range r.ledger.in(todo) {
		if stays(int(rows[unit])) {
			continue
		}
		out := step.Admit(int(rows[unit]))
		state := stateOf[out.State]
		if state == doubt {
			state = vague // nothing was sent
		}
		if state != todo {
			r.note(rowsEntry(verdict{state: state, words: out.Message}, unit))
		}
	}
}

// gifts are what a step that writes one thing a row gave to each.
func (s *stepping) gifts(ctx context.Context, i int) []Gift {
	r, track := s.runs[i], s.ledger.tracks[i]
	_ = r.lookForIDs(ctx) // what is lacking then holds its row back
	gifts := make([]Gift, len(s.ledger.state))
	for unit, row := range track.rows {
		gifts[row] = Gift{wordOf[track.state[unit]], r.gift(uint32(unit))}
	}
	return gifts
}

// tell adds the steps up.
func (s *stepping) tell(int, int) {
	if s.o.Progress == nil {
		return
	}
	done, total := 0, 0
	for _, t := range s.ledger.tracks {
		done, total = done+t.done(), total+len(t.rows)
	}
	s.o.Progress(done, total)
}

// blind tells whether anything in doubt can't be read back.
func (s *stepping) blind() bool {
	for i, t := range s.ledger.tracks {
		if s.steps[i].blind() && t.counts[doubt] > 0 {
			return true
		}
	}
	return false
}

// partly tells whether anything of any row is in.
func (s *stepping) partly() bool {
	return slices.ContainsFunc(s.ledger.tracks, func(t *track) bool { return slices.ContainsFunc(t.state, goesOn) })
}
