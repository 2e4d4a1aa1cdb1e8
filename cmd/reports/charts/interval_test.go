package charts

import (
	"testing"
	"time"

	"reseller/client/record"
	"reseller/client/summary"
)

// day parses a date of a test.
func day(text string) summary.Day {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return summary.DayOf(t)
}

// TestWithin keeps the rows that are of the period.
func TestWithin(t *testing.T) {
	october := summary.Month(2026, time.October)
	for _, test := range []struct {
		name, row, field string
		want             bool
	}{
		{"in the period", `{"date":"2026-10-31T23:59:59","total":1}`, "date", true},
		{"after it", `{"date":"2026-11-01","total":1}`, "date", false},
		{"before it", `{"date":"2026-09-30 23:59:59","total":1}`, "date", false},
		{"without a date", `{"date":"","total":1}`, "date", true},
		{"no field", `{"date":"2026-11-01"}`, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			row, err := record.Parse([]byte(test.row))
			if err != nil {
				t.Fatal(err)
			}
			if got := Within(row, test.field, october); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestDivide(t *testing.T) {
	for name, c := range map[string]struct {
		by          summary.Unit
		first, last string
		want        string
	}{
		"one day":                {summary.UnitDay, "2026-03-01", "2026-03-01", "day 1 Mar 2026"},
		"days":                   {summary.UnitDay, "2026-02-27", "2026-03-02", "day 27 Feb 2026 28 Feb 2026 1 Mar 2026 2 Mar 2026"},
		"a Sunday and a Monday":  {summary.UnitWeek, "2026-03-01", "2026-03-02", "week 23 Feb 2026 2 Mar 2026"},
		"too many days":          {summary.UnitDay, "2026-02-01", "2026-02-08", "week 26 Jan 2026 2 Feb 2026"},
		"too many weeks":         {summary.UnitWeek, "2026-01-15", "2026-03-20", "month Jan 2026 Feb 2026 Mar 2026"},
		"more years than wanted": {summary.UnitDay, "1990-01-01", "1995-01-01", "year 1990 1991 1992 1993 1994 1995"},
	} {
		t.Run(name, func(t *testing.T) {
			by, starts := divide(c.by, summary.Period{From: day(c.first), To: day(c.last)}, 4)
			got := by.String()
			for _, start := range starts {
				got += " " + labelOf(by, start)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
