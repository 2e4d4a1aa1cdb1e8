// Package lookup finds the accounts and campaigns that users name on the command line.
package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"reseller/client/bulk/rows"
	"reseller/client/names"
	"reseller/client/nearest"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

const (
	Account  = "account"
	Campaign = "campaign"
)

const maxListed = 10

const maxSuggested = 3

// A Finder finds the ids of accounts and campaigns by the names that the user gives. It calls the service only
// for a text that is no id, and reads each list once.
type Finder struct {
	session *cli.Session
	writes  bool
	reading sync.Mutex             // the lists
	lists   map[string]names.List  // by their kind; those that were read
	indexes map[string]names.Index // of these lists, for a search of many texts; else nil
	bare    []bareID               // the ids that were given without a prefix
	Several bool                   // a list of the ids that were found last is printed, even of one: they are of several texts
	Partial bool                   // one of several texts by which nothing is called does not stop the others: Read returns its error
	missing []error                // of such texts
	renamed string                 // words for an account and the name that an update gives to it

	// ReadKeywords are the keywords that the command has read, by their ids: words about them need not read them again.
	ReadKeywords map[int64]record.Record
}

// A bareID is the id of an account or a campaign that was given without a prefix.
type bareID struct {
	kind string
	id   int64
}

// New returns a Finder for one command that reads.
func New(session *cli.Session) *Finder {
	return &Finder{session: session, lists: map[string]names.List{}}
}

// ForWrite returns a Finder for one command that changes the records found. It refuses a number that, by the names that are
// remembered, may also stand for another customer than the one with this id.
func ForWrite(session *cli.Session) *Finder {
	return &Finder{session: session, writes: true, lists: map[string]names.List{}}
}

// Accounts returns the ids of the accounts that the texts stand for: ids, names or external
// identifiers, each once. argument is the flag or argument with the texts, for errors.
func (x *Finder) Accounts(ctx context.Context, argument string, texts ...string) ([]int64, error) {
	return x.find(ctx, wanted{argument: argument, kind: Account}, texts)
}

// Campaigns returns the ids of the campaigns that the texts stand for: their ids, their names, or the names
// or external identifiers of their accounts. If accounts are given, the campaigns are looked for among theirs.
func (x *Finder) Campaigns(ctx context.Context, argument string, accounts []int64, texts ...string) ([]int64, error) {
	return x.find(ctx, wanted{argument: argument, kind: Campaign, accounts: accounts}, texts)
}

// Owner returns the account to which a campaign belongs by the list that was read to find the campaign. It returns
// 0 if no list was read, or if the list does not tell.
func (x *Finder) Owner(campaign int64) int64 { return x.got(Campaign).Owner(campaign) }

func (x *Finder) got(kind string) names.List {
	x.reading.Lock()
	defer x.reading.Unlock()
	return x.lists[kind]
}

// List returns all accounts or campaigns, which are read the first time.
func (x *Finder) List(ctx context.Context, kind string) (names.List, error) {
	return x.read(ctx, kind, 0)
}

// Recent is List that takes a list which was read of late from the cache.
func (x *Finder) Recent(ctx context.Context, kind string) (names.List, error) {
	return x.read(ctx, kind, cacheLifetime)
}

// read returns a list, which is read the first time if the cache has none that is younger than lifetime. The completion will
// offer its names.
func (x *Finder) read(ctx context.Context, kind string, lifetime time.Duration) (names.List, error) {
	x.reading.Lock() // a form reads the list of one field while the user is at another
	defer x.reading.Unlock()
	if x.lists[kind] == nil && lifetime > 0 {
		x.lists[kind] = x.recall(ctx, kind, lifetime)
	}
	if list := x.lists[kind]; list != nil {
		return list, nil
	}
	c, err := x.session.Client()
	if err != nil {
		return nil, err
	}
	read := names.Accounts
	if kind == Campaign {
		read = names.Campaigns
	}
	if x.lists[kind], err = read(ctx, c); err != nil {
		return nil, err
	}
	if cache, err := newCache(ctx, x.session, kind); err == nil {
		_ = cache.store(x.lists[kind], time.Now()) // without a cache, the next completion reads the list again
	}
	return x.lists[kind], nil
}

type wanted struct {
	argument, text string
	texts          int // of the argument
	ref            names.Reference
	kind           string  // account or campaign
	accounts       []int64 // whose campaigns count; none stands for all
}

func (x *Finder) find(ctx context.Context, w wanted, texts []string) ([]int64, error) {
	ids := make([]int64, len(texts))
	w.texts = len(texts)
	for i, text := range texts {
		if id, isNamed := strings.CutPrefix(text, w.kind+"/"); isNamed && schema.IsID(id) { // as -o name prints it
			text = schema.PrefixID + id
		}
		ref, err := names.Parse(text)
		w.text, w.ref = text, ref
		switch {
		case err != nil:
			err = cli.Usagef("%s: %q %v", w.argument, text, err)
		case ref.Bare:
			ids[i], err = ref.ID, x.checkNumber(ctx, w)
		case ref.Prefix == schema.PrefixID:
			ids[i] = ref.ID
		default:
			ids[i], err = x.only(ctx, w)
		}
		if err != nil {
			return nil, err
		}
	}
	x.Several = len(ids) > 1
	return cli.Distinct(ids), nil
}

// only returns the id of the only account or campaign that is called by a text.
func (x *Finder) only(ctx context.Context, w wanted) (int64, error) {
	found, err := x.search(w, func(kind string) (names.List, error) { return x.List(ctx, kind) })
	switch {
	case err != nil:
		return 0, err
	case len(found) == 0:
		return x.Missing(x.notFound(w), w.texts)
	case len(found) > 1:
		return 0, cli.Usagef("%s: %q %s", w.argument, w.text, w.several(found)).Hinted("give the id of the one that you mean")
	}
	return found[0].ID, nil
}

// Missing returns the error of one of n texts, by which nothing is called, or with Partial a number in place of its id that no id has.
func (x *Finder) Missing(err error, n int) (int64, error) {
	if !x.Partial || n == 1 {
		return 0, err
	}
	x.missing = append(x.missing, err)
	return math.MinInt64 + int64(len(x.missing)) - 1, nil
}

// Unfound returns the error of an id that Missing has returned, nil for any other.
func (x *Finder) Unfound(id int64) error {
	if at := uint64(id) - 1<<63; x != nil && at < uint64(len(x.missing)) {
		return x.missing[at]
	}
	return nil
}

// search returns the accounts or campaigns that are called by a text, in the lists that read returns: campaigns by their own names,
// or else by those of their accounts.
func (x *Finder) search(w wanted, read func(kind string) (names.List, error)) (names.List, error) {
	list, err := read(w.kind)
	if err != nil {
		return nil, err
	}
	found := w.within(x.meant(w.kind, list, w.ref))
	if w.kind == Account || len(found) > 0 {
		return found, nil
	}
	accounts, err := read(Account)
	return w.within(list.Of(x.meant(Account, accounts, w.ref).IDs()...)), err
}

func (x *Finder) meant(kind string, list names.List, ref names.Reference) names.List {
	if x.indexes == nil {
		return list.Meant(ref)
	}
	if x.indexes[kind] == nil {
		x.indexes[kind] = list.Index()
	}
	return x.indexes[kind].Meant(ref)
}

func (w wanted) within(list names.List) names.List {
	if len(w.accounts) == 0 {
		return list
	}
	return list.Of(w.accounts...)
}

func (w wanted) what() string {
	if len(w.accounts) == 0 {
		return w.kind
	}
	ids := phrase.Each(w.accounts, func(id int64) string { return fmt.Sprint(id) })
	return w.kind + " of " + phrase.Noun(len(ids), "account ", "the accounts ") + strings.Join(ids, ", ")
}

// notFound returns the error of a text that nothing is called by. It suggests those with a similar name.
func (x *Finder) notFound(w wanted) error {
	similar := w.within(x.got(w.kind))
	if w.kind == Campaign {
		similar = slices.Concat(similar, slices.DeleteFunc(slices.Clone(x.got(Account)), func(e names.Entry) bool {
			return len(w.accounts) > 0 && !slices.Contains(w.accounts, e.ID)
		}))
	}
	var called []string
	for _, e := range similar {
		for _, name := range []string{e.Name, e.Identifier} {
			if folded := schema.FoldText(name); folded != "" && folded != schema.FoldText(w.ref.Text) {
				called = append(called, name)
			}
		}
	}
	text, isIdentifier := strings.CutPrefix(w.text, schema.PrefixIdentifier)
	is := map[bool]string{true: "has the external identifier", false: "is called"}[isIdentifier]
	return &cli.ExitError{
		Code: cli.ExitNotFound, Err: fmt.Errorf("%s: no %s %s %q%s", w.argument, w.what(), is, text, x.session.Unlisted(Account)),
		Hint: cmp.Or(DidYouMean(w.ref.Text, called), fmt.Sprintf("`reseller %ss list` shows the %[1]ss", w.kind)),
	}
}

func (w wanted) several(found names.List) string {
	words := phrase.First(phrase.Each(found, names.Entry.String), maxListed)
	return fmt.Sprintf("is the name of %d %s: %s", len(found), strings.Replace(w.what(), w.kind, w.kind+"s", 1), words)
}

// DidYouMean returns a hint with the names that are near a text, an empty text if none is.
func DidYouMean(text string, called []string) string {
	near := nearest.Names(text, called, maxSuggested)
	if near == nil {
		return ""
	}
	for i := range near {
		near[i] = strconv.Quote(near[i])
	}
	return fmt.Sprintf("did you mean %s?", phrase.Or(near))
}

// References returns the look-up of the accounts and campaigns that the cells of a file name in other words than by a number. The
// lists are read once, when the first such cell is found.
func (x *Finder) References(ctx context.Context) *rows.References {
	x.indexes = map[string]names.Index{}
	unlisted := sync.OnceValue(func() string { return x.session.Unlisted(Account) })
	refs := &rows.References{Find: func(field, text string, account int64) (int64, string, error) {
		ref, err := names.Parse(text)
		if err != nil {
			return 0, err.Error(), nil
		}
		if ref.Prefix == schema.PrefixID {
			return ref.ID, "", nil
		}
		w := wanted{ref: ref, kind: Account}
		if field == "campaign_id" {
			w.kind = Campaign
			if account != 0 {
				w.accounts = []int64{account}
			}
		}
		found, err := x.search(w, func(kind string) (names.List, error) { return x.List(ctx, kind) })
		switch {
		case err != nil:
			return 0, "", err
		case len(found) == 0:
			return 0, "names no " + w.what() + unlisted(), nil
		case len(found) > 1:
			return 0, w.several(found), nil
		}
		return found[0].ID, "", nil
	}}
	x.addNumbers(ctx, refs)
	return refs
}

func PickAccount(session *cli.Session) *form.Field {
	return cli.IDField("ACCOUNT_ID", "the account", New(session).Choices(Account, ""))
}

// PickCampaign returns the field of the argument CAMPAIGN_ID. The user picks one of the campaigns of the reseller, or of the
// account, if one is given.
func PickCampaign(session *cli.Session, account ...int64) *form.Field {
	owner := ""
	if len(account) > 0 {
		owner = strconv.FormatInt(account[0], 10)
	}
	return cli.IDField("CAMPAIGN_ID", "the campaign", New(session).Choices(Campaign, owner))
}

// Choices returns the accounts or the campaigns of which the user picks one: the campaigns of the account whose id the field
// before has, or else owner is, and all if neither is an id.
func (x *Finder) Choices(kind, owner string) func(ctx context.Context, before string) ([]form.Choice, error) {
	return func(ctx context.Context, before string) ([]form.Choice, error) {
		list, err := x.List(ctx, kind)
		if id, err := strconv.ParseInt(cmp.Or(before, owner), 10, 64); err == nil {
			list = list.Of(id)
		}
		if list = list.Distinct(); err != nil || len(list) == 0 {
			return nil, cmp.Or(err, errors.New("there are no "+kind+"s"))
		}
		found := make([]form.Choice, len(list))
		for i, e := range list {
			found[i] = form.Choice{Value: strconv.FormatInt(e.ID, 10), Text: e.String()}
		}
		return found, nil
	}
}
