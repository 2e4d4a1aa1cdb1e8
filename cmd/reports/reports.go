// Package reports has the commands that print the service's reports. A report
// is an entry in a table: its operation, its help and its charts. All reports
// share one command body, and a summary has the charts of all of them.
package reports

import (
	"context"
	"errors"
	"iter"
	"net/http"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
)

type report struct {
	client.Report
	parent string // the report that this one is a subcommand of, empty for none
	name   string // the last word of the command
	object bool   // the data of a campaign is one object, not an array

	summary   summary.Report
	dateField string // the field with the date of a row, empty for none

	short   string
	long    string
	example string // the flags of the second example in the help

	compareText string // what --compare compares

	title     string // of the page with its charts
	chartHelp string // what the charts show
	ordered   string // which rows a chart has of what is ordered some time before it is completed, or due later, empty for nothing
}

// reports are in the order of the contract, a parent before its subcommands.
var reports = []report{
	{
		Report: client.ReportKeywords.Report, name: "keywords", short: "Report the ranks of a campaign's keywords",
		summary: summary.ReportKeywords,
		long: "Report the current ranks of a campaign's keywords and their history. The service updates ranks every 5 days.\n" +
			"Its report does not say which keywords are deactivated: their rows are printed as well, and those of --history with\n" +
			"a note. Charts and comparisons leave them out.",
		example: "--all -o csv --columns account_id,keyword,rank_google_organic",
		compareText: "With --compare, the ranks of each keyword at the end of the period stand beside those at the end of the period before.\n" +
			"Ranks of other days than today are in the history of a keyword, which may not reach back far enough. With --history,\n" +
			"each row is a keyword and a date of its history. With either, a rank is 999, \"not ranked\" in tables, if the keyword\n" +
			"does not rank, and empty, – in tables, if it was not measured, or not again. Both take --month, --from and --to; without these,\n" +
			"--history prints all dates and --compare the last 30 days.",
		title:     "Keyword ranks",
		chartHelp: "The charts show the organic ranks and those on the map over time, of the 8 keywords with the highest search volume.",
	},
	{
		Report: client.ReportTraffic.Report, name: "traffic", short: "Report the visits to a campaign's site",
		summary: summary.ReportTraffic, dateField: "date",
		long:    "Report the organic and other visits to a campaign's site on each day. The service updates them daily.",
		example: "--account 1 --from -7d --to yesterday -o csv",
		compareText: "With --compare, the visits of each day stand beside those of the same day of the period before, counted from its\n" +
			"first day, or of the same date of the year before. date_previous is that day. Today is left out, since it is not over.",
		title:     "Traffic",
		chartHelp: "The chart shows all visits and the organic ones of each day.",
	},
	{
		Report: client.ReportWorkflows.Report, name: "workflows", short: "Report the tasks of a campaign",
		summary: summary.ReportWorkflows, dateField: "built_date",
		long:    "Report the tasks of a campaign, with the dates on which they were built, are due and were completed.",
		example: "--account 1 --account 2 --from -90d -o ndjson",
		compareText: "With --compare, each campaign has one row: the number of tasks completed in the period and in the one before, also\n" +
			"of those that were built up to 90 days earlier. A task does not count if its status has a word such as not or\n" +
			"cancelled, or one such as open or review and none such as completed in front: `reseller help guide reports` has all of them.\n" +
			"Without any task in the answer, the numbers are empty.",
		title:     "Workflows",
		chartHelp: "The chart shows the tasks completed in each week.", ordered: "tasks ordered in these days; summaries also count those of %s before",
	},
	{
		Report: client.ReportBacklinks.Report, name: "backlinks", object: true, short: "Report a campaign's domain rating and backlinks",
		summary:   summary.ReportBacklinks,
		long:      "Report the domain rating of a campaign's site and its number of backlinks and referring domains. The service\nupdates them weekly.",
		example:   "--all --sort -domain_rating",
		title:     "Backlinks",
		chartHelp: "The charts show these numbers as bars.",
	},
	{
		Report: client.ReportBacklinksLost.Report, parent: "backlinks", name: "lost", short: "Report lost backlinks",
		summary: summary.ReportLost, dateField: "date_last_seen",
		long:        "Report the backlinks that were lost in a period. Without --from and --to, the request has no dates, so the service\nsends those of the last 60 days; the last 30 are printed, and all with --raw.",
		example:     "--campaign 101 --campaign 102 --from 2026-01 --to 2026-02 -o json",
		compareText: "With --compare, each campaign has one row: the number of backlinks lost in the period and in the one before.",
		title:       "Lost backlinks",
		chartHelp:   "The chart shows the backlinks lost in each week.",
	},
	{
		Report: client.ReportBacklinksReferring.Report, parent: "backlinks", name: "referring", short: "Report the number of referring backlinks over time",
		summary: summary.ReportReferring, dateField: "date_checked",
		long:        "Report the number of referring backlinks on each date in a period.",
		example:     "--account 1 --from -30d -o csv",
		compareText: "With --compare, each campaign has one row: the last number of the period, and that of the one before.",
		title:       "Referring backlinks",
		chartHelp:   "The chart shows these numbers.",
	},
	{
		Report: client.ReportBacklinksProvisioned.Report, parent: "backlinks", name: "provisioned", short: "Report backlinks provisioned by the service",
		summary: summary.ReportProvisioned, dateField: "completed_date",
		long:        "Report the backlinks that the service provisioned in a period.",
		example:     "--account 1 --from -90d --to yesterday -o csv",
		compareText: "With --compare, each campaign has one row: the number of backlinks completed in the period and in the one before.",
		title:       "Provisioned backlinks",
		chartHelp:   "The chart shows the backlinks completed in each week.", ordered: "links due in these days; summaries also count those of %s before and after",
	},
}

func (r *report) path() string {
	if r.parent == "" {
		return r.name
	}
	return r.parent + " " + r.name
}

func (r *report) takesDates() bool { return r.Dated != nil }

// isCompared reports whether periods of the report can be compared. The service gives only today's
// figures of the backlinks report.
func (r *report) isCompared() bool { return r.summary != summary.ReportBacklinks }

func (r *report) compareHelp() string {
	if !r.isCompared() {
		return "The service gives only today's numbers, so they can't be compared with those of a period before.\n\n"
	}
	return r.compareText + "\n" +
		"Beside each figure are the columns _previous, _change and _change_percent, which are empty where a number is not\n" +
		"known; a change from 0 has no percentage. --compare previous takes the month before a whole month, or as many\n" +
		"days before other dates; --compare year takes the same days of the year before. A period that is not over is compared\n" +
		"with as many days.\n\n"
}

// rows calls for the rows of a report, of which there is one if the data is one object.
func (r *report) rows(ctx context.Context, c *client.Client, call client.Call) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		n := 0
		for row, err := range c.List(ctx, call) {
			if n++; r.object && n > 1 && err == nil {
				err = &client.UnreadableError{Operation: call.Op.Name(), Action: call.Action(), HTTPStatus: http.StatusOK, Err: errors.New("data has several records, not one")}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func (r *report) rowFields() *schema.Resource { return r.Operation(client.Dates{}).Response }
