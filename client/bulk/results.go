package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
)

// maxReasons is the maximum number of reasons that the rejects file has for a row.
const maxReasons = 5

// writeFiles writes the rejects file and the results file in one more walk of the rows. They contain the rows of all runs of
// the job. If ids are missing in the results, the list is read for them before. The results file contains all rows whose
// first step succeeded, with the fields that the service set in each step, and the state of each step. Appended rows are in
// the results only, since nobody can mend them in a file: why they were refused is a note. failed is the error of the run,
// or nil: it says more than that of the list.
func (l *load) writeFiles(ctx context.Context, failed error) error {
	if len(l.tables) < len(l.steps) || failed != nil && l.isUntouched() {
		return failed // nothing was sent, so the files of an earlier run stay
	}
	var fetchErr error
	var results *rows.Writer
	if l.opts.Results != "" {
		results = rows.NewWriter(l.src, l.opts.Results, ResultColumns(l.steps)...)
		results.Always = true
		results = l.unlessEmpty(results, !l.tables[0].AnySucceeded())
	}
	if results != nil {
		for _, r := range l.runs {
			if r != nil && fetchErr == nil && (ctx.Err() == nil || l.isComplete) { // an interrupted run does not wait for ids
				fetchErr = r.fetchMissingIDs(ctx)
			}
		}
		l.isComplete = l.isComplete && fetchErr == nil
	}
	rejects, missing := l.newRejects(), 0
	var unread error // why it is not known what the service holds of a row
	err := l.write(rejects, results, func(row rows.Row) error {
		n := uint32(row.Ordinal)
		if l.rec.Table().State(n) == job.StateRefused {
			messages, status := l.rejectReasons(row)
			l.opts.OnRefused(l.src.Issue(&row, messages), status)
			if row.IsAppended() {
				l.opts.Note(fmt.Sprintf("%s: %s", l.src.Place(row.Line), messages))
			} else if err := rejects.WriteInstead(row, nil, l.completedFields(n), l.src.WithPlace(&row, safetext.Escape(messages, '\n', '\t')), statusText(status)); err != nil {
				return err
			}
		}
		if results == nil || !l.tables[0].Succeeded(n) {
			return nil
		}
		cells, hasFields := l.resultCells(ctx, row)
		if !hasFields {
			missing++
		}
		held, err := l.heldOf(ctx, row)
		unread = cmp.Or(unread, err)
		return results.WriteInstead(row, row.WithIDs(held), nil, cells...)
	})
	l.rejectsWritten = l.rejectsWritten && err == nil
	if unread != nil {
		l.opts.Note(fmt.Sprintf("%s has what the file says of rows that the service holds otherwise: %v", l.opts.Results, unread))
	}
	if missing > 0 && l.isComplete && l.writesRows() {
		if _, ok := l.runs[0].snapshot.(*ListSnapshot); ok {
			l.opts.Note(fmt.Sprintf("no ids for %s in %s: not listed by the service", phrase.Count(missing, "row", "rows"), l.opts.Results))
		}
	}
	return errors.Join(cmp.Or(failed, fetchErr), err)
}

// isUntouched reports whether nothing is known of any row.
func (l *load) isUntouched() bool {
	isTouched := func(t *job.StepTable) bool { return t.Count(job.StatePending) < t.Len() }
	return l.src.Report.Invalid == 0 && !slices.ContainsFunc(l.tables, isTouched)
}

// statusText returns an HTTP status as a cell, empty for none.
func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return strconv.Itoa(status)
}

// ResultColumns returns the columns that the results file of a load adds to those of the input.
func ResultColumns(steps []Step) []string {
	var out []string
	for _, step := range steps {
		for _, name := range step.Results {
			if name = cmp.Or(step.RenameResults[name], name); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	for _, step := range steps {
		if step.Label != "" {
			out = append(out, step.stateColumn())
		}
	}
	return out
}

// stateColumn returns the column of the results file for the state of the step.
func (s *Step) stateColumn() string { return s.Label + "_state" }

// heldOf returns, by their fields, the texts that the service holds in place of those of a row: of one that existed before, or
// of fields that the call can't change. The guard of the first step tells it, or else the response to the row, or the last
// list that was read. A row of an earlier run that no list shows is read again.
func (l *load) heldOf(ctx context.Context, row rows.Row) (map[string]string, error) {
	if guard := l.steps[0].Guard; guard != nil {
		return guard(row.Ordinal).Held, nil
	} else if !l.writesRows() {
		return nil, nil
	}
	r, n := l.runs[0], uint32(row.Ordinal)
	state := l.rec.Table().State(n)
	if held := r.sender.held[n]; held != nil {
		return held, nil
	}
	snapshot := r.snapshot
	if r.op.perRow() && state == job.StateDiffers {
		snapshot, _ = takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{}) // which makes no call yet
	}
	list, ok := snapshot.(*ListSnapshot)
	if snapshot == nil || r.op.perRow() && state != job.StateDiffers || ok && (list.held == nil || state != job.StatePresent && state != job.StateDiffers) {
		return nil, nil
	}
	row.Values = slices.Clone(row.Values)
	out, err := snapshot.Find(ctx, &row)
	return out.Held, err
}

// completedFields returns the fields of a row that must not be sent again.
func (l *load) completedFields(row uint32) (fields []string) {
	for i, t := range l.tables {
		if state, ok := t.MostSevere(row); ok && state.Succeeded() {
			fields = append(fields, l.steps[i].NonIdempotent...)
		}
	}
	return fields
}

// rejectReasons returns the reasons why items of a row were refused, and the HTTP status of the first of them.
func (l *load) rejectReasons(row rows.Row) (messages string, status int) {
	var parts []string
	more := 0
	for i, t := range l.tables {
		first, end := t.ItemsOf(uint32(row.Ordinal))
		for item := first; item < end; item++ {
			if t.State(uint32(item)) != job.StateRefused {
				continue
			}
			reason := t.Reason(uint32(item))
			status = cmp.Or(status, reason.HTTPStatus)
			if len(parts) >= maxReasons {
				more++
				continue
			}
			parts = append(parts, join(l.steps[i].labelOf(row, item-first), reason.Message))
		}
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; "), status
}

// resultCells returns the cells that the results file adds to a row, and whether the service has set any of the fields. A
// field that it has not set is as the row says, unless the row is written by items.
func (l *load) resultCells(ctx context.Context, row rows.Row) (out []string, hasFields bool) {
	cells := map[string]string{}
	for i, t := range l.tables {
		step := &l.steps[i]
		first, end := t.ItemsOf(uint32(row.Ordinal))
		if state, ok := t.MostSevere(uint32(row.Ordinal)); ok && step.Label != "" {
			cells[step.stateColumn()] = state.String()
			if state == job.StatePresent && step.PresentWord != "" {
				cells[step.stateColumn()] = step.PresentWord
			}
		}
		texts := make([][]string, len(step.Results))
		for item := first; item < end; item++ {
			fields := l.fieldsOf(ctx, i, row, item)
			hasFields = hasFields || fields.Len() > 0
			for k, name := range step.Results {
				v := fields.Get(name)
				if v == nil && l.writesRows() {
					v = row.Values.Get(name)
				}
				texts[k] = append(texts[k], v.Text())
			}
		}
		for k, name := range step.Results {
			// An item without a value has an empty text in the list, so that the number of
			// semicolons before a value shows its item.
			if column, text := cmp.Or(step.RenameResults[name], name), strings.Join(texts[k], ";"); cells[column] == "" && strings.Trim(text, ";") != "" {
				cells[column] = text
			}
		}
	}
	for _, column := range ResultColumns(l.steps) {
		out = append(out, cells[column])
	}
	return out, hasFields
}

// fieldsOf returns the fields of an item that the service set in a step. If they are not known of a row and the snapshot is
// a SnapshotFunc, it reads the row from the service.
func (l *load) fieldsOf(ctx context.Context, step int, row rows.Row, item int) record.Record {
	if l.results[step] != nil {
		return l.results[step][row.Ordinal].Fields
	}
	r := l.runs[step]
	if r == nil { // this run did not reach the step
		r = &run{rec: l.recorders[step]}
	}
	if find, ok := r.snapshot.(SnapshotFunc); ok && l.writesRows() && r.op.Results != nil && r.rec.Table().Fields(uint32(item)) == "" {
		copied := row
		if out, err := find(ctx, &copied); err == nil && (out.State == Present || out.State == Differs) {
			return out.Result
		}
	}
	return r.knownFields(uint32(item))
}

// newRejects returns the writer of the rejects file. It is nil if no row was refused or
// invalid, or if the file would replace an input that is needed to resume the job.
func (l *load) newRejects() *rows.Writer {
	none := l.rec.Table().Count(job.StateRefused)+l.src.Report.Invalid == 0
	isInput := l.src.File.SameAs(l.opts.Rejects)
	if l.opts.Rejects == "" || isInput && !l.isComplete || none && !l.opts.RejectsAlways {
		return nil
	}
	w := rows.NewWriter(l.src, l.opts.Rejects, "error", "http_status")
	w.Always = l.opts.RejectsAlways && !isInput
	return l.unlessEmpty(w, none)
}

// unlessEmpty returns the writer of a file, nil if there is none of its rows. Then the file
// gets its header alone, without a walk of the rows.
func (l *load) unlessEmpty(w *rows.Writer, none bool) *rows.Writer {
	if none {
		l.empty = append(l.empty, w)
		return nil
	}
	return w
}

// write calls writeRow for each valid row, writes the invalid rows to the rejects file, and puts both files in place. After
// that, it finishes the job if all rows have their final state.
func (l *load) write(rejects, results *rows.Writer, writeRow func(row rows.Row) error) error {
	for _, w := range l.empty {
		if err := w.Commit(); err != nil {
			return err
		}
	}
	if rejects == nil && results == nil && l.rec.Table().Count(job.StateRefused) == 0 {
		l.finish()
		return nil
	}
	defer rejects.Abort()
	defer results.Abort()
	for row, err := range l.src.All() {
		if decode.InvalidRow(err) {
			if state := l.rec.Table().State(uint32(row.Ordinal)); state != job.StatePending && state != job.StateRefused {
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
	l.rejectsWritten = l.wrote(job.RejectsFile, rejects)
	err := results.Commit()
	if rejects != nil && l.src.File.SameAs(rejects.Path()) { // Commit replaces the input, so the job must be finished first
		if err != nil {
			return err
		}
		l.finish()
		return errors.Join(l.src.Close(), rejects.Commit()) // Windows replaces no file that is open
	}
	if err = errors.Join(err, rejects.Commit()); err == nil {
		l.finish()
	}
	return err
}

// wrote records that a run writes a file of rows, and reports whether it has any.
func (l *load) wrote(file string, w *rows.Writer) bool {
	if w.Rows() == 0 {
		return false
	}
	path, _ := filepath.Abs(w.Path()) // an error if the folder of the process was removed
	l.rec.Record(job.Wrote(file, path))
	return true
}

// finish records that the job is finished, if all rows have their final state.
func (l *load) finish() {
	if l.isComplete {
		l.rec.Record(job.Finished())
	}
}

// knownFields returns the fields of a row that the service set in a response, and the ids that only the list shows.
func (r *run) knownFields(row uint32) record.Record {
	fields := mustParse(r.rec.Table().Fields(row))
	list, ok := r.snapshot.(*ListSnapshot)
	if !ok || !r.lacksIDs(row) || list.count(int(row)) <= r.heldBefore(row) {
		return fields
	}
	known := list.idsOf(int(row))
	for name, v := range fields.Fields() {
		if known.Get(name) == nil {
			known = known.Prepend(record.Pair{Name: name, Value: v})
		}
	}
	return known
}

// lacksIDs reports whether the fields of a row that the service set are not known, or of a row of a file, lack an id.
func (r *run) lacksIDs(row uint32) bool {
	fields := r.rec.Table().Fields(row)
	list, ok := r.snapshot.(*ListSnapshot)
	return fields == "" || ok && r.step == "" && slices.ContainsFunc(list.Names, func(name string) bool { return !strings.Contains(fields, `"`+name+`":`) })
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
			if err := r.opts.sleep(ctx, ReconcileDelay); err != nil {
				return err
			}
		}
		snapshot, err := takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{Reconciling: true})
		if err != nil {
			return err
		}
		r.snapshot = snapshot
		if _, ok := snapshot.(*ListSnapshot); !ok {
			break // fieldsOf reads a snapshot of another type row by row
		}
	}
	return r.recordDiffering(ctx)
}

// recordDiffering records which of the rows that were acknowledged a list shows with other content, if that can be changed. What was
// converged is not compared, since a list that is late shows it as it was before, nor are rows of which it shows no new record.
func (r *run) recordDiffering(ctx context.Context) error {
	list, ok := r.snapshot.(*ListSnapshot)
	if !ok || r.op.Converge == nil || r.converges() {
		return nil
	}
	t := r.rec.Table()
	isSent := func(row int) bool {
		n := uint32(row)
		return t.State(n) == job.StateSent && t.Baseline(n) != unknownBaseline && list.count(row) > r.heldBefore(n)
	}
	err := list.compare(ctx, r.src, isSent)
	var differing []uint32
	for _, row := range slices.Sorted(maps.Keys(list.differing)) {
		if isSent(row) {
			differing = append(differing, uint32(row))
		}
	}
	if differing != nil {
		list.noteDiffering(differing, r.opts.Note)
		r.rec.Record(job.RowResult(job.Result{State: job.StateDiffers}, differing...))
	}
	return err
}

// allKnown reports whether the fields that the service set are known for all loaded rows.
func (r *run) allKnown() bool {
	list, _ := r.snapshot.(*ListSnapshot)
	t := r.rec.Table()
	for n := range t.Len() {
		row := uint32(n)
		if s := t.State(row); !s.Succeeded() || !r.lacksIDs(row) || r.src.IsInvalid(n) {
			continue
		}
		if list == nil || list.count(n) <= r.heldBefore(row) {
			return false
		}
	}
	return true
}

// reportUnknown notes the lines of the first rows with an unknown outcome, and writes all
// of them to the file of Options.Unknown, since the user has to check them.
func (l *load) reportUnknown() error {
	if !slices.ContainsFunc(l.tables, func(t *job.StepTable) bool { return t.Count(job.StateUnknown, job.StateAmbiguous) > 0 }) {
		return nil
	}
	var file *rows.Writer
	if l.opts.Unknown != "" {
		file = rows.NewWriter(l.src, l.opts.Unknown, "error", "http_status")
		defer file.Abort()
	}
	n := 0
	for row, err := range l.src.Valid() {
		if err != nil {
			return err
		}
		why := l.unknownReason(row)
		if why == "" {
			continue
		}
		if n++; n <= maxUnknownLines {
			l.opts.Note(fmt.Sprintf("%s: unknown: %s", l.src.Place(row.Line), why))
		}
		if row.IsAppended() {
			continue
		}
		if err := file.Write(*row, l.src.WithPlace(row, safetext.Escape(why, '\n', '\t')), ""); err != nil {
			return err
		}
	}
	if n > maxUnknownLines {
		l.opts.Note(fmt.Sprintf("%d more with an unknown outcome", n-maxUnknownLines))
	}
	err := file.Commit()
	l.unknownWritten = err == nil && l.wrote(job.UnknownFile, file)
	return err
}

// reportUnverified notes the first rows that the last reading of the service shows several times or not
// at all, and counts all of them. problem returns what is wrong with a row, "" if nothing is.
func (l *load) reportUnverified(problem func(row *rows.Row) (reason string, isDoubled bool)) error {
	l.verification = &job.Verification{}
	for row, err := range l.src.Valid() {
		if err != nil {
			return err
		}
		reason, isDoubled := problem(row)
		switch {
		case reason == "":
			continue
		case isDoubled:
			l.verification.Doubled++
		default:
			l.verification.Missing++
			if !row.IsAppended() {
				l.missingIn[l.rec.Table().State(uint32(row.Ordinal))]++
			}
		}
		issue := l.src.Issue(row, reason)
		if l.opts.OnUnverified(issue, isDoubled); l.verification.Doubled+l.verification.Missing <= maxUnknownLines {
			l.opts.Note(issue.String())
		}
	}
	if more := l.verification.Doubled + l.verification.Missing - maxUnknownLines; more > 0 {
		l.opts.Note(fmt.Sprintf("%d more that the service holds more than once or does not list", more))
	}
	return nil
}

// unknownReason returns which items of a row have an unknown outcome, and why, "" if none has.
func (l *load) unknownReason(row *rows.Row) string {
	var items []string
	for i, t := range l.tables {
		first, end := t.ItemsOf(uint32(row.Ordinal))
		for item := first; item < end; item++ {
			if state := t.State(uint32(item)); state == job.StateUnknown || state == job.StateAmbiguous {
				items = append(items, join(l.steps[i].labelOf(*row, item-first), cmp.Or(t.Reason(uint32(item)).Message, "no response")))
			}
		}
	}
	return safetext.Cut(strings.Join(items, "; "), safetext.MaxMessage)
}
