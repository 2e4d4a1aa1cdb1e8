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

// drawBars draws horizontal bars. For stacked columns it draws one bar for each
// label, with the parts of the series one after the other; for KindBars it draws
// one bar for each label and series.
func (t *terminalWriter) drawBars(c *Chart) {
	names := min(textwidth.Of(c.XTitle), t.width/4)
	for _, label := range c.Labels {
		names = max(names, textwidth.Of(safeText(label, min(maxBarNameLength, max(t.width/3, maxLabelLength)))))
	}
	room := max(t.width-names-2-valueWidth, minBarWidth)
	scale := min(float64(room)/max(c.highest(), c.SuggestedMax, 1e-9), maxUnitLength)
	across := safeText(c.XTitle, names)
	t.writeLine(across + strings.Repeat(" ", names-textwidth.Of(across)+2) + c.YTitle)
	for i, label := range c.Labels {
		name := safeText(label, names)
		name += strings.Repeat(" ", names-textwidth.Of(name))
		if c.Kind == KindStackedColumns {
			t.drawStack(c, i, name, scale)
			continue
		}
		for j, s := range c.Series {
			t.writeBar(name, t.colored(strings.Repeat(c.pen(j).fill, barLength(s.Values[i], scale)), c.pen(j)), s.Values[i])
			name = strings.Repeat(" ", names)
		}
	}
}

// drawStack draws one bar of all series. The end of each part is the rounded sum
// of the series so far, so that rounding errors do not add up.
func (t *terminalWriter) drawStack(c *Chart, i int, name string, scale float64) {
	bar, sum, drawn := "", 0.0, 0
	for j, s := range c.Series {
		if math.IsNaN(s.Values[i]) {
			continue
		}
		sum += s.Values[i]
		end := barLength(sum, scale)
		bar += t.colored(strings.Repeat(c.pen(j).fill, end-drawn), c.pen(j))
		drawn = end
	}
	t.writeBar(name, bar, sum)
}

func (t *terminalWriter) writeBar(name, bar string, v float64) {
	number := abbreviate(v)
	if math.IsNaN(v) {
		number = "-"
	}
	if bar != "" {
		bar += " "
	}
	t.b.WriteString(name + "  " + bar + number + "\n")
}

// barLength returns the number of characters for a value: none for 0, else at
// least one.
func barLength(v, scale float64) int {
	if math.IsNaN(v) || v <= 0 {
		return 0
	}
	return max(int(math.Round(v*scale)), 1)
}
