package bulk

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/job"
	"reseller/client/phrase"
)

const (
	// maxRecallNotes is the number of notes that name another job.
	maxRecallNotes = 3
	// identityChunk is the number of identities in an event.
	identityChunk = 4096
	// recallChunk is the number of rows in an event.
	recallChunk = 4096
)

// recallJobs finds the rows that other jobs on this machine have sent and that the list does not
// show, if rows that are sent twice are created twice: lists may be late and may show other texts
// than were sent. Rows that were acknowledged count as present, or as different if other content was
// sent. Rows in doubt get an unknown outcome, so that they are sent only once they are proven absent.
// Then recallJobs records the identities of the rows that may be sent, by which other jobs will recall
// them.
func (r *run) recallJobs(ctx context.Context) error {
	if r.op.Creates == "" || r.job == nil {
		return nil
	}
	index, err := r.src.Index()
	if err != nil {
		return err
	}
	if !r.opts.ResendExisting {
		late, err := r.takeMemories(index)
		if err == nil && late.reasons != nil {
			err = r.awaitListed(ctx, late)
		}
		if err != nil {
			return err
		}
	}
	return r.recordIdentities(index)
}

// isListed reports whether the list that was read before the first call shows a row.
func (r *run) isListed(row int) bool {
	list, ok := r.snapshot.(*ListSnapshot)
	return ok && list.at(row).Count > 0
}

// lateRows are rows that other jobs have sent with other content, and that must be listed before they can be changed.
type lateRows struct {
	reasons map[uint32]string // by row, why its outcome is unknown until then; nil if there is none
	until   time.Time         // when lists must show them
}

// takeMemories takes over what other jobs have sent, the last ones first. It returns the rows that are to be changed.
func (r *run) takeMemories(index *dedupe.Index) (late lateRows, err error) {
	notes, rows := 0, 0 // the notes of single jobs, and the rows that they leave out
	for m, err := range r.job.Memories(r.op.Creates, job.MemoryTime, r.boot, index.Find) {
		if err != nil {
			return late, err
		}
		if r.job.Restarted && m.LastWritten.Before(r.job.Started) {
			continue
		}
		found, isInDoubt := r.takeMemory(m, &late)
		if isInDoubt {
			r.sender.addDoubt(m.Ago, m.LongestCall)
			if m.LastID >= 0 {
				r.lastID = min(r.lastID, m.LastID)
			}
		}
		if n := len(found[job.StateUnknown]); n > 0 {
			r.opts.Note(fmt.Sprintf("job %s sent %s with an unknown outcome", m.Job, phrase.Count(n, "row", "rows")))
		}
		if m.IsCorrupt {
			r.opts.Note(fmt.Sprintf("the journal of job %s is corrupt: rows that it has sent may be sent again", m.Job))
			continue
		}
		for _, state := range []job.State{job.StatePresent, job.StateDiffers} {
			n, what := len(found[state]), ""
			if state == job.StateDiffers {
				what = " with other content"
			}
			if n == 0 {
				continue
			}
			if notes++; notes > maxRecallNotes {
				rows += n
				continue
			}
			r.opts.Note(fmt.Sprintf("%s acknowledged %s by job %s%s and not listed by the service yet: %v (--restart sends them again)",
				phrase.Count(n, "row was", "rows were"), clockTime(m.LastWritten), m.Job, what, state))
		}
	}
	if rows > 0 {
		r.opts.Note(fmt.Sprintf("%s acknowledged by other jobs and not listed by the service yet", phrase.Count(rows, "more row was", "more rows were")))
	}
	return late, nil
}

// takeMemory takes over what one other job has sent. It returns the rows that are present, different and in doubt from now
// on, and whether any is in doubt, or was before. Rows that are to be changed go to late.
func (r *run) takeMemory(m *job.Memory, late *lateRows) (found map[job.State][]uint32, isInDoubt bool) {
	t, found := r.rec.Table(), map[job.State][]uint32{}
	list, ok := r.snapshot.(*ListSnapshot)
	comparesContent := ok && list.Compare != nil
	for _, sent := range m.Rows {
		row, state := uint32(sent.Row), t.State(uint32(sent.Row))
		if _, isLate := late.reasons[row]; isLate || state != job.StatePending && state != job.StateUnknown || !r.src.IsSendable(sent.Row) || r.isListed(sent.Row) {
			continue
		}
		now := job.StatePresent
		switch {
		case sent.IsInDoubt && state == job.StateUnknown:
			isInDoubt = true
			continue
		case sent.IsInDoubt:
			isInDoubt, now = true, job.StateUnknown
		case !sent.SameContent && comparesContent && r.converges():
			if state == job.StateUnknown {
				continue // this job has sent it, too
			}
			if late.reasons == nil {
				late.reasons = map[uint32]string{}
			}
			late.reasons[row] = fmt.Sprintf("job %s sent it with other content %s, and the service does not list it yet", m.Job, clockTime(m.LastWritten))
			if until := r.opts.Now().Add(r.maxLag() - time.Since(m.LastWritten)); until.After(late.until) {
				late.until = until
			}
			continue
		case !sent.SameContent && comparesContent:
			now = job.StateDiffers
		}
		if found[now] = append(found[now], row); sent.Fields != "" && !sent.IsInDoubt {
			r.rec.Record(job.RowResult(job.Result{State: now, Fields: sent.Fields}, row))
		}
	}
	for state, rows := range found {
		slices.Sort(rows)
		for chunk := range slices.Chunk(rows, recallChunk) {
			if state == job.StateUnknown {
				r.rec.Record(job.Inherited("job "+m.Job+" got no response", chunk))
			} else {
				r.rec.Record(job.RowResult(job.Result{State: state}, chunk...)) // which keeps the fields
			}
		}
	}
	return found, isInDoubt
}

// awaitListed reads the list until it shows all late rows. The outcome of those that it does not show in time is unknown.
func (r *run) awaitListed(ctx context.Context, late lateRows) error {
	pace := newPacer(r.opts.SettleTime)
	for noted := false; ; noted = true {
		maps.DeleteFunc(late.reasons, func(row uint32, _ string) bool { return r.isListed(int(row)) })
		left := late.until.Sub(r.opts.Now())
		if len(late.reasons) == 0 || left <= 0 {
			break
		}
		if !noted {
			r.opts.Note(fmt.Sprintf("waiting up to %.0f s until the service lists %s that another job has just sent with other content",
				math.Ceil(left.Seconds()), phrase.Count(len(late.reasons), "row", "rows")))
		}
		if err := r.opts.Sleep(ctx, pace.next(left)); err != nil {
			return err
		}
		var err error
		if r.snapshot, err = takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{}); err != nil {
			return err
		}
	}
	for row, reason := range late.reasons {
		r.rec.Record(job.RowResult(job.Result{State: job.StateAmbiguous, Message: reason}, row))
	}
	return nil
}

// RecentlySent returns what the jobs of a store have just sent to the address of a key for its subject, that creates something
// and that a list may not show yet: by a number, the job that has sent it. find returns the number for an identity.
func RecentlySent(store job.Store, to job.Key, creates string) (jobs map[int]string, find func(id []byte) int, err error) {
	key, err := store.HashKey([16]byte{})
	if err != nil {
		return nil, nil, err
	}
	jobs = map[int]string{}
	index, n := dedupe.NewIndex(key, true), 0
	add := func(f dedupe.Fingerprint) (int, bool) {
		n++
		if m, ok := index.Add(n-1, n-1, f); ok {
			return m.First, true
		}
		return n - 1, true
	}
	for m, err := range store.Memories(to, "", creates, maxListLag, job.BootClock()(), add) {
		if err != nil {
			return nil, nil, err
		}
		for _, sent := range m.Rows {
			jobs[sent.Row] = m.Job
		}
	}
	return jobs, func(id []byte) int {
		first, _ := index.Find(index.Fingerprint(id, nil))
		return first
	}, nil
}

// recordIdentities records the identities of the rows that may be sent and have none yet.
func (r *run) recordIdentities(index *dedupe.Index) error {
	if !r.needIdentities() {
		return nil
	}
	var event job.Event
	n := 0 // rows in the event
	flush := func() {
		if n > 0 {
			r.rec.Record(event)
			_ = r.rec.Flush() // an error ends the run before its first call
		}
		n = 0
	}
	for ordinal, f := range index.All() {
		if !r.needsIdentity(ordinal) {
			continue
		}
		if n == 0 {
			event = job.Identities(event, r.op.Creates)
		}
		event = event.AppendIdentity(uint32(ordinal), f)
		if n++; n == identityChunk {
			flush()
		}
	}
	flush()
	return cmp.Or(index.Err(), r.rec.Err())
}

// needIdentities reports whether any row needs its identity recorded. In a job that is
// resumed, none does, and an index on disk need not be read.
func (r *run) needIdentities() bool {
	for row := range r.rec.Table().Len() {
		if r.needsIdentity(row) {
			return true
		}
	}
	return false
}

// needsIdentity reports whether a row may be sent and has no recorded identity yet.
func (r *run) needsIdentity(row int) bool {
	t := r.rec.Table()
	state := t.State(uint32(row))
	return (state == job.StatePending || state == job.StateUnknown) &&
		!t.HasIdentity(uint32(row)) && r.src.IsSendable(row) && !r.isListed(row)
}

// clockTime returns the time of day, with the date if it is not today.
func clockTime(at time.Time) string {
	at = at.Local()
	if now := time.Now(); at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		return "on " + at.Format("2006-01-02 at 15:04")
	}
	return "at " + at.Format("15:04")
}
