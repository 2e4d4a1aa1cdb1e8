package chart

import (
	"math"
	"strings"

	"reseller/output/textwidth"
)

const (
	numberRoom = 8 // behind a bar
	leastBar   = 2
	longestOne = 8 // a bar of 1: a few events must not look like many
)

// bars draws lying bars: of columns one a label, its series behind each other,
// else one a label and series.
func (t *terminal) bars(c *Chart) {
	names := min(textwidth.Of(c.Across), t.width/4)
	for _, label := range c.Labels {
		names = max(names, textwidth.Of(text(label, min(barNameLength, max(t.width/3, labelLength)))))
	}
	room := max(t.width-names-2-numberRoom, leastBar)
	scale := min(float64(room)/max(c.highest(), c.Most, 1e-9), longestOne)
	across := text(c.Across, names)
	t.line(across + strings.Repeat(" ", names-textwidth.Of(across)+2) + c.Up)
	for i, label := range c.Labels {
		name := text(label, names)
		name += strings.Repeat(" ", names-textwidth.Of(name))
		if c.Kind == Columns {
			t.stack(c, i, name, scale)
			continue
		}
		for j, s := range c.Series {
			t.bar(name, t.paint(strings.Repeat(pens()[j%MaxSeries].fill, length(s.Values[i], scale)), pens()[j%MaxSeries]), s.Values[i])
			name = strings.Repeat(" ", names)
		}
	}
}

// stack is one bar of all series; each ends where their sum so far does, so
// that rounding adds nothing up.
func (t *terminal) stack(c *Chart, i int, name string, scale float64) {
	bar, sum, drawn := "", 0.0, 0
	for j, s := range c.Series {
		if math.IsNaN(s.Values[i]) {
			continue
		}
		sum += s.Values[i]
		end := length(sum, scale)
		bar += t.paint(strings.Repeat(pens()[j%MaxSeries].fill, end-drawn), pens()[j%MaxSeries])
		drawn = end
	}
	t.bar(name, bar, sum)
}

func (t *terminal) bar(name, bar string, v float64) {
	number := short(v)
	if math.IsNaN(v) {
		number = "-"
	}
	if bar != "" {
		bar += " "
	}
	t.b.WriteString(name + "  " + bar + number + "\n")
}

// length is how many characters a value takes: at least one, where it is more
// than nothing.
func length(v, scale float64) int {
	if math.IsNaN(v) || v <= 0 {
		return 0
	}
	return max(int(math.Round(v*scale)), 1)
}
