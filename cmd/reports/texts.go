package reports

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"reseller/client/phrase"
	"reseller/client/summary"
	"reseller/client/words"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/output/page"
)

// A customerNote is what the file of --notes says of a campaign, with the words of its page.
type customerNote struct {
	page.Note
	words *words.Words
}

type customerNotes struct {
	path      string
	all       []customerNote
	campaigns map[int64]customerNote // what is said of them
	accounts  map[int64]customerNote
	rest      customerNote // of campaigns of which nothing is said
}

// read reads the file. The usual words are those of pages whose customer has no language.
func (n *customerNotes) read(ctx context.Context, session *cli.Session, own *ownWords, usual *words.Words) error {
	n.rest.words = usual
	if n.path == "" {
		return nil
	}
	return parseFile(ctx, session, "--notes", n.path, page.MaxNotesFile, func(text []byte) error {
		notes, err := page.ParseNotes(text)
		if err != nil {
			return err
		}
		for _, note := range notes {
			of := customerNote{note, usual}
			if note.Language != "" {
				if of.words, err = own.in(note.Language); err != nil {
					return fmt.Errorf("%s: %w", note.Key, err)
				}
			}
			for name := range note.Targets {
				if !slices.Contains(summary.TargetNames, name) {
					return fmt.Errorf("%s: unknown target %q: use %s", note.Key, name, phrase.Or(summary.TargetNames))
				}
			}
			n.all = append(n.all, of)
		}
		return nil
	})
}

// match finds the campaigns that the file names: a number is the id of a campaign, and all else an account. It tells
// which numbers are of no selected campaign, and of which campaigns the file has no text.
func (n *customerNotes) match(ctx context.Context, session *cli.Session, find *lookup.Finder, refs []campaignRef) error {
	if n.path == "" {
		return nil
	}
	n.campaigns, n.accounts = map[int64]customerNote{}, map[int64]customerNote{}
	var others, both, without []string
	for _, note := range n.all {
		key := note.Key
		id, _ := strconv.ParseInt(key, 10, 64)
		places, kind := n.campaigns, "campaign"
		switch {
		case id < 1 || strconv.FormatInt(id, 10) != key:
			ids, err := find.Accounts(ctx, "--notes "+n.path, key)
			if err != nil {
				return err
			}
			id, places, kind = ids[0], n.accounts, "account"
		case slices.ContainsFunc(refs, func(ref campaignRef) bool { return ref.campaign == id }):
		case slices.ContainsFunc(refs, func(ref campaignRef) bool { return ref.account == id }):
			others = append(others, key+" (id:"+key+" is the account)")
		default:
			others = append(others, key)
		}
		if before, isNamed := places[id]; isNamed {
			return cli.Usagef("--notes %s: %q and %q are the same %s", n.path, before.Key, key, kind)
		}
		places[id] = note
	}
	if len(others) > 0 {
		session.Note("%s has %s the id of no selected campaign: %s", n.path, phrase.Noun(len(others), "a key that is", "keys that are"), phrase.First(others, maxNamed))
	}
	for _, ref := range refs {
		id := strconv.FormatInt(ref.campaign, 10)
		if len(n.campaigns[ref.campaign].Text) > 0 && len(n.accounts[ref.account].Text) > 0 {
			both = append(both, id)
		}
		if ref.err == nil && len(n.of(ref).Text) == 0 {
			without = append(without, id)
		}
	}
	if len(both) > 0 {
		session.Note("%s has a text for %s %s and for the account: the page has that of the campaign", n.path, phrase.Noun(len(both), "campaign", "campaigns"), phrase.First(both, maxNamed))
	}
	if len(without) > 0 {
		session.Note("%s has no text for %s %s", n.path, phrase.Noun(len(without), "campaign", "campaigns"), phrase.First(without, maxNamed))
	}
	return nil
}

const maxNamed = 20

// of returns what is said of a campaign, and of its account where nothing is said of the campaign.
func (n *customerNotes) of(ref campaignRef) customerNote {
	note, found := n.accounts[ref.account]
	if !found {
		note = n.rest
	}
	own := n.campaigns[ref.campaign]
	if own.Language == "" {
		own.words = note.words
	}
	if len(own.Targets) == 0 {
		own.Targets = note.Targets
	}
	if len(own.Text) == 0 {
		own.Text = note.Text
	}
	return own
}

type ownWords struct {
	path string
	all  *words.Words // nil if there is no file
}

func (o *ownWords) read(ctx context.Context, session *cli.Session) error {
	if o.path == "" {
		return nil
	}
	return parseFile(ctx, session, "--words", o.path, words.MaxFile, func(text []byte) (err error) {
		o.all, err = words.Parse(text)
		return err
	})
}

func parseFile(ctx context.Context, session *cli.Session, flag, path string, limit int64, parse func([]byte) error) error {
	text, err := session.ReadInput(ctx, path, limit)
	if err == nil {
		err = parse(text)
	}
	if err != nil {
		return cli.Usagef("%s %s: %v", flag, path, unnamed(err))
	}
	return nil
}

func (o *ownWords) in(language string) (*words.Words, error) {
	if o.all != nil && o.all.Language == language {
		return o.all, nil
	}
	w, ok := words.In(language)
	if !ok {
		return nil, fmt.Errorf("language %q: use %s, or --words FILE", language, phrase.Or(words.Languages))
	}
	return w, nil
}

func unnamed(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

func newWordsCmd(f *cli.Frame) *cobra.Command {
	language := words.Languages[0]
	c := &cobra.Command{
		Use:   "words",
		Short: "Print the words of the pages that customers get",
		Long: "Print the file with every word of the pages that `reports summary` makes, in one of the languages of the program. To make\n" +
			"pages in another language, or in words of your own, write it to a file, change the words and the language (a tag such\n" +
			"as it or pt-BR, which also gives the form of numbers and the plural forms), and pass it to `reports summary --words`.\n" +
			"A file with a key that is unknown or missing is refused with the key's name, as is a place such as {n} that a text\n" +
			"lacks or that the program does not know.",
		Example: "reseller reports words --language de --output-file german.yaml",
		Args:    cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !slices.Contains(words.Languages, language) {
				return cli.Usagef("--language %q: use %s", language, phrase.Or(words.Languages))
			}
			return f.Output.Text(string(words.Source(language)))
		},
	}
	c.Flags().StringVar(&language, "language", language, "print the words in `LANGUAGE`: "+phrase.Or(words.Languages))
	return c
}
