package reports

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/summary"
	"reseller/cmd/cli"
)

const (
	layoutMonth = "2006-01"
	// defaultDays is the length of the default period, which ends today.
	defaultDays = 30
)

type dateFlags struct{ month, from, to string }

// addTo adds the flags, and with noValidate --no-validate, for dates that the service is to judge.
func (d *dateFlags) addTo(c *cobra.Command, session *cli.Session, noValidate bool) {
	c.Flags().StringVar(&d.month, "month", "", "`MONTH` to report, such as 2026-10: from its first to its last day")
	c.Flags().StringVar(&d.from, "from", "", "first `DATE` to report: YYYY-MM-DD, today, yesterday, -7d (the last 7 days), or a month such as 2026-10")
	c.Flags().StringVar(&d.to, "to", "", "last `DATE` to report, or a month up to its last day (default: today)")
	if noValidate {
		c.Flags().BoolVar(&session.Flags.NoValidate, "no-validate", false, "do not validate values before sending them")
	}
	for _, flag := range []string{"from", "to"} {
		cli.Offer(c, flag, "today", "yesterday", "-7d", "-30d", "-90d")
	}
}

// parse returns the period of c's flags. Without validate, text that is not a date is left to the service.
func (d *dateFlags) parse(c *cobra.Command, today time.Time, validate bool) (dates client.Dates, err error) {
	hasFrom, hasTo := c.Flags().Changed("from"), c.Flags().Changed("to")
	until := today.Format(time.DateOnly)
	switch {
	case c.Flags().Changed("month") && (hasFrom || hasTo):
		return dates, cli.Usagef("--month can't be used with --from or --to")
	case c.Flags().Changed("month"):
		return parseMonth(d.month, today)
	case !hasFrom && hasTo:
		return dates, &cli.UsageError{Message: "--to requires --from", Hint: "--from alone reports until today"}
	case !hasFrom:
		return dates, nil
	}
	from, err := parseDateFlag("--from", d.from, today, validate)
	if err != nil {
		return dates, err
	}
	to := client.Dates{To: until}
	if hasTo {
		if to, err = parseDateFlag("--to", d.to, today, validate); err != nil {
			return dates, err
		}
	}
	dates = client.Dates{From: from.From, To: to.To}
	switch { // dates in this format sort as text
	case !validate || dates.From <= dates.To:
		return dates, nil
	case !hasTo:
		return dates, cli.Usagef("--from %s is after today, %s", dates.From, until)
	}
	return dates, cli.Usagef("--from %s is after --to %s", dates.From, dates.To)
}

func defaultDates(today time.Time) client.Dates {
	return datesOf(summary.Period{From: summary.DayOf(today) - defaultDays + 1, To: summary.DayOf(today)})
}

// parseMonth returns the days of the month in --month, which must have begun.
func parseMonth(text string, today time.Time) (client.Dates, error) {
	month, ok := parseIn(layoutMonth, text)
	switch {
	case !ok:
		return client.Dates{}, cli.Usagef("--month: invalid month %q: use YYYY-MM, such as 2026-10", text)
	case month.After(today):
		return client.Dates{}, cli.Usagef("--month %s is after today, %s", text, today.Format(time.DateOnly))
	}
	return datesOf(summary.UnitMonth.Whole(summary.DayOf(month))), nil
}

func periodOf(dates client.Dates) (summary.Period, error) {
	var days [2]summary.Day
	for i, text := range []string{dates.From, dates.To} {
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return summary.Period{}, cli.Usagef("invalid date %q: use YYYY-MM-DD", text)
		}
		days[i] = summary.DayOf(day)
	}
	return summary.Period{From: days[0], To: days[1]}, nil
}

func scopeOf(dates client.Dates, kind summary.Comparison, today time.Time) (summary.Scope, error) {
	p, err := periodOf(dates)
	if err == nil && p.From > summary.DayOf(today) {
		err = cli.Usagef("--from %s is after today, %s", dates.From, today.Format(time.DateOnly))
	}
	return summary.NewScope(p, kind, summary.DayOf(today)), err
}

func datesOf(p summary.Period) client.Dates { return client.Dates{From: p.From.ISO(), To: p.To.ISO()} }

// noteDefaultDates tells the days of a command without dates. A file without rows asks for nothing.
func (s *selection) noteDefaultDates(session *cli.Session, dates client.Dates) {
	if s.input.Path != "" && len(s.rows) == 0 {
		return
	}
	session.Note("no dates given: reporting the last %d days, %s to %s", defaultDays, dates.From, dates.To)
}

// parseDateFlag returns text that is no date as it is without validate, unless it would change the path of the request.
func parseDateFlag(flag, text string, today time.Time, validate bool) (client.Dates, error) {
	if r, ok := parseDate(text, today); ok {
		return r, nil
	}
	if validate || strings.Trim(text, ".") == "" {
		return client.Dates{}, cli.Usagef("%s: invalid date %q: use YYYY-MM-DD, today, yesterday, -30d, or a month such as 2026-10", flag, text)
	}
	return client.Dates{From: text, To: text}, nil
}

// parseDate returns the first and the last day that a date stands for. They differ for a month.
func parseDate(text string, today time.Time) (days client.Dates, ok bool) {
	if month, ok := parseIn(layoutMonth, text); ok {
		return datesOf(summary.UnitMonth.Whole(summary.DayOf(month))), true
	}
	day, ok := parseIn(time.DateOnly, text)
	if number, isBack := strings.CutSuffix(text, "d"); isBack && strings.HasPrefix(number, "-") {
		back, err := strconv.ParseUint(number[1:], 10, 16) // days that end today, at most 179 years
		day, ok = today.AddDate(0, 0, 1-max(int(back), 1)), err == nil
	}
	switch text {
	case "today":
		day, ok = today, true
	case "yesterday":
		day, ok = today.AddDate(0, 0, -1), true
	}
	date := day.Format(time.DateOnly)
	return client.Dates{From: date, To: date}, ok
}

// firstYear is the earliest year of a date: a year below it is a typing error, such as 0206, and
// the period that is compared with it could begin before the year 0.
const firstYear = 1000

// parseIn parses a date in a layout. ok is false if it is invalid or before firstYear.
func parseIn(layout, text string) (_ time.Time, ok bool) {
	t, err := time.Parse(layout, text)
	return t, err == nil && t.Year() >= firstYear
}
