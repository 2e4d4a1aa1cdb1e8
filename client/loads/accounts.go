package loads

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// Accounts creates accounts. Existing ones are recognized by their external_account_identifier, or without one by name, e-mail,
// phone and postal code, and are not sent.
func Accounts(c *client.Client) Load {
	return newAccountLoad(c, &schema.OpAccountsV2Create, &schema.AccountsV2)
}

// AccountsV1 is Accounts through version 1 of the service's interface.
func AccountsV1(c *client.Client) Load {
	return newAccountLoad(c, &schema.OpAccountsV1Create, &schema.AccountsV1)
}

// AccountIdentities is Accounts for rows of which only the identity counts: an account that exists is present, whatever its
// fields are. The rows are of accounts that a list lacks which was just read, and which has those with the ids listed: it is
// the first snapshot. If listed is nil, no list was read.
func AccountIdentities(c *client.Client, listed []portfolio.IDs) Load {
	l := Accounts(c)
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		list := c.List(ctx, client.Call{Op: &schema.OpAccountsV1List})
		if ids := listed; ids != nil && !r.Reconciling {
			listed, list = nil, func(yield func(record.Record, error) bool) {
				for i := 0; i < len(ids) && yield(record.Of(record.Pair{Name: "account_id", Value: record.Integer(ids[i].Account)}, record.Pair{Name: "campaign_id", Value: record.Integer(ids[i].Campaign)}), nil); i++ {
				}
			}
		}
		return accountSnapshot(list, r.List, nil)
	}
	return l
}

func newAccountLoad(c *client.Client, op *schema.Operation, res *schema.Resource) Load {
	l := newSingleLoad(c, op, res, schema.Create, nil)
	l.Schema.Identity, l.Schema.CheckRow = AccountIdentity, isNewAccount
	l.Operation.Creates, l.Operation.Results = "account", []string{"account_id", "campaign_id"}
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		compareAccounts(ctx, c, res, r.List)
		var similar *portfolio.Similar
		if r.Fault != nil {
			var err error
			if similar, err = similarRows(r.Rows); err != nil {
				return nil, err
			}
			*r.Fault = similarFault(similar, r.List)
		}
		return accountSnapshot(c.List(ctx, client.Call{Op: &schema.OpAccountsV1List}), r.List, similar)
	}
	return l
}

// isNewAccount refuses a row with an account_id: the service would make a second campaign for that account, and drop all
// other values of the row.
func isNewAccount(v rows.Values) (field, reason string) {
	if id := v.Get("account_id"); id != nil {
		return "account_id", "makes a second campaign for account " + id.Text() + " and drops the other values: leave it out for a new customer; an update changes an account"
	}
	return "", ""
}

// similarFault returns a function that finds fault with rows that would make a second account of a customer: several accounts have
// their external_account_identifier, or the service does not hold it, although it holds the customer under another identifier,
// which another row may name.
func similarFault(similar *portfolio.Similar, snapshot *bulk.ListSnapshot) func(row *rows.Row) (rows.Fault, error) {
	return func(row *rows.Row) (rows.Fault, error) {
		identifier := portfolio.IdentifierText(row.Values.Get(fieldIdentifier))
		var fault portfolio.Fault
		switch found := snapshot.IDs(row.Ordinal); {
		case len(found) > 1 && identifier != "":
			fault = portfolio.Fault{Field: fieldIdentifier, Reason: portfolio.SeveralAccounts(identifier, found), Shown: true}
		case len(found) == 0 && row.Values.Get("account_id") == nil:
			fault = similar.Fault(claimOf(row), textsIn(row), nil)
		}
		return faultOf(fault), nil
	}
}

// similarRows returns what rows that are checked say of their accounts.
func similarRows(src *rows.Source) (*portfolio.Similar, error) {
	similar := &portfolio.Similar{Place: src.Place}
	for row, err := range src.Valid() {
		if err != nil {
			return nil, err
		}
		similar.See(claimOf(row), textsIn(row))
	}
	return similar, nil
}

func claimOf(row *rows.Row) portfolio.Claim {
	account, _ := IDsOf(row.Values)
	return portfolio.Claim{Line: row.Line, Account: account}
}

func textsIn(row *rows.Row) func(*schema.Field) string {
	return func(f *schema.Field) string { return portfolio.IdentifierText(row.Values.Get(f.Name)) }
}

func faultOf(f portfolio.Fault) rows.Fault {
	return rows.Fault{Column: f.Field, Reason: f.Reason, Shown: f.Shown}
}

// compareAccounts makes a snapshot compare the fields of accounts. The list of version 2 is read once a row has a field that
// version 1 does not show.
func compareAccounts(ctx context.Context, c *client.Client, res *schema.Resource, snapshot *bulk.ListSnapshot) {
	fields := res.Without("account_id").Having(schema.Create)
	snapshot.Fields = namesOf(fields, "account_id", "status", "active")
	version2 := sync.OnceValues(func() (map[string]record.Record, error) {
		accounts, held := map[string]record.Record{}, snapshot.Held()
		return accounts, eachListed(ctx, c, &schema.OpAccountsV2List, func(rec record.Record) {
			if id := rec.Get("account_id").Text(); held[id] {
				accounts[id] = rec.Clone()
			}
		})
	})
	snapshot.Compare = func(row *rows.Row, held record.Record) (out bulk.Outcome, err error) {
		if held.Len() == 0 { // no list shows it: what identifies it is all that is known
			isKnown := func(f *schema.Field) bool {
				return f.Name == fieldIdentifier || f.Has(schema.Identity) && row.Values.Get(fieldIdentifier) == nil
			}
			return compareHeld(slices.DeleteFunc(slices.Clone(fields), isKnown), row, held), nil
		}
		isHidden := func(f *schema.Field) bool {
			_, shown := portfolio.CurrentValue(f, held)
			return says(row, f) && !shown
		}
		if slices.ContainsFunc(fields, isHidden) {
			var accounts map[string]record.Record
			if accounts, err = version2(); IsRefused(err) {
				err = nil // a service without version 2
			}
			if account, ok := accounts[held.Get("account_id").Text()]; ok {
				for name, v := range held.Fields() {
					account = account.Prepend(record.Pair{Name: name, Value: v})
				}
				held = account
			}
		}
		out = compareHeld(fields, row, held)
		out.Title, out.Message = titleOf("account_name", held), portfolio.Deactivated(held)
		return out, err
	}
}

// accountSnapshot finds in the list of version 1, which alone shows the identifier, which accounts of the file the service holds.
// It adds all accounts to similar, unless that is nil.
func accountSnapshot(list iter.Seq2[record.Record, error], snapshot *bulk.ListSnapshot, similar *portfolio.Similar) (bulk.Snapshot, error) {
	snapshot.Names, snapshot.RequireUnique, snapshot.Listed = []string{"account_id", "campaign_id"}, true, map[string]int64{}
	for rec, err := range list {
		if err != nil {
			return nil, err
		}
		accountID, campaignID := IDsOf(rec)
		snapshot.Listed[fmt.Sprint("account_id ", accountID)], snapshot.Listed[fmt.Sprint("campaign_id ", campaignID)] = accountID, accountID
		if similar != nil {
			similar.Add(accountID, textsOf(rec))
		}
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

// FindAccount looks for the account that a create with these values makes: by its external_account_identifier, or, without one,
// by name, e-mail, phone and postal code together. The outcome is unknown if there are several such accounts, or if the account
// with this identifier has another name or e-mail.
func FindAccount(ctx context.Context, c *client.Client, values schema.Values) (bulk.Outcome, error) {
	id, _ := AccountIdentity(rows.FromMap(values), nil, nil)
	var found []record.Record
	other := false
	err := eachListed(ctx, c, &schema.OpAccountsV1List, func(rec record.Record) {
		external, contact := accountKeys(rec)
		if !bytes.Equal(id, external) && !bytes.Equal(id, contact) {
			return
		}
		found = append(found, rec.Clone())
		for _, name := range []string{"account_name", "email"} {
			other = other || rec.Get(name) != nil && schema.TrimSpace(rec.Get(name).Text()) != schema.TrimSpace(values[name].Text())
		}
	})
	switch {
	case err != nil:
		return bulk.Outcome{}, err
	case len(found) == 0:
		return bulk.Outcome{State: bulk.Absent}, nil
	case len(found) == 1 && !other:
		return bulk.Outcome{State: bulk.Present, Result: found[0].Only("account_id", "campaign_id")}, nil
	}
	ids := phrase.Each(found, func(rec record.Record) string { return "account " + rec.Get("account_id").Text() })
	return bulk.Outcome{State: bulk.Unknown, Message: "it may be " + phrase.First(ids, 5)}, nil
}

func accountKeys(rec record.Record) (external, contact []byte) {
	if identifier := portfolio.IdentifierText(rec.Get(fieldIdentifier)); identifier != "" {
		external = externalKey(identifier)
	}
	return external, contactKey(textsOf(rec))
}

func textsOf(rec record.Record) func(*schema.Field) string {
	return func(f *schema.Field) string {
		v, _ := portfolio.CurrentValue(f, rec)
		return portfolio.IdentifierText(v)
	}
}

// Credentials stores credentials. They can't be read back, so a row with an unknown outcome is sent again only with
// bulk.Options.ResendUnknown, and one that was sent before only with ResendSent. pace limits the rate of calls in addition to
// that of the client; it may be nil.
func Credentials(c *client.Client, pace *client.Pace) Load {
	return newSingleLoad(c, &schema.OpCredentials, &schema.Credentials, schema.Create, pace)
}
