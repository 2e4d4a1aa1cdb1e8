package charts

import (
	"reseller/client/record"
	"reseller/client/summary"
)

// Within returns a row as the charts of a period show it. Its date is in field, or field is a list
// of dated elements, of which those of other days are left out. ok is false if the date of the row
// is not in the period. A row whose date can't be read is kept, since charts count such rows. A
// period of nil has all days.
func Within(row record.Record, field string, p *summary.Period) (_ record.Record, ok bool) {
	v := row.Get(field)
	if p == nil || field == "" {
		return row, true
	}
	if v.Kind() != record.Array {
		day, dated := summary.ParseDay(v)
		return row, !dated || p.Contains(day)
	}
	var kept []record.Value
	for element := range v.Elements() {
		if day, dated := summary.ParseDay(element.Get("date")); !dated || p.Contains(day) {
			kept = append(kept, element)
		}
	}
	var others []string
	for name := range row.Fields() {
		if name != field {
			others = append(others, name)
		}
	}
	return row.Only(others...).Prepend(record.Pair{Name: field, Value: record.ArrayOf(kept...)}), true
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
