package reports

import (
	"strconv"
	"strings"
	"time"

	"reseller/client"
	"reseller/cmd/cli"
)

const (
	monthForm = "2006-01"
	// usualDays is how far back a report goes that needs dates and was given
	// none.
	usualDays = 30
)

// A period is what --from and --to say.
type period struct {
	from, to           string
	fromGiven, toGiven bool
	today              time.Time
	needed             bool // the report can't do without dates
	check              bool // false leaves to the service what can't be read
}

// A span is the first and the last day of what one date names, as the service
// takes them.
type span struct{ first, last string }

// dayOf is the day of a moment where its clock stands.
func dayOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// dates are both days of the period, or none where the report does without.
// Defaulted says that they are not what the user gave.
func (p period) dates() (dates client.Dates, defaulted bool, err error) {
	today := p.today.Format(time.DateOnly)
	switch {
	case !p.fromGiven && p.toGiven:
		return dates, false, &cli.UsageError{Message: "--to without --from", Hint: "--from alone means until today"}
	case !p.fromGiven && !p.needed:
		return dates, false, nil
	case !p.fromGiven:
		return client.Dates{From: p.today.AddDate(0, 0, -usualDays).Format(time.DateOnly), To: today}, true, nil
	}
	from, err := p.read("--from", p.from)
	if err != nil {
		return dates, false, err
	}
	to := span{last: today}
	if p.toGiven {
		if to, err = p.read("--to", p.to); err != nil {
			return dates, false, err
		}
	}
	dates = client.Dates{From: from.first, To: to.last}
	switch { // days in this form are in the order of their text
	case !p.check || dates.From <= dates.To:
		return dates, false, nil
	case !p.toGiven:
		return dates, false, cli.Usagef("--from %s is after today, %s", dates.From, today)
	}
	return dates, false, cli.Usagef("--from %s is after --to %s", dates.From, dates.To)
}

// read reads the text of a flag. Without checks, what is no date goes as it
// is, save where it would make another path.
func (p period) read(flag, text string) (span, error) {
	if s, ok := readDate(text, p.today); ok {
		return s, nil
	}
	if p.check || strings.Trim(text, ".") == "" {
		return span{}, cli.Usagef("%s: %q is not a date: YYYY-MM-DD, today, yesterday, -30d, or a month such as 2026-10", flag, text)
	}
	return span{text, text}, nil
}

// readDate reads a day or a month.
func readDate(text string, today time.Time) (s span, ok bool) {
	one := func(day time.Time) (span, bool) {
		form := day.Format(time.DateOnly)
		return span{form, form}, true
	}
	switch text {
	case "today":
		return one(today)
	case "yesterday":
		return one(today.AddDate(0, 0, -1))
	}
	if number, ok := strings.CutSuffix(text, "d"); ok && strings.HasPrefix(number, "-") {
		back, err := strconv.ParseUint(number[1:], 10, 16) // 179 years at most
		if err != nil {
			return s, false
		}
		return one(today.AddDate(0, 0, -int(back)))
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return one(day)
	}
	if month, err := time.Parse(monthForm, text); err == nil {
		return span{month.Format(time.DateOnly), month.AddDate(0, 1, -1).Format(time.DateOnly)}, true
	}
	return s, false
}
