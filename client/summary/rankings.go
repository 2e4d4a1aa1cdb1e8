package summary

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"reseller/client/phrase"
	"reseller/client/words"
)

type rankTable struct {
	*words.Words
	scope    Scope
	ends     ends
	keywords []rankedKeyword
	days     []Day // on which ranks were measured in the period, as drawn returns them
	dates    int   // how many days that were
	last     Day   // on which ranks were measured at the end of the period, 0 if none is known
	reason   string
	reasons  [listCount]string // why there are no ranks of a list
}

type rankedKeyword struct {
	*keyword
	moves [listCount]move
}

// isLater reports whether a keyword has ranks, but all of them after a day.
func (k *keyword) isLater(day Day) bool {
	return len(k.history) > 0 && k.history[0].day > day
}

// ranks returns the table of the keywords, without those that have ranks only after the period.
func (b *Builder) ranks() *rankTable {
	r := &rankTable{Words: b.Words, scope: b.scope}
	if reason := b.reason(ReportKeywords, len(b.keywords.kept) > 0); reason != "" {
		return r.lacking(reason)
	}
	r.ends = b.scope.ends(b.keywords.kept)
	r.ends.name(b.Words, b.scope)
	days := map[Day]bool{}
	for i := range b.keywords.kept {
		k := rankedKeyword{keyword: &b.keywords.kept[i]}
		if k.isLater(b.scope.To) {
			continue
		}
		k.moves = b.scope.moves(k.keyword, r.ends)
		for list := range listCount {
			r.last = max(r.last, k.moves[list].day)
		}
		for _, m := range k.history {
			if b.scope.Contains(m.day) && m.rankPair != (rankPair{}) {
				days[m.day] = true
			}
		}
		r.keywords = append(r.keywords, k)
	}
	r.days, r.dates = drawn(slices.Sorted(maps.Keys(days))), len(days)
	for list, key := range [...]string{"none.organic_ranks", "none.map_ranks"} {
		if !slices.ContainsFunc(r.keywords, func(k rankedKeyword) bool { return k.moves[list].now.isMeasured() }) {
			readable := words.Case("")
			if slices.ContainsFunc(b.keywords.kept, func(k keyword) bool { return k.broken[ofPeriod][list] }) {
				readable = "readable"
			}
			r.reasons[list] = b.Words.Say(key, "readable", readable)
		}
	}
	if !slices.Contains(r.reasons[:], "") {
		return r.lacking(b.reason(ReportKeywords, false))
	}
	return r
}

func (r *rankTable) lacking(reason string) *rankTable {
	r.reason, r.reasons = reason, [listCount]string{reason, reason}
	return r
}

// maxDates is how many of the days of measurements a chart shows.
const maxDates = 180

// drawn returns sorted days, of too many some that are evenly spread and the last one, with a 0 between two of them if a
// measurement is missing there.
func drawn(days []Day) []Day {
	step := (len(days) + maxDates - 1) / maxDates
	var kept []Day
	isGap := false
	for i, day := range days {
		isGap = isGap || i > 0 && day-days[i-1] > maxSpacing
		if (len(days)-1-i)%step != 0 {
			continue
		}
		if isGap && kept != nil {
			kept = append(kept, 0)
		}
		kept, isGap = append(kept, day), false
	}
	return kept
}

// maxSpacing is the most days between two measurements that a line joins. The service measures ranks every 5 days and
// links every 7, so that after more days a measurement is missing, which is a gap.
const maxSpacing = 9

// course returns the ranks of a keyword for each of the days: the last one since the day before it or, on days that only
// other keywords were measured, the one that the next measurement is near enough to.
func (r *rankTable) course(h history, list int) []float64 {
	line := make([]float64, len(r.days))
	since := r.scope.From
	for i, day := range r.days {
		if day == 0 {
			line[i] = nan
			continue
		}
		p, at := h.last(list, Period{r.scope.From, day})
		if _, next := h.last(list, Period{day + 1, min(at+maxSpacing, r.scope.To)}); at < since && next == 0 {
			p = 0
		}
		line[i], since = p.value(), day+1
	}
	if !slices.ContainsFunc(line, func(rank float64) bool { return rank > 0 }) {
		return nil
	}
	return line
}

// The reasons why a comparison says nothing of a keyword.
const (
	droppedOut = iota
	newlyRanked
	isNew
	unreadableBefore
	unmeasuredBefore
	unmeasuredSince
	unreadable
	notMeasured
	reasonCount
)

var reasonKeys = [reasonCount]string{"dropped", "newly_ranked", "new", "unreadable_before", "unmeasured_before", "unmeasured_since", "unreadable", "unmeasured"}

// leftOut counts the keywords of which a comparison says nothing, for each reason.
type leftOut [reasonCount]int

func (l leftOut) words(in *words.Words, when string) string {
	var parts []string
	for reason, n := range l {
		if n > 0 {
			parts = append(parts, in.Say("left_out."+reasonKeys[reason], "n", n, "when", when))
		}
	}
	return in.List(parts...)
}

// A rankOf returns one of the ranks of a keyword.
type rankOf func(rankedKeyword) rank

func rankNow(list int) rankOf    { return func(k rankedKeyword) rank { return k.moves[list].now } }
func rankBefore(list int) rankOf { return func(k rankedKeyword) rank { return k.moves[list].before } }

// line returns a number of the last ranks until each of the days, as the figures of a period that ends with it have them.
func (r *rankTable) line(list int, number func(rankOf) float64) []float64 {
	line := make([]float64, len(r.days))
	for i, day := range r.days {
		if line[i] = nan; day != 0 {
			line[i] = number(func(k rankedKeyword) rank {
				p, _ := k.last(list, ending(Period{r.scope.From, day}))
				return p
			})
		}
	}
	return line
}

// compared returns the keywords that were measured both now and before: the others have neither risen nor fallen.
func (r *rankTable) compared(list int) (both []rankedKeyword, out leftOut) {
	for _, k := range r.keywords {
		switch m := k.moves[list]; {
		case !m.now.isMeasured():
			out[k.none(list)]++
		case !m.isCompared():
			out[m.gap]++
		default:
			both = append(both, k)
		}
	}
	return both, out
}

// countFigure returns how many keywords have one of the first ranks of a list. The change is that of the compared ones.
func (r *rankTable) countFigure(key string, first rank, list int) Figure {
	if r.reasons[list] != "" {
		return missingFigure(r.Words, key, r.reasons[list])
	}
	count := func(keywords []rankedKeyword, of rankOf) (n float64) {
		for _, k := range keywords {
			if of(k).isAmong(first) {
				n++
			}
		}
		return n
	}
	both, out := r.compared(list)
	all, n, earlier := count(r.keywords, rankNow(list)), count(both, rankNow(list)), count(both, rankBefore(list))
	if both == nil {
		earlier, out = nan, leftOut{unreadable: out[unreadable], notMeasured: out[notMeasured]}
	}
	f := newFigure(r.Words, key, measureCount, Good, n, earlier, r.ends.when)
	if f.Text, f.Value = r.Number(all), all; both != nil && len(both) < len(r.keywords) { // the change is of some of them
		change := map[Direction]string{Up: "more", New: "more", Down: "fewer", Unchanged: "unchanged"}[f.Direction]
		f.Change = r.Say("among."+change, "n", r.Number(math.Abs(n-earlier)), "keywords", len(both), "when", r.ends.when)
	}
	f.Line = r.line(list, func(of rankOf) float64 { return count(r.keywords, of) })
	f.Beside, f.Since = out.words(r.Words, r.ends.when), r.ends.since(r.Words, f.Short)
	return f
}

// averageFigure returns the average organic rank of the keywords that rank now and ranked before, so that
// like is compared with like. Without such keywords, it is that of those that rank now.
func (r *rankTable) averageFigure() Figure {
	var ranked, both []rankedKeyword
	var out leftOut
	for _, k := range r.keywords {
		m := k.moves[listOrganic]
		switch {
		case !m.now.isMeasured():
			out[k.none(listOrganic)]++
		case !m.now.isRanked():
			if m.before.isRanked() {
				out[droppedOut]++
			}
		case m.before.isRanked():
			both = append(both, k)
		case m.before.isMeasured():
			out[newlyRanked]++
		case r.ends.isCompared:
			out[m.gap]++
		}
		if m.now.isRanked() {
			ranked = append(ranked, k)
		}
	}
	if len(both) > 0 {
		ranked = both
	}
	average := func(of rankOf) float64 {
		sum := 0.0
		for _, k := range ranked {
			sum += of(k).value() // NaN if it did not rank
		}
		return sum / float64(len(ranked))
	}
	switch {
	case r.reasons[listOrganic] != "":
		return missingFigure(r.Words, TileAverageRank, r.reasons[listOrganic])
	case len(ranked) == 0:
		return missingFigure(r.Words, TileAverageRank, r.Say("reason.none_ranks"))
	}
	f := newFigure(r.Words, TileAverageRank, measureAverage, Good, average(rankNow(listOrganic)), average(rankBefore(listOrganic)), r.ends.when)
	f.Since, f.Beside, f.Line = r.ends.since(r.Words, f.Short), out.words(r.Words, r.ends.when), r.line(listOrganic, average)
	return f
}

func (r *rankTable) rankings() (out Rankings) {
	out.Figures = []Figure{
		r.countFigure(TileOrganicFirst3, 3, listOrganic), r.countFigure(TileOrganicFirst10, 10, listOrganic),
		r.countFigure(TileMapFirst3, 3, listMap), r.countFigure(TileMapFirst10, 10, listMap), r.averageFigure(),
	}
	if r.reason != "" {
		return out
	}
	out.Spread = r.spread()
	if r.last != 0 {
		out.Measured = r.last.Short(r.Words)
	}
	if r.ends.isCompared {
		out.Since = r.ends.when
	}
	out.Course = Course{Unit: "date", Labels: phrase.Each(r.days, func(day Day) string { return day.Short(r.Words) }), Dates: r.dates}
	sorted := slices.Clone(r.keywords)
	slices.SortStableFunc(sorted, func(x, y rankedKeyword) int {
		place := func(k rankedKeyword, list int) rank { return cmp.Or(k.moves[list].now, notRanked+1) }
		return cmp.Or(cmp.Compare(place(x, listOrganic), place(y, listOrganic)), cmp.Compare(place(x, listMap), place(y, listMap)), cmp.Compare(x.text, y.text))
	})
	times := map[string]int{}
	for _, k := range sorted {
		times[k.text]++
	}
	for _, k := range sorted {
		name := k.text
		if times[name] > 1 && k.kind != "" {
			name += " (" + k.kind + ")"
		}
		out.Rows = append(out.Rows, Ranking{Keyword: name, Searches: k.searches, Organic: r.rank(k, listOrganic), Map: r.rank(k, listMap)})
	}
	return out
}

func (r *rankTable) rank(k rankedKeyword, list int) Rank {
	m := k.moves[list]
	out := Rank{Now: m.now.words(r.Words), Line: r.course(k.history, list)}
	switch {
	case m.day == r.last:
	case m.day != 0:
		out.Note = r.Say("rank.on", "day", m.day.near(r.Words, r.scope.To))
	case m.now.isMeasured():
		out.Note = r.Say("rank.on_unknown")
	}
	best := cmp.Or(m.now, notRanked)
	for _, on := range k.history {
		if r.scope.Contains(on.day) && on.rankPair[list].isRanked() {
			best = min(best, on.rankPair[list])
		}
	}
	if best.isRanked() {
		out.Best = best.words(r.Words)
	}
	if r.ends.isCompared {
		out.Change, out.Direction, out.Rise = m.words(r.Words, r.ends.when), m.direction(), m.rise()
		if m.now.isRanked() && m.before.isRanked() && m.dayBefore <= r.ends.before.To-measuredDays {
			out.Change += " " + r.Say("since.day", "day", m.dayBefore.near(r.Words, r.scope.To))
		}
	}
	if _, last := k.last(list, Period{0, r.scope.To}); !m.now.isMeasured() && last != 0 {
		if out.Change = r.Say("rank."+reasonKeys[k.none(list)]+"_since", "day", last.near(r.Words, r.scope.To)); !r.ends.isCompared {
			out.Note, out.Change = out.Change, ""
		}
	}
	return out
}

func (b *Builder) keywordNotes(r *rankTable) []string {
	var notes []string
	if b.failed[ReportKeywords] != nil {
		return nil
	}
	if later := len(b.keywords.kept) - len(r.keywords); later > 0 && r.reason == "" {
		notes = append(notes, r.Say("note.later", "n", later, "day", r.scope.To.Words(r.Words)))
	}
	if n := b.doubledRanks; n > 0 {
		notes = append(notes, r.Say("note.doubled", "n", n))
	}
	if n := b.Untracked; n > 0 {
		key := "note.untracked"
		if r.reason == "" {
			key = "note.more_untracked"
		}
		notes = append(notes, r.Say(key, "n", n))
	}
	if b.TrackingUnknown != nil {
		notes = append(notes, r.Say("note.tracking_unknown"))
	}
	return notes
}
