package charts

import (
	"math"
	"slices"
	"testing"

	"reseller/client/summary"
	"reseller/output/chart"
)

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
