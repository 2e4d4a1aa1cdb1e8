package job

import (
	"slices"
	"time"
)

// A Table holds the state of each row of a job, or of each item of a step. Only
// events change it. Rows are named by their ordinals in the file, from 0.
type Table struct {
	states []State
	counts [numStates]int

	reasons       column[Reason]
	fields        column[string] // JSON of the fields that the service gave
	baseline      map[uint32]uint8
	hasBaseline   bool
	inFlight      map[uint64]*inFlightBatch
	rejected      [][]uint32 // batches that were refused as a whole
	nextBatch     uint64
	recovered     int           // rows that earlier runs left in flight
	longestCall   time.Duration // the longest known duration of a call whose rows are unknown
	now           time.Duration // the time of the last event that has one, since its run started
	refusedStatus int           // the HTTP status of the last refusal

	requests, retries int
	elapsed           time.Duration
	finished          bool
	steps             []*StepTable
}

// A Reason is why a row has its state.
type Reason struct {
	HTTPStatus int
	Message    string
}

// An inFlightBatch is a batch whose outcome is not recorded yet.
type inFlightBatch struct {
	rows    []uint32
	started time.Duration // since its run started; negative before its call starts
}

// NewTable returns a table of pending rows.
func NewTable(rows int) *Table {
	t := &Table{states: make([]State, rows), baseline: map[uint32]uint8{}, inFlight: map[uint64]*inFlightBatch{}}
	t.counts[StatePending] = rows
	return t
}

// Len is the number of rows.
func (t *Table) Len() int { return len(t.states) }

// State returns the state of a row.
func (t *Table) State(row uint32) State { return t.states[row] }

// Count returns the number of rows that are in one of the states.
func (t *Table) Count(states ...State) (n int) {
	for _, s := range states {
		n += t.counts[s]
	}
	return n
}

// RowsIn returns the rows of a state, ascending.
func (t *Table) RowsIn(s State) []uint32 {
	if t.counts[s] == 0 {
		return nil
	}
	rows := make([]uint32, 0, t.counts[s])
	for n, have := range t.states {
		if have == s {
			rows = append(rows, uint32(n))
		}
	}
	return rows
}

// Done returns the number of rows with a final state.
func (t *Table) Done() int {
	return t.Count(StateSent, StatePresent, StateDiffers, StateRefused, StateAmbiguous)
}

// IsReconciled reports whether no row is left whose outcome is to be found out.
func (t *Table) IsReconciled() bool {
	return t.Count(StateInFlight, StateUnknown, StateRejectedBatch) == 0
}

// IsFinished reports whether nothing is left to do.
func (t *Table) IsFinished() bool { return t.finished }

// Reason returns why a row has its state.
func (t *Table) Reason(row uint32) Reason { return t.reasons.get(row) }

// Fields returns the JSON of the fields that the service gave for a row, empty if
// it gave none.
func (t *Table) Fields(row uint32) string { return t.fields.get(row) }

// Baseline returns how many of a row the service held before the job sent any, as
// far as that was recorded.
func (t *Table) Baseline(row uint32) int { return int(t.baseline[row]) }

// HasBaseline reports whether a baseline was recorded.
func (t *Table) HasBaseline() bool { return t.hasBaseline }

// TakeRejected returns the batches that were refused as a whole and have rows left
// that are to be sent in smaller batches, and forgets them.
func (t *Table) TakeRejected() [][]uint32 {
	groups := t.rejected
	t.rejected = nil
	// Parts of a batch that was split before may be refused too. They come later,
	// and a row belongs to the last batch that it was in.
	taken := map[uint32]bool{}
	for i := len(groups) - 1; i >= 0; i-- {
		groups[i] = slices.DeleteFunc(slices.Clone(groups[i]), func(row uint32) bool {
			drop := t.states[row] != StateRejectedBatch || taken[row]
			taken[row] = true
			return drop
		})
	}
	return slices.DeleteFunc(groups, func(rows []uint32) bool { return len(rows) == 0 })
}

// KeepRejected puts a batch back for the next call of TakeRejected.
func (t *Table) KeepRejected(rows []uint32) { t.rejected = append(t.rejected, rows) }

// Steps returns the tables of a job's steps.
func (t *Table) Steps() []*StepTable { return t.steps }

// apply changes the table by an event.
func (t *Table) apply(e Event) error {
	r := reader{rest: e[1:]}
	switch e[0] {
	case kindRunStarted:
		t.recoverInFlight()
		t.recovered, t.now, t.finished = 0, 0, false
		if t.counts[StateUnknown] == 0 {
			t.longestCall = 0
		}
		for _, s := range t.steps {
			s.recoverInFlight() // each step counts its own when its turn comes
		}
	case kindHeartbeat:
		t.now = r.time()
		for _, s := range t.steps {
			s.now = t.now
		}
	case kindIntent:
		id, rows := r.number(), r.rows(len(t.states))
		if r.invalid {
			return errInvalidEvent
		}
		t.nextBatch = id + 1
		t.inFlight[id] = &inFlightBatch{rows: rows, started: -1}
		t.setState(StateInFlight, rows)
	case kindCallStarted:
		id, at := r.number(), r.time()
		if b := t.inFlight[id]; b != nil {
			b.started, t.now = at, at
		}
	case kindBatchResult:
		id, result := r.number(), r.result()
		b := t.inFlight[id]
		if r.invalid || b == nil {
			return errInvalidEvent
		}
		delete(t.inFlight, id)
		t.applyResult(result, b.rows...)
		t.noteUnknown(b)
		if result.State == StateRejectedBatch {
			t.rejected = append(t.rejected, b.rows)
		}
	case kindRowResult:
		result, rows := r.result(), r.rows(len(t.states))
		if r.invalid {
			return errInvalidEvent
		}
		t.applyResult(result, rows...)
	case kindBatchClosed:
		id := r.number()
		if b := t.inFlight[id]; b != nil {
			t.noteUnknown(b)
			delete(t.inFlight, id)
		}
	case kindBaseline:
		count, rows := r.byte(), r.rows(len(t.states))
		for _, row := range rows {
			t.baseline[row] = count
		}
		t.hasBaseline = true
	case kindRunEnded:
		t.requests += int(r.number())
		t.retries += int(r.number())
		t.elapsed += r.time()
	case kindFinished:
		t.finished = true
	case kindStepItems:
		step, rows := int(r.byte()), r.rows(len(t.states))
		if r.invalid || step != len(t.steps) {
			return errInvalidEvent
		}
		t.steps = append(t.steps, &StepTable{NewTable(len(rows)), rows})
	case kindStep:
		step := int(r.byte())
		if r.invalid || step >= len(t.steps) || len(r.rest) == 0 {
			return errInvalidEvent
		}
		return t.steps[step].apply(r.rest)
	}
	if r.invalid {
		return errInvalidEvent
	}
	return nil
}

// setState gives rows a state, without a reason.
func (t *Table) setState(s State, rows []uint32) {
	for _, row := range rows {
		t.counts[t.states[row]]--
		t.states[row] = s
	}
	t.counts[s] += len(rows)
}

func (t *Table) applyResult(r Result, rows ...uint32) {
	t.setState(r.State, rows)
	if r == (Result{State: r.State}) && r.State != StateRefused {
		return
	}
	for _, row := range rows {
		t.setDetails(row, r)
	}
}

func (t *Table) setDetails(row uint32, r Result) {
	if r.State == StateRefused {
		t.refusedStatus = r.HTTPStatus
	}
	if r.Message != "" || r.HTTPStatus != 0 {
		t.reasons.set(row, len(t.states), Reason{r.HTTPStatus, r.Message})
	}
	if r.Fields != "" {
		t.fields.set(row, len(t.states), r.Fields)
	}
}

// noteUnknown remembers how long a call lasted that left rows unknown: the service
// may go on working on it for as long again.
func (t *Table) noteUnknown(b *inFlightBatch) {
	if b.started >= 0 && slices.ContainsFunc(b.rows, func(row uint32) bool { return t.states[row] == StateUnknown }) {
		t.longestCall = max(t.longestCall, t.now-b.started)
	}
}

// recoverInFlight gives an unknown outcome to the batches that an earlier run left
// in flight.
func (t *Table) recoverInFlight() {
	for _, b := range t.inFlight {
		for _, row := range b.rows {
			if t.states[row] == StateInFlight {
				t.setState(StateUnknown, []uint32{row})
				t.recovered++
			}
		}
		if b.started >= 0 {
			t.longestCall = max(t.longestCall, t.now-b.started)
		}
	}
	clear(t.inFlight)
}

// A column holds a value for each row. Few values differ, so each is held once, and
// the column takes no memory before its first value.
type column[T comparable] struct {
	index  []uint32 // by row: the place of its value in values
	values []T      // the first is the zero value
	places map[T]uint32
}

func (c *column[T]) get(row uint32) (v T) {
	if c.index == nil {
		return v
	}
	return c.values[c.index[row]]
}

// set sets the value of one of n rows.
func (c *column[T]) set(row uint32, n int, v T) {
	if c.index == nil {
		c.index, c.values, c.places = make([]uint32, n), make([]T, 1), map[T]uint32{}
	}
	place, ok := c.places[v]
	if !ok {
		place = uint32(len(c.values))
		c.values = append(c.values, v)
		c.places[v] = place
	}
	c.index[row] = place
}
