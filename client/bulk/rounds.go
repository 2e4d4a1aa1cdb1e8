package bulk

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"reseller/client/bulk/job"
	"reseller/client/phrase"
)

// An IncompleteError says that some rows are still pending after all retries.
type IncompleteError struct{ Rows, Rounds int }

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("%s not loaded after %s", phrase.Count(e.Rows, "row", "rows"), phrase.Count(e.Rounds, "retry", "retries"))
}

// sendAndReconcile sends the pending rows and reconciles the rows with an unknown outcome,
// in rounds, until no row has to be sent again.
func (r *run) sendAndReconcile(ctx context.Context) error {
	if err := r.fetchBaseline(ctx); err != nil {
		return err
	}
	if err := r.recallJobs(); err != nil {
		return err
	}
	r.src.DropIndex()
	defer r.noteDoubt()
	var doubted []uint32 // the rows to send again if the readings of this run do not tell what became of them
	if r.opts.ResendUnknown {
		doubted = r.rec.Table().RowsIn(job.StateUnknown)
	}
	var plan *bisectPlan
	hasTried, unsettled := false, r.sender.witness // the witness of the last attempt to settle that left rows unknown
	mayReserve := !r.op.Unverifiable() && !r.op.Idempotent
	var failed error // of the last attempt to settle: the rows that nothing is in doubt about are sent all the same
	for round, isFirst := 0, true; ; isFirst = false {
		d := r.dispatcher()
		d.plan, d.keepsReserve, d.isFirst = plan, mayReserve, isFirst
		if err := d.dispatch(ctx); err != nil {
			return err
		}
		rejected := r.rec.Table().TakeRejected()
		if err := r.readRejected(ctx, rejected); err != nil {
			return err
		}
		plan = planBisect(r.rec, r.breakers, rejected)
		hadWaiting := r.breakers.TakeWaiting()
		if plan == nil && !hadWaiting && r.sender.requeued == 0 && r.rec.Table().Count(job.StateUnknown) > 0 && r.op.Snapshot != nil {
			if w := r.sender.witness; !hasTried || mayReserve || w != unsettled {
				hasTried = true
				var settled bool
				if settled, failed = r.settle(ctx); failed != nil && (ctx.Err() != nil || r.sender.err() != nil) {
					return failed
				}
				mayReserve, unsettled = mayReserve && settled, r.sender.witness
			}
		}
		if plan == nil && hadWaiting {
			r.breakers.StopWaiting()
		}
		requeued := r.sender.requeued
		r.sender.requeued = 0
		if plan == nil && requeued == 0 && !hadWaiting && !d.reserved && failed == nil && r.resendUnknown(doubted) {
			doubted = nil
			continue
		}
		if plan == nil && requeued == 0 && !hadWaiting && !d.reserved {
			return failed
		}
		if requeued > 0 {
			if round++; round > r.opts.Retries {
				return &IncompleteError{Rows: requeued, Rounds: r.opts.Retries}
			}
			r.opts.Note(fmt.Sprintf("sending %s again that the service does not have yet", phrase.Count(requeued, "row", "rows")))
		}
	}
}

// resendUnknown makes those of some rows pending whose outcome is still unknown, and reports whether there are any.
func (r *run) resendUnknown(doubted []uint32) bool {
	t := r.rec.Table()
	doubted = slices.DeleteFunc(doubted, func(row uint32) bool { return t.State(row) != job.StateUnknown })
	if len(doubted) == 0 {
		return false
	}
	r.noteUnvouched(len(doubted))
	r.rec.Record(job.RowResult(job.Result{State: job.StatePending}, doubted...))
	return true
}

// dispatcher returns a dispatcher of the rows that are left to send.
func (r *run) dispatcher() dispatcher {
	return dispatcher{run: r, snapshot: r.snapshot, keepResults: r.opts.Results != "" || r.op.perRow() || r.step != ""}
}

// readRejected reads back the rows of rejected batches, if there are any.
func (r *run) readRejected(ctx context.Context, rejected [][]uint32) error {
	switch {
	case rejected == nil:
		return nil
	case r.op.Snapshot == nil:
		r.move(job.StateRejectedBatch, job.StateUnknown, true)
		return nil
	}
	rc := &reconciler{run: r}
	err := rc.readRejected(ctx, rejected)
	r.keep(rc)
	return err
}

// settle reads back the rows with an unknown outcome, and reports whether it is known
// what became of all.
func (r *run) settle(ctx context.Context) (settled bool, err error) {
	rc := &reconciler{run: r}
	settled, err = rc.settle(ctx)
	r.keep(rc)
	return settled, err
}

// verify reads the service once more, and returns a function that says what is wrong with a row, "" if nothing is.
func (r *run) verify(ctx context.Context) (problem func(row int) (reason string, isDoubled bool), err error) {
	r.op.withoutIDs = false // a list that contains a record twice does not contain two records
	rc := &reconciler{run: r}
	err = rc.verify(ctx)
	r.keep(rc)
	return rc.problem, err
}

// noteDoubt notes when more can be known of rows with an unknown outcome, how many acknowledged rows the last list does not
// show, and how many were acknowledged without an id.
func (r *run) noteDoubt() {
	for _, ids := range slices.Sorted(maps.Keys(r.sender.untold)) {
		n := r.sender.untold[ids]
		r.opts.Note(join(r.step, fmt.Sprintf("the %s %s no %s", phrase.Noun(n, "response to", "responses to"), phrase.Count(n, "row tells", "rows tell"), ids)))
	}
	for _, other := range slices.Sorted(maps.Keys(r.sender.others)) {
		if n := r.sender.others[other]; !r.opts.Verify {
			r.opts.Note(join(r.step, fmt.Sprintf("%d of %s %s answered about %s; --verify compares the rows with the service",
				n, phrase.Count(r.sender.calls, "call", "calls"), phrase.Noun(n, "was", "were"), other)))
		}
	}
	unknown, at := r.rec.Table().Count(job.StateUnknown), r.sender.settledAt().Add(r.maxLag())
	for _, rows := range r.suspected {
		unknown -= len(rows)
	}
	switch rows := phrase.Count(unknown, "row was", "rows were"); {
	case unknown <= 0 || r.isUndecidable():
	case r.sender.witness.vouchesFor(r.sender.settledAt()):
		r.opts.Note(fmt.Sprintf("the same command finds out whether %s stored, once the list of the service shows what was sent last", rows))
	case at.After(r.opts.now()):
		r.opts.Note(fmt.Sprintf("from %s on, the same command finds out whether %s stored", at.Local().Format("15:04:05"), rows))
	}
	if r.vanished > 0 {
		r.opts.Note(fmt.Sprintf("the service acknowledged %s that its list does not show", phrase.Count(r.vanished, "row", "rows")))
	}
}

// isUndecidable reports whether rows have an unknown outcome that no later run finds out, unless it shows them: the service can't be asked, nothing
// that this job has sent shows whether the list is late, or it lacks some of that for longer than it may be late.
func (r *run) isUndecidable() bool {
	settled, now := r.sender.settledAt(), r.opts.now()
	if r.rec.Table().Count(job.StateUnknown) == 0 || r.op.Snapshot != nil && !r.isRead {
		return false
	}
	if r.op.Snapshot == nil {
		return true
	}
	if w := r.sender.witness; w.vouchesFor(settled) && now.Before(w.acknowledged.Add(r.maxLag())) || r.unlisted && now.Before(settled.Add(r.maxLag())) {
		return r.unclear
	}
	return r.unclear || r.unlisted || !r.listed
}

func (r *run) keep(rc *reconciler) {
	if r.isRead = rc.last != nil; r.isRead {
		r.snapshot = rc.last
	}
	if r.op.perRow() || r.opts.ResendExisting {
		r.snapshot = nil
	}
	r.src.DropIndex()
}

// sendAlone sends up to n rows, each alone, and reports whether there was one: pending rows
// if found is nil, otherwise rows of rejected batches that found says to be absent.
func (r *run) sendAlone(ctx context.Context, n int, found []byte) (bool, error) {
	if found == nil && r.rec.Table().Count(job.StatePending) == 0 {
		return false, nil
	}
	before := r.sender.calls
	d := r.dispatcher()
	d.canaries = n
	if found != nil {
		d.plan = planCanary(absentIn(found))
	}
	last := r.sender.witness
	err := d.dispatch(ctx)
	if w := r.sender.witness; w != last {
		w.wasRefused = found != nil
	}
	return r.sender.calls > before, err
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
