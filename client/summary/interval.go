package summary

import "time"

// A Unit is the length of an interval.
type Unit uint8

// The units.
const (
	UnitDay Unit = iota
	UnitWeek
	UnitMonth
	UnitYear
)

func (u Unit) String() string { return [...]string{"day", "week", "month", "year"}[u] }

// maxIntervals is the greatest number of intervals into which a period is divided, unless they
// are years.
const maxIntervals = 62

// Next returns the first day after the interval of this unit that contains d.
func (u Unit) Next(d Day) Day { return u.Whole(d).To + 1 }

// Whole returns the whole interval that contains d.
func (u Unit) Whole(d Day) Period {
	year, month, _ := d.Time().Date()
	switch u {
	case UnitWeek:
		return Period{d.monday(), d.monday() + 6}
	case UnitMonth:
		return Month(year, month)
	case UnitYear:
		return Period{NewDay(year, time.January, 1), NewDay(year, time.December, 31)}
	}
	return Period{d, d}
}

// Divide divides a period into intervals of unit u or, if there would be more than most, of the
// shortest longer one, or else of years.
func (u Unit) Divide(p Period, most int) (Unit, []Period) {
	for {
		var parts []Period
		for from := p.From; from <= p.To && (len(parts) <= most || u == UnitYear); from = u.Next(from) {
			parts = append(parts, Period{from, min(u.Next(from)-1, p.To)})
		}
		if len(parts) <= most || u == UnitYear {
			return u, parts
		}
		u++
	}
}

// interval returns a part of a period as the page shows it.
func (u Unit) interval(part Period) Interval {
	layout := [...]string{"2 Jan", "2 Jan", "Jan 2006", "2006"}[u]
	return Interval{Label: part.From.Time().Format(layout), Partial: part != u.Whole(part.From)}
}

// lineOf returns the numbers of some intervals as the line of a tile. A last interval that is not over,
// or that the period has only in part, is left out, since it would look like a fall.
func lineOf[T int | float64](numbers []T, by Unit, parts []Period) []float64 {
	var line []float64
	for i, n := range numbers {
		if i < len(parts)-1 || !by.interval(parts[i]).Partial {
			line = append(line, float64(n))
		}
	}
	return line
}
