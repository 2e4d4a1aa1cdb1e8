package reports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/summary"
	"reseller/client/words"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/output"
	"reseller/output/chart"
	"reseller/output/page"
)

type campaignPage struct {
	*summaryOptions
	ref      campaignRef
	tracking tracking
	builder  *summary.Builder
	failed   []error         // for each report, why it could not be read
	subject  summary.Subject // with the names as far as they could be read
	held     string          // why the page can't be sent, as heldBack says it
}

func newSummaryCmd(f *cli.Frame) *cobra.Command {
	o := &summaryOptions{selection: selection{compare: string(summary.Previous)}}
	c := &cobra.Command{
		Use:   "summary",
		Short: "Make the report that a customer gets",
		Long: "Show what a period brought in a few sentences and figures, and then the charts of all seven reports of a campaign.\n" +
			"--output-file FILE.html writes the report that a customer gets: a page with the figures that matter most, a year where the\n" +
			"service has it, and rankings, visits, tasks and links. It is one file that loads nothing, and prints well. FILE.pdf is the\n" +
			"same on sheets of --paper; a screen reader can follow a PDF that a browser prints. --appendix adds the rows of the reports.\n" +
			"--output-dir DIR writes such a page for each of several campaigns, index.html with a list of them, copies of those that\n" +
			"lack no report to DIR/ready, and mail.csv with their customers for a mail merge.\n\n" +
			"The period is compared with the one before: a month with the month before, other days with as many days before.\n" +
			"A period that is not over is compared with as many days. --compare year compares it with the same days of the year\n" +
			"before. Ranks are those at the end of each period; keywords that are no longer tracked are left out. Visits are\n" +
			"compared by the day, of the days that have data. The service gives only today's domain rating and numbers of\n" +
			"backlinks and referring domains.\n\n" +
			"If a report fails, the page says so in its place, and the exit code is 3. --failures writes the campaigns that failed\n" +
			"to a file that you can pass to --file with the same --output-dir to make their pages again. Without --month, --from\n" +
			"and --to, the summary covers the last 30 days. --campaign alone looks up the account.\n\n" +
			"--brand FILE is a yaml file with your name, logo (a PNG, JPEG or SVG file), color (such as \"#0072b2\"), contact and\n" +
			"footer. The page then does not mention this program. language: de in it makes pages in German; there are also es\n" +
			"and fr, and --words FILE makes them in the words of a file that `reports words` prints and you translate.\n\n" +
			"--notes FILE has what you write to each customer, above the figures, and what they want to reach. `reports notes init`\n" +
			"writes such a file; its help says what is in it.",
		Example: "reseller reports summary --server mock --account 1 --campaign 101 --month 2026-10\n" +
			"reseller reports summary --server mock --account 1 --campaign 101 --output-file summary.html\n" +
			"reseller reports summary --server mock --all --month 2026-10 --output-dir october --failures failed.csv",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.begin(c, f, !c.Flags().Changed("output-dir")); err != nil {
				return err
			}
			if err := o.check(f.Session, f.Output, c); err != nil {
				return err
			}
			o.isCSVMarked = f.Flags.CSVBOM
			if err := o.prepare(c, f, summary.DayOf(time.Now()).Time()); err != nil {
				return err
			}
			s := &campaignPage{summaryOptions: o}
			if o.format == "" {
				f.Flags.Chart = true // in the terminal
				if err := drawCharts(f.Session, f.Output, c, func() figures { return s }); err != nil {
					return err
				}
			}
			if o.dir != "" {
				return o.runAll(c.Context(), f)
			}
			return s.run(c.Context(), f)
		},
	}
	o.addTo(c, f.Session, true, true, summary.Comparisons)
	c.Flags().StringVar(&o.dir, "output-dir", "", "write a page for each campaign, and index.html, to the folder `DIR`")
	c.Flags().StringVar((*string)(&o.format), "format", string(page.HTML), "write the pages of --output-dir as `html` or pdf")
	c.Flags().StringVar((*string)(&o.page.Paper), "paper", string(page.A4), "make the sheets of a PDF `a4` or letter")
	c.Flags().StringVar(&o.brand, "brand", "", "show the brand in `FILE` (yaml) on the pages")
	c.Flags().StringVar(&o.words.path, "words", "", "make the pages in the words in `FILE`")
	c.Flags().StringVar(&o.notes.path, "notes", "", "put the texts and targets in `FILE` (yaml) on the pages")
	c.Flags().BoolVar(&o.page.Appendix, "appendix", false, "add the rows of the reports to the pages")
	c.Flags().IntVar(&o.page.Top, "top", page.MaxTop, "list the first `N` keywords by their rank on the pages")
	f.Flags.AddOpen(c)
	return c
}

// prepare reads the period and the files of the flags, and tells which period is that without flags.
func (o *summaryOptions) prepare(c *cobra.Command, f *cli.Frame, today time.Time) error {
	asked, err := o.period(c, f, today)
	if err != nil {
		return err
	}
	isDefault := asked == client.Dates{}
	if isDefault {
		asked = defaultDates(today)
	}
	o.asked = o.askedPairs(asked)
	if o.scope, err = scopeOf(asked, summary.Comparison(o.compare), today); err != nil {
		return err
	}
	if err := o.words.read(c.Context(), f.Session); err != nil {
		return err
	}
	o.page.Words = o.words.all
	if err := o.readBrand(c.Context(), f.Session); err != nil {
		return err
	}
	if err := o.notes.read(c.Context(), f.Session, &o.words, o.page.Words); err != nil {
		return err
	}
	if isDefault {
		o.noteDefaultDates(f.Session, asked)
	}
	return nil
}

// run requests all reports, and the names, at the same time. If all reports fail, it writes no file.
func (s *campaignPage) run(ctx context.Context, f *cli.Frame) error {
	out, err := f.Output.OpenText(output.OpenFile)
	if err != nil {
		return err
	}
	defer out.Abort()
	if s.ref, err = s.resolveOne(ctx, f); err != nil {
		return err
	}
	s.builder, s.failed = summary.NewBuilder(s.scope), make([]error, len(reports))
	if err := s.notes.match(ctx, f.Session, s.finder, []campaignRef{s.ref}); err != nil {
		return err
	}
	note := s.notes.of(s.ref)
	s.builder.Words, s.builder.Targets = note.words, note.Targets
	namingCtx, cancelNaming := context.WithCancelCause(ctx)
	names := readNames(namingCtx, f.Session, &s.selection, s.ref)
	defer names.read.Wait()
	defer cancelNaming(nil)
	defer s.tracking.start(ctx, f.Session)()
	s.tracking.isNeeded = true
	fan := &fanout.FanOut{Calls: len(reports), Flags: fanout.Flags{Concurrency: len(reports)}}
	fan.Call = func(ctx context.Context, c *client.Client, i int, _ func(record.Record) error) error {
		s.failed[i] = s.tracking.read(ctx, c, s.scope, &reports[i], s.ref, s.builder, s.format != "")
		return s.failed[i]
	}
	err = fanout.Export(ctx, f.Session, f.Outcome, fan, out, func(list iter.Seq2[record.Record, error]) error {
		if err := fanout.Drain(list); err != nil {
			return err
		}
		if s.format == "" { // a page waits for the name of the customer
			defer time.AfterFunc(lookup.Patience, func() { cancelNaming(errors.New("the service took too long")) }).Stop()
		}
		names.read.Wait()
		if err := names.check(s.ref); err != nil {
			return err
		}
		s.subject = names.subject(s.ref)
		made := s.builder.Page(s.subject)
		s.held = heldBack(names.err, made, s.subject, s.format)
		if s.format == "" {
			return nil
		}
		text, err := s.render(made, s.ref, "")
		if err != nil {
			return err
		}
		s.noteLacking(f.Session)
		_, err = out.Raw().Write(text)
		return err
	})
	switch {
	case err != nil:
	case s.format != "" && names.err != nil:
		err = namesMissing(names.err)
	case names.err != nil:
		f.Note("%v", namesMissing(names.err))
	case s.held == heldNameless:
		f.Note("account %d has no name, so its page has that of the campaign, and is not ready for the customer", s.ref.account)
	case s.format != "":
		for _, why := range heldReasons {
			if why.key == s.held {
				f.Note("the page is not ready for the customer, since %s", why.one)
			}
		}
	}
	return s.tracking.end(f.Session, err)
}

// Add takes no row: a summary reads the reports itself.
func (s *campaignPage) Add(record.Record) {}

// Page has an error in place of a report that failed.
func (s *campaignPage) Page() chart.Page {
	of := s.builder.Page(s.subject)
	about := []string{fmt.Sprintf("account %d, campaign %d", s.ref.account, s.ref.campaign), phrase.List(of.Period, of.Comparison)}
	p := chart.Page{Title: phrase.Join(": ", of.Title, of.Campaign), About: slices.Concat(about, of.Sentences, of.Notes)}
	for i := range of.Tiles {
		t := &of.Tiles[i]
		p.Lead = append(p.Lead, tileRow(t))
		if t.Beside != "" && t.Missing == "" {
			p.Lead = append(p.Lead, []string{"", "", t.Beside})
		}
	}
	for i := range reports {
		if s.failed[i] != nil {
			p.Charts = append(p.Charts, chart.Chart{Title: reports[i].title, NoData: "This report failed: " + s.failed[i].Error()})
		} else {
			p.Charts = append(p.Charts, page.Plots(of, reports[i].summary)...)
		}
	}
	return p
}

// tileRow returns a tile as a row of a table, which ends with a small line or the day of the figure.
func tileRow(t *summary.Figure) []string {
	if t.Missing != "" {
		return []string{t.Title, "–", t.Missing}
	}
	change := strings.TrimSpace(t.Direction.Arrow() + " " + t.Short + t.Since)
	return []string{t.Title, t.Text, change, chart.Spark{Values: t.Line, IsRank: t.Key == summary.TileAverageRank}.String() + t.AsOf}
}

func (o *summaryOptions) check(session *cli.Session, to *cli.Output, c *cobra.Command) error {
	given := c.Flags().Changed
	taken := ""
	if given("output-dir") {
		taken = "csv-bom" // for the list of the mails
	}
	if err := to.NoRecords("a summary shows charts instead of a table",
		"`reseller reports keywords`, `traffic` and the other reports print its rows; --output-file FILE.html or FILE.pdf writes it as a page", taken); err != nil {
		return err
	}
	switch {
	case !slices.Contains(page.Formats, string(o.format)):
		return cli.Usagef("--format %q: use %s", o.format, phrase.Or(page.Formats))
	case !slices.Contains(page.Papers, string(o.page.Paper)):
		return cli.Usagef("--paper %q: use %s", o.page.Paper, phrase.Or(page.Papers))
	case o.page.Top < 1 || o.page.Top > page.MaxTop:
		return cli.Usagef("--top: %d is not a number from 1 to %d", o.page.Top, page.MaxTop)
	}
	if !given("output-dir") {
		o.format = formatOf(session.Flags.OutputFile)
	}
	if given("paper") && o.format != page.PDF {
		return cli.Usagef("--paper is for a PDF: a page in HTML takes the paper of the printer")
	}
	if given("output-dir") {
		if err := to.CheckOutputDir(o.dir, "writes a file for each campaign, so it can't be used with --output-file"); err != nil {
			return err
		}
		return o.selection.check(session)
	}
	if ext := strings.ToLower(filepath.Ext(session.Flags.OutputFile)); ext == ".png" || ext == ".svg" {
		return cli.Usagef("--output-file %s: a summary can't be written as %s: use .html or .pdf", session.Flags.OutputFile, ext[1:])
	}
	for _, name := range []string{"all", "file", "failures", "concurrency", "fail-fast", "format"} {
		if given(name) {
			return cli.Usagef("--%s is for several campaigns: add --output-dir", name)
		}
	}
	for _, name := range []string{"brand", "words", "notes", "appendix", "top", "open"} {
		if given(name) && o.format == "" {
			return cli.Usagef("--%s is for a page: add --output-file FILE.html, FILE.pdf or --output-dir", name)
		}
	}
	switch {
	case len(o.campaigns) == 0:
		return &cli.UsageError{Message: "missing: --campaign", Hint: "`reseller campaigns list` shows the ids; --output-dir makes a page for each of several campaigns"}
	case len(o.accounts) > 1 || len(o.campaigns) > 1:
		return cli.Usagef("a summary shows one campaign: give --account and --campaign only once, or add --output-dir")
	}
	return nil
}

func newNotesCmd(f *cli.Frame) *cobra.Command {
	o := &summaryOptions{selection: selection{compare: string(summary.Previous)}, format: page.HTML}
	c := &cobra.Command{
		Use:   "init",
		Short: "Write a file of notes with every customer and its sentences",
		Long: "Write a file for `reports summary --notes` that has each of the selected campaigns, with the sentences of its page as a\n" +
			"comment below the place for your text. A key is the id of a campaign, or an account: its name, id:12, or ext:900001 for its identifier.\n" +
			"Below a key are its text, targets and language.\n\n" +
			"  text      what stands above the figures: paragraphs, lists (-), **bold** and [links](https://example.com)\n" +
			"  targets   what the customer wants to reach in the period, such as {visits: 12000, keywords_in_10: 20}\n" +
			"  language  of the page, if it is not that of the brand: " + phrase.Or(words.Languages) + "\n\n" +
			"Targets are " + strings.Join(summary.TargetNames[:5], ", ") + ",\n" + phrase.And(summary.TargetNames[5:]) + ". `reports summary` tells which of its campaigns\n" +
			"have no text.",
		Example: "reseller reports notes init --server mock --all --month 2026-10 --output-file notes.yaml",
		Args:    cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.begin(c, f, false); err != nil {
				return err
			}
			if err := o.selection.check(f.Session); err != nil {
				return err
			}
			if info, err := os.Stat(f.Flags.OutputFile); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
				if err := f.Prompt.Confirm(f.Flags.OutputFile + " exists; replace it and what you wrote in it?"); err != nil {
					return err
				}
			}
			if err := o.prepare(c, f, summary.DayOf(time.Now()).Time()); err != nil {
				return err
			}
			return o.writeNotes(c.Context(), f)
		},
	}
	o.addTo(c, f.Session, true, true, summary.Comparisons)
	c.Flags().StringVar(&o.brand, "brand", "", "take the language of the brand in `FILE` (yaml)")
	c.Flags().StringVar(&o.words.path, "words", "", "write the sentences in the words in `FILE`")
	return c
}

func (o *summaryOptions) writeNotes(ctx context.Context, f *cli.Frame) error {
	out, err := f.Output.OpenText(output.OpenFile)
	if err != nil {
		return err
	}
	defer out.Abort()
	m := &pageMaker{summaryOptions: o}
	if err := m.find(ctx, f); err != nil {
		return err
	}
	defer m.tracking.start(ctx, f.Session)()
	return m.tracking.end(f.Session, fanout.Export(ctx, f.Session, f.Outcome, m.newFan(), out, func(list iter.Seq2[record.Record, error]) error {
		if err := fanout.Drain(list); err != nil {
			return err
		}
		var b strings.Builder
		for i, p := range m.pages {
			if p == nil {
				continue
			}
			fmt.Fprintf(&b, "# %s\n%d:\n  text: |\n\n", chart.SafeText(phrase.List(p.Title, p.Campaign), maxTitle), m.refs[i].campaign)
			for _, s := range p.Sentences {
				fmt.Fprintf(&b, "#    %s\n", s) // which is a line of the text without the #, or without it and a blank
			}
			b.WriteString("  targets: {}\n\n")
		}
		_, err := io.WriteString(out.Raw(), b.String())
		return err
	}))
}

const maxTitle = 120
