package summary

import (
	"time"

	"reseller/client/record"
)

// A Day is a calendar day, counted from 1 January 1970. It has no time zone.
type Day int

// NewDay returns a day of a year. Days beyond the end of a month belong to the next month.
func NewDay(year int, month time.Month, day int) Day {
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// DayOf returns the day of a moment in the moment's own time zone.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	return NewDay(year, month, day)
}

// Dates outside these years are invalid, so that no period covers millennia.
const minYear, maxYear = 1990, 2100

// dateLayouts are the forms in which the service writes dates, and RFC 3339.
var dateLayouts = [...]string{time.DateOnly, "2006-01-02T15:04:05", time.DateTime, time.RFC3339}

// ParseDay reads the day of a date in any of the forms that the service uses. The day is that
// of the date's own time zone. ok is false if v is no date, or is in a year that can't be meant.
func ParseDay(v record.Value) (day Day, ok bool) {
	if v.Kind() != record.String {
		return 0, false
	}
	text := v.Text()
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= minYear && t.Year() <= maxYear {
			return DayOf(t), true
		}
	}
	return 0, false
}

// Time returns midnight of the day in UTC.
func (d Day) Time() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// ISO returns the day as the service takes it: 2026-11-22.
func (d Day) ISO() string { return d.Time().Format(time.DateOnly) }

// String returns the day as tables show it: 22 Nov 2026.
func (d Day) String() string { return d.Time().Format("2 Jan 2006") }

// Words returns the day as sentences show it: 22 November 2026.
func (d Day) Words() string { return d.Time().Format("2 January 2006") }

// near returns the day as text beside another one shows it: 22 Nov, with the year if it is not that of
// the other.
func (d Day) near(other Day) string {
	if d.Time().Year() != other.Time().Year() {
		return d.String()
	}
	return d.Time().Format("2 Jan")
}

// monday returns the first day of the week of d.
func (d Day) monday() Day { return d - Day((int(d.Time().Weekday())+6)%7) }

// inMonth returns the day with this number in a month, or the last day of a shorter month.
func inMonth(year int, month time.Month, day int) Day {
	return min(NewDay(year, month, day), NewDay(year, month+1, 1)-1)
}
