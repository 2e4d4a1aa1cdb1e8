package loads

import (
	"context"
	"slices"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// A Similar finds the rows of a load of accounts that would make a second account of a customer. It reads the list of
// accounts, which is then also the first snapshot of the load.
type Similar struct {
	isRead bool
	held   []record.Record // of the list, the accounts that rows of the file are, and the id of the last one, by which the load knows new accounts
}

// Load returns l, whose first snapshot is what Check has read. s may be nil.
func (s *Similar) Load(l Load) Load {
	if s == nil {
		return l
	}
	read := l.Operation.Snapshot
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		if !s.isRead || r.Reconciling {
			return read(ctx, r)
		}
		held := s.held
		s.isRead, s.held = false, nil
		return l.addList(ctx, func(yield func(record.Record, error) bool) {
			for _, rec := range held {
				if !yield(rec, nil) {
					return
				}
			}
		}, r.List)
	}
	return l
}

// Check returns the faults of rows whose external_account_identifier several accounts have, and of those that the service
// does not hold, although it holds the customer under another identifier, which another row may name.
func (s *Similar) Check(ctx context.Context, c *client.Client, src *rows.Source) (faults []rows.Fault, err error) {
	index, err := src.Index()
	if err != nil {
		return nil, err
	}
	var similar portfolio.Similar
	accounts, last := map[int][]int64{}, int64(0) // by row
	for rec, err := range c.List(ctx, client.Call{Op: &schema.OpAccountsV1List}) {
		if err != nil {
			return nil, err
		}
		account, _ := idsOf(rec)
		external, contact := accountKeys(rec)
		isRow := false
		last = max(last, account)
		for _, key := range [][]byte{external, contact} {
			if row, _ := index.Find(index.Fingerprint(key, nil)); key != nil && row >= 0 {
				if isRow = true; !slices.Contains(accounts[row], account) {
					accounts[row] = append(accounts[row], account)
				}
			}
		}
		if isRow {
			s.held = append(s.held, rec.Clone())
		}
		similar.Add(account, func(f *schema.Field) string {
			v, _ := portfolio.CurrentValue(f, rec)
			return portfolio.IdentifierText(v)
		})
	}
	s.isRead, s.held = true, append(s.held, record.Of(record.Pair{Name: "account_id", Value: record.Integer(last)}))
	for row, err := range src.Valid() {
		if err != nil {
			return nil, err
		}
		identifier := portfolio.IdentifierText(row.Values.Get("external_account_identifier"))
		var fault portfolio.Fault
		switch found := accounts[row.Ordinal]; {
		case len(found) > 1 && identifier != "":
			fault = portfolio.Fault{Field: "external_account_identifier", Reason: portfolio.SeveralAccounts(identifier, found), Shown: true}
		case len(found) == 0 && row.Values.Get("account_id") == nil:
			fault = similar.Fault(func(f *schema.Field) string { return row.Values.Get(f.Name).Text() })
		}
		if fault.Reason != "" {
			faults = append(faults, rows.Fault{Row: row.Ordinal, Column: fault.Field, Reason: fault.Reason, Shown: fault.Shown})
		}
	}
	return faults, index.Err()
}
