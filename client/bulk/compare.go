package bulk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/crash"
)

// What a snapshot shows of a row without an outcome.
const (
	foundNothing   byte = iota // the row was not looked up
	foundAbsent                // the service does not hold the row
	foundPresent               // the service holds it
	foundDifferent             // the service holds it with other content
	foundUnclear
	foundTwice // of a row that is verified: the service holds it more than once
)

// absentIn returns the rows that a snapshot shows to be absent.
func absentIn(found []byte) []uint32 {
	var absent []uint32
	for row, what := range found {
		if what == foundAbsent {
			absent = append(absent, uint32(row))
		}
	}
	return absent
}

// A comparer finds out what a snapshot shows of the rows without an outcome or, when a load is
// verified, of those that the service should hold.
type comparer struct {
	src  *rows.Source
	op   *Operation
	opts *Options
	rec  *job.Recorder

	// verified is nil while the outcomes of rows are found out. Later it is what the snapshot before
	// showed of the rows that the service should hold.
	verified []byte
	sentOnly bool // of rows that are read one by one, only those are verified that this job has sent

	vanished int // acknowledged rows that the last snapshot does not show, although it shows the witness
}

// compare takes a snapshot. It returns what the snapshot shows of the rows, by row, and
// whether it shows the witness. If each row is read by a call of its own, then with lenient,
// a row that can't be read is unclear.
func (c *comparer) compare(ctx context.Context, w *witness, lenient bool) (snapshot Snapshot, found []byte, shown bool, err error) {
	if snapshot, err = takeSnapshot(ctx, c.op, c.src, SnapshotRequest{Reconciling: true}); err != nil {
		return nil, nil, false, err
	}
	if list, ok := snapshot.(*ListSnapshot); ok {
		table := c.rec.Table()
		err = list.compare(ctx, c.src, func(row int) bool {
			state := table.State(uint32(row))
			return state == job.StateUnknown || state == job.StateRejectedBatch || w != nil && uint32(row) == w.row && c.converges()
		})
		found, shown = c.compareList(list, w)
	} else {
		found, shown, err = c.compareRows(ctx, snapshot, w, lenient)
	}
	return snapshot, found, shown, err
}

func (c *comparer) compareList(list *ListSnapshot, w *witness) (found []byte, shown bool) {
	table := c.rec.Table()
	found, c.vanished = make([]byte, table.Len()), 0
	for n := range table.Len() {
		if c.src.IsInvalid(n) { // the list can't be compared with those
			continue
		}
		row := uint32(n)
		switch state := table.State(row); {
		case c.verified != nil && state.Succeeded():
			found[row] = c.judge(row, list.at(n))
			shown = shown || w != nil && row == w.row && c.vouches(c.interpret(row, list.at(n)))
		case c.verified != nil:
		case state == job.StateUnknown || state == job.StateRejectedBatch:
			found[row] = c.interpret(row, list.at(n))
		case state == job.StateSent:
			switch what := c.interpret(row, list.at(n)); {
			case what == foundAbsent:
				c.vanished++
			case c.vouches(what) && w != nil && row == w.row:
				shown = true
			}
		}
	}
	if !shown {
		c.vanished = 0
	}
	return found, shown
}

// converges reports whether records with other content are changed.
func (c *comparer) converges() bool { return c.opts.UpdateExisting && c.op.Converge != nil }

// vouches reports whether a list shows the witness. One with other content may be a row that was converged: the list could
// have shown it before.
func (c *comparer) vouches(found byte) bool {
	return found == foundPresent || found == foundDifferent && !c.converges()
}

// compareRows reads the rows without an outcome and the witness, each by a call, as many
// at a time as writes. With lenient, a row that can't be read is unclear.
func (c *comparer) compareRows(ctx context.Context, snapshot Snapshot, w *witness, lenient bool) (found []byte, shown bool, err error) {
	table := c.rec.Table()
	found = make([]byte, table.Len())
	var calls errgroup.Group
	calls.SetLimit(c.opts.Concurrency)
	for row, err := range c.src.Valid() {
		if err != nil {
			return nil, false, errors.Join(calls.Wait(), err)
		}
		n := uint32(row.Ordinal)
		isWitness := w != nil && n == w.row
		isAsked := c.isAsked(n)
		if c.verified != nil && !isAsked {
			found[n] = c.verified[n]
		}
		if !isAsked && !isWitness {
			continue
		}
		row := rows.Clone(*row)[0]
		calls.Go(func() error {
			defer crash.Recover()
			out, err := snapshot.Find(ctx, &row)
			if err != nil && lenient && isTransient(err) && ctx.Err() == nil {
				out, err = Outcome{State: Unknown}, nil
			}
			if err != nil {
				return err
			}
			what := c.interpret(n, out)
			if isWitness {
				shown = what == foundPresent
			}
			if isAsked && c.verified != nil {
				what = c.judge(n, out)
			}
			if isAsked {
				found[n] = what
			}
			return nil
		})
	}
	if err := calls.Wait(); err != nil {
		return nil, false, err
	}
	return found, shown, nil
}

// isAsked reports whether a row is read by a call of its own: if its outcome is to be found out, or if
// it is verified and no snapshot before has shown it.
func (c *comparer) isAsked(row uint32) bool {
	state := c.rec.Table().State(row)
	if c.verified == nil {
		return state == job.StateUnknown || state == job.StateRejectedBatch
	}
	return state.Succeeded() && (state != job.StatePresent || !c.sentOnly) && c.verified[row] != foundPresent && c.verified[row] != foundTwice
}

// A lastReading is what the last reading of the service shows of the rows that it should hold.
type lastReading struct {
	found    []byte
	snapshot Snapshot
}

// problem returns what is wrong with a row, "" if nothing is.
func (l lastReading) problem(row int) (reason string, isDoubled bool) {
	switch l.found[row] {
	case foundTwice:
		reason = "the service holds it more than once"
		if list, ok := l.snapshot.(*ListSnapshot); ok && list.several[row] != nil {
			reason += ": " + list.Names[0] + " " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list.several[row])), ", "), "[]")
		}
		return reason, true
	case foundAbsent:
		return "the service does not list it", false
	}
	return "", false
}

// judge returns what a snapshot shows of a row that the service should hold: once, or once more than
// before if the job was to send it all the same.
func (c *comparer) judge(row uint32, out Outcome) byte {
	baseline := 0
	if c.opts.ResendExisting && c.rec.Table().State(row) == job.StateSent {
		baseline = c.rec.Table().Baseline(row)
	}
	switch {
	case out.Count > baseline+1:
		return foundTwice
	case out.Count > baseline, baseline == unknownBaseline && out.Count > 0:
		return foundPresent
	case out.Count == 0 && (out.State == Present || out.State == Differs):
		return foundPresent
	}
	return foundAbsent
}

// interpret returns what a snapshot shows of a row. With Options.ResendExisting, it
// compares the number of records for the row with the baseline.
func (c *comparer) interpret(row uint32, out Outcome) byte {
	if c.opts.ResendExisting && out.Count > 0 {
		switch baseline := c.rec.Table().Baseline(row); {
		case baseline == unknownBaseline:
			return foundUnclear
		case out.Count <= baseline:
			return foundAbsent
		}
		return foundPresent
	}
	switch out.State {
	case Absent:
		return foundAbsent
	case Present:
		return foundPresent
	case Differs:
		return foundDifferent
	}
	return foundUnclear
}

// isTransient reports whether another attempt to take a snapshot that failed with err
// may succeed.
func isTransient(err error) bool {
	var refusal *client.Error
	var network *client.NetworkError
	var unreadable *client.UnreadableError
	switch {
	case errors.As(err, &unreadable), errors.As(err, &network):
		return true
	case errors.As(err, &refusal):
		return refusal.HTTPStatus == 429 || refusal.HTTPStatus >= 500
	}
	return false
}
