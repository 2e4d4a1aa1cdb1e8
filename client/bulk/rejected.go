package bulk

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"reseller/client/bulk/job"
	"reseller/client/phrase"
)

// readRejected finds out which rows of rejected batches the service holds. The service
// may have stored some of them, and has ended with them when it answered. So absence is
// proven by two consecutive snapshots that agree and show the witness, if that was sent
// after the last rejection. A pending row is sent as the canary, since nothing is in doubt
// about it. If there is none, a row that two snapshots did not show becomes the canary:
// only that row can be stored twice if the list is late. Both snapshots are begun when the
// longest time has passed after which the list has shown an acknowledged row. Rows of an
// idempotent operation need no proof: one snapshot says which of them are done.
func (r *reconciler) readRejected(ctx context.Context, rejected [][]uint32) error {
	since := r.sender.rejected
	settledAt := since.Add(r.sender.evidence.Lag)
	if fixed := r.opts.SettleTime; fixed != nil {
		settledAt = since.Add(*fixed)
	}
	if !r.op.Idempotent {
		if _, err := r.sendCanaries(ctx, since, nil); err != nil {
			return err
		}
	}
	noteWait := func() {
		if left := settledAt.Sub(r.opts.now()); left > 2*ReconcileDelay {
			r.opts.Note(fmt.Sprintf("waiting for up to %v: the service refused %s in one call (%s), and may have stored some of them (see --settle-time)",
				left.Round(time.Second), phrase.Count(r.rec.Count(job.StateRejectedBatch), "row", "rows"), r.rec.Table().Reason(rejected[0][0]).Message))
		}
	}
	if r.needsCanary(rejected, since) {
		noteWait()
	}
	var absent []byte                                 // of the snapshot before, if that counts
	pace, again := newPacer(r.opts.SettleTime), false // the last snapshot did not count
	for r.rec.Count(job.StateRejectedBatch) > 0 {
		w := r.sender.witness
		if again || !w.vouchesFor(since) && !r.op.Idempotent && (!r.sender.listsInTime || r.opts.now().Before(settledAt)) {
			if err := r.opts.sleep(ctx, pace.next(settledAt.Sub(r.opts.now()))); err != nil {
				return err
			}
		}
		again = true
		began, found, shown, err := r.readWhole(ctx, w, &pace, settledAt)
		isVouched, needsCanary := !r.op.Idempotent && w.vouchesFor(since), r.needsCanary(rejected, since)
		if late := since.Add(cutSettleTime); w.isVoid() && r.opts.SettleTime == nil && late.After(settledAt) {
			settledAt = late
			noteWait()
		}
		if found == nil {
			if err = cmp.Or(err, r.unreadableError()); err == nil { // otherwise the next run reads the rows of the batches back
				r.move(job.StateRejectedBatch, job.StateUnknown, true)
			}
			return err
		}
		counts := isVouched && shown || !isVouched && !began.Before(settledAt)
		agree := counts && absent != nil && bytes.Equal(absent, found)
		r.recordPresent(found, agree)
		switch {
		case agree && w.isVoid():
			if n := r.rec.Count(job.StateRejectedBatch); n > 0 {
				r.noteUnvouched(n)
			}
			return nil
		case agree && isVouched, !isVouched && !needsCanary:
			return nil
		case agree: // and nobody vouches
			switch left, err := r.sendCanaries(ctx, since, found); {
			case !left:
				return err
			case !r.sender.witness.vouchesFor(since):
				r.move(job.StateRejectedBatch, job.StateUnknown, true)
				return nil
			}
			absent, pace, again = nil, newPacer(r.opts.SettleTime), false
		case !counts && isVouched && began.Sub(w.acknowledged) > r.maxLag():
			r.move(job.StateRejectedBatch, job.StateUnknown, true)
			return nil
		case !counts:
			absent = nil
		default:
			absent, again = found, false
		}
	}
	return nil
}

// sendCanaries sends single rows, one after the other, until the service acknowledges one
// that was sent after a time: pending rows if found is nil, otherwise rows of rejected
// batches that found says to be absent. It reports whether there are rows left to send. It
// gives up if too many calls get no response, or too many pending rows are refused. After
// so many refused rows of rejected batches, it sends several at a time: at most as many as
// were refused before.
func (r *reconciler) sendCanaries(ctx context.Context, since time.Time, found []byte) (left bool, err error) {
	for lost, sent := 0, 0; !r.sender.witness.vouchesFor(since) && lost <= r.opts.Retries && (found != nil || sent < maxRefusedCanaries); {
		n, unknown := 1, r.unknown()
		if sent >= maxRefusedCanaries {
			n = sent
		}
		left, err = r.sendAlone(ctx, n, found)
		if isHeld := r.unknown() > unknown || r.sender.witness.vouchesFor(since); found != nil && isHeld { // and not refused
			r.noteUnvouched(n)
		}
		if err != nil || !left {
			return false, err
		}
		sent += n
		lost += max(0, r.unknown()-unknown)
	}
	return true, nil
}

// needsCanary reports whether nothing was acknowledged since a time, and rows of rejected
// batches would be sent again if they were absent: those of keys with an open breaker are
// not. Rows of an idempotent operation need none.
func (r *reconciler) needsCanary(rejected [][]uint32, since time.Time) bool {
	return !r.op.Idempotent && !r.sender.witness.vouchesFor(since) && slices.ContainsFunc(rejected, func(group []uint32) bool {
		_, open := r.breakers.OpenFor(group[0])
		return !open
	})
}
