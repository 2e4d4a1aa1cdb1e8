package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"reseller/client"
	"reseller/client/names"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// checkNumber keeps that a number is taken for an id, and compares it with the names that are remembered. If another
// customer is called so, and still is in the list, which is read only then, a command that writes refuses the number, and one that
// reads goes on with a note.
func (x *Finder) checkNumber(ctx context.Context, w wanted) error {
	x.bare = append(x.bare, bareID{w.kind, w.ref.ID})
	if !x.remembers(ctx, w) {
		return nil
	}
	known := func(kind string) (names.List, error) { return x.known(ctx, kind, rememberedFor), nil }
	accounts, _ := known(Account)
	campaigns, _ := known(Campaign)
	if owner := campaigns.Owner(w.ref.ID); w.kind == Account && owner != 0 && campaigns.Of(w.ref.ID) == nil && !slices.Contains(accounts.IDs(), w.ref.ID) {
		x.session.NoteOnce(w.argument+" "+w.text, "%s: %s is the id of a campaign of account %d, and no account is known by it", w.argument, w.text, owner)
	}
	if len(x.others(w.kind, w.ref.ID, known)) == 0 {
		return nil
	}
	if doubt, prefixes := x.doubt(ctx, w.argument, w.kind, w.ref.ID, 0); doubt != "" {
		return &cli.UsageError{Message: fmt.Sprintf("%s: %q %s", w.argument, w.text, doubt), Hint: prefixes}
	}
	return nil
}

// doubt returns words for the account or campaign with an id and for others that are called by this number, by the lists as they are
// now, or as they are remembered if they can't be read, and how to name each of them. A command that reads has no doubt, but notes
// which it takes. Nor is there one if the campaign of the row, 0 if it is not known, tells the account.
func (x *Finder) doubt(ctx context.Context, argument, kind string, id, campaign int64) (doubt, prefixes string) {
	read := func(kind string) (names.List, error) {
		list, err := x.List(ctx, kind)
		if err != nil {
			list = x.recall(ctx, kind, rememberedFor)
		}
		return list, nil
	}
	list, _ := read(kind)
	found, number := x.others(kind, id, read), strconv.FormatInt(id, 10)
	if len(found) > 0 && kind == Account && campaign != 0 {
		if campaigns, _ := read(Campaign); campaigns.Owner(campaign) == id {
			return "", ""
		}
	}
	prefixes = fmt.Sprintf("%s names the first, %s", schema.PrefixID+number, describe(found, number, "the other"))
	switch meant := kind + " " + list.Find(id).String(); {
	case len(found) == 0:
	case x.writes:
		return fmt.Sprintf("may be %s or %s", meant, entries(found)), prefixes
	case list != nil && !slices.Contains(list.IDs(), id) && slices.Contains(x.bare, bareID{kind, id}): // Replace says which is meant
	default:
		x.session.NoteOnce(argument+" "+number, "%s: %q is taken for the id of %s, not for %s; %s", argument, number, meant, entries(found), prefixes)
	}
	return "", ""
}

// others returns the accounts or campaigns with another id than a number which are called by it, in the lists that read returns.
func (x *Finder) others(kind string, id int64, read func(kind string) (names.List, error)) names.List {
	found, _ := x.search(wanted{kind: kind, ref: names.Reference{Text: strconv.FormatInt(id, 10)}}, read)
	return slices.DeleteFunc(found, func(e names.Entry) bool { return e.ID == id })
}

func entries(list names.List) string {
	return phrase.First(phrase.Each(list, func(e names.Entry) string {
		if e.Account != 0 {
			return Campaign + " " + e.String()
		}
		return Account + " " + e.String()
	}), maxListed)
}

// describe returns how accounts or campaigns that are called by a text are named without doubt. other stands for what is named.
func describe(list names.List, text, other string) string {
	var words []string
	for _, e := range list[:min(len(list), maxSuggested)] {
		word := e.Reference(text)
		if slices.ContainsFunc(list, func(o names.Entry) bool { return o.ID != e.ID && o.Reference(text) == word }) {
			word = schema.PrefixID + strconv.FormatInt(e.ID, 10)
		}
		words = append(words, word)
	}
	return strings.Join(words, " or ") + " " + other
}

// Read calls read with an id of a kind, or returns the error of a missing one. If the service has none with this id, and
// the user gave it as a number without a prefix, the number is looked up as a name and an external identifier, and the
// record that is called so is read instead.
func (x *Finder) Read(ctx context.Context, kind string, id int64, read func(id int64) error) error {
	if err := x.Unfound(id); err != nil {
		return err
	}
	err := read(id)
	if x == nil || !errors.Is(err, client.ErrNotFound) || x.session.Flags.Raw {
		return err
	}
	if ids := []int64{id}; x.Replace(ctx, kind, ids, nil) {
		return read(ids[0])
	}
	return err
}

// Replace puts, in place of each id of a kind that does not exist and was given as a number without a prefix, the account or
// campaign that is called by the number. It reports whether there is any. A number by which several are called stays, with a
// note. If exists is nil, none of the ids exists.
func (x *Finder) Replace(ctx context.Context, kind string, ids []int64, exists func(id int64) bool) (isOther bool) {
	for i, id := range ids {
		if exists != nil && exists(id) {
			continue
		}
		text, found := strconv.FormatInt(id, 10), x.namedByNumber(ctx, kind, id)
		if len(found) == 1 {
			x.session.Note("no %s has the id %d: %s is meant (%s)", kind, id, entries(found), found[0].Reference(text))
			ids[i], isOther = found[0].ID, true
		} else if len(found) > 1 {
			x.session.Note("no %s has the id %d: %s", kind, id, describe(found, text, "are "+entries(found)))
		}
	}
	return isOther
}

// namedByNumber returns the accounts or campaigns that are called by a number, if it was given without a prefix. It reads
// their lists; nothing is found in a list that can't be read.
func (x *Finder) namedByNumber(ctx context.Context, kind string, id int64) names.List {
	if x == nil || !slices.Contains(x.bare, bareID{kind, id}) {
		return nil
	}
	return x.others(kind, id, func(kind string) (names.List, error) { return x.List(ctx, kind) })
}

// NotFound returns the error of a write. If the service has no account or campaign with a number that was given without a
// prefix, and others are called so, the hint says how to name them: a write is never sent to another one than was named.
func (x *Finder) NotFound(ctx context.Context, err error) error {
	if x == nil || !errors.Is(err, client.ErrNotFound) {
		return err
	}
	for _, n := range x.bare {
		if found := x.namedByNumber(ctx, n.kind, n.id); len(found) > 0 {
			return cli.WithHint(err, fmt.Sprintf("%s%d was meant, which does not exist; %s", schema.PrefixID, n.id, describe(found, fmt.Sprint(n.id), phrase.Noun(len(found), "is ", "are ")+entries(found))))
		}
	}
	return err
}

// RefuseTaken returns the error of a write by hand that gives an account the identifier of another one. It looks only into the list
// of accounts that this command has read, or that a command has read in the last minutes.
func (x *Finder) RefuseTaken(ctx context.Context, account int64, identifier record.Value) error {
	text := portfolio.IdentifierText(identifier)
	for _, e := range x.known(ctx, Account, cacheLifetime) {
		if text != "" && e.ID != account && schema.FoldText(e.Identifier) == schema.FoldText(text) {
			return cli.Usagef("external_account_identifier: %s", portfolio.TakenIdentifier(text, e.ID).Reason)
		}
	}
	return nil
}

// Numbers tell of the external identifiers that a command gives to accounts and that are numbers.
type Numbers struct{ first, others string }

// Add adds the identifier of an account that is sent, if it is a number.
func (n *Numbers) Add(identifier record.Value) {
	switch number := cmp.Or(identifier.Get("field_value").Text(), identifier.Text()); {
	case number == n.first || !schema.IsID(number):
	case n.first == "":
		n.first = number
	default:
		n.others = ", as others are"
	}
}

func (n *Numbers) Note(session *cli.Session) {
	if n.first != "" {
		session.Note("external_account_identifier %s is a number%s, and a number names an account by its id: write %s where this identifier is meant", n.first, n.others, schema.PrefixIdentifier+n.first)
	}
}
