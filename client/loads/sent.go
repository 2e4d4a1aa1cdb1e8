package loads

import (
	"cmp"
	"context"
	"errors"
	"time"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/history"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// SentRow returns the row of a history for the values of a row.
func (l Load) SentRow(values rows.Values) *history.Row {
	identity := l.Schema.Identity
	if identity == nil {
		identity = rows.ByAllFields
	}
	id, secrets := identity(values, nil, nil)
	return history.NewRow(l.Operation.Name, id, secrets)
}

// NotCarriedOut reports whether a write that failed with err was surely not carried out.
func NotCarriedOut(err error) bool {
	return !client.OutcomeUnknown(err) && (errors.As(err, new(*client.Error)) || errors.As(err, new(*client.NetworkError)) || errors.As(err, new(*client.TokenSourceError)))
}

// NeedsHistory reports whether only a history can tell which rows were sent: the service
// can't be asked for them, and a row that is sent twice is stored twice.
func (l Load) NeedsHistory() bool { return l.Operation.Unverifiable() && !l.Operation.Idempotent }

// Remember returns a load that sends no row that a history remembers, unless that permits it, and that remembers what it
// sends. A load that needs no history is returned unchanged. h may be nil.
func (l Load) Remember(h *history.History) Load {
	if h == nil || !l.NeedsHistory() {
		return l
	}
	m := memory{load: l, history: h}
	l.Operation.Recall = m.recall
	l.Operation.Send = m.send
	return l
}

type memory struct {
	load    Load
	history *history.History
}

// recall returns what the history knows of a row. If it does not know the outcome, the
// service is asked, which may show that it has the row.
func (m memory) recall(ctx context.Context, row *rows.Row) (out bulk.Outcome, known bool, err error) {
	sent := m.load.SentRow(row.Values)
	before, err := m.history.Find(sent)
	if err != nil || before == (history.Entry{}) {
		return out, false, err
	}
	out = m.outcome(before)
	if out.State != bulk.Unknown || m.load.Operation.Snapshot == nil {
		return out, true, nil
	}
	snapshot, err := m.load.Operation.Snapshot(ctx, bulk.SnapshotRequest{Reconciling: true})
	if err != nil {
		return out, true, err
	}
	shown, err := snapshot.Find(ctx, row)
	if err == nil && shown.State == bulk.Present {
		out = bulk.Outcome{State: bulk.Present, Message: before.String() + "; the service shows it, so it counts as present"}
		err = m.history.Acknowledge(sent, "")
	}
	return out, true, err
}

// outcome returns the outcome of a row with an entry, Absent if it may be sent again.
func (m memory) outcome(before history.Entry) bulk.Outcome {
	switch {
	case m.history.Permits(before):
		return bulk.Outcome{State: bulk.Absent}
	case before.Sent.IsZero():
		return bulk.Outcome{State: bulk.Unknown, Message: before.String() + "; " + m.load.Schema.Words.Of("--resend-unknown") + " sends it again"}
	}
	fields, _ := record.Parse([]byte(before.Fields)) // a record without fields if there are none
	return bulk.Outcome{State: bulk.Present, Message: before.String() + ", counts as present; " + m.load.Schema.Words.Of("--resend-sent") + " sends it again", Result: fields}
}

// errRemembered ends a call whose row another process has sent meanwhile.
var errRemembered = errors.New("the row was sent before")

// send returns a call that is remembered from just before it is sent. The batch has one row.
func (m memory) send(batch []rows.Row) bulk.Call {
	call, row := m.load.Operation.Send(batch), m.load.SentRow(batch[0].Values)
	return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
		intended, written := false, false
		var before history.Entry
		outcomes, err := call(ctx, func() (err error) {
			if !intended { // the first of the attempts of the call
				if before, intended, err = m.history.Intend(row, time.Now()); err != nil {
					return err
				}
				if !intended {
					return errRemembered
				}
			}
			err = onSend()
			written = written || err == nil
			return err
		})
		state, set := bulk.Sent, record.Record{}
		if len(outcomes) > 0 {
			state, set = cmp.Or(outcomes[0].State, state), outcomes[0].Result.Only(m.load.Operation.Results...)
		}
		// If the outcome can't be remembered, it counts as unknown, and the history gives the error to the next row and to Close.
		switch {
		case errors.Is(err, errRemembered):
			return []bulk.Outcome{m.outcome(before)}, nil
		case !intended:
		case !written, err != nil && (NotCarriedOut(err) || bulk.EndedEarly(ctx, err)), err == nil && state == bulk.Refused:
			_ = m.history.Withdraw(row)
		case err == nil && state != bulk.Unknown:
			_ = m.history.Acknowledge(row, string(set.Raw()))
		}
		return outcomes, err
	}
}
