package charts

import (
	"time"

	"reseller/client/record"
)

// Dates outside these years are invalid, so that no chart covers millennia.
const minYear, maxYear = 1990, 2100

// parseDay reads the day of a date in any of the formats that the service uses.
// The day is that of the date's own time zone.
func parseDay(v record.Value) (time.Time, bool) {
	if v.Kind() != record.String {
		return time.Time{}, false
	}
	text := v.Text()
	for _, layout := range [...]string{time.DateOnly, "2006-01-02T15:04:05", time.DateTime, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= minYear && t.Year() <= maxYear {
			year, month, day := t.Date()
			return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), true
		}
	}
	return time.Time{}, false
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

func (i interval) label(start time.Time) string {
	return start.Format([...]string{time.DateOnly, time.DateOnly, "2006-01", "2006"}[i])
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
