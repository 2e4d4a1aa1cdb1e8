package reports

import (
	"testing"
	"time"

	"reseller/client/record"
	"reseller/client/summary"
)

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

// TestEveryComparedReportHasFigures checks that each report with --compare has a figure.
func TestEveryComparedReportHasFigures(t *testing.T) {
	for _, r := range reports {
		if first := newComparison(&r, summary.Scope{}, nil).resource.Fields[0]; r.isCompared() && first.Name == "" {
			t.Errorf("%s: got a figure without a name, want one: name it in totals", r.path())
		}
	}
}

// Every report has charts, which say so where there is nothing to draw, and
// which no answer can break.
// TestChartsEndToday has no chart of a month that is not over show a day that its page leaves out.
func TestChartsEndToday(t *testing.T) {
	today := summary.NewDay(2026, time.November, 24)
	for i := range reports {
		r := &reports[i]
		want := today
		switch {
		case !r.takesDates():
			continue
		case r.summary == summary.ReportTraffic:
			want--
		}
		if got := r.newFeed("", summary.Month(2026, time.November), today).Period.To; got != want {
			t.Errorf("%s: got a chart until %s, want %s", r.path(), got, want)
		}
	}
	if got := reports[0].newFeed("", summary.AllDays, today).Period; got != summary.AllDays {
		t.Errorf("got %v without a period, want all days", got)
	}
}

func TestEveryReportHasCharts(t *testing.T) {
	for _, r := range reports {
		for name, campaign := range map[string]string{"several": "", "one": "campaign 1"} {
			t.Run(r.path()+"/"+name, func(t *testing.T) {
				b := r.newBuilder(r.rowFields(), campaign, summary.AllDays)
				charts := b.Charts()
				if len(charts) == 0 {
					t.Error("got no chart of no rows")
				}
				for _, c := range charts {
					if c.NoData != "The report has no rows." || len(c.Labels) > 0 {
						t.Errorf("got %+v of no rows, want an empty chart that says so", c)
					}
				}
				b = r.newBuilder(r.rowFields(), campaign, summary.AllDays)
				for _, row := range []string{`{}`, `{"keyword":[],"histogram":[null,{"date":{}}],"date":1e999,"quantity":"1e400","domain_rating":null}`, `{"status":{"a":1},"built_date":["2026-10-05"]}`} {
					rec, err := record.Parse([]byte(row))
					if err != nil {
						t.Fatal(err)
					}
					b.Add(rec)
				}
				for _, c := range b.Charts() {
					if len(c.Labels) > 0 {
						t.Errorf("got %+v of rows with nothing that is valid, want an empty chart", c)
					}
				}
			})
		}
	}
}
