// Package charts turns the rows of a report into the charts that show them.
package charts

import (
	"fmt"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/chartcmd"
	"reseller/output/chart"
)

// A Builder makes the charts of one report. Add is called for each row that is
// printed. A builder keeps no more of the rows than the charts can show.
type Builder interface {
	Add(row record.Record)
	Charts() []chart.Chart
}

// A Feed gives a builder the rows of its period: of several rows of one keyword, day, task or link of a campaign, the last one.
type Feed struct {
	Builder
	Repeated  int  // rows that are not given, since a later one is of the same
	Outside   int  // rows that are not given, since they are of days outside of the period
	IsSorted  bool // the rows of one campaign need not follow each other
	Period    summary.Period
	report    summary.Report
	dateField string
	campaigns []campaignKey
	rows      map[campaignKey]*summary.Rows
}

// NewFeed returns the feed of a report. dateField is the field with the date of a row, empty for none.
func NewFeed(b Builder, report summary.Report, dateField string, p summary.Period) *Feed {
	return &Feed{Builder: b, report: report, dateField: dateField, Period: p, rows: map[campaignKey]*summary.Rows{}}
}

// Add implements Builder.
func (f *Feed) Add(row record.Record) {
	key := keyOf(row)
	rows := f.rows[key]
	if rows == nil {
		if !f.IsSorted {
			f.give()
		}
		rows = &summary.Rows{}
		f.campaigns, f.rows[key] = append(f.campaigns, key), rows
	}
	rows.Add(f.report, row.Clone())
}

// Charts implements Builder.
func (f *Feed) Charts() []chart.Chart {
	f.give()
	all := f.Builder.Charts()
	if f.Outside > 0 && all[0].NoData == missingRows {
		all[0].NoData = "The report has no rows for the period."
	}
	return all
}

// give gives the rows to the builder, campaign by campaign.
func (f *Feed) give() {
	for _, key := range f.campaigns {
		f.Repeated += f.rows[key].Repeated
		for _, row := range f.rows[key].Kept {
			if Within(row, f.dateField, f.Period) && !summary.IsTooEarly(f.report, row, f.Period) {
				f.Builder.Add(row)
			} else {
				f.Outside++
			}
		}
	}
	f.campaigns = f.campaigns[:0]
	clear(f.rows)
}

// rows is what the charts of all reports know of their rows.
type rows struct {
	several   bool           // the report is of several campaigns
	period    summary.Period // of which the rows are: no interval of a chart begins before it
	count     int
	campaigns map[campaignKey]bool
	sample    *chartcmd.RowSample // of all rows or, in the charts that show the others, of those left out
}

// rowsOf returns what is known of the rows of a report before the first one. The sample has the columns of the table,
// and those of several campaigns begin with their account and campaign.
func rowsOf(res *schema.Resource, campaign string, p summary.Period) rows {
	var front []schema.Column
	if campaign == "" {
		front = schema.ReportSubject.Without("account_name").Columns()
	}
	return rows{period: p, several: campaign == "", campaigns: map[campaignKey]bool{}, sample: chartcmd.NewRowSample(res, front...)}
}

// see counts a row and returns its campaign if there are several: all rows of one campaign are its own, whatever ids they have.
func (r *rows) see(row record.Record) campaignKey {
	r.count++
	if !r.several {
		return campaignKey{}
	}
	key := keyOf(row)
	r.campaigns[key] = true
	return key
}

// missing returns why a chart is empty.
func (r *rows) missing() string {
	if r.count == 0 {
		return missingRows
	}
	return missingValues
}

// totals returns the note that a chart of several campaigns shows totals.
func (r *rows) totals() []string {
	if len(r.campaigns) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("Totals of %d campaigns.", len(r.campaigns))}
}

// showLeftOut says how many rows the sample has, of which a chart leaves out what can't be read, and shows them below it.
func (r *rows) showLeftOut(c *chart.Chart) {
	if n := r.sample.Seen(); n > 0 {
		c.Omitted, c.Rows = append(c.Omitted, unreadable(n)), r.sample.Table("Rows that are not in the chart")
	}
}

// periodOr returns the period that was asked for, whose intervals without rows have 0 of what is counted, or, without one, the
// days of the rows.
func (r *rows) periodOr(covered summary.Period) summary.Period {
	if r.period == summary.AllDays {
		return covered
	}
	return r.period
}

// setAxis gives a chart the intervals that begin on some days. A first one that begins before the period is
// labeled with the first day of the period.
func (r *rows) setAxis(c *chart.Chart, by summary.Unit, starts []summary.Day) {
	c.XTitle = by.String()
	if by == summary.UnitWeek {
		c.XTitle = "week starting"
	}
	for _, start := range starts {
		c.Labels = append(c.Labels, labelOf(by, max(start, r.period.From)))
	}
}

// incompleteEnds returns notes if the first or the last of some intervals is only partly in a period of what is named.
func incompleteEnds(by summary.Unit, starts []summary.Day, p summary.Period, what string) (notes []string) {
	if starts[0] < p.From {
		notes = append(notes, "The first "+by.String()+" is incomplete: "+what+" begins on "+p.From.String()+".")
	}
	if by.Next(starts[len(starts)-1])-1 > p.To {
		notes = append(notes, "The last "+by.String()+" is incomplete: "+what+" ends on "+p.To.String()+".")
	}
	return notes
}

// A campaignKey identifies a campaign by its account as well, since several
// accounts may have a campaign with the same id.
type campaignKey struct{ account, campaign string }

func keyOf(row record.Record) campaignKey {
	return campaignKey{chartcmd.Truncate(row.Get("account_id").Text()), chartcmd.Truncate(row.Get("campaign_id").Text())}
}

// isAmbiguous reports whether several accounts have a campaign with the id of this one.
func (r *rows) isAmbiguous(key campaignKey) bool {
	for other := range r.campaigns {
		if other.campaign == key.campaign && other.account != key.account {
			return true
		}
	}
	return false
}

// nameOf names a campaign in a chart of several, with its account if its id is ambiguous.
func (r *rows) nameOf(key campaignKey) string {
	if r.isAmbiguous(key) {
		return key.campaign + " of account " + key.account
	}
	return "campaign " + key.campaign
}

// unreadable returns the note that a chart leaves out what that many rows have.
func unreadable(rows int) string {
	return phrase.Count(rows, "row has", "rows have") + " a date or a number that can't be read, which is left out"
}

const (
	missingRows   = "The report has no rows."
	missingValues = "No row has a value that can be drawn."
)
