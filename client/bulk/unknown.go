package bulk

import (
	"cmp"
	"fmt"
	"slices"

	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/safetext"
)

// maxUnknownLines is the maximum number of rows with an unknown outcome that are noted.
const maxUnknownLines = 20

// reportUnknown notes the lines of the first rows with an unknown outcome, and writes all
// of them to the file of Options.Unknown, since the user has to check them. reason returns
// the reason why the outcome of a row is unknown, "" if it is known.
func (r *run) reportUnknown(reason func(row uint32) string) error {
	if r.rec.Table().Count(job.StateUnknown, job.StateAmbiguous) == 0 {
		return nil
	}
	var file *rows.Writer
	if r.opts.Unknown != "" {
		file = rows.NewWriter(r.src, r.opts.Unknown, "error", "http_status")
		defer file.Abort()
	}
	n := 0
	for row, err := range r.src.Valid() {
		if err != nil {
			return err
		}
		why := reason(uint32(row.Ordinal))
		if why == "" {
			continue
		}
		if n++; n <= maxUnknownLines {
			r.opts.Note(fmt.Sprintf("line %d: unknown: %s", row.Line, why))
		}
		if err := file.Write(*row, safetext.Escape(why, '\n', '\t'), ""); err != nil {
			return err
		}
	}
	if n > maxUnknownLines {
		r.opts.Note(fmt.Sprintf("%d more with an unknown outcome", n-maxUnknownLines))
	}
	r.files.unknownWritten = file.Rows() > 0
	return file.Commit()
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
