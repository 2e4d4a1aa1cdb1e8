package reports

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"reseller/client"
	"reseller/client/crash"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

const columnAccountName = "account_name"

// accountNames are the names of the accounts of reports. They are read while the reports are, since a report does not
// wait for a name before it has a row, and does not fail for one.
type accountNames struct {
	read sync.WaitGroup
	byID map[int64]record.Value
	err  error       // why names are missing
	used atomic.Bool // rows have names
}

// readNames begins to read the names of the accounts of campaigns, unless they are not printed. The caller waits for read
// before it returns.
func readNames(ctx context.Context, f *cli.Factory, refs ...campaignRef) *accountNames {
	n := &accountNames{byID: map[int64]record.Value{}}
	if !f.Flags.Uses(columnAccountName) || f.Flags.Chart || len(refs) == 0 {
		return n
	}
	isOne := !slices.ContainsFunc(refs, func(ref campaignRef) bool { return ref.account != refs[0].account })
	n.read.Go(func() {
		defer crash.Recover()
		if isOne {
			n.err = n.readOne(ctx, f, refs[0].account)
		} else {
			n.err = n.readAll(ctx, f)
		}
	})
	return n
}

func (n *accountNames) readOne(ctx context.Context, f *cli.Factory, account int64) error {
	c, err := f.Client()
	if err != nil {
		return err
	}
	rec, err := c.Record(ctx, client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", account))
	if err == nil {
		n.byID[account] = rec.Get(columnAccountName)
	}
	return err
}

func (n *accountNames) readAll(ctx context.Context, f *cli.Factory) error {
	c, err := f.Client()
	if err != nil {
		return err
	}
	for account, err := range c.Accounts(ctx) {
		if err != nil {
			return err
		}
		if id, ok := account.Get("account_id").Int64(); ok {
			n.byID[id] = slices.Clone(account.Get(columnAccountName))
		}
	}
	return nil
}

// subject returns the first fields of the rows of a campaign. It waits until the names are read.
func (n *accountNames) subject(ref campaignRef) []record.Pair {
	n.used.Store(true)
	n.read.Wait()
	name := n.byID[ref.account]
	if name == nil {
		name = record.Value("null")
	}
	return append(ref.fields(), record.Pair{Name: columnAccountName, Value: name})
}

// note notes that names are missing.
func (n *accountNames) note(f *cli.Factory) {
	if n.read.Wait(); n.err != nil && n.used.Load() {
		f.Note("%s is empty, since the names can't be read: %v", columnAccountName, n.err)
	}
}
