package bulk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/phrase"
)

const (
	// maxUnreadable is how many consecutive snapshots may fail.
	maxUnreadable = 10
	// maxRefusedCanaries is how many rows that are sent alone, one after the other, may
	// be refused until the service acknowledges one.
	maxRefusedCanaries = 20
)

// settle finds out what became of the rows with an unknown outcome. A row that is proven
// absent becomes pending. settle reports whether it is known what became of all rows. Rows
// that are sent as canaries meanwhile, and have an unknown outcome, are left to a later call.
func (r *reconciler) settle(ctx context.Context) (settled bool, err error) {
	defer r.keep()
	asked, settledAt := r.rec.Table().RowsIn(job.StateUnknown), r.sender.settledAt()
	maxLead := settledAt.Sub(r.sender.doubt.sent()) / 6
	var absent []byte // of the snapshot before, if that proves absence
	pace, lost, refused := newPacer(r.opts.SettleTime), 0, 0
	for {
		w := r.sender.witness
		began, found, shown, err := r.readWhole(ctx, w, &pace, settledAt)
		if found == nil {
			return false, cmp.Or(err, r.unreadableError())
		}
		r.recordPresent(found, !began.Before(settledAt))
		if r.op.Idempotent && !began.Before(settledAt) { // to send twice what can't be read does no harm
			found = bytes.ReplaceAll(found, []byte{foundUnclear}, []byte{foundAbsent})
		}
		isSettled, canaryAt := !began.Before(settledAt), settledAt.Add(-min(r.lead, maxLead))
		isVouched := r.op.Idempotent || w.vouchesFor(canaryAt)
		mayFollow := lost <= r.opts.Retries && refused <= maxRefusedCanaries && r.rec.Table().Count(job.StatePending) > 0
		switch counts := isVouched && (shown || r.op.Idempotent) || r.isOver(began, settledAt, shown); {
		case r.unknown() == 0:
			return true, nil
		case isSettled && !bytes.Contains(found, []byte{foundAbsent}):
			return false, nil // no snapshot will ever show more
		case isSettled && counts && bytes.Equal(absent, found):
			isProven := isVouched && shown && (w.vouchesFor(settledAt) || r.lateFor != w)
			if n := r.requeueAbsent(found, asked); n > 0 && !r.op.Idempotent && !isProven {
				r.noteUnvouched(n, "")
			}
			return r.unknown() == 0, nil
		case isSettled && counts:
			absent = found
		case !isVouched && mayFollow && !began.Before(canaryAt):
			unknown := r.unknown()
			sent, err := r.sendAlone(ctx, 1, nil)
			switch {
			case err != nil:
				return false, err
			case !sent: // the pending rows are invalid, repeated, or of another shard
				refused = maxRefusedCanaries + 1
			case r.unknown() > unknown:
				lost++
			default:
				refused++ // unless it is the witness now
				pace = newPacer(r.opts.SettleTime)
			}
		case !isSettled:
			next := settledAt
			if !isVouched && mayFollow {
				next = canaryAt
			}
			waits, err := r.wait(ctx, &pace, settledAt, next)
			if err == nil && !waits && r.op.Idempotent {
				r.requeueAbsent(found, asked) // to send them twice does no harm
			}
			if err != nil || !waits {
				return err == nil && r.unknown() == 0, err
			}
		case !isVouched:
			overAt := settledAt.Add(ReconcileDelay)
			if !r.isOver(overAt, settledAt, shown) {
				return false, nil
			} else if waits, err := r.wait(ctx, &pace, overAt, overAt); !waits || err != nil {
				return false, err
			}
		default:
			absent = nil
			lateUntil, last := w.acknowledged.Add(maxLateWait), r.load.waitUntil.Add(ReconcileDelay)
			if !r.load.waitUntil.IsZero() && lateUntil.After(last) {
				lateUntil = last
			}
			if waits, err := r.wait(ctx, &pace, lateUntil, lateUntil); !waits || err != nil {
				return false, err
			}
		}
	}
}

// isOver reports whether a list that was begun at a time shows all calls that had settled before,
// although no witness was sent after that: the list has shown at once, each time that it was read,
// what was acknowledged, or the calls have settled for longer than lists are late, and it shows all that was acknowledged.
func (r *reconciler) isOver(began, settledAt time.Time, shown bool) bool {
	if w := r.sender.witness; w != nil && !shown || r.unlisted {
		return false
	}
	return r.sender.listsAtOnce && !began.Before(settledAt.Add(ReconcileDelay)) || r.listed && !began.Before(settledAt.Add(r.maxLag()))
}

// wait waits until the next snapshot, at a time at the latest, if that may show more until another time. It reports false if
// the load has waited for as long as it may: for one settling time, and until one more reading.
func (r *reconciler) wait(ctx context.Context, pace *pacer, until, next time.Time) (bool, error) {
	now, waitUntil := r.opts.now(), &r.load.waitUntil
	if waitUntil.IsZero() && now.Before(until) {
		if *waitUntil = now.Add(cutSettleTime); r.opts.SettleTime != nil {
			*waitUntil = now.Add(*r.opts.SettleTime)
		}
		if until.After(*waitUntil) {
			*waitUntil = until
		}
		r.opts.Note(fmt.Sprintf("waiting up to %.0f s to see whether %s stored%s",
			math.Ceil(waitUntil.Sub(now).Seconds()), phrase.Count(r.unknown(), "row was", "rows were"), r.opts.Words.Of("; Ctrl-C stops, nothing is lost")))
	}
	if until.After(waitUntil.Add(ReconcileDelay)) { // nothing is proven in time, but what is late may still be shown
		until = *waitUntil
	}
	if !now.Before(until) {
		return false, nil
	}
	r.sender.progress()
	return true, r.opts.sleep(ctx, min(pace.next(next.Sub(now)), until.Sub(now)))
}

func (r *reconciler) unknown() int { return r.rec.Table().Count(job.StateUnknown) }

// maxLag returns how long after its acknowledgement a list must show the witness.
func (r *run) maxLag() time.Duration {
	if fixed := r.opts.SettleTime; fixed != nil {
		return max(10*ReconcileDelay, 2**fixed)
	}
	return MaxListLag
}

// readWhole reads until a snapshot comes whole, and says when that was begun. found is nil if it gives up: see failed.
func (r *reconciler) readWhole(ctx context.Context, w *witness, pace *pacer, until time.Time) (began time.Time, found []byte, shown bool, err error) {
	for {
		began = r.opts.now()
		if found, shown, err = r.read(ctx, w); found != nil || err != nil || r.unreadable >= maxUnreadable {
			return began, found, shown, err
		}
		if r.unreadable == 1 {
			r.opts.Note(fmt.Sprintf("the service can't be asked which rows it holds, and is asked again up to %s%s: %v",
				phrase.Count(maxUnreadable-1, "time", "times"), r.opts.Words.Of("; Ctrl-C stops, nothing is lost"), r.failed))
		}
		r.sender.progress()
		if err = r.opts.sleep(ctx, pace.next(until.Sub(r.opts.now()))); err != nil {
			return began, nil, false, err
		}
	}
}

// read takes a snapshot. It returns what the snapshot shows of the rows without an
// outcome, by row, and whether it shows the witness. found is nil if another attempt may
// succeed. If each row is read by a call of its own, then in the last attempt a row that
// can't be read does not stop the others. A row that was refused with others may be on the list since then, so as a witness
// it is void unless the list shows it at once.
func (r *reconciler) read(ctx context.Context, w *witness) (found []byte, shown bool, err error) {
	began := r.opts.now()
	r.last = nil // frees its memory
	if w != nil && w.wasRefused && (r.lateFor == w || w.acknowledged.Sub(w.sent) >= ReconcileDelay) {
		w.sent = time.Time{}
	}
	snapshot, found, shown, err := r.compare(ctx, w, r.unreadable == maxUnreadable-1)
	if err != nil {
		if ctx.Err() == nil && isTransient(err) {
			r.unreadable, r.failed, err = r.unreadable+1, err, nil
		}
		return nil, false, err
	}
	r.last, r.unreadable, r.failed = snapshot, 0, nil
	switch {
	case w == nil || w.acknowledged.After(began):
	case !shown && r.shownFor != w:
		r.lateFor, r.sender.listsInTime, r.sender.listsAtOnce = w, false, false
	case shown && r.shownFor != w:
		lag := began.Sub(w.acknowledged)
		if r.shownFor, r.lead = w, 0; r.lateFor == w {
			r.sender.measure(job.Evidence{Lag: lag})
			if lag <= maxLateWait {
				r.lead = min(lag+ReconcileDelay, maxLateWait)
			}
		} else {
			r.sender.listsInTime = true
			r.sender.listsAtOnce = r.sender.evidence.Lag == 0 && lag < ReconcileDelay
		}
	}
	return found, shown, nil
}

// unreadableError returns why no snapshot could be taken. That the service sends lists
// which can't be read leaves rows unknown, and is no error of the run.
func (r *reconciler) unreadableError() error {
	if errors.As(r.failed, new(*client.UnreadableError)) {
		return nil
	}
	return r.failed
}

// recordPresent records the rows that a snapshot shows, and removes them from found. A
// row with other content is final, unless it is to be converged: then it is sent again,
// but only when its call has settled. To converge it twice does no harm.
func (r *reconciler) recordPresent(found []byte, settled bool) {
	said, differing := byResult{}, []uint32(nil)
	for n, what := range found {
		state := r.rec.Table().Found(uint32(n))
		switch {
		case what == foundDifferent && r.converges() && !settled:
			continue
		case what == foundDifferent && r.converges():
			state = job.StatePending
			r.sender.requeued++
		case what == foundDifferent && state == job.StateSent && r.op.Converge == nil:
			differing = append(differing, uint32(n)) // the identity says that it is what this job has sent
		case what == foundDifferent:
			state = job.StateDiffers
		case what != foundPresent:
			continue
		}
		said.add(job.Result{State: state}, uint32(n))
		found[n] = foundNothing
	}
	for why, rows := range r.suspected {
		if settled {
			said[job.Result{State: job.StateUnknown, HTTPStatus: why.HTTPStatus, Message: why.Message}] = rows
		}
	}
	said.record(r.rec)
	if list, ok := r.last.(*ListSnapshot); ok {
		list.noteDiffering(differing, r.opts.Note)
	}
}

// requeueAbsent makes those of some rows with an unknown outcome pending that are proven absent. It returns their number.
func (r *reconciler) requeueAbsent(found []byte, asked []uint32) int {
	absent := slices.DeleteFunc(asked, func(row uint32) bool { return found[row] != foundAbsent })
	r.sender.requeued += len(absent)
	r.rec.SetState(job.StatePending, absent)
	return len(absent)
}

// noteUnvouched notes that rows are sent again without proof that the list is not late: it shows no witness that was sent after
// the settling time.
func (r *run) noteUnvouched(n int, how string) {
	r.opts.Note(fmt.Sprintf("%s sent again%s, since the service does not list %s; if its list is late this time, %s then stored twice",
		phrase.Count(n, "row is", "rows are"), how, phrase.Noun(n, "it", "them"), phrase.Noun(n, "it is", "they are")))
}

// keep leaves the last snapshot to the run.
func (r *reconciler) keep() {
	if r.isRead = r.last != nil; r.isRead {
		r.snapshot = r.last
	}
	if r.op.perRow() || r.opts.ResendExisting {
		r.snapshot = nil
	}
	r.src.DropIndex()
}

// compareAgain makes the rows of a load of changes pending that earlier runs sent or found, and of which the service holds
// something else by now: what somebody has changed since is sent again, unless that could do a second time what a late list
// does not show.
func (r *run) compareAgain(ctx context.Context) error {
	if !r.op.Changes || r.rec.Table().Count(job.StateSent, job.StatePresent, job.StateDiffers) == 0 {
		return nil
	}
	if !r.op.Idempotent {
		r.earlier = r.rec.Table().Count(job.StateSent, job.StatePresent)
		r.opts.Note("the rows of earlier runs are not compared again, since a list that is late could have them carried out twice")
		return nil
	}
	snapshot, err := takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{Reconciling: true})
	if err != nil {
		return err
	}
	found, _, err := (&reconciler{run: r}).compareRows(ctx, snapshot, nil, false, func(row uint32) bool { return r.rec.Table().State(row).Succeeded() })
	if changed := absentIn(found); err == nil && len(changed) > 0 {
		r.opts.Note(phrase.Count(len(changed), "row of an earlier run is", "rows of earlier runs are") + " sent again: the service holds something else by now")
		r.rec.SetState(job.StatePending, changed)
	}
	return err
}

// verify reads the service once more for problem, and records which rows it shows with other content.
func (r *run) verify(ctx context.Context) error {
	r.op.withoutIDs = false // a list that contains a record twice does not contain two records
	rc := &reconciler{run: r}
	if err := rc.verify(ctx); err != nil {
		return err
	}
	r.problem = rc.problem
	return r.recordDiffering(ctx)
}

// verify reads the service once more, and sets verified to what that shows of the rows that it should hold:
// foundPresent, foundTwice or foundAbsent. It takes a row for absent by the evidence of the reconciler: two
// snapshots in a row do not show it, and both show the witness or were begun when a list is no longer late.
func (r *reconciler) verify(ctx context.Context) error {
	defer r.keep()
	w, settledAt := r.sender.witness, r.opts.now().Add(MaxListLag)
	if fixed := r.opts.SettleTime; fixed != nil {
		settledAt = r.opts.now().Add(*fixed)
	}
	r.verified = make([]byte, r.rec.Table().Len())
	pace, counted, noted := newPacer(r.opts.SettleTime), false, false
	for {
		began, found, shown, err := r.readWhole(ctx, w, &pace, settledAt)
		if found == nil {
			return cmp.Or(err, r.failed)
		}
		counts := shown || !began.Before(settledAt)
		if !bytes.Contains(found, []byte{foundAbsent}) || counts && counted && bytes.Equal(found, r.verified) {
			r.verified = found
			return nil
		}
		if counts && !counted {
			pace = newPacer(r.opts.SettleTime)
		}
		counted, r.verified = counts, found
		if left := settledAt.Sub(r.opts.now()); left > 2*ReconcileDelay && !counted && !noted {
			noted = true
			r.opts.Note(fmt.Sprintf("waiting for up to %v for rows that the service does not list yet%s", left.Round(time.Second), r.opts.Words.Of(" (see --settle-time)")))
		}
		if err := r.opts.sleep(ctx, pace.next(settledAt.Sub(r.opts.now()))); err != nil {
			return err
		}
	}
}
