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

// unranked is the rank of a keyword that does not rank.
const unranked = 999

// A rankSketch keeps the history of the keywords that are searched for most.
type rankSketch struct {
	several       bool
	organic, maps leaders
	idle          [2]int // keywords without a rank on any date, organic and map
	undated       int
	rows          *cli.Ledger
}

func newRanks(res *schema.Resource, campaign string) sketch {
	return &rankSketch{several: campaign == "", rows: newLedger(res, campaign)}
}

func (s *rankSketch) see(rec record.Record) {
	s.rows.Add(rec)
	name, of := cmp.Or(cli.Clip(rec.Get("keyword").Text()), "no keyword"), origin{}
	if s.several {
		of = originOf(rec)
	}
	weight := cli.Figure(rec.Get("search_total"))
	if math.IsNaN(weight) {
		weight = -1
	}
	organic, maps := line{name, of, weight, map[time.Time]float64{}}, line{name, of, weight, map[time.Time]float64{}}
	history := rec.Get("histogram")
	if k := history.Kind(); k != record.Array && k != record.Null && k != record.Missing {
		s.undated++
	}
	for v := range history.Elements() {
		day, ok := dayIn(v.Get("date"))
		if !ok {
			s.undated++
			continue
		}
		organic.points[day] = rank(v.Get("rank_google_organic"))
		maps.points[day] = rank(v.Get("rank_google_map"))
	}
	for i, to := range []*leaders{&s.organic, &s.maps} {
		if one := []line{organic, maps}[i]; one.figures() {
			to.add(one)
		} else {
			s.idle[i]++
		}
	}
}

func hasGap(s chart.Series) bool { return slices.ContainsFunc(s.Values, math.IsNaN) }

// rank is a rank from 1 up, or a gap.
func rank(v record.Value) float64 {
	n := cli.Figure(v)
	if n < 1 || n >= unranked {
		return math.NaN()
	}
	return n
}

func (s *rankSketch) charts() []chart.Chart {
	organic := s.chart("Organic ranks", &s.organic, s.idle[0])
	maps := s.chart("Map ranks", &s.maps, s.idle[1])
	organic.Rows = s.rows.Table("All keywords")
	if s.undated > 0 {
		organic.Left = append(organic.Left, cli.Count(s.undated, "date of a history can't be read and is left out", "dates of histories can't be read and are left out"))
	}
	if s.rows.Seen() == 0 {
		return []chart.Chart{organic}
	}
	return []chart.Chart{organic, maps}
}

func (s *rankSketch) chart(title string, l *leaders, idle int) chart.Chart {
	c := chart.Chart{Title: title, Kind: chart.Ranks, Up: "rank, 1 on top", Missing: missing(s.rows.Seen())}
	if s.rows.Seen() > 0 {
		c.Missing = "No keyword has a rank in its history."
	}
	if both := shared(l.origins()); s.several {
		for i := range l.kept { // in front, where no legend cuts it off
			one := &l.kept[i]
			if both[one.of.campaign] {
				one.name = one.of.account + "/" + one.of.campaign + ": " + one.name
			} else {
				one.name = one.of.campaign + ": " + one.name
			}
		}
	}
	p, labels, series := l.trace()
	c.Across, c.Labels, c.Series = p.axis(), labels, series
	if l.more > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Only the %d keywords that are searched for most are drawn, of %d with a rank.", len(l.kept), len(l.kept)+l.more))
	}
	if slices.ContainsFunc(series, hasGap) {
		c.Notes = append(c.Notes, fmt.Sprintf("A gap is a date without a rank: there is none, or it is %d, which is that of a keyword that does not rank.", unranked))
	}
	if idle > 0 && len(series) > 0 {
		c.Notes = append(c.Notes, cli.Count(idle, "keyword does", "keywords do")+" not rank on any date.")
	}
	return c
}
