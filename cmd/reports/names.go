package reports

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"reseller/client"
	"reseller/client/crash"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/cli"
)

const columnAccountName = "account_name"

// A nameList has the names of accounts and campaigns. They are read while the reports are, since a report does not wait for a
// name before it has a row, and does not fail for one.
type nameList struct {
	read      sync.WaitGroup
	accounts  map[int64]record.Value
	customers map[int64]summary.Subject // by account, with what is known of it besides its name
	index     *campaignIndex            // empty if it is not asked for
	err       error                     // why names are missing
	used      atomic.Bool               // rows have names
	unlisted  atomic.Bool               // rows are of accounts that the list does not have
}

// readNames begins to read the names of accounts and, with a selection, those of campaigns. The caller waits for read before it returns.
func readNames(ctx context.Context, session *cli.Session, s *selection, refs ...campaignRef) *nameList {
	n := &nameList{accounts: map[int64]record.Value{}, customers: map[int64]summary.Subject{}, index: &campaignIndex{names: map[campaignRef]string{}}}
	c, err := session.Client() // before others ask for it
	if err != nil {
		n.err = err
		return n
	}
	n.read.Go(func() {
		defer crash.Recover()
		n.err = n.readAccounts(ctx, c, refs, s == nil)
		if s != nil {
			n.index, err = s.index(ctx, session)
			n.err = cmp.Or(err, n.err)
		}
	})
	return n
}

// readAccounts reads all accounts, or one alone: that of the only ref or, if mayBeOne is set, of all refs.
func (n *nameList) readAccounts(ctx context.Context, c *client.Client, refs []campaignRef, mayBeOne bool) error {
	if len(refs) == 0 {
		return nil
	}
	id := refs[0].account
	if len(refs) == 1 || mayBeOne && !slices.ContainsFunc(refs, func(ref campaignRef) bool { return ref.account != id }) {
		account, err := c.Record(ctx, client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", id))
		n.add(id, account)
		return err
	}
	for account, err := range c.List(ctx, client.Call{Op: &schema.OpAccountsV2List}) {
		if err != nil {
			return err
		}
		if id, ok := account.Get("account_id").Int64(); ok {
			n.add(id, account)
		}
	}
	return nil
}

func namesMissing(why error) error { return fmt.Errorf("names are missing: %w", why) }

func (n *nameList) add(id int64, account record.Record) {
	n.accounts[id] = slices.Clone(account.Get(columnAccountName))
	n.customers[id] = summary.Subject{Email: shown(account.Get("email").Text()), IsDeactivated: isDeactivated(account)}
}

func (n *nameList) subject(ref campaignRef) summary.Subject {
	of := n.customers[ref.account]
	of.CampaignID, of.AccountName, of.CampaignName = ref.campaign, shown(n.accounts[ref.account].Text()), shown(n.index.names[ref.ids()])
	of.HasSeveral = slices.ContainsFunc(n.index.byAccount[ref.account], func(other campaignRef) bool { return other.campaign != ref.campaign })
	return of
}

// shown returns a name, empty if all of it is white space or invisible.
func shown(name string) string {
	isHidden := func(r rune) bool { return unicode.IsSpace(r) || safetext.IsInvisible(r) || safetext.IsControl(r) }
	if strings.TrimFunc(name, isHidden) == "" {
		return ""
	}
	return name
}

// check refuses a campaign that the campaigns list, if all of it was read, shows with other accounts only.
func (n *nameList) check(refs ...campaignRef) error {
	for _, ref := range refs {
		owners := n.index.byCampaign[ref.campaign]
		isOf := func(owner campaignRef) bool { return owner.account == ref.account || owner.err != nil }
		if n.err == nil && ref.err == nil && len(owners) > 0 && !slices.ContainsFunc(owners, isOf) {
			message := fmt.Sprintf("campaign %d belongs to %s, not to %s", ref.campaign, n.called(owners[0].account), n.called(ref.account))
			return &cli.UsageError{Message: message, Hint: campaignsHint}
		}
	}
	return nil
}

func (n *nameList) called(account int64) string {
	if name := n.accounts[account].Text(); name != "" {
		return fmt.Sprintf("account %d (%s)", account, name)
	}
	return fmt.Sprintf("account %d", account)
}

// fields returns the first fields of the rows of a campaign. It waits until the names are read.
func (n *nameList) fields(ref campaignRef) []record.Pair {
	n.used.Store(true)
	n.read.Wait()
	name, isListed := n.accounts[ref.account]
	if !isListed && n.accounts != nil {
		n.unlisted.Store(true)
	}
	if name == nil {
		name = record.Value("null")
	}
	return append(ref.fields(), record.Pair{Name: columnAccountName, Value: name})
}

func (n *nameList) note(session *cli.Session) {
	switch n.read.Wait(); {
	case n.err != nil && n.used.Load():
		session.Note("%s is empty, since the names can't be read: %v", columnAccountName, n.err)
	case n.unlisted.Load():
		session.Note("%s is empty for accounts that are not in the accounts list", columnAccountName)
	}
}
