package charts

import (
	"math"
	"slices"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/output/chart"
)

// maxDays is the largest number of days that are drawn one by one.
const maxDays = 100

// A trafficBuilder adds up the visits of all campaigns for each day.
type trafficBuilder struct {
	rows
	days    map[summary.Day]summary.Visits
	covered summary.Period
	told    summary.Tally
}

// NewTraffic returns the builder for visits per day.
func NewTraffic(res *schema.Resource, campaign string, p summary.Period) Builder {
	return &trafficBuilder{rows: rowsOf(res, campaign, p), days: map[summary.Day]summary.Visits{}}
}

func (b *trafficBuilder) Add(row record.Record) {
	b.see(row)
	day, ok := summary.ParseDay(row.Get("date"))
	v, told := summary.ParseVisits(row)
	if !ok || told.Invalid > 0 {
		b.sample.Add(row)
	}
	if !ok || v.Unknown() {
		return // a day without numbers is a gap
	}
	b.told.Summed += told.Summed
	b.told.Unequal += told.Unequal
	extend(&b.covered, day)
	addVisits(b.days, day, v)
}

func addVisits(sums map[summary.Day]summary.Visits, day summary.Day, v summary.Visits) {
	if sum, ok := sums[day]; ok {
		v = sum.Plus(v)
	}
	sums[day] = v
}

func (b *trafficBuilder) Charts() []chart.Chart {
	c := chart.Chart{Title: "Visits", Kind: chart.KindLines, YTitle: "visits", NoData: b.missing()}
	b.showLeftOut(&c)
	if len(b.days) == 0 {
		return []chart.Chart{c}
	}
	c.Notes = append(b.totals(), b.told.VisitNotes()...)
	by, starts := divide(summary.UnitDay, b.covered, maxDays)
	c.Title = "Visits per " + by.String()
	b.setAxis(&c, by, starts)
	sums, counts := map[summary.Day]summary.Visits{}, map[summary.Day]int{}
	for day, v := range b.days {
		addVisits(sums, startOf(by, day), v)
		counts[startOf(by, day)]++
	}
	c.Series = []chart.Series{{Name: "visits"}, {Name: "organic visits"}, {Name: "other visits"}}
	gaps, partial := 0, 0
	for i, start := range starts {
		sum, ok := sums[start]
		switch isEnd := i == 0 || i == len(starts)-1; {
		case !ok:
			sum = summary.UnknownVisits
			gaps++
		case !isEnd && counts[start] < int(by.Next(start)-start):
			partial++
		}
		for i, v := range sum {
			c.Series[i].Values = append(c.Series[i].Values, v)
		}
	}
	c.Series = slices.DeleteFunc(c.Series, func(s chart.Series) bool {
		return !slices.ContainsFunc(s.Values, func(v float64) bool { return !math.IsNaN(v) })
	})
	c.Notes = append(c.Notes, incompleteEnds(by, starts, b.covered, "its data")...) // missing days look like fewer visits
	if gaps > 0 {
		c.Notes = append(c.Notes, "A gap is a "+by.String()+" without data: "+phrase.Count(gaps, by.String(), by.String()+"s")+".")
	}
	if partial > 0 {
		c.Notes = append(c.Notes, phrase.Count(partial, by.String()+" has", by.String()+"s have")+" days without data.")
	}
	return []chart.Chart{c}
}
