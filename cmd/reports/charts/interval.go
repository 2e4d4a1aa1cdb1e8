package charts

import (
	"time"

	"reseller/client/record"
	"reseller/client/summary"
)

// parseDay reads the day of a date as summary.ParseDay does.
func parseDay(v record.Value) (time.Time, bool) {
	day, ok := summary.ParseDay(v)
	return day.Time(), ok
}

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
	kept := record.Value("[")
	for element := range v.Elements() {
		if day, dated := summary.ParseDay(element.Get("date")); dated && !p.Contains(day) {
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(kept, element...)
	}
	var others []string
	for name := range row.Fields() {
		if name != field {
			others = append(others, name)
		}
	}
	return row.Only(others...).Prepend(record.Pair{Name: field, Value: append(kept, ']')}), true
}

// A dateRange is the days from first to last; both are zero while it is empty.
type dateRange struct{ first, last time.Time }

// extend makes the range include day.
func (r *dateRange) extend(day time.Time) {
	if r.first.IsZero() || day.Before(r.first) {
		r.first = day
	}
	if day.After(r.last) {
		r.last = day
	}
}

// An interval is the length of time between two labels of a time axis.
type interval uint8

const (
	intervalDay interval = iota
	intervalWeek
	intervalMonth
	intervalYear
)

func (i interval) String() string { return [...]string{"day", "week", "month", "year"}[i] }

// axisTitle describes the labels of an axis with this interval.
func (i interval) axisTitle() string {
	if i == intervalWeek {
		return "week starting"
	}
	return i.String()
}

// start returns the first day of the interval that contains day.
func (i interval) start(day time.Time) time.Time {
	switch i {
	case intervalWeek:
		return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	case intervalMonth:
		return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	case intervalYear:
		return time.Date(day.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return day
}

// next returns the start of the interval after the one that begins at start.
func (i interval) next(start time.Time) time.Time {
	switch i {
	case intervalWeek:
		return start.AddDate(0, 0, 7)
	case intervalMonth:
		return start.AddDate(0, 1, 0)
	case intervalYear:
		return start.AddDate(1, 0, 0)
	}
	return start.AddDate(0, 0, 1)
}

// layoutDay is how charts show a day.
const layoutDay = "2 Jan 2006"

func (i interval) label(start time.Time) string {
	return start.Format([...]string{layoutDay, layoutDay, "Jan 2006", "2006"}[i])
}

// divide divides a range into intervals of length i and returns their starts. If
// there are more than limit, it takes the shortest interval that does not give more,
// or else years.
func (i interval) divide(r dateRange, limit int) (interval, []time.Time) {
	for {
		var starts []time.Time
		for at := i.start(r.first); !at.After(r.last) && (len(starts) <= limit || i == intervalYear); at = i.next(at) {
			starts = append(starts, at)
		}
		if len(starts) <= limit || i == intervalYear {
			return i, starts
		}
		i++
	}
}
