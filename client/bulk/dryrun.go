package bulk

import (
	"cmp"
	"context"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
)

// A DryRunSummary counts the rows that a load would send and skip.
type DryRunSummary struct {
	Operation  string `json:"operation"`
	Rows       int    `json:"rows"`
	Send       int    `json:"send"`
	Present    int    `json:"present"`
	Differs    int    `json:"differs"`
	Refused    int    `json:"refused"`
	Duplicates int    `json:"duplicates"`
	Invalid    int    `json:"invalid"`
	Calls      int    `json:"calls"`
	Unknown    int    `json:"unknown"` // nothing shows whether they were sent
	Unlisted   int    `json:"-"`       // of those that differ: the service does not list them yet
	LookedUp   int    `json:"-"`       // of those to send: an earlier run left their outcome unknown, or the service refused them with others
}

// DryRun walks the rows of src, which must have been validated, and calls each with every
// batch that Run would send with the operation. converge says that the service holds the rows of the batch
// with other content. changed, if it is not nil, is called with every row of an update that
// Run would send: the outcome has the changes. j is a job.Store.Preview, or nil: the rows that it or another
// job has sent count as present, and those that are refused or in doubt by it are not sent. DryRun may read the
// service, but sends no rows.
func DryRun(ctx context.Context, src *rows.Source, op Operation, j *job.Job, o Options, each func(group []rows.Row, converge bool), changed func(*rows.Row, Outcome)) (DryRunSummary, error) {
	report := src.Report
	sum := DryRunSummary{Operation: op.Name, Rows: report.Rows, Duplicates: report.Duplicates, Invalid: report.Invalid}
	l, err := newLoad(src, Rows(op), j, o)
	if err != nil {
		return sum, err
	}
	r := l.runs[0]
	r.op.withoutIDs, r.isDryRun = false, true
	resend, err := r.takeUp(ctx)
	if err != nil {
		return sum, err
	}
	r.lastID = r.rec.Table().LastID()
	if op.Snapshot != nil && !o.ResendExisting {
		if r.snapshot, err = takeSnapshot(ctx, &r.op, src, SnapshotRequest{DryRun: changed != nil, NewFrom: r.lastID + 1}); err != nil {
			return sum, err
		}
	}
	if err := r.recallJobs(); err != nil {
		return sum, err
	}
	found, err := r.findSuspected(ctx)
	if err != nil {
		return sum, err
	}
	b := newBatcher(batcherOptions{
		size: func(batchKey) int { return r.opts.BatchSize },
		encode: func(key batchKey) BatchEncoder {
			return &rowsEncoder{send: func(group []rows.Row) Call {
				each(group, key.converge)
				return nil
			}}
		},
		send: func(open *openBatch) error {
			sum.Calls++
			sum.Send += len(open.rows)
			open.encoder.Call()
			return nil
		},
		inMemory: src.Layout.HoldsSecrets(), maxBytes: maxOpenBytes,
	})
	defer b.discard()
	told, table := lines{note: l.opts.Note}, l.rec.Table()
	doubted, lookedUp, refused, unknown, differing := told, told, told, told, told
	for row, err := range src.Valid() {
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return sum, err
		}
		n := uint32(row.Ordinal)
		state, words := table.State(n), "would be refused"
		out := Outcome{State: state.String(), Message: table.Reason(n).Message}
		if state == job.StateRefused {
			words = "was refused"
		}
		if (state == job.StatePending || state.IsUnfinished() && op.Snapshot != nil) && found[n] != foundUnclear {
			out = Outcome{State: Absent}
			if r.snapshot != nil && !resend[n] {
				if out, err = r.snapshot.Find(ctx, row); err != nil {
					return sum, err
				}
			}
		}
		if out.Message != "" && job.StateOf(out.State).Succeeded() {
			r.held.add(src.Issue(row, out.Message).String())
		}
		key := batchKey{key: b.keys.ofRow(op.Key, row.Values)}
		switch out.State {
		case Present, Sent:
			sum.Present++
			continue
		case Absent:
			switch isRejected := state == job.StateRejectedBatch; {
			case isRejected || state == job.StateUnknown:
				words = "is looked up first, and sent only if it is not done yet"
				if sum.LookedUp++; isRejected {
					words = "is looked up first, and sent again in a smaller call, as its last one was refused"
				}
				if why := table.Reason(n).Message; why != "" {
					words += ": " + why
				}
				lookedUp.add(src.Issue(row, words).String())
			case out.Message != "":
				doubted.add(src.Issue(row, "will be sent, and may be refused: "+out.Message).String())
			}
		case Refused:
			sum.Refused++
			refused.add(src.Issue(row, join(words, out.Message)).String())
			continue
		case Unknown:
			sum.Unknown++
			unknown.add(src.Issue(row, join("would have an unknown outcome", out.Message)).String())
			continue
		case Differs:
			if key.converge = r.converges(); !key.converge {
				if sum.Differs++; out.Changes != nil {
					differing.add(src.Issue(row, "differs: "+strings.Join(phrase.Each(out.Changes, Change.String), ", ")).String())
				}
				continue
			}
		}
		if changed != nil && out.Changes != nil {
			changed(row, out)
		}
		if err := b.add(&key, row); err != nil {
			return sum, err
		}
	}
	sum.Unlisted = l.unlisted
	r.held.end("more has a note", "more have a note")
	doubted.end("more may be refused", "more may be refused")
	lookedUp.end("more is looked up first", "more are looked up first")
	differing.end("more differs", "more differ")
	unknown.end("more would have an unknown outcome", "more would have an unknown outcome")
	refused.end("more would be refused", "more would be refused")
	return sum, b.drain()
}

// findSuspected finds the rows of earlier runs that may be new records of the list, and so stay unknown unless they are to be sent
// again all the same. Their reasons say which records.
func (r *run) findSuspected(ctx context.Context) (found []byte, err error) {
	list := r.list()
	found = make([]byte, r.src.Len())
	if list == nil || r.opts.ResendUnknown {
		return found, nil
	}
	for _, row := range r.rec.Table().RowsIn(job.StateUnknown) {
		if list.count(int(row)) == 0 {
			found[row] = foundAbsent
		}
	}
	err = (&reconciler{run: r}).suspect(ctx, list, found, false)
	for why, suspects := range r.suspected {
		r.rec.Record(job.RowResult(job.Result{State: job.StateUnknown, HTTPStatus: why.HTTPStatus, Message: why.Message}, suspects...))
	}
	return found, err
}

// WriteInvalid writes the invalid rows of src, which must have been validated, to a rejects
// file, and returns their number.
func WriteInvalid(src *rows.Source, path string) (int, error) {
	w := rows.NewWriter(src, path, "error", "http_status")
	defer w.Abort()
	for row, err := range src.All() {
		if decode.InvalidRow(err) {
			err = w.Write(*row, decode.AsError(err).Cell(), "")
		}
		if err != nil {
			return 0, err
		}
	}
	return w.Rows(), w.Commit()
}

// Check reads which rows of src the service holds. It returns the faults of those that must not be sent, and the snapshot, for
// Operation.BeginsWith.
func Check(ctx context.Context, src *rows.Source, op Operation, isDryRun bool) (faults []rows.Fault, first Snapshot, err error) {
	var fault func(row *rows.Row) (rows.Fault, error)
	if first, err = takeSnapshot(ctx, &op, src, SnapshotRequest{DryRun: isDryRun, Fault: &fault}); err != nil {
		return nil, nil, err
	}
	for row, err := range src.Valid() {
		var f rows.Fault
		if err == nil {
			f, err = fault(row)
		}
		if err != nil {
			return nil, nil, err
		}
		if f.Reason != "" {
			f.Row = row.Ordinal
			faults = append(faults, f)
		}
	}
	return faults, first, nil
}

// BeginsWith makes a snapshot that Check has taken the first one of the operation. It may be nil.
func (op *Operation) BeginsWith(first Snapshot) {
	read := op.Snapshot
	if first == nil {
		return
	}
	op.Snapshot = func(ctx context.Context, r SnapshotRequest) (Snapshot, error) {
		if taken := first; taken != nil && !r.Reconciling {
			first = nil // it has the memory of all rows
			return taken, nil
		}
		return read(ctx, r)
	}
}

// InvalidChanges returns the faults of the invalid values that rows of src keep, unless the service holds the same: those are
// not sent. src must have been validated. If op is nil, all of them are faults, and the service is not read.
func InvalidChanges(ctx context.Context, src *rows.Source, op *Operation) (faults []rows.Fault, err error) {
	var snapshot Snapshot
	if op != nil {
		if snapshot, err = takeSnapshot(ctx, op, src, SnapshotRequest{}); err != nil {
			return nil, err
		}
	}
	for row, err := range src.Valid() {
		if err != nil {
			return nil, err
		}
		if row.Invalid == nil {
			continue
		}
		out, whole := Outcome{}, rows.Row{Line: row.Line, Ordinal: row.Ordinal, Values: row.Given(), Repaired: row.Repaired}
		if snapshot != nil {
			if out, err = snapshot.Find(ctx, &whole); err != nil { // which removes the values that need not be sent
				return nil, err
			}
		}
		for _, v := range row.Invalid {
			field, _, _ := strings.Cut(v.Name, ".") // an attribute is sent with all others
			isSent := whole.Values.Get(v.Name) != nil || whole.Values.Get(field) != nil
			if out.State != Present && (out.State != Absent || isSent) {
				faults = append(faults, rows.Fault{Row: row.Ordinal, Column: v.Name, Reason: v.Issue.Reason})
			}
		}
	}
	return faults, nil
}
