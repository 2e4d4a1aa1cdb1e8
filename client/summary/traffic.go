package summary

import (
	"cmp"
	"math"
	"slices"

	"reseller/client/record"
)

const (
	AllVisits = iota
	OrganicVisits
	OtherVisits
	visitCount
)

var visitKeys = [visitCount]string{TileVisits, TileOrganicVisits, FigureOtherVisits}

// Visits are the visits of a day or of several: all, organic and other ones. An unknown number is NaN.
type Visits [visitCount]float64

// dayVisits are the visits of a day, and what parseVisits says of them.
type dayVisits struct {
	Visits
	told Tally
}

var unknownVisits = Visits{nan, nan, nan}

func (v Visits) isUnknown() bool {
	return !slices.ContainsFunc(v[:], func(n float64) bool { return !math.IsNaN(n) })
}

var visitFields = [visitCount]string{"total", "organic", "non_organic"}

// parseVisits reads the visits of a row of the traffic report. A number that is not given is computed from the other
// two; one that can't be read is unknown. told counts what is so.
func parseVisits(row record.Record) (v Visits, told Tally) {
	lacking := -1
	for i, name := range visitFields {
		value := row.Get(name)
		if v[i] = parseNumber(value); !isGiven(value) {
			lacking = i
		} else if math.IsNaN(v[i]) {
			told[Invalid] = 1
		}
	}
	computed := nan
	switch lacking {
	case AllVisits:
		computed = v[OrganicVisits] + v[OtherVisits]
	case OrganicVisits, OtherVisits:
		computed = v[AllVisits] - v[OrganicVisits+OtherVisits-lacking]
	}
	if computed >= 0 {
		v[lacking], told[Summed] = computed, 1
	}
	if sum := v[OrganicVisits] + v[OtherVisits]; computed < 0 || math.Abs(sum-v[AllVisits]) > 1e-6 {
		told[Unequal] = 1
	}
	return v, told
}

// plus returns the sum. An unknown number counts as 0 unless both are unknown.
func (v Visits) plus(more Visits) Visits {
	for i := range v {
		v[i] = plus(v[i], more[i])
	}
	return v
}

func plus(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return a + b
}

func (b *Builder) addVisits(row record.Record) (valid bool) {
	day, ok := ParseDay(row.Get("date"))
	v, told := parseVisits(row)
	valid = ok && told[Invalid] == 0
	if !ok || v.isUnknown() {
		return valid // a day without numbers has none that can't be read
	}
	if _, exists := b.traffic[day]; exists {
		b.tally[ReportTraffic][Repeated]++
	}
	b.traffic[day] = dayVisits{v, told}
	return valid
}

// visitsOn returns the visits of a day. Those of today are not known, since the day is not over.
func (b *Builder) visitsOn(day Day) Visits {
	if v, ok := b.traffic[day]; ok && day < b.scope.Today {
		return v.Visits
	}
	return unknownVisits
}

// sum adds up the visits of the days of a period, and counts the days on which each number is known.
func (b *Builder) sum(p Period) (sum, days Visits) {
	sum, days = unknownVisits, unknownVisits
	for day := p.From; day <= p.To; day++ {
		v := b.visitsOn(day)
		sum = sum.plus(v)
		for i, n := range v {
			days[i] = plus(days[i], 1+0*n)
		}
	}
	return sum, days
}

// The visits of a day may come some days later, so that the last days of a period that ends
// today are not yet part of it.
const lateDays = 3

// known returns the scope up to the last day whose visits are known: until yesterday at most.
func (b *Builder) known() Scope {
	s := b.scope
	last := min(s.To, s.Today-1)
	if s.To < s.Today-1 || last < s.From {
		return s
	}
	for day := last; day >= s.From && day > last-lateDays; day-- {
		if !b.visitsOn(day).isUnknown() {
			return s.until(day)
		}
	}
	return s.until(last)
}

// visitFigure returns the figure of n visits on some days of a period, and before on some days of the
// compared one. It compares the visits a day, of those days that have a number.
func (b *Builder) visitFigure(key string, known Scope, n, days, before, daysBefore float64) Figure {
	if math.IsNaN(n) {
		return missingFigure(b.Words, key, b.lacks(ReportTraffic, "number"))
	}
	m := measureRate
	if known.Days() == 1 {
		m = measureShare
	}
	when := known.thanIn(b.Words)
	f := newFigure(b.Words, key, m, Good, n/days, before/daysBefore, when)
	f.Text, f.Value, f.Previous = b.Words.Number(n), n, before
	if m == measureRate && n > 0 {
		f.Rate = rate(b.Words, n/days)
	}
	lacks, lacked := known.Days()-int(days), known.Compared.Days()-int(plus(0, daysBefore))
	keys := [2]string{"before", "both"} // without and with days that lack data now
	switch {
	case !known.IsCompared() || lacked == 0:
		keys = [2]string{"", "now"}
	case math.IsNaN(daysBefore):
		keys = [2]string{"none_before", "now_none_before"}
	}
	if key := keys[min(lacks, 1)]; key != "" {
		f.Beside = b.Words.Say("gaps."+key, "n", cmp.Or(lacks, lacked), "before", lacked, "when", when)
	}
	return f
}

func (b *Builder) visits() (t Section) {
	if reason := b.trafficReason(); reason != "" {
		for _, key := range visitKeys {
			t.Figures = append(t.Figures, missingFigure(b.Words, key, reason))
		}
		return t
	}
	by, parts := UnitDay.Divide(b.scope.Period, maxIntervals)
	t = Section{Figures: b.visitFigures(), Course: by.course(b.Words, parts, b.scope.Period)}
	named := "chart.visits_before"
	if b.scope.Kind == Year {
		named = "chart.visits_year_before"
	}
	t.Course.Lines = []Line{{Key: TileVisits}, {Key: TileOrganicVisits}, {Key: LineBefore, Name: b.Words.Say(named)}}
	from, to := t.Course.whole()
	for at, part := range parts {
		sum, days := b.sum(part)
		for i, n := range []float64{sum[AllVisits], sum[OrganicVisits], b.visitsBefore(part)} {
			t.Course.Lines[i].Values = append(t.Course.Lines[i].Values, n)
		}
		for i := range OtherVisits {
			n := sum[i]
			if b.Selected == "" && days[i] < float64(part.Days()) {
				n, t.Course.Partial[at] = nan, true
			}
			if from <= at && at < to {
				t.Figures[i].Line = append(t.Figures[i].Line, n)
			}
		}
	}
	return t
}

func (b *Builder) visitFigures() (figures []Figure) {
	known := b.known()
	now, days := b.sum(known.Period)
	before, daysBefore := unknownVisits, unknownVisits
	if known.IsCompared() {
		before, daysBefore = b.sum(known.Compared)
	}
	for i, key := range visitKeys {
		figures = append(figures, b.visitFigure(key, known, now[i], days[i], before[i], daysBefore[i]))
	}
	return figures
}

// visitsBefore returns the visits of the days with which those of a part of the period are compared.
func (b *Builder) visitsBefore(part Period) float64 {
	known, previous, comparable, compared := b.known(), nan, 0, 0
	for day := part.From; day <= part.To; day++ {
		earlier, isCompared := known.dayBefore(day)
		if !isCompared {
			continue
		}
		comparable++
		if n := b.visitsOn(earlier)[AllVisits]; !math.IsNaN(n) {
			compared++
			previous = plus(previous, n)
		}
	}
	if b.Selected == "" && compared < comparable {
		return nan // a part of it would look like a fall
	}
	return previous
}

func (b *Builder) trafficReason() string {
	sum, _ := b.sum(b.known().Period)
	if b.scope.From == b.scope.Today && b.failed[ReportTraffic] == nil {
		return b.Words.Say("reason.today")
	}
	return b.reason(ReportTraffic, !sum.isUnknown())
}

func (b *Builder) trafficNotes() []string {
	if b.trafficReason() != "" {
		return nil
	}
	var notes []string
	known := b.known()
	if known.To < b.scope.To && b.Selected == "" {
		last := known.To
		for b.visitsOn(last).isUnknown() { // not the first day, since there is a reason without any visits
			last--
		}
		notes = append(notes, b.Words.Say("note.visits_until", "day", last.Words(b.Words)))
	}
	for _, p := range known.periods() {
		unequal, summed := b.tallyVisits(p)
		tell := func(n int, key string) {
			switch {
			case n > 0 && p.Days() == 1:
				notes = append(notes, b.Words.Say(key+"_day", "day", p.Words(b.Words)))
			case n > 0:
				notes = append(notes, b.Words.Say(key, "n", n, "period", p.Words(b.Words)))
			}
		}
		tell(unequal, "note.unequal")
		tell(summed, "note.summed")
	}
	return notes
}

// tallyVisits counts the days of periods that are Unequal, and those that are Summed.
func (b *Builder) tallyVisits(periods ...Period) (unequal, summed int) {
	for day, v := range b.traffic {
		if slices.ContainsFunc(periods, func(p Period) bool { return p.Contains(day) }) {
			unequal, summed = unequal+v.told[Unequal], summed+v.told[Summed]
		}
	}
	return unequal, summed
}

// DayVisits are the visits of a day, and those of the same day of the compared period. Numbers that are not known are NaN.
type DayVisits struct {
	Day, DayBefore Day // 0 if the compared period does not have the same day
	Now, Before    Visits
}

// DailyVisits returns the days that the figures of the visits compare, if visits are known in one of the periods.
// Today is not among them, since it is not over.
func (b *Builder) DailyVisits() []DayVisits {
	var all []DayVisits
	known := b.known()
	for day := known.From; day <= min(known.To, b.scope.Today-1); day++ {
		d := DayVisits{Day: day, Now: b.visitsOn(day), Before: unknownVisits}
		if before, ok := known.dayBefore(day); ok {
			d.DayBefore, d.Before = before, b.visitsOn(before)
		}
		if !d.Now.isUnknown() || !d.Before.isUnknown() {
			all = append(all, d)
		}
	}
	return all
}
