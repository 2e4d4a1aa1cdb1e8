package summary

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client/record"
)

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
	for _, date := range slices.Sorted(mapsKeys(ranks)) {
		rank := fmt.Sprintf(`,"rank_google_organic":%d`, ranks[date])
		if ranks[date] == 0 {
			rank = ""
		}
		points = append(points, fmt.Sprintf(`{"date":%q%s}`, date, rank))
	}
	return fmt.Sprintf(`{"keyword":%q,"type":"target","rank_id":1,"rank_google_organic":50,"search_total":1200,"histogram":[%s]}`, name, strings.Join(points, ","))
}

func mapsKeys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// tile returns a tile of a page.
func tile(t testing.TB, p *Page, key string) Tile {
	t.Helper()
	i := slices.IndexFunc(p.Tiles, func(tile Tile) bool { return tile.Key == key })
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
	p := b.Page(Subject{AccountID: 1, CampaignID: 101, AccountName: "Harbour Dental", CampaignName: "Harbour Dental"})
	got := strings.Join(append([]string{p.Title, p.Campaign, p.Period, p.Comparison, p.Made}, p.Sentences...), "|")
	want := "Harbour Dental||October 2026|compared with September 2026|22 November 2026|" +
		"2,418 visits, 12 % more than in September.|14 of 38 keywords are among the first ten, 3 more than a month ago.|9 tasks were completed and 6 links built."
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for key, want := range map[string]string{
		TileVisits:         "Visits: 2,418 (2,160) +12 % 12 % more than in September 1 1",
		TileOrganicVisits:  "Organic visits: 1,209 (1,080) +12 % 12 % more than in September 1 1",
		TileOrganicFirst3:  "Keywords in the first 3: 0 (0) unchanged none a month ago either 3 0",
		TileOrganicFirst10: "Keywords in the first 10: 14 (11) +3 3 more than a month ago 1 1",
		TileAverageRank:    "Average rank: 20.4 (23.5) 3.1 better 3.1 better than a month ago 1 1",
		TileDomainRating:   "Domain rating: 31.5 ()   0 0 as of 22 November 2026",
		TileLinksGained:    "Links gained: 6 (0) new none in September 4 1",
		TileLinksLost:      "Links lost: 0 (0) unchanged none in September either 3 0",
		TileTasksCompleted: "Tasks completed: 9 (0) new none in September 4 1",
	} {
		t.Run(key, func(t *testing.T) {
			f := tile(t, p, key)
			got := strings.TrimSpace(fmt.Sprintf("%s: %s (%s) %s %s %d %d %s%s", f.Title, f.Text, f.Before, f.Short, f.Change, f.Direction, f.Verdict, f.AsOf, f.Missing))
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
