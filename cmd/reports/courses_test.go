package reports

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/synthetic"
	"reseller/client/record"
	"reseller/client/summary"
)

// TestMockRisesAndFalls checks that on no day a figure of the last month of campaign 101 of a new mock is worse than in the month
// before, or one of campaign 102 better, and that their organic visits are better and worse.
func TestMockRisesAndFalls(t *testing.T) {
	for today := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); today.Year() < 2028; today = today.AddDate(0, 0, 23) {
		month := summary.UnitMonth.Whole(summary.DayOf(today.AddDate(0, 0, -today.Day())))
		for id, want := range map[int64]summary.Verdict{101: summary.Good, 102: summary.Bad} {
			for _, f := range mockFigures(t, id, summary.NewScope(month, summary.Previous, summary.DayOf(today))) {
				isSteady := f.Verdict == summary.Neutral && f.Key != summary.TileOrganicVisits
				if f.Verdict != want && !isSteady {
					t.Errorf("%d on %s: got %s %s, want the other direction", id, today.Format(time.DateOnly), f.Title, f.Change)
				}
			}
		}
	}
}

func mockFigures(t *testing.T, campaign int64, scope summary.Scope) []summary.Figure {
	b := summary.NewBuilder(scope)
	for i, of := range synthetic.Reports() { // in the order of those of summaries
		r := summary.Report(i)
		days := scope.Request(r, false)
		s := &synthetic.Subject{AccountID: campaign - 100, CampaignID: campaign, Today: scope.Today.Time(), From: days.From.Time(), To: days.To.Time()}
		for n := range int64(5) {
			s.Keywords = append(s.Keywords, synthetic.Keyword{RankID: s.AccountID*1000 + 1 + n, Keyword: string(rune('a' + n))})
		}
		text := api.Encode(of.Rows(s))
		if r == summary.ReportBacklinks {
			text = fmt.Appendf(nil, "[%s]", text)
		}
		var rows []json.RawMessage
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			rec, err := record.Parse(row)
			if err != nil {
				t.Fatal(err)
			}
			b.Add(r, rec)
		}
	}
	p := b.Page(summary.Subject{})
	return append(p.Tiles, p.Links.Figures...)
}
