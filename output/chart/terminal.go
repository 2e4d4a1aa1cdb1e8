package chart

import (
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"

	"reseller/output/textwidth"
)

// Measures of a chart in a terminal, in characters.
const (
	graphHeight = 14
	axisRoom    = 9 // left of a graph, for its numbers
	labelRoom   = 6 // right of it, for half a label
	leastGraph  = 9
	leastWidth  = 24
)

// A pen is what a series is drawn with: lines that can be told apart without
// color, a filling for bars, and a color where there may be one.
type pen struct {
	line  asciigraph.CharSet
	fill  string
	color asciigraph.AnsiColor
}

func pens() [MaxSeries]pen {
	of := asciigraph.CreateCharSet
	return [...]pen{
		{asciigraph.DefaultCharSet, "█", asciigraph.Blue},
		{box("━┃┏┓┗┛"), "░", asciigraph.Orange},
		{box("═║╔╗╚╝"), "▓", asciigraph.Green},
		{of("·"), "▒", asciigraph.Magenta},
		{of("*"), "*", asciigraph.Cyan},
		{of("+"), "+", asciigraph.Red},
		{of("x"), "x", asciigraph.Olive},
		{of("o"), "o", asciigraph.Gray},
	}
}

// box makes a set of the characters for across, down and four corners.
func box(chars string) asciigraph.CharSet {
	c := strings.Split(chars, "")
	return asciigraph.CharSet{
		Horizontal: c[0], VerticalLine: c[1], ArcDownRight: c[2], ArcDownLeft: c[3], ArcUpRight: c[4], ArcUpLeft: c[5],
		StartCap: c[0], EndCap: c[0],
	}
}

// Text draws the charts of a page no wider than width.
func Text(p Page, width int, color bool) string {
	t := &terminal{width: max(width, leastWidth), color: color}
	if p.Title != "" {
		t.line(p.Title)
		for _, about := range p.About {
			t.line(about)
		}
		t.line("")
	}
	for i := range p.Charts {
		if i > 0 {
			t.line("")
		}
		t.chart(&p.Charts[i])
	}
	return t.b.String()
}

type terminal struct {
	b     strings.Builder
	width int
	color bool
}

// line writes one line, cut where it is too long.
func (t *terminal) line(s string) {
	t.b.WriteString(strings.TrimRight(text(s, t.width), " ") + "\n")
}

// words writes text on as many lines as it takes.
func (t *terminal) words(s string) {
	line := ""
	for _, word := range strings.Fields(text(s, 20*t.width)) {
		if line != "" && textwidth.Of(line)+1+textwidth.Of(word) > t.width {
			t.line(line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	t.line(line)
}

func (t *terminal) chart(c *Chart) {
	t.words(c.Title)
	c = c.upright()
	switch {
	case c.empty():
		t.words(c.Missing)
	case c.Kind == Columns || c.Kind == Bars:
		t.legend(c, func(p pen) string { return p.fill })
		t.bars(c)
	default:
		t.legend(c, func(p pen) string { return strings.Repeat(p.line.Horizontal, 2) })
		t.graph(c)
	}
	for _, note := range c.Notes {
		t.words(note)
	}
}

// paint puts text into a color, where there may be one.
func (t *terminal) paint(s string, p pen) string {
	if !t.color || s == "" {
		return s
	}
	return p.color.String() + s + asciigraph.Default.String()
}

// legend says which pen draws which series.
func (t *terminal) legend(c *Chart, sample func(pen) string) {
	if len(c.Series) == 1 && c.Series[0].Name == "" {
		return
	}
	line, used := "", 0
	for i := range c.Series {
		p := pens()[i%MaxSeries]
		mark := sample(p)
		name := text(c.seriesName(i), min(nameLength, t.width-textwidth.Of(mark)-1))
		item := textwidth.Of(mark) + 1 + textwidth.Of(name)
		if used > 0 && used+3+item > t.width {
			t.b.WriteString(line + "\n")
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+"   ", used+3
		}
		line, used = line+t.paint(mark, p)+" "+name, used+item
	}
	t.b.WriteString(line + "\n")
}

// graph draws lines.
func (t *terminal) graph(c *Chart) {
	c = c.roomy()
	room := max(t.width-axisRoom-labelRoom, leastGraph)
	var data [][]float64
	for i, values := range c.drawn() {
		if c.Kind == Stacked && i > 0 {
			values = sum(values, data[i-1])
		}
		data = append(data, values)
	}
	bottom, top, step, steps := c.bounds()
	var lines []asciigraph.CharSet
	var colors []asciigraph.AnsiColor
	for i := range data {
		data[i] = stretch(data[i], room)
		lines, colors = append(lines, pens()[i%MaxSeries].line), append(colors, pens()[i%MaxSeries].color)
	}
	rows := max(graphHeight/steps, 1) // a step
	last := float64(len(c.Labels) - 1)
	options := []asciigraph.Option{
		asciigraph.Height(rows * steps), asciigraph.LowerBound(bottom), asciigraph.UpperBound(top),
		asciigraph.YAxisValueFormatter(c.ticks(step)), asciigraph.SeriesChars(lines...),
		asciigraph.XAxisRange(0, last), asciigraph.XAxisTickCount(evenly(len(c.Labels), max(room/14, 2))),
		asciigraph.XAxisValueFormatter(func(v float64) string { return text(c.Labels[int(math.Round(v))], labelLength) }),
	}
	if t.color {
		options = append(options, asciigraph.SeriesColors(colors...))
	}
	t.line(c.Up)
	for line := range strings.Lines(asciigraph.PlotMany(data, options...)) {
		t.b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	t.b.WriteString(strings.Repeat(" ", axisRoom-2) + c.Across + "\n")
	if c.Kind == Stacked && len(data) > 1 {
		t.words("Each line stands on the one below it: the highest is the sum.")
	}
}

// evenly is how many of n labels to show, at most so many: each below its own
// value, which needs as many between any two of them.
func evenly(n, most int) int {
	for count := min(n, most); count > 2; count-- {
		if (n-1)%(count-1) == 0 {
			return count
		}
	}
	return 2
}

// ticks names the values at whole steps of an axis.
func (c *Chart) ticks(step float64) func(float64) string {
	return func(v float64) string {
		name, first := "", 0.0
		if c.Kind == Ranks {
			first = 1
		}
		at := (math.Abs(v) - first) / step
		if near := math.Round(at); math.Abs(at-near) < 0.01 {
			name = short(first + near*step)
		}
		return strings.Repeat(" ", max(axisRoom-4-len(name), 0)) + name
	}
}

// sum adds up two series; where one has no value, the other counts.
func sum(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		switch {
		case math.IsNaN(a[i]):
			out[i] = b[i]
		case math.IsNaN(b[i]):
			out[i] = a[i]
		default:
			out[i] = a[i] + b[i]
		}
	}
	return out
}

// stretch draws values out, or together, to a width. A value whose neighbor is
// missing holds half the way to it, so that one alone shows too.
func stretch(values []float64, width int) []float64 {
	out := make([]float64, width)
	for x := range out {
		at := float64(x) * float64(len(values)-1) / float64(width-1)
		left := int(at)
		right, part := min(left+1, len(values)-1), at-float64(left)
		switch a, b := values[left], values[right]; {
		case !math.IsNaN(a) && !math.IsNaN(b):
			out[x] = a + (b-a)*part
		case part < 0.5:
			out[x] = a
		default:
			out[x] = b
		}
	}
	return out
}
