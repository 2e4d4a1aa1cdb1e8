package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/output/chart"
)

// build gives rows to a builder and returns its charts.
func build(t *testing.T, newBuilder func(*schema.Resource, string, summary.Period) Builder, res *schema.Resource, campaign string, rows ...string) []chart.Chart {
	t.Helper()
	b := newBuilder(res, campaign, summary.AllDays)
	for _, row := range rows {
		rec, err := record.Parse([]byte(row))
		if err != nil {
			t.Fatal(err)
		}
		b.Add(rec)
	}
	charts := b.Charts()
	for _, c := range charts {
		if len(c.Series) > chart.MaxSeries {
			t.Errorf("%s: got %d series, want at most %d", c.Title, len(c.Series), chart.MaxSeries)
		}
		for _, s := range c.Series {
			if len(s.Values) != len(c.Labels) {
				t.Errorf("%s: got %d values for %d labels", c.Title, len(s.Values), len(c.Labels))
			}
		}
	}
	return charts
}

// describe returns the labels and series of a chart as text; - is a gap.
func describe(c chart.Chart) string {
	var b strings.Builder
	for _, s := range c.Series {
		fmt.Fprintf(&b, "%s:", s.Name)
		for _, v := range s.Values {
			b.WriteString(" " + chart.Number(v))
			if math.IsNaN(v) {
				b.WriteString("-")
			}
		}
		b.WriteString("; ")
	}
	return strings.Join(c.Labels, " ") + " | " + b.String()
}

// wantNotes compares the notes of a chart.
func wantNotes(t *testing.T, c chart.Chart, want ...string) {
	t.Helper()
	if got, want := strings.Join(c.Notes, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("%s: got the notes\n%s\nwant\n%s", c.Title, got, want)
	}
}

func TestTrafficFigures(t *testing.T) {
	for row, want := range map[string]string{
		`"organic":1,"non_organic":2,"total":9`:     "visits: 9; organic visits: 1; other visits: 2; ",
		`"organic":"1","total":3`:                   "visits: 3; organic visits: 1; other visits: 2; ",
		`"non_organic":2.5,"total":3`:               "visits: 3; organic visits: 0.5; other visits: 2.5; ",
		`"total":3`:                                 "visits: 3; ",
		`"organic":null,"non_organic":"","total":3`: "visits: 3; ",
		`"organic":5,"total":3`:                     "visits: 3; organic visits: 5; ",
		`"organic":0,"non_organic":0`:               "visits: 0; organic visits: 0; other visits: 0; ",
	} {
		t.Run(row, func(t *testing.T) {
			c := build(t, NewTraffic, &schema.TrafficReport, "campaign 1", `{"date":"2026-10-05",`+row+`}`)[0]
			if got := describe(c); got != "5 Oct 2026 | "+want {
				t.Errorf("got %s, want 5 Oct 2026 | %s", got, want)
			}
		})
	}
}

// TestTrafficLeavesOutWhatIsInvalid draws what can be read of a row, as pages and comparisons count it.
func TestTrafficLeavesOutWhatIsInvalid(t *testing.T) {
	const nothing, organic = " | ", "5 Oct 2026 | organic visits: 1; "
	for row, want := range map[string]string{
		`{}`: nothing, `{"organic":1}`: nothing, `{"date":"2026-10-05","organic":-1}`: nothing, `{"date":"2026-10-05","organic":"NaN"}`: nothing,
		`{"date":"2026-10-05","organic":1,"total":"Inf"}`: organic, `{"date":"2026-10-05","organic":1e16}`: nothing, `{"date":"2026-10-05","organic":[1]}`: nothing, `{"date":"2026-10-05","organic":true}`: nothing,
		`{"date":"2026-10-05","organic":1,"total":{}}`: organic, `{"date":"2026-10-05","organic":1,"total":1e999}`: organic, `{"date":"2026-10-05","organic":1,"total":"many"}`: organic,
	} {
		t.Run(row, func(t *testing.T) {
			c := build(t, NewTraffic, &schema.TrafficReport, "campaign 1", row)[0]
			if describe(c) != want || len(c.Omitted) != 1 || len(c.Rows.Rows) != 1 {
				t.Errorf("got %s of %+v, want %s and one row with what is left out", describe(c), c, want)
			}
		})
	}
}

// A week with data for some of its days only must not look like a bad week.
func TestTrafficOfIncompleteWeeks(t *testing.T) {
	var rows []string
	for at := day("2026-01-07"); at <= day("2026-06-28"); at++ {
		rows = append(rows, fmt.Sprintf(`{"date":"%s","total":1}`, at.ISO()))
	}
	c := build(t, NewTraffic, &schema.TrafficReport, "campaign 1", rows...)[0]
	wantNotes(t, c, "The first week is incomplete: its data begins on 7 Jan 2026.")
	c = build(t, NewTraffic, &schema.TrafficReport, "campaign 1", rows[5:len(rows)-1]...)[0]
	wantNotes(t, c, "The last week is incomplete: its data ends on 27 Jun 2026.")
	rows[30] = strings.Replace(rows[30], "total", "organic", 1)
	c = build(t, NewTraffic, &schema.TrafficReport, "campaign 1", append(rows[5:], `{"date":"2026-06-28","organic":1}`)...)[0]
	wantNotes(t, c, "2 weeks have days without data.")
}

func TestEventsCountByWeekAndCategory(t *testing.T) {
	var rows []string
	for i := range 100 {
		rows = append(rows, fmt.Sprintf(`{"built_date":"2026-10-%02d","status":"s%d"}`, i%28+1, min(i, i/10)))
	}
	c := build(t, NewWorkflows, &schema.WorkflowReport, "campaign 1", rows...)[0]
	total := 0.0
	for _, s := range c.Series {
		for _, v := range s.Values {
			total += v
		}
	}
	if total != 100 || len(c.Series) != chart.MaxSeries || c.Series[7].Name != categoryOther || c.Labels[0] != "28 Sep 2026" {
		t.Errorf("got %v events: %s, want 100 from 28 Sep 2026 in 8 series, the last of them %q", total, describe(c), categoryOther)
	}
}

func TestEventsOfManyYears(t *testing.T) {
	c := build(t, NewWorkflows, &schema.WorkflowReport, "", `{"campaign_id":1,"built_date":"1995-01-01","status":""}`, `{"campaign_id":2,"built_date":"2026-10-05"}`)[0]
	if len(c.Labels) != 32 || c.XTitle != "year" || c.Series[0].Name != "no status" {
		t.Errorf("got %+v, want 32 years of events with no status", c)
	}
	wantNotes(t, c, "Totals of 2 campaigns.")
}

func TestRanksShowTheHighestSearchVolume(t *testing.T) {
	var rows []string
	for i := range 5000 {
		rows = append(rows, fmt.Sprintf(`{"keyword":"k%d","search_total":%d,"histogram":[{"date":"2026-10-01","rank_google_organic":%d}]}`, i, i*7%5000, i%1200))
	}
	c := build(t, NewKeywordRanks, &schema.KeywordReport, "campaign 1", rows...)[0]
	if len(c.Series) != chart.MaxSeries || len(c.Rows.Rows) != 1000 || c.Rows.Title != "All keywords: the first 1000 of 5000" {
		t.Errorf("got %d series and %d rows, %s, want %d and the first 1000 of 5000", len(c.Series), len(c.Rows.Rows), c.Rows.Title, chart.MaxSeries)
	}
	if c.Series[0].Name != "k2857" {
		t.Errorf("first series: got %s, want k2857", c.Series[0].Name)
	}
	wantNotes(t, c, "Showing the 8 keywords with the highest search volume, of 4191 that rank.", "809 keywords have no rank on these dates.")
}

func TestRanksWithInvalidHistories(t *testing.T) {
	charts := build(t, NewKeywordRanks, &schema.KeywordReport, "",
		`{"campaign_id":7,"keyword":"a","histogram":[{"date":"2026-10-01","rank_google_organic":999,"rank_google_map":2},{"date":"x","rank_google_organic":1},5]}`,
		`{"campaign_id":7,"keyword":"b","histogram":{}}`)
	if len(charts) != 2 || len(charts[0].Series) != 0 || describe(charts[1]) != "1 Oct 2026 | 7: a: 2; " {
		t.Fatalf("got %+v, want no organic rank and the map rank of one keyword", charts)
	}
	if got, want := charts[0].Omitted[0], "3 invalid dates or ranks in rank histories are left out"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	wantNotes(t, charts[1], "1 keyword has no rank on these dates.")
}

func TestReferringBacklinksShowTheLatestMost(t *testing.T) {
	var rows []string
	for i := range 10 {
		rows = append(rows, fmt.Sprintf(`{"campaign_id":%d,"date_checked":"2026-10-08","quantity":%d}`, i, i), fmt.Sprintf(`{"campaign_id":%d,"date_checked":"2026-10-01","quantity":1000}`, i))
	}
	c := build(t, NewReferringBacklinks, &schema.ReferringBacklinkReport, "", rows...)[0]
	if len(c.Series) != 8 || c.Series[0].Name != "campaign 9" {
		t.Errorf("got %s, want 8 series from campaign 9", describe(c))
	}
	wantNotes(t, c, "Showing the 8 campaigns with the most referring backlinks, of 10.")
}

func TestBacklinksShowTheMost(t *testing.T) {
	var rows []string
	for i := range 30 {
		rows = append(rows, fmt.Sprintf(`{"campaign_id":%d,"backlink_quantity":"%d"}`, i, i))
	}
	charts := build(t, NewBacklinks, &schema.BacklinkReport, "", append(rows, `{"campaign_id":99,"domain_rating":"high"}`)...)
	links := charts[1]
	if len(links.Labels) != 20 || links.Labels[0] != "campaign 29" || len(links.Rows.Rows) != 31 {
		t.Errorf("got %+v, want 20 campaigns from campaign 29 and 31 rows", links)
	}
	wantNotes(t, links, "Showing the 20 campaigns with the most backlinks, of 30.")
	if got, want := charts[0].Omitted, []string{"1 row has a date or a number that can't be read, which is left out"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if charts := build(t, NewBacklinks, &schema.BacklinkReport, "campaign 1", `{}`); len(charts) != 1 || charts[0].NoData != missingValues {
		t.Errorf("got %+v, want one empty chart", charts)
	}
}

// Campaigns with the same id are different ones where their accounts differ.
func TestAmbiguousCampaigns(t *testing.T) {
	row := func(account, campaign int, rest string) string {
		return fmt.Sprintf(`{"account_id":%d,"campaign_id":%d,%s}`, account, campaign, rest)
	}
	t.Run("referring backlinks", func(t *testing.T) {
		c := build(t, NewReferringBacklinks, &schema.ReferringBacklinkReport, "",
			row(1, 7, `"date_checked":"2026-10-01","quantity":1`), row(1, 7, `"date_checked":"2026-10-02","quantity":null`), row(1, 7, `"date_checked":"2026-10-01T09:00:00","quantity":"many"`), row(1, 7, `"date_checked":"2026-10-03","quantity":3`),
			row(2, 7, `"date_checked":"2026-10-01","quantity":9`), row(2, 8, `"date_checked":"2026-10-01","quantity":2`))[0]
		want := "1 Oct 2026 2 Oct 2026 3 Oct 2026 | 7 of account 2: 9 - -; 7 of account 1: 1 - 3; campaign 8: 2 - -; "
		if got := describe(c); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := strings.Join(c.Rows.Header, " "); !strings.HasPrefix(got, "account_id campaign_id ") {
			t.Errorf("got the columns %s, want account_id and campaign_id first", got)
		}
	})
	t.Run("backlinks", func(t *testing.T) {
		c := build(t, NewBacklinks, &schema.BacklinkReport, "", row(1, 7, `"domain_rating":5`), row(2, 7, `"domain_rating":6`), row(2, 8, `"domain_rating":7`))[0]
		if got, want := strings.Join(c.Labels, ", "), "7 of account 1, 7 of account 2, campaign 8"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("keyword ranks", func(t *testing.T) {
		const history = `"histogram":[{"date":"2026-10-01","rank_google_organic":3}]`
		c := build(t, NewKeywordRanks, &schema.KeywordReport, "", row(1, 7, `"keyword":"k",`+history), row(2, 7, `"keyword":"k",`+history), row(2, 8, `"keyword":"",`+history))[0]
		if got, want := describe(c), "1 Oct 2026 | 1/7: k: 3; 2/7: k: 3; 8: no keyword: 3; "; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("traffic", func(t *testing.T) {
		c := build(t, NewTraffic, &schema.TrafficReport, "", row(1, 7, `"date":"2026-10-01","total":1`), row(2, 7, `"date":"2026-10-01","total":2`))[0]
		wantNotes(t, c, "Totals of 2 campaigns.")
	})
}

// TestWeeksOfAMonth draws October 2026, which begins on a Thursday and ends on a Saturday.
func TestWeeksOfAMonth(t *testing.T) {
	october := summary.Month(2026, time.October)
	limited := func(res *schema.Resource, campaign string, _ summary.Period) Builder {
		return NewLostBacklinks(res, campaign, october)
	}
	c := build(t, limited, &schema.LostBacklinkReport, "campaign 1", `{"date_last_seen":"2026-10-01"}`, `{"date_last_seen":"2026-10-31"}`)[0]
	got := strings.Join(append(c.Labels, c.Notes...), ", ")
	want := "1 Oct 2026, 5 Oct 2026, 12 Oct 2026, 19 Oct 2026, 26 Oct 2026, The first week is incomplete: the period begins on 1 Oct 2026., The last week is incomplete: the period ends on 31 Oct 2026."
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func series(name string, weight float64, points map[string]float64) timeSeries {
	s := timeSeries{name: name, weight: weight, points: map[summary.Day]float64{}}
	for text, v := range points {
		s.points[day(text)] = v
	}
	return s
}

func TestPlot(t *testing.T) {
	for name, c := range map[string]struct {
		series      []timeSeries
		by          string
		want        string
		wantBetween []bool // of the second series
	}{
		"no series": {by: "day", want: " | "},
		"interpolated between points, but not next to a gap": {
			series: []timeSeries{
				series("gap", 2, map[string]float64{"2026-10-01": 1, "2026-10-04": math.NaN(), "2026-10-10": 4}),
				series("straight", 1, map[string]float64{"2026-10-01": 1, "2026-10-07": 3}),
			},
			by:          "day",
			want:        "1 Oct 2026 4 Oct 2026 7 Oct 2026 10 Oct 2026 | gap: 1 - - 4; straight: 1 2 3 -; ",
			wantBetween: []bool{false, true, false, false},
		},
		"by week where the dates are irregular, with a gap of two weeks": {
			series: []timeSeries{
				series("a", 1, map[string]float64{"2026-10-05": 1, "2026-10-12": 2, "2026-10-19": 3}),
				series("b", 1, map[string]float64{"2026-10-06": 5, "2026-10-07": 6, "2026-10-20": 7}),
			},
			by:          "week starting",
			want:        "5 Oct 2026 12 Oct 2026 19 Oct 2026 | a: 1 2 3; b: 6 - 7; ",
			wantBetween: []bool{false, false, false},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var top topSeries
			for _, s := range c.series {
				top.add(s)
			}
			var plotted chart.Chart
			top.plot(&plotted, &rows{})
			if got := describe(plotted); plotted.XTitle != c.by || got != c.want {
				t.Errorf("got %s by %s, want %s by %s", got, plotted.XTitle, c.want, c.by)
			}
			if c.wantBetween != nil && !slices.Equal(plotted.Series[1].Interpolated, c.wantBetween) {
				t.Errorf("interpolated values: got %v, want %v", plotted.Series[1].Interpolated, c.wantBetween)
			}
		})
	}
}

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
