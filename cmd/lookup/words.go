package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"reseller/client"
	"reseller/client/names"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

const MaxNamed = 5

// Patience is how long a question, the note about a write by hand, or a page that has all its other data waits for the
// names in it. Tests whose machine may be busy change it.
var Patience = 3 * time.Second

// Customers returns words for accounts, such as "Harbour Bikes (account 2)", to ask the user about them. It reads
// their names only if somebody is asked; names that are not known, or can't be read, are left out.
func (x *Finder) Customers(ctx context.Context, accounts ...int64) string {
	list := x.got(Account)
	if x.session.Confirms() {
		list = x.accountsInTime(ctx)
	}
	return phrase.List(phrase.Each(accounts, func(id int64) string { return customer(list, id) })...)
}

// accountsInTime returns the accounts, or none if they can't be read while a question waits.
func (x *Finder) accountsInTime(ctx context.Context) names.List {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	list, _ := x.List(ctx, Account)
	return list
}

func customer(list names.List, id int64) string {
	account := fmt.Sprintf("account %d", id)
	if name := list.Find(id).Name; name != "" {
		return phrase.With(name, account)
	}
	return account
}

// Keywords returns words for keywords with their customers, such as
//
//	"red shoes" (1001), "blue shoes" (1002) of Harbour Bikes (account 2)
//
// to ask the user about them: the first MaxNamed, and how many more there are. Those that can't be read are named by their ids.
func (x *Finder) Keywords(ctx context.Context, ids ...int64) string {
	reading, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	c, failed := x.session.Client()
	var accounts []int64 // each once
	var unread []string
	ofAccount := map[int64][]string{}
	for _, id := range ids[:min(len(ids), MaxNamed)] {
		rec, isRead := x.ReadKeywords[id]
		if failed == nil && !isRead {
			rec, failed = c.Record(reading, client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", id))
		}
		account, ok := rec.Get("account_id").Int64()
		if errors.Is(failed, client.ErrNotFound) {
			failed = nil
		}
		if !ok {
			unread = append(unread, fmt.Sprintf("keyword %d", id))
			continue
		}
		if ofAccount[account] == nil {
			accounts = append(accounts, account)
		}
		ofAccount[account] = append(ofAccount[account], fmt.Sprintf("%s (%d)", safetext.Quote(rec.Get("keyword").Text()), id))
	}
	var parts []string
	var list names.List
	switch len(accounts) {
	case 0:
	case 1: // one record, if no list was read of late
		list = names.List{{ID: accounts[0], Name: x.nameOf(reading, accounts[0])}}
	default:
		list = x.accountsInTime(ctx)
	}
	for _, account := range accounts {
		parts = append(parts, strings.Join(ofAccount[account], ", ")+" of "+customer(list, account))
	}
	return strings.Join(append(parts, unread...), "; ") + More(max(len(ids)-MaxNamed, 0))
}

// More returns words for n accounts or keywords behind the first few.
func More(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; and %d more", n)
}

// Tell notes the records that a write by hand changes, or would change in a dry run: the account, the campaign or the keywords
// that the body of its call names by their ids, apart from those that failed.
func (x *Finder) Tell(ctx context.Context, did string, body record.Value, failed ...client.ItemError) {
	if x.session.Flags.Quiet {
		return
	}
	var ranks []int64
	for _, list := range []record.Value{body.Get("keywords"), body.Get("rank_id")} {
		for item := range list.Elements() {
			if item.Kind() == record.Object {
				item = item.Get("rank_id")
			}
			id, ok := item.Int64()
			if ok && !slices.ContainsFunc(failed, func(e client.ItemError) bool { return int64(e.RankID) == id }) {
				ranks = append(ranks, id)
			}
		}
	}
	key := "rank_id"
	for _, name := range []string{"campaign_id", "account_id"} {
		if id, ok := body.Get(name).Int64(); ok {
			key, ranks = name, []int64{id}
		}
	}
	if words := cmp.Or(x.renamed, x.Words(ctx, key, ranks...)); words != "" {
		x.session.Note("%s %s", did, words)
	}
}

// KeepName keeps for Tell the name of an account that the body of an update changes, and the new name. The present one is read, as
// Words says, before the update.
func (x *Finder) KeepName(ctx context.Context, body record.Value) {
	name := body.Get("account_name").Text()
	id, _ := body.Get("account_id").Int64()
	if flags := x.session.Flags; flags.Quiet || flags.Raw && !flags.DryRun || name == "" {
		return
	}
	account := fmt.Sprintf("account %d", id)
	if words := x.Words(ctx, "account_id", id); words != phrase.With(name, account) {
		x.renamed = cmp.Or(words, account) + ": its new name is " + name
	}
}

// Words returns words for the account, the campaign or the keywords with these ids, which the field key has. It reads a name
// only if no list that was read of late has it. What can't be read has no words: the write does not depend on them.
func (x *Finder) Words(ctx context.Context, key string, ids ...int64) (words string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Patience)
	defer cancel()
	switch {
	case len(ids) == 0:
	case key == "account_id":
		if words = x.nameOf(ctx, ids[0]); words != "" {
			words = fmt.Sprintf("%s (account %d)", words, ids[0])
		}
	case key == "campaign_id":
		list, _ := x.Recent(ctx, Campaign)
		if e := list.Find(ids[0]); e.Name != "" || e.Account != 0 {
			words = "campaign " + e.String()
			if name := x.nameOf(ctx, e.Account); name != "" && name != e.Name {
				words += " of " + name
			}
		}
	default:
		words = x.Keywords(ctx, ids...)
	}
	return words
}

func (x *Finder) nameOf(ctx context.Context, account int64) string {
	if e := x.known(ctx, Account, cacheLifetime).Find(account); e.Name != "" || account == 0 {
		return e.Name
	}
	c, err := x.session.Client()
	if err != nil {
		return ""
	}
	rec, _ := c.Record(ctx, client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", account))
	return rec.Get("account_name").Text()
}
