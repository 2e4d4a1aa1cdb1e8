package resource

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/schema"
	"reseller/client/transport"
	"reseller/cmd/cli"
	"reseller/output/encode"
)

// A Write is one call that changes something.
type Write struct {
	Call client.Call
	// ReadBack reads whether a call whose answer was lost was carried out. The
	// outcome is Present with what the service holds, Differs where a part of the
	// write is there, Absent, or Unknown. Nil where it can't be read back.
	ReadBack func(ctx context.Context, c *client.Client) (bulk.Outcome, error)
	// Check returns the failures inside an answer whose status is a success.
	Check func(answer *client.Answer) error
}

// An UnreportedError is an answer that does not say what became of some of what was
// sent.
type UnreportedError struct{ What string }

func (e *UnreportedError) Error() string {
	return "the response does not report the outcome of " + e.What
}

// ExitCode says that the write was carried out in part.
func (e *UnreportedError) ExitCode() int { return cli.ExitPartial }

// reconcileDelay is the least time between a call without an answer and the
// reading back, and between two readings: the service may still be at work.
const reconcileDelay = 2 * time.Second

// Send makes a write and prints the data of its answer. --dry-run prints the
// request instead.
func Send(ctx context.Context, f *cli.Factory, w Write) error {
	if f.Flags.DryRun {
		return DryRun(ctx, f, w.Call)
	}
	single := w.Call.Op.Data != schema.ShapeList
	out, err := f.Output(cli.Shape(w.Call.Op.Answer, single))
	if err != nil {
		return err
	}
	defer out.Abort()
	var raw io.Writer
	if f.Flags.Raw {
		raw = out.Raw()
	}
	answer, found, err := Execute(ctx, f, w, raw)
	if raw != nil {
		return commitRaw(f, out, err)
	}
	if answer == nil && err != nil {
		return err
	}
	recs := []record.Record{found}
	if answer != nil {
		var broken error
		if recs, broken = ResultRecords(w.Call, answer); broken != nil {
			return broken
		}
	}
	printErr := out.Records(context.WithoutCancel(ctx), cli.Records(recs))
	if printErr == nil {
		printErr = out.Commit()
	}
	return cmp.Or(err, printErr) // what became of the write is told first
}

// ResultRecords are the records of a write's answer: one where the call gives one,
// empty where the answer says no more than that the call succeeded.
func ResultRecords(call client.Call, answer *client.Answer) ([]record.Record, error) {
	recs, err := AnswerRecords(call, answer)
	switch {
	case err != nil:
		return nil, err
	case call.Op.Data == schema.ShapeList && len(recs) == 1 && recs[0].Len() == 0:
		return nil, nil // a list without items
	case call.Op.Data != schema.ShapeList && len(recs) == 0:
		return []record.Record{record.Of()}, nil
	}
	return recs, nil
}

// dataRecords are the data of an answer, one record or an array of them.
func dataRecords(answer *client.Answer) ([]record.Record, error) {
	switch answer.Data.Kind() {
	case record.String, record.Number, record.Bool: // a success that says something else
		return []record.Record{record.Of(record.Pair{Name: "data", Value: answer.Data})}, nil
	case record.Array:
	default:
		rec, err := answer.Record()
		return []record.Record{rec}, err
	}
	var recs []record.Record
	for item := range answer.Data.Elements() {
		rec, err := record.Parse(item)
		if err != nil {
			return nil, fmt.Errorf("an item of data is %s, not an object", item.Kind())
		}
		recs = append(recs, rec)
	}
	return recs, nil
}

// Execute makes a write. It returns the answer, or, where that was lost and
// reading back shows that the write was carried out, what was read. An answer
// beside an error is one that holds failed items.
func Execute(ctx context.Context, f *cli.Factory, w Write, raw io.Writer) (*client.Answer, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return nil, record.Record{}, err
	}
	w.Call.CopyTo = raw
	start := time.Now()
	answer, err := c.Do(ctx, w.Call)
	if err == nil {
		if w.Check != nil {
			err = w.Check(answer)
		}
		if untold := (*UnreportedError)(nil); errors.As(err, &untold) {
			_, err = reconcile(ctx, f, c, w, err, reconcileDelay)
		}
		return answer, record.Record{}, err
	}
	if cause := context.Cause(ctx); cause != nil {
		return nil, record.Record{}, fmt.Errorf("%w; whether the change was made is unknown: %s", cause, w.Call.Action())
	}
	if !client.OutcomeUnknown(err) {
		return nil, record.Record{}, err
	}
	rec, err := reconcile(ctx, f, c, w, err, max(reconcileDelay, time.Since(start)))
	return nil, rec, err
}

// reconcile finds out what became of a write whose outcome is unknown: the first
// reading waits as long as the call had lasted, and two must agree.
func reconcile(ctx context.Context, f *cli.Factory, c *client.Client, w Write, lost error, pause time.Duration) (record.Record, error) {
	unknown := func(why string) (record.Record, error) {
		return record.Record{}, &cli.ExitError{
			Code: cli.ExitCode(lost), Err: fmt.Errorf("%w; whether the change was made is unknown%s", lost, why),
			Hint: "check what the service has before you send it again",
		}
	}
	if w.ReadBack == nil {
		return unknown(" and can't be read back")
	}
	f.Note("%v; checking whether the change was made", lost)
	var before string
	for n := range 10 {
		if err := transport.Sleep(ctx, pause); err != nil {
			return record.Record{}, fmt.Errorf("%w; %w; whether the change was made is unknown", err, lost)
		}
		pause = reconcileDelay
		found, err := w.ReadBack(ctx, c)
		if cause := context.Cause(ctx); cause != nil {
			return record.Record{}, fmt.Errorf("%w; %w; whether the change was made is unknown", cause, lost)
		}
		if err != nil {
			return unknown(fmt.Sprintf(": checking failed: %v", err))
		}
		if n == 0 || found.State != before {
			before = found.State
			continue
		}
		switch found.State {
		case bulk.Present:
			f.Note("the change was made")
			return found.Result, nil
		case bulk.Differs:
			return record.Record{}, &cli.ExitError{Code: cli.ExitPartial, Err: fmt.Errorf("%w; only a part of the change was made", lost)}
		case bulk.Absent:
			return record.Record{}, &cli.ExitError{Code: cli.ExitCode(lost), Err: fmt.Errorf("%w; the change was not made", lost)}
		}
		if found.Message != "" {
			return unknown(": " + found.Message)
		}
		return unknown("")
	}
	return unknown("")
}

// DryRun prints calls as they would go, token and password hidden, and sends
// none of them.
func DryRun(ctx context.Context, f *cli.Factory, calls ...client.Call) error {
	c, err := f.Client()
	if err != nil {
		return err
	}
	format, err := f.Format()
	if err != nil {
		return err
	}
	if format != encode.Table || f.Flags.JQ != "" {
		recs := make([]record.Record, len(calls))
		for i, call := range calls {
			recs[i] = RequestRecord(c, call)
		}
		return f.PrintRecords(ctx, len(recs) == 1, RequestColumns, recs...)
	}
	var text strings.Builder
	for i, call := range calls {
		if i > 0 {
			text.WriteString("\n")
		}
		fmt.Fprintf(&text, "%s %s\n\n", call.Op.Method, redact.URL(c.URL(call)))
		if call.Body != nil {
			fmt.Fprintf(&text, "%s\n", redact.Text(string(call.Body)))
		}
	}
	out, err := f.Output(cli.Shape(nil, true))
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := io.WriteString(out.Raw(), text.String()); err != nil {
		return err
	}
	return out.Commit()
}

var RequestColumns = []string{"method", "url", "body"}

// RequestRecord is a call as it would go, token and password hidden.
func RequestRecord(c *client.Client, call client.Call) record.Record {
	body := record.Value("null")
	if call.Body != nil {
		body = record.Value(redact.Text(string(call.Body)))
	}
	return record.Of(
		record.Pair{Name: "method", Value: record.Quote(call.Op.Method)},
		record.Pair{Name: "url", Value: record.Quote(redact.URL(c.URL(call)))},
		record.Pair{Name: "body", Value: body},
	)
}

// Op makes an operation that the contract does not show, for `reseller api`.
func Op(method, path string) *schema.Operation {
	op := &schema.Operation{ID: "api", Title: method + " " + path, Method: method, Path: path}
	op.Public = method == schema.OpLogin.Method && strings.HasSuffix(path, schema.OpLogin.Path) && method == http.MethodPost
	return op
}

// PartialError sorts the failures inside an update of sent keywords, of those
// that were asked for: one that stands alone exits by its own status, some
// refused is partly done, all refused is refused.
func PartialError(err error, asked, sent int) error {
	var refusal *client.Error
	if !errors.As(err, &refusal) || asked == 1 {
		return err
	}
	code := cli.ExitRefused
	if len(refusal.Items) < sent {
		code = cli.ExitPartial
	}
	return &cli.ExitError{Code: code, Err: err}
}

// ReadBeforeUpdateError is why an update can't read what it is to keep; instead is what spares
// the reading.
func ReadBeforeUpdateError(err error, instead string) error {
	err = fmt.Errorf("reading the present values: %w", err)
	if cli.ExitCode(err) == cli.ExitAuth { // there is better advice
		return err
	}
	return &cli.ExitError{Code: cli.ExitCode(err), Err: err, Hint: "to update without reading, " + instead}
}
