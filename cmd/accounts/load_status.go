package accounts

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/cmd/cli"
)

// loadStatus changes the status of the accounts in a file: to that of the
// flag, or of each row's status column.
func loadStatus(ctx context.Context, f *cli.Factory, o *statusOptions) error {
	constants := client.Values{}
	question := "Deactivate some of the accounts in " + o.file.Path + "?"
	switch {
	case o.deactivate:
		constants["status"] = client.Quote("deactivate")
		question = "Deactivate the accounts in " + o.file.Path + "?"
	case o.reactivate:
		constants["status"] = client.Quote("reactivate")
	}
	var known []string
	if o.word != "" {
		known = []string{"--request-string=" + o.word}
	}
	return f.Load(ctx, &o.file, cli.Load{
		Op: &client.OpAccountsStatus, Res: &client.StatusChange, Use: client.Create, Constants: constants, Identity: bulk.UpdateIdentity("account_id"),
		Known: known, Confirm: question, Look: lookForStatus,
		Asks: func(row bulk.Row) bool { return row.Values.Get("status").Text() == "deactivate" },
		Body: func(rows []bulk.Row) client.Call {
			id, _ := rows[0].Values.Get("account_id").Int64()
			word := rows[0].Values.Get("status").Text()
			if o.word != "" {
				word = o.word
			}
			return statusCall(id, word)
		},
	})
}

// statuses are those that the words of a change ask for.
var statuses = map[string]string{"deactivate": "deactivated", "reactivate": "active"}

// lookForStatus reads the status of the file's accounts.
func lookForStatus(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
	type shown struct {
		AccountID  client.Integer `json:"account_id"`
		CampaignID client.Integer `json:"campaign_id,omitempty"`
		Status     string         `json:"status"`
	}
	held := map[int]shown{}
	for rec, err := range c.Accounts(ctx) {
		if err != nil {
			return nil, err
		}
		if row, ok := r.Holdings.Row(rec.Get("account_id").Text()); ok {
			account, _ := rec.Get("account_id").Int64()
			campaign, _ := rec.Get("campaign_id").Int64()
			held[row] = shown{client.Integer(account), client.Integer(campaign), statusOf(rec)}
		}
	}
	settling := r.Settling // and no more of r, which has the identities of all rows
	return bulk.ViewFunc(func(_ context.Context, row *bulk.Row) (bulk.Outcome, error) {
		have, want := held[row.Number()], statuses[row.Values.Get("status").Text()]
		switch {
		case have.Status != "" && have.Status == want:
			return bulk.Outcome{State: bulk.Present, Result: cli.Object(have)}, nil
		case settling && (want == "" || have.Status != "active" && have.Status != "deactivated"):
			return bulk.Outcome{State: bulk.Unknown, Message: "the service does not show its status"}, nil
		}
		return bulk.Outcome{State: bulk.Absent}, nil
	}), nil
}
