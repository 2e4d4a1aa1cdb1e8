package job

import (
	"maps"
	"slices"
	"time"

	"reseller/client/bulk/dedupe"
)

// A Table contains the state of each row of a job, or of each item of a step. Only events
// change it. A row is given by its ordinal in the file, from 0.
type Table struct {
	states []State
	counts [numStates]int

	reasons     Column[Reason]
	fields      Column[string]   // the JSON of the fields that the service returned for a row
	baseline    map[uint32]uint8 // see Baseline
	hasBaseline bool             // a baseline was recorded
	lastID      int64            // see LastID; -1 if none was recorded
	writes      string           // see Identities
	changes     bool             // a row may have changed a record
	find        Find             // of what another job looks for, in the events of the kind looked; nil if none does
	looked      byte
	found       []foundRow                // the rows, and the changes, that find has found
	identified  dedupe.Bitmap             // rows whose identities were recorded
	inherited   dedupe.Bitmap             // rows that another job has sent, and this one has not
	inFlight    map[uint64]*inFlightBatch // by the id of the batch
	rejected    [][]uint32                // batches that were refused as a whole
	nextBatch   uint64                    // the id of the next batch
	recovered   int                       // rows that the last recoverInFlight found in flight
	longestCall time.Duration             // the longest known duration of a call that left rows unknown
	doubted     Boot                      // when the last call was sent that left rows unknown; zero if that is not known
	sent        Boot                      // when the last call was sent that was acknowledged; zero if there was none
	witness     uint32                    // a row of that call
	now         time.Duration             // the time in the last event with a time, since its run started
	boot        Boot                      // the boot of the machine at the start of the last run
	isRunning   bool                      // the last run has reached this table, so that its heartbeats count
	evidence    Evidence                  // of the calls of all runs

	requests, retries int               // the totals of all runs that ended
	elapsed           time.Duration     // the same for their durations; of runs that were killed, as far as is known
	hasEnded          bool              // the last run has ended
	uncounted         bool              // a run has ended without saying how many requests it made
	written           map[string]string // the paths of RejectsFile and UnknownFile that were written last
	finished          bool
	steps             []*StepTable
}

// A Reason is the HTTP status and the message that came with a row's state.
type Reason struct {
	HTTPStatus int
	Message    string
}

// IsAcknowledged reports whether the service has acknowledged the call of a row that is not sent for all that: the answer is about
// something else, which no reading explains, or shows another content.
func (r Reason) IsAcknowledged() bool { return r.HTTPStatus/100 == 2 }

// Evidence says how fast the service is, by the calls of a job.
type Evidence struct {
	Slowest time.Duration // the slowest response to a write; zero if there was none
	Lag     time.Duration // the longest time after which a reading showed an acknowledged row
}

// A foundRow is a row that another job looks for.
type foundRow struct {
	dedupe.Fingerprint
	own    int    // the row of the other job
	theirs uint32 // the row of the table
	same   bool   // both have the same content
}

type inFlightBatch struct {
	rows       []uint32
	started    time.Duration // the time of its CallStarted, -1 before that
	wasRefused bool          // its rows were refused before, with others, and may have been stored then
}

func NewTable(rows int) *Table {
	t := &Table{states: make([]State, rows), baseline: map[uint32]uint8{}, lastID: -1, written: map[string]string{}, inFlight: map[uint64]*inFlightBatch{}}
	t.counts[StatePending] = rows
	return t
}

func (t *Table) Len() int { return len(t.states) }

func (t *Table) State(row uint32) State { return t.states[row] }

func (t *Table) Count(states ...State) (n int) {
	for _, s := range states {
		n += t.counts[s]
	}
	return n
}

// RowsIn returns the rows that are in a state, ascending.
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

func (t *Table) all() []*Table {
	tables := []*Table{t}
	for _, s := range t.steps {
		tables = append(tables, s.Table)
	}
	return tables
}

func (t *Table) Done() int {
	return t.Count(StateSent, StatePresent, StateDiffers, StateRefused, StateAmbiguous)
}

func (t *Table) IsReconciled() bool {
	return t.Count(StateInFlight, StateUnknown, StateRejectedBatch) == 0
}

// Reason returns the HTTP status and the message of a row, the zero value if it has none.
func (t *Table) Reason(row uint32) Reason { return t.reasons.Get(row) }

// CommonRefusal returns the message that most of the refused rows and items of steps have; of several such messages, the first in
// the alphabet. Words before it say so, unless all have it.
func (t *Table) CommonRefusal() string {
	counts := map[string]int{}
	for _, table := range t.all() {
		for _, row := range table.RowsIn(StateRefused) {
			counts[table.Reason(row).Message]++
		}
	}
	delete(counts, "")
	texts := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(texts, func(a, b string) int { return counts[b] - counts[a] })
	switch {
	case len(texts) == 0:
		return ""
	case len(texts) == 1:
		return texts[0]
	case counts[texts[0]] == counts[texts[1]]:
		return "such as: " + texts[0]
	}
	return "most often: " + texts[0]
}

// Fields returns the JSON of the fields that the service returned for a row, empty if it returned none.
func (t *Table) Fields(row uint32) string { return t.fields.Get(row) }

// Baseline returns how many times the service held a row before the job sent any row. It is 0 if no baseline was recorded.
func (t *Table) Baseline(row uint32) int { return int(t.baseline[row]) }

func (t *Table) HasBaseline() bool { return t.hasBaseline }

// LastID returns the largest id that the service listed before the job sent any row, -1 if it was not recorded.
func (t *Table) LastID() int64 { return t.lastID }

// first returns the table of the first step, or of the rows if the job has no steps.
func (t *Table) first() *Table {
	if len(t.steps) > 0 {
		return t.steps[0].Table
	}
	return t
}

// TakeRejected returns the batches that were refused as a whole, and removes them from
// the table. It leaves out rows that have another state by now, and empty batches.
func (t *Table) TakeRejected() [][]uint32 {
	groups := t.rejected
	t.rejected = nil
	// A part of a rejected batch may have been rejected too, so that its rows are in both.
	// Later batches come last: the row is kept in the last batch that contains it.
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

func (t *Table) HasIdentity(row uint32) bool { return t.identified.Has(int(row)) }

// Found returns the state of a row that had an unknown outcome and that the service turns
// out to hold: it was sent, unless only another job has sent it.
func (t *Table) Found(row uint32) State {
	if t.inherited.Has(int(row)) {
		return StatePresent
	}
	return StateSent
}

// Steps returns the tables of the job's steps, none for a job without steps.
func (t *Table) Steps() []*StepTable { return t.steps }

func (t *Table) apply(e Event) error {
	r := reader{rest: e[1:]}
	switch e[0] {
	case kindRunStarted:
		on := Boot{r.text(), r.time()}
		t.recoverInFlight(on)
		t.recovered, t.now, t.boot, t.finished, t.hasEnded = 0, 0, on, false, false
		if t.counts[StateUnknown] == 0 {
			t.longestCall = 0
		}
		t.isRunning = true
		for _, s := range t.steps {
			s.isRunning = false
			s.recoverInFlight(on) // s.recovered stays until the step has a RunStarted of its own
		}
	case kindHeartbeat:
		t.now = r.time()
		for _, s := range t.steps {
			if s.isRunning {
				s.now = t.now
			}
		}
	case kindIntent:
		id, rows := r.number(), r.rows(len(t.states))
		if r.invalid {
			return errInvalidEvent
		}
		t.nextBatch, t.isRunning = id+1, true
		for _, row := range rows {
			t.inherited.Clear(int(row))
			t.reasons.Set(row, len(t.states), Reason{}) // of the call before
		}
		t.inFlight[id] = &inFlightBatch{rows, -1, slices.ContainsFunc(rows, func(row uint32) bool { return t.states[row] == StateRejectedBatch })}
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
		t.noteOutcome(b)
		if result.State == StateRejectedBatch {
			t.rejected = append(t.rejected, b.rows)
		}
	case kindRowResult, kindInherited:
		result, rows := r.result(), r.rows(len(t.states))
		if r.invalid {
			return errInvalidEvent
		}
		t.applyResult(result, rows...)
		if e[0] == kindInherited {
			for _, row := range rows {
				t.inherited.Set(int(row))
			}
			t.doubted = Boot{} // nobody has recorded when the other job sent them
		}
	case kindIdentities:
		writes, rows := r.identities()
		if t.writes = writes; r.invalid {
			return errInvalidEvent
		}
		for row, f := range rows {
			if int(row) >= len(t.states) {
				return errInvalidEvent
			}
			t.identified.Set(int(row))
			t.look(e[0], row, f)
		}
	case kindChanges:
		row := r.number()
		t.changes, r.invalid = true, r.invalid || row >= uint64(len(t.states)) || len(r.rest)%dedupe.FingerprintSize != 0
		for rest := r.rest; !r.invalid && len(rest) > 0; rest = rest[dedupe.FingerprintSize:] {
			t.look(e[0], uint32(row), dedupe.ReadFingerprint(rest))
		}
	case kindBatchClosed:
		id := r.number()
		if b := t.inFlight[id]; b != nil {
			t.noteOutcome(b)
			delete(t.inFlight, id)
		}
	case kindBaseline:
		count, rows := r.byte(), r.rows(len(t.states))
		for _, row := range rows {
			t.baseline[row] = count
		}
		t.hasBaseline = true
	case kindLastID:
		t.lastID = int64(r.number())
	case kindRunEnded:
		t.requests += int(r.number())
		t.retries += int(r.number())
		t.elapsed += r.time()
		t.hasEnded = true
	case kindFinished:
		t.finished = true
	case kindEvidence:
		t.evidence = Evidence{r.time(), r.time()}
	case kindStepItems:
		step, rows := int(r.byte()), r.rows(len(t.states))
		if r.invalid || step != len(t.steps) {
			return errInvalidEvent
		}
		t.steps = append(t.steps, &StepTable{NewTable(len(rows)), rows})
		t.steps[step].find, t.steps[step].looked = t.find, t.looked
	case kindStep:
		step := int(r.byte())
		if r.invalid || step >= len(t.steps) || len(r.rest) == 0 {
			return errInvalidEvent
		}
		s := t.steps[step]
		if err := s.apply(r.rest); err != nil || r.rest[0] != kindCallStarted {
			return err
		}
		t.now = s.now
	case kindWrote:
		t.written[r.text()] = r.text()
	}
	if r.invalid {
		return errInvalidEvent
	}
	return nil
}

// look keeps what an event of a kind says of a row if another job looks for it.
func (t *Table) look(kind byte, row uint32, f dedupe.Fingerprint) {
	if t.find == nil || kind != t.looked {
		return
	}
	if own, same := t.find(f); own >= 0 {
		t.found = append(t.found, foundRow{f, own, row, same})
	}
}

func (t *Table) setState(s State, rows []uint32) {
	for _, row := range rows {
		t.counts[t.states[row]]--
		t.states[row] = s
	}
	t.counts[s] += len(rows)
}

// applyResult gives rows the state of a result, and its reason and fields if it has any.
func (t *Table) applyResult(r Result, rows ...uint32) {
	t.setState(r.State, rows)
	if r == (Result{State: r.State}) && r.State != StateRefused {
		return
	}
	for _, row := range rows {
		if r.Message != "" || r.HTTPStatus != 0 {
			t.reasons.Set(row, len(t.states), Reason{r.HTTPStatus, r.Message})
		}
		if r.Fields == NoFields {
			t.fields.Set(row, len(t.states), "")
		} else if r.Fields != "" {
			t.fields.Set(row, len(t.states), r.Fields)
		}
	}
}

// noteOutcome updates longestCall and doubted after the call of b, if the call left rows unknown, and sent and witness, if the
// service acknowledged rows. The reconciler waits that long, since the service may still be working on the call.
func (t *Table) noteOutcome(b *inFlightBatch) {
	in := func(s State) int {
		return slices.IndexFunc(b.rows, func(row uint32) bool { return t.states[row] == s })
	}
	at := Boot{t.boot.ID, t.boot.Uptime + b.started}
	if b.started < 0 {
		return
	}
	if in(StateUnknown) >= 0 {
		t.longestCall = max(t.longestCall, t.now-b.started)
		if at.isAfter(t.doubted) {
			t.doubted = at
		}
	}
	if i := in(StateSent); i >= 0 && !b.wasRefused && at.isAfter(t.sent) {
		t.sent, t.witness = at, b.rows[i]
	}
}

// recoverInFlight makes the rows unknown that an earlier run left in flight. Rows whose call had not started become pending
// instead, if the machine has not been started again since: the start of a call is in the file before its request is written.
func (t *Table) recoverInFlight(on Boot) {
	isWhole := on.ID != "" && on.ID == t.boot.ID
	for _, b := range t.inFlight {
		state := StateUnknown
		if b.started < 0 && isWhole {
			state = StatePending
		}
		for _, row := range b.rows {
			if t.states[row] == StateInFlight {
				t.setState(state, []uint32{row})
				if state == StateUnknown {
					t.recovered++
				}
			}
		}
		t.noteOutcome(b)
	}
	clear(t.inFlight)
	if !t.hasEnded { // it has not said how long it lasted
		t.elapsed, t.hasEnded, t.uncounted = t.elapsed+t.now, true, t.uncounted || t.isRunning
	}
}
