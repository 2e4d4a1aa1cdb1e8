package bulk

import (
	"fmt"
	"slices"
	"time"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/job"
	"reseller/client/phrase"
)

const (
	// maxRecallNotes is the number of other jobs that are named in notes.
	maxRecallNotes = 3
	// identityChunk is the number of identities in an event.
	identityChunk = 4096
	// recallChunk is the number of rows in an event.
	recallChunk = 4096
)

// recallJobs finds the rows that other jobs on this machine have sent and that the list does not
// show, if rows that are sent twice are created twice: lists may be late and may show other texts
// than were sent. Rows that were acknowledged count as present. Rows in doubt get an unknown
// outcome, so that they are sent only once they are proven absent. Then recallJobs records the
// identities of the rows that may be sent, by which other jobs will recall them.
func (r *run) recallJobs() error {
	if r.op.Creates == "" || r.job == nil {
		return nil
	}
	index, err := r.src.Index()
	if err != nil {
		return err
	}
	if !r.opts.ResendExisting {
		if err := r.takeMemories(index); err != nil {
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

// takeMemories takes over what other jobs have sent.
func (r *run) takeMemories(index *dedupe.Index) error {
	jobs, rows := 0, 0 // those beyond maxRecallNotes
	for m, err := range r.job.Memories(r.op.Creates, r.boot) {
		if err != nil {
			return err
		}
		if r.job.Restarted && m.LastWritten.Before(r.job.Started) {
			continue
		}
		acknowledged, doubted, isInDoubt, err := r.takeMemory(m, index)
		if err != nil {
			return err
		}
		if isInDoubt {
			r.sender.addDoubt(m.Ago, m.LongestCall)
		}
		if doubted > 0 {
			r.opts.Note(fmt.Sprintf("job %s sent %s with an unknown outcome", m.Job, phrase.Count(doubted, "row", "rows")))
		}
		switch {
		case m.IsCorrupt:
			r.opts.Note(fmt.Sprintf("the journal of job %s is corrupt: rows that it has sent may be sent again", m.Job))
		case acknowledged == 0:
			continue
		case jobs < maxRecallNotes:
			r.opts.Note(fmt.Sprintf("%s acknowledged %s by job %s and not listed by the service yet: present (--restart sends them again)",
				phrase.Count(acknowledged, "row was", "rows were"), clockTime(m.LastWritten), m.Job))
		default:
			rows += acknowledged
		}
		jobs++
	}
	if rows > 0 {
		r.opts.Note(fmt.Sprintf("%s acknowledged by %s and not listed by the service yet: present", phrase.Count(rows, "row was", "rows were"), phrase.Count(jobs-maxRecallNotes, "other job", "other jobs")))
	}
	return nil
}

// takeMemory takes over what one other job has sent. It returns the numbers of rows that were
// acknowledged and that are in doubt from now on, and whether any is in doubt, or was before.
func (r *run) takeMemory(m *job.Memory, index *dedupe.Index) (acknowledged, doubted int, isInDoubt bool, err error) {
	t := r.rec.Table()
	var present, unknown []uint32
	flush := func() {
		if len(present) > 0 {
			slices.Sort(present)
			r.rec.Record(job.RowResult(job.Result{State: job.StatePresent}, present...))
		}
		if len(unknown) > 0 {
			slices.Sort(unknown)
			r.rec.Record(job.Inherited("job "+m.Job+" got no response", unknown))
		}
		present, unknown = present[:0], unknown[:0]
	}
	err = m.Each(func(id job.Identity, sent job.SentRow) {
		ordinal, _ := index.Find(dedupe.ID(id).Fingerprint())
		if ordinal < 0 || !r.src.IsSendable(ordinal) || r.isListed(ordinal) {
			return
		}
		row, state := uint32(ordinal), t.State(uint32(ordinal))
		isInDoubt = isInDoubt || sent.IsInDoubt && (state == job.StatePending || state == job.StateUnknown)
		switch {
		case sent.IsInDoubt && state == job.StatePending:
			doubted++
			unknown = append(unknown, row)
		case sent.IsInDoubt || state != job.StatePending && state != job.StateUnknown:
			return
		case sent.Fields != "":
			acknowledged++
			r.rec.Record(job.RowResult(job.Result{State: job.StatePresent, Fields: sent.Fields}, row))
		default:
			acknowledged++
			present = append(present, row)
		}
		if len(present)+len(unknown) >= recallChunk {
			flush()
		}
	})
	flush()
	return acknowledged, doubted, isInDoubt, err
}

// recentlySent returns the rows that other jobs have sent so recently that a list may not
// show it yet.
func (r *run) recentlySent() (map[uint32]bool, error) {
	if r.op.Creates == "" || r.job == nil {
		return nil, nil
	}
	index, err := r.src.Index()
	if err != nil {
		return nil, err
	}
	recent := map[uint32]bool{}
	for m, err := range r.job.Memories(r.op.Creates, r.boot) {
		if err == nil && time.Since(m.LastWritten) < maxListLag {
			err = m.Each(func(id job.Identity, _ job.SentRow) {
				if ordinal, _ := index.Find(dedupe.ID(id).Fingerprint()); ordinal >= 0 {
					recent[uint32(ordinal)] = true
				}
			})
		}
		if err != nil {
			return nil, err
		}
	}
	return recent, nil
}

// recordIdentities records the identities of the rows that may be sent and have none yet.
func (r *run) recordIdentities(index *dedupe.Index) error {
	if !r.needIdentities() {
		return nil
	}
	var event job.Event
	n := 0 // rows in the event
	flush := func() error {
		if n == 0 {
			return nil
		}
		n = 0
		r.rec.Record(event)
		return r.rec.Flush()
	}
	for ordinal, id := range index.All() {
		if !r.needsIdentity(ordinal) {
			continue
		}
		if n == 0 {
			event = job.Identities(event, r.op.Creates)
		}
		event = event.AppendIdentity(uint32(ordinal), job.Identity(id))
		if n++; n >= identityChunk {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := index.Err(); err != nil {
		return err
	}
	return flush()
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
