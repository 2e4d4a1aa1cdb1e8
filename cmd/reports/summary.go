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
	"reseller/client/schema"
	"reseller/cmd/chartcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/reports/charts"
	"reseller/output"
	"reseller/output/chart"
)

// A summary is all reports of one campaign on one page.
type summary struct {
	of      options // what names the campaign
	pair    pair
	dates   client.Dates
	reports []*summed
	names   []string // of the account and the campaign, where they can be read
}

// Summed is one report of a summary: its call, and its charts or its failure.
type summed struct {
	kind kind
	call client.Call
	charts.Builder
	err error
}

func newSummaryCmd(f *cli.Factory, now func() time.Time) *cobra.Command {
	var accounts, campaigns []string
	var from, to string
	c := &cobra.Command{
		Use:   "summary",
		Short: "Show all reports of a campaign on one page",
		Long: "Show the charts of all seven reports of a campaign, in the terminal, or with --chart-file F.html as a page\n" +
			"for a meeting: it stands alone, prints well, and has the numbers below each picture. A report that fails is\n" +
			"named in its place, and the exit code is 3. Without --from and --to it is the last 30 days; the reports of\n" +
			"keywords and of backlinks have no dates. --campaign alone looks its account up.",
		Example: "reseller reports summary --server mock --account 1 --campaign 101 --from -90d\n" +
			"reseller reports summary --server mock --account 1 --campaign 101 --chart-file summary.html",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := newSummary(accounts, campaigns)
			if err != nil {
				return err
			}
			p := period{today: dayOf(now()), needed: true, check: !f.Flags.NoValidate}
			p.from, p.fromGiven = from, c.Flags().Changed("from")
			p.to, p.toGiven = to, c.Flags().Changed("to")
			var defaulted bool
			if s.dates, defaulted, err = p.dates(); err != nil {
				return err
			}
			if err := s.draws(f, c); err != nil {
				return err
			}
			if defaulted {
				f.Note("no dates were given: the last %d days, %s to %s", usualDays, s.dates.From, s.dates.To)
			}
			return s.run(c.Context(), f)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&accounts, "account", nil, "the account to report on")
	c.Flags().StringArrayVar(&campaigns, "campaign", nil, "the campaign to report on")
	c.Flags().StringVar(&f.Flags.ChartFile, "chart-file", "", "write the page to this file, .html, and print nothing")
	addDates(c, f, &from, &to)
	return c
}

// patience is how long a summary that has its reports waits for mere names.
const patience = time.Second

func newSummary(accounts, campaigns []string) (*summary, error) {
	s := &summary{}
	var err error
	if s.of.accounts, err = distinct("--account", accounts); err != nil {
		return nil, err
	}
	if s.of.campaigns, err = distinct("--campaign", campaigns); err != nil {
		return nil, err
	}
	switch {
	case len(s.of.campaigns) == 0:
		return nil, &cli.UsageError{Message: "missing: --campaign", Hint: "`reseller campaigns list` shows the ids"}
	case len(accounts) > 1 || len(campaigns) > 1:
		return nil, cli.Usagef("a summary is of one campaign: give --account and --campaign once")
	}
	return s, nil
}

// plan finds the campaign and makes the calls. Lost backlinks take the dates
// of the others.
func (s *summary) plan(ctx context.Context, f *cli.Factory) error {
	pairs, err := s.of.pairs(ctx, f)
	switch {
	case err != nil:
		return err
	case pairs[0].broken != nil:
		return pairs[0].broken
	case len(pairs) > 1:
		return cli.Usagef("several accounts have the campaign: name its --account too")
	}
	s.pair = pairs[0]
	for _, k := range kinds() {
		s.reports = append(s.reports, &summed{
			kind: k, call: k.report.Call(s.pair.account, s.pair.campaign, s.dates), Builder: k.newBuilder(k.row(), fmt.Sprintf("campaign %d", s.pair.campaign)),
		})
	}
	return nil
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
	return chartcmd.Enable(f, c, func() chartcmd.Builder { return s })
}

// run asks for everything at once. What fails for all of them fails the
// command, and leaves no file.
func (s *summary) run(ctx context.Context, f *cli.Factory) error {
	out, err := f.Output(output.Shape{})
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := s.plan(ctx, f); err != nil {
		return err
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	var names sync.WaitGroup
	naming, stop := context.WithCancel(ctx)
	names.Go(func() { s.names = s.readNames(naming, c) })
	defer names.Wait()
	defer stop()
	fan := &fanout.FanOut{Calls: len(s.reports), FanFlags: fanout.FanFlags{Concurrency: len(s.reports)}}
	fan.Call = func(ctx context.Context, c *client.Client, i int, _ func(record.Record) error) error {
		s.reports[i].err = s.reports[i].read(ctx, c)
		return s.reports[i].err
	}
	return fanout.Export(ctx, f, fan, out, func(list iter.Seq2[record.Record, error]) error {
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
		r.Add(rec)
	}
	return nil
}

// readNames reads what the account and the campaign are called; the ids do
// where that can't be read.
func (s *summary) readNames(ctx context.Context, c *client.Client) []string {
	var names []string
	if rec, err := c.Record(ctx, client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", s.pair.account)); err == nil {
		names = append(names, rec.Get("account_name").Text())
	}
	for rec, err := range c.Campaigns(ctx) {
		if err != nil {
			break
		}
		if id, ok := rec.Get("campaign_id").Int64(); ok && id == s.pair.campaign {
			names = append(names, rec.Get("campaign_name").Text())
			break
		}
	}
	return names
}

// KnowsFailures says that the page names the reports that failed.
func (s *summary) KnowsFailures() {}

// Add has nothing to do: a summary prints no records.
func (s *summary) Add(record.Record) {}

// Page has the charts of all reports, and the failure of one in its place.
func (s *summary) Page() chart.Page {
	account, campaign := s.pair.account, s.pair.campaign
	page := chart.Page{
		Title: fmt.Sprintf("Campaign %d", campaign),
		About: []string{fmt.Sprintf("account %d, campaign %d", account, campaign), s.dates.From + " to " + s.dates.To},
	}
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
		page.Charts = append(page.Charts, r.Charts()...)
	}
	return page
}
