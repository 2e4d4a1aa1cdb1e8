package reports

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/summary"
	"reseller/cmd/chartcmd"
	"reseller/cmd/cli"
	"reseller/output/chart"
	"reseller/output/page"
)

// options are what the flags of a report's command say.
type options struct {
	report *report
	selection
	asked     client.Dates   // of the flags, or the default period
	defaulted bool           // asked is the default period
	dates     client.Dates   // of the requests
	within    summary.Period // the days of the rows: others are told or, where the request has no dates, left out
	view      *view          // nil for the rows of the report
	tracking  *tracking
	charts    *chartPage // nil without charts
}

func newReportCmd(f *cli.Frame, now func() time.Time, r *report, run func(context.Context, *cli.Frame, *options) error) *cobra.Command {
	o := &options{report: r, within: summary.AllDays, tracking: &tracking{}, selection: selection{compare: string(summary.None)}}
	c := &cobra.Command{
		Use:   r.name,
		Short: r.short,
		Long: r.long + "\n\n" +
			"Select campaigns with --account and --campaign, --all, or --file. --account alone selects all campaigns of the\n" +
			"account, --campaign alone looks up the account. --file reads account_id and campaign_id, or one of the two, from\n" +
			"a file such as the output of `campaigns list -o csv`. In all formats, rows start with\n" +
			"account_id, campaign_id and account_name, which is empty, with a note, where the name can't be read.\n\n" +
			"Reports are requested in parallel (--concurrency) and printed in the order of the file or the campaigns list.\n" +
			"If one fails, or a campaign is not in the list, the error is printed, the others continue, and the exit code\n" +
			"is 3. --failures writes the campaigns that failed, with the period and what was asked, to a file that --file takes\n" +
			"to ask for the same again. If none failed, the file has no rows. If the command ends before it can ask, no file is\n" +
			"written, and a note tells if there is one of an earlier run.\n\n" +
			r.compareHelp() + r.chartHelp + "\n" +
			"--chart shows charts in the terminal instead of the table. --chart-file writes them to a file in addition to the\n" +
			"output, completely or not at all. Of several campaigns, the first 8 have charts. They are made of the rows that --where, --search and --limit keep.",
		Example: fmt.Sprintf("reseller reports %[1]s --server mock --account 1 --campaign 101 --chart\nreseller reports %[1]s --server mock %[2]s", r.path(), r.example),
		Args: func(c *cobra.Command, args []string) error {
			if c.HasSubCommands() && len(args) > 0 {
				return cli.GroupRun(c, args)
			}
			return cli.NoArgs(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.begin(c, f.Session, f.Prompt, f.Flags.Raw); err != nil {
				return err
			}
			if err := o.check(f.Session); err != nil {
				return err
			}
			today := summary.DayOf(now())
			if err := o.setDates(c, f, today.Time()); err != nil {
				return err
			}
			if err := chartcmd.Enable(f.Session, f.Output, c, func() chartcmd.Builder { return o.newPage(today, f.Flags.Selecting()) }); err != nil {
				return err
			}
			return o.tracked(c.Context(), f.Session, func() error { return run(c.Context(), f, o) })
		},
	}
	var comparisons []string
	if r.isCompared() {
		comparisons = summary.Comparisons
	}
	o.addTo(c, f.Session, r.takesDates() || r.isCompared(), r.takesDates(), comparisons)
	if r.summary == summary.ReportKeywords {
		c.Flags().BoolVar(&o.history, "history", false, "print a row for each keyword and date")
	}
	f.Flags.AddSelection(c)
	chartcmd.AddFlags(f.Session, c)
	return f.SetCompletionResource(c, r.rowFields())
}

func (o *options) check(session *cli.Session) error {
	if err := o.selection.check(session.Flags.Raw); err != nil {
		return err
	}
	if o.fan.Failures != "" && (session.Flags.Raw || o.single()) {
		return cli.Usagef("--failures requires several campaigns")
	}
	return o.fan.Check(session)
}

func (s *selection) check(raw bool) error {
	none := len(s.accountIDs) == 0 && len(s.campaignIDs) == 0
	file := s.input.Path != ""
	switch {
	case none && !s.all && !file:
		return &cli.UsageError{Message: "missing: --account or --campaign, --all, or --file", Hint: "`reseller campaigns list` shows the ids"}
	case s.all && (!none || file):
		return cli.Usagef("--all selects every campaign and can't be used with --account, --campaign or --file")
	case file && (len(s.accountIDs) > 1 || len(s.campaignIDs) > 1):
		return cli.Usagef("with --file, --account and --campaign apply to all rows: give at most one of each")
	case raw && (file || len(s.campaignIDs) != 1):
		return cli.Usagef("--raw prints one response unchanged: give exactly one --campaign")
	}
	return nil
}

const maxCharted = 8

// A chartPage is the page with the charts of one report: those that a summary has, for each campaign.
type chartPage struct {
	*options
	page      chart.Page // without the charts
	scope     summary.Scope
	selected  string // which rows are printed, empty for all
	campaigns []*chartedCampaign
	byIDs     map[campaignRef]*chartedCampaign
	charted   int // how many have charts
	unlisted  int // campaigns that could not be asked for
}

type chartedCampaign struct {
	campaignRef                  // its ids alone
	builder     *summary.Builder // nil if its charts are left out
	untracked   int              // keywords
	failed      error            // why its report could not be read
}

func (c *chartedCampaign) String() string {
	return fmt.Sprintf("account %d, campaign %d", c.account, c.campaign)
}

// newPage returns an empty page of the rows that flags select, as Flags.Selecting names them.
func (o *options) newPage(today summary.Day, selecting string) *chartPage {
	p, period := &chartPage{options: o, page: chart.Page{Title: o.report.title}, byIDs: map[campaignRef]*chartedCampaign{}}, summary.AllDays
	var about []string
	o.charts = p
	if o.asked != (client.Dates{}) {
		words := o.asked.From + " to " + o.asked.To
		if asked, err := periodOf(o.asked); err == nil {
			period, words = asked, asked.Until(today).Words(nil)
			if asked.From > today {
				words = asked.Words(nil) + ", which is still to come"
			}
		}
		about = append(about, words)
	}
	if selecting != "" {
		p.selected = "the rows that " + selecting
		about = append(about, "only "+p.selected)
	}
	if o.report.summary == summary.ReportTraffic && period.From < today && period.To >= today {
		period = period.Until(today - 1)
		about = append(about, "the visits of today are left out, since the day is not over")
	}
	if p.scope = summary.NewScope(period, summary.None, today); p.scope.Request(o.report.summary, false) != p.scope.Period {
		about = append(about, fmt.Sprintf(o.report.ordered, phrase.Count(summary.LeadDays, "day", "days")))
	}
	if o.single() {
		one := p.of(campaignRef{account: o.accountIDs[0], campaign: o.campaignIDs[0]})
		about = append([]string{one.String()}, about...)
	}
	p.page.About = about
	return p
}

// of returns the campaign with these ids, which it adds if it is new.
func (p *chartPage) of(ids campaignRef) *chartedCampaign {
	c := p.byIDs[ids]
	if c == nil {
		c = &chartedCampaign{campaignRef: ids}
		p.campaigns, p.byIDs[ids] = append(p.campaigns, c), c
	}
	return c
}

// chart reports whether a campaign has charts: the first maxCharted that come here have.
func (p *chartPage) chart(c *chartedCampaign) bool {
	if c.builder == nil && p.charted < maxCharted {
		p.charted++
		c.builder = summary.NewBuilder(p.scope)
		c.builder.Selected = p.selected
	}
	return c.builder != nil
}

// begin adds the campaigns of the requests, each of which has charts even if no row comes. end then says how
// the request for one ended, and how many of its keywords are no longer tracked.
func (p *chartPage) begin(refs []campaignRef) (end func(i, untracked int, err error)) {
	called := make([]*chartedCampaign, len(refs))
	for i, ref := range refs {
		if p != nil && ref.err == nil {
			called[i] = p.of(campaignRef{account: ref.account, campaign: ref.campaign})
		} else if p != nil {
			p.unlisted++
		}
	}
	return func(i, untracked int, err error) {
		if c := called[i]; c != nil {
			c.untracked, c.failed = untracked, err
		}
	}
}

// Add gives a printed row to the charts, unless it is of a keyword that is no longer tracked.
func (p *chartPage) Add(row record.Record) {
	var ids campaignRef
	ids.account, _ = row.Get("account_id").Int64()
	ids.campaign, _ = row.Get("campaign_id").Int64()
	if c := p.of(ids); p.tracking.isTracked(ids.campaign, row) && p.chart(c) {
		c.builder.Add(p.report.summary, row)
	}
}

func (p *chartPage) Page() chart.Page {
	for _, c := range p.campaigns { // after those with rows
		p.chart(c)
	}
	isFirst, failed := true, p.unlisted
	for i, c := range p.campaigns {
		if c.builder == nil {
			if c.failed != nil {
				failed++
			}
			continue
		}
		isFirst = isFirst && i < maxCharted
		if c.builder.Untracked = c.untracked; c.failed != nil {
			c.builder.Fail(p.report.summary, c.failed)
		}
		if p.tracking.list != nil {
			_, c.builder.TrackingUnknown = p.tracking.list()
		}
		of := c.builder.Page(summary.Subject{})
		charts := page.Plots(of, p.report.summary)
		for _, note := range of.Notes {
			switch { // tracking notes the keywords of all campaigns
			case strings.HasSuffix(note, "no longer tracked."):
			case strings.HasPrefix(note, "Keywords that are no longer tracked"):
				charts[0].Notes = append(charts[0].Notes, note)
			default:
				charts[0].Omitted = append(charts[0].Omitted, note)
			}
		}
		for i := range charts {
			if !p.single() {
				charts[i].Title += ", " + c.String()
			}
		}
		p.page.Charts = append(p.page.Charts, charts...)
	}
	n := len(p.campaigns)
	shown := fmt.Sprintf("Showing the first %d campaigns of %d.", maxCharted, n)
	if !isFirst {
		shown = fmt.Sprintf("Showing %s of %d, those with rows first.", phrase.Count(maxCharted, "campaign", "campaigns"), n)
	}
	switch {
	case n == 0:
		p.page.Charts = []chart.Chart{{Title: p.page.Title, NoData: "There are no campaigns."}}
	case n > maxCharted:
		p.page.Charts[0].Notes = append(p.page.Charts[0].Notes, shown)
	}
	if failed > 0 {
		p.page.About = append(p.page.About, phrase.Count(failed, "more campaign", "more campaigns")+" failed and "+phrase.Noun(failed, "has", "have")+" no chart.")
	}
	return p.page
}
