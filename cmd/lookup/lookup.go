// Package lookup finds the accounts and campaigns that users name on the command line.
package lookup

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"reseller/client"
	"reseller/client/names"
	"reseller/client/nearest"
	"reseller/client/phrase"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// The kinds of what is found, in words.
const (
	Account  = "account"
	Campaign = "campaign"
)

// maxListed is how many of the accounts or campaigns with one name an error lists.
const maxListed = 10

// maxSuggested is how many names an error suggests in place of one that nothing has.
const maxSuggested = 3

// A Finder finds the ids of accounts and campaigns by what the user calls them. It calls the service only
// for a text that is no id, and reads each list once.
type Finder struct {
	f                   *cli.Factory
	writes              bool
	reading             sync.Mutex // the lists
	accounts, campaigns names.List // nil until they were read
	bare                []number   // the ids that were given without a prefix
}

// A number is the id of an account or a campaign that was given without a prefix.
type number struct {
	kind string
	id   int64
}

// New returns a Finder for one command that reads.
func New(f *cli.Factory) *Finder { return &Finder{f: f} }

// ForWrite returns a Finder for one command that changes what is found. It refuses a number that, by the names that are
// remembered, may also stand for another customer than the one with this id.
func ForWrite(f *cli.Factory) *Finder { return &Finder{f: f, writes: true} }

// Accounts returns the ids of the accounts that the texts stand for: ids, names or external
// identifiers. argument is the flag or argument with the texts, for errors.
func (x *Finder) Accounts(ctx context.Context, argument string, texts ...string) ([]int64, error) {
	return x.find(ctx, wanted{argument: argument, kind: Account}, texts, func(w wanted) (int64, error) {
		list, err := x.ReadAccounts(ctx)
		if err != nil {
			return 0, err
		}
		return w.only(list.Meant(w.ref), list)
	})
}

// Campaigns returns the ids of the campaigns that the texts stand for: their ids, their names, or the names
// or external identifiers of their accounts. If accounts are given, the campaigns are looked for among theirs.
func (x *Finder) Campaigns(ctx context.Context, argument string, accounts []int64, texts ...string) ([]int64, error) {
	return x.find(ctx, wanted{argument: argument, kind: Campaign}, texts, func(w wanted) (int64, error) {
		list, err := x.ReadCampaigns(ctx)
		if err != nil {
			return 0, err
		}
		if len(accounts) > 0 {
			list, w.where = list.Of(accounts...), " of "+accountWords(accounts)
		}
		if found := list.Meant(w.ref); len(found) > 0 {
			return w.only(found, nil)
		}
		ofAccounts, err := x.ReadAccounts(ctx)
		if err != nil {
			return 0, err
		}
		if len(accounts) > 0 {
			ofAccounts = slices.DeleteFunc(slices.Clone(ofAccounts), func(e names.Entry) bool { return !slices.Contains(accounts, e.ID) })
		}
		return w.only(list.Of(ofAccounts.Meant(w.ref).IDs()...), slices.Concat(list, ofAccounts))
	})
}

// Owner returns the account to which a campaign belongs by the list that was read to find the campaign. It returns
// 0 if no list was read, or if the list does not tell.
func (x *Finder) Owner(campaign int64) int64 { return x.campaigns.Owner(campaign) }

// ReadAccounts returns all accounts.
func (x *Finder) ReadAccounts(ctx context.Context) (names.List, error) {
	return x.read(ctx, Account, &x.accounts, names.Accounts)
}

// ReadCampaigns returns all campaigns.
func (x *Finder) ReadCampaigns(ctx context.Context) (names.List, error) {
	return x.read(ctx, Campaign, &x.campaigns, names.Campaigns)
}

// read returns a list, which is read the first time. The completion will offer what was read.
func (x *Finder) read(ctx context.Context, kind string, list *names.List, of func(context.Context, *client.Client) (names.List, error)) (names.List, error) {
	x.reading.Lock() // a form reads the list of one field while the user is at another
	defer x.reading.Unlock()
	if *list != nil {
		return *list, nil
	}
	c, err := x.f.Client()
	if err != nil {
		return nil, err
	}
	if *list, err = of(ctx, c); err != nil {
		return nil, err
	}
	if cache, err := newCache(ctx, x.f, kind); err == nil {
		_ = cache.store(*list, time.Now()) // without a cache, the next completion reads the list again
	}
	return *list, nil
}

// find returns an id for each text, which search finds if the text is no id.
func (x *Finder) find(ctx context.Context, what wanted, texts []string, search func(wanted) (int64, error)) ([]int64, error) {
	ids := make([]int64, len(texts))
	for i, text := range texts {
		ref, err := names.Parse(text)
		what.text, what.ref = text, ref
		switch {
		case err != nil:
			err = cli.Usagef("%s: %v", what.argument, err)
		case ref.Bare:
			ids[i], err = ref.ID, x.checkNumber(ctx, what)
		case ref.Prefix == schema.PrefixID:
			ids[i] = ref.ID
		default:
			ids[i], err = search(what)
		}
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// wanted is what the user wants to be found.
type wanted struct {
	argument, text string
	ref            names.Reference
	kind           string // account or campaign
	where          string // words for the accounts whose campaigns count, with a space in front
}

// only returns the id of the only entry that was found. Without any, the error suggests those with a
// similar name; with several, it lists them.
func (w wanted) only(found, similar names.List) (int64, error) {
	switch {
	case len(found) == 1:
		return found[0].ID, nil
	case len(found) == 0:
		err := &cli.ExitError{
			Code: cli.ExitNotFound, Err: fmt.Errorf("%s: no %s%s is called %q", w.argument, w.kind, w.where, w.text),
			Hint: fmt.Sprintf("`reseller %ss list` shows the %[1]ss", w.kind),
		}
		var called []string
		for _, e := range similar {
			for _, name := range []string{e.Name, e.Identifier} {
				if folded := schema.FoldText(name); folded != "" && folded != schema.FoldText(w.ref.Text) {
					called = append(called, name)
				}
			}
		}
		if near := nearest.Names(w.ref.Text, called, maxSuggested); near != nil {
			for i := range near {
				near[i] = strconv.Quote(near[i])
			}
			err.Hint = fmt.Sprintf("did you mean %s?", phrase.Or(near))
		}
		return 0, err
	}
	var list []string
	for _, e := range found[:min(len(found), maxListed)] {
		list = append(list, e.String())
	}
	if more := len(found) - maxListed; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return 0, &cli.UsageError{
		Message: fmt.Sprintf("%s: %q is the name of %d %ss%s: %s", w.argument, w.text, len(found), w.kind, w.where, strings.Join(list, ", ")),
		Hint:    "give the id of the one that you mean",
	}
}

func accountWords(ids []int64) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = fmt.Sprint(id)
	}
	if len(ids) == 1 {
		return "account " + words[0]
	}
	return "the accounts " + strings.Join(words, ", ")
}
