package summary

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client/record"
	"reseller/client/words"
)

// english are the words of the tests.
var english *words.Words

// today is the day on which the pages of the tests are made.
var today = NewDay(2026, time.November, 22)

func october(kind Comparison) Scope { return NewScope(Month(2026, time.October), kind, today) }

// add adds rows, each a JSON object, to a builder.
func add(t testing.TB, b *Builder, r Report, rows ...string) {
	t.Helper()
	for _, text := range rows {
		row, err := record.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		b.Add(r, row)
	}
}

// visitsOf returns rows of the traffic report for each day of a period, with a total each day.
func visitsOf(p Period, total int) (rows []string) {
	for day := p.From; day <= p.To; day++ {
		rows = append(rows, fmt.Sprintf(`{"date":%q,"organic":%d,"non_organic":%d,"total":%d}`, day.ISO(), total/2, total-total/2, total))
	}
	return rows
}

// keywordOf returns a row of the keywords report, with an organic rank on each of some days. A
// rank of 0 is left out.
func keywordOf(name string, ranks map[string]int) string {
	var points []string
	for _, date := range slices.Sorted(maps.Keys(ranks)) {
		rank := fmt.Sprintf(`,"rank_google_organic":%d`, ranks[date])
		if ranks[date] == 0 {
			rank = ""
		}
		points = append(points, fmt.Sprintf(`{"date":%q%s}`, date, rank))
	}
	return fmt.Sprintf(`{"keyword":%q,"type":"target","rank_id":1,"rank_google_organic":50,"search_total":1200,"histogram":[%s]}`, name, strings.Join(points, ","))
}

// tile returns a tile of a page.
func tile(t testing.TB, p *Page, key string) Figure {
	t.Helper()
	i := slices.IndexFunc(p.Tiles, func(f Figure) bool { return f.Key == key })
	if i < 0 {
		t.Fatalf("got no tile %s in %v", key, p.Tiles)
	}
	return p.Tiles[i]
}

// TestFirstPage makes the page that the guide shows.
func TestFirstPage(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportTraffic, visitsOf(Month(2026, time.October), 78)...)
	add(t, b, ReportTraffic, visitsOf(Month(2026, time.September), 72)...)
	for i := range 38 {
		now, before := 30, 31
		if i < 14 {
			now = 4
		}
		if i < 11 {
			before = 5
		}
		add(t, b, ReportKeywords, keywordOf(fmt.Sprintf("keyword %02d", i), map[string]int{"2026-09-28": before, "2026-10-28": now, "2026-11-17": 1}))
	}
	for i := range 9 {
		add(t, b, ReportWorkflows, fmt.Sprintf(`{"built_date":"2026-09-25T04:04:00","due_date":"2026-10-02T04:04:00","completion_date":"2026-10-%02dT10:00:00","task_id":%d,"task_name":"Content writing","status":"completed"}`, i+1, i))
	}
	for i := range 6 {
		add(t, b, ReportProvisioned, fmt.Sprintf(`{"original_due_date":"2026-10-01","completed_date":"2026-10-%02dT10:00:00","type":"citation","url":"https://p.example.org","domain_rating":40,"task_id":%d}`, i+1, i))
	}
	add(t, b, ReportBacklinks, `{"domain_rating":31.5,"backlink_quantity":1234,"referring_domain_quantity":210}`)
	p := b.Page(Subject{CampaignID: 101, AccountName: "Harbour Dental", CampaignName: "Harbour Dental"})
	got := strings.Join(append([]string{p.Title, p.Campaign, p.Period, p.Comparison, p.Made}, p.Sentences...), "|")
	want := "Harbour Dental||October 2026|compared with September 2026|22 November 2026|" +
		"2,418 visits, 78 a day, 8 % more than in September.|14 of 38 keywords are among the first ten, 3 more than a month ago.|9 tasks were completed and 6 links built."
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for key, want := range map[string]string{
		TileVisits:         "Visits: 2,418 (2,160) +8 % 78 a day, 8 % more than in September 1 1",
		TileOrganicVisits:  "Organic visits: 1,209 (1,080) +8 % 39 a day, 8 % more than in September 1 1",
		TileOrganicFirst3:  "Keywords in the first 3: 0 (0) unchanged none a month ago either 3 0",
		TileOrganicFirst10: "Keywords in the first 10: 14 (11) +3 3 more than a month ago 1 1",
		TileAverageRank:    "Average rank: 20.4 (23.5) 3.1 better 3.1 better than a month ago 1 1",
		TileDomainRating:   "Domain rating: 31.5 ()   0 0 as of 22 November 2026",
		TileLinksGained:    "Links gained: 6 (0) new none in September 4 1",
		TileLinksLost:      "Links lost:  ()   0 0 the service has no data on lost links",
		TileTasksCompleted: "Tasks completed: 9 (0) new none in September 4 1",
	} {
		t.Run(key, func(t *testing.T) {
			f := tile(t, p, key)
			got := strings.TrimSpace(fmt.Sprintf("%s: %s (%s) %s %s %d %d %s%s", f.Title, f.Text, english.Number(f.Previous), f.Short, f.Words(english), f.Direction, f.Verdict, f.AsOf, f.Missing))
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestSentences makes the sentences of campaigns with little or nothing.
func TestSentences(t *testing.T) {
	october1, september1 := visitsOf(Month(2026, time.October), 1), visitsOf(Month(2026, time.September), 0)
	task := `{"completion_date":"2026-10-02T10:00:00","task_name":"Review"}`
	link := `{"completed_date":"2026-10-02","url":"https://p.example.org"}`
	for _, test := range []struct {
		name string
		rows map[Report][]string
		fail []Report
		kind Comparison
		want string
	}{
		{"nothing", nil, nil, Previous, ""},
		{"all failed", nil, []Report{ReportKeywords, ReportTraffic, ReportWorkflows, ReportProvisioned}, Previous, ""},
		{"ones", map[Report][]string{ReportTraffic: {`{"date":"2026-10-05","total":1}`}, ReportKeywords: {keywordOf("a", map[string]int{"2026-10-03": 12, "2026-10-28": 9})}, ReportWorkflows: {task}, ReportProvisioned: {link}}, nil, Previous,
			"1 visit, 1 a day; 30 days without data, and no data in September. 1 of 1 keyword is among the first ten, none on 3 October 2026. 1 task was completed and 1 link built."},
		{"a visit and a half", map[Report][]string{ReportTraffic: {`{"date":"2026-10-05","total":1.5}`}}, nil, None, "1.5 visits, 1.5 a day; 30 days without data."},
		{"new visits", map[Report][]string{ReportTraffic: append(september1, october1...)}, nil, Previous, "31 visits, 1 a day, none in September."},
		{"no visits any more", map[Report][]string{ReportTraffic: append(visitsOf(Month(2026, time.September), 2), visitsOf(Month(2026, time.October), 0)...)}, nil, Previous,
			"No visits, after 2 a day in September."},
		{"no visits at all", map[Report][]string{ReportTraffic: append(visitsOf(Month(2026, time.September), 0), visitsOf(Month(2026, time.October), 0)...)}, nil, Previous,
			"No visits, none in September either."},
		{"less than 1 a day", map[Report][]string{ReportTraffic: append(visitsOf(Period{NewDay(2026, time.October, 2), NewDay(2026, time.October, 31)}, 0), visitsOf(Period{NewDay(2026, time.October, 1), NewDay(2026, time.October, 1)}, 1)...)}, nil, None,
			"1 visit, less than 1 a day."},
		{"a day without data", map[Report][]string{ReportTraffic: append(visitsOf(Period{NewDay(2026, time.September, 1), NewDay(2026, time.September, 29)}, 10), visitsOf(Month(2026, time.October), 20)...)}, nil, Previous,
			"620 visits, 20 a day, 100 % more than in September; 1 day without data in September."},
		{"days without data", map[Report][]string{ReportTraffic: append(visitsOf(Period{NewDay(2026, time.September, 2), NewDay(2026, time.September, 29)}, 10), visitsOf(Period{NewDay(2026, time.October, 4), NewDay(2026, time.October, 31)}, 10)...)}, nil, Previous,
			"280 visits, 10 a day, as many as in September; 3 days without data, and 2 in September."},
		{"none done", map[Report][]string{ReportWorkflows: {`{"completion_date":"2026-09-02"}`}, ReportProvisioned: {`{"completed_date":null}`}}, nil, Previous,
			"No tasks were completed and no links built."},
		{"cancelled", map[Report][]string{ReportWorkflows: {task, `{"completion_date":"2026-10-02","status":"Cancelled"}`, `{"completion_date":"2026-10-02","status":"in progress"}`, `{"completion_date":"2026-10-02","status":"COMPLETED"}`}}, nil, Previous,
			"2 tasks were completed."},
		{"not compared", map[Report][]string{ReportTraffic: october1, ReportKeywords: {keywordOf("a", map[string]int{"2026-09-28": 3, "2026-10-28": 9}), keywordOf("b", map[string]int{"2026-10-28": 999})}, ReportWorkflows: {task, `{"completion_date":"2026-10-03"}`}, ReportProvisioned: {link}}, nil, None,
			"31 visits, 1 a day. 1 of 2 keywords is among the first ten. 2 tasks were completed and 1 link was built."},
		{"no rank", map[Report][]string{ReportKeywords: {keywordOf("a", map[string]int{"2026-09-28": 999, "2026-10-28": 999})}}, []Report{ReportWorkflows}, Previous, "0 of 1 keyword is among the first ten, none a month ago either."},
		{"only on the map", map[Report][]string{ReportKeywords: {`{"keyword":"a","histogram":[{"date":"2026-10-02","rank_google_map":40},{"date":"2026-10-28","rank_google_map":2}]}`}}, []Report{ReportProvisioned}, Previous,
			"1 of 1 keyword is among the first ten on the map, none on 2 October 2026."},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := NewBuilder(october(test.kind))
			for r, rows := range test.rows {
				add(t, b, r, rows...)
			}
			for _, r := range test.fail {
				b.Fail(r, errors.New("broken"))
			}
			if got := strings.Join(b.Page(Subject{CampaignID: 1}).Sentences, " "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestFailedAndEmpty tells a report that failed from one that is empty, and lets a campaign
// without anything invent no figure.
func TestFailedAndEmpty(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportTraffic, visitsOf(Month(2026, time.October), 5)...)
	b.Fail(ReportTraffic, errors.New("report traffic failed (500)"))
	b.Fail(ReportLost, errors.New("report lost backlinks failed (500)"))
	p := b.Page(Subject{AccountName: "Harbour", CampaignName: "Bikes", CampaignID: 101})
	var got []string
	for _, m := range p.Missing {
		got = append(got, fmt.Sprintf("%s: %s", m.Title, m.Reason))
	}
	want := []string{
		"Rankings: the service has no ranks for October 2026",
		"Visits: the traffic report could not be read",
		"Tasks completed: the service has no data on tasks",
		"Links lost: the report of lost backlinks could not be read",
		"Referring backlinks: the service has no number of referring backlinks for October 2026",
		"Links gained: the service has no data on gained links",
		"Domain rating: the service has no domain rating",
		"Referring domains: the service has no number of referring domains",
		"Backlinks: the service has no number of backlinks",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, tile := range p.Tiles {
		if has := tile.Text != ""; has == (tile.Missing != "") || has == math.IsNaN(tile.Value) || tile.Title == "" {
			t.Errorf("got %+v, want a figure or a reason", tile)
		}
	}
	if p.Title != "Harbour" || p.Campaign != "Bikes" || len(p.Tiles) != 11 || p.Appendix != nil || p.Traffic.Course.Labels != nil || p.Rankings.Rows != nil {
		t.Errorf("got %+v", p)
	}
}

// TestNames checks that white space around names is none of them.
func TestNames(t *testing.T) {
	for of, want := range map[Subject][2]string{
		{AccountName: " 10", CampaignName: " 10"}:       {"10", ""},
		{AccountName: "10", CampaignName: "Bikes "}:     {"10", "Bikes"},
		{AccountName: " ", CampaignName: "Bikes"}:       {"Bikes", ""},
		{AccountName: "Harbour", CampaignName: "  \t "}: {"Harbour", ""},
	} {
		if title, campaign := of.Names(); [2]string{title, campaign} != want {
			t.Errorf("%+v: got %q and %q, want %q", of, title, campaign, want)
		}
	}
}

// TestOnlyInTheYear takes rows that only the courses of a year have for no data on the periods, and tells nothing of them.
func TestOnlyInTheYear(t *testing.T) {
	of := func(r Report, rows ...string) string {
		b := NewBuilder(october(Previous))
		add(t, b, r, rows...)
		p := b.Page(Subject{})
		return fmt.Sprint(p.Missing, p.Notes)
	}
	for r, rows := range map[Report][]string{
		ReportProvisioned: {
			`{"task_id":1,"completed_date":"2026-01-10"}`, `{"task_id":1,"completed_date":"2026-01-11"}`, `{"task_id":2,"original_due_date":"2026-01-10","completed_date":"soon"}`,
			`{"task_id":3,"original_due_date":"2026-01-10"}`,
		},
		ReportTraffic: {`{"date":"2026-01-10","total":1}`, `{"date":"2026-01-10","total":2}`, `{"date":"2026-01-11","total":"many"}`},
	} {
		for n := range rows {
			if got, want := of(r, rows[:n+1]...), of(r); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", rows[n], got, want)
			}
		}
	}
}

// TestTraffic has periods of which some days have no visits.
func TestTraffic(t *testing.T) {
	whole, before := Month(2026, time.October), Month(2026, time.September)
	for _, test := range []struct {
		name  string
		scope Scope
		days  []Period
		want  string
	}{
		{"whole", october(Previous), []Period{before, whole}, "310; unchanged; ; []"},
		{"a few gaps", october(Previous), []Period{{before.From, before.To - 2}, {whole.From + 1, whole.To}}, "300; unchanged; 1 day without data, and 2 in September; []"},
		{"sparse before", october(Previous), []Period{{before.From + 4, before.To}, whole}, "310; unchanged; 4 days without data in September; []"},
		{"nothing before", october(Previous), []Period{whole}, "310; ; no data in September; []"},
		{"last days not yet known", NewScope(Period{today - 6, today}, Previous, today), []Period{{today - 30, today - 2}}, "50; unchanged; ; [Visits are known until 20 November 2026.]"},
		{"long not known", NewScope(Period{today - 6, today}, Previous, today), []Period{{today - 30, today - 5}}, "20; unchanged; 4 days without data; [Visits are known until 17 November 2026.]"},
		{"not over", NewScope(Month(2026, time.November), Previous, today), []Period{{before.From, today}}, "210; unchanged; ; [Visits are known until 21 November 2026.]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := NewBuilder(test.scope)
			for _, p := range test.days {
				add(t, b, ReportTraffic, visitsOf(p, 10)...)
			}
			p := b.Page(Subject{})
			visits := tile(t, p, TileVisits)
			if got := fmt.Sprintf("%s; %s; %s; %v", visits.Text, visits.Short, visits.Beside, p.Notes); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if len(visits.Line) != test.scope.Days() || len(p.Traffic.Course.Labels) != test.scope.Days() {
				t.Errorf("got %d points, want %d", len(visits.Line), test.scope.Days())
			}
		})
	}
}

// TestMissingNumbers computes one of three numbers from the other two, and invents none.
func TestMissingNumbers(t *testing.T) {
	for row, want := range map[string]string{
		`"organic":3,"non_organic":4`:              "7 3 4",
		`"organic":3,"total":7`:                    "7 3 4",
		`"non_organic":4,"total":7`:                "7 3 4",
		`"total":7`:                                "7  ",
		`"organic":3`:                              " 3 ",
		`"organic":9,"total":7`:                    "7 9 ",
		`"organic":"3","non_organic":"","total":7`: "7 3 4",
	} {
		t.Run(row, func(t *testing.T) {
			b := NewBuilder(october(Previous))
			add(t, b, ReportTraffic, `{"date":"2026-10-02",`+row+`}`)
			f := b.Page(Subject{}).Traffic.Figures
			if got := f[0].Text + " " + f[1].Text + " " + f[2].Text; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestWithoutDate says of a task and a link that they were not completed, and of a lost link that its day is not known.
func TestWithoutDate(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportWorkflows, `{"task_id":1}`)
	add(t, b, ReportProvisioned, `{"task_id":1,"completed_date":null}`)
	add(t, b, ReportLost, `{"url_from":"a","date_last_seen":null}`)
	var got []string
	for _, key := range []string{TileTasksCompleted, TileLinksGained, TileLinksLost} {
		f := tile(t, b.Page(Subject{}), key)
		got = append(got, f.Text+f.Missing)
	}
	if want := []string{"0", "0", "the service has no dated data on lost links"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestParseStatus reads the status of tasks that have a completion date: one that does not say that they were completed is not counted.
func TestParseStatus(t *testing.T) {
	for want, statuses := range map[string][]string{
		"false false": {"", "1", " - ", "Accepted", "Verified", "Success", "task completed", "Posted", "Billed"},
		"true false":  {"completed", "COMPLETED", "Complete", "Done", "closed", "Published", "delivered", "Finished early", "Sent on open day", "Approved, new page", "Completed, invoice in review", "Live"},
		"false true": {
			"Cancelled", "CANCELED", "Cancel", "Closed: cancellation by customer", "closed - won't do", "Won’t do", "Disapproved", "Fail", "Cancelling", "Unresolved", "Undelivered", "Unpublished", "Todo", "InProgress", "rejected", "open", "Re-opened", "in progress", "In Review", "Not started", "On Hold", "Waiting for customer", "scheduled", "New", "draft",
			"Uncompleted", "unfinished", "paused", "Completed – rejected", "Completed (cancelled by the customer)", "Sent back for rework", "Ready for review", "To-do", "re-opened by customer", "New request", "Not sent",
			"In Progress (50% complete)", "Pending - not complete", "Will not be completed", "Closed, not published", "Blocked until page is live", "denied", "incomplete",
			"Under review", "Needs rework", "Needs review", "Revision requested", "Suspended", "Abandoned", "Postponed", "Deferred", "Dropped", "Removed", "Invalid", "Undone", "Partially completed", "Error", "Backlog", "Doing",
		},
	} {
		for _, status := range statuses {
			isCompleted, isUndone := parseStatus(status)
			if got := fmt.Sprint(isCompleted, isUndone); got != want {
				t.Errorf("%q: got %s, want %s", status, got, want)
			}
		}
	}
}

// TestNotCounted tells which tasks and links of the period are not counted, and invents no zero where nothing can be read.
func TestNotCounted(t *testing.T) {
	for name, c := range map[string]struct {
		report Report
		rows   []string
		want   string
	}{
		"by their status": {ReportWorkflows, []string{`{"task_id":1,"completion_date":"2026-10-05","status":"Under review"}`, `{"task_id":2,"completion_date":"2026-10-05","status":"Done"}`, `{"task_id":3,"completion_date":"2026-10-06","status":"Cancelled"}`},
			"1 [2 tasks of October 2026 have a completion date but are not counted, since their status is not that of a completed task: Cancelled, Under review.]"},
		"by their age": {ReportWorkflows, []string{`{"task_id":1,"completion_date":"2026-10-05","built_date":"2026-05-01"}`, `{"task_id":2,"completion_date":"2026-10-05"}`},
			"1 [1 task of October 2026 was completed but is not counted, since it was built more than 90 days before that period.]"},
		"links by their age": {ReportProvisioned, []string{`{"task_id":1,"completed_date":"2026-10-05","original_due_date":"2026-05-01"}`},
			"0 [1 link of October 2026 was completed but is not counted, since it was due more than 90 days before or after that period.]"},
		"completed on an unknown day": {ReportWorkflows, []string{`{"task_id":1,"status":"Completed"}`},
			"the service has no dated data on tasks [1 row of the workflows report has no completion date, and is not counted.]"},
		"still open":                       {ReportWorkflows, []string{`{"task_id":1,"status":"Open"}`}, "0 []"},
		"a row without a field":            {ReportWorkflows, []string{`{}`}, "the service has no dated data on tasks [1 row of the workflows report has no completion date, and is not counted.]"},
		"a row with other fields":          {ReportWorkflows, []string{`{"rows":[]}`}, "the service has no dated data on tasks [1 row of the workflows report has no completion date, and is not counted.]"},
		"a row without a field, of a link": {ReportProvisioned, []string{`{}`}, "the service has no dated data on gained links [1 row of the report of provisioned backlinks has no date, and is not counted.]"},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(october(Previous))
			add(t, b, c.report, c.rows...)
			p := b.Page(Subject{})
			f := tile(t, p, map[Report]string{ReportWorkflows: TileTasksCompleted, ReportProvisioned: TileLinksGained}[c.report])
			if got := fmt.Sprint(f.Text, f.Missing, " ", p.Notes); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, `{}`, `{"rows":[]}`)
	if got, want := b.Page(Subject{}).Rankings.Missing(), "the service has no ranks for October 2026"; got != want {
		t.Errorf("keywords: got %q, want %q", got, want)
	}
}

// TestTold puts the arrow at the change: "▼ 78 a day" would be a fall by 78.
func TestTold(t *testing.T) {
	for want, f := range map[string]Figure{
		"78 a day, ▼ 8 % fewer than in September; 1 day without data": {Rate: "78 a day", Change: "8 % fewer than in September", Beside: "1 day without data", Direction: Down},
		"▼ after 2 a day in September":                                {Change: "after 2 a day in September", Direction: Down},
		"78 a day; no data in September":                              {Rate: "78 a day", Beside: "no data in September"},
		"= as many as in September":                                   {Change: "as many as in September", Direction: Unchanged},
		"1 was not measured":                                          {Beside: "1 was not measured"},
		"as of 22 November 2026":                                      {AsOf: "as of 22 November 2026"},
		"95 % of 10.5; as of 22 November 2026":                        {Target: "95 % of 10.5", AsOf: "as of 22 November 2026"},
		"":                                                            {},
	} {
		if got := f.Told(english); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCourse draws a keyword on the days on which others were measured, too, but no longer than a gap.
func TestCourse(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, keywordOf("one", map[string]int{"2026-10-02": 4, "2026-10-07": 5, "2026-10-21": 6, "2026-10-26": 7}),
		keywordOf("other", map[string]int{"2026-10-01": 9, "2026-10-05": 9, "2026-10-10": 9, "2026-10-15": 9, "2026-10-24": 9, "2026-10-31": 9}))
	for _, row := range b.Page(Subject{}).Rankings.Rows {
		// 1, 2, 5, 7, 10, 15, 21, 24, 26 and 31 October
		if got, want := fmt.Sprint(row.Organic.Line), "[NaN 4 4 5 NaN NaN 6 6 7 NaN]"; row.Keyword == "one" && got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestKeywordsOfOneText have their types beside them.
func TestKeywordsOfOneText(t *testing.T) {
	b := NewBuilder(october(Previous))
	one := keywordOf("one", map[string]int{"2026-10-02": 4})
	add(t, b, ReportKeywords, one, strings.NewReplacer("target", "interest", `"rank_id":1`, `"rank_id":2`).Replace(one), keywordOf("other", nil))
	var got []string
	for _, row := range b.Page(Subject{}).Rankings.Rows {
		got = append(got, row.Keyword)
	}
	slices.Sort(got)
	if want := []string{"one (interest)", "one (target)", "other"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestKeywordsByTheirFoldedText counts texts that differ in case and white space at most as one keyword.
func TestKeywordsByTheirFoldedText(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, keywordOf("x y", nil), keywordOf(" X \u00a0 Y", nil))
	if got := b.Tally(ReportKeywords)[Repeated]; got != 1 || len(b.keywords.kept) != 1 {
		t.Errorf("got %d keywords, %d repeated, want 1 and 1", len(b.keywords.kept), got)
	}
}

// TestMeasuredOnce says of a keyword that was measured only at the time before that no later measurement followed, and dates no change that
// there is not.
func TestMeasuredOnce(t *testing.T) {
	other := map[string]int{"2026-10-05": 3, "2026-10-10": 4}
	for name, c := range map[string]struct {
		scope Scope
		once  string
		other map[string]int
		want  string
	}{
		"first ranks of the period": {october(Previous), "2026-10-05", other, "5 on 5 Oct, not measured again; 2, unchanged since 5 Oct, 1 was not measured again"},
		"none was measured twice":   {october(Previous), "2026-10-05", map[string]int{"2026-10-10": 999}, "5 on 5 Oct, not measured again; 1, , "},
		"first ranks of two days":   {october(Previous), "2026-10-03", other, "5 on 3 Oct, not measured again; 2, unchanged since 5 Oct, 1 was not measured again"},
		"short period":              {NewScope(Period{NewDay(2026, time.October, 9), NewDay(2026, time.October, 12)}, Previous, NewDay(2026, time.November, 22)), "2026-10-05", other, "5 on 5 Oct, not measured again; 2, unchanged since 5 Oct, 1 was not measured again"},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(c.scope)
			add(t, b, ReportKeywords, keywordOf("once", map[string]int{c.once: 5}), keywordOf("other", c.other))
			p := b.Page(Subject{})
			f := tile(t, p, TileOrganicFirst10)
			if at := "on 5 October 2026"; c.once == "2026-10-03" && (p.Rankings.Since != at || !strings.HasSuffix(f.Change, at)) {
				t.Errorf("got %q and %q, want %s", p.Rankings.Since, f.Change, at)
			}
			for _, row := range p.Rankings.Rows {
				if got := fmt.Sprintf("%s %s, %s; %s, %s%s, %s", row.Organic.Now, row.Organic.Note, row.Organic.Change, f.Text, f.Short, f.Since, f.Beside); row.Keyword == "once" && got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			}
		})
	}
}

// TestRankings has keywords that rose, fell, came and went, with gaps in their histories.
func TestRankings(t *testing.T) {
	b := NewBuilder(october(Previous))
	for name, ranks := range map[string]map[string]int{
		"rose":             {"2026-09-28": 20, "2026-10-13": 4, "2026-10-28": 8, "2026-11-02": 1},
		"fell":             {"2026-09-28": 3, "2026-10-28": 30},
		"as before":        {"2026-09-28": 7, "2026-10-28": 7},
		"came":             {"2026-09-28": 999, "2026-10-28": 12},
		"went":             {"2026-09-28": 12, "2026-10-28": 999},
		"gap at the end":   {"2026-09-28": 12, "2026-10-23": 10, "2026-10-28": 0},
		"far behind":       {"2026-09-28": 999, "2026-10-28": 150},
		"never":            {"2026-09-28": 999, "2026-10-28": 999},
		"old":              {"2026-09-28": 5, "2026-09-30": 5},
		"added":            {"2026-10-28": 80},
		"not in September": {"2026-08-28": 10, "2026-10-28": 9},
		"later":            {"2026-11-02": 1},
		"no history":       nil,
		"long ago":         {"2026-09-02": 8, "2026-10-28": 6},
	} {
		add(t, b, ReportKeywords, keywordOf(name, ranks))
	}
	add(t, b, ReportKeywords, `{"keyword":"unreadable day","histogram":[{"date":"soon","rank_google_organic":90},{"date":"2026-10-28","rank_google_organic":90}]}`,
		`{"keyword":"only on the map","histogram":[{"date":"2026-09-28","rank_google_map":2},{"date":"2026-10-28","rank_google_organic":89}]}`,
		`{"keyword":"unreadable rank","histogram":[{"date":"2026-09-28","rank_google_organic":"x"},{"date":"2026-10-23","rank_google_organic":4.5},{"date":"2026-10-28","rank_google_organic":91}]}`)
	p := b.Page(Subject{})
	var got []string
	for _, row := range p.Rankings.Rows {
		now := strings.TrimSpace(row.Organic.Now + " " + row.Organic.Note)
		got = append(got, fmt.Sprintf("%s: %s, %s, best %s, %v", row.Keyword, now, row.Organic.Change, row.Organic.Best, row.Organic.Line))
	}
	want := []string{
		"long ago: 6, 2 up since 2 Sep, best 6, [NaN NaN NaN 6]",
		"as before: 7, unchanged, best 7, [NaN NaN NaN 7]",
		"rose: 8, 12 up, best 4, [4 NaN NaN 8]",
		"not in September: 9, not measured a month ago, best 9, [NaN NaN NaN 9]",
		"gap at the end: 10 on 23 Oct, 2 up, best 10, [NaN NaN 10 NaN]",
		"came: 12, newly ranked, best 12, [NaN NaN NaN 12]",
		"fell: 30, 27 down, best 30, [NaN NaN NaN 30]",
		"added: 80, new, best 80, [NaN NaN NaN 80]",
		"only on the map: 89, not measured a month ago, best 89, [NaN NaN NaN 89]",
		"unreadable day: 90, no readable earlier rank, best 90, [NaN NaN NaN 90]",
		"unreadable rank: 91, no readable earlier rank, best 91, [NaN NaN NaN 91]",
		"far behind: 150, newly ranked, best 150, [NaN NaN NaN 150]",
		"never: not ranked, , best , []",
		"went: not ranked, no longer ranked, best , []",
		"no history: –, , best , []",
		"old: –, no measurement since 30 Sep, best , []",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := fmt.Sprintf("%q %s, %s, %s", p.Rankings.Course.Labels, p.Rankings.Measured, p.Rankings.Since, p.Notes); got != `["13 Oct 2026" "" "23 Oct 2026" "28 Oct 2026"] 28 Oct 2026, a month ago, [1 keyword has ranks only after 31 October 2026 and is left out. 2 rows of the keywords report have a date or a number that can't be read.]` {
		t.Errorf("got %s", got)
	}
}

// TestAppendix checks that the page ends with a table for each report that has rows.
func TestAppendix(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, keywordOf("bikes", map[string]int{"2026-10-28": 8}))
	add(t, b, ReportTraffic, visitsOf(Period{b.scope.From, b.scope.From}, 5)...)
	var got []string
	for _, table := range b.Page(Subject{}).Appendix {
		got = append(got, fmt.Sprintf("%s: %q", table.Title, table.Rows))
	}
	if want := []string{`Keywords: [["bikes" "target" "8" "–" "1,200"]]`, `Visits by day: [["1 Oct 2026" "5" "2" "3"]]`}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestEveryFailedReportIsNamed checks that a page says once of each report that it could not be read.
func TestEveryFailedReportIsNamed(t *testing.T) {
	for r, of := range reportKeys {
		t.Run(of.name, func(t *testing.T) {
			b := NewBuilder(october(Previous))
			b.Fail(Report(r), errors.New("report failed (500)"))
			reason := "the " + english.Say("report."+of.name) + " could not be read"
			missing := slices.DeleteFunc(b.Page(Subject{}).Missing, func(m Missing) bool { return m.Reason != reason })
			if want := []Missing{{english.Say("title." + of.name), reason, true}}; !slices.Equal(missing, want) {
				t.Errorf("got %v, want %v", missing, want)
			}
		})
	}
}

// TestMeasured names the day of the ranks of a period in which none were measured.
func TestMeasured(t *testing.T) {
	day := NewDay(2026, time.October, 30)
	b := NewBuilder(NewScope(Period{day, day}, None, today))
	add(t, b, ReportKeywords, keywordOf("a", map[string]int{"2026-10-23": 4, "2026-10-28": 5}), keywordOf("b", nil))
	if got := b.Page(Subject{}).Rankings.Measured; got != "28 Oct 2026" {
		t.Errorf("got %q, want 28 Oct 2026", got)
	}
}

// TestCurrentRanks takes the rank of today for a period that ends today, and for no other.
func TestCurrentRanks(t *testing.T) {
	for name, test := range map[string]struct {
		scope Scope
		want  string
	}{
		"today": {NewScope(Period{today - 29, today}, Previous, today), "50"}, "october": {october(Previous), ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(test.scope)
			add(t, b, ReportKeywords, keywordOf("a", nil))
			if got := tile(t, b.Page(Subject{}), TileAverageRank).Text; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestEvents counts by the day of completion, also what was ordered long before.
func TestEvents(t *testing.T) {
	b := NewBuilder(october(Previous))
	if from, want := b.scope.Request(ReportWorkflows, true).From.ISO(), "2026-06-03"; from != want {
		t.Errorf("got tasks from %s, want from %s", from, want)
	}
	for i, date := range []string{"2026-08-31T23:59:59", "2026-09-01T00:00:00", "2026-09-30 23:59:59", "2026-10-01", "2026-10-01T23:59:59", "2026-10-31T23:59:59", "2026-11-01T00:00:00", "", "soon"} {
		add(t, b, ReportWorkflows, fmt.Sprintf(`{"built_date":"2026-08-01T04:04:00","completion_date":%q,"task_name":"Review","status":"completed"}`, date))
		add(t, b, ReportLost, fmt.Sprintf(`{"date_last_seen":%q,"url_from":"https://a.example/%d"}`, date, i))
	}
	p := b.Page(Subject{})
	var weeks []float64
	lost := p.Links.Course.Lines[slices.IndexFunc(p.Links.Course.Lines, func(l Line) bool { return l.Key == TileLinksLost })]
	for i, n := range p.Work.Course.Lines[0].Values {
		weeks = append(weeks, n, lost.Values[i])
	}
	got := fmt.Sprint(p.Work.Figures[0].Text, p.Work.Figures[0].Short, p.Links.Figure(TileLinksLost).Text, p.Links.Figure(TileLinksLost).Verdict == Bad, weeks, p.Work.Kinds, p.Notes)
	want := "3+13true [2 2 0 0 0 0 0 0 1 1] [{Review 3}] [1 row of the workflows report has a date or a number that can't be read. 1 row of the workflows report has no completion date, and is not counted. " +
		"1 row of the report of lost backlinks has a date or a number that can't be read. 1 row of the report of lost backlinks has no date, and is not counted.]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestHostileRows adds rows of any shape.
func TestHostileRows(t *testing.T) {
	values := []string{`null`, `true`, `-1`, `1e400`, `"x"`, `[]`, `{}`, `[[{"date":5}]]`, `"2026-10-05"`, `"\u202e<script>\u0000"`, `99999999999999999999`}
	fields := []string{"date", "organic", "total", "keyword", "histogram", "rank_google_organic", "completion_date", "task_name", "date_last_seen", "date_checked", "quantity", "completed_date", "domain_rating", "search_total"}
	b := NewBuilder(october(Year))
	for r := range reportCount {
		add(t, b, r, `{}`)
		for i, v := range values {
			var members []string
			for j, field := range fields {
				members = append(members, fmt.Sprintf("%q:%s", field, values[(i+j)%len(values)]))
				add(t, b, r, fmt.Sprintf("{%q:%s}", field, v))
			}
			add(t, b, r, "{"+strings.Join(members, ",")+"}")
		}
	}
	p := b.Page(Subject{AccountName: "\x1b[31m<script>"})
	if text := fmt.Sprintf("%v", p.Sentences); strings.Contains(text, "NaN") || p.Title != "\x1b[31m<script>" {
		t.Errorf("got %s of %q", text, p.Title)
	}
}

// TestHugeCampaign has 10,000 keywords with a year of history, and visits for each day of a century.
func TestHugeCampaign(t *testing.T) {
	b := NewBuilder(NewScope(Period{NewDay(1990, 1, 1), today}, Previous, today))
	var points [6][]string // a keyword has the first and the last day, and every sixth of the others
	for day := today - 365; day <= today; day += 5 {
		point := fmt.Sprintf(`{"date":%q,"rank_google_organic":%d,"rank_google_map":%d}`, day.ISO(), 1+int(day)%40, 1+int(day)%7)
		for i := range points {
			if day == today-365 || day == today || int(today-day)/5%6 == i {
				points[i] = append(points[i], point)
			}
		}
	}
	for i := range 10000 {
		add(t, b, ReportKeywords, fmt.Sprintf(`{"keyword":"keyword %d","histogram":[%s]}`, i, strings.Join(points[i%6], ",")))
	}
	add(t, b, ReportTraffic, visitsOf(Period{NewDay(1990, 1, 1), today}, 10)...)
	p := b.Page(Subject{})
	if len(p.Rankings.Rows) != 10000 || len(b.ranks().days) != 74 || len(p.Traffic.Course.Labels) > maxIntervals || p.Traffic.Course.Unit != "year" {
		t.Errorf("got %d rows of %d days, %d points by %s", len(p.Rankings.Rows), len(b.ranks().days), len(p.Traffic.Course.Labels), p.Traffic.Course.Unit)
	}
	if got, want := p.Sentences[1], "None of 10,000 keywords is among the first ten, none on 22 November 2025 either."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOneMeasurementIsOfOnePeriod takes no number of before a period for one of the period.
func TestOneMeasurementIsOfOnePeriod(t *testing.T) {
	b := NewBuilder(NewScope(Period{NewDay(2026, time.November, 1), NewDay(2026, time.November, 7)}, Previous, today))
	add(t, b, ReportReferring, `{"date_checked":"2026-10-29","quantity":120}`)
	if now, before := b.Total(ReportReferring); fmt.Sprint(now, before) != "NaN 120" {
		t.Errorf("got %v after %v, want no number after 120", now, before)
	}
}

// TestFiguresSinceTheFirstRanks says since when ranks changed that were first measured within the period.
func TestFiguresSinceTheFirstRanks(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, keywordOf("bikes", map[string]int{"2026-10-04": 8, "2026-10-28": 6}))
	for _, tile := range b.Page(Subject{}).Tiles {
		if tile.Key == TileAverageRank && tile.Since != " since 4 Oct" {
			t.Errorf("got an average rank that is 2 better%s, want since 4 Oct", tile.Since)
		}
	}
}

// TestTotalIsNoSum counts the rows whose total is not the sum of their visits.
func TestTotalIsNoSum(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportTraffic, `{"date":"2026-10-02","organic":5,"non_organic":1,"total":6}`, `{"date":"2026-10-03","organic":5,"non_organic":1,"total":7}`)
	if got := b.Tally(ReportTraffic)[Unequal]; got != 1 {
		t.Errorf("got %d rows, want 1", got)
	}
}

// TestOutsideOfThePeriods has days between the two periods, of which a note and a count tell nothing.
func TestOutsideOfThePeriods(t *testing.T) {
	for r, row := range map[Report]string{
		ReportTraffic: `{"date":%q,"total":1}`, ReportReferring: `{"date_checked":%q,"quantity":1}`, ReportProvisioned: `{"task_id":1,"completed_date":%q}`,
		ReportWorkflows: `{"task_id":1,"completion_date":%q}`, ReportLost: `{"url_from":"a","date_last_seen":%q}`,
	} {
		b := NewBuilder(october(Year))
		for _, day := range []string{"2026-03-10", "2025-10-10", "2026-10-10"} {
			add(t, b, r, fmt.Sprintf(row, day), fmt.Sprintf(row, day))
		}
		want := 2 // a task has one identity on all days, and so has a link that was gained
		if r == ReportWorkflows || r == ReportProvisioned {
			want = 4
		}
		if got := b.Tally(r)[Repeated]; got != want {
			t.Errorf("%s: got %d repeated rows, want %d", row, got, want)
		}
	}
}

// TestUnreadableAndRepeated has a total that can't be read, one that is not given, and a day that a history has twice.
func TestUnreadableAndRepeated(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportTraffic, `{"date":"2026-10-02","organic":5,"non_organic":1,"total":-6}`, `{"date":"2026-10-03","organic":5,"non_organic":1,"total":null}`)
	add(t, b, ReportKeywords, `{"keyword":"a","histogram":[{"date":"2026-10-29","rank_google_organic":2},{"date":"2026-10-29","rank_google_organic":7}]}`)
	p := b.Page(Subject{})
	got := fmt.Sprint(p.Traffic.Figures[AllVisits].Text, " ", p.Rankings.Rows[0].Organic.Best, " ", b.Tally(ReportTraffic), b.Tally(ReportKeywords), " ", strings.Join(p.Notes, " "))
	want := "6 7 [0 1 0 0 0 1 0] [1 0 0 0 0 0 0] 1 rank is of a day that the history of a keyword has again; the last rank of a day counts. " +
		"On 1 day of October 2026, one number of visits is computed, since the service gives only two of all, organic and other visits. 1 row of the traffic report has a date or a number that can't be read."
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestUnreadableBacklinks does not deny a number that the service sends and that can't be read.
func TestUnreadableBacklinks(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportBacklinks, `{"domain_rating":31,"backlink_quantity":"1,234","referring_domain_quantity":null}`)
	if got, want := b.todaysFigures()[2].Missing, "the service has no readable number of backlinks"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUnreadableIsNotMissing does not say of a value that can't be read that the service has none.
func TestUnreadableIsNotMissing(t *testing.T) {
	for r, test := range map[Report]struct{ row, want string }{
		ReportTraffic:     {`{"date":"2026-10-05","organic":3,"total":"many"}`, "Visits: the service has no readable number"},
		ReportWorkflows:   {`{"completion_date":"soon"}`, "Tasks completed: the service has no readable data on tasks"},
		ReportReferring:   {`{"date_checked":"2026-10-05","quantity":"many"}`, "Referring backlinks: the service has no readable number of referring backlinks for October 2026"},
		ReportKeywords:    {`{"keyword":"a","histogram":[{"date":"2026-10-29","rank_google_organic":"x"}]}`, "Rankings: the service has no readable ranks for October 2026"},
		ReportProvisioned: {`{"completed_date":5}`, "Links gained: the service has no readable data on gained links"},
	} {
		t.Run(test.want, func(t *testing.T) {
			b := NewBuilder(october(Previous))
			add(t, b, r, test.row)
			var got []string
			for _, m := range b.Page(Subject{}).Missing {
				got = append(got, m.Title+": "+m.Reason)
			}
			if !slices.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, keywordOf("a", map[string]int{"2026-09-28": 3, "2026-10-28": 3}),
		`{"keyword":"b","histogram":[{"date":"2026-09-02","rank_google_organic":2},{"date":"2026-10-29","rank_google_organic":"x"}]}`)
	p := b.Page(Subject{})
	if got, want := tile(t, p, TileOrganicFirst10).Beside+", "+p.Rankings.Rows[1].Organic.Change, "1 has no readable rank, no readable rank since 2 Sep"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOldDamageIsNoReason checks that ranks of years ago, or of the other list, are neither counted nor the reason for a gap.
func TestOldDamageIsNoReason(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, keywordOf("a", map[string]int{"2026-09-28": 3, "2026-10-28": 3}),
		`{"keyword":"b","histogram":[{"date":"2024-01-05","rank_google_organic":"x","rank_google_map":4},{"date":"2024-01-06","rank_google_organic":2},
			{"date":"2024-01-06","rank_google_organic":3},{"date":"2026-09-02","rank_google_organic":2,"rank_google_map":2}]}`)
	p := b.Page(Subject{})
	if got, want := tile(t, p, TileOrganicFirst10).Beside+", "+p.Rankings.Rows[1].Organic.Change, "1 was not measured, no measurement since 2 Sep"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := b.Tally(ReportKeywords); got != (Tally{}) {
		t.Errorf("got %v, want no count of days outside of the periods", got)
	}
	b = NewBuilder(october(Previous))
	add(t, b, ReportKeywords, keywordOf("a", map[string]int{"2026-09-28": 3, "2026-10-28": 3}),
		`{"keyword":"b","histogram":[{"date":"2026-09-02","rank_google_organic":2,"rank_google_map":2},{"date":"2026-10-29","rank_google_organic":"x"}]}`)
	if row := b.Page(Subject{}).Rankings.Rows[1]; row.Organic.Change != "no readable rank since 2 Sep" || row.Map.Change != "no measurement since 2 Sep" {
		t.Errorf("got %q and %q, want only the organic rank unreadable", row.Organic.Change, row.Map.Change)
	}
}

// TestDamageBeforeIsNoReason has a row of September that can't be read, and none of October.
func TestDamageBeforeIsNoReason(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportTraffic, `{"date":"2026-09-03","total":"n/a"}`, `{"date":"2026-09-04","total":6}`)
	add(t, b, ReportReferring, `{"date_checked":"2026-09-07","quantity":"n/a"}`, `{"date_checked":"2026-09-14","quantity":4}`)
	add(t, b, ReportKeywords, `{"keyword":"a","histogram":[{"date":"2026-09-22","rank_google_organic":"n/a"}]}`)
	var got []string
	for _, m := range b.Page(Subject{}).Missing {
		got = append(got, m.Reason)
	}
	for _, want := range []string{"visits", "number of referring backlinks", "ranks"} {
		if want = "the service has no " + want + " for October 2026"; !slices.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	b = NewBuilder(october(Previous))
	add(t, b, ReportKeywords, `{"keyword":"a","histogram":[{"date":"2026-09-22","rank_google_map":"n/a"},{"date":"2026-10-22","rank_google_organic":4}]}`)
	if got, want := b.ranks().reasons[listMap], "the period has no ranks on the map"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEveryGapHasAReason leaves out one number after the other: each figure that a page lacks is among what is missing.
func TestEveryGapHasAReason(t *testing.T) {
	for name, rows := range map[string]map[Report][]string{
		"none ranks":      {ReportKeywords: {keywordOf("a", map[string]int{"2026-09-29": 3, "2026-10-29": 999})}},
		"organic only":    {ReportTraffic: {`{"date":"2026-10-05","organic":3}`}},
		"total only":      {ReportTraffic: {`{"date":"2026-10-05","total":3}`}},
		"no referring":    {ReportBacklinks: {`{"domain_rating":3}`}},
		"nothing":         {},
		"tasks only":      {ReportWorkflows: {`{"completion_date":"2026-10-05"}`}},
		"unreadable rank": {ReportKeywords: {`{"keyword":"a","histogram":[{"date":"2026-10-05","rank_google_organic":"x"}]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(october(Previous))
			for r, texts := range rows {
				add(t, b, r, texts...)
			}
			p := b.Page(Subject{})
			reasons, told := map[string]bool{}, map[Missing]bool{}
			for _, m := range p.Missing {
				if told[m] {
					t.Errorf("got %v twice", m)
				}
				reasons[m.Reason], told[m] = true, true
			}
			for _, tile := range p.Tiles {
				if tile.Missing != "" && !reasons[tile.Missing] {
					t.Errorf("got no reason why %s is missing in %v, want %q", tile.Title, p.Missing, tile.Missing)
				}
			}
		})
	}
}

// TestTaskSentTwice counts a task once, by what its last row says that says anything.
func TestTaskSentTwice(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportWorkflows, `{"task_id":7,"completion_date":"2026-10-05","status":"open"}`, `{"task_id":7,"completion_date":"2026-10-06","status":"completed"}`,
		`{"task_id":8,"completion_date":"2026-10-06","status":"completed"}`, `{"task_id":8,"completion_date":"2026-10-06","status":"cancelled"}`,
		`{"task_id":9,"completion_date":"2026-10-06","status":"completed"}`, `{"task_id":9}`,
		`{"completion_date":"2026-10-06"}`, `{"completion_date":"2026-10-06"}`)
	add(t, b, ReportProvisioned, `{"task_id":7,"url":"a","completed_date":"2026-10-05"}`, `{"task_id":7,"url":"b","completed_date":"2026-10-05"}`, `{"task_id":7,"url":"b","completed_date":"2026-10-05"}`,
		`{"url":"c","completed_date":"2026-10-05","task_id":null}`, `{"url":"c","completed_date":"2026-10-05","task_id":null}`)
	p := b.Page(Subject{})
	if got := tile(t, p, TileTasksCompleted).Text + " tasks, " + tile(t, p, TileLinksGained).Text + " links"; got != "3 tasks, 3 links" {
		t.Errorf("got %s, want 3 tasks, 3 links", got)
	}
	if got, want := fmt.Sprint(p.Notes[len(p.Notes)-2:]), "[3 rows of the workflows report repeat a task; the last row of a task counts. 2 rows of the report of provisioned backlinks repeat a task; the last row of a task counts.]"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestNewlyRankedIsNotNew says of a keyword the same in the tiles as in the table.
func TestNewlyRankedIsNotNew(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, keywordOf("a", map[string]int{"2026-09-29": 3, "2026-10-29": 3}), keywordOf("came", map[string]int{"2026-09-29": 999, "2026-10-29": 5}), keywordOf("new", map[string]int{"2026-10-29": 5}))
	if got, want := tile(t, b.Page(Subject{}), TileAverageRank).Beside, "1 is newly ranked, 1 is new"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReferringWithoutNumber takes a day without a number for one that was not counted, and no text for a number.
func TestReferringWithoutNumber(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportReferring, `{"date_checked":"2026-10-05","quantity":null}`, `{"date_checked":"2026-10-12","quantity":7}`, `{"date_checked":"2026-10-19","quantity":"many"}`)
	if got := b.Tally(ReportReferring)[Invalid]; got != 1 {
		t.Errorf("got %d rows that can't be read, want 1", got)
	}
}

// TestUntrackedNote counts more keywords only where there are others.
func TestUntrackedNote(t *testing.T) {
	for text, rows := range map[string][]string{"1 keyword is no longer tracked.": nil, "1 more keyword is no longer tracked.": {keywordOf("a", map[string]int{"2026-10-29": 3})}} {
		b := NewBuilder(october(Previous))
		b.Untracked = 1
		add(t, b, ReportKeywords, rows...)
		if got := b.Page(Subject{}).Notes; !slices.Contains(got, text) {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

// TestDaysOfTheRanksBefore compares with the first rank of each keyword where the compared period has none, and names the days of the
// ranks before where they need not be those of its end.
func TestDaysOfTheRanksBefore(t *testing.T) {
	daily := map[string]int{}
	for day := 1; day <= 31; day++ {
		daily[NewDay(2026, time.October, day).ISO()] = 60 - day
	}
	days := func(from, to int) Scope {
		return NewScope(Period{NewDay(2026, time.October, from), NewDay(2026, time.October, to)}, Previous, today)
	}
	for name, c := range map[string]struct {
		scope    Scope
		keywords []map[string]int
		want     string
	}{
		"daily from the first day":  {october(Previous), []map[string]int{daily}, "▲ 30 better than on 1 October 2026, 30 better since 1 Oct"},
		"first ranks of two days":   {october(Previous), []map[string]int{{"2026-10-01": 10, "2026-10-30": 8}, {"2026-10-05": 10, "2026-10-30": 8}}, "▲ 2 better than between 1 and 5 October 2026, 2 better since 1 Oct to 5 Oct"},
		"one day":                   {days(27, 27), []map[string]int{{"2026-10-22": 9, "2026-10-27": 5}}, "▲ 4 better than on 22 October 2026, 4 better since 22 Oct"},
		"a day after a measurement": {days(25, 27), []map[string]int{{"2026-10-22": 9, "2026-10-27": 5}, {"2026-10-20": 9, "2026-10-25": 9}}, "▲ 2 better than between 20 and 22 October 2026, 2 better since 20 Oct to 22 Oct"},
		"a month":                   {october(Previous), []map[string]int{{"2026-09-28": 9, "2026-10-27": 5}}, "▲ 4 better than a month ago, 4 better"},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(c.scope)
			for i, ranks := range c.keywords {
				add(t, b, ReportKeywords, keywordOf(fmt.Sprint(i), ranks))
			}
			f := tile(t, b.Page(Subject{}), TileAverageRank)
			if got := f.Told(english) + ", " + f.Short + f.Since; got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestWordsOfRanks says of each rank only what its measurements say.
func TestWordsOfRanks(t *testing.T) {
	running := NewScope(Month(2026, time.November), Previous, today)
	for name, c := range map[string]struct {
		scope Scope
		rows  []string
		want  string // the first tile of the first ten, the rows, the sentence, and what is missing
	}{
		"measured before the period and after the compared days": {running, []string{keywordOf("a", map[string]int{"2026-10-20": 2, "2026-11-20": 2}), keywordOf("b", map[string]int{"2026-10-29": 1, "2026-11-20": 5})},
			"1 was not measured a month ago; a 2 unchanged, b 5 not measured a month ago"},
		"current rank beside measured ones": {running, []string{keywordOf("a", map[string]int{"2026-10-20": 2, "2026-11-20": 2}), keywordOf("b", nil)},
			"1 was not measured a month ago; a 2 unchanged, b 50 on an unknown day not measured a month ago"},
		"not measured before, among the first and not": {running, []string{keywordOf("a", map[string]int{"2026-10-20": 2, "2026-11-20": 2}), keywordOf("b", map[string]int{"2026-10-29": 1, "2026-11-20": 5}), keywordOf("c", map[string]int{"2026-10-29": 1, "2026-11-20": 50})},
			"2 were not measured a month ago; a 2 unchanged, b 5 not measured a month ago, c 50 not measured a month ago"},
		"unreadable current ranks": {running, []string{`{"keyword":"a","rank_google_organic":4}`, `{"keyword":"b","rank_google_organic":"n/a"}`, `{"keyword":"c","rank_google_organic":null}`},
			"1 has no readable rank, 1 was not measured; a 4 , b – , c – "},
		"a later row without ranks": {october(Previous), []string{keywordOf("a", map[string]int{"2026-09-28": 5, "2026-10-28": 4}), `{"keyword":"a","type":"target","rank_id":2,"histogram":[]}`},
			"; a 4 1 up"},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(c.scope)
			add(t, b, ReportKeywords, c.rows...)
			p := b.Page(Subject{})
			var rows []string
			for _, r := range p.Rankings.Rows {
				rows = append(rows, strings.TrimSpace(r.Keyword+" "+r.Organic.Now+" "+r.Organic.Note)+" "+r.Organic.Change)
			}
			if got := tile(t, p, TileOrganicFirst10).Beside + "; " + strings.Join(rows, ", "); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
	b := NewBuilder(october(Previous))
	add(t, b, ReportKeywords, `{"keyword":"a","histogram":[{"date":"2026-09-28","rank_google_organic":3,"rank_google_map":3},{"date":"2026-10-28","rank_google_map":2}]}`)
	if got, want := fmt.Sprint(b.Page(Subject{}).Sentences), "[1 of 1 keyword is among the first ten on the map, as many as a month ago.]"; got != want {
		t.Errorf("without organic ranks, got %s, want %s", got, want)
	}
}

// TestLinksBeforeTheirDueDate has links that were completed before the day by which the service selects them. They count in their
// month, whichever page shows it.
func TestLinksBeforeTheirDueDate(t *testing.T) {
	links := map[string]string{
		"2026-08-03": "2026-08-10", "2026-09-04": "2026-09-04", "2026-10-05": "2026-10-04", "2026-10-23": "2026-11-01", "2026-10-30": "2027-01-29", "2026-10-31": "2027-02-10",
	}
	page := func(s Scope) *Page {
		b := NewBuilder(s)
		for completed, due := range links {
			row := fmt.Sprintf(`{"task_id":%q,"completed_date":%q,"original_due_date":%q}`, completed, completed, due)
			if asked := s.Request(ReportProvisioned, true); asked.From.ISO() <= due && due <= asked.To.ISO() {
				add(t, b, ReportProvisioned, row)
			}
		}
		return b.Page(Subject{})
	}
	own, next := page(october(Previous)), page(NewScope(Month(2026, time.November), Previous, NewDay(2026, time.November, 30)))
	months := next.Year[0].Lines[0].Values
	if got := fmt.Sprint(tile(t, own, TileLinksGained).Text, tile(t, next, TileLinksGained).Previous, months[len(months)-2]); got != "33 3" {
		t.Errorf("got the links of October %s, want 3 on its page, beside November, and in the twelve months", got)
	}
	if note := "1 link of October 2026 was completed but is not counted, since it was due more than 90 days before or after that period."; !slices.Contains(next.Notes, note) {
		t.Errorf("got %q, want %q", next.Notes, note)
	}
}

// TestMonthsWithoutData leaves out months of which the page of the month would have no data on links, and marks one that is not over.
func TestMonthsWithoutData(t *testing.T) {
	b := NewBuilder(NewScope(Month(2026, time.October), Previous, today))
	for _, day := range []string{"2025-12-10", "2026-01-10", "2026-02-10", "2026-03-10"} {
		add(t, b, ReportProvisioned, fmt.Sprintf(`{"task_id":%q,"completed_date":%q,"original_due_date":%q}`, day, day, day))
	}
	if got, want := fmt.Sprint(b.Page(Subject{}).Year[0].Lines[0].Values), "[NaN 1 1 1 1 0 0 0 0 NaN NaN NaN]"; got != want {
		t.Errorf("got the links %s, want %s", got, want)
	}
	b = NewBuilder(NewScope(Month(2026, time.November), Previous, today))
	add(t, b, ReportKeywords, keywordOf("a", map[string]int{"2026-09-20": 5, "2026-10-20": 5, "2026-11-20": 5}))
	if c := b.Page(Subject{}).Year[0]; !c.Partial[11] || c.Partial[10] {
		t.Errorf("got the partial months %v, want the last one alone, which is not over", c.Partial)
	}
}

// TestTotalBefore has a number of the compared period alone.
func TestTotalBefore(t *testing.T) {
	b := NewBuilder(october(Previous))
	add(t, b, ReportReferring, `{"date_checked":"2026-09-28","quantity":7}`)
	if now, before := b.Total(ReportReferring); fmt.Sprint(now, before) != "NaN 7" {
		t.Errorf("got %v and %v before, want no number and 7", now, before)
	}
}
