package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/output/chart"
)

const (
	maxCampaigns = 20  // bars of a chart of several campaigns
	maxRating    = 100 // upper end of the scale of domain ratings
)

// A referringBuilder draws a line for each campaign. The rows of one campaign must
// follow each other.
type referringBuilder struct {
	rows
	top     topSeries
	current timeSeries  // of the campaign whose rows are being added
	latest  summary.Day // the day of the value that is current's weight
}

// NewReferringBacklinks returns the builder for the number of referring
// backlinks over time.
func NewReferringBacklinks(res *schema.Resource, campaign string, p summary.Period) Builder {
	return &referringBuilder{rows: rowsOf(res, campaign, p)}
}

func (b *referringBuilder) Add(row record.Record) {
	if key := b.see(row); b.current.points == nil || b.current.campaign != key {
		b.finishCampaign()
		b.current, b.latest = timeSeries{campaign: key, points: map[summary.Day]float64{}}, 0
	}
	day, ok := summary.ParseDay(row.Get("date_checked"))
	quantity := summary.ParseNumber(row.Get("quantity"))
	if !ok || math.IsNaN(quantity) && summary.IsGiven(row.Get("quantity")) {
		b.sample.Add(row)
	}
	if !ok {
		return
	}
	if _, exists := b.current.points[day]; !exists || !math.IsNaN(quantity) {
		b.current.points[day] = quantity
	}
	if !math.IsNaN(quantity) && day >= b.latest {
		b.latest, b.current.weight = day, quantity
	}
}

// finishCampaign adds the series of a campaign whose rows have all been added.
func (b *referringBuilder) finishCampaign() {
	if b.current.hasValues() {
		b.top.add(b.current)
	}
	b.current = timeSeries{}
}

func (b *referringBuilder) Charts() []chart.Chart {
	b.finishCampaign()
	c := chart.Chart{Title: "Referring backlinks", Kind: chart.KindLines, YTitle: "referring backlinks", NoData: b.missing()}
	for i := range b.top.kept {
		if s := &b.top.kept[i]; b.several {
			s.name = b.nameOf(s.campaign)
		}
	}
	b.top.plot(&c, &b.rows)
	if shown := len(c.Series); b.top.dropped > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Showing the %d campaigns with the most referring backlinks, of %d.", shown, shown+b.top.dropped))
	}
	b.showLeftOut(&c)
	return []chart.Chart{c}
}

// backlinkStats are the numbers of one campaign. A missing number is NaN.
type backlinkStats struct {
	summary.Backlinks
	campaign campaignKey
}

// A backlinksBuilder draws bars for each campaign. Ratings and quantities have
// charts of their own, since their scales differ.
type backlinksBuilder struct {
	rows
	campaign string // the title of the only campaign, empty for several
	top      []backlinkStats
	dropped  int // campaigns with numbers that are not in top
	invalid  int // rows with a number that can't be read
}

// NewBacklinks returns the builder for domain ratings, backlinks and referring
// domains.
func NewBacklinks(res *schema.Resource, campaign string, p summary.Period) Builder {
	return &backlinksBuilder{campaign: campaign, rows: rowsOf(res, campaign, p)}
}

func (b *backlinksBuilder) Add(row record.Record) {
	b.sample.Add(row)
	numbers, valid := summary.ParseBacklinks(row)
	if !valid {
		b.invalid++
	}
	stats := backlinkStats{numbers, b.see(row)}
	if !slices.ContainsFunc(numbers[:], func(n float64) bool { return !math.IsNaN(n) }) {
		return
	}
	b.top = append(b.top, stats)
	slices.SortStableFunc(b.top, func(x, y backlinkStats) int {
		return cmp.Compare(y.Backlinks[summary.BacklinkQuantity], x.Backlinks[summary.BacklinkQuantity])
	})
	if len(b.top) > maxCampaigns {
		b.top = b.top[:maxCampaigns]
		b.dropped++
	}
}

func (b *backlinksBuilder) Charts() []chart.Chart {
	ratings := chart.Chart{Title: "Domain rating", Kind: chart.KindBars, XTitle: "campaign", YTitle: "domain rating", SuggestedMax: maxRating, NoData: b.missing()}
	if b.invalid > 0 {
		ratings.Omitted = append(ratings.Omitted, unreadable(b.invalid))
	}
	if len(b.top) == 0 {
		ratings.Rows = b.sample.Table("Rows")
		return []chart.Chart{ratings}
	}
	links := chart.Chart{Title: "Backlinks and referring domains", Kind: chart.KindBars, XTitle: "campaign", YTitle: "quantity"}
	ratings.Series = []chart.Series{{}}
	links.Series = []chart.Series{{Name: "backlinks"}, {Name: "referring domains"}}
	for _, stats := range b.top {
		label := cmp.Or(b.campaign, b.nameOf(stats.campaign))
		ratings.Labels, links.Labels = append(ratings.Labels, label), append(links.Labels, label)
		ratings.Series[0].Values = append(ratings.Series[0].Values, stats.Backlinks[summary.DomainRating])
		links.Series[0].Values = append(links.Series[0].Values, stats.Backlinks[summary.BacklinkQuantity])
		links.Series[1].Values = append(links.Series[1].Values, stats.Backlinks[summary.ReferringDomains])
	}
	if b.dropped > 0 {
		links.Notes = append(links.Notes, fmt.Sprintf("Showing the %d campaigns with the most backlinks, of %d.", maxCampaigns, maxCampaigns+b.dropped))
	}
	if b.campaign == "" {
		links.Rows = b.sample.Table("All campaigns")
	}
	return []chart.Chart{ratings, links}
}
