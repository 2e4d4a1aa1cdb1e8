package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/chartcmd"
	"reseller/output/chart"
)

// A rankBuilder draws the rank history of the keywords with the highest search
// volume.
type rankBuilder struct {
	rows
	organic, maps rankChart
	invalid       int // days of rank histories with a date or rank that can't be read
	repeated      int // ranks of a day that has a later one
}

// A rankChart is one of the two charts: organic ranks or map ranks.
type rankChart struct {
	top      topSeries
	unranked int // keywords without a rank on any date
}

// NewKeywordRanks returns the builder for organic ranks and map ranks over time.
func NewKeywordRanks(res *schema.Resource, campaign string, p summary.Period) Builder {
	return &rankBuilder{rows: rowsOf(res, campaign, p)}
}

func (b *rankBuilder) Add(row record.Record) {
	b.sample.Add(row)
	s := timeSeries{name: cmp.Or(chartcmd.Truncate(row.Get("keyword").Text()), "no keyword"), campaign: b.see(row), weight: summary.ParseNumber(row.Get("search_total"))}
	if math.IsNaN(s.weight) {
		s.weight = -1
	}
	organic, maps := map[summary.Day]float64{}, map[summary.Day]float64{}
	history, repeated, invalid := summary.History(row, b.period)
	b.repeated += repeated
	b.invalid += invalid
	for _, m := range history {
		organic[m.Day], maps[m.Day] = ranked(m.Organic), ranked(m.Map)
	}
	b.organic.add(s, organic)
	b.maps.add(s, maps)
}

func (c *rankChart) add(s timeSeries, ranks map[summary.Day]float64) {
	if s.points = ranks; s.hasValues() {
		c.top.add(s)
	} else {
		c.unranked++
	}
}

// ranked returns a rank, or NaN for a keyword that does not rank.
func ranked(rank float64) float64 {
	if rank == summary.Unranked {
		return math.NaN()
	}
	return rank
}

func (b *rankBuilder) Charts() []chart.Chart {
	organic, maps := b.chart("Organic ranks", &b.organic), b.chart("Map ranks", &b.maps)
	organic.Rows = b.sample.Table("All keywords")
	if b.invalid > 0 {
		organic.Omitted = append(organic.Omitted, phrase.Count(b.invalid, "invalid date or rank in a rank history is left out", "invalid dates or ranks in rank histories are left out"))
	}
	if b.repeated > 0 {
		organic.Omitted = append(organic.Omitted, phrase.Count(b.repeated, "rank is", "ranks are")+" of a day that the history of a keyword has again; the last rank of a day counts")
	}
	if b.count == 0 {
		return []chart.Chart{organic}
	}
	return []chart.Chart{organic, maps}
}

func (b *rankBuilder) chart(title string, ranks *rankChart) chart.Chart {
	c := chart.Chart{Title: title, Kind: chart.KindRanks, YTitle: "rank, 1 on top", NoData: missingRows}
	switch {
	case b.count > 0 && b.period != summary.AllDays:
		c.NoData = "No keyword has a rank in the period."
	case b.count > 0:
		c.NoData = "No keyword has a rank in its history."
	}
	for i := range ranks.top.kept {
		s := &ranks.top.kept[i]
		switch { // in front, since a narrow legend cuts off the end of a name
		case b.isAmbiguous(s.campaign):
			s.name = s.campaign.account + "/" + s.campaign.campaign + ": " + s.name
		case b.several:
			s.name = s.campaign.campaign + ": " + s.name
		}
	}
	ranks.top.plot(&c, &b.rows)
	if kept, dropped := len(ranks.top.kept), ranks.top.dropped; dropped > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Showing the %d keywords with the highest search volume, of %d that rank.", kept, kept+dropped))
	}
	if slices.ContainsFunc(c.Series, hasGap) {
		c.Notes = append(c.Notes, fmt.Sprintf("A gap is a date on which the rank was not measured or is %d, not ranked.", summary.Unranked))
	}
	if ranks.unranked > 0 && len(c.Series) > 0 {
		c.Notes = append(c.Notes, phrase.Count(ranks.unranked, "keyword has", "keywords have")+" no rank on these dates.")
	}
	return c
}

func hasGap(s chart.Series) bool { return slices.ContainsFunc(s.Values, math.IsNaN) }
