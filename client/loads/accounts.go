package loads

import (
	"bytes"
	"context"
	"iter"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// Accounts creates accounts. Existing ones are recognized by their
// external_account_identifier, or without one by name, e-mail, phone and postal code,
// and are not sent.
func Accounts(c *client.Client) Load {
	return accounts(c, &schema.OpAccountsV2Create, &schema.AccountsV2)
}

// AccountsV1 is Accounts through version 1 of the service's interface.
func AccountsV1(c *client.Client) Load {
	return accounts(c, &schema.OpAccountsV1Create, &schema.AccountsV1)
}

func accounts(c *client.Client, op *schema.Operation, res *schema.Resource) Load {
	l := newSingleLoad(c, op, rows.Schema{Resource: res, Use: schema.Create, Identity: accountIdentity, CheckRow: isNewAccount}, bodyOf(res))
	l.Operation.Creates, l.Operation.Results = "account", []string{"account_id", "campaign_id"}
	l.addList = func(list iter.Seq2[record.Record, error], snapshot *bulk.ListSnapshot) (bulk.Snapshot, error) {
		return accountSnapshot(list, res, snapshot)
	}
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		return l.addList(c.AccountsV1(ctx), r.List)
	}
	return l
}

// isNewAccount refuses a row with an account_id: the service would make a second campaign for that account, and drop all
// other values of the row.
func isNewAccount(v rows.Values) (field, reason string) {
	if id := v.Get("account_id"); id != nil {
		return "account_id", "makes a second campaign for account " + id.Text() + " and drops the other values: leave it out for a new customer; `accounts update --file` changes accounts"
	}
	return "", ""
}

// accountSnapshot finds in the list of version 1, which alone shows the identifier, which accounts of the file the service holds.
func accountSnapshot(list iter.Seq2[record.Record, error], res *schema.Resource, snapshot *bulk.ListSnapshot) (bulk.Snapshot, error) {
	snapshot.Names, snapshot.RequireUnique = []string{"account_id", "campaign_id"}, true
	fields := res.Without("account_id").Having(schema.Create)
	snapshot.Fields = namesOf(fields)
	snapshot.Compare = func(row *rows.Row, held record.Record) ([]bulk.Change, record.Pair) {
		return changesOf(fields, row, held), titleOf("account_name", held)
	}
	for rec, err := range list {
		if err != nil {
			return nil, err
		}
		accountID, _ := rec.Get("account_id").Int64()
		campaignID, _ := rec.Get("campaign_id").Int64()
		remote := bulk.Remote{Record: rec, IDs: []int64{accountID, campaignID}}
		external, contact := accountKeys(rec)
		if remote.ID = external; external != nil {
			snapshot.Add(remote)
		}
		for _, campaign := range []string{"", rec.Get("campaign_id").Text()} {
			remote.ID = CustomerKey(rec.Get("account_id").Text(), campaign)
			snapshot.Add(remote)
		}
		remote.ID = contact
		snapshot.Add(remote)
	}
	return snapshot, nil
}

// FindAccount looks for the account that a create with these values makes: by its
// external_account_identifier, or, without one, by name, e-mail, phone and postal code
// together. The outcome is unknown if there are several such accounts, or if the
// account with this identifier has another name or e-mail.
func FindAccount(ctx context.Context, c *client.Client, values schema.Values) (bulk.Outcome, error) {
	id, _ := accountIdentity(rows.FromMap(values), nil, nil)
	var found []record.Record
	other := false
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return bulk.Outcome{}, err
		}
		external, contact := accountKeys(rec)
		if !bytes.Equal(id, external) && !bytes.Equal(id, contact) {
			continue
		}
		found = append(found, rec.Clone())
		for _, name := range []string{"account_name", "email"} {
			other = other || rec.Get(name) != nil && schema.TrimSpace(rec.Get(name).Text()) != schema.TrimSpace(values[name].Text())
		}
	}
	switch {
	case len(found) == 0:
		return bulk.Outcome{State: bulk.Absent}, nil
	case len(found) == 1 && !other:
		return bulk.Outcome{State: bulk.Present, Result: found[0].Only("account_id", "campaign_id")}, nil
	}
	return bulk.Outcome{State: bulk.Unknown}, nil
}

// accountKeys returns the identities of an account in the list of version 1: that of its external_account_identifier,
// nil if it has none, and that of its contact.
func accountKeys(rec record.Record) (external, contact []byte) {
	if identifier := portfolio.IdentifierText(rec.Get("external_account_identifier")); identifier != "" {
		external = externalKey(identifier)
	}
	return external, contactKey(func(f *schema.Field) string {
		v, _ := portfolio.HeldValue(f, rec)
		return v.Text()
	})
}
