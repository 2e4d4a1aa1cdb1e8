package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
)

// outputFiles writes the rejects file and the results file in one more walk of the rows.
// They contain the rows of all runs of the job.
type outputFiles struct {
	src            *rows.Source
	opts           *Options
	rec            *job.Recorder
	isComplete     bool // all rows have their final state
	rejectsWritten bool
	unknownWritten bool
	empty          []*rows.Writer // of files that get their header alone
}

// newRejects returns the writer of the rejects file. It is nil if no row was refused or
// invalid, or if the file would replace an input that is needed to resume the job.
func (f *outputFiles) newRejects() *rows.Writer {
	none := f.rec.Table().Count(job.StateRefused)+f.src.Report.Invalid == 0
	isInput := f.src.SameAs(f.opts.Rejects)
	if f.opts.Rejects == "" || isInput && !f.isComplete || none && !f.opts.RejectsAlways {
		return nil
	}
	w := rows.NewWriter(f.src, f.opts.Rejects, "error", "http_status")
	w.Always = f.opts.RejectsAlways && !isInput
	return f.unlessEmpty(w, none)
}

// newResults returns the writer of the results file with further columns, nil if the user
// named none or no row was loaded.
func (f *outputFiles) newResults(none bool, columns []string) *rows.Writer {
	if f.opts.Results == "" {
		return nil
	}
	w := rows.NewWriter(f.src, f.opts.Results, columns...)
	w.Always = true
	return f.unlessEmpty(w, none)
}

// unlessEmpty returns the writer of a file, nil if there is none of its rows. Then the file
// gets its header alone, without a walk of the rows.
func (f *outputFiles) unlessEmpty(w *rows.Writer, none bool) *rows.Writer {
	if none {
		f.empty = append(f.empty, w)
		return nil
	}
	return w
}

// write calls writeRow for each valid row, writes the invalid rows to the rejects file,
// and puts both files in place. After that, it finishes the job if all rows have their
// final state.
func (f *outputFiles) write(rejects, results *rows.Writer, writeRow func(row rows.Row) error) error {
	for _, w := range f.empty {
		if err := w.Commit(); err != nil {
			return err
		}
	}
	if rejects == nil && results == nil && f.rec.Table().Count(job.StateRefused) == 0 {
		f.finish()
		return nil
	}
	defer rejects.Abort()
	defer results.Abort()
	for row, err := range f.src.All() {
		if decode.InvalidRow(err) {
			if state := f.rec.Table().State(uint32(row.Ordinal)); state != job.StatePending && state != job.StateRefused {
				continue // an earlier run, which made fewer checks, has sent the row
			}
			err = rejects.Write(*row, decode.AsError(err).Cell(), "")
		} else if err == nil {
			err = writeRow(*row)
		}
		if err != nil {
			return err
		}
	}
	f.rejectsWritten = rejects.Rows() > 0
	err := results.Commit()
	if rejects != nil && f.src.SameAs(rejects.Path()) { // Commit replaces the input, so the job must be finished first
		if err != nil {
			return err
		}
		f.finish()
		return errors.Join(f.src.Close(), rejects.Commit()) // Windows replaces no file that is open
	}
	if err = errors.Join(err, rejects.Commit()); err == nil {
		f.finish()
	}
	return err
}

// finish records that the job is finished, if all rows have their final state.
func (f *outputFiles) finish() {
	if f.isComplete {
		f.rec.Record(job.Finished())
	}
}

// writeFiles writes the rejects file and the results file. If ids are missing in the
// results, it reads the list for them before. failed is the error of the run, or nil: it says
// more than that of the list.
func (r *run) writeFiles(ctx context.Context, failed error) error {
	var fetchErr error
	results := r.files.newResults(r.rec.Table().Count(job.StateSent, job.StatePresent, job.StateDiffers) == 0, r.op.Results)
	if results != nil {
		if ctx.Err() == nil || r.files.isComplete { // an interrupted run does not wait for ids
			fetchErr = r.fetchMissingIDs(ctx)
		}
		r.files.isComplete = r.files.isComplete && fetchErr == nil
	}
	rejects, missing := r.files.newRejects(), 0
	err := r.files.write(rejects, results, func(row rows.Row) error {
		n := uint32(row.Ordinal)
		switch r.rec.Table().State(n) {
		case job.StateRefused:
			reason := r.rec.Table().Reason(n)
			r.opts.OnRefused(r.src.Issue(&row, reason.Message), reason.HTTPStatus)
			return rejects.Write(row, r.src.WithPlace(&row, safetext.Escape(reason.Message, '\n', '\t')), statusText(reason.HTTPStatus))
		case job.StateSent, job.StatePresent, job.StateDiffers:
			if results == nil {
				return nil
			}
			fields := r.resultsOf(ctx, row)
			if _, ok := r.snapshot.(*ListSnapshot); ok && fields.Len() == 0 {
				missing++
			}
			return results.WriteInstead(row, r.heldOf(ctx, row.Ordinal, func() rows.Row { return row }), r.op.resultCells(row, fields)...)
		}
		return nil
	})
	if missing > 0 && r.files.isComplete {
		r.opts.Note(fmt.Sprintf("no ids for %s in %s: not listed by the service", phrase.Count(missing, "row", "rows"), r.opts.Results))
	}
	return errors.Join(cmp.Or(failed, fetchErr), err)
}

// heldOf returns, by their fields, the texts that the service holds in place of those of a row: of one that existed before, or
// of fields that the call can't change. get returns the row.
func (r *run) heldOf(ctx context.Context, ordinal int, get func() rows.Row) map[string]string {
	state := r.rec.Table().State(uint32(ordinal))
	if r.op.perRow() && state == job.StateDiffers {
		r.snapshot, _ = takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{}) // which makes no call yet
	}
	list, ok := r.snapshot.(*ListSnapshot)
	if r.snapshot == nil || r.op.perRow() && state != job.StateDiffers || ok && (list.held == nil || state != job.StatePresent && state != job.StateDiffers) {
		return nil
	}
	row := get()
	row.Values = slices.Clone(row.Values)
	out, _ := r.snapshot.Find(ctx, &row) // with an error, what the service holds is not known
	return out.Held
}

// statusText returns an HTTP status as a cell, empty for none.
func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return strconv.Itoa(status)
}

// resultCells returns the cells that the results file adds to a row.
func (op *Operation) resultCells(row rows.Row, fields record.Record) []string {
	cells := make([]string, len(op.Results))
	for i, name := range op.Results {
		if v := fields.Get(name); v != nil {
			cells[i] = v.Text()
		} else {
			cells[i] = row.Values.Get(name).Text()
		}
	}
	return cells
}

// resultsOf returns the fields of a row that the service set. If they are not known and
// the snapshot is a SnapshotFunc, it reads the row from the service.
func (r *run) resultsOf(ctx context.Context, row rows.Row) record.Record {
	n := uint32(row.Ordinal)
	if find, ok := r.snapshot.(SnapshotFunc); ok && r.op.Results != nil && r.rec.Table().Fields(n) == "" {
		copied := row
		if out, err := find(ctx, &copied); err == nil && (out.State == Present || out.State == Differs) {
			return out.Result
		}
	}
	return r.knownFields(n)
}

// knownFields returns the fields of a row that the service set in a response, or that
// the list shows.
func (r *run) knownFields(row uint32) record.Record {
	if text := r.rec.Table().Fields(row); text != "" {
		return mustParse(text)
	}
	if list, ok := r.snapshot.(*ListSnapshot); ok {
		return list.idsOf(int(row))
	}
	return record.Of()
}

// maxIDSnapshots is the maximum number of times that fetchMissingIDs reads the list. The
// list may show new records only after some time.
const maxIDSnapshots = 3

// fetchMissingIDs reads the list for ids that the responses did not contain. If the list
// does not show all of them, the results file is written without them.
func (r *run) fetchMissingIDs(ctx context.Context) error {
	if r.op.Snapshot == nil || r.op.perRow() || len(r.op.Results) == 0 {
		return nil
	}
	for n := 0; n < maxIDSnapshots && !r.allKnown() && r.sender.err() == nil; n++ {
		if n > 0 {
			if err := r.opts.Sleep(ctx, ReconcileDelay); err != nil {
				return err
			}
		}
		snapshot, err := takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{Reconciling: true})
		if err != nil {
			return err
		}
		r.snapshot = snapshot
		if _, ok := snapshot.(*ListSnapshot); !ok {
			break // resultsOf reads a snapshot of another type row by row
		}
	}
	return nil
}

// allKnown reports whether the fields that the service set are known for all loaded
// rows.
func (r *run) allKnown() bool {
	list, _ := r.snapshot.(*ListSnapshot)
	t := r.rec.Table()
	for n := range t.Len() {
		row := uint32(n)
		if s := t.State(row); !s.Succeeded() || t.Fields(row) != "" || r.src.IsInvalid(n) {
			continue
		}
		if list == nil || list.at(n).Count == 0 {
			return false
		}
	}
	return true
}

// maxUnknownLines is the maximum number of rows with an unknown outcome that are noted.
const maxUnknownLines = 20

// reportUnknown notes the lines of the first rows with an unknown outcome, and writes all
// of them to the file of Options.Unknown, since the user has to check them. reason returns
// the reason why the outcome of a row is unknown, "" if it is known.
func (r *run) reportUnknown(reason func(row *rows.Row) string) error {
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
		why := reason(row)
		if why == "" {
			continue
		}
		if n++; n <= maxUnknownLines {
			r.opts.Note(fmt.Sprintf("%s: unknown: %s", r.src.Place(row.Line), why))
		}
		if row.IsAppended() {
			continue
		}
		if err := file.Write(*row, r.src.WithPlace(row, safetext.Escape(why, '\n', '\t')), ""); err != nil {
			return err
		}
	}
	if n > maxUnknownLines {
		r.opts.Note(fmt.Sprintf("%d more with an unknown outcome", n-maxUnknownLines))
	}
	r.files.unknownWritten = file.Rows() > 0
	return file.Commit()
}

// reportUnverified notes the first rows that the last reading of the service shows several times or not
// at all, and counts all of them. problem returns what is wrong with a row, "" if nothing is.
func (r *run) reportUnverified(problem func(row *rows.Row) (reason string, isDoubled bool)) error {
	r.verification = &job.Verification{}
	for row, err := range r.src.Valid() {
		if err != nil {
			return err
		}
		reason, isDoubled := problem(row)
		switch {
		case reason == "":
			continue
		case isDoubled:
			r.verification.Doubled++
		default:
			r.verification.Missing++
		}
		issue := r.src.Issue(row, reason)
		if r.opts.OnUnverified(issue, isDoubled); r.verification.Doubled+r.verification.Missing <= maxUnknownLines {
			r.opts.Note(issue.String())
		}
	}
	if more := r.verification.Doubled + r.verification.Missing - maxUnknownLines; more > 0 {
		r.opts.Note(fmt.Sprintf("%d more that the service holds more than once or does not list", more))
	}
	return nil
}

// unknownReason returns the reason why the outcome of a row is unknown, "" if it is known.
func (r *run) unknownReason(row *rows.Row) string {
	return unknownReason(r.rec.Table(), uint32(row.Ordinal), job.StateUnknown, job.StateAmbiguous)
}

// unknownReason returns the reason why a row is in one of the states, "" if it is in
// another state.
func unknownReason(t *job.Table, row uint32, states ...job.State) string {
	if !slices.Contains(states, t.State(row)) {
		return ""
	}
	return cmp.Or(t.Reason(row).Message, "no response")
}
