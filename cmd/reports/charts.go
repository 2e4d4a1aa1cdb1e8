package reports

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/summary"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/chart"
	"reseller/output/page"
)

// charts are the charts of what a command prints, for --chart and --chart-file.
type charts struct {
	add  func(record.Record)
	page func() chart.Page // runs after the last record

	*output.File // of --chart-file
	session      *cli.Session
	format       chart.Format // empty without --chart-file
	width        int
	color        bool
}

func drawCharts(session *cli.Session, to *cli.Output, c *cobra.Command, build func() charts) error {
	hasFile := c.Flags().Changed("chart-file")
	if session.Flags.Open && !hasFile {
		return cli.Usagef("--open requires --chart-file")
	}
	if !session.Flags.Chart && !hasFile {
		return nil
	}
	d := build()
	d.session, d.File = session, output.Direct(io.Discard)
	if hasFile {
		var err error
		if d.format, err = chart.FormatOf(session.Flags.ChartFile); err != nil {
			return err
		}
	}
	if session.Flags.Raw {
		return cli.Usagef("--raw prints the response unchanged, so it can't be drawn as a chart")
	}
	if session.Flags.Chart {
		if err := to.NoRecords("--chart shows a chart instead of the table", "leave out --chart for the table; --chart-file writes a chart beside it", ""); err != nil {
			return err
		}
	}
	to.Observer = &d
	return nil
}

func (d *charts) Add(rec record.Record) { d.add(rec) }

// Open creates the chart's file before the service is called.
func (d *charts) Open(width int, color bool) (err error) {
	d.width, d.color = cmp.Or(width, 80), color
	if d.format != "" {
		d.File, err = d.session.OpenFile(output.OpenFile, d.session.Flags.ChartFile)
	}
	return err
}

// Write draws the charts to w and to their file, and notes what they leave out.
func (d *charts) Write(w io.Writer) error {
	drawn := d.page()
	for _, c := range drawn.Charts {
		for _, left := range c.Omitted {
			d.session.Note("%s: %s", c.Title, left)
		}
	}
	if d.format != "" {
		if lacking := chart.MissingGlyphs(drawn); d.format == chart.PNG && lacking != "" {
			d.session.Note("a PNG can't show %s; use .svg", lacking)
		}
		text, err := chart.Render(drawn, d.format)
		if err == nil {
			_, err = d.File.Write(text)
		}
		if err != nil {
			return err
		}
	}
	if !d.session.Flags.Chart {
		return nil
	}
	_, err := io.WriteString(w, chart.Text(drawn, d.width, d.color))
	return err
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
			called[i] = p.of(ref.ids())
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
