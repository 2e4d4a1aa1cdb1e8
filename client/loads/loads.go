// Package loads describes how the rows of a file become calls of the service. For each resource it has the columns of
// the rows, the calls, the result of each row in a response, and the way to read back which rows the service holds.
// Package bulk runs a load and sends each row exactly once.
//
// Begin with the function of a resource, such as Keywords, and call Load.Run with the path of a file, or Load.RunRows.
package loads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/history"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// A Load describes the rows of a resource and the operation that loads them.
type Load struct {
	Schema    rows.Schema
	Operation bulk.Operation
	// Request returns the call for a batch of rows, as a dry run shows it. With converge
	// it is the call that updates existing records.
	Request func(batch []rows.Row, converge bool) client.Call

	client *client.Client
}

// UpdateOptions are the options of loads that update records.
type UpdateOptions struct {
	// SendUnchanged also sends rows and fields that change nothing.
	SendUnchanged bool
	// OnReadOnly is called for a cell that differs from what the service has and can't be updated. It may be nil.
	OnReadOnly func(row *rows.Row, column string)
	// UnlistedUnknown says that accounts which the list lacks are unknown. Without it, they are refused, unless MayLack of the client
	// reports that the list may lack accounts.
	UnlistedUnknown bool
	// NoValidate sends postal codes that are none of the country of their account.
	NoValidate bool
	// Strict does not restore what a spreadsheet has lost of numbers (see portfolio.Restored).
	Strict bool
	// OnRestored is called for a value that was restored, with the line of its row. It may be nil.
	OnRestored func(line int, name string, v record.Value)
}

// Run loads the file at path and sends each row exactly once, of all loads that have the same store. It keeps the state of the
// load there: after a run that was interrupted or killed, another run with the same file, service and store resumes the load. The
// state stays until 50 later loads have finished; a load that was stopped is forgotten after 90 days. An invalid row stops the load
// before the first call, unless o.OnInvalid is bulk.Skip. An unknown column or field always stops it. Rows that the service refused,
// or whose outcome is unknown, are no error: the summary counts them. These and the invalid rows are written, with the reasons, to
// o.Rejects, which is a file beside that of the rows, or in the store, unless it is set.
//
// errors.As finds the *decode.Error of invalid rows, the *job.BusyError of a load with some of these rows that is running, the
// *bulk.IncompleteError of rows that are still to be sent after o.Retries, the *bulk.NoResponseError of a service that does not
// answer, and the *job.CorruptError of a damaged state, beside the errors of package client.
func (l Load) Run(ctx context.Context, path string, store job.Store, o bulk.Options) (job.Summary, error) {
	full, err := filepath.Abs(path)
	if err != nil || path == "" {
		return job.Summary{}, cmp.Or(err, errors.New("there is no file: the path is empty"))
	}
	return l.run(ctx, decode.Options{Path: full}, store, o)
}

func (l Load) run(ctx context.Context, input decode.Options, store job.Store, o bulk.Options) (summary job.Summary, err error) {
	l.Schema.Words, o.Words = programWords, programWords
	switch {
	case l.client == nil:
		err = errors.New("the load has no client; nothing was sent")
	case store == "":
		err = errors.New("the store is empty: it is the path of a folder")
	case o.OnInvalid != "" && o.OnInvalid != "stop" && o.OnInvalid != bulk.Skip:
		err = fmt.Errorf("Options.OnInvalid: %q is neither stop nor skip", o.OnInvalid)
	case o.ResendExisting && o.UpdateExisting:
		err = errors.New("Options.ResendExisting and Options.UpdateExisting can't be used together")
	case o.Rejects != "" && o.Rejects == o.Results:
		err = errors.New("Options.Rejects and Options.Results are the same file")
	}
	if err != nil {
		return summary, err
	}
	if l.Schema.HashKey, err = store.HashKey([16]byte{}); err != nil {
		return summary, err
	}
	source, err := rows.Open(input, l.Schema)
	if err != nil {
		return summary, err
	}
	defer func() { err = cmp.Or(err, source.Close()) }()
	report, err := source.Validate(ctx)
	for _, note := range slices.Concat(source.File.Notes, report.Notes) {
		if o.Note != nil {
			o.Note(note)
		}
	}
	if err != nil && (o.OnInvalid != bulk.Skip || !decode.InvalidRow(err) || source.HoldsUnknown) {
		return summary, err
	}
	h := job.Header{File: input.Path, Format: source.File.Format, Secret: input.Stdin != nil && source.Layout.HoldsSecrets()}
	h.Operation, h.BaseURL = l.Operation.Name, l.client.URL(client.Call{Op: &schema.Operation{}})
	if h.Digest, err = source.Digest(); err != nil {
		return summary, err
	}
	if l.NeedsHistory() {
		sent, openErr := history.Open(history.Path(string(store)), h.BaseURL, "")
		if openErr != nil {
			return summary, openErr
		}
		defer func() { err = cmp.Or(err, sent.Close()) }()
		sent.Resend = history.Resend{Unsure: o.ResendUnknown, Sent: o.ResendSent}
		l = l.Remember(sent)
	}
	j, err := bulk.Begin(store, h, source, false)
	if err != nil {
		return summary, err
	}
	o.Rejects = cmp.Or(o.Rejects, j.Rejects())
	summary, err = bulk.Run(ctx, source, bulk.Rows(l.Operation), j, o)
	return summary, cmp.Or(err, j.Close())
}

// programWords are what Run and RunRows say in place of flags and of other words of commands.
var programWords = phrase.Wording{
	decode.NoText: "has bytes that are no text in UTF-8: save it as UTF-8",
	"is not a workbook (.xlsx), which is a zip archive: give its format with --input-format": "is not a workbook (.xlsx), which is a zip archive",
	rows.HintMapping:                  "Load.Schema.Map gives the field of a column, or none to pass it over; Load.Schema.IgnoreUnknown passes over all unknown columns",
	rows.NoColumn:                     "missing: no such column, and Load.Schema.Constants does not set it",
	": use --map or --ignore-unknown": ": use Load.Schema.Map or Load.Schema.IgnoreUnknown",
	"--map":                           "Load.Schema.Map",
	"--strict":                        "Load.Schema.Strict",
	"--visible-rows":                  "Load.Schema.VisibleRows",
	"the flag's value":                "the value of Load.Schema.Constants",
	"--input-format":                  "a name that ends with the format",
	"--input-format csv":              "a name that ends with .csv",
	"--input-format ndjson":           "a name that ends with .ndjson",
	"; --sheet takes another one: ":   "; not read: ",
	"--resend-sent":                   "Options.ResendSent",
	"--resend-unknown":                "Options.ResendUnknown",
	"--verify":                        "Options.Verify",
	" (see --settle-time)":            " (see Options.SettleTime)",
	"the same command":                "the next run",
	"; use --restart to check again":  "",
	"; Ctrl-C stops, nothing is lost": "",
	" (--restart sends them again; a row that the list shows late is then stored twice)": "",
}

// newLoad returns a load that creates or updates records of a resource, as use says. The caller sets its Snapshot. request
// returns the call for a batch, and send sends it.
func newLoad(c *client.Client, op *schema.Operation, res *schema.Resource, use schema.Use, request func([]rows.Row) client.Call, send func(*client.Client, client.Call, []rows.Row) bulk.Call) Load {
	sch := rows.Schema{Resource: res, Use: use, Validate: true, ReadOnly: use == schema.Update, Identity: rows.IdentityOf(res, use)}
	if sch.ReadOnly {
		sch.IsDoubtful = func(row *rows.Row) bool { return row.ReadOnly != nil }
	}
	var results []string
	if op.Response != nil {
		results = phrase.Each(op.Response.Columns(), func(c schema.Column) string { return c.Name })
	}
	return Load{
		client:  c,
		Schema:  sch,
		Request: func(batch []rows.Row, _ bool) client.Call { return request(batch) },
		Operation: bulk.Operation{
			Name: op.ID, Record: keyOf(res), Results: results, Idempotent: use == schema.Update, Changes: use == schema.Update,
			Send: func(batch []rows.Row) bulk.Call { return send(c, request(batch), batch) },
		},
	}
}

func newSingleLoad(c *client.Client, op *schema.Operation, res *schema.Resource, use schema.Use, pace *client.Pace) Load {
	l := newLoad(c, op, res, use, func(batch []rows.Row) client.Call {
		return client.Call{Op: op, Body: res.Body(batch[0].Values.Map()), Pace: pace}
	}, sendOne)
	l.Operation.MaxBatch = 1
	return l
}

// sendOne returns a bulk.Call that sends one row. The data of the response is the result of the row.
func sendOne(c *client.Client, call client.Call, _ []rows.Row) bulk.Call {
	return send(c, call, func(response *client.Response) ([]bulk.Outcome, error) {
		rec, _ := firstRecord(call, response) // the call succeeded, even if its data can't be read
		ids, untold := call.Told(rec)
		return []bulk.Outcome{{Result: rec, IDs: ids, Untold: untold}}, nil
	})
}

// send returns a bulk.Call that sends a call. of returns the outcomes that a response reports.
func send(c *client.Client, call client.Call, of func(*client.Response) ([]bulk.Outcome, error)) bulk.Call {
	return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
		call.OnSend = onSend
		response, err := c.Do(ctx, call)
		if err != nil {
			return nil, err
		}
		return of(response)
	}
}

// firstRecord returns the data of a response as a record (see client.Call.Single). Data
// that is no object is a record without fields.
func firstRecord(call client.Call, response *client.Response) (record.Record, error) {
	data, err := call.Single(response)
	if err != nil || data.Kind() != record.Object {
		return record.Of(), err
	}
	return record.Parse(data)
}

func eachListed(ctx context.Context, c *client.Client, op *schema.Operation, f func(rec record.Record)) error {
	for rec, err := range c.List(ctx, client.Call{Op: op}) {
		if err != nil {
			return err
		}
		f(rec)
	}
	return nil
}

// keyOf returns the name of the field that identifies a record, empty if a resource has none.
func keyOf(res *schema.Resource) string {
	for _, f := range res.Having(schema.Key) {
		return f.Name
	}
	return ""
}

// lateness returns the client's IsLate. A reading that verifies rows is believed: these rows are not remembered yet.
func lateness(c *client.Client, isVerifying bool) record.LateFunc {
	if isVerifying {
		return record.NeverLate
	}
	return c.IsLate
}

// mayLack returns the client's MayLack, which is asked once.
func mayLack(c *client.Client, what string) func() bool {
	return sync.OnceValue(func() bool { return c.MayLack != nil && c.MayLack(what) })
}

// IsRefused reports whether the service refused a call for a reason that need not hold for other calls.
func IsRefused(err error) bool {
	status := httpStatus(err)
	return status > 0 && status < 500 && status != 429 && status != 401 && status != 403
}

// httpStatus returns the status of a refusal, 0 if err is another error.
func httpStatus(err error) int {
	if refusal := (*client.Error)(nil); errors.As(err, &refusal) {
		return refusal.HTTPStatus
	}
	return 0
}

// IsComplete reports whether an update has all fields that the service requires.
func IsComplete(res *schema.Resource, values schema.Values) bool {
	return !slices.ContainsFunc(res.Having(schema.Key), func(f *schema.Field) bool { return isMissing(f, values) })
}

func isMissing(f *schema.Field, values schema.Values) bool {
	v := values[f.Name]
	return v == nil || v.Text() == "" && f.Type == schema.Choice
}

// Complete adds to an update the fields that the service requires and the update lacks, as the record of the service has
// them. It returns an error if the record, of which the words tell, lacks such a field, or may show it late. instead says what to do then.
func Complete(res *schema.Resource, values schema.Values, rec record.Record, isLate record.LateFunc, words, instead string) error {
	for _, f := range res.Having(schema.Key) {
		if !isMissing(f, values) {
			continue
		}
		held, _ := portfolio.CurrentValue(f, rec)
		v, err := held, error(nil) // exactly as the service sent it, with its escapes
		switch k := held.Kind(); {
		case k == record.Missing || k == record.Object || k == record.Array:
			v = nil
		case k != record.String || f.Type == schema.Choice:
			v, err = f.FromText(f.Word(held.Text()), true)
		}
		if v == nil || err != nil {
			return fmt.Errorf("the service does not show the %s of %s, which would be lost: %s", f.ReadName(), words, instead)
		}
		if isLate(keyOf(res), values[keyOf(res)], f.Name, v, false) {
			return portfolio.LateError{What: f.ReadName() + " of " + words, Instead: instead}
		}
		values[f.Name] = v
	}
	return nil
}

// FindChanges finds out whether records, which read reads, have the values that a write gives them by their ids: the outcome is
// Present with the last of the records, Differs if only some have, or Unknown if one does not show a value.
func FindChanges(ctx context.Context, res *schema.Resource, read func(ctx context.Context, id int64) (record.Record, error), changes ...schema.Values) (bulk.Outcome, error) {
	found, key := 0, keyOf(res)
	var rec record.Record
	for _, values := range changes {
		id, _ := values[key].Int64()
		var err error
		if rec, err = read(ctx, id); err != nil {
			return bulk.Outcome{}, err
		}
		has := true
		for i := range res.Fields {
			f := &res.Fields[i]
			v := values[f.Name]
			if v == nil || f.Name == key {
				continue
			}
			held, isShown := portfolio.CurrentValue(f, rec)
			if !isShown || f.Type == schema.Choice && !slices.Contains(f.Enum, f.Word(held.Text())) {
				return bulk.Outcome{State: bulk.Unknown}, nil
			}
			has = has && portfolio.Agrees(f, v, held)
		}
		if has {
			found++
		}
	}
	return outcomeOf(found, len(changes), rec), nil
}

// undoRepairs gives each repaired value of an update its original text again if that, and not the repaired value, is what the
// service holds: the cell was exported so, and nobody has edited it. isHeld reports whether the service holds a value of a field.
func undoRepairs(row *rows.Row, isHeld func(name string, v record.Value) bool) {
	for _, cell := range row.Repaired {
		v, text := row.Values.Get(cell.Field), record.Quote(cell.Text)
		if v != nil && !isHeld(cell.Field, v) && isHeld(cell.Field, text) {
			row.Values.Set(cell.Field, text)
		}
	}
}

// outcomeOf returns the outcome of a write if n of its parts, of which there are all, were found.
func outcomeOf(n, all int, result record.Record) bulk.Outcome {
	switch n {
	case 0:
		return bulk.Outcome{State: bulk.Absent}
	case all:
		return bulk.Outcome{State: bulk.Present, Result: result}
	}
	return bulk.Outcome{State: bulk.Differs}
}
