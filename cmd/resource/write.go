package resource

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/names"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/output/encode"
)

type Write struct {
	Call client.Call
	// ReadBack reads, after a call without a response, whether the service holds what the call was to make: the outcome is Present
	// with the record of the service, Differs if it holds a part of it, Absent, or Unknown. It is nil if that can't be read.
	ReadBack func(ctx context.Context, c *client.Client) (bulk.Outcome, error)
	// Before is how many of the records that ReadBack counts the service had before the write, which does not make them;
	// math.MaxInt if that is not known. It counts with Once only.
	Before int
	// Check returns the failures inside a response whose status is a success. It may be nil.
	Check func(response *client.Response) error
	// Names has found the account and the campaign of the call, which it tells the user. It is nil for a write without them.
	Names *lookup.Finder
	// Once is set for a write that the service can't be asked for. It is not made twice unless --resend-sent is given.
	Once *Once
	// Rows are what the write creates or changes, as rows of Load; nil if no load does such things.
	Rows []schema.Values
	Load loads.Load
}

// An UnreportedError is a response that does not report the outcome of everything that was sent.
type UnreportedError struct{ Response string } // what it does instead

func (e *UnreportedError) Error() string { return "the response " + e.Response }

func (e *UnreportedError) ProcessExitCode() int { return cli.ExitPartial }

// Send makes a write and prints the data of the response. With --dry-run it prints the request instead.
func Send(ctx context.Context, session *cli.Session, to *cli.Output, w Write) error {
	if w.Names != nil && w.Call.Op.Method == http.MethodPut {
		w.Names.KeepName(ctx, record.Value(w.Call.Body))
	}
	if session.Flags.DryRun {
		if w.Once != nil {
			if isSent, err := w.Once.IsSent(ctx, session); err != nil {
				return err
			} else if isSent {
				session.Note("%s: %v; without --resend-sent nothing would be sent", w.Call.Action(), w.Once.before)
			}
		}
		w.tell(ctx, session, nil)
		w.NoteBusy(ctx, session)
		return DryRun(ctx, session, to, w.Call)
	}
	out, err := to.Open(cli.Shape(w.Call.Op.Response, w.Call.Op.Data != schema.ShapeList))
	if err != nil {
		return err
	}
	defer out.Abort()
	var raw io.Writer
	if session.Flags.Raw {
		raw = out.Raw()
	}
	response, found, err := Execute(ctx, session, w, raw)
	if err == nil && w.Names != nil {
		w.learn(ctx, session, response, found)
	}
	if raw != nil {
		return commitRaw(session, out, err)
	}
	if response == nil && err != nil {
		return w.Names.NotFound(ctx, err)
	}
	recs := []record.Record{found}
	if response == nil { // found may be of several records, of which it has no ids
		recs = requested(w.Call, &client.Response{})
		for i, item := range recs {
			recs[i] = found.Prepend(idsIn(item.Raw())...)
		}
	}
	if response != nil {
		var broken error
		if recs, broken = ResultRecords(w.Call, response); broken != nil {
			return broken
		}
		unshown := phrase.Each(loads.NoteFields(), func(f schema.Field) string { return f.Name })
		unshown = slices.DeleteFunc(unshown, func(name string) bool { return w.Call.Op != &schema.OpNotesUpdate || recs[0].Get(name) != nil })
		if len(unshown) > 0 {
			session.Note("the response shows no %s: these are the texts that were sent", strings.Join(unshown, " and no "))
			var sent []record.Pair
			for name, v := range record.Value(w.Call.Body).Members() {
				sent = append(sent, record.Pair{Name: name, Value: v})
			}
			recs[0] = recs[0].Prepend(sent...)
			response.Data = nil // does not tell that all of the change was made
		}
		if _, untold := w.Call.Told(recs[0]); untold != nil {
			where := ""
			if w.Call.Op.Response == &schema.AccountCreated {
				where = ": `reseller accounts list` shows whether the account and its campaign are there"
			}
			session.Note("the response tells no %s%s", strings.Join(untold, " and no "), where)
		}
	}
	printErr := out.Records(context.WithoutCancel(ctx), cli.Records(recs))
	if printErr == nil {
		printErr = out.Commit()
	}
	refusal := &client.Error{}
	if err == nil && response != nil || errors.As(err, &refusal) && len(refusal.Items) < refusal.ItemCount {
		w.tell(ctx, session, response, refusal.Items...)
	}
	if err == nil {
		printErr = cli.Unprinted(w.Call, printErr)
	}
	return session.Both(err, printErr)
}

// learn remembers what the write has called the account that it changed or made.
func (w Write) learn(ctx context.Context, session *cli.Session, response *client.Response, found record.Record) {
	body := record.Value(w.Call.Body)
	e := names.Entry{Name: body.Get("account_name").Text(), Identifier: portfolio.IdentifierText(body.Get("external_account_identifier"))}
	if response != nil {
		found, _ = response.Record()
	}
	ok := false
	if e.ID, ok = body.Get("account_id").Int64(); !ok {
		e.ID, _ = found.Get("account_id").Int64()
	}
	if e.ID != 0 && e.Name+e.Identifier != "" {
		lookup.Learn(context.WithoutCancel(ctx), session, e)
	}
}

// tell notes what the write changes, or with --dry-run would change, apart from the items that failed. The record may be so
// already: the response, if there is one, does not tell.
func (w Write) tell(ctx context.Context, session *cli.Session, response *client.Response, failed ...client.ItemError) {
	if w.Names == nil || w.Once != nil && w.Once.made {
		return
	}
	body, would, did, what := record.Value(w.Call.Body), "change", "", ""
	switch kinds := strings.Split(w.Call.Op.ID, "."); {
	case w.Call.Op == &schema.OpAccountsStatus:
		would = body.Get("status").Text()
	case w.Call.Op.Method == http.MethodDelete:
		would = "deactivate" // keywords, the only ones
	case w.Call.Op.Method == http.MethodPut:
		would = "update"
	case w.Call.Op.Response == &schema.AccountCreated && body.Get("account_id") != nil:
		would, did = "make a second campaign for", "made a second campaign for"
	default:
		what = " the " + kinds[len(kinds)-2] + " of"
	}
	if did = cmp.Or(did, Did(would, response)); session.Flags.DryRun {
		did = "would " + would
	}
	var numbers lookup.Numbers
	numbers.Add(body.Get("external_account_identifier"))
	numbers.Note(session)
	w.Names.Tell(ctx, did+what, body, failed...)
}

// Did returns words for a change that the service has acknowledged, such as "updated". A response without a record of the change
// does not tell that it was made.
func Did(change string, response *client.Response) string {
	if response != nil && len(response.Data.Text()) <= len("{}") {
		return "asked the service to " + change
	}
	return change + "d"
}

// Execute makes a write. It returns the response, or, if there is none, the record that ReadBack found or that an earlier command
// has sent. A response together with an error has items that failed.
func Execute(ctx context.Context, session *cli.Session, w Write, raw io.Writer) (*client.Response, record.Record, error) {
	c, err := session.Client()
	if err != nil {
		return nil, record.Record{}, err
	}
	if w.Once == nil {
		return execute(ctx, session, c, w, raw)
	}
	sent, err := session.History(ctx)
	if err != nil {
		return nil, record.Record{}, err
	}
	defer func() {
		if err := sent.Close(); err != nil {
			session.Note("%v", err)
		}
	}()
	before, ok, err := sent.Intend(w.Once.row, time.Now())
	if err != nil {
		return nil, record.Record{}, fmt.Errorf("nothing was sent: %w", err)
	}
	if !ok {
		rec, err := recall(ctx, session, c, w, sent, before)
		return nil, rec, err
	}
	response, found, err := execute(ctx, session, c, w, raw)
	// If the outcome can't be remembered, it counts as unknown, and Close returns why.
	switch {
	case err == nil:
		_ = sent.Acknowledge(w.Once.row, "")
	case loads.NotCarriedOut(err):
		_ = sent.Withdraw(w.Once.row)
	}
	return response, found, err
}

// execute is Execute without the history.
func execute(ctx context.Context, session *cli.Session, c *client.Client, w Write, raw io.Writer) (whole *client.Response, found record.Record, failed error) {
	w.Call.CopyTo = raw
	end, err := w.remember(ctx, session)
	if err != nil {
		return nil, record.Record{}, err
	}
	start, lasted := time.Now(), time.Duration(0)
	defer func() { end(lasted, w.results(whole, found, failed)...) }()
	response, err := c.Do(ctx, w.Call)
	lasted = time.Since(start)
	if err == nil {
		if w.Check != nil {
			err = w.Check(response)
		}
		if isOther := errors.As(err, new(*client.OtherRecordError)); isOther || errors.As(err, new(*UnreportedError)) {
			w.Names = nil // Send tells of the response
			if _, err = reconcile(ctx, session, c, w, err, bulk.SettleTime(true, lasted)); isOther {
				response = nil
			}
		}
		return response, record.Record{}, err
	}
	if cause := context.Cause(ctx); cause != nil {
		return nil, record.Record{}, fmt.Errorf("%w; whether the change was made is unknown: %s", cause, w.Call.Action())
	}
	if !client.OutcomeUnknown(err) {
		return nil, record.Record{}, err
	}
	rec, err := reconcile(ctx, session, c, w, err, bulk.SettleTime(bulk.Answered(err), lasted))
	return nil, rec, err
}

// results returns what became of all rows of the write, or of each.
func (w Write) results(whole *client.Response, found record.Record, failed error) []job.Result {
	refusal, all := &client.Error{}, job.Result{State: job.StateUnknown}
	switch isRefused := loads.NotCarriedOut(failed); {
	case whole != nil && errors.As(failed, &refusal): // by its items
		results := make([]job.Result, len(w.Rows))
		for i, values := range w.Rows {
			if id, _ := values["rank_id"].Int64(); !slices.ContainsFunc(refusal.Items, func(e client.ItemError) bool { return int64(e.RankID) == id }) {
				results[i].State = job.StateSent
			}
		}
		return results
	case failed == nil || whole != nil:
		if all.State = job.StateSent; whole != nil {
			found, _ = whole.Record()
		}
		if len(w.Rows) == 1 {
			all.Fields = w.Load.Operation.ResultFields(found)
		}
	case isRefused && (len(w.Rows) == 1 || w.Load.Operation.Changes || !loads.IsRefused(failed)):
		all.State = job.StatePending
	case isRefused: // of several that were to be created, some may be stored
		all.State = job.StateRejectedBatch
	}
	return []job.Result{all}
}

// reconcile finds out whether a write with an unknown outcome was made. A change that the service does not show after the
// settling time may still be made, or its list may be late, so it is never said to be undone.
func reconcile(ctx context.Context, session *cli.Session, c *client.Client, w Write, lost error, settle time.Duration) (record.Record, error) {
	code, hint := cli.ExitCode(lost), "check the current data before you send it again"
	if w.Once != nil {
		hint += ", which takes --resend-sent"
	}
	unknown := func(why string) (record.Record, error) {
		return record.Record{}, &cli.ExitError{
			Code: code, Err: fmt.Errorf("%w; whether the change was made is unknown%s", lost, why),
			Hint: hint,
		}
	}
	if errors.As(lost, new(*client.OtherRecordError)) {
		return unknown("") // the one record as the service shows it does not tell what happened to the other
	}
	if w.ReadBack == nil {
		return unknown(" and can't be read back")
	}
	isLate := func(values schema.Values) bool { return w.Load.Operation.IsLate(c.IsLate, rows.FromMap(values)) }
	if slices.ContainsFunc(w.Rows, isLate) {
		settle = max(settle, bulk.MaxListLag)
	}
	if session.Flags.SettleTime != nil {
		settle = *session.Flags.SettleTime
	}
	session.Note("%v; checking for up to %v whether the change was made", lost, settle.Round(time.Second))
	wasAbsent := false
	found, err := bulk.AwaitOutcome(ctx, settle, func() (bulk.Outcome, error) {
		out, err := w.ReadBack(ctx, c)
		if isCounted := w.Once != nil && w.Before < math.MaxInt; isCounted && out.State == bulk.Present {
			if wasAbsent = out.Count > w.Before; !wasAbsent { // nothing has been made yet
				out = bulk.Outcome{State: bulk.Unknown, Message: thereBefore}
			}
		}
		wasAbsent = wasAbsent || out.State == bulk.Absent
		if isShown := out.State == bulk.Present || out.State == bulk.Differs; isShown && !wasAbsent && slices.ContainsFunc(w.Rows, isLate) {
			out = bulk.Outcome{State: bulk.Unknown, Message: "the service shows it, but may have done so before the last change by this machine"}
		}
		return out, err
	})
	switch cause := context.Cause(ctx); {
	case cause != nil:
		return record.Record{}, fmt.Errorf("%w; %w; whether the change was made is unknown", cause, lost)
	case err != nil:
		return unknown(fmt.Sprintf(": checking failed: %v", err))
	}
	switch made, _ := w.Call.Told(found.Result); found.State {
	case bulk.Present:
		code = cli.ExitPartial // with that of lost, the same command would be tried again
		switch {
		case wasAbsent:
			session.Note("the change was made")
			w.tell(ctx, session, nil)
		case w.Once != nil:
			return unknown(": " + thereBefore)
		case strings.HasSuffix(w.Call.Op.ID, ".create"):
			hint += ": it may make a second one"
			return unknown(fmt.Sprintf(": the service shows %s, which may have been there before", append(made, "it")[0]))
		default:
			session.Note("the service holds what was asked for, and may have done so before")
			w.tell(ctx, session, &client.Response{})
		}
		return found.Result, nil
	case bulk.Differs:
		return record.Record{}, &cli.ExitError{Code: cli.ExitPartial, Err: fmt.Errorf("%w; the service holds only a part of what was asked for", lost)}
	case bulk.Absent:
		return unknown(": the service does not show it" + found.Message)
	}
	if found.Message != "" {
		return unknown(": " + found.Message)
	}
	return unknown("")
}

const thereBefore = "what the service shows may have been there before"

// DryRun prints the requests of calls without sending them. Tokens and passwords are redacted.
func DryRun(ctx context.Context, session *cli.Session, to *cli.Output, calls ...client.Call) error {
	c, err := session.Client()
	if err != nil {
		return err
	}
	format, err := to.Format()
	if err != nil {
		return err
	}
	if format != encode.Table {
		recs, n := make([]record.Record, len(calls)), len(calls)
		for i, call := range calls {
			recs[i] = RequestRecord(c, call)
		}
		if format.Kind() == encode.KindDocument {
			return to.PrintPlan(ctx, cli.Plan{DryRunSummary: bulk.DryRunSummary{Operation: calls[0].Op.ID, Rows: n, Send: n}, Calls: &n}, recs, slices.Values[[]record.Record](nil))
		}
		return to.PrintRecords(ctx, "", len(recs) == 1, RequestColumns, recs...)
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
	return to.Text(text.String())
}

var RequestColumns = []string{"method", "url", "body"}

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

// Op returns an operation that the contract does not have, for `reseller api`.
func Op(method, path string) *schema.Operation {
	op := &schema.Operation{ID: "api", Title: method + " " + path, Method: method, Path: path}
	op.Public = method == schema.OpLogin.Method && strings.HasSuffix(path, schema.OpLogin.Path) && method == http.MethodPost
	return op
}
