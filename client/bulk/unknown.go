package bulk

import (
	"cmp"
	"fmt"
	"slices"

	"reseller/client/bulk/job"
)

// maxUnknownLines is the maximum number of rows with an unknown outcome that are noted.
const maxUnknownLines = 20

// reportUnknown notes the lines of rows with an unknown outcome, since the user has to
// check them and no file contains them. reason returns the reason why the outcome of a
// row is unknown, "" if it is known.
func (r *run) reportUnknown(reason func(row uint32) string) error {
	if r.rec.Table().Count(job.StateUnknown, job.StateAmbiguous) == 0 {
		return nil
	}
	n := 0
	for row, err := range r.src.Valid() {
		if err != nil {
			return err
		}
		if why := reason(uint32(row.Ordinal)); why != "" {
			if n++; n <= maxUnknownLines {
				r.opts.Note(fmt.Sprintf("line %d: unknown: %s", row.Line, why))
			}
		}
	}
	if n > maxUnknownLines {
		r.opts.Note(fmt.Sprintf("%d more with an unknown outcome", n-maxUnknownLines))
	}
	return nil
}

// unknownReason returns the reason why the outcome of a row is unknown, "" if it is known.
func (r *run) unknownReason(row uint32) string {
	return unknownReason(r.rec.Table(), row, job.StateUnknown, job.StateAmbiguous)
}

// unknownReason returns the reason why a row is in one of the states, "" if it is in
// another state.
func unknownReason(t *job.Table, row uint32, states ...job.State) string {
	if !slices.Contains(states, t.State(row)) {
		return ""
	}
	return cmp.Or(t.Reason(row).Message, "no response")
}
