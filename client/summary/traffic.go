package summary

import (
	"fmt"
	"math"

	"reseller/client/record"
)

// visits are the visits of a day or of several. An unknown number is NaN.
type visits struct{ organic, other, total float64 }

var unknownVisits = visits{nan, nan, nan}

func (v visits) unknown() bool {
	return math.IsNaN(v.organic) && math.IsNaN(v.other) && math.IsNaN(v.total)
}

// completed computes a missing one of the three numbers from the other two.
func (v visits) completed() visits {
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

func (v visits) plus(more visits) visits {
	return visits{plus(v.organic, more.organic), plus(v.other, more.other), plus(v.total, more.total)}
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
	v := visits{number(row.Get("organic")), number(row.Get("non_organic")), number(row.Get("total"))}.completed()
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
func (b *Builder) sum(p Period) (sum visits, days int) {
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

// countedVisits returns the days whose visits are compared: those of both periods, as far as the
// service has them.
func (b *Builder) countedVisits() (now, before Period) {
	now, before = b.scope.Period, b.scope.Compared
	if !b.scope.IsCompared() || now.To < b.scope.Today-1 {
		return now, before
	}
	for range lateDays {
		if _, ok := b.traffic[now.To]; ok || now.From == now.To {
			break
		}
		now.To--
		before.To = max(before.To-1, before.From)
	}
	return now, before
}

// isSparse reports whether so many days of a period lack visits that their sum says nothing
// about a change.
func isSparse(days int, p Period) bool { return 10*(p.Days()-days) > p.Days() }

// visits returns the traffic and its tiles.
func (b *Builder) visits() (Traffic, [2]Tile) {
	titles := [...]string{"Visits", "Organic visits", "Other visits"}
	counted, compared := b.countedVisits()
	now, days := b.sum(b.scope.Period)
	before, daysBefore := unknownVisits, 0
	if b.scope.IsCompared() {
		before, daysBefore = b.sum(compared)
		if isSparse(min(days, counted.Days()), counted) || isSparse(daysBefore, compared) {
			before = unknownVisits
		}
	}
	var t Traffic
	t.Missing = b.reason(ReportTraffic, days > 0)
	values := func(v visits) [3]float64 { return [...]float64{v.total, v.organic, v.other} }
	for i, title := range titles {
		n := values(now)[i]
		switch {
		case t.Missing != "":
			t.Figures = append(t.Figures, missingFigure(title, t.Missing))
		case math.IsNaN(n):
			t.Figures = append(t.Figures, missingFigure(title, "the service does not give them"))
		default:
			t.Figures = append(t.Figures, newFigure(title, measureShare, Good, n, values(before)[i], b.scope.thanIn()))
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
		if b.scope.IsCompared() {
			from := b.scope.Compared.From + part.From - b.scope.From
			same := Period{from, min(from+Day(part.Days())-1, b.scope.Compared.To)}
			sum, _ = b.sum(same)
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
	var notes []string
	_, days := b.sum(b.scope.Period)
	if days == 0 {
		return nil
	}
	lacks := func(p Period, days int) {
		if days < p.Days() {
			notes = append(notes, fmt.Sprintf("Visits are known for %d of the %s of %s.", days, plural(p.Days(), "day", "days"), p.Words()))
		}
	}
	lacks(b.scope.Period, days)
	if b.scope.IsCompared() {
		counted, compared := b.countedVisits()
		_, before := b.sum(compared)
		lacks(b.scope.Compared, before)
		if isSparse(min(days, counted.Days()), counted) || isSparse(before, compared) {
			notes = append(notes, "Visits are not compared, since too many days lack them.")
		}
	}
	return notes
}
