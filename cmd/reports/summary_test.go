package reports

import (
	"math"
	"testing"
	"unicode/utf8"
)

func TestSmallLine(t *testing.T) {
	many := make([]float64, 1000)
	for i := range many {
		many[i] = float64(i)
	}
	for name, test := range map[string]struct {
		values []float64
		isDown bool
		want   string
	}{
		"none": {nil, false, ""}, "flat": {[]float64{3, 3}, false, "▁▁"}, "rising": {[]float64{0, 1, 2, 7}, false, "▁▂▃█"},
		"ranks": {[]float64{8, 1}, true, "▁█"}, "gaps": {[]float64{1, math.NaN(), 2}, false, "▁ █"}, "only gaps": {[]float64{math.NaN()}, false, " "},
		"many": {many, false, "▁▁▂▂▂▃▃▄▄▄▅▅▅▆▆▇▇▇██"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := smallLine(test.values, test.isDown); got != test.want || utf8.RuneCountInString(got) > maxSmallLine {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
