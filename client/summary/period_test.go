package summary

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"reseller/client/record"
)

func dateOf(t testing.TB, text string) Day {
	t.Helper()
	day, ok := ParseDay(record.Quote(text))
	if !ok {
		t.Fatalf("got no day of %s", text)
	}
	return day
}

func TestParseDay(t *testing.T) {
	for text, want := range map[string]string{
		`"2024-04-10T04:04:00"`: "2024-04-10", `"2023-11-01 00:00:00"`: "2023-11-01", `"2024-12-01"`: "2024-12-01", `"2024-02-29"`: "2024-02-29",
		`"2026-10-31T23:30:00-05:00"`: "2026-10-31", `"2026-11-01T00:30:00+13:00"`: "2026-11-01", `"2026-10-31T23:59:59Z"`: "2026-10-31",
		`"2024-07-06T19:09:14Z"`: "2024-07-06", `"2024-07-06T23:09:14-08:00"`: "2024-07-06", `"2024-04-10T04:04:00.5"`: "2024-04-10", `"2024-13-01"`: "", `{}`: "",
		`"2025-02-29"`: "", `"0001-01-01"`: "", `"9999-12-31"`: "", `"10/11/2026"`: "", `20261101`: "", `null`: "", ``: "", `""`: "", `["2026-10-01"]`: "",
	} {
		t.Run(text, func(t *testing.T) {
			got := ""
			if day, ok := ParseDay(record.Value(text)); ok {
				got = day.ISO()
			}
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func FuzzParseDay(f *testing.F) {
	for _, text := range []string{"2024-04-10T04:04:00", "2023-11-01 00:00:00", "2024-12-01", "2024-07-06T19:09:14Z", "9999-12-31", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if day, ok := ParseDay(record.Quote(text)); ok {
			year := day.Time().Year()
			if again, ok := ParseDay(record.Quote(day.ISO())); !ok || again != day || year < minYear || year > maxYear {
				t.Fatalf("%q: got %s, want a day from %d to %d", text, day.ISO(), minYear, maxYear)
			}
		}
	})
}

// TestDayOf takes the day of a moment in the moment's own zone, also where a clock is set forward.
func TestDayOf(t *testing.T) {
	for name, hours := range map[string]int{"west": -11, "utc": 0, "east": 14} {
		t.Run(name, func(t *testing.T) {
			zone := time.FixedZone(name, hours*60*60)
			for _, hour := range []int{0, 2, 12, 23} {
				if got := DayOf(time.Date(2026, time.March, 29, hour, 30, 0, 0, zone)).ISO(); got != "2026-03-29" {
					t.Errorf("got %s at %d:30, want 2026-03-29", got, hour)
				}
			}
		})
	}
}

func TestScope(t *testing.T) {
	for _, test := range []struct {
		name, from, to, today string
		kind                  Comparison
		period, compared      string
		words, comparedWords  string
		thanIn, ago           string
	}{
		{"month", "2026-10-01", "2026-10-31", "2026-11-22", Previous, "2026-10-01 2026-10-31", "2026-09-01 2026-09-30", "October 2026", "September 2026", "in September", "a month ago"},
		{"month of a year before", "2026-10-01", "2026-10-31", "2026-11-22", Year, "2026-10-01 2026-10-31", "2025-10-01 2025-10-31", "October 2026", "October 2025", "in October 2025", "a year ago"},
		{"january", "2026-01-01", "2026-01-31", "2026-11-22", Previous, "2026-01-01 2026-01-31", "2025-12-01 2025-12-31", "January 2026", "December 2025", "in December 2025", "a month ago"},
		{"march after a short month", "2026-03-01", "2026-03-31", "2026-11-22", Previous, "2026-03-01 2026-03-31", "2026-02-01 2026-02-28", "March 2026", "February 2026", "in February", "a month ago"},
		{"march of a leap year", "2028-03-01", "2028-03-31", "2028-11-22", Previous, "2028-03-01 2028-03-31", "2028-02-01 2028-02-29", "March 2028", "February 2028", "in February", "a month ago"},
		{"leap february and a year before", "2028-02-01", "2028-02-29", "2028-11-22", Year, "2028-02-01 2028-02-29", "2027-02-01 2027-02-28", "February 2028", "February 2027", "in February 2027", "a year ago"},
		{"days up to 29 February", "2028-02-10", "2028-02-29", "2028-11-22", Year, "2028-02-10 2028-02-29", "2027-02-10 2027-02-28", "10 to 29 February 2028", "10 to 28 February 2027", "in the same days a year before", "a year ago"},
		{"days across years and a year before", "2025-12-24", "2026-01-22", "2026-11-22", Year, "2025-12-24 2026-01-22", "2024-12-24 2025-01-22", "24 December 2025 to 22 January 2026", "24 December 2024 to 22 January 2025", "in the same days a year before", "a year ago"},
		{"29 February and a year before", "2024-02-29", "2024-02-29", "2026-11-22", Year, "2024-02-29 2024-02-29", "2023-02-28 2023-02-28", "29 February 2024", "28 February 2023", "on 28 February 2023", "a year ago"},
		{"month that is not over", "2026-11-01", "2026-11-30", "2026-11-22", Previous, "2026-11-01 2026-11-22", "2026-10-01 2026-10-22", "1 to 22 November 2026", "1 to 22 October 2026", "in the first 22 days of October", "a month ago"},
		{"month that began today", "2026-11-01", "2026-11-30", "2026-11-01", Previous, "2026-11-01 2026-11-01", "2026-10-01 2026-10-01", "1 November 2026", "1 October 2026", "on the first day of October", "a month ago"},
		{"march that is longer than february", "2026-03-01", "2026-03-31", "2026-03-30", Previous, "2026-03-01 2026-03-30", "2026-02-01 2026-02-28", "1 to 30 March 2026", "February 2026", "in February", "a month ago"},
		{"month that is not over and a year before", "2026-11-01", "2026-11-30", "2026-11-22", Year, "2026-11-01 2026-11-22", "2025-11-01 2025-11-22", "1 to 22 November 2026", "1 to 22 November 2025", "in the first 22 days of November 2025", "a year ago"},
		{"seven days", "2026-11-16", "2026-11-22", "2026-11-22", Previous, "2026-11-16 2026-11-22", "2026-11-09 2026-11-15", "16 to 22 November 2026", "9 to 15 November 2026", "in the 7 days before", "7 days ago"},
		{"thirty days", "2026-10-24", "2026-11-22", "2026-11-22", Previous, "2026-10-24 2026-11-22", "2026-09-24 2026-10-23", "24 October to 22 November 2026", "24 September to 23 October 2026", "in the 30 days before", "30 days ago"},
		{"days across years", "2025-12-24", "2026-01-22", "2026-11-22", Previous, "2025-12-24 2026-01-22", "2025-11-24 2025-12-23", "24 December 2025 to 22 January 2026", "24 November to 23 December 2025", "in the 30 days before", "30 days ago"},
		{"days that are not over", "2026-11-16", "2026-11-29", "2026-11-22", Previous, "2026-11-16 2026-11-22", "2026-11-09 2026-11-15", "16 to 22 November 2026", "9 to 15 November 2026", "in the 7 days before", "7 days ago"},
		{"one day", "2026-11-22", "2026-11-22", "2026-11-22", Previous, "2026-11-22 2026-11-22", "2026-11-21 2026-11-21", "22 November 2026", "21 November 2026", "on the day before", "a day ago"},
		{"none", "2026-10-01", "2026-10-31", "2026-11-22", None, "2026-10-01 2026-10-31", "", "October 2026", "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := NewScope(Period{dateOf(t, test.from), dateOf(t, test.to)}, test.kind, dateOf(t, test.today))
			texts := func(p Period) string { return p.From.ISO() + " " + p.To.ISO() }
			got := []string{texts(s.Period), "", s.Words(english), "", "", ""}
			if s.IsCompared() {
				got[1], got[3], got[4], got[5] = texts(s.Compared), s.Compared.Words(english), s.thanIn(english), s.ago(english)
			}
			want := []string{test.period, test.compared, test.words, test.comparedWords, test.thanIn, test.ago}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// TestScopeProperties checks of any period that it ends today at the latest, that the compared
// one is earlier, no longer, and as long unless it is a whole month or February is in the way.
func TestScopeProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		today := Day(rapid.IntRange(int(NewDay(1999, 1, 1)), int(NewDay(2040, 1, 1))).Draw(r, "today"))
		from := today - Day(rapid.IntRange(0, 3000).Draw(r, "age"))
		p := Period{from, from + Day(rapid.IntRange(0, 800).Draw(r, "days"))}
		if rapid.Bool().Draw(r, "month") {
			year, month, _ := from.Time().Date()
			p = Month(year, month)
		}
		kind := rapid.SampledFrom([]Comparison{Previous, Year}).Draw(r, "kind")
		s := NewScope(p, kind, today)
		if s.From != p.From || s.To > today || s.To > p.To || s.Compared.From >= s.From || s.Compared.To >= s.To {
			r.Fatalf("got %v compared with %v, of %v on %v", s.Period, s.Compared, p, today)
		}
		if kind == Previous && s.Compared.To >= s.From {
			r.Fatalf("got %v compared with %v, which overlap", s.Period, s.Compared)
		}
		if got, want := s.Compared.Days(), s.Days(); got != want && !s.Compared.isMonth() && (kind == Previous || want-got > 1 || got-want > 1) {
			r.Fatalf("got %d days compared with %d", want, got)
		}
		by, parts := UnitDay.Divide(s.Period, maxIntervals)
		next := s.From
		for _, part := range parts {
			if part.From != next || part.To < part.From {
				r.Fatalf("got %v, want parts by %s without a gap", parts, by)
			}
			next = part.To + 1
		}
		if next != s.To+1 || len(parts) > maxIntervals && by != UnitYear {
			r.Fatalf("got %d parts up to %v, want them up to %v", len(parts), next-1, s.To)
		}
	})
}

// TestWeeks divides October 2026, which begins on a Thursday and ends on a Saturday.
func TestWeeks(t *testing.T) {
	by, parts := UnitWeek.Divide(Month(2026, time.October), maxIntervals)
	c := by.course(english, parts, Month(2026, time.October))
	got := c.Unit
	for i, part := range parts {
		got += fmt.Sprintf("; %s, %s, %v", c.Labels[i], part.Words(english), c.Partial[i])
	}
	want := "week; 1 Oct, 1 to 4 October 2026, true; 5 Oct, 5 to 11 October 2026, false; 12 Oct, 12 to 18 October 2026, false; " +
		"19 Oct, 19 to 25 October 2026, false; 26 Oct, 26 to 31 October 2026, true"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestShortenedPeriod compares a period whose last days are not known yet with the same days as the whole one.
func TestShortenedPeriod(t *testing.T) {
	week := NewScope(Period{today - 6, today}, Previous, today)
	for days, want := range map[Day]string{1: "on the first of the 7 days before", 5: "in the first 5 of the 7 days before", 7: "in the 7 days before"} {
		s := week.until(today - 7 + days)
		if first, ok := s.dayBefore(s.From); !ok || first != week.Compared.From || s.Compared.Days() != s.Days() || s.thanIn(english) != want {
			t.Errorf("got %s compared with %s, %s, want %s", s.Words(english), s.Compared.Words(english), s.thanIn(english), want)
		}
	}
	if s := october(Previous).until(NewDay(2026, time.October, 10)); s.Compared != (Period{NewDay(2026, time.September, 1), NewDay(2026, time.September, 10)}) {
		t.Errorf("got a month compared with %s", s.Compared.Words(english))
	}
	november := NewScope(Month(2026, time.November), Previous, NewDay(2026, time.December, 1))
	if s := november.until(november.To); s.Compared != Month(2026, time.October) {
		t.Errorf("on the day after its end, got a month compared with %s", s.Compared.Words(english))
	}
}

// TestLineOfATile has no interval that the period has in part, at either end.
func TestLineOfATile(t *testing.T) {
	for want, partial := range map[string][]bool{
		"0 4": {false, false, false, false}, "1 4": {true, false, false, false}, "0 3": {false, false, false, true},
		"1 3": {true, false, false, true}, "1 1": {true, true}, "0 0": {true},
	} {
		from, to := (&Course{Partial: partial}).whole()
		if got := fmt.Sprint(from, to); got != want {
			t.Errorf("of %v: got %s, want %s", partial, got, want)
		}
	}
}
