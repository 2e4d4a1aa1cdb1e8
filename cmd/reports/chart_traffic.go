package reports

import (
	"math"
	"time"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output/chart"
)

// mostDays is how many days of visits are drawn one by one.
const mostDays = 100

// visits are what is known of a day: organic, other, and what is not told
// apart. NaN is not known.
type visits [3]float64

// A trafficSketch adds up the visits of all campaigns day by day.
type trafficSketch struct {
	days      map[time.Time]visits
	from, to  time.Time
	rows      int
	campaigns map[origin]bool // nil for one
	odd       *cli.Ledger
}

func newTraffic(res *schema.Resource, campaign string) sketch {
	s := &trafficSketch{days: map[time.Time]visits{}, odd: newLedger(res, campaign)}
	if campaign == "" {
		s.campaigns = map[origin]bool{}
	}
	return s
}

func (s *trafficSketch) see(rec record.Record) {
	s.rows++
	if s.campaigns != nil {
		s.campaigns[originOf(rec)] = true
	}
	organic, other, total := rec.Get("organic"), rec.Get("non_organic"), rec.Get("total")
	day, ok := dayIn(rec.Get("date"))
	v := split(cli.Figure(organic), cli.Figure(other), cli.Figure(total))
	if !ok || v == none() || cli.Odd(organic) || cli.Odd(other) || cli.Odd(total) {
		s.odd.Add(rec)
		return
	}
	widen(&s.from, &s.to, day)
	s.days[day] = s.at(day).plus(v)
}

func none() visits { return visits{-1, -1, -1} }

// split finds what a row says of each kind of visits, -1 where nothing.
func split(organic, other, total float64) visits {
	v := none()
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

func (s *trafficSketch) at(day time.Time) visits {
	if v, ok := s.days[day]; ok {
		return v
	}
	return none()
}

func (v visits) plus(more visits) visits {
	for i := range v {
		if more[i] >= 0 {
			v[i] = max(v[i], 0) + more[i]
		}
	}
	return v
}

func (s *trafficSketch) charts() []chart.Chart {
	c := chart.Chart{Title: "Visits", Kind: chart.Stacked, Up: "visits", Missing: missing(s.rows)}
	if n := s.odd.Seen(); n > 0 {
		c.Left = append(c.Left, cli.Count(n, "row has no date or no figures that can be read, and is left out", "rows have no date or no figures that can be read, and are left out"))
		c.Rows = s.odd.Table("Rows that are not in the picture")
	}
	if len(s.days) == 0 {
		return []chart.Chart{c}
	}
	if len(s.campaigns) > 1 {
		c.Notes = append(c.Notes, cli.Count(len(s.campaigns), "campaign", "campaigns are added up."))
	}
	p, steps := daily.steps(s.from, s.to, mostDays)
	c.Title, c.Across = "Visits a "+p.String(), p.axis()
	sums := map[time.Time]visits{}
	for day, v := range s.days {
		first := p.first(day)
		sum, ok := sums[first]
		if !ok {
			sum = none()
		}
		sums[first] = sum.plus(v)
	}
	series := [...]chart.Series{{Name: "organic"}, {Name: "non-organic"}, {Name: "not told apart"}}
	var known [3]bool
	gaps := 0
	for _, at := range steps {
		c.Labels = append(c.Labels, p.label(at))
		sum, ok := sums[at]
		if !ok {
			sum = none()
			gaps++
		}
		for i := range series {
			value := math.NaN()
			if sum[i] >= 0 {
				value, known[i] = sum[i], true
			}
			series[i].Values = append(series[i].Values, value)
		}
	}
	for i := range series {
		if known[i] {
			c.Series = append(c.Series, series[i])
		}
	}
	c.Notes = append(c.Notes, s.partly(p)...)
	if gaps > 0 {
		c.Notes = append(c.Notes, cli.Count(gaps, p.String()+" has no figures; it is drawn as nothing.", p.String()+"s have no figures; they are drawn as nothing."))
	}
	return []chart.Chart{c}
}

// partly tells which of the steps at the ends have figures of some days only:
// they look as if there had been less.
func (s *trafficSketch) partly(p pace) (notes []string) {
	if !s.from.Equal(p.first(s.from)) {
		notes = append(notes, "The first "+p.String()+" has figures from "+s.from.Format(dayForm)+" on only.")
	}
	if end := p.next(p.first(s.to)).AddDate(0, 0, -1); !s.to.Equal(end) {
		notes = append(notes, "The last "+p.String()+" has figures up to "+s.to.Format(dayForm)+" only.")
	}
	return notes
}
