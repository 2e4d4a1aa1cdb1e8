package bulk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

const (
	// ReconcileDelay is the least time between a call without an outcome and the
	// first reading, and between two readings: the service may still be at work.
	ReconcileDelay = 2 * time.Second
	// maxReads is how often the service is read until two readings agree.
	maxReads = 10
	// freshnessSample is how many acknowledged rows a snapshot is checked for if each
	// costs a call.
	freshnessSample = 20
)

// What a snapshot shows of a row without an outcome.
const (
	foundNothing   byte = iota // the row was not looked up
	foundAbsent                // the service does not hold the row
	foundPresent               // the service holds it
	foundDifferent             // the service holds it with other content
	foundUnclear
)

// ReadUntilAgreed reads what became of calls without an outcome until as many
// readings in a row as needed (1 or 2) are fresh and equal. agreed reports whether
// there were that many. An error of read ends it; last tells read that no other
// reading follows.
func ReadUntilAgreed[T any](ctx context.Context, sleep func(context.Context, time.Duration) error, needed int,
	equal func(a, b T) bool, read func(last bool) (value T, fresh bool, err error),
) (value T, agreed bool, err error) {
	var before T
	hasBefore := false
	for n := range maxReads {
		if n > 0 {
			if err := sleep(ctx, ReconcileDelay); err != nil {
				return value, false, err
			}
		}
		now, fresh, err := read(n == maxReads-1)
		if err != nil {
			return value, false, err
		}
		if value = now; fresh && (needed == 1 || hasBefore && equal(before, now)) {
			return value, true, nil
		}
		before, hasBefore = now, fresh
	}
	return value, false, nil
}

// A reconciler finds out by snapshots what became of rows without an outcome.
type reconciler struct {
	src    *rows.Source
	op     *Operation
	opts   *Options
	rec    *job.Recorder
	sender *sender
}

// reconcile reads back the rows whose calls have no outcome, and those of rejected
// batches. A row that a snapshot shows is sent. A row that is absent is sent again,
// if the list came whole, shows the rows that were acknowledged, and a second
// snapshot agrees; rejected batches need no second one if rows that were
// acknowledged later show. It returns the last snapshot that shows those rows, nil
// if there is none.
func (r *reconciler) reconcile(ctx context.Context, rejected [][]uint32) (last Snapshot, err error) {
	unknown := r.rec.Table().Count(job.StateUnknown)
	needed := 2
	if unknown == 0 && r.sender.acknowledged.After(r.sender.rejected) {
		needed = 1
	}
	notBefore := r.sender.reconcileNotBefore
	if at := r.sender.rejected.Add(ReconcileDelay); at.After(notBefore) && needed > 1 {
		notBefore = at
	}
	r.sender.reconcileNotBefore = notBefore
	if unknown > 0 {
		r.opts.Note(fmt.Sprintf("looking up %s with an unknown outcome", countRows(unknown)))
	}
	if wait := time.Until(notBefore); wait > 0 && needed > 1 {
		if err := r.opts.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
	var found []byte
	var failed error
	_, agreed, err := ReadUntilAgreed(ctx, r.opts.Sleep, needed, bytes.Equal, func(lastReading bool) ([]byte, bool, error) {
		snapshot, fresh, now, err := r.compare(ctx, lastReading)
		if failed = err; err != nil {
			if ctx.Err() == nil && isTransient(err) {
				err = nil // the next reading may succeed
			}
			return nil, false, err
		}
		if found = now; fresh {
			last = snapshot
		}
		return found, fresh, nil
	})
	if err != nil {
		return last, err
	}
	r.apply(found, agreed)
	var unreadable *client.UnreadableError
	if failed != nil && !errors.As(failed, &unreadable) {
		return last, failed
	}
	if !agreed {
		markUnknown(r.rec, rejected)
	}
	return last, nil
}

// isTransient reports whether a snapshot that failed may succeed next time.
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

// compare takes a snapshot: what it shows of the rows in question, and whether it is
// fresh, which means that it shows the rows that were acknowledged. In the last
// attempt, if each row is read on its own, one that can't be read stops no other.
func (r *reconciler) compare(ctx context.Context, lastAttempt bool) (snapshot Snapshot, fresh bool, found []byte, err error) {
	if snapshot, err = takeSnapshot(ctx, r.op, r.src, true); err != nil {
		return nil, false, nil, err
	}
	table := r.rec.Table()
	found, fresh = make([]byte, table.Len()), true
	compareRow := func(row uint32, out Outcome) {
		switch table.State(row) {
		case job.StateSent:
			fresh = fresh && r.classify(row, out) != foundAbsent
		case job.StateUnknown, job.StateRejectedBatch:
			found[row] = r.classify(row, out)
		}
	}
	if list, ok := snapshot.(*ListSnapshot); ok {
		for row := range table.Len() {
			if !r.src.IsInvalid(row) { // the list can't be compared with those
				compareRow(uint32(row), list.at(row))
			}
		}
		return snapshot, fresh, found, nil
	}
	skip := 0 // of the acknowledged rows
	if r.op.perRow() {
		skip = table.Count(job.StateSent) - freshnessSample
	}
	sent := 0
	for row, err := range r.src.Valid() {
		if err != nil {
			return nil, false, nil, err
		}
		n := uint32(row.Ordinal)
		switch table.State(n) {
		default:
			continue
		case job.StateSent:
			if sent++; sent <= skip {
				continue
			}
		case job.StateUnknown, job.StateRejectedBatch:
		}
		out, err := snapshot.Find(ctx, row)
		if err != nil && lastAttempt && r.op.perRow() && isTransient(err) && ctx.Err() == nil {
			out, err = Outcome{State: Unknown}, nil
		}
		if err != nil {
			return nil, false, nil, err
		}
		compareRow(n, out)
	}
	return snapshot, fresh, found, nil
}

// classify says what the outcome of a snapshot shows of a row.
func (r *reconciler) classify(row uint32, out Outcome) byte {
	if r.opts.ResendExisting && out.Count > 0 {
		if out.Count <= r.rec.Table().Baseline(row) {
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

// apply records what was found. Absence counts only if the snapshots agreed.
func (r *reconciler) apply(found []byte, agreed bool) {
	byState := map[job.State][]uint32{}
	requeue := func(row uint32) {
		byState[job.StatePending] = append(byState[job.StatePending], row)
		r.sender.requeued++
	}
	for n, what := range found {
		row := uint32(n)
		switch {
		case what == foundPresent:
			byState[job.StateSent] = append(byState[job.StateSent], row)
		case what == foundDifferent && agreed && r.opts.UpdateExisting && r.op.Converge != nil:
			requeue(row)
		case what == foundDifferent:
			byState[job.StateDiffers] = append(byState[job.StateDiffers], row)
		case what == foundAbsent && agreed && r.rec.Table().State(row) == job.StateUnknown:
			requeue(row)
		}
	}
	for state, ordinals := range byState {
		r.rec.Record(job.RowResult(job.Result{State: state}, ordinals...))
	}
}

// markUnknown gives an unknown outcome to the rows of rejected batches of which
// nobody can find out what the service stored.
func markUnknown(rec *job.Recorder, rejected [][]uint32) {
	for _, group := range rejected {
		for _, row := range group {
			if rec.Table().State(row) == job.StateRejectedBatch {
				rec.Record(job.RowResult(job.Result{State: job.StateUnknown}, row))
			}
		}
	}
}
