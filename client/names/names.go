// Package names knows what accounts and campaigns are called, and finds those that a text means.
package names

import (
	"context"
	"slices"
	"strconv"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/schema"
)

// An Entry is an account or a campaign with its names.
type Entry struct {
	ID          int64  `json:"id"`
	Account     int64  `json:"account,omitempty"` // to which a campaign belongs; 0 for an account
	Name        string `json:"name,omitempty"`
	Identifier  string `json:"identifier,omitempty"` // the external_account_identifier of an account
	Deactivated bool   `json:"deactivated,omitempty"`
}

// A List is the accounts or the campaigns of a reseller, in the order of the service.
type List []Entry

// Accounts reads the list of accounts of version 1, which shows their external identifiers.
func Accounts(ctx context.Context, c *client.Client) (List, error) {
	var list List
	for rec, err := range c.List(ctx, client.Call{Op: &schema.OpAccountsV1List}) {
		if err != nil {
			return nil, err
		}
		if id, ok := rec.Get("account_id").Int64(); ok {
			list = append(list, Entry{
				ID: id, Name: rec.Get("account_name").Text(), Identifier: portfolio.IdentifierText(rec.Get("external_account_identifier")),
				Deactivated: portfolio.AccountStatus(rec) == "deactivated",
			})
		}
	}
	return list, nil
}

// Campaigns reads the list of campaigns. Its entries have no identifier, and no name if the service does not show it.
func Campaigns(ctx context.Context, c *client.Client) (List, error) {
	var list List
	for rec, err := range c.List(ctx, client.Call{Op: &schema.OpCampaignsList}) {
		if err != nil {
			return nil, err
		}
		if id, ok := rec.Get("campaign_id").Int64(); ok {
			account, _ := rec.Get("account_id").Int64()
			list = append(list, Entry{ID: id, Account: account, Name: rec.Get("campaign_name").Text()})
		}
	}
	return list, nil
}

// Distinct returns the entries, each id once.
func (l List) Distinct() List { return l.filter(func(*Entry) bool { return true }) }

// Of returns the campaigns of the accounts with these ids.
func (l List) Of(accounts ...int64) List {
	return l.filter(func(e *Entry) bool { return slices.Contains(accounts, e.Account) })
}

// IDs returns the ids of the entries.
func (l List) IDs() []int64 {
	ids := make([]int64, len(l))
	for i := range l {
		ids[i] = l[i].ID
	}
	return ids
}

// Find returns the first entry with the id, and one without a name if there is none.
func (l List) Find(id int64) Entry {
	for i := range l {
		if l[i].ID == id {
			return l[i]
		}
	}
	return Entry{ID: id}
}

// Owner returns the account to which the campaign with the id belongs. It returns 0 if the list shows none or several.
func (l List) Owner(campaign int64) int64 {
	var owner int64
	for i := range l {
		switch e := &l[i]; {
		case e.ID != campaign:
		case e.Account == 0 || owner != 0 && owner != e.Account:
			return 0
		default:
			owner = e.Account
		}
	}
	return owner
}

// filter returns the entries that keep accepts, each id once: an account with several campaigns may be listed several times.
func (l List) filter(keep func(*Entry) bool) List {
	var kept List
	isKept := map[int64]bool{}
	for i := range l {
		if e := &l[i]; keep(e) && !isKept[e.ID] {
			isKept[e.ID] = true
			kept = append(kept, *e)
		}
	}
	return kept
}

// String returns the entry in words: its id, and the facts that tell it from others.
func (e Entry) String() string {
	account, status := "", ""
	if e.Account != 0 {
		account = "account " + strconv.FormatInt(e.Account, 10)
	}
	if e.Deactivated {
		status = "deactivated"
	}
	return phrase.With(strconv.FormatInt(e.ID, 10), e.Name, e.Identifier, account, status)
}
