package reports

import (
	"time"

	"reseller/client/record"
)

// The years that a date of an answer can be of; they keep a chart finite.
const firstYear, lastYear = 1990, 2100

// dayIn reads the day of a date of an answer, in any of the shapes it comes
// in, where its own clock stands.
func dayIn(v record.Value) (time.Time, bool) {
	if v.Kind() != record.String {
		return time.Time{}, false
	}
	text := v.Text()
	for _, form := range [...]string{dayForm, "2006-01-02T15:04:05", time.DateTime, time.RFC3339} {
		if t, err := time.Parse(form, text); err == nil && t.Year() >= firstYear && t.Year() <= lastYear {
			return dayOf(t), true
		}
	}
	return time.Time{}, false
}

// A pace is what an axis of time steps by.
type pace uint8

const (
	daily pace = iota
	weekly
	monthly
	yearly
)

func (p pace) String() string { return [...]string{"day", "week", "month", "year"}[p] }

// axis names what the labels of an axis are.
func (p pace) axis() string {
	if p == weekly {
		return "week from Monday"
	}
	return p.String()
}

// first is the day that the step of a day begins with.
func (p pace) first(day time.Time) time.Time {
	switch p {
	case weekly:
		return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	case monthly:
		return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	case yearly:
		return time.Date(day.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return day
}

func (p pace) next(first time.Time) time.Time {
	switch p {
	case weekly:
		return first.AddDate(0, 0, 7)
	case monthly:
		return first.AddDate(0, 1, 0)
	case yearly:
		return first.AddDate(1, 0, 0)
	}
	return first.AddDate(0, 0, 1)
}

func (p pace) label(first time.Time) string {
	return first.Format([...]string{dayForm, dayForm, monthForm, "2006"}[p])
}

// steps are all steps from one day to another, at the pace given or the first
// slower one that takes no more than limit.
func (p pace) steps(from, to time.Time, limit int) (pace, []time.Time) {
	for {
		var all []time.Time
		for at := p.first(from); !at.After(to) && (len(all) <= limit || p == yearly); at = p.next(at) {
			all = append(all, at)
		}
		if len(all) <= limit || p == yearly {
			return p, all
		}
		p++
	}
}

// widen moves from and to apart until they hold day.
func widen(from, to *time.Time, day time.Time) {
	if from.IsZero() || day.Before(*from) {
		*from = day
	}
	if day.After(*to) {
		*to = day
	}
}
