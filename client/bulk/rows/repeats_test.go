package rows

import (
	"testing"

	"reseller/client/bulk/dedupe"
)

// TestKeptRepeats checks that the memory of a validation does not grow with the number of rows that repeat others.
func TestKeptRepeats(t *testing.T) {
	v := &validation{Source: &Source{}}
	for row := 1000; row > 0; row-- {
		v.onMatch(dedupe.Match{Repeat: row, RepeatLine: row + 1, FirstLine: 1, Equal: true})
	}
	if len(v.repeats) > maxNotes || v.repeats[0].row != 1 {
		t.Errorf("kept %d repeats, want the first %d", len(v.repeats), maxNotes)
	}
}
