package charts

import (
	"math"
	"time"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/chartcmd"
	"reseller/output/chart"
)

// maxDays is the largest number of days that are drawn one by one.
const maxDays = 100

// visits are the visits of a day: organic, non-organic, and the total of those that
// are not broken down. An unknown number is NaN.
type visits [3]float64

func unknownVisits() visits { return visits{math.NaN(), math.NaN(), math.NaN()} }

func (v visits) unknown() bool { return math.IsNaN(v[0]) && math.IsNaN(v[1]) && math.IsNaN(v[2]) }

// newVisits returns the visits of a row. Each number may be NaN: newVisits computes
// a missing one of organic, non-organic and total from the other two.
func newVisits(organic, other, total float64) visits {
	v := unknownVisits()
	switch o, n, t := !math.IsNaN(organic), !math.IsNaN(other), !math.IsNaN(total); {
	case o && n:
		v[0], v[1] = organic, other
	case o && t && total >= organic:
		v[0], v[1] = organic, total-organic
	case n && t && total >= other:
		v[0], v[1] = total-other, other
	case o:
		v[0] = organic
	case n:
		v[1] = other
	case t:
		v[2] = total
	}
	return v
}

// add returns the sum. An unknown number counts as 0 unless both are unknown.
func (v visits) add(more visits) visits {
	for i := range v {
		switch {
		case math.IsNaN(v[i]):
			v[i] = more[i]
		case !math.IsNaN(more[i]):
			v[i] += more[i]
		}
	}
	return v
}

// A trafficBuilder adds up the visits of all campaigns for each day.
type trafficBuilder struct {
	limits
	days      map[time.Time]visits
	covered   dateRange
	rows      int
	campaigns campaignSet
	invalid   *chartcmd.RowSample
}

// NewTraffic returns the builder for visits per day.
func NewTraffic(res *schema.Resource, campaign string) Builder {
	return &trafficBuilder{days: map[time.Time]visits{}, campaigns: newCampaignSet(campaign), invalid: sampleRows(res, campaign)}
}

func (b *trafficBuilder) Add(row record.Record) {
	b.rows++
	b.campaigns.add(row)
	organic, other, total := row.Get("organic"), row.Get("non_organic"), row.Get("total")
	day, ok := parseDay(row.Get("date"))
	v := newVisits(chartcmd.ParseNumber(organic), chartcmd.ParseNumber(other), chartcmd.ParseNumber(total))
	if !ok || v.unknown() || chartcmd.IsMalformed(organic) || chartcmd.IsMalformed(other) || chartcmd.IsMalformed(total) {
		b.invalid.Add(row)
		return
	}
	b.covered.extend(day)
	addVisits(b.days, day, v)
}

func addVisits(sums map[time.Time]visits, day time.Time, v visits) {
	if sum, ok := sums[day]; ok {
		v = sum.add(v)
	}
	sums[day] = v
}

func (b *trafficBuilder) Charts() []chart.Chart {
	c := chart.Chart{Title: "Visits", Kind: chart.KindStackedAreas, YTitle: "visits", NoData: missingReason(b.rows)}
	if n := b.invalid.Seen(); n > 0 {
		c.Omitted = append(c.Omitted, leftOut(n, "without a valid date or number"))
		c.Rows = b.invalid.Table(titleLeftOut)
	}
	if len(b.days) == 0 {
		return []chart.Chart{c}
	}
	c.Notes = b.campaigns.notes()
	by, starts := intervalDay.divide(b.covered, maxDays)
	c.Title, c.XTitle = "Visits per "+by.String(), by.axisTitle()
	sums := map[time.Time]visits{}
	for day, v := range b.days {
		addVisits(sums, by.start(day), v)
	}
	series := [...]chart.Series{{Name: "organic visits"}, {Name: "other visits"}, {Name: "visits not broken down"}}
	var known [len(series)]bool
	gaps := 0
	for _, start := range starts {
		c.Labels = append(c.Labels, b.label(by, start))
		sum, ok := sums[start]
		if !ok {
			sum = unknownVisits()
			gaps++
		}
		for i := range series {
			known[i] = known[i] || !math.IsNaN(sum[i])
			series[i].Values = append(series[i].Values, sum[i])
		}
	}
	for i := range series {
		if known[i] {
			c.Series = append(c.Series, series[i])
		}
	}
	c.Notes = append(c.Notes, b.incompleteEnds(by)...)
	if gaps > 0 {
		c.Notes = append(c.Notes, phrase.Count(gaps, by.String()+" has no data and is drawn as zero.", by.String()+"s have no data and are drawn as zero."))
	}
	return []chart.Chart{c}
}

// incompleteEnds returns notes if the first or the last interval has data for some
// of its days only, since the missing days look like fewer visits.
func (b *trafficBuilder) incompleteEnds(by interval) (notes []string) {
	if !b.covered.first.Equal(by.start(b.covered.first)) {
		notes = append(notes, "The first "+by.String()+" is incomplete: its data begins on "+b.covered.first.Format(layoutDay)+".")
	}
	if end := by.next(by.start(b.covered.last)).AddDate(0, 0, -1); !b.covered.last.Equal(end) {
		notes = append(notes, "The last "+by.String()+" is incomplete: its data ends on "+b.covered.last.Format(layoutDay)+".")
	}
	return notes
}
