package bulk

import "slices"

// A track is the ledger of one step of a job, the rows of which are the step's
// units: what it writes for the rows of the file.
type track struct {
	*ledger
	rows []uint32 // of the file, by unit; ascending
}

// of are the units of a row, from first up to end.
func (t *track) of(row uint32) (first, end int) {
	first, _ = slices.BinarySearch(t.rows, row)
	for end = first; end < len(t.rows) && t.rows[end] == row; end++ {
	}
	return first, end
}

// idle tells whether no unit is left that a run could do something about.
func (t *track) idle() bool {
	return t.counts[sent]+t.counts[present]+t.counts[differs]+t.counts[refused] == len(t.rows)
}

// goesOn tells whether later steps go on with what has come so far.
func goesOn(s rowState) bool { return s == sent || s == present || s == differs }

// goesOn tells whether the first step of a row is in.
func (l *ledger) goesOn(row uint32) bool {
	first, end := l.tracks[0].of(row)
	return first < end && goesOn(l.tracks[0].state[first])
}

// graver says which of two states counts more where one must stand for both.
var graver = [states]int{present: 0, sent: 1, differs: 2, vague: 3, todo: 4, calling: 5, split: 6, doubt: 7, refused: 8}

// worst is the state that stands for units of a track; ok is false for none.
func (t *track) worst(first, end int) (state rowState, ok bool) {
	for n, s := range t.state[first:end] {
		if n == 0 || graver[s] > graver[state] {
			state = s
		}
	}
	return state, first < end
}

// rollUp makes the state of each row of those of its units: that of its first
// step where it did not go on, else the gravest. Held rows could not go on. It
// tells whether a further run has anything to do.
func (l *ledger) rollUp(held map[int]string) (open bool) {
	if len(l.tracks) == 0 {
		return false
	}
	for unit, row := range l.tracks[0].rows {
		state := l.tracks[0].state[unit]
		if goesOn(state) {
			for _, t := range l.tracks[1:] {
				first, end := t.of(row)
				for _, s := range t.state[first:end] {
					open = open || unsettled(s)
				}
				if s, ok := t.worst(first, end); ok && graver[s] > graver[state] {
					state = s
				}
			}
		}
		open = open || unsettled(l.tracks[0].state[unit])
		if _, ok := held[int(row)]; ok && state == todo {
			state = doubt
		}
		l.mark(state, []uint32{row})
	}
	l.refusedStatus = 0
	for _, t := range l.tracks {
		if t.refusedStatus != 0 {
			l.refusedStatus = t.refusedStatus
		}
	}
	return open
}

func unsettled(s rowState) bool { return s == todo || s == calling || s == doubt || s == split }

func unitsEntry(step int, rows []uint32) []byte {
	return appendRows([]byte{entryUnits, byte(step)}, rows)
}
