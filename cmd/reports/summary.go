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
	"reseller/client/crash"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/chartcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/reports/charts"
	"reseller/output/chart"
)

// nameTimeout is how long a summary waits for the names of the account and the
// campaign after it has all reports.
const nameTimeout = time.Second

// A summary is the charts of all reports of one campaign on one page.
type summary struct {
	selection
	ref      campaignRef
	dates    client.Dates
	sections []*section
	names    []string // of the account and the campaign, as far as they could be read
}

// A section of a summary is one report: its request, and its charts or its error.
type section struct {
	report  *report
	call    client.Call
	builder charts.Builder
	err     error
}

func newSummaryCmd(f *cli.Factory, now func() time.Time) *cobra.Command {
	s := &summary{}
	var dates dateFlags
	c := &cobra.Command{
		Use:   "summary",
		Short: "Show all reports of a campaign on one page",
		Long: "Show the charts of all seven reports of a campaign in the terminal, or write them to a page with\n" +
			"--chart-file FILE.html. The page is a single file that prints well and has the numbers below each chart.\n\n" +
			"If a report fails, the page says so in its place, and the exit code is 3. Without --from and --to, the summary\n" +
			"covers the last 30 days; the keywords and backlinks reports have no dates. --campaign alone looks up the account.",
		Example: "reseller reports summary --server mock --account 1 --campaign 101 --from -90d\n" +
			"reseller reports summary --server mock --account 1 --campaign 101 --chart-file summary.html",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.parse(); err != nil {
				return err
			}
			if err := s.check(); err != nil {
				return err
			}
			var defaulted bool
			var err error
			if s.dates, defaulted, err = dates.parse(c, dayOf(now()), true, !f.Flags.NoValidate); err != nil {
				return err
			}
			if err := s.enableCharts(f, c); err != nil {
				return err
			}
			if defaulted {
				noteDefaultDates(f, s.dates)
			}
			return s.run(c.Context(), f)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&s.accounts, "account", nil, "`ID` of the account to report on")
	c.Flags().StringArrayVar(&s.campaigns, "campaign", nil, "`ID` of the campaign to report on")
	c.Flags().StringVar(&f.Flags.ChartFile, "chart-file", "", "write the page to `FILE` (.html) instead of the terminal")
	dates.addTo(c, f)
	return c
}

// check finds flags that do not name one campaign.
func (s *summary) check() error {
	switch {
	case len(s.campaigns) == 0:
		return &cli.UsageError{Message: "missing: --campaign", Hint: "`reseller campaigns list` shows the ids"}
	case len(s.accounts) > 1 || len(s.campaigns) > 1:
		return cli.Usagef("a summary shows one campaign: give --account and --campaign only once")
	}
	return nil
}

// enableCharts has the page drawn in the terminal, or written to the file of
// --chart-file.
func (s *summary) enableCharts(f *cli.Factory, c *cobra.Command) error {
	if err := f.NoRecords("a summary shows charts instead of a table"); err != nil {
		return err
	}
	f.Flags.Chart = !c.Flags().Changed("chart-file")
	if !f.Flags.Chart {
		format, err := chart.FormatOf(f.Flags.ChartFile)
		switch {
		case err != nil:
			return err
		case format != chart.HTML:
			return cli.Usagef("--chart-file %s: a summary can only be written as .html", f.Flags.ChartFile)
		case f.Flags.OutputFile != "":
			return cli.Usagef("--chart-file replaces the output, so it can't be used with --output-file")
		}
	}
	return chartcmd.Enable(f, c, func() chartcmd.Builder { return s })
}

// prepare finds the campaign and builds the requests. All reports that take dates
// get the same dates.
func (s *summary) prepare(ctx context.Context, f *cli.Factory) error {
	var err error
	if s.ref, err = s.resolveOne(ctx, f); err != nil {
		return err
	}
	for i := range reports {
		r := &reports[i]
		s.sections = append(s.sections, &section{
			report: r, call: r.Call(s.ref.account, s.ref.campaign, s.dates), builder: r.newBuilder(r.rowFields(), fmt.Sprintf("campaign %d", s.ref.campaign)),
		})
	}
	return nil
}

// run requests all reports, and the names, at the same time. If all reports fail,
// the command fails and writes no file.
func (s *summary) run(ctx context.Context, f *cli.Factory) error {
	out, err := f.TextOutput()
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := s.prepare(ctx, f); err != nil {
		return err
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	var naming sync.WaitGroup
	namingCtx, stopNaming := context.WithCancel(ctx)
	naming.Go(func() {
		defer crash.Recover()
		s.names = s.readNames(namingCtx, c)
	})
	defer naming.Wait()
	defer stopNaming()
	fan := &fanout.FanOut{Calls: len(s.sections), Flags: fanout.Flags{Concurrency: len(s.sections)}}
	fan.Call = func(ctx context.Context, c *client.Client, i int, _ func(record.Record) error) error {
		s.sections[i].err = s.sections[i].read(ctx, c)
		return s.sections[i].err
	}
	return fanout.Export(ctx, f, fan, out, func(list iter.Seq2[record.Record, error]) error {
		for _, err := range list {
			if err != nil {
				return err
			}
		}
		defer time.AfterFunc(nameTimeout, stopNaming).Stop()
		naming.Wait()
		return nil
	})
}

func (s *section) read(ctx context.Context, c *client.Client) error {
	for row, err := range c.List(ctx, s.call) {
		if err != nil {
			return err
		}
		s.builder.Add(row)
	}
	return nil
}

// readNames returns the names of the account and the campaign. A name that can't
// be read is left out, since the ids are on the page too.
func (s *summary) readNames(ctx context.Context, c *client.Client) []string {
	var names []string
	if account, err := c.Record(ctx, client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", s.ref.account)); err == nil {
		names = append(names, account.Get("account_name").Text())
	}
	for item, err := range c.Campaigns(ctx) {
		if err != nil {
			break
		}
		if id, ok := item.Get("campaign_id").Int64(); ok && id == s.ref.campaign {
			names = append(names, item.Get("campaign_name").Text())
			break
		}
	}
	return names
}

// KnowsFailures marks a page that shows itself which reports failed (see package
// chartcmd).
func (s *summary) KnowsFailures() {}

// Add does nothing, since a summary prints no records.
func (s *summary) Add(record.Record) {}

// Page returns the charts of all reports, with an error in place of a report that
// failed.
func (s *summary) Page() chart.Page {
	p := chart.Page{
		Title: fmt.Sprintf("Campaign %d", s.ref.campaign),
		About: []string{fmt.Sprintf("account %d, campaign %d", s.ref.account, s.ref.campaign), s.dates.From + " to " + s.dates.To},
	}
	var names []string
	for _, name := range s.names {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		p.Title = strings.Join(names, ": ")
	}
	for _, sec := range s.sections {
		if sec.err != nil {
			p.Charts = append(p.Charts, chart.Chart{Title: sec.report.title, NoData: "This report failed: " + sec.err.Error(), Failed: true})
			continue
		}
		p.Charts = append(p.Charts, sec.builder.Charts()...)
	}
	return p
}
