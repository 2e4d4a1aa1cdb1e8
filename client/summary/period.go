package summary

import (
	"fmt"
	"time"
)

// A Period is the days from From to To, both included.
type Period struct{ From, To Day }

// Month returns the period of a month.
func Month(year int, month time.Month) Period {
	return Period{NewDay(year, month, 1), NewDay(year, month+1, 1) - 1}
}

// Days returns the number of days of the period.
func (p Period) Days() int { return int(p.To-p.From) + 1 }

// Contains reports whether a day is in the period.
func (p Period) Contains(d Day) bool { return p.From <= d && d <= p.To }

// Until returns the part of the period that ends with a day, or all of it if it ends before.
func (p Period) Until(d Day) Period { return Period{p.From, max(min(p.To, d), p.From)} }

// isMonth reports whether the period is a whole month.
func (p Period) isMonth() bool {
	year, month, day := p.From.Time().Date()
	return day == 1 && p == Month(year, month)
}

// Words returns the period as a title shows it: October 2026, or 1 to 22 November 2026.
func (p Period) Words() string {
	from, to := p.From.Time(), p.To.Time()
	switch {
	case p.isMonth():
		return from.Format("January 2006")
	case p.From == p.To:
		return p.From.Words()
	case from.Year() != to.Year():
		return p.From.Words() + " to " + p.To.Words()
	case from.Month() != to.Month():
		return from.Format("2 January") + " to " + p.To.Words()
	}
	return from.Format("2") + " to " + p.To.Words()
}

// A Comparison says with which period another one is compared.
type Comparison string

// The comparisons.
const (
	Previous Comparison = "previous" // the month before, or as many days before
	Year     Comparison = "year"     // the same days of the year before
	None     Comparison = "none"
)

// Comparisons are all comparisons.
var Comparisons = []string{string(Previous), string(Year), string(None)}

// A Scope is the period of a report and the one with which it is compared.
type Scope struct {
	Period       // ends today at the latest
	Today    Day // the day on which the report is made
	Kind     Comparison
	Compared Period // as many days as Period, or a whole month; zero without a comparison
	whole    Period // of which Period is what was over today
	month    bool   // whole is a month
}

// NewScope returns the scope of a period that began today or earlier. Of a period that is not
// over, it has the days until today, and compares them with as many days.
func NewScope(p Period, kind Comparison, today Day) Scope {
	s := Scope{Period: p.Until(today), Today: today, Kind: kind, whole: p, month: p.isMonth()}
	year, month, day := p.From.Time().Date()
	switch {
	case kind == None:
	case kind == Previous && s.month:
		before := Month(year, month-1)
		if s.Compared = before; s.To < p.To {
			s.Compared = before.Until(before.From + Day(s.Days()) - 1)
		}
	case kind == Previous:
		s.Compared = Period{s.From - Day(s.Days()), s.From - 1}
	case s.isMonth():
		s.Compared = Month(year-1, month)
	default:
		toYear, toMonth, toDay := s.To.Time().Date()
		s.Compared = Period{inMonth(year-1, month, day), inMonth(toYear-1, toMonth, toDay)}
	}
	return s
}

// IsCompared reports whether the period is compared with another one.
func (s Scope) IsCompared() bool { return s.Kind != None }

// Covers returns the days from the beginning of the compared period to the end of the period.
func (s Scope) Covers() Period {
	if !s.IsCompared() {
		return s.Period
	}
	return Period{min(s.From, s.Compared.From), s.To}
}

// dayBefore returns the day of the compared period that stands beside a day of the period: the same date of
// the year before, or else that with as many days before it. ok is false if there is none: 29 February has none
// unless the period begins with it.
func (s Scope) dayBefore(d Day) (before Day, ok bool) {
	before = s.Compared.From + d - s.From
	if s.Kind == Year {
		year, month, day := d.Time().Date()
		before = inMonth(year-1, month, day)
		ok = before.Time().Day() == day || d == s.From
	} else {
		ok = s.IsCompared()
	}
	return before, ok && s.Compared.Contains(before)
}

// thanIn returns the compared period as a sentence names it: in September, or in the 30 days before.
func (s Scope) thanIn() string {
	from := s.Compared.From.Time()
	month := from.Format("January")
	if from.Year() != s.From.Time().Year() {
		month = from.Format("January 2006")
	}
	switch {
	case s.month && s.Compared.isMonth():
		return "in " + month
	case s.month && s.Days() == 1:
		return "on the first day of " + month
	case s.month:
		return fmt.Sprintf("in the first %d days of %s", s.Compared.Days(), month)
	case s.Kind == Year:
		return "in the same days of " + from.Format("2006")
	case s.Days() == 1:
		return "on the day before"
	}
	return fmt.Sprintf("in the %d days before", s.Days())
}

// ago returns how long before the end of the period that of the compared one is: a month ago.
func (s Scope) ago() string {
	switch {
	case s.Kind == Year:
		return "a year ago"
	case s.month:
		return "a month ago"
	case s.Days() == 1:
		return "a day ago"
	}
	return fmt.Sprintf("%d days ago", s.Days())
}
