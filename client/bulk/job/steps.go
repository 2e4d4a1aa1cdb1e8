package job

import "slices"

// A StepTable is the table of one step of a job. The rows of this table are the items of
// the step; a row of the file may have several items.
type StepTable struct {
	*Table
	rows []uint32 // by item: its row of the file, ascending; nil if the rows of the file are the items
}

// WholeRows returns the table of a job without steps as that of a step whose items are the rows.
func (t *Table) WholeRows() *StepTable { return &StepTable{Table: t} }

func (s *StepTable) Rows() []uint32 { return s.rows }

// ItemsOf returns the items of a row: from first to the one before end.
func (s *StepTable) ItemsOf(row uint32) (first, end int) {
	if s.rows == nil {
		return int(row), min(int(row)+1, len(s.states))
	}
	first, _ = slices.BinarySearch(s.rows, row)
	for end = first; end < len(s.rows) && s.rows[end] == row; end++ {
	}
	return first, end
}

func (s *StepTable) statesOf(row uint32) []State {
	first, end := s.ItemsOf(row)
	return s.states[first:end]
}

// known returns the number of items of which it is known whether the service holds them.
func (s *StepTable) known() int { return s.Count(StateSent, StatePresent, StateDiffers, StateRefused) }

func (s *StepTable) IsComplete() bool { return s.known() == s.Len() }

// severity is the rank of each state. If the items of a row have several states, the row gets the one of the highest rank.
var severity = [numStates]int{
	StatePresent: 0, StateSent: 1, StateDiffers: 2, StateAmbiguous: 3, StatePending: 4,
	StateInFlight: 5, StateRejectedBatch: 6, StateUnknown: 7, StateRefused: 8,
}

// MostSevere returns the state of the highest severity among the items of a row. ok is false if the row has no items.
func (s *StepTable) MostSevere(row uint32) (state State, ok bool) {
	states := s.statesOf(row)
	if len(states) == 0 {
		return state, false
	}
	return slices.MaxFunc(states, func(a, b State) int { return severity[a] - severity[b] }), true
}

// isAltered reports whether the service has acknowledged any item of a row, and stored it otherwise.
func (s *StepTable) isAltered(row uint32) bool {
	for item, end := s.ItemsOf(row); item < end; item++ {
		if s.states[item] == StateDiffers && s.Reason(uint32(item)).IsAcknowledged() {
			return true
		}
	}
	return false
}

func (s *StepTable) AnySucceeded() bool { return s.Count(StateSent, StatePresent, StateDiffers) > 0 }

// Succeeded reports whether a row has an item, and the first one succeeded. If it does in the first step, the later steps
// of the row may follow.
func (s *StepTable) Succeeded(row uint32) bool {
	states := s.statesOf(row)
	return len(states) > 0 && states[0].Succeeded()
}

// RollUp sets the state of each row by the states of its items in all steps. If the item of the first step did not succeed, the
// row gets its state, otherwise the most severe state of all items. A pending row that is recorded as ambiguous becomes unknown.
// RollUp reports whether a further run still has to send or reconcile an item.
func (t *Table) RollUp() (unfinished bool) {
	if len(t.steps) == 0 {
		return false
	}
	for item, row := range t.steps[0].rows {
		state := t.steps[0].states[item]
		unfinished = unfinished || state.IsUnfinished()
		if state.Succeeded() {
			for _, s := range t.steps[1:] {
				unfinished = unfinished || slices.ContainsFunc(s.statesOf(row), State.IsUnfinished)
				if most, ok := s.MostSevere(row); ok && severity[most] > severity[state] {
					state = most
				}
			}
		}
		if state == StatePending && t.states[row] == StateAmbiguous {
			state = StateUnknown
		}
		t.setState(state, []uint32{row})
	}
	return unfinished
}
