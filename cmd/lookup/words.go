package lookup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"reseller/client"
	"reseller/client/names"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// MaxNamed is how many accounts or keywords a question names.
const MaxNamed = 5

// maxWait is how long a question waits for the names in it.
const maxWait = 5 * time.Second

// Customers returns words for accounts, such as "Harbour Bikes (account 2)", to ask the user about them. It reads
// their names only if somebody is asked; names that are not known, or can't be read, are left out.
func (x *Finder) Customers(ctx context.Context, accounts ...int64) string {
	list := x.accounts
	if x.f.Confirms() {
		list = x.accountsInTime(ctx)
	}
	words := make([]string, len(accounts))
	for i, id := range accounts {
		words[i] = customer(list, id)
	}
	return phrase.List(words...)
}

// accountsInTime returns the accounts, or none if they can't be read while a question waits.
func (x *Finder) accountsInTime(ctx context.Context) names.List {
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	list, _ := x.ReadAccounts(ctx)
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
// to ask the user about them. Those that can't be read are named by their ids.
func (x *Finder) Keywords(ctx context.Context, ids ...int64) string {
	reading, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	c, failed := x.f.Client()
	var accounts []int64 // each once
	var unread []string
	ofAccount := map[int64][]string{}
	for _, id := range ids {
		var rec record.Record
		if failed == nil {
			rec, failed = c.Record(reading, client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", id))
		}
		account, ok := rec.Get("account_id").Int64()
		if client.IsNotFound(failed) {
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
	if len(accounts) > 0 {
		list = x.accountsInTime(ctx)
	}
	for _, account := range accounts {
		parts = append(parts, strings.Join(ofAccount[account], ", ")+" of "+customer(list, account))
	}
	return strings.Join(append(parts, unread...), "; ")
}

// More returns words for n accounts or keywords behind the first few.
func More(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; and %d more", n)
}
