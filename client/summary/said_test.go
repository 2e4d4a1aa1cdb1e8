package summary

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client/words"
)

// TestDrawnDays shows every day of measurements as long as there is room, and a gap where a measurement is missing.
func TestDrawnDays(t *testing.T) {
	var days []Day
	for day := Day(0); day < 400; day += 5 {
		days = append(days, day+1)
	}
	if got := drawn(days); !slices.Equal(got, days) {
		t.Errorf("got %v, want all days", got)
	}
	if got := drawn([]Day{1, 6, 20}); !slices.Equal(got, []Day{1, 6, 0, 20}) {
		t.Errorf("got %v, want a gap of 14 days", got)
	}
	if got := drawn(slices.Repeat(days, 10)); len(slices.DeleteFunc(got, func(day Day) bool { return day == 0 })) > maxDates {
		t.Errorf("got more than %d days", maxDates)
	}
}

// TestRunningWeek compares days with those of the same place in the period before, however many are late.
func TestRunningWeek(t *testing.T) {
	for late := range Day(lateDays) {
		b := NewBuilder(NewScope(Period{today - 6, today}, Previous, today))
		for day := today - 13; day < today-late; day++ {
			visits := 100
			if weekday := day.Time().Weekday(); weekday == time.Saturday || weekday == time.Sunday {
				visits = 10
			}
			add(t, b, ReportTraffic, visitsOf(Period{day, day}, visits)...)
		}
		if f := tile(t, b.Page(Subject{}), TileVisits); f.Direction != Unchanged {
			t.Errorf("%d days late: got %s %s, want no change", late, f.Text, f.Words(english))
		}
		for _, d := range b.DailyVisits() {
			if d.Day-d.DayBefore != 7 {
				t.Errorf("%d days late: got %s beside %s", late, d.DayBefore.ISO(), d.Day.ISO())
			}
		}
	}
}

// TestPartialWeeks marks the weeks of which days are missing in any of the lines, and draws no fall of the small ones.
func TestPartialWeeks(t *testing.T) {
	b := NewBuilder(NewScope(Period{NewDay(2026, time.July, 6), NewDay(2026, time.October, 25)}, None, today))
	for day := b.scope.From; day <= b.scope.To; day++ {
		if monday := day.monday() == NewDay(2026, time.September, 7); monday && day.Time().Weekday() != time.Monday {
			add(t, b, ReportTraffic, fmt.Sprintf(`{"date":%q,"total":100}`, day.ISO()))
		} else {
			add(t, b, ReportTraffic, visitsOf(Period{day, day}, 100)...)
		}
	}
	p := b.Page(Subject{})
	for i, label := range p.Traffic.Course.Labels {
		isPartial := p.Traffic.Course.Partial[i]
		if isPartial != (label == "7 Sep") {
			t.Errorf("%s: partial is %v", label, isPartial)
		}
		if line := tile(t, p, TileOrganicVisits).Line; i < len(line) && (line[i] != line[i]) != isPartial {
			t.Errorf("%s: the small line has %v", label, line[i])
		}
	}
}

// TestSaidOfRows has rows of which it was said what is not so.
func TestSaidOfRows(t *testing.T) {
	for name, test := range map[string]struct {
		report Report
		rows   []string
		want   string // in the notes, the sentences and what is missing
	}{
		"no known field":            {ReportWorkflows, []string{`{}`, `{"rows":[]}`}, "Tasks completed: the service has no dated data on tasks"},
		"completed without date":    {ReportWorkflows, []string{`{"task_name":"a","status":"Completed"}`}, "Tasks completed: the service has no dated data on tasks"},
		"under review":              {ReportWorkflows, []string{`{"completion_date":"2026-10-02","status":"Under review"}`}, "1 task of October 2026 has a completion date but is not counted"},
		"more organic than all":     {ReportTraffic, []string{`{"date":"2026-10-06","organic":500,"total":100}`}, "On 1 day of October 2026, the visits are not the sum"},
		"computed before":           {ReportTraffic, append(visitsOf(Month(2026, time.October), 10), `{"date":"2026-09-06","organic":5,"non_organic":5}`), "On 1 day of September 2026, one number of visits is computed"},
		"computed in both":          {ReportTraffic, []string{`{"date":"2026-10-06","organic":5,"non_organic":5}`, `{"date":"2026-10-07","organic":5,"non_organic":5}`, `{"date":"2026-09-06","organic":5,"non_organic":5}`}, "On 2 days of October 2026, one number of visits is computed, since the service gives only two of all, organic and other visits. On 1 day of September 2026, one number of visits is computed"},
		"under review before":       {ReportWorkflows, []string{`{"completion_date":"2026-09-02","status":"Under review"}`}, "1 task of September 2026 has a completion date but is not counted"},
		"old before":                {ReportProvisioned, []string{`{"url":"a","completed_date":"2026-09-02","original_due_date":"2026-01-02"}`}, "1 link of September 2026 was completed but is not counted"},
		"a day without a date":      {ReportTraffic, []string{`{"total":500}`, `{"date":"2026-10-06","total":100}`}, "1 row of the traffic report has no date, and is not counted"},
		"measured before":           {ReportKeywords, []string{keywordOf("a", map[string]int{"2026-08-20": 4, "2026-09-20": 5, "2026-10-28": 6}), keywordOf("b", map[string]int{"2026-10-28": 6})}, "new"},
		"a later row without ranks": {ReportKeywords, []string{keywordOf("a", map[string]int{"2026-09-28": 5, "2026-10-28": 4}), `{"keyword":"a","type":"target","histogram":[]}`}, "1 of 1 keyword is among the first ten"},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(october(Previous))
			add(t, b, test.report, test.rows...)
			p := b.Page(Subject{})
			if got := fmt.Sprint(p.Notes, p.Sentences, p.Missing, p.Rankings.Rows); !strings.Contains(strings.ReplaceAll(got, "{", ""), strings.Replace(test.want, ": ", " ", 1)) {
				t.Errorf("got %s, want %s in it", got, test.want)
			}
		})
	}
}

// TestOneIsNotMany says of one keyword that is still among the first ten that it is as before, and not as many.
func TestOneIsNotMany(t *testing.T) {
	for language, want := range map[string]string{
		"de": "Der Suchbegriff ist unter den ersten zehn, wie vor einem Monat.", "fr": "Le mot-clé suivi est parmi les dix premiers résultats, comme il y a un mois.",
	} {
		b := NewBuilder(october(Previous))
		b.Words, _ = words.In(language)
		add(t, b, ReportKeywords, keywordOf("a", map[string]int{"2026-09-28": 3, "2026-10-28": 3}))
		if got := b.Page(Subject{}).Sentences[0]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestTallyOfPeriodsThatOverlap counts what both periods have once, as it is sent once, and what today has.
func TestTallyOfPeriodsThatOverlap(t *testing.T) {
	b := NewBuilder(NewScope(Period{NewDay(2024, time.June, 1), today}, Year, today))
	for day := b.scope.Compared.From; day <= today; day++ {
		add(t, b, ReportTraffic, fmt.Sprintf(`{"date":%q,"organic":1,"non_organic":1,"total":3}`, day.ISO()))
	}
	if got, want := b.Tally(ReportTraffic)[Unequal], int(today-b.scope.Compared.From); got != want {
		t.Errorf("got %d rows whose total is no sum, want %d", got, want)
	}
	b = NewBuilder(b.scope)
	add(t, b, ReportWorkflows, `{"task_id":1,"completion_date":"2024-08-01","built_date":"2024-01-01"}`, `{"task_id":2,"completion_date":"2025-01-01","status":"Cancelled"}`,
		`{"task_id":3,"completion_date":"2023-07-01","status":"Cancelled"}`, fmt.Sprintf(`{"task_id":4,"completion_date":%q,"status":"Cancelled"}`, today.ISO()))
	if got := b.Tally(ReportWorkflows); got[Undone] != 3 || got[Early] != 1 {
		t.Errorf("got %d tasks that were not completed and %d early ones, want 3 and 1", got[Undone], got[Early])
	}
}

// TestPeriodsOfNotes calls each period in a way that fits a day, too.
func TestPeriodsOfNotes(t *testing.T) {
	b := NewBuilder(NewScope(Period{NewDay(2026, time.November, 4), NewDay(2026, time.November, 4)}, Previous, today))
	add(t, b, ReportTraffic, `{"date":"2026-11-03","organic":1,"non_organic":1,"total":3}`, `{"date":"2026-11-04","organic":1,"non_organic":1,"total":3}`)
	add(t, b, ReportWorkflows, `{"task_id":1,"completion_date":"2026-11-03","built_date":"2026-01-01"}`)
	if got, want := fmt.Sprint(b.trafficNotes(), b.eventNotes()), "[On 4 November 2026, the visits are not the sum of organic and other visits. On 3 November 2026, the visits are not the sum of organic and other visits.] [1 task of 3 November 2026 was completed but is not counted, since it was built more than 90 days before that period.]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
