package bulk

import (
	"cmp"
	"fmt"
	"slices"
)

// maxUnknown is how many lines that are unknown are told.
const maxUnknown = 20

// tellUnknown notes of which rows nobody knows whether they are in: a person
// who is to look needs their lines, and no file has them. of tells why a row is
// unknown, "" where it is not.
func (r *run) tellUnknown(of func(row uint32) string) error {
	if r.ledger.counts[doubt]+r.ledger.counts[vague] == 0 {
		return nil
	}
	n := 0
	err := each(r.src, func(row Row) error {
		if why := of(uint32(row.ordinal)); why != "" {
			if n++; n <= maxUnknown {
				r.o.Note(fmt.Sprintf("line %d: unknown: %s", row.Line, why))
			}
		}
		return nil
	})
	if n > maxUnknown {
		r.o.Note(fmt.Sprintf("%d more lines are unknown", n-maxUnknown))
	}
	return err
}

func (r *run) unknown(row uint32) string { return r.ledger.unknown(row, doubt, vague) }

// unknown is about the first step that is. What a step kept back it has told.
func (s *stepping) unknown(row uint32) string {
	for i, t := range s.ledger.tracks {
		states := []rowState{doubt, vague}
		if s.steps[i].Admit != nil {
			states = states[:1]
		}
		first, end := t.of(row)
		for unit := first; unit < end; unit++ {
			if why := t.unknown(uint32(unit), states...); why != "" {
				return s.steps[i].Word + ": " + why
			}
		}
	}
	return ""
}

func (l *ledger) unknown(row uint32, states ...rowState) string {
	if !slices.Contains(states, l.state[row]) {
		return ""
	}
	return cmp.Or(l.reasonOf(row).words, "no answer came")
}
