package bulk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/record"
)

const maxIdentities = 80 << 10

// recall records the outcomes of rows that earlier loads have sent, as far as Operation.Recall knows them, and notes their
// lines. It returns the rows that are known and may be sent again.
func (r *run) recall(ctx context.Context) (resend map[uint32]bool, err error) {
	t := r.rec.Table()
	if r.op.Recall == nil || t.Count(job.StatePending, job.StateUnknown) == 0 {
		return nil, nil
	}
	resend = map[uint32]bool{}
	before := lines{note: r.opts.Note, step: r.step.Label}
	for row, err := range r.src.Valid() {
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return nil, err
		}
		n := uint32(row.Ordinal)
		state := t.State(n)
		if state != job.StatePending && state != job.StateUnknown || !r.recalls(n) {
			continue
		}
		out, known, err := r.op.Recall(ctx, row)
		switch {
		case err != nil:
			return nil, err
		case !known:
			continue
		case out.State == Absent:
			resend[n] = true
			continue
		case state == job.StateUnknown:
			if out.State == Present { // sent by this job, as the intent is its own
				r.rec.Record(job.RowResult(job.Result{State: job.StateSent, Fields: r.op.ResultFields(out.Result)}, n))
			}
			continue
		case out.State == Present:
			r.rec.Record(job.RowResult(job.Result{State: job.StatePresent, Fields: r.op.ResultFields(out.Result)}, n))
		default:
			r.rec.Record(job.RowResult(r.op.unsent(out), n))
			if r.step.Label == "" {
				continue // the files of rows note the line
			}
		}
		before.add(fmt.Sprintf("%s: %s", r.src.Place(row.Line), join(r.step.Label, out.Message)))
	}
	before.end("more was sent before", "more were sent before")
	return resend, nil
}

// recallJobs finds the rows that others on this machine have sent and that the list does not show, if rows that are sent
// twice are created twice: lists may be late and may show other texts than were sent. Rows that were acknowledged count as
// present, or as different if other content was sent: such a row can't be changed before it is listed. Rows in doubt get an
// unknown outcome, so that they are sent only once they are proven absent; with Options.ResendUnknown, also if no reading can tell.
// Then recallJobs records the identities of the rows that may be sent, by which other jobs will recall them. All of this is done
// under the lock of the store: of two loads of the same row that run at a time, the second sees the row of the first, and is refused.
func (r *run) recallJobs() error {
	if r.op.writes() == "" || r.load.job == nil {
		return nil
	}
	index, err := r.src.Index()
	if err != nil {
		return err
	}
	unlock, err := r.load.job.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := r.takeMemories(index); err != nil || r.isDryRun {
		return err
	}
	return r.recordIdentities(index)
}

// fetchBaseline takes a snapshot of a list before the first call. With Options.ResendExisting it only records, as a baseline,
// the number of records for each row, once for the whole job. The list may not show yet the rows that other jobs have just
// sent, so the number of such rows is unknown.
func (r *run) fetchBaseline(ctx context.Context) error {
	r.lastID = r.rec.Table().LastID()
	if r.op.Snapshot == nil || r.op.perRow() {
		return nil
	}
	snapshot, err := takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{})
	if err != nil {
		return err
	}
	list, ok := snapshot.(*ListSnapshot)
	if ok && list.Listed != nil {
		r.sender.first = list
	}
	if ok && r.lastID < 0 {
		r.lastID = list.lastID
		r.rec.Record(job.LastID(r.lastID))
	}
	if !r.opts.ResendExisting {
		r.snapshot = snapshot
		return nil
	}
	if r.rec.Table().HasBaseline() {
		return nil
	}
	recent := map[int]bool{}
	if r.op.Creates != "" && r.load.job != nil {
		index, err := r.src.Index()
		if err == nil {
			err = r.load.job.EachSent(r.op.Creates, MaxListLag, r.load.boot, index.Find, func(_ *job.Memory, sent job.SentRow) { recent[sent.Row] = true })
		}
		if err != nil {
			return err
		}
	}
	byCount := map[int][]uint32{0: nil} // an event for no rows records that the list was read
	for row := 0; list != nil && row < r.rec.Table().Len(); row++ {
		n := list.count(row)
		if recent[row] {
			n = unknownBaseline
		}
		if n > 0 {
			byCount[n] = append(byCount[n], uint32(row))
		}
	}
	for n, ordinals := range byCount {
		r.rec.Record(job.Baseline(byte(n), ordinals))
	}
	return nil
}

// takeMemories takes over the rows that others have sent, the last ones first. Of changes, it only finds out that a running job has
// them to make.
func (r *run) takeMemories(index *dedupe.Index) error {
	count, jobs := map[job.State]int{}, map[job.State][]string{}
	within := job.MemoryTime
	switch {
	case r.op.Creates == "":
		within = 0
	case r.opts.ResendExisting:
		return nil
	case r.load.job.Restarted: // the journals of before are not even read
		within = min(within, time.Since(r.load.job.Started))
	}
	for m, err := range r.load.job.Memories(r.op.writes(), within, r.load.boot, index.Find) {
		if err != nil {
			return err
		}
		found, isInDoubt, err := r.takeMemory(m)
		if err != nil {
			return err
		}
		if isInDoubt {
			r.sender.doubt.add(false, r.opts.now().Add(-m.Ago), m.LongestCall)
			if m.LastID >= 0 {
				r.lastID = min(r.lastID, m.LastID)
			}
		}
		if n := found[job.StateUnknown]; n > 0 {
			r.opts.Note(fmt.Sprintf("%s sent %s with an unknown outcome", m.By(), phrase.Count(n, "row", "rows")))
		}
		if m.IsCorrupt {
			r.opts.Note(fmt.Sprintf("the journal of %s is corrupt: rows that it has sent may be sent again", m.By()))
		}
		for state, n := range found {
			count[state], jobs[state] = count[state]+n, append(jobs[state], clockTime(m.LastWritten)+" by "+m.By())
		}
	}
	r.load.unlisted += count[job.StateDiffers]
	for _, state := range []job.State{job.StatePresent, job.StateDiffers} {
		if jobs[state] == nil {
			continue
		}
		from, more := jobs[state][0], len(jobs[state])-1
		if more > 0 {
			from += " and " + phrase.Count(more, "other", "others")
		}
		if state == job.StateDiffers {
			from += " with other content"
		}
		r.opts.Note(fmt.Sprintf("%s acknowledged %s and not listed by the service yet: %v%s",
			phrase.Count(count[state], "row was", "rows were"), from, state, r.opts.Words.Of(" (--restart sends them again; a row that the list shows late is then stored twice)")))
	}
	return nil
}

// takeMemory takes over the rows that one other job has sent. It returns their numbers by their states from now on, and whether
// any is in doubt, or was before; an error if the other job may still send any.
func (r *run) takeMemory(m *job.Memory) (found map[job.State]int, isInDoubt bool, err error) {
	open, singles := 0, 0
	t, taken, found := r.rec.Table(), byResult{}, map[job.State]int{}
	list := r.list()
	for sent := range m.Rows {
		row, result := uint32(sent.Row), job.Result{State: job.StatePresent}
		isUnknown, isDone := t.State(row) == job.StateUnknown, r.op.Creates == "" && t.State(row).Succeeded() // until the other job changes it
		if !isUnknown && !isDone && t.State(row) != job.StatePending || !r.src.IsSendable(sent.Row) || list.count(sent.Row) > 0 {
			continue
		}
		switch {
		case sent.IsOpen:
			if open++; isDone {
				r.rec.SetState(job.StatePending, []uint32{row})
			}
			continue
		case r.op.Creates == "":
			continue
		case m.Job == "" && (sent.State == job.StateRejectedBatch || m.Age > MaxListLag): // it was refused, or may be deleted by now
			singles++
			continue
		}
		if sent.IsInDoubt() && r.opts.ResendUnknown && r.op.Snapshot == nil {
			found[job.StateUnknown]++ // and is sent again, as nothing more can be known
			continue
		}
		isChanged := r.converges() || list != nil && list.ChangesLater
		isOther := list != nil && (list.Compare != nil || isChanged) && !sent.SameContent
		isInDoubt = isInDoubt || sent.IsInDoubt()
		switch {
		case isUnknown && (sent.IsInDoubt() || isOther && isChanged):
			continue // as before
		case sent.IsInDoubt() && sent.Reason.IsAcknowledged():
			result = job.Result{State: job.StateUnknown, HTTPStatus: sent.Reason.HTTPStatus, Message: sent.Reason.Message}
		case sent.IsInDoubt():
			result = job.Result{State: job.StateUnknown, Message: m.By() + " got no clear response"}
		case isOther && isChanged:
			result = job.Result{State: job.StateAmbiguous, Message: fmt.Sprintf("%s sent it %s with other content, and it can't be changed before the service lists it", m.By(), clockTime(m.LastWritten))}
		case isOther:
			result.State = job.StateDiffers
		}
		if taken[result] = append(taken[result], row); sent.Fields != "" && !sent.IsInDoubt() {
			r.rec.Record(job.RowResult(job.Result{State: result.State, Fields: sent.Fields}, row))
		}
	}
	if busy := (&job.BusyError{ID: m.Job, Rows: open}); open > 0 && r.isDryRun {
		r.opts.Note(fmt.Sprintf("%v: until it finishes, this is refused", busy))
	} else if open > 0 {
		return nil, false, busy
	}
	if singles > 0 {
		r.opts.Note(fmt.Sprintf("%s sent %s of this load %s, and the service does not list what it may have stored: that would be stored twice", m.By(), phrase.Count(singles, "row", "rows"), clockTime(m.LastWritten)))
	}
	for result, rows := range taken {
		slices.Sort(rows)
		event := job.RowResult(result, rows...) // which keeps the fields
		if found[result.State] += len(rows); result.State == job.StateUnknown {
			event = job.Inherited(result, rows)
		}
		r.rec.Record(event)
	}
	return found, isInDoubt, nil
}

// A Memory is what loads and commands without a file have written by a store, to one address and for one subject.
type Memory struct {
	dedupe.Key // of the fingerprints of rows

	store job.Store
	to    job.Key
}

// Remember returns the memory of a store for the address and the subject of a key.
func Remember(store job.Store, to job.Key) (Memory, error) {
	hashes, err := store.HashKey([16]byte{})
	return Memory{hashes, store, to}, err
}

// Identity returns the identity for the text that a row has for it.
func (m *Memory) Identity(id []byte) dedupe.Identity { return m.Fingerprint(id, nil).Identity() }

// Each calls each with the rows that were written within a time, and those that running jobs have still to write: of all rows that
// write the same (see job.Identities), or of those with ids unless that is nil, with the index of the id.
func (m *Memory) Each(writes string, within time.Duration, ids [][]byte, each func(i int, of *job.Memory, sent job.SentRow)) error {
	find, places := job.All, map[dedupe.Identity]int{}
	for i, id := range ids {
		places[m.Identity(id)] = i + 1
		find = func(f dedupe.Fingerprint) (row int, sameContent bool) { return places[f.Identity()] - 1, false }
	}
	return m.store.Preview(job.Header{Key: m.to}, 0).EachSent(writes, within, job.BootClock()(), find, func(of *job.Memory, sent job.SentRow) { each(sent.Row, of, sent) })
}

// Single remembers that a command without a file is about to write rows by an operation. If a running load has one of them to write,
// the error is a *job.BusyError with words for it. The command calls end as job.Store.RememberSingle says. A dry run remembers nothing.
func (m *Memory) Single(op *Operation, identity rows.Identity, list []rows.Values, isDryRun bool, words func(rows.Values) string) (end func(time.Duration, ...job.Result), err error) {
	end = func(time.Duration, ...job.Result) {}
	if m.Key == (dedupe.Key{}) {
		if m.Key, err = m.store.HashKey(dedupe.NewKey()); err != nil {
			return end, nil // no load can keep its rows there either
		}
	}
	ids, event, changes := make([][]byte, len(list)), job.Identities(op.writes()), []job.Event(nil)
	for i, values := range list {
		id, content := identity(values, nil, nil)
		ids[i], event = id, event.AppendIdentity(uint32(i), m.Fingerprint(id, content))
		if op.Changes {
			changes = append(changes, op.changes(m.Key, uint32(i), values))
		}
	}
	if !isDryRun {
		to := m.to
		to.Operation = op.Name
		end = m.store.RememberSingle(to, len(list), job.BootClock()(), append(changes, event)...)
	}
	var busy error
	err = m.Each(op.writes(), 0, ids, func(i int, of *job.Memory, sent job.SentRow) {
		if sent.IsOpen && of.Job != "" { // two commands at a time are the user's affair
			busy = &job.BusyError{ID: of.Job, What: words(list[i])}
		}
	})
	if err = cmp.Or(err, busy); err != nil {
		end(0, job.Result{State: job.StatePending})
	}
	return end, err
}

// LastChanges returns the function for Client.IsLate. A reading may be late if, within MaxListLag, this machine has last given the field
// another value than the reading shows, or if a command without a file is about to give it one.
func (m *Memory) LastChanges() (isLate record.LateFunc, err error) {
	changes, isLater, until := map[dedupe.Identity][]dedupe.Fingerprint{}, map[dedupe.Identity]bool{}, time.Now().Add(MaxListLag)
	err = m.Each("", MaxListLag, nil, func(_ int, of *job.Memory, sent job.SentRow) {
		id, isOpen := sent.Identity(), sent.IsOpen && of.Job == ""
		isLast := sent.State == job.StateSent && !isLater[id] && of.SentAgo-of.Evidence.Slowest < MaxListLag
		if isOpen || isLast {
			changes[id] = append(changes[id], sent.Fingerprint)
		}
		isLater[id] = isLater[id] || isLast
	})
	var shown sync.Mutex
	return func(key string, id record.Value, field string, v record.Value, _ bool) bool {
		shown.Lock()
		defer shown.Unlock()
		if len(changes) == 0 || time.Now().After(until) {
			return false
		}
		f := fieldPrint(m.Key, key, id, field, v)
		last := slices.DeleteFunc(changes[f.Identity()], func(to dedupe.Fingerprint) bool { return to == f })
		if changes[f.Identity()] = last; len(last) == 0 {
			delete(changes, f.Identity())
		}
		return len(last) > 0
	}, err
}

// changes returns the event of what a row changes that is about to be sent: see LastChanges.
func (op *Operation) changes(hashes dedupe.Key, row uint32, values rows.Values) job.Event {
	var fields []dedupe.Fingerprint
	for _, v := range op.given(values) {
		fields = append(fields, fieldPrint(hashes, op.Record, values.Get(op.Record), v.Name, v.JSON))
	}
	return job.Changes(row, fields)
}

// given returns what a row gives its record.
func (op *Operation) given(values rows.Values) rows.Values {
	return slices.DeleteFunc(append(slices.Clip(values), op.Sets), func(v rows.Value) bool { return v.Name == op.Record || v.JSON == nil })
}

// IsLate reports whether a reading that shows what a row gives its record may be late.
func (op *Operation) IsLate(isLate record.LateFunc, values rows.Values) bool {
	return slices.ContainsFunc(op.given(values), func(v rows.Value) bool { return isLate(op.Record, values.Get(op.Record), v.Name, v.JSON, false) })
}

// recordIdentities records the identities of the rows that may be sent and have none yet. In a job that is resumed, none needs
// one, and an index on disk is not read.
func (r *run) recordIdentities(index *dedupe.Index) error {
	t, list := r.rec.Table(), r.list()
	isNeeded := func(row int) bool {
		state := t.State(uint32(row))
		return (state == job.StatePending || state == job.StateUnknown) && !t.HasIdentity(uint32(row)) && r.src.IsSendable(row) && list.count(row) == 0
	}
	first := 0
	for first < t.Len() && !isNeeded(first) {
		first++
	}
	if first == t.Len() {
		return nil
	}
	event := job.Identities(r.op.writes())
	head := len(event)
	for ordinal, f := range index.All() {
		if isNeeded(ordinal) {
			event = event.AppendIdentity(uint32(ordinal), f)
		}
		if len(event) > maxIdentities {
			r.rec.Record(event)
			_ = r.rec.Flush() // an error ends the run before its first call
			event = event[:head]
		}
	}
	r.rec.Record(event)
	return cmp.Or(r.rec.Flush(), index.Err(), r.rec.Err())
}

// clockTime returns the time of day, with the date if it is not today.
func clockTime(at time.Time) string {
	at = at.Local()
	if now := time.Now(); at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		return "on " + at.Format("2006-01-02 at 15:04")
	}
	return "at " + at.Format("15:04")
}
