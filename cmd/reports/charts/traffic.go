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
	days    map[summary.Day]visits
	covered summary.Period
}

// visits are those of all campaigns on a day or on several.
type visits struct {
	summary.Visits
	given summary.Visits // how many rows have each of the numbers
	told  summary.Tally  // 1 for what is so in a campaign
}

// lack reports whether less than n rows have one of the numbers that others have.
func (v visits) lack(n int) bool {
	return slices.ContainsFunc(v.given[:], func(rows float64) bool { return rows < float64(n) })
}

// NewTraffic returns the builder for visits per day.
func NewTraffic(res *schema.Resource, campaign string, p summary.Period) Builder {
	return &trafficBuilder{rows: rowsOf(res, campaign, p), days: map[summary.Day]visits{}}
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
	extend(&b.covered, day)
	given := v
	for i, n := range v {
		given[i] = 1 + 0*n // NaN stays NaN
	}
	addVisits(b.days, day, visits{v, given, told})
}

func addVisits(sums map[summary.Day]visits, day summary.Day, v visits) {
	if sum, ok := sums[day]; ok {
		told := summary.Tally{Unequal: max(sum.told.Unequal, v.told.Unequal), Summed: max(sum.told.Summed, v.told.Summed)}
		v = visits{sum.Plus(v.Visits), sum.given.Plus(v.given), told}
	}
	sums[day] = v
}

func (b *trafficBuilder) Charts() []chart.Chart {
	c := chart.Chart{Title: "Visits", Kind: chart.KindLines, YTitle: "visits", NoData: b.missing()}
	b.showLeftOut(&c)
	if len(b.days) == 0 {
		return []chart.Chart{c}
	}
	c.Notes = b.totals()
	period := b.periodOr(b.covered)
	by, starts := divide(summary.UnitDay, period, maxDays)
	c.Title = "Visits per " + by.String()
	b.setAxis(&c, by, starts)
	sums, lacking := map[summary.Day]visits{}, 0
	var told summary.Tally
	for day, v := range b.days {
		addVisits(sums, startOf(by, day), v)
		told.Unequal += v.told.Unequal
		told.Summed += v.told.Summed
		if v.lack(len(b.campaigns)) {
			lacking++
		}
	}
	if lacking > 0 {
		c.Notes = append(c.Notes, phrase.Count(lacking, "day lacks", "days lack")+" numbers of some campaigns.")
	}
	c.Notes = append(c.Notes, told.VisitNotes()...)
	c.Series = []chart.Series{{Name: "visits"}, {Name: "organic visits"}, {Name: "other visits"}}
	gaps, partial := 0, 0
	for _, start := range starts {
		sum, ok := sums[start]
		days := int(min(by.Next(start)-1, period.To)-max(start, period.From)) + 1
		switch {
		case !ok:
			sum.Visits = summary.UnknownVisits
			gaps++
		case by != summary.UnitDay && sum.lack(days*max(len(b.campaigns), 1)):
			partial++
		}
		for i, v := range sum.Visits {
			c.Series[i].Values = append(c.Series[i].Values, v)
		}
	}
	c.Series = slices.DeleteFunc(c.Series, func(s chart.Series) bool {
		return !slices.ContainsFunc(s.Values, func(v float64) bool { return !math.IsNaN(v) })
	})
	what := "its data"
	if period == b.period {
		what = "the period"
	}
	c.Notes = append(c.Notes, incompleteEnds(by, starts, period, what)...) // missing days look like fewer visits
	if gaps > 0 {
		c.Notes = append(c.Notes, "A gap is a "+by.String()+" without data: "+phrase.Count(gaps, by.String(), by.String()+"s")+".")
	}
	if partial > 0 {
		c.Notes = append(c.Notes, phrase.Count(partial, by.String()+" has", by.String()+"s have")+" days without data.")
	}
	return []chart.Chart{c}
}
