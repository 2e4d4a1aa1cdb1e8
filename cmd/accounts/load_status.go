package accounts

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

// loadStatus changes the status of the accounts in a file: to that of the
// flag, or of each row's status column.
func loadStatus(ctx context.Context, f *cli.Factory, o *statusOptions) error {
	constants := schema.Values{}
	question := "Deactivate some of the accounts in " + o.file.Path + "?"
	switch {
	case o.deactivate:
		constants["status"] = record.Quote("deactivate")
		question = "Deactivate the accounts in " + o.file.Path + "?"
	case o.reactivate:
		constants["status"] = record.Quote("reactivate")
	}
	call := func(row bulk.Row) client.Call {
		values := row.Values.Map()
		if o.word != "" {
			values["status"] = record.Quote(o.word)
		}
		return statusCall(values)
	}
	listed := &statuses{}
	var known []string
	if o.word != "" {
		known = []string{"--request-string=" + o.word}
	}
	return bulkcmd.RunLoad(ctx, f, &o.file, bulkcmd.Load{
		Op: &schema.OpAccountsStatus, Res: &schema.StatusChange, Use: schema.Create, Constants: constants, Identity: bulk.UpdateIdentity("account_id"),
		Known: known, Confirm: question, Look: listed.read,
		Asks: func(row bulk.Row) bool { return row.Values.Get("status").Text() == "deactivate" },
		Body: func(rows []bulk.Row) client.Call { return call(rows[0]) },
		Send: func(c *client.Client, row bulk.Row) bulk.Send {
			return func(ctx context.Context) ([]bulk.Outcome, error) {
				return listed.change(ctx, c, row.Number(), call(row))
			}
		},
	})
}

// wanted are the statuses that the words of a change ask for.
var wanted = map[string]string{"deactivate": "deactivated", "reactivate": "active"}

// statuses are those of the file's accounts, by row.
type statuses struct{ held map[int]status }

type status struct {
	AccountID  client.Integer `json:"account_id"`
	CampaignID client.Integer `json:"campaign_id,omitempty"`
	Status     string         `json:"status"`
}

// change makes a call. A 404 stops a load, but not where it is about an account
// that the list does not have either.
func (s *statuses) change(ctx context.Context, c *client.Client, row int, call client.Call) ([]bulk.Outcome, error) {
	answer, err := c.Do(ctx, call)
	var refusal *client.Error
	if _, listed := s.held[row]; s.held != nil && !listed && errors.As(err, &refusal) && refusal.HTTPStatus == http.StatusNotFound {
		return []bulk.Outcome{{State: bulk.Refused, HTTPStatus: refusal.HTTPStatus, Message: cmp.Or(strings.Join(refusal.Messages, "; "), err.Error())}}, nil
	}
	if err != nil {
		return nil, err
	}
	recs, err := resource.ResultRecords(call, answer)
	if err != nil {
		return make([]bulk.Outcome, 1), nil // a success all the same: data may be anything
	}
	return []bulk.Outcome{{Result: recs[0]}}, nil
}

// read reads the status of the file's accounts.
func (s *statuses) read(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
	held := map[int]status{}
	for rec, err := range c.Accounts(ctx) {
		if err != nil {
			return nil, err
		}
		if row, ok := r.Holdings.Row(rec.Get("account_id").Text()); ok {
			account, _ := rec.Get("account_id").Int64()
			campaign, _ := rec.Get("campaign_id").Int64()
			held[row] = status{client.Integer(account), client.Integer(campaign), statusOf(rec)}
		}
	}
	s.held = held
	settling := r.Settling // and no more of r, which has the identities of all rows
	return bulk.ViewFunc(func(_ context.Context, row *bulk.Row) (bulk.Outcome, error) {
		have, want := held[row.Number()], wanted[row.Values.Get("status").Text()]
		switch {
		case have.Status != "" && have.Status == want:
			return bulk.Outcome{State: bulk.Present, Result: cli.RecordOf(have)}, nil
		case settling && (want == "" || have.Status != "active" && have.Status != "deactivated"):
			return bulk.Outcome{State: bulk.Unknown, Message: "the service does not show its status"}, nil
		}
		return bulk.Outcome{State: bulk.Absent}, nil
	}), nil
}
