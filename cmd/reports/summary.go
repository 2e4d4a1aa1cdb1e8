package reports

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/chart"
)

// A summary is all reports of one campaign on one page.
type summary struct {
	account, campaign int64
	reports           []*summed
	names             []string // of the account and the campaign, where they can be read
	period            string
}

// Summed is one report of a summary: its call, and its charts or its failure.
type summed struct {
	kind kind
	call client.Call
	sketch
	err error
}

func newSummaryCmd(f *cli.Factory, now func() time.Time) *cobra.Command {
	var account, campaign string
	var from, to string
	c := &cobra.Command{
		Use:   "summary",
		Short: "Show all reports of a campaign on one page",
		Long: "Show the charts of all seven reports of a campaign, in the terminal, or with --chart-file F.html as a page\n" +
			"for a meeting: it stands alone, prints well, and has the numbers below each picture. A report that fails is\n" +
			"named in its place, and the exit code is 3. Without --from and --to it is the last 30 days; the reports of\n" +
			"keywords and of backlinks have no dates.",
		Example: "reseller reports summary --server mock --account 1 --campaign 101 --from -90d\n" +
			"reseller reports summary --server mock --account 1 --campaign 101 --chart-file summary.html",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := newSummary(account, campaign)
			if err != nil {
				return err
			}
			p := period{today: dayOf(now()), needed: true, check: !f.Flags.NoValidate}
			p.from, p.fromGiven = from, c.Flags().Changed("from")
			p.to, p.toGiven = to, c.Flags().Changed("to")
			dates, defaulted, err := p.dates()
			if err != nil {
				return err
			}
			s.plan(dates)
			if err := s.draws(f, c); err != nil {
				return err
			}
			if defaulted {
				f.Note("no dates were given: the last %d days, %s to %s", usualDays, dates.From, dates.To)
			}
			return s.run(c.Context(), f)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&account, "account", "", "the account to report on")
	c.Flags().StringVar(&campaign, "campaign", "", "the campaign to report on")
	c.Flags().StringVar(&f.Flags.ChartFile, "chart-file", "", "write the page to this file, .html, and print nothing")
	addDates(c, f, &from, &to)
	return c
}

// patience is how long a summary that has its reports waits for mere names.
const patience = time.Second

func newSummary(account, campaign string) (*summary, error) {
	var absent []string
	for _, flag := range []struct{ name, text string }{{"--account", account}, {"--campaign", campaign}} {
		if flag.text == "" {
			absent = append(absent, flag.name)
		}
	}
	if absent != nil {
		return nil, &cli.UsageError{Message: "missing: " + strings.Join(absent, ", "), Hint: "`reseller campaigns list` shows the ids"}
	}
	accounts, err := cli.IDs("--account", []string{account})
	if err != nil {
		return nil, err
	}
	campaigns, err := cli.IDs("--campaign", []string{campaign})
	if err != nil {
		return nil, err
	}
	return &summary{account: accounts[0], campaign: campaigns[0]}, nil
}

// plan makes the calls. Lost backlinks take the dates of the others.
func (s *summary) plan(dates client.Dates) {
	s.period = dates.From + " to " + dates.To
	for _, k := range kinds() {
		s.reports = append(s.reports, &summed{
			kind: k, call: k.report.Call(s.account, s.campaign, dates), sketch: k.sketch(k.row(), fmt.Sprintf("campaign %d", s.campaign)),
		})
	}
}

// draws asks for the page: in the terminal, or in a file with its numbers.
func (s *summary) draws(f *cli.Factory, c *cobra.Command) error {
	if err := f.NoRecords("a summary has charts in place of a table"); err != nil {
		return err
	}
	f.Flags.Chart = !c.Flags().Changed("chart-file")
	if !f.Flags.Chart {
		format, err := chart.FormatOf(f.Flags.ChartFile)
		if err == nil && format != chart.HTML {
			err = cli.Usagef("a summary is a page: --chart-file %s does not end in .html", f.Flags.ChartFile)
		}
		if err == nil && f.Flags.OutputFile != "" {
			err = cli.Usagef("with --chart-file a summary prints nothing, so --output-file can't go with it")
		}
		if err != nil {
			return err
		}
	}
	return f.Draws(c, func() cli.Drawing { return s })
}

// run asks for everything at once. What fails for all of them fails the
// command, and leaves no file.
func (s *summary) run(ctx context.Context, f *cli.Factory) error {
	out, err := f.Output(output.Shape{})
	if err != nil {
		return err
	}
	defer out.Abort()
	c, err := f.Client()
	if err != nil {
		return err
	}
	var names sync.WaitGroup
	naming, stop := context.WithCancel(ctx)
	names.Go(func() { s.names = s.readNames(naming, c) })
	defer names.Wait()
	defer stop()
	fan := &cli.Fan{Calls: len(s.reports), FanFlags: cli.FanFlags{Workers: len(s.reports)}}
	fan.Call = func(ctx context.Context, c *client.Client, i int, _ func(record.Record) error) error {
		s.reports[i].err = s.reports[i].read(ctx, c)
		return s.reports[i].err
	}
	return f.Export(ctx, fan, out, func(list iter.Seq2[record.Record, error]) error {
		for _, err := range list {
			if err != nil {
				return err
			}
		}
		defer time.AfterFunc(patience, stop).Stop()
		names.Wait()
		return nil
	})
}

func (r *summed) read(ctx context.Context, c *client.Client) error {
	for rec, err := range c.List(ctx, r.call) {
		if err != nil {
			return err
		}
		r.see(rec)
	}
	return nil
}

// readNames reads what the account and the campaign are called; the ids do
// where that can't be read.
func (s *summary) readNames(ctx context.Context, c *client.Client) []string {
	var names []string
	if rec, err := c.Record(ctx, client.Call{Op: &client.OpAccountsV2Get}.WithID("account_id", s.account)); err == nil {
		names = append(names, rec.Get("account_name").Text())
	}
	for rec, err := range c.Campaigns(ctx) {
		if err != nil {
			break
		}
		if id, ok := rec.Get("campaign_id").Int64(); ok && id == s.campaign {
			names = append(names, rec.Get("campaign_name").Text())
			break
		}
	}
	return names
}

// KnowsFailures says that the page names the reports that failed.
func (s *summary) KnowsFailures() {}

// See has nothing to do: a summary prints no records.
func (s *summary) See(record.Record) {}

// Page has the charts of all reports, and the failure of one in its place.
func (s *summary) Page() chart.Page {
	page := chart.Page{Title: fmt.Sprintf("Campaign %d", s.campaign), About: []string{fmt.Sprintf("account %d, campaign %d", s.account, s.campaign), s.period}}
	var names []string
	for _, name := range s.names {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		page.Title = strings.Join(names, ": ")
	}
	for _, r := range s.reports {
		if r.err != nil {
			page.Charts = append(page.Charts, chart.Chart{Title: r.kind.title, Missing: "This report failed: " + r.err.Error(), Failed: true})
			continue
		}
		page.Charts = append(page.Charts, r.charts()...)
	}
	return page
}
