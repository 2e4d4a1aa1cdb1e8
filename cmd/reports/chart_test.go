package reports

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/output/chart"
)

func day(text string) time.Time {
	t, err := time.Parse(dayForm, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestDayIn(t *testing.T) {
	for text, want := range map[string]string{
		`"2024-04-10T04:04:00"`: "2024-04-10", `"2023-11-01 00:00:00"`: "2023-11-01", `"2024-12-01"`: "2024-12-01",
		`"2024-07-06T19:09:14Z"`: "2024-07-06", `"2024-07-06T23:09:14-08:00"`: "2024-07-06", `"2024-04-10T04:04:00.5"`: "2024-04-10",
		`"2024-13-01"`: "", `"0001-01-01"`: "", `"9999-12-31"`: "", `""`: "", `null`: "", `20240410`: "", `"soon"`: "", `{}`: "", ``: "",
	} {
		got, ok := dayIn(record.Value(text))
		if ok != (want != "") || ok && got.Format(dayForm) != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
}

func FuzzDayIn(f *testing.F) {
	for _, text := range []string{"2024-04-10T04:04:00", "2023-11-01 00:00:00", "2024-12-01", "2024-07-06T19:09:14Z", "9999-12-31", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := dayIn(record.Quote(text)); ok && (got.Year() < firstYear || got.Year() > lastYear || got != dayOf(got)) {
			t.Fatalf("%q: %v", text, got)
		}
	})
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		pace     pace
		from, to string
		want     string
	}{
		{daily, "2026-03-01", "2026-03-01", "day 2026-03-01"},
		{daily, "2026-02-27", "2026-03-02", "day 2026-02-27 2026-02-28 2026-03-01 2026-03-02"},
		{weekly, "2026-03-01", "2026-03-02", "week 2026-02-23 2026-03-02"}, // a Sunday and a Monday
		{daily, "2026-02-01", "2026-02-08", "week 2026-01-26 2026-02-02"},
		{weekly, "2026-01-15", "2026-03-20", "month 2026-01 2026-02 2026-03"},
		{daily, "1990-01-01", "1995-01-01", "year 1990 1991 1992 1993 1994 1995"},
	} {
		p, all := c.pace.steps(day(c.from), day(c.to), 4)
		got := p.String()
		for _, at := range all {
			got += " " + p.label(at)
		}
		if got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

// drawn makes a sketch see rows, and gives its charts.
func drawn(t *testing.T, make func(*schema.Resource, string) sketch, res *schema.Resource, campaign string, rows ...string) []chart.Chart {
	t.Helper()
	s := make(res, campaign)
	for _, row := range rows {
		rec, err := record.Parse([]byte(row))
		if err != nil {
			t.Fatal(err)
		}
		s.see(rec)
	}
	all := s.charts()
	for _, c := range all {
		if len(c.Series) > chart.MaxSeries {
			t.Errorf("%s: %d series", c.Title, len(c.Series))
		}
		for _, one := range c.Series {
			if len(one.Values) != len(c.Labels) {
				t.Errorf("%s: %d values for %d labels", c.Title, len(one.Values), len(c.Labels))
			}
		}
	}
	return all
}

// lines are the series of a chart as text.
func lines(c chart.Chart) string {
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

func TestTrafficParts(t *testing.T) {
	for row, want := range map[string]string{
		`"organic":1,"non_organic":2,"total":9`: "organic: 1; non-organic: 2; ",
		`"organic":"1","total":3`:               "organic: 1; non-organic: 2; ",
		`"non_organic":2.5,"total":3`:           "organic: 0.5; non-organic: 2.5; ",
		`"total":3`:                             "not told apart: 3; ",
		`"organic":5,"total":3`:                 "organic: 5; ",
		`"organic":0,"non_organic":0`:           "organic: 0; non-organic: 0; ",
	} {
		c := drawn(t, newTraffic, &schema.TrafficReport, "campaign 1", `{"date":"2026-10-05",`+row+`}`)[0]
		if got := lines(c); got != "2026-10-05 | "+want {
			t.Errorf("%s: %s, want %s", row, got, want)
		}
	}
}

func TestTrafficFaults(t *testing.T) {
	for _, row := range []string{
		`{}`, `{"date":"2026-10-05"}`, `{"organic":1}`, `{"date":"2026-10-05","organic":-1}`, `{"date":"2026-10-05","organic":"NaN"}`,
		`{"date":"2026-10-05","organic":1,"total":"Inf"}`, `{"date":"2026-10-05","organic":1e16}`, `{"date":"2026-10-05","organic":[1]}`, `{"date":"2026-10-05","organic":true}`,
	} {
		c := drawn(t, newTraffic, &schema.TrafficReport, "campaign 1", row)[0]
		if len(c.Series) != 0 || len(c.Left) != 1 || len(c.Rows.Rows) != 1 || c.Missing != noDrawing {
			t.Errorf("%s: %+v", row, c)
		}
	}
}

// What happened is counted by week, and told apart by its most frequent sorts.
func TestEvents(t *testing.T) {
	var rows []string
	for i := range 100 {
		rows = append(rows, fmt.Sprintf(`{"built_date":"2026-10-%02d","status":"s%d"}`, i%28+1, min(i, i/10)))
	}
	c := drawn(t, newTasks, &schema.WorkflowReport, "campaign 1", rows...)[0]
	total := 0.0
	for _, s := range c.Series {
		for _, v := range s.Values {
			total += v
		}
	}
	if total != 100 || len(c.Series) != chart.MaxSeries || c.Series[7].Name != others || c.Labels[0] != "2026-09-28" {
		t.Errorf("%v: %s", total, lines(c))
	}
	c = drawn(t, newTasks, &schema.WorkflowReport, "", `{"campaign_id":1,"built_date":"1995-01-01","status":""}`, `{"campaign_id":2,"built_date":"2026-10-05"}`)[0]
	if len(c.Labels) != 32 || c.Across != "year" || c.Series[0].Name != "no status" || c.Notes[0] != "2 campaigns are added up." {
		t.Errorf("%+v", c)
	}
}

// A line goes straight over dates that only others have, and never over a gap.
func TestTrace(t *testing.T) {
	at := func(points map[string]float64) map[time.Time]float64 {
		out := map[time.Time]float64{}
		for text, v := range points {
			out[day(text)] = v
		}
		return out
	}
	var l leaders
	l.add(line{"gap", origin{}, 2, at(map[string]float64{"2026-10-01": 1, "2026-10-06": math.NaN(), "2026-10-16": 4})})
	l.add(line{"straight", origin{}, 1, at(map[string]float64{"2026-10-01": 1, "2026-10-11": 3})})
	_, labels, series := l.trace()
	c := chart.Chart{Labels: labels, Series: series}
	if got := lines(c); got != "2026-10-01 2026-10-06 2026-10-11 2026-10-16 | gap: 1 - - 4; straight: 1 2 3 -; " {
		t.Error(got)
	}
	if fmt.Sprint(series[1].Between) != "[false true false false]" {
		t.Error(series[1].Between)
	}
	// Dates that share no rhythm are gathered by week.
	l = leaders{}
	l.add(line{"a", origin{}, 1, at(map[string]float64{"2026-10-05": 1, "2026-10-12": 2, "2026-10-19": 3})})
	l.add(line{"b", origin{}, 1, at(map[string]float64{"2026-10-06": 5, "2026-10-07": 6, "2026-10-20": 7})})
	p, labels, series := l.trace()
	if got := lines(chart.Chart{Labels: labels, Series: series}); p != weekly || got != "2026-10-05 2026-10-12 2026-10-19 | a: 1 2 3; b: 6 6.5 7; " {
		t.Errorf("%v %s", p, got)
	}
	if _, labels, series := (&leaders{}).trace(); labels != nil || series != nil {
		t.Error("nothing has lines")
	}
}

func TestRanksKeepTheMostSearched(t *testing.T) {
	var rows []string
	for i := range 5000 {
		rows = append(rows, fmt.Sprintf(`{"keyword":"k%d","search_total":%d,"histogram":[{"date":"2026-10-01","rank_google_organic":%d}]}`, i, i*7%5000, i%1200))
	}
	c := drawn(t, newRanks, &schema.KeywordReport, "campaign 1", rows...)[0]
	if len(c.Series) != chart.MaxSeries || len(c.Rows.Rows) != 1000 || c.Rows.Title != "All keywords: the first 1000 of 5000" {
		t.Errorf("%d series, %d rows, %s", len(c.Series), len(c.Rows.Rows), c.Rows.Title)
	}
	if c.Series[0].Name != "k2857" || c.Notes[0] != "Only the 8 keywords that are searched for most are drawn, of 4191 with a rank." {
		t.Errorf("%s, %q", c.Series[0].Name, c.Notes)
	}
}

func TestRank(t *testing.T) {
	for text, want := range map[string]string{`1`: "1", `"12"`: "12", `999`: "", `1000`: "", `0`: "", `-1`: "", `null`: "", ``: "", `"none"`: "", `"999"`: "", `998`: "998"} {
		if got := chart.Number(rank(record.Value(text))); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestHistories(t *testing.T) {
	all := drawn(t, newRanks, &schema.KeywordReport, "",
		`{"campaign_id":7,"keyword":"a","histogram":[{"date":"2026-10-01","rank_google_organic":999,"rank_google_map":2},{"date":"x","rank_google_organic":1},5]}`,
		`{"campaign_id":7,"keyword":"b","histogram":{}}`)
	if len(all) != 2 || len(all[0].Series) != 0 || lines(all[1]) != "2026-10-01 | 7: a: 2; " {
		t.Fatalf("%+v", all)
	}
	if all[0].Left[0] != "3 dates of histories can't be read and are left out" || all[1].Notes[0] != "1 keyword does not rank on any date." {
		t.Errorf("%q, %q", all[0].Left, all[1].Notes)
	}
}

func TestReferringHasTheLatestMost(t *testing.T) {
	var rows []string
	for i := range 10 {
		rows = append(rows, fmt.Sprintf(`{"campaign_id":%d,"date_checked":"2026-10-08","quantity":%d}`, i, i), fmt.Sprintf(`{"campaign_id":%d,"date_checked":"2026-10-01","quantity":1000}`, i))
	}
	c := drawn(t, newReferring, &schema.ReferringBacklinkReport, "", rows...)[0]
	if len(c.Series) != 8 || c.Series[0].Name != "campaign 9" || c.Notes[0] != "Only the 8 campaigns with the most referring backlinks are drawn, of 10." {
		t.Errorf("%s %q", lines(c), c.Notes)
	}
}

func TestStandings(t *testing.T) {
	var rows []string
	for i := range 30 {
		rows = append(rows, fmt.Sprintf(`{"campaign_id":%d,"backlink_quantity":"%d"}`, i, i))
	}
	all := drawn(t, newStanding, &schema.BacklinkReport, "", append(rows, `{"campaign_id":99,"domain_rating":"high"}`)...)
	if links := all[1]; len(links.Labels) != 20 || links.Labels[0] != "campaign 29" || links.Notes[0] != "Only the 20 campaigns with the most backlinks are drawn, of 31." || len(links.Rows.Rows) != 31 {
		t.Errorf("%+v", links)
	}
	if all := drawn(t, newStanding, &schema.BacklinkReport, "campaign 1", `{}`); len(all) != 1 || all[0].Missing != noDrawing {
		t.Errorf("%+v", all)
	}
}

// The kinds all have charts, which say so when there is nothing to draw.
func TestEveryReportHasCharts(t *testing.T) {
	for _, k := range kinds() {
		for _, campaign := range []string{"", "campaign 1"} {
			for _, c := range drawn(t, k.sketch, k.row(), campaign) {
				if c.Missing != noRows || len(c.Series) > 0 && len(c.Series[0].Values) > 0 {
					t.Errorf("%s: %+v", k.path, c)
				}
			}
			hostile := []string{`{}`, `{"keyword":[],"histogram":[null,{"date":{}}],"date":1e999,"quantity":"1e400","domain_rating":null}`, `{"status":{"a":1},"built_date":["2026-10-05"]}`}
			drawn(t, k.sketch, k.row(), campaign, hostile...)
		}
	}
}

// One campaign that two accounts have is two.
func TestSharedCampaigns(t *testing.T) {
	row := func(account, campaign int, rest string) string {
		return fmt.Sprintf(`{"account_id":%d,"campaign_id":%d,%s}`, account, campaign, rest)
	}
	c := drawn(t, newReferring, &schema.ReferringBacklinkReport, "",
		row(1, 7, `"date_checked":"2026-10-01","quantity":1`), row(1, 7, `"date_checked":"2026-10-02","quantity":null`), row(1, 7, `"date_checked":"2026-10-01T09:00:00","quantity":null`), row(1, 7, `"date_checked":"2026-10-03","quantity":3`),
		row(2, 7, `"date_checked":"2026-10-01","quantity":9`), row(2, 8, `"date_checked":"2026-10-01","quantity":2`))[0]
	if got := lines(c); got != "2026-10-01 2026-10-02 2026-10-03 | 7 of account 2: 9 - -; 7 of account 1: 1 - 3; campaign 8: 2 - -; " {
		t.Error(got)
	}
	if got := strings.Join(c.Rows.Header, " "); !strings.HasPrefix(got, "account_id campaign_id ") {
		t.Error(got)
	}
	c = drawn(t, newStanding, &schema.BacklinkReport, "", row(1, 7, `"domain_rating":5`), row(2, 7, `"domain_rating":6`), row(2, 8, `"domain_rating":7`))[0]
	if got := strings.Join(c.Labels, ", "); got != "7 of account 1, 7 of account 2, campaign 8" {
		t.Error(got)
	}
	const ranked = `"histogram":[{"date":"2026-10-01","rank_google_organic":3}]`
	c = drawn(t, newRanks, &schema.KeywordReport, "", row(1, 7, `"keyword":"k",`+ranked), row(2, 7, `"keyword":"k",`+ranked), row(2, 8, `"keyword":"",`+ranked))[0]
	if got := lines(c); got != "2026-10-01 | 1/7: k: 3; 2/7: k: 3; 8: no keyword: 3; " {
		t.Error(got)
	}
	c = drawn(t, newTraffic, &schema.TrafficReport, "", row(1, 7, `"date":"2026-10-01","total":1`), row(2, 7, `"date":"2026-10-01","total":2`))[0]
	if len(c.Notes) != 1 || c.Notes[0] != "2 campaigns are added up." {
		t.Errorf("%q", c.Notes)
	}
}

// A week of some days only must not look like a bad one.
func TestPartWeeks(t *testing.T) {
	var rows []string
	for at := day("2026-01-07"); !at.After(day("2026-06-28")); at = at.AddDate(0, 0, 1) {
		rows = append(rows, fmt.Sprintf(`{"date":"%s","total":1}`, at.Format(dayForm)))
	}
	c := drawn(t, newTraffic, &schema.TrafficReport, "campaign 1", rows...)[0]
	if len(c.Notes) != 1 || c.Notes[0] != "The first week has figures from 2026-01-07 on only." {
		t.Errorf("%q", c.Notes)
	}
	c = drawn(t, newTraffic, &schema.TrafficReport, "campaign 1", rows[5:len(rows)-1]...)[0]
	if len(c.Notes) != 1 || c.Notes[0] != "The last week has figures up to 2026-06-27 only." {
		t.Errorf("%q", c.Notes)
	}
}
