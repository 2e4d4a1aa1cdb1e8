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
	// ReconcileDelay is the minimum time between a call with an unknown outcome and the
	// first snapshot, and between two snapshots. The service may still be carrying the
	// call out.
	ReconcileDelay = 2 * time.Second
	// maxReads is the number of snapshots after which ReadUntilAgreed gives up.
	maxReads = 10
	// freshnessSample is the number of acknowledged rows that must show in a snapshot for
	// it to count as fresh, if a snapshot makes a call for each row.
	freshnessSample = 20
)

// What a snapshot shows of a row to reconcile.
const (
	foundNothing   byte = iota // the row was not looked up
	foundAbsent                // the service does not hold the row
	foundPresent               // the service holds the row
	foundDifferent             // the service holds the row with other content
	foundUnclear               // the snapshot can't tell
)

// ReadUntilAgreed calls read, with pauses of ReconcileDelay, until it has returned a fresh
// value (if needed is 1), or two consecutive fresh values that are equal (if needed is 2).
// It returns the last value, and reports whether the values agreed. After 10 calls it
// gives up; the last of them gets last = true. An error of read ends ReadUntilAgreed.
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

// A reconciler reads the service back to find out whether it holds the rows with an
// unknown outcome.
type reconciler struct {
	src    *rows.Source
	op     *Operation
	opts   *Options
	rec    *job.Recorder
	sender *sender
}

// reconcile reads back the rows with an unknown outcome and the rows of rejected batches.
// A row that a snapshot shows becomes sent. A row counts as absent only if the snapshot is
// complete and fresh (it shows the rows that the service acknowledged) and a second
// snapshot agrees; then it is sent again. If there are only rejected batches, and the
// first snapshot shows rows that were acknowledged after the last rejection, no second
// snapshot is needed. reconcile returns the last fresh snapshot, nil if there is none.
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
				err = nil // the next snapshot may succeed
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

// compare takes a snapshot and compares the rows with it. For each row to reconcile,
// found is one of the constants foundAbsent to foundUnclear. fresh reports whether the
// snapshot shows the rows that the service acknowledged. If a snapshot makes a call for
// each row, then in the last attempt a failed call does not end compare: the row is
// foundUnclear.
func (r *reconciler) compare(ctx context.Context, lastAttempt bool) (snapshot Snapshot, fresh bool, found []byte, err error) {
	if snapshot, err = takeSnapshot(ctx, r.op, r.src, true); err != nil {
		return nil, false, nil, err
	}
	table := r.rec.Table()
	found, fresh = make([]byte, table.Len()), true
	compareRow := func(row uint32, out Outcome) {
		switch table.State(row) {
		case job.StateSent:
			fresh = fresh && r.interpret(row, out) != foundAbsent
		case job.StateUnknown, job.StateRejectedBatch:
			found[row] = r.interpret(row, out)
		}
	}
	if list, ok := snapshot.(*ListSnapshot); ok {
		for row := range table.Len() {
			if !r.src.IsInvalid(row) { // an invalid row has no identity to look up
				compareRow(uint32(row), list.at(row))
			}
		}
		return snapshot, fresh, found, nil
	}
	skip := 0 // the number of acknowledged rows that are not looked up
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

// interpret returns the constant for an outcome that a snapshot shows. With
// Options.ResendExisting the service may hold the row from before the job: the row counts
// as present only if there are more records for it than the baseline says.
func (r *reconciler) interpret(row uint32, out Outcome) byte {
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

// apply records the states of the reconciled rows. A row that is absent becomes pending
// only if the snapshots agreed.
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

// markUnknown makes the rows of rejected batches unknown. It is called if the service can't
// be read back.
func markUnknown(rec *job.Recorder, rejected [][]uint32) {
	for _, group := range rejected {
		for _, row := range group {
			if rec.Table().State(row) == job.StateRejectedBatch {
				rec.Record(job.RowResult(job.Result{State: job.StateUnknown}, row))
			}
		}
	}
}
