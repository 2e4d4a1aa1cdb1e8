package charts

import (
	"testing"
	"time"

	"reseller/client/record"
)

// day parses a date of a test.
func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestParseDay(t *testing.T) {
	for text, want := range map[string]string{
		`"2024-04-10T04:04:00"`: "2024-04-10", `"2023-11-01 00:00:00"`: "2023-11-01", `"2024-12-01"`: "2024-12-01",
		`"2024-07-06T19:09:14Z"`: "2024-07-06", `"2024-07-06T23:09:14-08:00"`: "2024-07-06", `"2024-04-10T04:04:00.5"`: "2024-04-10",
		`"2024-13-01"`: "", `"0001-01-01"`: "", `"9999-12-31"`: "", `""`: "", `null`: "", `20240410`: "", `"soon"`: "", `{}`: "", ``: "",
	} {
		t.Run(text, func(t *testing.T) {
			got, ok := parseDay(record.Value(text))
			if ok != (want != "") || ok && got.Format(time.DateOnly) != want {
				t.Errorf("got %v, %v, want %q", got, ok, want)
			}
		})
	}
}

func FuzzParseDay(f *testing.F) {
	for _, text := range []string{"2024-04-10T04:04:00", "2023-11-01 00:00:00", "2024-12-01", "2024-07-06T19:09:14Z", "9999-12-31", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := parseDay(record.Quote(text)); ok && (got.Year() < minYear || got.Year() > maxYear || got != got.UTC().Truncate(24*time.Hour)) {
			t.Fatalf("%q: got %v, want midnight of a day from %d to %d", text, got, minYear, maxYear)
		}
	})
}

func TestDivide(t *testing.T) {
	for name, c := range map[string]struct {
		by          interval
		first, last string
		want        string
	}{
		"one day":                {intervalDay, "2026-03-01", "2026-03-01", "day 2026-03-01"},
		"days":                   {intervalDay, "2026-02-27", "2026-03-02", "day 2026-02-27 2026-02-28 2026-03-01 2026-03-02"},
		"a Sunday and a Monday":  {intervalWeek, "2026-03-01", "2026-03-02", "week 2026-02-23 2026-03-02"},
		"too many days":          {intervalDay, "2026-02-01", "2026-02-08", "week 2026-01-26 2026-02-02"},
		"too many weeks":         {intervalWeek, "2026-01-15", "2026-03-20", "month 2026-01 2026-02 2026-03"},
		"more years than wanted": {intervalDay, "1990-01-01", "1995-01-01", "year 1990 1991 1992 1993 1994 1995"},
	} {
		t.Run(name, func(t *testing.T) {
			by, starts := c.by.divide(dateRange{day(c.first), day(c.last)}, 4)
			got := by.String()
			for _, start := range starts {
				got += " " + by.label(start)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
