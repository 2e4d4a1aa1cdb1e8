package job

import (
	"fmt"
	"slices"
	"testing"
)

// TestRollUp checks that a row gets the state of its first step if that did not succeed,
// and otherwise the most severe state of its steps.
func TestRollUp(t *testing.T) {
	for _, c := range []struct {
		first State
		later []State
		want  State
		open  bool
	}{
		{StateSent, nil, StateSent, false},
		{StatePresent, nil, StatePresent, false},
		{StatePresent, []State{StatePresent, StateSent}, StateSent, false},
		{StateSent, []State{StatePresent, StateAmbiguous}, StateAmbiguous, false},
		{StateSent, []State{StateDiffers, StatePresent}, StateDiffers, false},
		{StateSent, []State{StatePending, StateSent}, StatePending, true},
		{StateSent, []State{StateUnknown, StateSent}, StateUnknown, true},
		{StateSent, []State{StateUnknown, StateRefused}, StateRefused, true},
		{StateSent, []State{StateAmbiguous, StateRefused}, StateRefused, false},
		{StateRefused, []State{StatePending, StatePending}, StateRefused, false},
		{StateAmbiguous, []State{StatePending}, StateAmbiguous, false},
		{StateUnknown, []State{StatePending}, StateUnknown, true},
		{StatePending, []State{StatePending}, StatePending, true},
	} {
		t.Run(fmt.Sprintf("%d then %d", c.first, c.later), func(t *testing.T) {
			table := NewTable(3)
			for step, states := range [][]State{{c.first}, c.later} {
				owners := slices.Repeat([]uint32{1}, len(states))
				noError(t, table.apply(StepItems(step, owners)))
				for item, s := range states {
					table.steps[step].setState(s, []uint32{uint32(item)})
				}
			}
			open := table.RollUp(func(int) bool { return false })
			if table.State(1) != c.want || open != c.open || table.Count(StatePending) < 2 {
				t.Errorf("got state %d, open %t; want %d, %t", table.State(1), open, c.want, c.open)
			}
		})
	}
}
