package job

import "testing"

// TestFound checks that a row which only another job has sent is present, not sent, once
// the service turns out to hold it.
func TestFound(t *testing.T) {
	table := NewTable(2)
	table.inherited.add(2, 1)
	for row, want := range []State{StateSent, StatePresent} {
		if got := table.Found(uint32(row)); got != want {
			t.Errorf("row %d: got %v, want %v", row, got, want)
		}
	}
}
