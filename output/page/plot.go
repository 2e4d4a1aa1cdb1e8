package page

import (
	"fmt"
	"math"
	"slices"
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

// newPlot returns a plot with the lines of an axis from 0 to at least highest, with ticks at the points of a line or below
// bars, and the top of that axis.
func newPlot(title, about, unit string, labels []string, isBars bool, highest float64) (plot, float64) {
	p := plot{Title: title, Description: about}
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
		t := tick{Text: labels[i], Anchor: "middle"}
		switch {
		case isBars:
			t.X = (float64(i) + 0.5) * 100 / float64(len(labels))
		case i == 0:
			t.Anchor = "start"
		case i == len(labels)-1:
			t.X, t.Anchor = 100, "end"
		default:
			t.X = float64(i) * 100 / float64(len(labels)-1)
		}
		p.Ticks = append(p.Ticks, t)
	}
	if slices.ContainsFunc(labels, func(label string) bool { return strings.HasSuffix(label, partialMark) }) {
		p.Note = partialMark + " Only a part of this " + unit + " is in the period or has data."
	}
	return p, steps * step
}

// partialMark ends the label of an interval that is not whole.
const partialMark = "*"

func markPartial(label string, isPartial bool) string {
	if isPartial {
		return label + partialMark
	}
	return label
}

// down returns where a share of the axis is, in percent from the top of the plot.
func (p *plot) down(share float64) float64 {
	return 100 - plotBottom - share*(100-plotTop-plotBottom)
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
	for _, v := range slices.Concat(lists...) {
		if v > highest { // which NaN is not
			highest = v
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
	for _, p := range t.Points {
		labels = append(labels, markPartial(p.Label, p.Partial))
		total, organic, before = append(total, p.Total), append(organic, p.Organic), append(before, p.Previous)
	}
	if len(labels) == 0 {
		return plot{}
	}
	p, top := newPlot("Visits by "+t.Unit, describe(seriesVisits, t.Unit, labels, total), t.Unit, labels, len(labels) == 1, highestOf(total, organic, before))
	colors := palette.Of(seriesVisits, seriesOrganic)
	p.Legend = []key{{Name: "Visits", Color: colors[0]}, {Name: "Organic visits", Color: colors[1]}}
	if slices.ContainsFunc(before, func(v float64) bool { return !math.IsNaN(v) }) {
		p.addLine(before, top, line{Dashed: true, Thin: true, Color: palette.Gray})
		p.Legend = append(p.Legend, key{"Visits in the period before", palette.Gray, true})
	}
	p.addLine(organic, top, line{Thin: true, Color: colors[1]})
	p.addLine(total, top, line{Color: colors[0]})
	return p
}

// donePlot draws the tasks by week.
func donePlot(w *summary.Work) plot {
	return barPlot("Tasks completed by "+w.Unit, w.Unit, w.Intervals, countsOf(seriesCompleted, w.Intervals, func(in summary.Interval) int { return in.Count }))
}

// builtPlot draws the links by week. What is not known is no series of zeros.
func builtPlot(l *summary.Links) plot {
	var all []counts
	if l.GainedMissing == "" {
		all = append(all, countsOf(seriesGained, l.Intervals, func(in summary.Interval) int { return in.Count }))
	}
	if l.LostMissing == "" {
		all = append(all, countsOf(seriesLost, l.Intervals, func(in summary.Interval) int { return in.Lost }))
	}
	title := "Links"
	if len(all) == 1 {
		title = capitalized(all[0].name)
	}
	return barPlot(title+" by "+l.Unit, l.Unit, l.Intervals, all...)
}

// counts are a number for each interval.
type counts struct {
	name   string
	values []float64
}

func countsOf(name string, intervals []summary.Interval, count func(summary.Interval) int) counts {
	c := counts{name: name}
	for _, in := range intervals {
		c.values = append(c.values, float64(count(in)))
	}
	return c
}

// barPlot draws a bar for each series and interval. It is empty if all counts are 0.
func barPlot(title, unit string, intervals []summary.Interval, all ...counts) plot {
	var labels, names, about []string
	for _, in := range intervals {
		labels = append(labels, markPartial(in.Label, in.Partial))
	}
	highest := 0.0
	for _, series := range all {
		highest = max(highest, highestOf(series.values))
	}
	if highest == 0 {
		return plot{}
	}
	for _, series := range all {
		names, about = append(names, series.name), append(about, describe(series.name, unit, labels, series.values))
	}
	p, top := newPlot(title, strings.Join(about, " "), unit, labels, true, highest)
	colors := palette.Of(names...)
	share := 100 / float64(len(labels)) // of the width, for an interval
	width := min(share*0.7, 12) / float64(len(all))
	for i, series := range all {
		for j, v := range series.values {
			left := (float64(j)+0.5)*share + (float64(i)-float64(len(all))/2)*width
			if v > 0 {
				p.Bars = append(p.Bars, bar{
					X: left, Y: p.down(v / top), Width: width * 0.94, Height: p.down(0) - p.down(v/top),
					Color: colors[i], Partial: intervals[j].Partial,
				})
			}
		}
		if len(all) > 1 {
			p.Legend = append(p.Legend, key{Name: capitalized(series.name), Color: colors[i]})
		}
	}
	return p
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// referringPlot draws the number of referring backlinks.
func referringPlot(l *summary.Links) plot {
	if len(l.Referring) < 2 {
		return plot{}
	}
	labels := make([]string, len(l.Days))
	for i, day := range l.Days {
		labels[i] = strings.TrimSpace(day[:max(len(day)-len(" 2006"), 0)])
	}
	p, top := newPlot("Referring backlinks", describe(seriesReferring, "day", l.Days, l.Referring), "", labels, false, highestOf(l.Referring))
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
	return fmt.Sprintf("%s for each %s from %s to %s. The highest is %s, %s.", capitalized(name), unit,
		labels[0], labels[len(labels)-1], summary.Number(values[at]), labels[at])
}

// A spark is a small line without an axis, and the last of its points. Both are nil for no line.
type spark struct{ Points, End []point }

// sparkOf returns the line of values, empty if fewer than two are known. Of ranks, 1 is on top.
func sparkOf(values []float64, isRank bool) spark {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(known) < 2 {
		return spark{}
	}
	bottom, top, level := 0.0, slices.Max(known), 0.0
	if isRank {
		bottom, top, level = top, slices.Min(known), 0.5
	}
	all := points(values, func(v float64) float64 {
		share := level
		if bottom != top {
			share = (v - bottom) / (top - bottom)
		}
		return 900 - 800*share
	})
	last := len(values) - 1
	for math.IsNaN(values[last]) {
		last--
	}
	return spark{all, all[last : last+1]}
}
