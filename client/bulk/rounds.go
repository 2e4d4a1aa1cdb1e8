package bulk

import (
	"bytes"
	"cmp"
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

// takeUp takes up the work of earlier runs and of earlier loads. It returns the rows that these have sent and that may be sent again.
func (r *run) takeUp(ctx context.Context) (resend map[uint32]bool, err error) {
	r.recover()
	if resend, err = r.recall(ctx); err == nil && r.step.Label == "" {
		err = r.compareAgain(ctx)
	}
	return resend, err
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
	var plan bisectPlan
	hasTried, unsettled := false, r.sender.witness // the witness of the last attempt to settle that left rows unknown
	mayReserve := !r.op.Unverifiable() && !r.op.Idempotent
	unreadable := 0  // the readings in a row that have failed in the last attempt to settle
	var failed error // of the last attempt to settle: the rows that nothing is in doubt about are sent all the same
	for round, isFirst := 0, true; ; isFirst = false {
		d := dispatcher{run: r, snapshot: r.snapshot, plan: plan, keepsReserve: mayReserve, isFirst: isFirst}
		if err := d.dispatch(ctx); err != nil {
			return err
		}
		rejected := r.rec.Table().TakeRejected()
		if err := (&reconciler{run: r}).readRejected(ctx, rejected); err != nil {
			return err
		}
		plan = planBisect(r.rec, r.breakers, rejected)
		hadWaiting := r.breakers.TakeWaiting()
		if plan.sizes == nil && !hadWaiting && r.sender.requeued == 0 && r.rec.Table().Count(job.StateUnknown) > 0 && r.op.Snapshot != nil {
			if w := r.sender.witness; !hasTried || mayReserve || w != unsettled {
				hasTried = true
				rc, settled := &reconciler{run: r, unreadable: min(unreadable, maxUnreadable-1)}, false
				settled, failed = rc.settle(ctx)
				if unreadable = rc.unreadable; failed != nil && (ctx.Err() != nil || r.sender.err() != nil) {
					return failed
				}
				mayReserve, unsettled = mayReserve && settled, r.sender.witness
			}
		}
		if plan.sizes == nil && hadWaiting {
			r.breakers.StopWaiting()
		}
		requeued := r.sender.requeued
		r.sender.requeued = 0
		if plan.sizes == nil && requeued == 0 && !hadWaiting && !d.reserved && failed == nil && r.resendUnknown(doubted) {
			doubted = nil
			continue
		}
		if plan.sizes == nil && requeued == 0 && !hadWaiting && !d.reserved {
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
	r.noteUnvouched(len(doubted), "")
	r.rec.SetState(job.StatePending, doubted)
	return true
}

// noteDoubt notes when more can be known of rows with an unknown outcome, how many acknowledged rows the last list does not
// show, and how many were acknowledged without an id.
func (r *run) noteDoubt() {
	r.held.end("more has a note", "more have a note")
	for _, ids := range slices.Sorted(maps.Keys(r.sender.untold)) {
		n := r.sender.untold[ids]
		r.opts.Note(join(r.step.Label, fmt.Sprintf("the %s %s no %s", phrase.Noun(n, "response to", "responses to"), phrase.Count(n, "row tells", "rows tell"), ids)))
	}
	for _, other := range slices.Sorted(maps.Keys(r.sender.others)) {
		if n := r.sender.others[other]; !r.opts.Verify {
			r.opts.Note(join(r.step.Label, fmt.Sprintf("%d of %s %s answered about %s; %s compares the rows with the service",
				n, phrase.Count(r.sender.calls, "call", "calls"), phrase.Noun(n, "was", "were"), other, r.opts.Words.Of("--verify"))))
		}
	}
	next := doubt{} // as the next run will know it
	next.add(false, r.sender.doubt.sent(), r.sender.doubt.ended.Sub(r.sender.doubt.sent()))
	unknown, at := r.rec.Table().Count(job.StateUnknown), next.settledAt(r.opts.SettleTime, r.sender.evidence).Add(r.maxLag())
	for _, rows := range r.suspected {
		unknown -= len(rows)
	}
	switch rows := phrase.Count(unknown, "row was", "rows were"); {
	case unknown <= 0 || r.isUndecidable():
	case r.sender.witness.vouchesFor(r.sender.settledAt()):
		r.opts.Note(fmt.Sprintf("%s finds out whether %s stored, once the list of the service shows what was sent last", r.opts.Words.Of("the same command"), rows))
	case at.After(r.opts.now()):
		r.opts.Note(fmt.Sprintf("%s finds out whether %s stored, at %s at the latest", r.opts.Words.Of("the same command"), rows, at.Local().Format("15:04:05")))
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

// readRejected finds out which rows of rejected batches the service holds. It has ended with them when it answered, so absence
// is proven by two consecutive snapshots that agree and show a witness that was sent after the last rejection. A pending row is
// sent as the canary, since nothing is in doubt about it. If there is none, a row that two snapshots did not show becomes the
// canary, both begun when the longest time has passed after which the list has shown an acknowledged row: only that row can be
// stored twice if the list is late. Rows of an idempotent operation need no proof: one snapshot says which of them are done.
func (r *reconciler) readRejected(ctx context.Context, rejected [][]uint32) error {
	switch {
	case rejected == nil:
		return nil
	case r.op.Snapshot == nil:
		r.move(job.StateRejectedBatch, job.StateUnknown, true)
		return nil
	}
	defer r.keep()
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
			r.opts.Note(fmt.Sprintf("waiting for up to %v: the service refused %s in one call (%s), and may have stored some of them%s",
				left.Round(time.Second), phrase.Count(r.rec.Table().Count(job.StateRejectedBatch), "row", "rows"), r.rec.Table().Reason(rejected[0][0]).Message, r.opts.Words.Of(" (see --settle-time)")))
		}
	}
	if r.needsCanary(rejected, since) {
		noteWait()
	}
	var absent []byte                                 // of the snapshot before, if that counts
	pace, again := newPacer(r.opts.SettleTime), false // the last snapshot did not count
	for r.rec.Table().Count(job.StateRejectedBatch) > 0 {
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
			if n := r.rec.Table().Count(job.StateRejectedBatch); n > 0 {
				r.noteUnvouched(n, "")
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
	var absent []uint32
	if found != nil {
		absent = absentIn(found)
	}
	for lost, sent := 0, 0; !r.sender.witness.vouchesFor(since) && lost <= r.opts.Retries && (found != nil || sent < maxRefusedCanaries); {
		n, unknown := 1, r.unknown()
		if sent >= maxRefusedCanaries {
			n = sent
		}
		left, err = r.sendAlone(ctx, n, absent)
		if isHeld := r.unknown() > unknown || r.sender.witness.vouchesFor(since); found != nil && isHeld { // and not refused
			r.noteUnvouched(n, " before the others of its call")
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

// recover prepares the job to be resumed: it takes over what the runs before have learned. Rows that the last one left in flight
// become unknown, and rows of other states become pending if this run may send them again.
func (r *run) recover() {
	found, s, t, now := r.rec.StartRun(r.load.boot), r.sender, r.rec.Table(), r.opts.now()
	if found.Rows > 0 {
		r.opts.Note(fmt.Sprintf("the last run left %s with an unknown outcome", phrase.Count(t.Count(job.StateUnknown, job.StateRejectedBatch), "row", "rows")))
	}
	s.evidence, s.recorded = found.Evidence, found.Evidence
	for _, row := range t.RowsIn(job.StateSent) {
		if fields := t.Fields(row); fields != "" && r.op.Creates != "" {
			for name, v := range mustParse(fields).Fields() {
				s.told[name+" "+v.Text()] = row
			}
		}
	}
	if t.Count(job.StateUnknown) > 0 {
		s.doubt.add(false, now.Add(-found.Ago), found.LongestCall)
	}
	if t.Count(job.StateRejectedBatch) > 0 {
		s.rejected = now
	}
	if found.SentAgo > 0 { // when exactly it was acknowledged is not known
		sent := now.Add(-found.SentAgo)
		s.witness = &witness{row: found.Witness, sent: sent, acknowledged: sent, others: now}
	}
	// Rows of refused batches are sent again in smaller ones. Those that this run finds invalid are not.
	refused := slices.DeleteFunc(t.RowsIn(job.StateRejectedBatch), func(row uint32) bool { return r.src.IsSendable(int(row)) })
	r.rec.SetState(job.StateUnknown, refused)
	r.move(job.StateUnknown, job.StatePending, r.opts.ResendUnknown && r.op.Snapshot == nil) // otherwise resendUnknown
	r.move(job.StateAmbiguous, job.StatePending, true)
	r.move(job.StatePresent, job.StatePending, r.opts.ResendSent && r.op.Recall != nil)
	r.move(job.StateDiffers, job.StatePending, r.converges())
	if n := t.Count(job.StatePresent); n > 0 && r.opts.ResendExisting {
		r.opts.Note(fmt.Sprintf("skipping %s that an earlier run found to exist already%s", phrase.Count(n, "row", "rows"), r.opts.Words.Of("; use --restart to check again")))
	}
}
