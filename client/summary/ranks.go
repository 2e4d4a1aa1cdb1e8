package summary

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"reseller/client/record"
)

// A place is a rank: from 1 up, placeUnranked, or 0 if it was not measured.
type place int16

// placeUnranked is the rank that the service gives a keyword that does not rank.
const placeUnranked place = 999

func (p place) isRanked() bool { return p != 0 && p != placeUnranked }

// isAmong reports whether the keyword has one of the first ranks.
func (p place) isAmong(first place) bool { return p.isRanked() && p <= first }

func (p place) String() string {
	if !p.isRanked() {
		return "not ranked"
	}
	return Number(float64(p))
}

// value returns the rank, or NaN if there is none.
func (p place) value() float64 {
	if !p.isRanked() {
		return nan
	}
	return float64(p)
}

// parseRank reads a rank. It returns 0 if v is no rank, and 999 if the keyword does not rank.
func parseRank(v record.Value) place {
	n := number(v)
	switch {
	case !(n >= 1):
		return 0
	case n >= float64(placeUnranked):
		return placeUnranked
	}
	return place(math.Round(n))
}

// The two lists in which a keyword has a rank, as indexes of places.
const (
	listOrganic = iota
	listMap
	listCount
)

// places are the ranks of a keyword in each list.
type places [listCount]place

// A measurement is the ranks of a keyword on a day.
type measurement struct {
	day Day
	places
}

// A history is the measurements of a keyword in the order of their days.
type history []measurement

// last returns the last rank that was measured in a period with its day, and 0 if there is none.
// A day whose rank is missing counts as not measured.
func (h history) last(list int, p Period) (place, Day) {
	for _, m := range slices.Backward(h) {
		if p.Contains(m.day) && m.places[list] != 0 {
			return m.places[list], m.day
		}
	}
	return 0, 0
}

// parseHistory reads the histogram of a keyword, and reports whether all of it could be read.
func parseHistory(v record.Value) (h history, valid bool) {
	k := v.Kind()
	valid = k == record.Array || k == record.Null || k == record.Missing
	for item := range v.Elements() {
		day, ok := ParseDay(item.Get("date"))
		if !ok {
			valid = false
			continue
		}
		h = append(h, measurement{day, places{parseRank(item.Get("rank_google_organic")), parseRank(item.Get("rank_google_map"))}})
	}
	slices.SortStableFunc(h, func(x, y measurement) int { return cmp.Compare(x.day, y.day) })
	return h, valid
}

// A keyword is what the keywords report says of one.
type keyword struct {
	row        int // the number of its row, from 0
	text, kind string
	searches   float64
	current    places // today's
	history
}

func (b *Builder) addKeyword(row record.Record) (valid bool) {
	k := keyword{
		row: len(b.keywords), text: row.Get("keyword").Text(), kind: row.Get("type").Text(), searches: number(row.Get("search_total")),
		current: places{parseRank(row.Get("rank_google_organic")), parseRank(row.Get("rank_google_map"))},
	}
	k.history, valid = parseHistory(row.Get("histogram"))
	b.keywords = append(b.keywords, k)
	return valid
}

// ends are the days in which ranks are looked up: those of the end of the period and of the end
// of the compared one.
type ends struct {
	now, before Period
	isCompared  bool
	isFirst     bool   // before is the first measured days of the period
	when        string // of the ranks before: a month ago
}

// ending returns the days at the end of a period in which something may have been measured last.
func ending(p Period) Period { return Period{min(p.From, p.To-measuredDays+1), p.To} }

// move returns the rank of a keyword at the end of the period, and that before. For a period
// that ends today, the current rank stands for a history without a rank.
func (s Scope) move(k *keyword, list int, e ends) (m move) {
	if m.now, m.day = k.last(list, e.now); m.now == 0 && s.To == s.Today {
		m.now, m.day = k.current[list], s.Today
	}
	if e.isCompared {
		m.before, m.dayBefore = k.last(list, e.before)
	}
	return m
}

// ends finds the days of a comparison in the histories of all keywords. If none of them reaches
// back to the compared period, the ranks are compared with the first ones in the period.
func (s Scope) ends(histories []history) ends {
	e := ends{now: ending(s.Period), before: ending(s.Compared), isCompared: s.IsCompared(), when: s.ago()}
	if !e.isCompared {
		return e
	}
	first, last := s.To+1, s.From-1
	for _, h := range histories {
		for _, m := range h {
			switch {
			case m.places == places{}:
			case e.before.Contains(m.day):
				return e
			case s.Contains(m.day):
				first, last = min(first, m.day), max(last, m.day)
			}
		}
	}
	if e.isCompared = first < last; e.isCompared {
		e.isFirst, e.before = true, Period{first, min(first+4, last-1)}
		e.when = "on " + first.Words()
	}
	return e
}

// rankTable is what the keywords report says of a period.
type rankTable struct {
	scope    Scope
	ends     ends
	keywords []rankedKeyword
	days     []Day // on which ranks were measured in the period
	reason   string
}

type rankedKeyword struct {
	*keyword
	moves [listCount]move
}

// isLater reports whether a keyword has ranks, but all of them after a day.
func (k *keyword) isLater(day Day) bool {
	return len(k.history) > 0 && k.history[0].day > day
}

func (b *Builder) ranks() *rankTable {
	r := &rankTable{scope: b.scope}
	if r.reason = b.reason(ReportKeywords, true); r.reason != "" {
		return r
	}
	var histories []history
	for i := range b.keywords {
		histories = append(histories, b.keywords[i].history)
	}
	r.ends = b.scope.ends(histories)
	days, measured := map[Day]bool{}, false
	for i := range b.keywords {
		k := rankedKeyword{keyword: &b.keywords[i]}
		if k.isLater(b.scope.To) {
			continue
		}
		for list := range listCount {
			k.moves[list] = b.scope.move(k.keyword, list, r.ends)
			measured = measured || k.moves[list].now != 0
		}
		for _, m := range k.history {
			if b.scope.Contains(m.day) && m.places != (places{}) {
				days[m.day] = true
			}
		}
		r.keywords = append(r.keywords, k)
	}
	r.days = thin(slices.Sorted(maps.Keys(days)))
	if !measured {
		r.reason = b.reason(ReportKeywords, false)
	}
	return r
}

// thin returns at most maxIntervals of sorted days, evenly spread and with the last one.
func thin(days []Day) []Day {
	step := (len(days) + maxIntervals - 1) / maxIntervals
	var kept []Day
	for i, day := range days {
		if (len(days)-1-i)%step == 0 {
			kept = append(kept, day)
		}
	}
	return kept
}

// course returns the ranks of a keyword for each of the days: the last one since the day before it.
func (r *rankTable) course(h history, list int) []float64 {
	line, ranked := make([]float64, len(r.days)), false
	since := r.scope.From
	for i, day := range r.days {
		p, _ := h.last(list, Period{since, day})
		line[i] = p.value()
		ranked = ranked || !math.IsNaN(line[i])
		since = day + 1
	}
	if !ranked {
		return nil
	}
	return line
}

// amongFirst counts the keywords with one of the first ranks of a list, now and before.
func (r *rankTable) amongFirst(first place, list int) (now, before float64) {
	for _, k := range r.keywords {
		if k.moves[list].now.isAmong(first) {
			now++
		}
		if k.moves[list].before.isAmong(first) {
			before++
		}
	}
	if !r.ends.isCompared {
		before = nan
	}
	return now, before
}

// average returns the average organic rank of the keywords that rank, now and before, and how
// many rank now. An average of no keywords is NaN.
func (r *rankTable) average() (now, before float64, ranked int) {
	var sums, counts [2]float64
	for _, k := range r.keywords {
		for i, p := range [...]place{k.moves[listOrganic].now, k.moves[listOrganic].before} {
			if p.isRanked() {
				sums[i] += float64(p)
				counts[i]++
			}
		}
	}
	return sums[0] / counts[0], sums[1] / counts[1], int(counts[0])
}

// rankTiles are the tiles that count keywords.
var rankTiles = [...]struct {
	key, title string
	list       int
	first      place
}{
	{TileOrganicFirst3, "Keywords in the first 3", listOrganic, 3},
	{TileOrganicFirst10, "Keywords in the first 10", listOrganic, 10},
	{TileMapFirst3, "Keywords in the first 3 on the map", listMap, 3},
	{TileMapFirst10, "Keywords in the first 10 on the map", listMap, 10},
}

// tiles returns the tiles of the ranks.
func (r *rankTable) tiles() []Tile {
	var tiles []Tile
	for _, t := range rankTiles {
		tile := Tile{Key: t.key, Figure: missingFigure(t.title, r.reason)}
		if r.reason == "" {
			now, before := r.amongFirst(t.first, t.list)
			tile.Figure = newFigure(t.title, measureCount, Good, now, before, r.ends.when)
			for _, day := range r.days {
				n := 0.0
				for _, k := range r.keywords {
					if p, _ := k.last(t.list, ending(Period{day, day})); p.isAmong(t.first) {
						n++
					}
				}
				tile.Line = append(tile.Line, n)
			}
		}
		tiles = append(tiles, tile)
	}
	average := Tile{Key: TileAverageRank, Figure: r.averageFigure()}
	if average.Missing == "" {
		for _, day := range r.days {
			sum, n := 0.0, 0.0
			for _, k := range r.keywords {
				if p, _ := k.last(listOrganic, ending(Period{day, day})); p.isRanked() {
					sum, n = sum+float64(p), n+1
				}
			}
			average.Line = append(average.Line, sum/n)
		}
	}
	return append(tiles, average)
}

func (r *rankTable) averageFigure() Figure {
	const title = "Average rank"
	now, before, ranked := r.average()
	switch {
	case r.reason != "":
		return missingFigure(title, r.reason)
	case ranked == 0:
		return missingFigure(title, "no keyword ranks")
	}
	return newFigure(title, measureAverage, Good, now, before, r.ends.when)
}

func (r *rankTable) bestFigure() Figure {
	const title = "Best rank"
	best, before := placeUnranked, placeUnranked
	for _, k := range r.keywords {
		if m := k.moves[listOrganic]; m.now != 0 {
			best = min(best, m.now)
		}
		if m := k.moves[listOrganic]; m.before != 0 {
			before = min(before, m.before)
		}
	}
	switch {
	case r.reason != "":
		return missingFigure(title, r.reason)
	case best == placeUnranked:
		return missingFigure(title, "no keyword ranks")
	}
	return newFigure(title, measureAverage, Good, best.value(), before.value(), r.ends.when)
}

// rankings returns the table of the keywords.
func (r *rankTable) rankings() Rankings {
	out := Rankings{Figures: []Figure{r.averageFigure(), r.bestFigure()}, Missing: r.reason}
	if r.reason != "" {
		return out
	}
	for _, day := range r.days {
		out.Days = append(out.Days, day.String())
	}
	if last := r.lastDay(); last != 0 {
		out.Measured = last.String()
	}
	if r.ends.isCompared {
		out.Since = r.ends.when
	}
	sorted := slices.Clone(r.keywords)
	slices.SortStableFunc(sorted, func(x, y rankedKeyword) int {
		return cmp.Or(compareMoves(x.moves[listOrganic], y.moves[listOrganic]), cmp.Compare(x.text, y.text))
	})
	for _, k := range sorted {
		out.Rows = append(out.Rows, Ranking{Keyword: k.text, Organic: r.rank(k, listOrganic), Map: r.rank(k, listMap)})
	}
	return out
}

// lastDay returns the last day in the period on which ranks were measured or, if there is none, the
// last one before; 0 if no rank is known.
func (r *rankTable) lastDay() (last Day) {
	if n := len(r.days); n > 0 {
		return r.days[n-1]
	}
	for _, k := range r.keywords {
		for _, m := range k.moves {
			if m.now != 0 {
				last = max(last, m.day)
			}
		}
	}
	return last
}

// rank returns the rank of a keyword in a list.
func (r *rankTable) rank(k rankedKeyword, list int) Rank {
	m := k.moves[list]
	out := Rank{Now: m.now.String(), Line: r.course(k.history, list)}
	best := placeUnranked
	if m.now.isRanked() {
		best = m.now
	}
	for _, on := range k.history {
		if r.scope.Contains(on.day) && on.places[list].isRanked() {
			best = min(best, on.places[list])
		}
	}
	if best.isRanked() {
		out.Best = best.String()
	}
	if r.ends.isCompared {
		out.Before, out.Change, out.Direction = m.before.String(), m.words(), m.direction()
	}
	return out
}

// notes returns sentences about keywords that are left out.
func (r *rankTable) notes(all int) []string {
	var notes []string
	if later := all - len(r.keywords); later > 0 && r.reason == "" {
		notes = append(notes, fmt.Sprintf("%s ranks only after %s and %s left out.",
			plural(later, "keyword has", "keywords have"), r.scope.To.Words(), choose(later, "is", "are")))
	}
	return notes
}

// A Measured is the ranks of a keyword on a day. A rank is NaN if the keyword did not rank.
type Measured struct {
	Day
	Organic, Map float64
}

// History returns the ranks in a row of the keywords report that were measured in a period, in the
// order of their days. valid is false if a date of the row can't be read.
func History(row record.Record, p Period) (all []Measured, valid bool) {
	h, valid := parseHistory(row.Get("histogram"))
	for _, m := range h {
		if p.Contains(m.day) {
			all = append(all, Measured{m.day, m.places[listOrganic].value(), m.places[listMap].value()})
		}
	}
	return all, valid
}
