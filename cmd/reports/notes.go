package reports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/bulk/decode"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/summary"
	"reseller/client/words"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/output/chart"
	"reseller/output/page"
)

// A customerNote is what the file of --notes says of a campaign, with the words of its page.
type customerNote struct {
	page.Note
	words *words.Words
}

// customerNotes are those of the file of --notes.
type customerNotes struct {
	path      string
	all       []customerNote
	campaigns map[int64]int // the places in all of what is said of them
	accounts  map[int64]int
	rest      customerNote // of campaigns of which nothing is said
}

// read reads the file.
func (n *customerNotes) read(ctx context.Context, o *summaryOptions, session *cli.Session) error {
	n.rest.words = o.page.Words
	if n.path == "" {
		return nil
	}
	data, err := session.ReadInput(ctx, n.path, page.MaxNotesFile)
	var notes []page.Note
	if err == nil {
		notes, err = page.ParseNotes(data)
	}
	for _, note := range notes {
		of := customerNote{note, o.page.Words}
		if note.Language != "" && err == nil {
			if of.words, err = o.wordsIn(note.Language); err != nil {
				err = fmt.Errorf("%s: %w", note.Key, err)
			}
		}
		for name := range note.Targets {
			if !slices.Contains(summary.TargetNames, name) && err == nil {
				err = fmt.Errorf("%s: unknown target %q: use %s", note.Key, name, phrase.Or(summary.TargetNames))
			}
		}
		n.all = append(n.all, of)
	}
	if err != nil {
		return cli.Usagef("--notes %s: %v", n.path, unnamed(err))
	}
	return nil
}

// match finds the campaigns that the file names: a number is the id of a campaign, and all else an account. It tells
// which numbers are of no selected campaign, and of which campaigns the file has no text.
func (n *customerNotes) match(ctx context.Context, o *summaryOptions, session *cli.Session, refs []campaignRef) error {
	if n.path == "" {
		return nil
	}
	n.campaigns, n.accounts = map[int64]int{}, map[int64]int{}
	var others, without []string
	for i := range n.all {
		key := n.all[i].Key
		id, _ := strconv.ParseInt(key, 10, 64)
		places, kind := n.campaigns, "campaign"
		switch {
		case id < 1 || strconv.FormatInt(id, 10) != key:
			ids, err := o.finder.Accounts(ctx, "--notes "+n.path, key)
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
			return cli.Usagef("--notes %s: %q and %q are the same %s", n.path, n.all[before].Key, key, kind)
		}
		places[id] = i
	}
	if len(others) > 0 {
		session.Note("%s has keys that are the id of no selected campaign: %s", n.path, phrase.First(others, namedWithout))
	}
	for _, ref := range refs {
		if ref.err == nil && len(n.of(ref).Text) == 0 {
			without = append(without, strconv.FormatInt(ref.campaign, 10))
		}
	}
	if len(without) > 0 {
		session.Note("%s has no text for %s %s", n.path, phrase.Noun(len(without), "campaign", "campaigns"), phrase.First(without, namedWithout))
	}
	return nil
}

const namedWithout = 20

// of returns what is said of a campaign, or else of its account.
func (n *customerNotes) of(ref campaignRef) *customerNote {
	place, found := n.campaigns[ref.campaign]
	if !found {
		place, found = n.accounts[ref.account]
	}
	if !found {
		return &n.rest
	}
	return &n.all[place]
}

func newNotesCmd(f *cli.Frame, now func() time.Time) *cobra.Command {
	o := &summaryOptions{selection: selection{compare: string(summary.Previous)}, format: page.HTML}
	var dates dateFlags
	c := &cobra.Command{
		Use:   "init",
		Short: "Write a file of notes with every customer and its sentences",
		Long: "Write a file for `reports summary --notes` that has each of the selected campaigns with the sentences of its page, ready\n" +
			"to edit. A key is the id of a campaign, or an account: its name, id:12, or ext:900001 for its identifier. Below it are\n\n" +
			"  text      what stands above the figures: paragraphs, lists (-), **bold** and [links](https://example.com)\n" +
			"  targets   what the customer wants to reach in the period, such as {visits: 12000, keywords_in_10: 20}\n" +
			"  language  of the page, if it is not that of the brand: " + phrase.Or(words.Languages) + "\n\n" +
			"Targets are " + strings.Join(summary.TargetNames[:5], ", ") + ",\n" + phrase.And(summary.TargetNames[5:]) + ". `reports summary` tells which of its campaigns\n" +
			"have no text.",
		Example: "reseller reports notes init --server mock --all --month 2026-10 --output-file notes.yaml",
		Args:    cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.begin(c, f.Session, f.Prompt, false); err != nil {
				return err
			}
			if err := errors.Join(o.selection.check(f.Flags.Raw), o.fan.Check(f.Session)); err != nil {
				return err
			}
			noteDates, err := o.prepare(c, f, &dates, summary.DayOf(now()).Time())
			if err != nil {
				return err
			}
			noteDates()
			return o.writeNotes(c.Context(), f)
		},
	}
	o.addTo(c)
	dates.addTo(c, f.Session, true)
	addCompareFlag(c, &o.compare)
	c.Flags().StringVar(&o.brand, "brand", "", "take the language of the brand in `FILE` (yaml)")
	c.Flags().StringVar(&o.words, "words", "", "write the sentences in the words in `FILE`")
	o.input.AddIDsTo(c, f.Session, decode.TextFormats...)
	o.fan.AddTo(c, failureColumns...)
	return c
}

// writeNotes writes the sentences of the selected campaigns as a file of notes.
func (o *summaryOptions) writeNotes(ctx context.Context, f *cli.Frame) error {
	out, err := f.Output.OpenText()
	if err != nil {
		return err
	}
	defer out.Abort()
	m := &pageMaker{summaryOptions: o}
	if m.refs, err = o.resolve(ctx, f); err != nil {
		return err
	}
	if err := m.name(ctx, f.Session); err != nil {
		return err
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	defer m.tracking.start(ctx, c)()
	return m.tracking.end(f.Session, fanout.Export(ctx, f.Session, f.Outcome, m.newFan(), out, func(list iter.Seq2[record.Record, error]) error {
		if err := fanout.Drain(list); err != nil {
			return err
		}
		var b strings.Builder
		for i, p := range m.pages {
			if p == nil {
				continue
			}
			fmt.Fprintf(&b, "# %s\n%d:\n  text: |\n", chart.SafeText(phrase.List(p.Title, p.Campaign), maxTitle), m.refs[i].campaign)
			for _, s := range p.Sentences {
				fmt.Fprintf(&b, "    %s\n\n", s)
			}
			b.WriteString("  targets: {}\n\n")
		}
		_, err := io.WriteString(out.Raw(), b.String())
		return err
	}))
}

const maxTitle = 120
