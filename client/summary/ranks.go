package summary

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/words"
)

// A rank of a keyword is from 1 up, notRanked, or 0 if it was not measured.
type rank int16

// Unranked is the rank that the service gives a keyword that does not rank.
const Unranked = 999

const notRanked rank = Unranked

func (p rank) isMeasured() bool { return p != 0 }
func (p rank) isRanked() bool   { return p != 0 && p != notRanked }

func (p rank) isAmong(first rank) bool { return p.isRanked() && p <= first }

func (p rank) words(in *words.Words) string {
	switch p {
	case 0:
		return "–"
	case notRanked:
		return in.Say("rank.none")
	}
	return in.Number(float64(p))
}

func (p rank) value() float64 {
	if !p.isRanked() {
		return nan
	}
	return float64(p)
}

// measured returns the rank, Unranked if the keyword did not rank, or NaN if it was not measured.
func (p rank) measured() float64 {
	if !p.isMeasured() {
		return nan
	}
	return float64(p)
}

// parseRank reads a rank, which is 0 if v is none. valid is false if v can't be read.
func parseRank(v record.Value) (rank, bool) {
	n := parseNumber(v)
	switch {
	case math.IsNaN(n):
		return 0, !isGiven(v)
	case n >= float64(notRanked):
		return notRanked, true
	case n != math.Trunc(n):
		return 0, false
	}
	return rank(n), true
}

// parseRankPair returns the ranks of a row or of a day, and which of them can't be read.
func parseRankPair(row record.Value) (p rankPair, broken [listCount]bool) {
	for list, v := range [listCount]record.Value{row.Get("rank_google_organic"), row.Get("rank_google_map")} {
		rank, valid := parseRank(v)
		p[list], broken[list] = rank, !valid
	}
	return p, broken
}

// The two lists in which a keyword has a rank, as indexes of a rankPair.
const (
	listOrganic = iota
	listMap
	listCount
)

type rankPair [listCount]rank

type measurement struct {
	day Day
	rankPair
}

type history []measurement

// last and first return the last and the first rank that was measured in a period with its day, and 0 if there is none.
func (h history) last(list int, p Period) (rank, Day) { return firstOf(slices.Backward(h), list, p) }

func (h history) first(list int, p Period) (rank, Day) { return firstOf(slices.All(h), list, p) }

func firstOf(all iter.Seq2[int, measurement], list int, p Period) (rank, Day) {
	for _, m := range all {
		if p.Contains(m.day) && m.rankPair[list].isMeasured() {
			return m.rankPair[list], m.day
		}
	}
	return 0, 0
}

// A damage says which ranks of a keyword can't be read: in each list, of the period and of the compared one.
type damage [2][listCount]bool

const (
	ofPeriod = iota
	ofCompared
)

// parseHistory reads the histogram of a keyword. Of a day that it has again, the last rank counts; repeated is how many ranks of
// the days in the periods do not. All ranks are broken if a date can't be read, or if the histogram is no list.
func parseHistory(v record.Value, periods []Period) (h history, repeated int, broken damage) {
	allBroken := damage{{true, true}, {true, true}}
	if v.Kind() != record.Array && isGiven(v) {
		broken = allBroken
	}
	isInPeriods := func(day Day) bool {
		return slices.ContainsFunc(periods, func(p Period) bool { return p.Contains(day) })
	}
	for item := range v.Elements() {
		day, ok := ParseDay(item.Get("date"))
		ranks, unread := parseRankPair(item)
		if !ok {
			broken = allBroken
			continue
		}
		h = append(h, measurement{day, ranks})
		for at, p := range periods {
			for list := range unread {
				broken[at][list] = broken[at][list] || unread[list] && ending(p).Contains(day)
			}
		}
	}
	slices.SortStableFunc(h, func(x, y measurement) int { return cmp.Compare(x.day, y.day) })
	days := h[:0]
	for _, m := range h {
		if n := len(days); n == 0 || days[n-1].day != m.day {
			days = append(days, m)
			continue
		}
		for list, p := range m.rankPair {
			if last := &days[len(days)-1].rankPair[list]; p.isMeasured() {
				if last.isMeasured() && isInPeriods(m.day) {
					repeated++
				}
				*last = p
			}
		}
	}
	return days, repeated, broken
}

type keyword struct {
	row        int // the number of its row, from 0
	text, kind string
	searches   float64
	current    rankPair // today's
	broken     damage
	history
}

// none returns why a keyword has no rank in a period.
func (k *keyword) none(list int) int {
	if k.broken[ofPeriod][list] {
		return unreadable
	}
	return notMeasured
}

func (b *Builder) addKeyword(row record.Record) (valid, placed bool) {
	k := keyword{
		row: b.rows[ReportKeywords] - 1, text: row.Get("keyword").Text(), kind: row.Get("type").Text(), searches: parseNumber(row.Get("search_total")),
	}
	h, repeated, broken := parseHistory(row.Get("histogram"), b.scope.periods())
	current, unread := parseRankPair(row.Raw())
	if k.history, k.current, k.broken = h, current, broken; len(h) == 0 && broken == (damage{}) {
		k.broken[ofPeriod] = unread
	}
	b.doubledRanks += repeated
	isBlank := k.current == rankPair{} && !slices.ContainsFunc(h, func(m measurement) bool { return m.rankPair != rankPair{} })
	if isBlank && k.text == "" {
		return true, false
	}
	identity := schema.FoldText(k.text)
	if identity != "" {
		identity += "\x00" + k.kind
	}
	if b.keywords.add(identity, k, isBlank) {
		b.tally[ReportKeywords][Repeated]++
	}
	return unread == [listCount]bool{} && broken == damage{}, true
}

// ends are the days, at the end of both periods, in which ranks are looked up.
type ends struct {
	now, before Period
	isCompared  bool
	behind      rank   // just behind rank 100 and every rank of the histories
	isFirst     bool   // before is of the period, and the first rank in it counts
	measured    Period // the days of the ranks before, if when names them
	when        string // of the ranks before: a month ago
}

// since dates a small change if the ranks before may not be those of the end of the compared period.
func (e ends) since(in *words.Words, change string) string {
	if e.measured.To == 0 || change == "" {
		return ""
	}
	from, to := e.measured.From.near(in, e.now.To), e.measured.To.near(in, e.now.To)
	if from != to {
		return " " + in.Say("since.days", "from", from, "to", to)
	}
	return " " + in.Say("since.day", "day", from)
}

// ending returns the days at the end of a period in which something may have been measured last.
func ending(p Period) Period { return Period{min(p.From, p.To-measuredDays+1), p.To} }

func (s Scope) moves(k *keyword, e ends) (all [listCount]move) {
	for list := range all {
		all[list] = s.move(k, list, e)
	}
	return all
}

// move returns the rank of a keyword at the end of the period, and that before. For a period
// that ends today, the current rank, whose day is not known, stands for a history without any rank.
func (s Scope) move(k *keyword, list int, e ends) (m move) {
	m.behind = e.behind
	_, first := k.first(list, AllDays)
	if m.now, m.day = k.last(list, e.now); first == 0 && s.To == s.Today {
		m.now = k.current[list]
	}
	if !e.isCompared {
		return m
	}
	look := k.last
	if e.isFirst {
		look = k.first
	}
	m.before, m.dayBefore = look(list, e.before)
	switch m.gap = unmeasuredBefore; {
	case m.day != 0 && m.dayBefore >= m.day: // one measurement is no change
		m.before, m.dayBefore, m.gap = 0, 0, unmeasuredSince
	case first <= e.before.To:
	case k.broken[ofCompared][list], e.isFirst && k.broken[ofPeriod][list]:
		m.gap = unreadableBefore
	case len(k.history) > 0 && k.history[0].day > max(e.before.To, s.From-1):
		m.gap = isNew
	}
	return m
}

// ends finds the days of a comparison in the histories of all keywords. If none of them reaches back to the compared period,
// the ranks are compared with the first ones in the period. Their days, and those of a short period, which may be before it,
// are named by name.
func (s Scope) ends(keywords []keyword) ends {
	e := ends{now: ending(s.Period), before: ending(s.Compared), isCompared: s.IsCompared(), behind: 101, isFirst: s.IsCompared()}
	var days, used []Day // on which ranks were measured in the period, and those of the ranks before
	for i := range keywords {
		for _, m := range keywords[i].history {
			for _, p := range m.rankPair {
				if p.isRanked() {
					e.behind = max(e.behind, p+1)
				}
			}
			switch {
			case m.rankPair == rankPair{}:
			case e.before.Contains(m.day):
				e.isFirst = false
			case s.Contains(m.day):
				days = append(days, m.day)
			}
		}
	}
	if e.isFirst {
		slices.Sort(days)
		if e.isCompared = len(days) > 0 && days[0] < days[len(days)-1]; e.isCompared {
			n, _ := slices.BinarySearch(days, min(days[0]+5, days[len(days)-1]))
			e.before = Period{days[0], days[n-1]}
		}
	}
	if !e.isCompared || !e.isFirst && s.Days() >= measuredDays {
		return e
	}
	for i := range keywords {
		for _, m := range s.moves(&keywords[i], e) {
			if m.isCompared() {
				used = append(used, m.dayBefore)
			}
		}
	}
	if e.measured = e.before; len(used) > 0 {
		e.measured = Period{slices.Min(used), slices.Max(used)}
	}
	return e
}

func (e *ends) name(in *words.Words, s Scope) {
	switch {
	case e.measured.To == 0:
		e.when = s.ago(in)
	case e.measured.Days() == 1:
		e.when = in.Say("when.day", "day", e.measured.Words(in))
	case e.measured.isMonth():
		e.when = in.Say("when.month", "month", e.measured.Words(in))
	default:
		e.when = e.measured.say(in, "when.between_days", "when.between")
	}
}

// A Measured is the ranks of a keyword on a day, as a KeywordMove has them.
type Measured struct {
	Row int // the number of the keyword's row among those that were added, from 0
	Day
	Organic, Map float64
}

// Measured returns the ranks of the histories that were measured in a period, keyword by keyword and in the order of their days.
func (b *Builder) Measured(p Period) (all []Measured) {
	for i := range b.keywords.kept {
		k := &b.keywords.kept[i]
		for _, m := range k.history {
			if p.Contains(m.day) {
				all = append(all, Measured{k.row, m.day, m.rankPair[listOrganic].measured(), m.rankPair[listMap].measured()})
			}
		}
	}
	return all
}
