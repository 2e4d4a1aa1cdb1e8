package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
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

const maxReasons = 5

// files are the files of rows that a run writes, each of them nil if it is not written.
type files struct{ rejects, results, unknown *rows.Writer }

// writeFiles writes the files of rows in one more walk of the rows. They contain the rows of all runs of the job. If ids are
// missing in the results, the list is read for them before. The results file contains all rows whose first step succeeded, with
// the fields that the service set in each step, and the state of each step. Appended rows are in the results only, since nobody
// can mend them in a file: why they were refused is a note. failed is the error of the run, or nil: it says more than that of
// the list.
func (l *load) writeFiles(ctx context.Context, failed error) error {
	isTouched := func(r *run) bool { return r.table.Count(job.StatePending) < r.table.Len() }
	if len(l.runs) < len(l.steps) || failed != nil && l.src.Report.Invalid == 0 && !slices.ContainsFunc(l.runs, isTouched) {
		return failed // nothing was sent, so the files of an earlier run stay
	}
	var fetchErr error
	var to files
	columns := ResultColumns(l.steps)
	if l.opts.Unknown != "" {
		to.unknown = rows.NewWriter(l.src, l.opts.Unknown, "error", "http_status")
	}
	if l.opts.Results != "" {
		to.results = rows.NewWriter(l.src, l.opts.Results, columns...)
		to.results.Always = true
		for _, r := range l.runs {
			if r.reached && fetchErr == nil && (ctx.Err() == nil || l.isComplete) { // an interrupted run does not wait for ids
				fetchErr = r.fetchMissingIDs(ctx)
			}
		}
		l.isComplete = l.isComplete && fetchErr == nil
	}
	to.rejects = l.newRejects()
	missing := 0
	var unread error                                                                                          // why it is not known what the service holds of a row
	isUnknown := []job.State{job.StateUnknown, job.StateAmbiguous, job.StateInFlight, job.StateRejectedBatch} // the last two if the run was stopped
	unknown := lines{note: l.opts.Note}
	hasUnknown := len(l.blocked) > 0 || slices.ContainsFunc(l.runs, func(r *run) bool { return r.table.Count(isUnknown...) > 0 })
	err := l.write(to, hasUnknown, func(row rows.Row) error {
		n := uint32(row.Ordinal)
		if l.rec.Table().State(n) == job.StateRefused {
			messages, status := l.reasons(&row, maxReasons, "", job.StateRefused)
			code := ""
			if status != 0 {
				code = strconv.Itoa(status)
			}
			l.opts.OnRow(Refused, l.src.Issue(&row, messages), status)
			if row.IsAppended() {
				l.opts.Note(fmt.Sprintf("%s: %s", l.src.Place(row.Line), messages))
			} else if err := to.rejects.WriteInstead(row, nil, l.completedFields(n), l.src.WithPlace(&row, safetext.Escape(messages, '\n', '\t')), code); err != nil {
				return err
			}
		}
		why, status := "", 0
		if hasUnknown {
			why, status = l.reasons(&row, math.MaxInt, "no response", isUnknown...)
			why = safetext.Cut(phrase.Sentences(l.blocked[row.Ordinal], why), safetext.MaxMessage)
		}
		if why != "" {
			unknown.add(fmt.Sprintf("%s: unknown: %s", l.src.Place(row.Line), why))
			if l.rec.Table().State(n) != job.StateRefused { // as a row is counted once
				l.opts.OnRow(Unknown, l.src.Issue(&row, why), status)
			}
		}
		if why != "" && !row.IsAppended() {
			if err := to.unknown.Write(row, l.src.WithPlace(&row, safetext.Escape(why, '\n', '\t')), ""); err != nil {
				return err
			}
		}
		if to.results == nil || !l.runs[0].table.Succeeded(n) {
			return nil
		}
		cells, hasFields := l.resultCells(ctx, columns, row)
		if !hasFields {
			missing++
		}
		held, err := l.heldOf(ctx, row)
		unread = cmp.Or(unread, err)
		return to.results.WriteInstead(row, row.AsSent(held), nil, cells...)
	})
	unknown.end("more with an unknown outcome", "more with an unknown outcome")
	l.rejectsWritten, l.unknownWritten = l.rejectsWritten && err == nil, l.unknownWritten && err == nil
	if unread != nil {
		l.opts.Note(fmt.Sprintf("%s has what the file says of rows that the service holds otherwise: %v", l.opts.Results, unread))
	}
	if missing > 0 && l.isComplete && l.writesRows() && l.runs[0].list() != nil {
		l.opts.Note(fmt.Sprintf("no ids for %s in %s: not listed by the service", phrase.Count(missing, "row", "rows"), l.opts.Results))
	}
	if failed = cmp.Or(failed, fetchErr); errors.Is(failed, decode.ErrChanged) {
		return failed // err says the same
	}
	return errors.Join(failed, err)
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

func (s *Step) stateColumn() string { return s.Label + "_state" }

// heldOf returns the texts that the service holds in place of those of a row: of one that existed before, of fields that the row
// leaves out, or that the call can't change. Step.Held tells it, and the responses to the items of the row, or else the response
// to the row, or the call that has read the row, or the last list that was read.
func (l *load) heldOf(ctx context.Context, row rows.Row) (rows.Texts, error) {
	if !l.writesRows() {
		var held rows.Texts
		if of := l.steps[0].Held; of != nil {
			held = of(row, func(step string, item int) job.State { return l.stateOf(row.Ordinal, step, item) })
		}
		for r, item := range l.items(&row) {
			held = r.sender.held[item].Or(held)
		}
		return held, nil
	}
	r, n := l.runs[0], uint32(row.Ordinal)
	if held := r.sender.held[n]; held != nil || r.op.perRow() {
		return held, nil
	}
	list, state := r.list(), l.rec.Table().State(n)
	switch {
	case r.snapshot == nil:
		return nil, nil
	case list != nil && state == job.StateDiffers && list.Compare != nil && list.count(row.Ordinal) == 0: // another job has just created it
		out, err := list.Compare(&row, record.Of())
		return out.Held, err
	case list != nil && (list.held.IsEmpty() || state != job.StatePresent && state != job.StateDiffers):
		return nil, nil
	}
	row.Values = slices.Clone(row.Values)
	out, err := r.snapshot.Find(ctx, &row)
	return out.Held, err
}

func (l *load) stateOf(row int, step string, item int) job.State {
	for _, r := range l.runs {
		if first, end := r.table.ItemsOf(uint32(row)); r.step.Label == step && first+item < end {
			return r.table.State(uint32(first + item))
		}
	}
	return job.StatePresent
}

// completedFields returns the fields of a row that must not be sent again.
func (l *load) completedFields(row uint32) (fields []string) {
	for _, r := range l.runs {
		if state, ok := r.table.MostSevere(row); ok && state.Succeeded() {
			fields = append(fields, r.step.NonIdempotent...)
		}
	}
	return fields
}

// reasons returns why items of a row are in one of the states, for at most limit of them, otherwise for those without a message,
// and the HTTP status of the first of them.
func (l *load) reasons(row *rows.Row, limit int, otherwise string, states ...job.State) (messages string, status int) {
	var parts []string
	more := 0
	for r, item := range l.items(row) {
		if !slices.Contains(states, r.table.State(item)) {
			continue
		}
		reason := r.table.Reason(item)
		status = cmp.Or(status, reason.HTTPStatus)
		if len(parts) >= limit {
			more++
			continue
		}
		parts = append(parts, join(r.labelOf(row, item), cmp.Or(reason.Message, otherwise)))
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; "), status
}

// resultCells returns the cells that the results file adds to a row, and whether the service has set any of the fields. A
// field that it has not set is as the row says, unless the row is written by items.
func (l *load) resultCells(ctx context.Context, columns []string, row rows.Row) (out []string, hasFields bool) {
	cells := map[string]string{}
	for _, r := range l.runs {
		s := &r.step
		first, end := r.table.ItemsOf(uint32(row.Ordinal))
		if state, ok := r.table.MostSevere(uint32(row.Ordinal)); ok && s.Label != "" {
			cells[s.stateColumn()] = state.String()
			if state == job.StatePresent && s.PresentWord != "" {
				cells[s.stateColumn()] = s.PresentWord
			}
		}
		texts := make([][]string, len(s.Results))
		for item := first; item < end; item++ {
			fields := r.fieldsOf(ctx, row, item)
			if fields.Len() == 0 && !l.writesRows() && l.src.HasObjects() && slices.Contains([]job.State{job.StatePending, job.StateRefused, job.StateDiffers}, r.table.State(uint32(item))) {
				continue // as the list of an object has no item that the service lacks
			}
			hasFields = hasFields || fields.Len() > 0
			for k, name := range s.Results {
				v := fields.Get(name)
				if v == nil && l.writesRows() {
					v = row.Values.Get(name)
				}
				texts[k] = append(texts[k], v.Text())
			}
		}
		for k, name := range s.Results {
			// An item without a value has an empty text in the list, so that the number of
			// semicolons before a value shows its item.
			if column, text := cmp.Or(s.RenameResults[name], name), strings.Join(texts[k], ";"); cells[column] == "" && strings.Trim(text, ";") != "" {
				cells[column] = text
			}
		}
	}
	return phrase.Each(columns, func(column string) string { return cells[column] }), hasFields
}

// fieldsOf returns the fields of an item that the service set in a step. If they are not known of a row and the snapshot is
// a SnapshotFunc, it reads the row from the service.
func (r *run) fieldsOf(ctx context.Context, row rows.Row, item int) record.Record {
	if r.results != nil {
		return r.results[row.Ordinal].Fields
	}
	if find, ok := r.snapshot.(SnapshotFunc); ok && r.load.writesRows() && r.op.Results != nil && r.rec.Table().Fields(uint32(item)) == "" {
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
	if l.opts.Rejects == "" || isInput && (none || !l.isComplete) || none && !l.opts.RejectsAlways {
		return nil
	}
	w := rows.NewWriter(l.src, l.opts.Rejects, "error", "http_status")
	w.Always = l.opts.RejectsAlways && !isInput
	return w
}

// write calls writeRow for each valid row, writes the invalid rows to the rejects file, and puts all files in place. After
// that, it finishes the job if all rows have their final state.
func (l *load) write(to files, hasUnknown bool, writeRow func(row rows.Row) error) error {
	defer to.rejects.Abort()
	defer to.results.Abort()
	defer to.unknown.Abort()
	walks := l.rec.Table().Count(job.StateRefused) > 0 || to.rejects != nil && l.src.Report.Invalid > 0 ||
		to.results != nil && l.runs[0].table.AnySucceeded() || hasUnknown
	for row, err := range l.src.All() {
		if !walks {
			break // the files have no rows
		}
		if decode.InvalidRow(err) {
			if state := l.rec.Table().State(uint32(row.Ordinal)); state != job.StatePending && state != job.StateRefused {
				continue // an earlier run, which made fewer checks, has sent the row
			}
			err = to.rejects.Write(*row, decode.AsError(err).Cell(), "")
		} else if err == nil {
			err = writeRow(*row)
		}
		if err != nil {
			return err
		}
	}
	l.rejectsWritten, l.unknownWritten = l.wrote(job.RejectsFile, to.rejects), l.wrote(job.UnknownFile, to.unknown)
	err := errors.Join(to.results.Commit(), to.unknown.Commit())
	if to.rejects != nil && l.src.File.SameAs(to.rejects.Path()) { // Commit replaces the input, so the job must be finished first
		if err != nil {
			return err
		}
		l.finish()
		return errors.Join(l.src.Close(), to.rejects.Commit()) // Windows replaces no file that is open
	}
	if err = errors.Join(err, to.rejects.Commit()); err == nil {
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

func (l *load) finish() {
	if l.isComplete {
		l.rec.Record(job.Finished())
	}
}

// knownFields returns the fields of a row that the service set in a response, and the ids that only the list shows.
func (r *run) knownFields(row uint32) record.Record {
	fields, list := mustParse(r.rec.Table().Fields(row)), r.list()
	if list == nil || !r.lacksIDs(row) || list.count(int(row)) <= r.heldBefore(row) {
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
	fields, list := r.rec.Table().Fields(row), r.list()
	return fields == "" || list != nil && r.step.Label == "" && slices.ContainsFunc(list.Names, func(name string) bool { return !strings.Contains(fields, `"`+name+`":`) })
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
		snapshot, err := takeSnapshot(ctx, &r.op, r.src, SnapshotRequest{Reconciling: true, Verifying: true})
		if err != nil {
			return err
		}
		if r.snapshot = snapshot; r.list() == nil {
			break // fieldsOf reads a snapshot of another type row by row
		}
	}
	return r.recordDiffering(ctx)
}

// recordDiffering records which of the rows that were acknowledged a list shows with other content, if that can be changed. What was
// converged is not compared, since a list that is late shows it as it was before, nor are rows of which it shows no new record.
func (r *run) recordDiffering(ctx context.Context) error {
	list := r.list()
	if list == nil || r.op.Converge == nil || r.converges() {
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
	list.noteDiffering(differing, r.opts.Note)
	r.rec.SetState(job.StateDiffers, differing)
	return err
}

// allKnown reports whether the fields that the service set are known for all loaded rows.
func (r *run) allKnown() bool {
	t, list := r.rec.Table(), r.list()
	for n := range t.Len() {
		row := uint32(n)
		if t.State(row).Succeeded() && r.lacksIDs(row) && !r.src.IsInvalid(n) && list.count(n) <= r.heldBefore(row) {
			return false
		}
	}
	return true
}
