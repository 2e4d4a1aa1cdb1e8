package summary

import (
	"cmp"
	"math"
	"slices"
)

// courseMonths is how many months a course has at least: what two of them say is the comparison of the figures.
const courseMonths = 3

// yearOf returns the twelve months that end with a period.
func (p Period) yearOf() []Period {
	year, month, _ := p.To.Time().Date()
	_, months := UnitMonth.Divide(Period{NewDay(year, month-11, 1), p.To}, maxIntervals)
	return months
}

// year returns the visits, the keywords among the first ten of the main list and the links gained of twelve months, without those of
// which too little is known.
func (b *Builder) year(r *rankTable) (all []Course) {
	months, list := b.scope.yearOf(), r.mainList()
	add := func(report Report, key string, of func(Period) (n float64, isPartial bool)) {
		c, known, highest := UnitMonth.course(b.Words, months, b.scope.Period), 0, 0.0
		values := make([]float64, len(months))
		for i, month := range months {
			n, isPartial := of(month)
			if values[i], c.Partial[i] = n, c.Partial[i] || isPartial; !math.IsNaN(n) {
				known, highest = known+1, max(highest, n)
			}
		}
		if c.Lines = []Line{{Key: key, Values: values}}; known >= courseMonths && highest > 0 && !b.courseless[report] {
			all = append(all, c)
		}
	}
	ranked := TileOrganicFirst10
	if list == listMap {
		ranked = TileMapFirst10
	}
	add(ReportTraffic, TileVisits, func(month Period) (float64, bool) {
		sum, days := b.sum(month)
		return sum[AllVisits], days[AllVisits] < float64(UnitMonth.Whole(month.From).Days())
	})
	add(ReportKeywords, ranked, func(month Period) (float64, bool) { return r.firstTen(list, month) })
	add(ReportProvisioned, TileLinksGained, func(month Period) (float64, bool) {
		links := b.events[ReportProvisioned].kept
		asked := NewScope(UnitMonth.Whole(month.From), b.scope.Kind, b.scope.Today).Request(ReportProvisioned, false) // for the page of the month
		hasRows := slices.ContainsFunc(links, func(e event) bool { return asked.Contains(cmp.Or(e.ordered, e.day)) })
		if !hasRows || !slices.ContainsFunc(links, func(e event) bool { return e.day != 0 && e.day <= month.To }) { // there may have been no campaign
			return nan, false
		}
		counted, _, _ := within(links, month)
		return float64(len(counted)), false
	})
	return all
}

// firstTen returns how many keywords were among the first ten of a list at the end of a month; NaN if none was measured. The
// month is partial if a keyword was measured before, but not in it.
func (r *rankTable) firstTen(list int, month Period) (n float64, isPartial bool) {
	n = nan
	for _, k := range r.keywords {
		p, _ := k.last(list, ending(month))
		if month.To == r.scope.To && month.From == r.scope.From {
			p = k.moves[list].now // as the figure has it
		}
		_, first := k.first(list, AllDays)
		switch {
		case p.isAmong(10):
			n = plus(n, 1)
		case p.isMeasured():
			n = plus(n, 0)
		case first != 0 && first < month.From:
			isPartial = true
		}
	}
	return n, isPartial
}

// mainList returns the list of whose ranks a page tells first: the organic one, unless no keyword has an organic rank and some have one on the map.
func (r *rankTable) mainList() int {
	if r.reasons[listMap] == "" && (r.reasons[listOrganic] != "" || !r.anyRanked(listOrganic) && r.anyRanked(listMap)) {
		return listMap
	}
	return listOrganic
}

// spreadKeywords is how many keywords a spread has at least: fewer can be read in the table.
const spreadKeywords = 3

// spread returns how many keywords have which ranks at the end of the period and, if any was measured then, before.
func (r *rankTable) spread() Spread {
	list := r.mainList()
	s := Spread{IsMap: list == listMap}
	add := func(label string, of rankOf) {
		var counts [spreadCount]float64
		for _, k := range r.keywords {
			p := of(k)
			at := slices.IndexFunc([]rank{3, 10, 20, 50, notRanked}, func(last rank) bool { return p.isMeasured() && p <= last })
			if at < 0 {
				at = spreadCount - 1
			}
			counts[at]++
		}
		if n := float64(len(r.keywords)); n >= spreadKeywords && counts[spreadCount-1] < n {
			s.Labels, s.Counts = append(s.Labels, label), append(s.Counts, counts)
		}
	}
	add(r.scope.Words(r.Words), rankNow(list))
	add(r.ends.when, rankBefore(list))
	return s
}
