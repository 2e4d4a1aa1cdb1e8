package bulk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"reseller/client"
	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/crash"
	"reseller/client/phrase"
)

// What a snapshot shows of a row without an outcome.
const (
	foundNothing   byte = iota // the row was not looked up
	foundAbsent                // the service does not hold the row
	foundPresent               // the service holds it
	foundDifferent             // the service holds it with other content
	foundUnclear
	foundTwice // of a row that is verified: the service holds it more than once
)

// A reconciler finds out by snapshots what became of rows with an unknown outcome.
//
// The architecture says what proves what. Two consecutive snapshots that do not show a row prove its absence, if both show the
// witness, since the service carried out the row's call before that of the witness, if at all: a list that shows the witness
// shows the row too, however late the list is. Rows of an idempotent operation need no witness, nor does a list of which isOver
// says so.
type reconciler struct {
	*run
	// verified is nil while the outcomes of rows are found out. Later it is what the last snapshot
	// showed of the rows that the service should hold.
	verified   []byte
	last       Snapshot // the last snapshot that could be taken; nil if there is none
	unreadable int      // consecutive snapshots that failed
	failed     error    // why the last of them failed
	lateFor    *witness // the last witness that a snapshot did not show
	shownFor   *witness // the last witness that a snapshot showed
}

// compare takes a snapshot. It returns what the snapshot shows of the rows, by row, and
// whether it shows the witness. If each row is read by a call of its own, then with lenient,
// a row that can't be read is unclear.
func (r *reconciler) compare(ctx context.Context, w *witness, lenient bool) (snapshot Snapshot, found []byte, shown bool, err error) {
	if snapshot, err = takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{Reconciling: true, Verifying: r.verified != nil, NewFrom: r.lastID + 1}); err != nil {
		return nil, nil, false, err
	}
	if list, ok := snapshot.(*ListSnapshot); ok {
		table := r.rec.Table()
		err = list.compare(ctx, r.src, func(row int) bool {
			state := table.State(uint32(row))
			return state == job.StateUnknown || state == job.StateRejectedBatch || w != nil && uint32(row) == w.row && r.converges()
		})
		found, shown = r.compareList(list, w)
		err = cmp.Or(err, r.suspect(ctx, list, found, shown && w.isLast()))
		for _, row := range table.RowsIn(job.StateUnknown) {
			if found[row] == foundAbsent && table.Reason(row).IsAcknowledged() {
				found[row] = foundUnclear
			}
		}
	} else {
		found, shown, err = r.compareRows(ctx, snapshot, w, lenient, r.isAsked)
		r.listed = shown
	}
	r.unclear = bytes.IndexByte(found, foundUnclear) >= 0
	return snapshot, found, shown, err
}

func (r *reconciler) compareList(list *ListSnapshot, w *witness) (found []byte, shown bool) {
	table := r.rec.Table()
	found, r.vanished, r.listed, r.unlisted = make([]byte, table.Len()), 0, false, false
	for n := range table.Len() {
		if r.src.IsInvalid(n) { // the list can't be compared with those
			continue
		}
		row := uint32(n)
		switch state := table.State(row); {
		case r.verified != nil && state.Succeeded():
			found[row] = r.judge(row, list.at(n))
			shown = shown || w != nil && row == w.row && r.vouches(r.interpret(row, list.at(n)))
		case r.verified != nil:
		case state == job.StateUnknown || state == job.StateRejectedBatch:
			found[row] = r.interpret(row, list.at(n))
		case state == job.StateSent || state == job.StatePresent:
			switch what := r.interpret(row, list.at(n)); {
			case what == foundAbsent:
				r.unlisted = true
				if state == job.StateSent {
					r.vanished++
				}
			case state == job.StateSent && r.vouches(what):
				r.listed = true
				shown = shown || w != nil && row == w.row
			}
		}
	}
	if !shown {
		r.vanished = 0
	}
	return found, shown
}

// suspect makes the absent rows unclear that may be records of the list all the same: by ListSnapshot.Doubt, or as new records
// whose texts are not those that were sent. Of the new records of a campaign, those are explained that other jobs have sent, and,
// if the list shows all acknowledged rows, as many more as it lacks of those that this job has sent. A row that is verified is not listed, whatever its record may be.
func (r *reconciler) suspect(ctx context.Context, list *ListSnapshot, found []byte, isUpToDate bool) error {
	r.suspected = map[job.Reason][]uint32{}
	if r.verified != nil || len(list.strangers) == 0 && list.Doubt == nil || !bytes.Contains(found, []byte{foundAbsent}) {
		return nil
	}
	if err := r.dropExplained(list); err != nil {
		return err
	}
	ids, acknowledged, absent := map[string][]int64{}, map[string]int{}, map[string][]uint32{}
	for _, s := range list.strangers {
		ids[s.group] = append(ids[s.group], s.id)
	}
	makeUnclear := func(reason string, rows ...uint32) {
		for _, row := range rows {
			why := job.Reason{HTTPStatus: r.rec.Table().Reason(row).HTTPStatus, Message: reason}
			found[row], r.suspected[why] = foundUnclear, append(r.suspected[why], row)
		}
	}
	for row, err := range r.src.Valid() {
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return err
		}
		n, group := uint32(row.Ordinal), groupOf(r.op.Key, row.Values.Get)
		switch doubt := list.doubt(row); {
		case doubt != "" && found[n] == foundAbsent:
			makeUnclear(doubt, n)
		case doubt != "" || ids[group] == nil:
		case found[n] == foundAbsent:
			absent[group] = append(absent[group], n)
		case isUpToDate && r.rec.Table().State(n) == job.StateSent && r.interpret(n, list.at(row.Ordinal)) == foundAbsent:
			acknowledged[group]++
		}
	}
	for group, rows := range absent {
		if len(ids[group]) <= acknowledged[group] {
			continue
		}
		slices.Sort(ids[group])
		makeUnclear("the service may have stored it with another text, as "+suspects(list.Names[0], ids[group])+": "+r.opts.Words.Of("--resend-unknown")+" sends it if not", rows...)
	}
	return nil
}

// suspects names records by their ids, which are sorted: each, or how many there are from the first to the last.
func suspects(name string, ids []int64) string {
	const most = 5
	if n := len(ids); n > most {
		return fmt.Sprintf("one of %s with %s %d to %d", phrase.Count(n, "record", "records"), name, ids[0], ids[n-1])
	}
	return name + " " + listed(ids, " or ")
}

// dropExplained removes from the new records of a list those that other jobs of the machine have sent, and those that are rows of
// other shards.
func (r *reconciler) dropExplained(list *ListSnapshot) error {
	if len(list.strangers) == 0 {
		return nil
	}
	index := dedupe.NewIndex(r.src.Layout.HashKey(), true)
	for i, s := range list.strangers {
		index.Add(i, i, s.fingerprint)
	}
	explained, i := map[int]bool{}, -1
	for row, err := range r.src.Elsewhere() {
		if err != nil {
			return err
		}
		at, _ := index.Find(index.Fingerprint(r.src.Identify(row)))
		explained[at] = true
	}
	if r.load.job != nil && r.op.Creates != "" {
		err := r.load.job.EachSent(r.op.Creates, job.MemoryTime, r.load.boot, index.Find, func(_ *job.Memory, row job.SentRow) { explained[row.Row] = true })
		if err != nil {
			return err
		}
	}
	list.strangers = slices.DeleteFunc(list.strangers, func(stranger) bool { i++; return explained[i] })
	return nil
}

// vouches reports whether a list shows the witness. One with other content may be a row that was converged: the list could
// have shown it before.
func (r *reconciler) vouches(found byte) bool {
	return found == foundPresent || found == foundDifferent && !r.converges()
}

// compareRows compares the rows that asks names and the witness. If each is read by a call, there are as many at a time as
// writes. With lenient, a row that can't be read is unclear.
func (r *reconciler) compareRows(ctx context.Context, snapshot Snapshot, w *witness, lenient bool, asks func(row uint32) bool) (found []byte, shown bool, err error) {
	table := r.rec.Table()
	found = make([]byte, table.Len())
	var calls errgroup.Group
	calls.SetLimit(1)
	if r.op.perRow() { // of what one list shows, one after the other
		calls.SetLimit(r.opts.Concurrency)
	}
	for row, err := range r.src.Valid() {
		if err != nil {
			return nil, false, errors.Join(calls.Wait(), err)
		}
		n := uint32(row.Ordinal)
		isWitness := w != nil && n == w.row
		isAsked := asks(n)
		if r.verified != nil && !isAsked {
			found[n] = r.verified[n]
		}
		if !isAsked && !isWitness {
			continue
		}
		row := rows.Clone(*row)[0]
		calls.Go(func() error {
			defer crash.Recover()
			out, err := snapshot.Find(ctx, &row)
			if err != nil && lenient && isTransient(err) && ctx.Err() == nil {
				out, err = Outcome{State: Unknown}, nil
			}
			if err != nil {
				return err
			}
			if isAsked && r.verified == nil && r.op.perRow() {
				r.sender.mu.Lock()
				r.sender.keepHeld(n, out)
				r.sender.mu.Unlock()
			}
			what := r.interpret(n, out)
			if isWitness {
				shown = what == foundPresent
			}
			if isAsked && r.verified != nil {
				what = r.judge(n, out)
			}
			if isAsked {
				found[n] = what
			}
			return nil
		})
	}
	if err := calls.Wait(); err != nil {
		return nil, false, err
	}
	return found, shown, nil
}

// isAsked reports whether a row is read by a call of its own. It is, if its outcome is unknown, or if it is verified, and no
// snapshot before has shown it.
func (r *reconciler) isAsked(row uint32) bool {
	state := r.rec.Table().State(row)
	if r.verified == nil {
		return state == job.StateUnknown || state == job.StateRejectedBatch
	}
	return state.Succeeded() && (state != job.StatePresent || r.step.Label == "") && r.verified[row] != foundPresent && r.verified[row] != foundTwice
}

// interpret returns what a snapshot shows of a row. With Options.ResendExisting, it
// compares the number of records for the row with the baseline.
func (r *reconciler) interpret(row uint32, out Outcome) byte {
	if r.opts.ResendExisting && out.Count > 0 {
		switch baseline := r.rec.Table().Baseline(row); {
		case baseline == unknownBaseline:
			return foundUnclear
		case out.Count <= baseline:
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

func isTransient(err error) bool {
	if errors.As(err, new(*client.UnreadableError)) || errors.As(err, new(*client.NetworkError)) {
		return true
	}
	refusal, ok := errors.AsType[*client.Error](err)
	return ok && (refusal.HTTPStatus == 429 || refusal.HTTPStatus >= 500)
}

func absentIn(found []byte) []uint32 {
	absent := []uint32{}
	for row, what := range found {
		if what == foundAbsent {
			absent = append(absent, uint32(row))
		}
	}
	return absent
}

// judge returns what a snapshot shows of a row that the service should hold: once, and if the job was to send it all the same,
// more often than before.
func (r *reconciler) judge(row uint32, out Outcome) byte {
	before := r.heldBefore(row)
	switch {
	case out.Count > max(before, 1):
		return foundTwice
	case out.Count > before, out.Count == 0 && (out.State == Present || out.State == Differs):
		return foundPresent
	}
	return foundAbsent
}

func listed(ids []int64, separator string) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(ids)), separator), "[]")
}

// problem returns what the last reading shows to be wrong with a row, "" if nothing is.
func (r *reconciler) problem(row uint32) (reason string, isDoubled bool) {
	switch {
	case r.verified[row] == foundTwice:
		reason = "the service holds it more than once"
		if list, ok := r.last.(*ListSnapshot); ok && list.several[int(row)] != nil {
			reason += ": " + list.Names[0] + " " + listed(list.several[int(row)], ", ")
		}
		return reason, true
	case r.verified[row] != foundAbsent:
		return "", false
	case r.op.Changes:
		return "the service shows something else", false
	}
	return "the service does not list it", false
}
