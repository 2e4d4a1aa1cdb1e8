package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output/chart"
)

// A referringSketch has a line for each campaign: how many there are is no sum.
type referringSketch struct {
	several bool
	lines   leaders
	now     line // of the campaign whose rows are passing by
	latest  time.Time
	rows    int
	odd     *cli.Ledger
}

func newReferring(res *schema.Resource, campaign string) sketch {
	return &referringSketch{several: campaign == "", odd: newLedger(res, campaign)}
}

func (s *referringSketch) see(rec record.Record) {
	s.rows++
	var of origin
	if s.several {
		of = originOf(rec)
	}
	if s.now.points == nil || s.now.of != of {
		s.close()
		s.now, s.latest = line{of: of, points: map[time.Time]float64{}}, time.Time{}
	}
	day, ok := dayIn(rec.Get("date_checked"))
	quantity := cli.Figure(rec.Get("quantity"))
	if !ok || math.IsNaN(quantity) {
		s.odd.Add(rec)
	}
	if !ok {
		return
	}
	if _, have := s.now.points[day]; !have || !math.IsNaN(quantity) {
		s.now.points[day] = quantity
	}
	if !math.IsNaN(quantity) && !day.Before(s.latest) {
		s.latest, s.now.weight = day, quantity
	}
}

// close takes in the line that is complete.
func (s *referringSketch) close() {
	if s.now.figures() {
		s.lines.add(s.now)
	}
	s.now = line{}
}

func (s *referringSketch) charts() []chart.Chart {
	s.close()
	c := chart.Chart{Title: "Referring backlinks", Kind: chart.Lines, Up: "referring backlinks", Missing: missing(s.rows)}
	if both := shared(s.lines.origins()); s.several {
		for i := range s.lines.kept {
			s.lines.kept[i].name = s.lines.kept[i].of.title(both)
		}
	}
	p, labels, series := s.lines.trace()
	c.Across, c.Labels, c.Series = p.axis(), labels, series
	if s.lines.more > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Only the %d campaigns with the most referring backlinks are drawn, of %d.", len(series), len(series)+s.lines.more))
	}
	if n := s.odd.Seen(); n > 0 {
		c.Left = append(c.Left, cli.Count(n, "row has no date or no quantity that can be read, and is left out", "rows have no date or no quantity that can be read, and are left out"))
		c.Rows = s.odd.Table("Rows that are not in the picture")
	}
	return []chart.Chart{c}
}

// highestRating is the upper end of the scale of domain ratings.
const highestRating = 100

// standing is how a campaign stands.
type standing struct {
	of                      origin
	rating, links, referrer float64
}

// A standingSketch has bars for each campaign. A rating has another scale than
// quantities, so it has a chart of its own.
type standingSketch struct {
	campaign string // empty for several
	kept     []standing
	rows     int
	all      *cli.Ledger
}

func newStanding(res *schema.Resource, campaign string) sketch {
	return &standingSketch{campaign: campaign, all: newLedger(res, campaign)}
}

func (s *standingSketch) see(rec record.Record) {
	s.rows++
	one := standing{originOf(rec), cli.Figure(rec.Get("domain_rating")), cli.Figure(rec.Get("backlink_quantity")), cli.Figure(rec.Get("referring_domain_quantity"))}
	s.all.Add(rec)
	if math.IsNaN(one.rating) && math.IsNaN(one.links) && math.IsNaN(one.referrer) {
		return
	}
	s.kept = append(s.kept, one)
	slices.SortStableFunc(s.kept, func(a, b standing) int { return cmp.Compare(b.links, a.links) })
	s.kept = s.kept[:min(len(s.kept), mostBars)]
}

func (s *standingSketch) charts() []chart.Chart {
	rating := chart.Chart{Title: "Domain rating", Kind: chart.Bars, Across: "campaign", Up: "domain rating", Most: highestRating, Missing: missing(s.rows)}
	links := chart.Chart{Title: "Backlinks and referring domains", Kind: chart.Bars, Across: "campaign", Up: "quantity"}
	rating.Series = []chart.Series{{}}
	links.Series = []chart.Series{{Name: "backlinks"}, {Name: "referring domains"}}
	var all []origin
	for _, one := range s.kept {
		all = append(all, one.of)
	}
	both := shared(all)
	for _, one := range s.kept {
		name := cmp.Or(s.campaign, one.of.title(both))
		rating.Labels, links.Labels = append(rating.Labels, name), append(links.Labels, name)
		rating.Series[0].Values = append(rating.Series[0].Values, one.rating)
		links.Series[0].Values = append(links.Series[0].Values, one.links)
		links.Series[1].Values = append(links.Series[1].Values, one.referrer)
	}
	if left := s.rows - len(s.kept); left > 0 && len(s.kept) > 0 {
		links.Notes = append(links.Notes, fmt.Sprintf("Only the %d campaigns with the most backlinks are drawn, of %d.", len(s.kept), s.rows))
	}
	if s.campaign == "" {
		links.Rows = s.all.Table("All campaigns")
	}
	if len(s.kept) == 0 {
		rating.Rows = s.all.Table("Rows")
		return []chart.Chart{rating}
	}
	return []chart.Chart{rating, links}
}
