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
		if _, err := d.File.Write(chart.Render(drawn, d.format)); err != nil {
			return err
		}
	}
	if !d.session.Flags.Chart {
		return nil
	}
	_, err := io.WriteString(w, chart.Text(drawn, d.width, d.color))
	return err
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
	if len(refs) != 1 {
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
