package resource

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/history"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// A Once has the row of a write in the history, and the record that is printed if an earlier command has made the write.
type Once struct {
	row   *history.Row
	asked record.Record // what the write asks for, without secrets
	made  bool          // an earlier command has made the write, so this one changes nothing

	before history.Entry // what the history remembers
}

// NewOnce returns the Once of a write with the values, which is the same as that of a row of the load with these values.
func NewOnce(l loads.Load, values schema.Values) *Once {
	public := schema.Values{}
	for name, v := range values {
		if field := l.Schema.Resource.Field(name); field == nil || field.Type != schema.Password {
			public[name] = v
		}
	}
	asked, _ := record.Parse(l.Schema.Resource.Body(public)) // an object that this program wrote
	return &Once{row: l.SentRow(rows.FromMap(values)), asked: asked}
}

// recall returns the record that is printed for a write that an earlier command has sent. If its
// outcome is not known and the service does not show it, that is an error.
func recall(ctx context.Context, session *cli.Session, c *client.Client, w Write, sent *history.History, before history.Entry) (record.Record, error) {
	w.Once.made = true
	if !before.Sent.IsZero() {
		session.Note("%s: %v, so nothing is sent; --resend-sent sends it again", w.Call.Action(), before)
		return w.Once.asked, nil
	}
	if w.ReadBack != nil {
		found, err := w.ReadBack(ctx, c)
		if err != nil {
			return record.Record{}, fmt.Errorf("%s: %v; checking it failed, and nothing was sent: %w", w.Call.Action(), before, err)
		}
		if found.State == bulk.Present {
			session.Note("%s: %v, and the service shows it, so nothing is sent; --resend-sent sends it again", w.Call.Action(), before)
			return w.Once.asked, sent.Acknowledge(w.Once.row, "")
		}
	}
	return record.Record{}, &cli.ExitError{
		Code: cli.ExitPartial, Err: fmt.Errorf("%s: %v: whether it was carried out is unknown, so nothing is sent", w.Call.Action(), before),
		Hint: "check the current data; --resend-sent sends it again",
	}
}

// IsSent reports whether an earlier command has sent the write, so that this one sends nothing.
func (o *Once) IsSent(ctx context.Context, session *cli.Session) (bool, error) {
	sent, err := session.History(ctx)
	if err != nil || sent == nil {
		return false, err
	}
	defer func() { _ = sent.Close() }()
	o.before, err = sent.Find(o.row)
	o.made = err == nil && !sent.Permits(o.before)
	return o.made, err
}

// remember lets the loads of this machine know what the write changes, but for a dry run. end is called with what became of it. The
// error is that a running load has such rows to write.
func (w Write) remember(ctx context.Context, session *cli.Session) (end func(time.Duration, ...job.Result), err error) {
	end = func(time.Duration, ...job.Result) {}
	store, err := session.Jobs()
	if err != nil || len(w.Rows) == 0 || session.Flags.DryRun && !store.IsBusy() { // without a store, there are no loads
		return end, nil
	}
	m, err := session.Memory(ctx)
	if err != nil {
		return end, err
	}
	list := make([]rows.Values, len(w.Rows))
	for i, values := range w.Rows {
		list[i] = rows.FromMap(values)
	}
	end, err = m.Single(&w.Load.Operation, w.Load.Schema.Identity, list, session.Flags.DryRun, func(v rows.Values) string {
		if op := &w.Load.Operation; op.Creates == "" {
			return "a change of " + op.Record + " " + v.Get(op.Record).Text()
		}
		return w.Load.Operation.Creates + " " + safetext.Quote(cmp.Or(v.Get("keyword").Text(), v.Get("account_name").Text()))
	})
	if busy, ok := errors.AsType[*job.BusyError](err); ok {
		err = cli.WithHint(err, "nothing was sent; wait until that job finishes; "+session.JobCommand("show "+busy.ID)+" shows its progress")
	}
	return end, err
}

// NoteBusy notes, in a dry run, that a running load has rows of the write to write, so that it would be refused.
func (w Write) NoteBusy(ctx context.Context, session *cli.Session) {
	if _, err := w.remember(ctx, session); errors.As(err, new(*job.BusyError)) {
		session.Note("%v: until it finishes, this is refused", err)
	}
}
