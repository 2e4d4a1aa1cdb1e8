package summary

import (
	"strconv"
	"time"

	"reseller/client/record"
	"reseller/client/words"
)

// A Period is the days from From to To, both included.
type Period struct{ From, To Day }

func Month(year int, month time.Month) Period {
	return Period{NewDay(year, month, 1), NewDay(year, month+1, 1) - 1}
}

func (p Period) Days() int { return int(p.To-p.From) + 1 }

func (p Period) Contains(d Day) bool { return p.From <= d && d <= p.To }

// Until returns the part of the period that ends with a day, or all of it if it ends before.
func (p Period) Until(d Day) Period { return Period{p.From, max(min(p.To, d), p.From)} }

func (p Period) isMonth() bool {
	year, month, day := p.From.Time().Date()
	return day == 1 && p == Month(year, month)
}

// Words returns the period as a title shows it: October 2026, or 1 to 22 November 2026.
func (p Period) Words(in *words.Words) string { return p.say(in, "period.days", "period.range") }

// say returns the period in one of two texts: for days of one month, or for others. A month and a day are called by their own names.
func (p Period) say(in *words.Words, days, others string) string {
	from, to := p.From.Time(), p.To.Time()
	switch {
	case p.From == AllDays.From:
		return in.Say("period.until", "to", p.To.Words(in))
	case p.isMonth():
		return p.From.say(in, "date.month")
	case p.From == p.To:
		return p.From.Words(in)
	case from.Year() != to.Year():
		return in.Say(others, "from", p.From.Words(in), "to", p.To.Words(in))
	case from.Month() != to.Month():
		return in.Say(others, "from", p.From.say(in, "date.in_year"), "to", p.To.Words(in))
	}
	return in.Say(days, "from", from.Day(), "to", p.To.Words(in))
}

// A Comparison says with which period another one is compared.
type Comparison string

const (
	Previous Comparison = "previous" // the month before, or as many days before
	Year     Comparison = "year"     // the same days of the year before
	None     Comparison = "none"
)

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

// until returns the scope up to a day, whose days are compared with the same ones as in s.
func (s Scope) until(d Day) Scope {
	short := NewScope(s.whole, s.Kind, d)
	if s.Kind == Previous && short.To < s.To {
		short.Compared = s.Compared.Until(s.Compared.From + Day(short.Days()) - 1)
	}
	return short
}

func (s Scope) IsCompared() bool { return s.Kind != None }

// periods returns the period and, if there is one, that with which it is compared.
func (s Scope) periods() []Period {
	if !s.IsCompared() {
		return []Period{s.Period}
	}
	return []Period{s.Period, s.Compared}
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
func (s Scope) thanIn(in *words.Words) string {
	from := s.Compared.From.Time()
	month, _ := in.Month(from.Month())
	if from.Year() != s.From.Time().Year() {
		month = s.Compared.From.say(in, "date.month")
	}
	switch {
	case s.month && s.Compared.isMonth():
		return in.Say("when.month", "month", month)
	case s.month && s.Days() == 1:
		return in.Say("when.first_day", "month", month)
	case s.month:
		return in.Say("when.first_days", "n", s.Compared.Days(), "month", month)
	case s.Kind == Year && s.Days() == 1:
		return in.Say("when.day", "day", s.Compared.Words(in))
	case s.Kind == Year:
		return in.Say("when.year")
	case s.Compared.To < s.From-1 && s.Days() == 1:
		return in.Say("when.first_of", "n", int(s.From-s.Compared.From))
	case s.Compared.To < s.From-1:
		return in.Say("when.first_of_days", "n", s.Days(), "all", int(s.From-s.Compared.From))
	case s.Days() == 1:
		return in.Say("when.day_before")
	}
	return in.Say("when.days_before", "n", s.Days())
}

// ago returns how long before the end of the period that of the compared one is: a month ago.
func (s Scope) ago(in *words.Words) string {
	switch {
	case s.Kind == Year:
		return in.Say("when.year_ago")
	case s.month:
		return in.Say("when.month_ago")
	case s.Days() == 1:
		return in.Say("when.day_ago")
	}
	return in.Say("when.days_ago", "n", s.Days())
}

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

// AllDays has all days that a report can have.
var AllDays = Period{NewDay(minYear, time.January, 1), NewDay(maxYear, time.December, 31)}

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

// say returns the day in one of the texts of dates, and nothing for the day 0, which is none.
func (d Day) say(in *words.Words, key string) string {
	if d == 0 {
		return ""
	}
	year, month, day := d.Time().Date()
	name, short := in.Month(month)
	return in.Say(key, "day", day, "month", name, "short", short, "year", strconv.Itoa(year))
}

// Short returns the day as tables show it: 22 Nov 2026.
func (d Day) Short(in *words.Words) string { return d.say(in, "date.short") }

// Words returns the day as sentences show it: 22 November 2026.
func (d Day) Words(in *words.Words) string { return d.say(in, "date.long") }

// near returns the day as text beside another one shows it: 22 Nov, with the year if it is not that of the other.
func (d Day) near(in *words.Words, other Day) string {
	if d.Time().Year() != other.Time().Year() {
		return d.Short(in)
	}
	return d.say(in, "date.short_in_year")
}

func (d Day) monday() Day { return d - Day((int(d.Time().Weekday())+6)%7) }

// inMonth returns the day with this number in a month, or the last day of a shorter month.
func inMonth(year int, month time.Month, day int) Day {
	return min(NewDay(year, month, day), NewDay(year, month+1, 1)-1)
}

// A Unit is the length of an interval.
type Unit uint8

const (
	UnitDay Unit = iota
	UnitWeek
	UnitMonth
	UnitYear
)

func (u Unit) String() string { return [...]string{"day", "week", "month", "year"}[u] }

// maxIntervals is into how many intervals, other than years, a period is divided at most.
const maxIntervals = 62

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
		for from := p.From; from <= p.To && (len(parts) <= most || u == UnitYear); from = u.Whole(from).To + 1 {
			parts = append(parts, Period{from, min(u.Whole(from).To, p.To)})
		}
		if len(parts) <= most || u == UnitYear {
			return u, parts
		}
		u++
	}
}

// course returns a course of parts of a period, without its lines.
func (u Unit) course(in *words.Words, parts []Period, whole Period) Course {
	c := Course{Unit: u.String()}
	for _, part := range parts {
		c.Labels, c.Partial = append(c.Labels, u.label(in, part.From, whole)), append(c.Partial, part != u.Whole(part.From))
	}
	return c
}

// label returns the name of the interval of a period that begins with a day. A day has its year if the period is in several.
func (u Unit) label(in *words.Words, d Day, whole Period) string {
	switch {
	case u == UnitYear:
		return strconv.Itoa(d.Time().Year())
	case u == UnitMonth:
		return d.say(in, "date.short_month")
	case whole.From.Time().Year() != whole.To.Time().Year():
		return d.Short(in)
	}
	return d.say(in, "date.short_in_year")
}

// whole returns the first interval of the line of a tile, and the one behind its last. One that the period has in part would look
// like a rise or a fall there.
func (c *Course) whole() (from, to int) {
	to = len(c.Partial)
	if to > 0 && c.Partial[to-1] {
		to--
	}
	if to > 0 && c.Partial[0] {
		from++
	}
	return from, to
}
