package loads

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// StatusOptions are the options of StatusChanges.
type StatusOptions struct {
	// Word is the status to send instead of the row's deactivate or reactivate. It may be empty.
	Word string
	// UnlistedUnknown sends nothing for an account that the list lacks, since another job may just have created it.
	UnlistedUnknown bool
}

// StatusChanges deactivates or reactivates accounts, as the status of each row says.
// Accounts that have this status already are not sent.
func StatusChanges(c *client.Client, o StatusOptions) Load {
	listed := &remoteStatuses{}
	l := newLoad(c, &schema.OpAccountsStatus, &schema.StatusChange, schema.Create, func(batch []rows.Row) client.Call {
		values := batch[0].Values.Map()
		if o.Word != "" {
			values["status"] = record.Quote(o.Word)
		}
		return StatusCall(values)
	}, listed.send)
	l.Operation.MaxBatch, l.Operation.Changes = 1, true
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		return listed.read(ctx, c, r, o.UnlistedUnknown)
	}
	return l
}

// StatusCall is the call that changes the status of an account.
func StatusCall(values schema.Values) client.Call {
	return client.Call{Op: &schema.OpAccountsStatus, Body: schema.StatusChange.Body(values), Subject: []string{values["account_id"].Text()}}
}

// statusAfter has the status of an account after each change.
var statusAfter = map[string]string{"deactivate": "deactivated", "reactivate": "active"}

// remoteStatuses are the accounts of the file as results show them, by account_id.
type remoteStatuses struct{ byAccount map[string]record.Record }

// send returns a bulk.Call that sends one row. One that is refused and that the list shows as the row says is present.
// A response of 404 usually stops a load, since all rows would get it. But if the list of accounts does not contain the account of
// the row either, only this row is refused.
func (s *remoteStatuses) send(c *client.Client, call client.Call, batch []rows.Row) bulk.Call {
	account, word, change := batch[0].Values.Get("account_id").Text(), batch[0].Values.Get("status").Text(), sendOne(c, call, batch)
	return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
		outcomes, err := change(ctx, onSend)
		var refusal *client.Error
		remote, listed := s.byAccount[account]
		if errors.As(err, &refusal) && refusal.HTTPStatus == http.StatusUnprocessableEntity && listed && remote.Get("status").Text() == statusAfter[word] {
			return []bulk.Outcome{{State: bulk.Present, Result: remote}}, nil
		}
		if s.byAccount != nil && !listed && errors.As(err, &refusal) && refusal.HTTPStatus == http.StatusNotFound {
			return []bulk.Outcome{{State: bulk.Refused, HTTPStatus: refusal.HTTPStatus, Message: safetext.Cut(cmp.Or(strings.Join(refusal.Messages, "; "), err.Error()), safetext.MaxMessage)}}, nil
		}
		return outcomes, err
	}
}

func (s *remoteStatuses) read(ctx context.Context, c *client.Client, r bulk.SnapshotRequest, unlistedUnknown bool) (bulk.Snapshot, error) {
	byAccount := map[string]record.Record{}
	err := eachListed(ctx, c, &schema.OpAccountsV2List, func(rec record.Record) {
		if _, ok := r.List.Row(rec.Get("account_id").Text()); !ok {
			return
		}
		account, campaign := IDsOf(rec)
		fields := []record.Pair{{Name: "account_id", Value: record.Integer(account)}, {Name: "status", Value: record.Quote(portfolio.AccountStatus(rec))}}
		if campaign != 0 {
			fields = slices.Insert(fields, 1, record.Pair{Name: "campaign_id", Value: record.Integer(campaign)})
		}
		if r.DryRun {
			fields = append(fields, titleOf("account_name", rec))
		}
		byAccount[rec.Get("account_id").Text()] = record.Of(fields...)
	})
	if err != nil {
		return nil, err
	}
	s.byAccount = byAccount
	reconciling, isLate := r.Reconciling, lateness(c, r.Verifying) // the function must not keep r, which holds the identities of all rows
	return bulk.SnapshotFunc(func(_ context.Context, row *rows.Row) (bulk.Outcome, error) {
		id, change := row.Values.Get("account_id"), row.Values.Get("status").Text()
		remote, isListed := byAccount[id.Text()]
		status, want := remote.Get("status").Text(), statusAfter[change]
		switch {
		case !isListed && unlistedUnknown:
			return unlisted(id), nil
		case !isLate.Differs(status != "" && status == want, "account_id", id, "status", row.Values.Get("status"), record.Quote(portfolio.StatusChanges[status])):
			return bulk.Outcome{State: bulk.Present, Result: remote}, nil
		case reconciling && (want == "" || status != "active" && status != "deactivated"):
			return bulk.Outcome{State: bulk.Unknown, Message: "the service does not show its status"}, nil
		}
		out := bulk.Outcome{State: bulk.Absent, Title: titleOf("account_name", remote), Changes: []bulk.Change{{Field: "status", From: status, To: cmp.Or(want, change)}}}
		if !isListed {
			out.Message = "the list of accounts does not show the account"
		}
		return out, nil
	}), nil
}

// FindStatus is FindAccountUpdate for a change of the status of an account.
func FindStatus(ctx context.Context, c *client.Client, id int64, change string) (bulk.Outcome, error) {
	values := schema.Values{"account_id": record.Integer(id), "status": record.Quote(statusAfter[change])}
	return FindAccountUpdate(ctx, c, &schema.OpAccountsV2Get, &schema.AccountsV2, values)
}
