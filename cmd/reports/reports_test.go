package reports

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/summary"
)

// reportNamed returns the report with the command path after `reports`.
func reportNamed(t *testing.T, path string) *report {
	t.Helper()
	for i := range reports {
		if reports[i].path() == path {
			return &reports[i]
		}
	}
	t.Fatalf("there is no report %q", path)
	return nil
}

// TestEveryReportHasItsPartOfThePage checks that no two reports have the same summary, which
// decides what a customer's page does with their rows and how periods are compared.
func TestEveryReportHasItsPartOfThePage(t *testing.T) {
	paths := map[summary.Report]string{}
	for _, r := range reports {
		if other, taken := paths[r.summary]; taken {
			t.Errorf("got the same summary of %q and %q, want one for each", other, r.path())
		}
		paths[r.summary] = r.path()
	}
}

// TestStatusesAreDocumented finds each word by which the status of a task is read in the guide.
func TestStatusesAreDocumented(t *testing.T) {
	guide, err := os.ReadFile("../../docs/reports.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rule, _ := strings.Cut(string(guide), "A task does not count if its status")
	rule, _, _ = strings.Cut(rule, "Notes on a page")
	told := strings.FieldsFunc(rule, func(r rune) bool { return strings.ContainsRune(" ,.\n", r) })
	for _, word := range strings.Fields(summary.UndoneWords + " " + summary.CompletedWords + " " + summary.OpenWords) {
		if !slices.Contains(told, word) {
			t.Errorf("got no %s in the rule of the guide, want it", word)
		}
	}
}

// TestEveryComparedReportHasFigures checks that each report with --compare has a figure.
func TestEveryComparedReportHasFigures(t *testing.T) {
	for _, r := range reports {
		if first := newComparison(&r, summary.Scope{}, nil).resource.Fields[0]; r.isCompared() && first.Name == "" {
			t.Errorf("%s: got a figure without a name, want one: name it in totals", r.path())
		}
	}
}

// TestChartsEndToday has no chart of a month that is not over show a day that its page leaves out.
func TestChartsEndToday(t *testing.T) {
	today := summary.NewDay(2026, time.November, 24)
	for i := range reports {
		o := &options{report: &reports[i], tracking: &tracking{}, asked: client.Dates{From: "2026-11-01", To: "2026-11-30"}}
		want := today
		if reports[i].summary == summary.ReportTraffic { // whose day is not over
			want--
		}
		if got := o.newPage(today, "").scope.To; got != want {
			t.Errorf("%s: got a chart until %s, want %s", reports[i].path(), got.ISO(), want.ISO())
		}
	}
}

// TestChartsNameDaysUntilToday has the page of a chart name no day that is still to come as one that it shows.
func TestChartsNameDaysUntilToday(t *testing.T) {
	today := summary.NewDay(2026, time.November, 24)
	for i := range reports {
		r := &reports[i]
		if !r.takesDates() {
			continue
		}
		for dates, want := range map[client.Dates]string{
			{From: "2026-11-20", To: "2026-12-10"}: "20 to 24 November 2026", {From: "2026-11-24", To: "2026-11-25"}: "24 November 2026",
			{From: "2026-11-25", To: "2026-11-30"}: "25 to 30 November 2026, which is still to come", {From: "2026-11-01", To: "2026-11-23"}: "1 to 23 November 2026",
		} {
			o := &options{report: r, tracking: &tracking{}, asked: dates}
			about := o.newPage(today, "").page.About
			leavesOutToday := slices.Contains(about, "the visits of today are left out, since the day is not over")
			if about[0] != want || leavesOutToday != (r.summary == summary.ReportTraffic && dates.From < "2026-11-24" && dates.To >= "2026-11-24") {
				t.Errorf("%s of %v: got %q, want %s", r.path(), dates, about, want)
			}
			if c := o.newPage(today, "").Page().Charts[0]; strings.Contains(c.NoData, "still to come") != strings.Contains(want, "still to come") {
				t.Errorf("%s of %v: got a chart without data since %q", r.path(), dates, c.NoData)
			}
		}
	}
}

// TestEveryReportHasCharts has charts of each report say where there is nothing to draw, which no answer can break.
func TestEveryReportHasCharts(t *testing.T) {
	for i := range reports {
		t.Run(reports[i].path(), func(t *testing.T) {
			o := &options{report: &reports[i], tracking: &tracking{}}
			today := summary.NewDay(2026, time.November, 24)
			empty, invalid := o.newPage(today, ""), o.newPage(today, "")
			for _, row := range []string{`{}`, `{"keyword":[],"histogram":[null,{"date":{}}],"date":1e999,"quantity":"1e400","domain_rating":null}`, `{"status":{"a":1},"completion_date":["2026-10-05"]}`} {
				rec, err := record.Parse([]byte(row))
				if err != nil {
					t.Fatal(err)
				}
				invalid.Add(rec)
			}
			for _, b := range []*chartPage{empty, invalid} {
				charts := b.Page().Charts
				if len(charts) == 0 {
					t.Error("got no chart")
				}
				for _, c := range charts {
					if !c.IsEmpty() || c.Title == "" || c.NoData == "" {
						t.Errorf("got %+v, want an empty chart that says so", c)
					}
				}
			}
		})
	}
}

// TestChartsHaveGaps has a gap where more than 9 days are between two dates.
func TestChartsHaveGaps(t *testing.T) {
	o := &options{report: reportNamed(t, "backlinks referring"), tracking: &tracking{}}
	b := o.newPage(summary.NewDay(2026, time.November, 24), "")
	for _, date := range []string{"2026-10-01", "2026-10-08", "2026-10-20"} {
		b.Add(record.Of(record.Pair{Name: "date_checked", Value: record.Quote(date)}, record.Pair{Name: "quantity", Value: record.Integer(5)}))
	}
	c := b.Page().Charts[0]
	if got := strings.Join(c.Labels, ","); got != "1 Oct,8 Oct,,20 Oct" || !math.IsNaN(c.Series[0].Values[2]) {
		t.Errorf("got the days %s, want a gap", got)
	}
}
