package charts

import (
	"reseller/client/record"
	"reseller/client/summary"
)

// Within reports whether the date of a row, which is in field, is in the period, or can't be read: charts count such rows.
func Within(row record.Record, field string, p summary.Period) bool {
	if p == summary.AllDays {
		return true
	}
	day, isDated := summary.ParseDay(row.Get(field))
	return !isDated || p.Contains(day)
}

// extend makes a period, which is zero while it is empty, include a day.
func extend(p *summary.Period, day summary.Day) {
	if *p == (summary.Period{}) {
		p.From = day
	}
	p.From, p.To = min(p.From, day), max(p.To, day)
}

func startOf(by summary.Unit, day summary.Day) summary.Day { return by.Whole(day).From }

// labelOf returns the label of the interval that begins on a day.
func labelOf(by summary.Unit, start summary.Day) string {
	return start.Time().Format([...]string{"2 Jan 2006", "2 Jan 2006", "Jan 2006", "2006"}[by])
}

// divide divides a period as summary.Unit does, and returns the starts of the whole intervals.
func divide(by summary.Unit, p summary.Period, limit int) (summary.Unit, []summary.Day) {
	by, parts := by.Divide(p, limit)
	starts := make([]summary.Day, len(parts))
	for i, part := range parts {
		starts[i] = startOf(by, part.From)
	}
	return by, starts
}
