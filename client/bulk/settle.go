package bulk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"reseller/client"
	"reseller/client/bulk/decode"
)

const (
	// reconcileDelay is the least time between a call without an outcome and the
	// reading back, and between two readings: the service may still be at work.
	settlePause = 2 * time.Second
	// maxReads is how often the service is read for an answer that is agreed.
	maxReads = 10
	// sampled is how many acknowledged rows are looked for where each costs a call.
	sampled = 20
)

// What a reading shows of a row that has no outcome.
const (
	notAsked byte = iota
	isAbsent
	isIn
	isOther // held, with other content
	isUnclear
)

// settle reads back rows whose calls have no outcome, and those that were
// refused together. What is there is in. What is absent is sent again, if the
// list came whole, shows the rows that were acknowledged, and another reading
// agrees; refused batches need no second one where rows acknowledged later show.
func (r *run) settle(ctx context.Context, groups [][]uint32) error {
	doubts := r.ledger.counts[doubt] > 0
	fresh := !doubts && r.acked.After(r.refused)
	if r.refused.Add(settlePause).After(r.ripe) && !fresh {
		r.ripe = r.refused.Add(settlePause)
	}
	if doubts {
		r.o.Note(fmt.Sprintf("%d rows have no outcome; reading back which of them are in", r.ledger.counts[doubt]))
	}
	if wait := time.Until(r.ripe); wait > 0 && !fresh {
		if err := r.o.Pause(ctx, wait); err != nil {
			return err
		}
	}
	var before, found []byte
	var failed error
	agreed := false
	for n := 0; n < maxReads && !agreed; n++ {
		if n > 0 {
			if err := r.o.Pause(ctx, settlePause); err != nil {
				return err
			}
		}
		view, shows, now, err := r.read(ctx, n == maxReads-1)
		if failed = err; err != nil {
			if ctx.Err() != nil || !worthwhile(err) {
				return err
			}
			before = nil
			continue
		}
		found = now
		agreed = shows && (fresh || before != nil && bytes.Equal(before, found))
		before = nil
		if shows {
			before, r.view = found, view
		}
	}
	if r.op.OneByOne || r.o.SendHeld {
		r.view = nil
	}
	r.settled(found, agreed)
	var unreadable *client.UnreadableError
	if failed != nil && !errors.As(failed, &unreadable) {
		return failed
	}
	if !agreed && groups != nil {
		r.leaveTogether(groups)
	}
	return nil
}

// worthwhile tells whether a reading that failed may do better next time.
func worthwhile(err error) bool {
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

// read looks once at what the service holds: what it shows of the rows in
// question, and whether it shows those that were acknowledged. The last time,
// where each row is read for itself, one that can't be read stops no other.
func (r *run) read(ctx context.Context, last bool) (view View, shows bool, found []byte, err error) {
	if view, err = r.look(ctx, true); err != nil {
		return nil, false, nil, err
	}
	l := r.ledger
	found, shows = make([]byte, len(l.state)), true
	ask := func(row uint32, out Outcome) {
		switch l.state[row] {
		case sent:
			shows = shows && r.showing(row, out) != isAbsent
		case doubt, split:
			found[row] = r.showing(row, out)
		}
	}
	if holdings, ok := view.(*Holdings); ok {
		for row := range l.state {
			if !r.src.invalid.Has(row) { // of those nothing is known
				ask(uint32(row), holdings.at(row))
			}
		}
		return view, shows, found, nil
	}
	first := 0
	if r.op.OneByOne {
		first = l.counts[sent] - sampled
	}
	seen := 0
	for row, err := range r.src.Rows() {
		if wrong := decode.AsError(err); wrong != nil && !wrong.Fatal {
			continue
		}
		if err != nil {
			return nil, false, nil, err
		}
		n := uint32(row.ordinal)
		switch l.state[n] {
		default:
			continue
		case sent:
			if seen++; seen <= first {
				continue
			}
		case doubt, split:
		}
		out, err := view.Find(ctx, row)
		if err != nil && last && r.op.OneByOne && worthwhile(err) && ctx.Err() == nil {
			out, err = Outcome{State: Unknown}, nil
		}
		if err != nil {
			return nil, false, nil, err
		}
		ask(n, out)
	}
	return view, shows, found, nil
}

// showing is what an outcome of a view says of a row.
func (r *run) showing(row uint32, out Outcome) byte {
	if r.o.SendHeld && out.Held > 0 {
		if out.Held <= int(r.ledger.base[row]) {
			return isAbsent
		}
		return isIn
	}
	switch out.State {
	case Absent:
		return isAbsent
	case Present:
		return isIn
	case Differs:
		return isOther
	}
	return isUnclear
}

// settled notes what was found. Absence counts only where readings agreed.
func (r *run) settled(found []byte, agreed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	by := map[rowState][]uint32{}
	for row, what := range found {
		n, state := uint32(row), r.ledger.state[row]
		switch what {
		case isIn:
			by[sent] = append(by[sent], n)
		case isOther:
			if r.o.UpdateExisting && r.op.Bring != nil && agreed {
				by[todo] = append(by[todo], n)
				r.again++
			} else {
				by[differs] = append(by[differs], n)
			}
		case isAbsent:
			if agreed && state == doubt {
				by[todo] = append(by[todo], n)
				r.again++
			}
		}
	}
	for state, rows := range by {
		r.record(rowsEntry(verdict{state: state}, rows...))
	}
}

// leaveTogether gives up finding out what a refused batch left: its rows are
// in doubt.
func (r *run) leaveTogether(groups [][]uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, group := range groups {
		for _, row := range group {
			if r.ledger.state[row] == split {
				r.record(rowsEntry(verdict{state: doubt}, row))
			}
		}
	}
}
