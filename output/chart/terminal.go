package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"reseller/output/textwidth"
)

// Sizes of a chart in a terminal, in characters.
const (
	graphHeight   = 14
	axisWidth     = 8 // left of a graph, for the numbers of its axis
	labelMargin   = 6 // right of a graph, for half of the last label
	minGraphWidth = 9
	minWidth      = 24
)

// A pen is what a series is drawn with.
type pen struct {
	line  string // a horizontal and a vertical piece, and the corners between right and down, left and down, right and up, left and up
	fill  string // of bars
	color string // the code of the color
}

// pen returns the pen of a series.
func (c *Chart) pen(i int) pen {
	return [MaxSeries]pen{
		{"─│╭╮╰╯", "█", "94"}, {"━┃┏┓┗┛", "░", "38;5;214"}, {"═║╔╗╚╝", "▓", "32"}, {"······", "▒", "95"},
		{"******", "*", "96"}, {"++++++", "+", "91"}, {"xxxxxx", "x", "33"}, {"oooooo", "o", "90"},
	}[c.places[i]]
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
	case c.Kind == KindLines || c.Kind == KindRanks:
		t.writeLegend(c, func(p pen) string { return strings.Repeat(string([]rune(p.line)[0]), 2) })
		t.drawGraph(c)
	default:
		t.writeLegend(c, func(p pen) string { return p.fill })
		t.drawBars(c)
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
	return "\x1b[" + p.color + "m" + s + "\x1b[0m"
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

// drawGraph draws a line for each series, the first one above the others.
func (t *terminalWriter) drawGraph(c *Chart) {
	a, room := c.axis(), max(t.width-axisWidth-labelMargin, minGraphWidth)
	rows := max(graphHeight/a.steps, 1) // of characters for each step
	cells := make([][]string, rows*a.steps+1)
	for i := range cells {
		cells[i] = slices.Repeat([]string{" "}, room)
	}
	for i, s := range slices.Backward(c.Series) {
		t.drawLine(cells, a, resample(s.Values, room), c.pen(i))
	}
	t.writeLine(c.YTitle)
	for i, row := range cells {
		number := ""
		if line := i / rows; i%rows == 0 {
			if !a.isRank {
				line = a.steps - line
			}
			number = abbreviate(a.value(float64(line)))
		}
		t.b.WriteString(strings.TrimRight(fmt.Sprintf("%*s ┤%s", axisWidth-2, number, strings.Join(row, "")), " ") + "\n")
	}
	t.writeDates(c.Labels, room)
	t.b.WriteString(strings.Repeat(" ", axisWidth) + c.XTitle + "\n")
}

// drawLine draws a line whose rise or fall to a value is in the column of the value.
func (t *terminalWriter) drawLine(cells [][]string, a axis, values []float64, p pen) {
	last := -1
	for x, v := range values {
		if math.IsNaN(v) {
			last = -1
			continue
		}
		put := func(row, piece int) { cells[row][x] = t.colored(string([]rune(p.line)[piece]), p) }
		row := int(math.Round(a.down(v) * float64(len(cells)-1)))
		for i := min(row, last) + 1; last >= 0 && i < max(row, last); i++ {
			put(i, 1)
		}
		switch {
		case last < 0 || last == row:
			put(row, 0)
		case row < last:
			put(row, 2)
			put(last, 5)
		default:
			put(last, 3)
			put(row, 4)
		}
		last = row
	}
}

// writeDates writes the axis of dates, with labels below some of its points.
func (t *terminalWriter) writeDates(labels []string, room int) {
	line, below := slices.Repeat([]string{"─"}, room), ""
	n, limit := len(labels), max(room/14, 2)
	for i := 0; i < n; i += (n + limit - 1) / limit {
		x := (room - 1) / 2
		if n > 1 {
			x = i * (room - 1) / (n - 1)
		}
		label := safeText(labels[i], maxLabelLength)
		if gap := axisWidth + x - textwidth.Of(label)/2 - textwidth.Of(below); gap > 0 {
			line[x] = "┬"
			below += strings.Repeat(" ", gap) + label
		}
	}
	t.b.WriteString(strings.Repeat(" ", axisWidth-1) + "└" + strings.Join(line, "") + "\n" + below + "\n")
}

// resample stretches or shrinks values to width points. A value extends half the
// way to a missing neighbor, so that even a single value is visible, and so is a single gap.
func resample(values []float64, width int) []float64 {
	if len(values) == 1 {
		values = []float64{math.NaN(), values[0], math.NaN()}
	}
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
