package page

import (
	"fmt"
	"math"
	"strings"

	"reseller/client/summary"
	"reseller/output/palette"
)

// A plot is a chart as a page and a PDF draw it. Places across and down are percentages of the plot,
// so that its letters keep their size on a screen of any width.
type plot struct {
	Title, Description string
	Grid               []gridLine
	Ticks              []tick
	Bars               []bar
	Lines              []line
	Legend             []key
	Note               string
}

// A gridLine is a line across a plot, with its label on the left of it, where the label covers no other line.
type gridLine struct {
	Y    float64 // in percent from the top
	Text string
}

// gutter returns the room for the labels of the lines on the left of a plot: so much a letter, and a margin.
func (p *plot) gutter(letter, margin float64) float64 {
	longest := 0
	for _, g := range p.Grid {
		longest = max(longest, len(g.Text))
	}
	return float64(longest)*letter + margin
}

// A tick is a label below a plot.
type tick struct {
	X      float64
	Text   string
	Anchor string // start, middle or end
}

// A bar is an upright bar.
type bar struct {
	X, Y, Width, Height float64
	Color               string
	Partial             bool
}

// A line goes through points in a square of 1000 units.
type line struct {
	Points []point
	Color  string
	Dashed bool
	Thin   bool
}

// A point is a place from the left and the top. One without a place, a gap of the line, has NaN.
type point struct{ X, Y float64 }

// A key is an entry of the legend.
type key struct {
	Name, Color string
	Dashed      bool
}

const (
	plotTop    = 4.0  // percent of a plot above its highest line, for half of the label of that line
	plotBottom = 13.0 // percent of a plot below its zero line, for the labels of the ticks
	maxTicks   = 5
)

// newPlot returns a plot with the lines of an axis from 0 to at least highest, and the top of that
// axis.
func newPlot(title, unit string, labels []string, highest float64) (plot, float64) {
	p := plot{Title: title, Description: unit}
	step := 1.0
	for i := 0; highest/step > 4; i++ {
		step *= [...]float64{2, 2.5, 2}[i%3]
	}
	steps := max(math.Ceil(highest/step), 1)
	for i := 0.0; i <= steps; i++ {
		p.Grid = append(p.Grid, gridLine{Y: p.down(i / steps), Text: summary.Number(i * step)})
	}
	every := max((len(labels)+maxTicks-1)/maxTicks, 1)
	for i := 0; i < len(labels); i += every {
		p.Ticks = append(p.Ticks, tick{Text: labels[i], Anchor: "middle"})
	}
	return p, steps * step
}

// down returns where a share of the axis is, in percent from the top of the plot.
func (p *plot) down(share float64) float64 {
	return 100 - plotBottom - share*(100-plotTop-plotBottom)
}

// placeTicks places the ticks at every point of a line, or below bars.
func (p *plot) placeTicks(points int, isBars bool) {
	every := max((points+maxTicks-1)/maxTicks, 1)
	for i := range p.Ticks {
		n := i * every
		t := &p.Ticks[i]
		switch {
		case isBars:
			t.X = (float64(n) + 0.5) * 100 / float64(points)
		case n == 0:
			t.X, t.Anchor = 0, "start"
		case n == points-1:
			t.X, t.Anchor = 100, "end"
		default:
			t.X = float64(n) * 100 / float64(points-1)
		}
	}
}

// addLine adds a line through values, with gaps where they are NaN.
func (p *plot) addLine(values []float64, top float64, l line) {
	l.Points = points(values, func(v float64) float64 { return p.down(v/top) * 10 })
	p.Lines = append(p.Lines, l)
}

// points returns the points of values, evenly spread from the left to the right.
func points(values []float64, y func(float64) float64) []point {
	all := make([]point, len(values))
	for i, v := range values {
		all[i] = point{1000 * float64(i) / float64(max(len(values)-1, 1)), v}
		if !math.IsNaN(v) {
			all[i].Y = y(v)
		}
	}
	return all
}

// highestOf returns the highest of several values, 0 if there is none.
func highestOf(lists ...[]float64) float64 {
	highest := 0.0
	for _, list := range lists {
		for _, v := range list {
			if v > highest {
				highest = v
			}
		}
	}
	return highest
}

const (
	seriesVisits    = "visits"
	seriesOrganic   = "organic visits"
	seriesCompleted = "tasks completed"
	seriesGained    = "links gained"
	seriesLost      = "links lost"
	seriesReferring = "referring backlinks"
)

// visitsPlot draws the visits of the period against those of the period before.
func visitsPlot(t *summary.Traffic) plot {
	var labels []string
	var total, organic, before []float64
	isPartial, isCompared := false, false
	for _, p := range t.Points {
		label := p.Label
		if p.Partial {
			label, isPartial = label+"*", true
		}
		labels = append(labels, label)
		total, organic, before = append(total, p.Total), append(organic, p.Organic), append(before, p.Previous)
		isCompared = isCompared || !math.IsNaN(p.Previous)
	}
	if len(labels) == 0 {
		return plot{}
	}
	p, top := newPlot("Visits by "+t.Unit, describe(seriesVisits, t.Unit, labels, total), labels, highestOf(total, organic, before))
	p.placeTicks(len(labels), len(labels) == 1)
	colors := palette.Of(seriesVisits, seriesOrganic)
	if isCompared {
		p.addLine(before, top, line{Dashed: true, Thin: true, Color: palette.Gray})
		p.Legend = append(p.Legend, key{"Visits in the period before", palette.Gray, true})
	}
	p.addLine(organic, top, line{Thin: true, Color: colors[1]})
	p.addLine(total, top, line{Color: colors[0]})
	p.Legend = append([]key{{Name: "Visits", Color: colors[0]}, {Name: "Organic visits", Color: colors[1]}}, p.Legend...)
	p.notePartial(isPartial, t.Unit)
	return p
}

func (p *plot) notePartial(isPartial bool, unit string) {
	if isPartial {
		p.Note = "* Only a part of this " + unit + " is in the period or has data."
	}
}

// donePlot draws the tasks by week.
func donePlot(w *summary.Work) plot {
	return barPlot("Tasks completed by "+w.Unit, w.Unit, w.Intervals, []string{seriesCompleted}, func(in summary.Interval) []int { return []int{in.Count} })
}

// builtPlot draws the links by week.
func builtPlot(l *summary.Links) plot {
	series := []string{seriesGained, seriesLost}
	switch { // what is not known is no series of zeros
	case l.GainedMissing != "":
		series = series[1:]
	case l.LostMissing != "":
		series = series[:1]
	}
	title := "Links by " + l.Unit
	if len(series) == 1 {
		title = strings.ToUpper(series[0][:1]) + series[0][1:] + " by " + l.Unit
	}
	return barPlot(title, l.Unit, l.Intervals, series, func(in summary.Interval) []int {
		if l.GainedMissing != "" {
			return []int{in.Lost}
		}
		return []int{in.Count, in.Lost}[:len(series)]
	})
}

// barPlot draws a bar for each series and interval. It is empty if all counts are 0.
func barPlot(title, unit string, intervals []summary.Interval, series []string, counts func(summary.Interval) []int) plot {
	var labels []string
	all := make([][]float64, len(series))
	isPartial := false
	for _, in := range intervals {
		label := in.Label
		if in.Partial {
			label, isPartial = label+"*", true
		}
		labels = append(labels, label)
		for i, n := range counts(in) {
			all[i] = append(all[i], float64(n))
		}
	}
	highest := highestOf(all...)
	if highest == 0 {
		return plot{}
	}
	var about []string
	for i, name := range series {
		about = append(about, describe(name, unit, labels, all[i]))
	}
	p, top := newPlot(title, strings.Join(about, " "), labels, highest)
	p.placeTicks(len(labels), true)
	colors := palette.Of(series...)
	share := 100 / float64(len(labels)) // of the width, for an interval
	width := min(share*0.7, 12) / float64(len(series))
	for i, values := range all {
		for j, v := range values {
			left := (float64(j)+0.5)*share + (float64(i)-float64(len(series))/2)*width
			if v > 0 {
				p.Bars = append(p.Bars, bar{
					X: left, Y: p.down(v / top), Width: width * 0.94, Height: p.down(0) - p.down(v/top),
					Color: colors[i], Partial: intervals[j].Partial,
				})
			}
		}
		if len(series) > 1 {
			p.Legend = append(p.Legend, key{Name: strings.ToUpper(series[i][:1]) + series[i][1:], Color: colors[i]})
		}
	}
	p.notePartial(isPartial, unit)
	return p
}

// referringPlot draws the number of referring backlinks.
func referringPlot(l *summary.Links) plot {
	if len(l.Referring) < 2 {
		return plot{}
	}
	labels := make([]string, len(l.Days))
	for i, day := range l.Days {
		labels[i] = strings.TrimSpace(day[:max(len(day)-len(" 2006"), 0)])
	}
	p, top := newPlot("Referring backlinks", describe(seriesReferring, "day", l.Days, l.Referring), labels, highestOf(l.Referring))
	p.placeTicks(len(labels), false)
	p.addLine(l.Referring, top, line{Color: palette.Of(seriesReferring)[0]})
	return p
}

// describe tells in words what a series shows.
func describe(name, unit string, labels []string, values []float64) string {
	at, known := -1, 0
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		known++
		if at < 0 || v > values[at] {
			at = i
		}
	}
	if at < 0 {
		return "No " + name + " are known."
	}
	return fmt.Sprintf("%s for each %s from %s to %s. The highest is %s, %s.", strings.ToUpper(name[:1])+name[1:], unit,
		labels[0], labels[len(labels)-1], summary.Number(values[at]), labels[at])
}

// A spark is a small line without an axis, and the last of its points. Both are nil for no line.
type spark struct{ Points, End []point }

// sparkOf returns the line of values, empty if fewer than two are known. Of ranks, 1 is on top.
func sparkOf(values []float64, isRank bool) spark {
	low, high, known, last := 0.0, highestOf(values), 0, -1
	if isRank {
		low = high
	}
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		known, last = known+1, i
		if isRank {
			low = min(low, v)
		}
	}
	if known < 2 {
		return spark{}
	}
	y := func(v float64) float64 {
		share := 0.5 // of a line that is level
		switch {
		case high > low && isRank:
			share = (high - v) / (high - low)
		case high > low:
			share = (v - low) / (high - low)
		case !isRank:
			share = 0
		}
		return 900 - 800*share
	}
	all := points(values, y)
	return spark{all, all[last : last+1]}
}
