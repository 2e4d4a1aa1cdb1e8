package reports

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/summary"
	"reseller/cmd/cli"
	"reseller/output/chart"
	"reseller/output/page"
)

type options struct {
	report *report
	selection
	asked     client.Dates   // of the flags, or the default period
	defaulted bool           // asked is the default period
	dates     client.Dates   // of the requests
	scope     summary.Scope  // of a comparison
	within    summary.Period // the days of the rows: others are told or, where the request has no dates, left out
	view      *view          // nil for the rows of the report
	tracking  *tracking
	charts    *chartPage                                                            // nil without charts
	arrange   func(iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] // that of the output.Shape
}

func newReportCmd(f *cli.Frame, r *report) *cobra.Command {
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
			"output, completely or not at all. They show one campaign, and are made of the rows that --where, --search and --limit keep.",
		Example: fmt.Sprintf("reseller reports %[1]s --server mock --account 1 --campaign 101 --chart\nreseller reports %[1]s --server mock %[2]s", r.path(), r.example),
		Args: func(c *cobra.Command, args []string) error {
			if c.HasSubCommands() && len(args) > 0 {
				return cli.GroupRun(c, args)
			}
			return cli.NoArgs(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.begin(c, f, f.Flags.Raw); err != nil {
				return err
			}
			if err := o.check(f.Session); err != nil {
				return err
			}
			today := summary.DayOf(time.Now())
			if err := o.setDates(c, f, today.Time()); err != nil {
				return err
			}
			if err := drawCharts(f.Session, f.Output, c, func() figures { return o.newPage(today, f.Flags.Selecting()) }); err != nil {
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
	c.Flags().BoolVar(&f.Flags.Chart, "chart", false, "show a chart instead of the table")
	c.Flags().StringVar(&f.Flags.ChartFile, "chart-file", "", "also write the chart to `FILE`: .svg or .png")
	f.Flags.AddOpen(c)
	return f.SetCompletionResource(c, r.rowFields())
}

func (o *options) check(session *cli.Session) error {
	if o.fan.Failures != "" && o.single() {
		return cli.Usagef("--failures requires several campaigns")
	}
	return o.selection.check(session)
}

func (s *selection) check(session *cli.Session) error {
	raw, none := session.Flags.Raw, len(s.accountIDs) == 0 && len(s.campaignIDs) == 0
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
	case raw && s.fan.Failures != "":
		return cli.Usagef("--failures requires several campaigns")
	}
	return s.fan.Check(session)
}

// A chartPage is the page with the charts of one report of a campaign: those that a summary has.
type chartPage struct {
	*options
	page     chart.Page // without the charts
	scope    summary.Scope
	builder  *summary.Builder
	campaign int64
}

// newPage returns an empty page of the rows that flags select, as Flags.Selecting names them.
func (o *options) newPage(today summary.Day, selecting string) *chartPage {
	p, period := &chartPage{options: o, page: chart.Page{Title: o.report.title}}, summary.AllDays
	o.charts = p
	if o.asked != (client.Dates{}) {
		words := o.asked.From + " to " + o.asked.To
		if asked, err := periodOf(o.asked); err == nil {
			period, words = asked, asked.Until(today).Words(nil)
			if asked.From > today {
				words = asked.Words(nil) + ", which is still to come"
			}
		}
		p.page.About = append(p.page.About, words)
	}
	if selecting != "" {
		selecting = "the rows that " + selecting
		p.page.About = append(p.page.About, "only "+selecting)
	}
	if o.report.summary == summary.ReportTraffic && period.From < today && period.To >= today {
		period = period.Until(today - 1)
		p.page.About = append(p.page.About, "the visits of today are left out, since the day is not over")
	}
	p.scope = summary.NewScope(period, summary.None, today)
	if p.scope.Request(o.report.summary, false) != p.scope.Period {
		p.page.About = append(p.page.About, fmt.Sprintf(o.report.ordered, phrase.Count(summary.LeadDays, "day", "days")))
	}
	p.builder = summary.NewBuilder(p.scope)
	p.builder.Selected = selecting
	return p
}

// name sets the campaign, of which there must be one.
func (p *chartPage) name(refs []campaignRef) error {
	if len(refs) == 0 {
		return notFoundError(errors.New("there are no campaigns to show"))
	}
	if len(refs) > 1 {
		return cli.Usagef("a chart shows one campaign, and %d are selected: name one with --campaign", len(refs))
	}
	p.campaign = refs[0].campaign
	p.page.About = append([]string{fmt.Sprintf("account %d, campaign %d", refs[0].account, p.campaign)}, p.page.About...)
	return nil
}

// Add gives a printed row to the charts, unless it is of a keyword that is no longer tracked.
func (p *chartPage) Add(row record.Record) {
	if p.tracking.isTracked(p.campaign, row) {
		p.builder.Add(p.report.summary, row)
	}
}

func (p *chartPage) Page() chart.Page {
	p.builder.Untracked = int(p.tracking.counts[keywordsUntracked].Load())
	if p.tracking.list != nil {
		_, p.builder.TrackingUnknown = p.tracking.list()
	}
	of := p.builder.Page(summary.Subject{})
	p.page.Charts = page.Plots(of, p.report.summary)
	first := &p.page.Charts[0]
	for _, note := range of.Notes {
		switch { // tracking notes the keywords
		case strings.HasSuffix(note, "no longer tracked."):
		case strings.HasPrefix(note, "Keywords that are no longer tracked"):
			first.Notes = append(first.Notes, note)
		default:
			first.Omitted = append(first.Omitted, note)
		}
	}
	return p.page
}
