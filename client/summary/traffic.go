package summary

import (
	"fmt"
	"math"

	"reseller/client/record"
)

// visitCounts are the visits of a day or of several. An unknown number is NaN.
type visitCounts struct{ organic, other, total float64 }

var unknownVisits = visitCounts{nan, nan, nan}

func (v visitCounts) unknown() bool {
	return math.IsNaN(v.organic) && math.IsNaN(v.other) && math.IsNaN(v.total)
}

// completed computes a missing one of the three numbers from the other two.
func (v visitCounts) completed() visitCounts {
	switch {
	case math.IsNaN(v.total):
		v.total = v.organic + v.other
	case math.IsNaN(v.other) && v.total >= v.organic:
		v.other = v.total - v.organic
	case math.IsNaN(v.organic) && v.total >= v.other:
		v.organic = v.total - v.other
	}
	return v
}

func (v visitCounts) plus(more visitCounts) visitCounts {
	return visitCounts{plus(v.organic, more.organic), plus(v.other, more.other), plus(v.total, more.total)}
}

// plus returns the sum of two numbers. An unknown number counts as 0 unless both are unknown.
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
	v := visitCounts{number(row.Get("organic")), number(row.Get("non_organic")), number(row.Get("total"))}.completed()
	if !ok || v.unknown() {
		return false
	}
	if before, exists := b.traffic[day]; exists {
		v = v.plus(before)
	}
	b.traffic[day] = v
	return true
}

// sum adds up the visits of the days of a period, and counts the days that have some.
func (b *Builder) sum(p Period) (sum visitCounts, days int) {
	sum = unknownVisits
	for day := p.From; day <= p.To; day++ {
		if v, ok := b.traffic[day]; ok {
			sum = sum.plus(v)
			days++
		}
	}
	return sum, days
}

// The visits of a day may come some days later, so that the last days of a period that ends
// today are not yet part of it.
const lateDays = 3

// known returns the scope up to the last day whose visits are known.
func (b *Builder) known() Scope {
	s := b.scope
	if s.To < s.Today-1 {
		return s
	}
	for day := s.To; day >= s.From && day > s.To-lateDays; day-- {
		if _, ok := b.traffic[day]; ok {
			return NewScope(s.whole, s.Kind, day)
		}
	}
	return s
}

// isSparse reports whether so many days of a period lack visits that their sum says nothing
// about a change.
func isSparse(days int, p Period) bool { return 10*(p.Days()-days) > p.Days() }

// visits returns the traffic and its tiles.
func (b *Builder) visits() (Traffic, [2]Tile) {
	titles := [...]string{"Visits", "Organic visits", "Other visits"}
	known := b.known()
	now, days := b.sum(known.Period)
	before, daysBefore := b.sum(known.Compared)
	if !known.IsCompared() || isSparse(days, known.Period) || isSparse(daysBefore, known.Compared) {
		before = unknownVisits
	}
	var t Traffic
	t.Missing = b.reason(ReportTraffic, days > 0)
	values := func(v visitCounts) [3]float64 { return [...]float64{v.total, v.organic, v.other} }
	for i, title := range titles {
		n := values(now)[i]
		switch {
		case t.Missing != "":
			t.Figures = append(t.Figures, missingFigure(title, t.Missing))
		case math.IsNaN(n):
			t.Figures = append(t.Figures, missingFigure(title, "the service does not give them"))
		default:
			t.Figures = append(t.Figures, newFigure(title, measureShare, Good, n, values(before)[i], known.thanIn()))
		}
	}
	tiles := [2]Tile{{Key: TileVisits, Figure: t.Figures[0]}, {Key: TileOrganicVisits, Figure: t.Figures[1]}}
	if t.Missing != "" {
		return t, tiles
	}
	by, parts := unitDay.divide(b.scope.Period)
	t.Unit = by.String()
	for _, part := range parts {
		sum, _ := b.sum(part)
		in := by.interval(part)
		point := TrafficPoint{Label: in.Label, Partial: in.Partial, Organic: sum.organic, Other: sum.other, Total: sum.total, Previous: nan}
		if known.IsCompared() {
			from := known.Compared.From + part.From - known.From
			sum, _ = b.sum(Period{from, min(from+Day(part.Days())-1, known.Compared.To)})
			point.Previous = sum.total
		}
		t.Points = append(t.Points, point)
		tiles[0].Line = append(tiles[0].Line, point.Total)
		tiles[1].Line = append(tiles[1].Line, point.Organic)
	}
	return t, tiles
}

// trafficNotes returns sentences about days without visits.
func (b *Builder) trafficNotes() []string {
	known := b.known()
	_, days := b.sum(known.Period)
	if days == 0 {
		return nil
	}
	var notes []string
	lacks := func(p Period, days int) {
		if days < p.Days() {
			notes = append(notes, fmt.Sprintf("Visits are known for %d of the %s of %s.", days, plural(p.Days(), "day", "days"), p.Words()))
		}
	}
	if known.To < b.scope.To {
		notes = append(notes, fmt.Sprintf("Visits are known until %s.", known.To.Words()))
	}
	lacks(known.Period, days)
	if known.IsCompared() {
		_, before := b.sum(known.Compared)
		lacks(known.Compared, before)
		if isSparse(days, known.Period) || isSparse(before, known.Compared) {
			notes = append(notes, "Visits are not compared, since too many days lack them.")
		}
	}
	return notes
}

// DayVisits are the visits of a day, and before those of the same day of the compared period,
// counted from its first day. Numbers that are not known are NaN.
type DayVisits struct {
	Day, DayBefore         Day
	IsCompared             bool // the compared period has the same day
	Organic, Other, All    float64
	OrganicBefore          float64
	OtherBefore, AllBefore float64
}

// DailyVisits returns the days of the period for which visits are known in one of the periods.
func (b *Builder) DailyVisits() []DayVisits {
	var all []DayVisits
	for day := b.scope.From; day <= b.scope.To; day++ {
		d := DayVisits{Day: day, DayBefore: b.scope.Compared.From + day - b.scope.From}
		d.IsCompared = b.scope.IsCompared() && b.scope.Compared.Contains(d.DayBefore)
		v, known := b.traffic[day]
		if !known {
			v = unknownVisits
		}
		before := unknownVisits
		if earlier, ok := b.traffic[d.DayBefore]; ok && d.IsCompared {
			before, known = earlier, true
		}
		if known {
			d.Organic, d.Other, d.All = v.organic, v.other, v.total
			d.OrganicBefore, d.OtherBefore, d.AllBefore = before.organic, before.other, before.total
			all = append(all, d)
		}
	}
	return all
}
