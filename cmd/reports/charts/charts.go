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
	// Limit says that the rows are of a period: no interval of a chart begins before it.
	Limit(p *summary.Period)
	Add(row record.Record)
	Charts() []chart.Chart
}

// limits is the period of a chart, nil if it has all days.
type limits struct{ period *summary.Period }

// Limit implements Builder.
func (l *limits) Limit(p *summary.Period) { l.period = p }

// label returns the label of an interval. Of one that begins before the period, it is the first day
// of the period.
func (l *limits) label(by summary.Unit, start summary.Day) string {
	if l.period != nil && (by == summary.UnitDay || by == summary.UnitWeek) && start < l.period.From {
		start = l.period.From
	}
	return labelOf(by, start)
}

// partialEnds returns notes if the first or the last of some intervals is only partly in the period.
func (l *limits) partialEnds(by summary.Unit, starts []summary.Day) []string {
	if l.period == nil || len(starts) == 0 {
		return nil
	}
	return incompleteEnds(by, starts, *l.period, "the period")
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

// sampleRows returns an empty sample of the rows of a report, as a table shows
// them. The rows of several campaigns begin with their account and campaign.
func sampleRows(res *schema.Resource, campaign string) *chartcmd.RowSample {
	if campaign == "" {
		return chartcmd.NewRowSample(res, schema.ReportSubject.Without("account_name").Columns()...)
	}
	return chartcmd.NewRowSample(res)
}

// A campaignKey identifies a campaign by its account as well, since several
// accounts may have a campaign with the same id.
type campaignKey struct{ account, campaign string }

func keyOf(row record.Record) campaignKey {
	return campaignKey{chartcmd.Truncate(row.Get("account_id").Text()), chartcmd.Truncate(row.Get("campaign_id").Text())}
}

// ambiguousCampaigns returns the campaign ids that occur with more than one
// account.
func ambiguousCampaigns(keys []campaignKey) map[string]bool {
	accounts, ambiguous := map[string]string{}, map[string]bool{}
	for _, key := range keys {
		if account, ok := accounts[key.campaign]; ok && account != key.account {
			ambiguous[key.campaign] = true
		}
		accounts[key.campaign] = key.account
	}
	return ambiguous
}

// title names the campaign in a chart of several campaigns, with its account if the
// campaign id is ambiguous.
func (k campaignKey) title(ambiguous map[string]bool) string {
	if ambiguous[k.campaign] {
		return k.campaign + " of account " + k.account
	}
	return "campaign " + k.campaign
}

// A campaignSet counts the campaigns whose rows a chart adds up. In the report of a
// single campaign it is nil and counts nothing.
type campaignSet map[campaignKey]bool

func newCampaignSet(campaign string) campaignSet {
	if campaign != "" {
		return nil
	}
	return campaignSet{}
}

func (s campaignSet) add(row record.Record) {
	if s != nil {
		s[keyOf(row)] = true
	}
}

// notes returns the note that a chart of several campaigns shows totals.
func (s campaignSet) notes() []string {
	if len(s) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("Totals of %d campaigns.", len(s))}
}

// leftOut returns the note that a chart leaves out that many rows. which describes
// the rows.
func leftOut(rows int, which string) string {
	return phrase.Count(rows, "row "+which+" is left out", "rows "+which+" are left out")
}

const titleLeftOut = "Rows that are not in the chart"

const (
	missingRows   = "The report has no rows."
	missingValues = "No row has a value that can be drawn."
)

// missingReason returns why a chart of that many rows is empty.
func missingReason(rows int) string {
	if rows == 0 {
		return missingRows
	}
	return missingValues
}
