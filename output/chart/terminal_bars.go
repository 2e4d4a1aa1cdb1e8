package chart

import (
	"math"
	"strings"

	"reseller/output/textwidth"
)

const (
	valueWidth    = 8 // of the number after a bar
	minBarWidth   = 2
	maxUnitLength = 8 // of a bar for the value 1, since a few events must not look like many
)

// drawBars draws horizontal bars: one for each label and series or, of stacked columns, one for each label with the parts
// of the series one after the other. The end of each part is the rounded sum of the series so far, so that rounding errors
// do not add up.
func (t *terminalWriter) drawBars(c *Chart) {
	names := min(textwidth.Of(c.XTitle), t.width/4)
	for _, label := range c.Labels {
		names = max(names, textwidth.Of(safeText(label, min(maxBarNameLength, max(t.width/3, maxLabelLength)))))
	}
	padded := func(s string) string {
		s = safeText(s, names)
		return s + strings.Repeat(" ", names-textwidth.Of(s)+2)
	}
	room := max(t.width-names-2-valueWidth, minBarWidth)
	scale := min(float64(room)/max(c.highest(), c.SuggestedMax, 1e-9), maxUnitLength)
	t.writeLine(padded(c.XTitle) + c.YTitle)
	for i, label := range c.Labels {
		bar, sum := "", 0.0
		for j, s := range c.Series {
			v, drawn := s.Values[i], barLength(sum, scale)
			if !math.IsNaN(v) {
				sum += v
			}
			bar += t.colored(strings.Repeat(c.pen(j).fill, barLength(sum, scale)-drawn), c.pen(j))
			number := abbreviate(sum)
			if c.Kind == KindStackedColumns {
				if j < len(c.Series)-1 {
					continue
				}
			} else if math.IsNaN(v) {
				number = "-"
			}
			if bar != "" {
				bar += " "
			}
			t.b.WriteString(padded(label) + bar + number + "\n")
			label, bar, sum = "", "", 0
		}
	}
}

// barLength returns the number of characters for a value: none for 0, else at
// least one.
func barLength(v, scale float64) int {
	if v <= 0 {
		return 0
	}
	return max(int(math.Round(v*scale)), 1)
}
