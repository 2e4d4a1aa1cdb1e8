package summary

import "time"

// A unit is the length of an interval.
type unit uint8

const (
	unitDay unit = iota
	unitWeek
	unitMonth
	unitYear
)

func (u unit) String() string { return [...]string{"day", "week", "month", "year"}[u] }

// maxIntervals is the greatest number of intervals into which a period is divided, unless they
// are years.
const maxIntervals = 62

// next returns the first day after the interval of this unit that contains d.
func (u unit) next(d Day) Day {
	t := d.Time()
	switch u {
	case unitWeek:
		return d.monday() + 7
	case unitMonth:
		return NewDay(t.Year(), t.Month()+1, 1)
	case unitYear:
		return NewDay(t.Year()+1, time.January, 1)
	}
	return d + 1
}

// whole returns the whole interval that contains d.
func (u unit) whole(d Day) Period {
	t, end := d.Time(), u.next(d)-1
	switch u {
	case unitWeek:
		return Period{d.monday(), end}
	case unitMonth:
		return Period{NewDay(t.Year(), t.Month(), 1), end}
	case unitYear:
		return Period{NewDay(t.Year(), time.January, 1), end}
	}
	return Period{d, d}
}

// divide divides a period into intervals of unit u or, if there would be too many, of the
// shortest longer one.
func (u unit) divide(p Period) (unit, []Period) {
	for {
		var parts []Period
		for from := p.From; from <= p.To && (len(parts) <= maxIntervals || u == unitYear); from = u.next(from) {
			parts = append(parts, Period{from, min(u.next(from)-1, p.To)})
		}
		if len(parts) <= maxIntervals || u == unitYear {
			return u, parts
		}
		u++
	}
}

// interval returns a part of a period as the page shows it.
func (u unit) interval(part Period) Interval {
	layout := [...]string{"2 Jan", "2 Jan", "Jan 2006", "2006"}[u]
	return Interval{Label: part.From.Time().Format(layout), Partial: part != u.whole(part.From)}
}

// lineOf returns the numbers of some intervals as the line of a tile. A last interval that is not over,
// or that the period has only in part, is left out, since it would look like a fall.
func lineOf[T int | float64](numbers []T, by unit, parts []Period) []float64 {
	var line []float64
	for i, n := range numbers {
		if i < len(parts)-1 || !by.interval(parts[i]).Partial {
			line = append(line, float64(n))
		}
	}
	return line
}

// count counts the days that are in each of the parts.
func count(days []Day, parts []Period) []int {
	counts := make([]int, len(parts))
	for i, part := range parts {
		for _, day := range days {
			if part.Contains(day) {
				counts[i]++
			}
		}
	}
	return counts
}
