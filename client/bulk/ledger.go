package bulk

import (
	"slices"
	"time"
)

// A rowState is how far a row of a job has come.
type rowState uint8

const (
	todo    rowState = iota
	calling          // in a batch that may have been sent
	doubt            // its call has no outcome that tells anything
	split            // refused in company: to be read back, then sent in smaller batches
	sent
	present
	differs
	refused
	vague // what the service holds is ambiguous: not sent
	states
)

var stateOf = map[string]rowState{"": sent, Sent: sent, Present: present, Differs: differs, Refused: refused, Unknown: doubt, Absent: todo}

// wordOf is what a state is told as.
var wordOf = [states]string{
	todo: "", calling: Unknown, doubt: Unknown, split: Unknown, sent: Sent, present: Present, differs: Differs, refused: Refused, vague: Unknown,
}

// A ledger is what a job knows of its rows. What changes it are the entries of
// the journal, live as on a restart, so that both always agree.
type ledger struct {
	state   []rowState
	counts  [states]int
	why     []uint32 // number of the reason, made with the first
	reasons []cause
	numbers map[cause]uint32
	given   []uint32 // number of what the service gave, made with the first
	gifts   []string
	same    map[string]uint32
	base    map[uint32]uint8 // how many of a row the service held before
	based   bool             // that is known
	open    map[uint64]*sending
	groups  [][]uint32    // rows that were refused together
	next    uint64        // id of the next batch
	left    int           // rows that earlier runs left in doubt,
	lasted  time.Duration // and for how long the longest of their calls was known to last

	refusedStatus     int           // of the last refusal
	last              time.Duration // of the last entry that tells a time
	requests, retries int
	elapsed           time.Duration
	finished          bool
	tracks            []*track // of the steps, where each row takes several
}

type cause struct {
	status int
	words  string
}

// sending is a batch whose outcome is not known yet.
type sending struct {
	rows    []uint32
	started time.Duration // since its run began; below zero before its call begins
}

func newLedger(rows int) *ledger {
	l := &ledger{state: make([]rowState, rows), same: map[string]uint32{}, base: map[uint32]uint8{}, open: map[uint64]*sending{}, numbers: map[cause]uint32{}}
	l.counts[todo] = rows
	return l
}

// mark gives rows a state of which nothing more is to be said.
func (l *ledger) mark(s rowState, rows []uint32) {
	for _, row := range rows {
		l.counts[l.state[row]]--
		l.state[row] = s
	}
	l.counts[s] += len(rows)
}

func (l *ledger) set(v verdict, rows ...uint32) {
	l.mark(v.state, rows)
	if v == (verdict{state: v.state}) && v.state != refused {
		return
	}
	for _, row := range rows {
		l.tell(row, v)
	}
}

func (l *ledger) tell(row uint32, v verdict) {
	if v.state == refused {
		l.refusedStatus = v.status
	}
	if v.words != "" || v.status != 0 {
		l.because(row, cause{v.status, v.words})
	}
	if v.result != "" {
		l.give(row, v.result)
	}
}

func (l *ledger) give(row uint32, result string) {
	if l.given == nil {
		l.given, l.gifts = make([]uint32, len(l.state)), make([]string, 1)
	}
	n, ok := l.same[result]
	if !ok {
		n = uint32(len(l.gifts))
		l.gifts = append(l.gifts, result)
		l.same[result] = n
	}
	l.given[row] = n
}

// resultOf is what the service gave for a row, empty where that is not known.
func (l *ledger) resultOf(row uint32) string {
	if l.given == nil {
		return ""
	}
	return l.gifts[l.given[row]]
}

func (l *ledger) because(row uint32, why cause) {
	if l.why == nil {
		l.why, l.reasons = make([]uint32, len(l.state)), make([]cause, 1)
	}
	n, ok := l.numbers[why]
	if !ok {
		n = uint32(len(l.reasons))
		l.reasons = append(l.reasons, why)
		l.numbers[why] = n
	}
	l.why[row] = n
}

func (l *ledger) reasonOf(row uint32) cause {
	if l.why == nil {
		return cause{}
	}
	return l.reasons[l.why[row]]
}

// apply does what an entry of the journal says.
func (l *ledger) apply(payload []byte) error {
	f := fields{b: payload[1:]}
	switch payload[0] {
	case entryRun:
		l.abandon() // what was left is taken up
		l.left, l.last, l.finished = 0, 0, false
		if l.counts[doubt] == 0 {
			l.lasted = 0
		}
		for _, t := range l.tracks {
			t.abandon() // and is taken up in its turn
		}
	case entryTick:
		l.last = f.time()
		for _, t := range l.tracks {
			t.last = l.last
		}
	case entryIntent:
		id, rows := f.number(), f.rows(len(l.state))
		if f.bad {
			return errEntry
		}
		l.next = id + 1
		l.open[id] = &sending{rows: rows, started: -1}
		l.mark(calling, rows)
	case entryStart:
		id, at := f.number(), f.time()
		if b := l.open[id]; b != nil {
			b.started, l.last = at, at
		}
	case entryBatch:
		id, v := f.number(), f.verdict()
		b := l.open[id]
		if f.bad || b == nil || v.state >= states {
			return errEntry
		}
		delete(l.open, id)
		l.set(v, b.rows...)
		l.doubted(b)
		if v.state == split {
			l.groups = append(l.groups, b.rows)
		}
	case entryRows:
		v, rows := f.verdict(), f.rows(len(l.state))
		if f.bad || v.state >= states {
			return errEntry
		}
		l.set(v, rows...)
	case entryClose:
		id := f.number()
		if b := l.open[id]; b != nil {
			l.doubted(b)
			delete(l.open, id)
		}
	case entryBase:
		held, rows := f.byte(), f.rows(len(l.state))
		for _, row := range rows {
			l.base[row] = held
		}
		l.based = true
	case entryEnd:
		l.requests += int(f.number())
		l.retries += int(f.number())
		l.elapsed += f.time()
	case entryFinish:
		l.finished = true
	case entryUnits:
		step, rows := int(f.byte()), f.rows(len(l.state))
		if f.bad || step != len(l.tracks) {
			return errEntry
		}
		l.tracks = append(l.tracks, &track{newLedger(len(rows)), rows})
	case entryStep:
		step := int(f.byte())
		if f.bad || step >= len(l.tracks) || len(f.b) == 0 {
			return errEntry
		}
		return l.tracks[step].apply(f.b)
	}
	if f.bad {
		return errEntry
	}
	return nil
}

// doubted notes for how long a call lasted that left rows in doubt.
func (l *ledger) doubted(b *sending) {
	if b.started >= 0 && slices.ContainsFunc(b.rows, func(row uint32) bool { return l.state[row] == doubt }) {
		l.lasted = max(l.lasted, l.last-b.started)
	}
}

// abandon takes the batches that an earlier run left without an outcome for
// doubtful.
func (l *ledger) abandon() {
	for _, b := range l.open {
		for _, row := range b.rows {
			if l.state[row] == calling {
				l.mark(doubt, []uint32{row})
				l.left++
			}
		}
		if b.started >= 0 {
			l.lasted = max(l.lasted, l.last-b.started)
		}
	}
	clear(l.open)
}

// in are the rows of a state, in the order of the file.
func (l *ledger) in(s rowState) []uint32 {
	if l.counts[s] == 0 {
		return nil
	}
	rows := make([]uint32, 0, l.counts[s])
	for n, have := range l.state {
		if have == s {
			rows = append(rows, uint32(n))
		}
	}
	return rows
}

// refusedTogether takes the groups of rows that are still to be split.
func (l *ledger) refusedTogether() [][]uint32 {
	groups := l.groups
	l.groups = nil
	// A group that was split already may be refused in parts: those come later.
	taken := map[uint32]bool{}
	for i := len(groups) - 1; i >= 0; i-- {
		groups[i] = slices.DeleteFunc(slices.Clone(groups[i]), func(row uint32) bool {
			gone := l.state[row] != split || taken[row]
			taken[row] = true
			return gone
		})
	}
	return slices.DeleteFunc(groups, func(rows []uint32) bool { return len(rows) == 0 })
}
