// Package reports has the seven reports. They differ in their operation, in
// whether they take dates and in their charts; all else is one body.
package reports

import (
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/reports/charts"
)

// A kind is one of the reports.
type kind struct {
	path   string // the words behind `reseller reports`
	report client.Report
	object bool // its data is one object, not an array
	short  string
	long   string
	sample string // flags of the last example
	title  string // of its charts
	chart  string // what they show
	// newBuilder makes them; campaign is empty where there may be several.
	newBuilder func(row *schema.Resource, campaign string) charts.Builder
}

// kinds are the reports in the order of the contract.
func kinds() [7]kind {
	return [...]kind{
		{
			path: "keywords", report: client.ReportKeywords, short: "Report the ranks of a campaign's keywords",
			long:       "Report the ranks of a campaign's keywords and how they went. Ranks are refreshed every 5 days.",
			sample:     "--all -o csv --columns account_id,keyword,rank_google_organic",
			title:      "Keyword ranks",
			chart:      "The charts show the organic and the map ranks over time of the 8 keywords that are searched for most.",
			newBuilder: charts.NewKeywordRanks,
		},
		{
			path: "traffic", report: client.ReportTraffic, short: "Report the visits of a campaign's site",
			long:       "Report the visits of a campaign's site day by day, organic and other. They are refreshed daily.",
			sample:     "--account 1 --from -7d --to yesterday -o csv",
			title:      "Traffic",
			chart:      "The chart shows the visits a day as stacked lines; those of several campaigns are added up.",
			newBuilder: charts.NewTraffic,
		},
		{
			path: "workflows", report: client.ReportWorkflows, short: "Report the tasks of a campaign",
			long:       "Report the tasks of a campaign: when they were built, are due and were completed.",
			sample:     "--account 1 --account 2 --from -90d -o ndjson",
			title:      "Workflows",
			chart:      "The chart shows the tasks built a week by their status; those of several campaigns are added up.",
			newBuilder: charts.NewWorkflows,
		},
		{
			path: "backlinks", report: client.ReportBacklinks, object: true, short: "Report the figures of a campaign's backlinks",
			long:       "Report the domain rating and how many backlinks and referring domains there are. They are refreshed weekly.",
			sample:     "--all --sort -domain_rating",
			title:      "Backlinks",
			chart:      "The charts show the figures as bars, of several campaigns the 20 with the most backlinks.",
			newBuilder: charts.NewBacklinks,
		},
		{
			path: "backlinks lost", report: client.ReportBacklinksLost, short: "Report backlinks that were lost",
			long:       "Report backlinks that were lost in a period. Without --from and --to the service takes the last 60 days.",
			sample:     "--campaign 101 --campaign 102 --from 2026-01 --to 2026-02 -o json",
			title:      "Lost backlinks",
			chart:      "The chart shows how many were lost a week; those of several campaigns are added up.",
			newBuilder: charts.NewLostBacklinks,
		},
		{
			path: "backlinks referring", report: client.ReportBacklinksReferring, short: "Report referring backlinks by date and count",
			long:       "Report how many referring backlinks were counted on each date of a period.",
			sample:     "--account 1 --from -30d -o csv",
			title:      "Referring backlinks",
			chart:      "The chart shows the counts as a line, of several campaigns a line each of the 8 with the most.",
			newBuilder: charts.NewReferringBacklinks,
		},
		{
			path: "backlinks provisioned", report: client.ReportBacklinksProvisioned, short: "Report backlinks that the service provisioned",
			long:       "Report backlinks that the service provisioned in a period.",
			sample:     "--account 1 --from -90d --to yesterday -o csv",
			title:      "Provisioned backlinks",
			chart:      "The chart shows how many were completed a week by their type; those of several campaigns are added up.",
			newBuilder: charts.NewProvisionedBacklinks,
		},
	}
}

// New makes the group.
func New(f *cli.Factory) *cobra.Command { return newGroup(f, time.Now) }

func newGroup(f *cli.Factory, now func() time.Time) *cobra.Command {
	var all []*cobra.Command
	for _, k := range kinds() {
		all = append(all, newReportCmd(f, now, k, nil))
	}
	all[3].AddCommand(all[4:]...)
	return cli.Group("reports", "Report on campaigns", append(all[:4:4], newSummaryCmd(f, now))...)
}

// dated tells whether the report takes dates.
func (k kind) dated() bool { return k.report.Dated != nil }

// needsDates tells whether it can't do without them.
func (k kind) needsDates() bool { return k.report.Undated == nil }

// row are the fields of a row.
func (k kind) row() *schema.Resource { return k.report.Operation(client.Dates{}).Answer }
