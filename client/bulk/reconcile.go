package bulk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
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

// A reconciler finds out by snapshots what became of rows with an unknown outcome.
//
// Any snapshot that shows a row proves that the service holds it. Two consecutive
// snapshots that do not show a row prove that the service does not hold it and never
// will, if both came whole, were begun after the settling time of the row's call, and
// show the witness: a row that was sent after that settling time and acknowledged. The
// service carried out the call before it carried out that of the witness, if at all, so
// a list that shows the witness shows the row too, however late the list is. If the list has
// shown a witness too late, the next one is sent as much before the end of the settling time,
// so that both are over together: see run.lead. Rows of an
// idempotent operation need no witness, nor does a list of which isOver says so.
type reconciler struct {
	*run
	// verified is nil while the outcomes of rows are found out. Later it is what the last snapshot
	// showed of the rows that the service should hold.
	verified      []byte
	comparesAgain bool     // the rows that earlier runs sent or found are asked for
	last          Snapshot // the last snapshot that could be taken; nil if there is none
	unreadable    int      // consecutive snapshots that failed
	failed        error    // why the last of them failed
	lateFor       *witness // the last witness that a snapshot did not show
	shownFor      *witness // the last witness that a snapshot showed
}

// settle finds out what became of the rows with an unknown outcome. A row that is proven
// absent becomes pending. settle reports whether it is known what became of all rows. Rows
// that are sent as canaries meanwhile, and have an unknown outcome, are left to a later call.
func (r *reconciler) settle(ctx context.Context) (settled bool, err error) {
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
				r.noteUnvouched(n)
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
			lateUntil, last := w.acknowledged.Add(maxLateWait), r.waits.until.Add(ReconcileDelay)
			if !r.waits.until.IsZero() && lateUntil.After(last) {
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
	now, w := r.opts.now(), r.waits
	if w.until.IsZero() && now.Before(until) {
		if w.until = now.Add(cutSettleTime); r.opts.SettleTime != nil {
			w.until = now.Add(*r.opts.SettleTime)
		}
		if until.After(w.until) {
			w.until = until
		}
		r.opts.Note(fmt.Sprintf("waiting up to %.0f s to see whether %s stored; Ctrl-C stops, nothing is lost",
			math.Ceil(w.until.Sub(now).Seconds()), phrase.Count(r.unknown(), "row was", "rows were")))
	}
	if until.After(w.until.Add(ReconcileDelay)) { // nothing is proven in time, but what is late may still be shown
		until = w.until
	}
	if !now.Before(until) {
		return false, nil
	}
	r.sender.progress()
	return true, r.opts.sleep(ctx, min(pace.next(next.Sub(now)), until.Sub(now)))
}

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

func (r *reconciler) unknown() int { return r.rec.Table().Count(job.StateUnknown) }

// maxLag returns how long after its acknowledgement a list must show the witness.
func (r *run) maxLag() time.Duration {
	if fixed := r.opts.SettleTime; fixed != nil {
		return max(10*ReconcileDelay, 2**fixed)
	}
	return maxListLag
}

// readWhole reads until a snapshot comes whole, and says when that was begun. found is nil if it gives up: see failed.
func (r *reconciler) readWhole(ctx context.Context, w *witness, pace *pacer, until time.Time) (began time.Time, found []byte, shown bool, err error) {
	for {
		began = r.opts.now()
		if found, shown, err = r.read(ctx, w); found != nil || err != nil || r.unreadable >= maxUnreadable {
			return began, found, shown, err
		}
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

// verify reads the service once more, and sets verified to what that shows of the rows that it should hold:
// foundPresent, foundTwice or foundAbsent. It takes a row for absent by the evidence of the reconciler: two
// snapshots in a row do not show it, and both show the witness or were begun when a list is no longer late.
func (r *reconciler) verify(ctx context.Context) error {
	w, settledAt := r.sender.witness, r.opts.now().Add(maxListLag)
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
			r.opts.Note(fmt.Sprintf("waiting for up to %v for rows that the service does not list yet (see --settle-time)", left.Round(time.Second)))
		}
		if err := r.opts.sleep(ctx, pace.next(settledAt.Sub(r.opts.now()))); err != nil {
			return err
		}
	}
}

// recordPresent records the rows that a snapshot shows, and removes them from found. A
// row with other content is final, unless it is to be converged: then it is sent again,
// but only when its call has settled. To converge it twice does no harm.
func (r *reconciler) recordPresent(found []byte, settled bool) {
	byState, differing := map[job.State][]uint32{}, []uint32(nil)
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
		byState[state] = append(byState[state], uint32(n))
		found[n] = foundNothing
	}
	for why, rows := range r.suspected {
		if settled {
			r.rec.Record(job.RowResult(job.Result{State: job.StateUnknown, HTTPStatus: why.HTTPStatus, Message: why.Message}, rows...))
		}
	}
	r.recordStates(byState)
	if list, ok := r.last.(*ListSnapshot); ok {
		list.noteDiffering(differing, r.opts.Note)
	}
}

// requeueAbsent makes those of some rows with an unknown outcome pending that are proven absent. It returns their number.
func (r *reconciler) requeueAbsent(found []byte, asked []uint32) int {
	absent := slices.DeleteFunc(asked, func(row uint32) bool { return found[row] != foundAbsent })
	r.sender.requeued += len(absent)
	r.recordStates(map[job.State][]uint32{job.StatePending: absent})
	return len(absent)
}

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

// noteUnvouched notes that rows are sent again without proof that the list is not late: it shows no witness that was sent after
// the settling time.
func (r *run) noteUnvouched(n int) {
	r.opts.Note(fmt.Sprintf("%s sent again, since the service does not list %s; if its list is late this time, %s then stored twice",
		phrase.Count(n, "row is", "rows are"), phrase.Noun(n, "it", "them"), phrase.Noun(n, "it is", "they are")))
}

func (r *reconciler) recordStates(byState map[job.State][]uint32) {
	for state, ordinals := range byState {
		if len(ordinals) > 0 {
			r.rec.Record(job.RowResult(job.Result{State: state}, ordinals...))
		}
	}
}

// problem returns what the last reading shows to be wrong with a row, "" if nothing is.
func (r *reconciler) problem(row int) (reason string, isDoubled bool) {
	switch r.verified[row] {
	case foundTwice:
		reason = "the service holds it more than once"
		if list, ok := r.last.(*ListSnapshot); ok && list.several[row] != nil {
			reason += ": " + list.Names[0] + " " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list.several[row])), ", "), "[]")
		}
		return reason, true
	case foundAbsent:
		if r.op.Changes {
			return "the service shows something else", false
		}
		return "the service does not list it", false
	}
	return "", false
}
