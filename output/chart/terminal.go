package chart

import (
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"

	"reseller/output/textwidth"
)

// Sizes of a chart in a terminal, in characters.
const (
	graphHeight   = 14
	axisWidth     = 9 // left of a graph, for the numbers of its axis
	labelMargin   = 6 // right of a graph, for half of the last label
	minGraphWidth = 9
	minWidth      = 24
)

// pen is what a series is drawn with: characters for its line that differ from
// those of other series, a character for its bars, and a color.
type pen struct {
	line  asciigraph.CharSet
	fill  string
	color asciigraph.AnsiColor
}

func pens() [MaxSeries]pen {
	of := asciigraph.CreateCharSet
	return [...]pen{
		{asciigraph.DefaultCharSet, "█", asciigraph.Blue},
		{boxCharSet("━┃┏┓┗┛"), "░", asciigraph.Orange},
		{boxCharSet("═║╔╗╚╝"), "▓", asciigraph.Green},
		{of("·"), "▒", asciigraph.Magenta},
		{of("*"), "*", asciigraph.Cyan},
		{of("+"), "+", asciigraph.Red},
		{of("x"), "x", asciigraph.Olive},
		{of("o"), "o", asciigraph.Gray},
	}
}

// pen returns the pen of a series.
func (c *Chart) pen(i int) pen { return pens()[c.places[i]] }

// boxCharSet returns a set of these six characters: a horizontal and a vertical
// line and four corners.
func boxCharSet(chars string) asciigraph.CharSet {
	c := strings.Split(chars, "")
	return asciigraph.CharSet{
		Horizontal: c[0], VerticalLine: c[1], ArcDownRight: c[2], ArcDownLeft: c[3], ArcUpRight: c[4], ArcUpLeft: c[5],
		StartCap: c[0], EndCap: c[0],
	}
}

// Text draws the charts of a page for a terminal of width columns.
func Text(p Page, width int, color bool) string {
	t := &terminalWriter{width: max(width, minWidth), color: color}
	p = p.placed(func(string) int { return 0 })
	if p.Title != "" {
		t.writeWrapped(p.Title)
		for _, about := range p.About {
			t.writeWrapped(about)
		}
		t.writeLine("")
		t.writeLead(p.Lead)
	}
	for i := range p.Charts {
		if i > 0 {
			t.writeLine("")
		}
		t.drawChart(&p.Charts[i])
	}
	return t.b.String()
}

// maxLeadCell is the width of a cell above the charts, except for the last one of a row.
const maxLeadCell = 40

// writeLead writes the table above the charts in columns, and an empty line after it. The last
// cell of a row may be longer than its column. If the columns before it are too wide for the terminal,
// the first cell of a row has a line of its own.
func (t *terminalWriter) writeLead(table Table) {
	var widths []int
	for _, row := range table.Rows {
		for i, cell := range row[:max(len(row)-1, 0)] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], textwidth.Of(safeText(cell, maxLeadCell)))
		}
	}
	total := 0
	for _, width := range widths {
		total += width + 2
	}
	for _, row := range table.Rows {
		var line strings.Builder
		for i, cell := range row {
			if i == 0 && total > t.width {
				if cell != "" {
					t.writeWrapped(cell)
				}
				continue
			}
			if i < len(row)-1 {
				cell = safeText(cell, maxLeadCell)
				cell += strings.Repeat(" ", widths[i]-textwidth.Of(cell)+2)
			}
			line.WriteString(cell)
		}
		t.writeLine(line.String())
	}
	if len(table.Rows) > 0 {
		t.writeLine("")
	}
}

type terminalWriter struct {
	b     strings.Builder
	width int
	color bool
}

// writeLine writes one line, cut to the width of the terminal.
func (t *terminalWriter) writeLine(s string) {
	t.b.WriteString(strings.TrimRight(safeText(s, t.width), " ") + "\n")
}

// writeWrapped writes a text on as many lines as it takes.
func (t *terminalWriter) writeWrapped(s string) {
	line := ""
	for _, word := range strings.Fields(safeText(s, 20*t.width)) {
		if line != "" && textwidth.Of(line)+1+textwidth.Of(word) > t.width {
			t.writeLine(line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	t.writeLine(line)
}

func (t *terminalWriter) drawChart(c *Chart) {
	t.writeWrapped(c.Title)
	switch {
	case c.empty():
		t.writeWrapped(c.NoData)
	case c.Kind == KindStackedColumns || c.Kind == KindBars:
		t.writeLegend(c, func(p pen) string { return p.fill })
		t.drawBars(c)
	default:
		t.writeLegend(c, func(p pen) string { return strings.Repeat(p.line.Horizontal, 2) })
		t.drawGraph(c)
	}
	for _, note := range c.Notes {
		t.writeWrapped(note)
	}
}

// colored returns s in the color of a pen, or s itself if colors are off.
func (t *terminalWriter) colored(s string, p pen) string {
	if !t.color || s == "" {
		return s
	}
	return p.color.String() + s + asciigraph.Default.String()
}

// writeLegend writes the name of each series after a sample of its pen.
func (t *terminalWriter) writeLegend(c *Chart, sample func(pen) string) {
	if len(c.Series) == 1 && c.Series[0].Name == "" {
		return
	}
	line, used := "", 0
	for i := range c.Series {
		p := c.pen(i)
		mark := sample(p)
		name := safeText(c.seriesName(i), min(maxNameLength, t.width-textwidth.Of(mark)-1))
		item := textwidth.Of(mark) + 1 + textwidth.Of(name)
		if used > 0 && used+3+item > t.width {
			t.b.WriteString(line + "\n")
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+"   ", used+3
		}
		line, used = line+t.colored(mark, p)+" "+name, used+item
	}
	t.b.WriteString(line + "\n")
}

// drawGraph draws a line for each series.
func (t *terminalWriter) drawGraph(c *Chart) {
	c = c.padded()
	room := max(t.width-axisWidth-labelMargin, minGraphWidth)
	data := c.plotValues()
	bottom, top, step, steps := c.bounds()
	var lines []asciigraph.CharSet
	var colors []asciigraph.AnsiColor
	for i := range data {
		data[i] = resample(data[i], room)
		lines, colors = append(lines, c.pen(i).line), append(colors, c.pen(i).color)
	}
	rows := max(graphHeight/steps, 1) // of characters for each step
	last := float64(len(c.Labels) - 1)
	options := []asciigraph.Option{
		asciigraph.Height(rows * steps), asciigraph.LowerBound(bottom), asciigraph.UpperBound(top),
		asciigraph.YAxisValueFormatter(c.tickFormatter(step)), asciigraph.SeriesChars(lines...),
		asciigraph.XAxisRange(0, last), asciigraph.XAxisTickCount(tickCount(len(c.Labels), max(room/14, 2))),
		asciigraph.XAxisValueFormatter(func(v float64) string { return safeText(c.Labels[int(math.Round(v))], maxLabelLength) }),
	}
	if t.color {
		options = append(options, asciigraph.SeriesColors(colors...))
	}
	t.writeLine(c.YTitle)
	for line := range strings.Lines(asciigraph.PlotMany(data, options...)) {
		t.b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	t.b.WriteString(strings.Repeat(" ", axisWidth-2) + c.XTitle + "\n")
}

// tickCount returns how many of n labels to show, at most limit. There must be
// equally many labels between each two of them, so that each stands below its
// own value.
func tickCount(n, limit int) int {
	for count := min(n, limit); count > 2; count-- {
		if (n-1)%(count-1) == 0 {
			return count
		}
	}
	return 2
}

// tickFormatter returns a function for the text beside a row of the graph: the
// row's value if it is a whole step of the axis, else spaces.
func (c *Chart) tickFormatter(step float64) func(float64) string {
	return func(v float64) string {
		name, first := "", 0.0
		if c.Kind == KindRanks {
			first = 1
		}
		at := (math.Abs(v) - first) / step
		if near := math.Round(at); math.Abs(at-near) < 0.01 {
			name = abbreviate(first + near*step)
		}
		return strings.Repeat(" ", max(axisWidth-4-len(name), 0)) + name
	}
}

// resample stretches or shrinks values to width points. A value extends half the
// way to a missing neighbor, so that even a single value is visible, and so is a single gap.
func resample(values []float64, width int) []float64 {
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
	for i := 1; i < len(values)-1; i++ {
		if math.IsNaN(values[i]) && !math.IsNaN(values[i-1]) && !math.IsNaN(values[i+1]) {
			out[int(math.Round(float64(i*(width-1))/float64(len(values)-1)))] = values[i]
		}
	}
	return out
}
