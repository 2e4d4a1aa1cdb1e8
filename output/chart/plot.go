package chart

import (
	"slices"
	"strconv"

	"github.com/go-analyze/charts"
)

func (c *Chart) lines(p painter) charts.LineChartOption {
	opt := charts.NewLineChartOptionWithData(c.drawn())
	opt.Theme, opt.Padding, opt.Legend, opt.ValueFormatter = theme(), c.padding(), c.legend(p.font), short
	opt.XAxis = charts.XAxisOption{Labels: c.thin(), LabelCount: len(c.Labels), LabelFontStyle: p.font}
	// The library leaves no gap beside many points, and then begins a label at its point.
	gap := len(c.Labels) <= labelsWithGap
	if opt.XAxis.BoundaryGap = charts.Ptr(gap); !gap {
		opt.XAxis.LabelOffset.Left = 1 - p.MeasureText(opt.XAxis.Labels[0], 0, p.font).Width()/2
	}
	up := &opt.YAxis[0]
	bottom, top, _, steps := c.bounds()
	up.Min, up.Max, up.LabelCount, up.LabelFontStyle = charts.Ptr(bottom), charts.Ptr(top), steps+1, p.font
	opt.StackSeries = charts.Ptr(c.Kind == Stacked)
	opt.Symbol.Shape, opt.FillOpacity = charts.SymbolNone, 150
	if c.Kind == Stacked {
		return opt
	}
	// Together with colors, symbols tell lines apart in print: those that the legend shows as they are.
	symbols := [...]charts.SymbolShape{charts.SymbolDot, charts.SymbolCircle}
	for i := range opt.SeriesList {
		if !slices.Contains(c.Series[i].Between, true) { // what only leads from one to the next is no point
			opt.SeriesList[i].Symbol = charts.Symbol{Shape: symbols[i%len(symbols)]}
		}
	}
	if c.Kind == Ranks {
		opt.ValueFormatter = func(v float64) string { return short(-v) }
	}
	return opt
}

func (c *Chart) bars(p painter) charts.BarChartOption {
	labels, values, lying := c.thin(), c.drawn(), c.Kind == Bars
	if lying { // the library begins at the bottom
		for i, label := range c.Labels {
			labels[len(labels)-1-i] = p.name(text(label, barNameLength))
		}
		for i := range values {
			slices.Reverse(values[i])
		}
	}
	opt := charts.NewBarChartOptionWithData(values)
	opt.Theme, opt.Padding, opt.Legend, opt.ValueFormatter = theme(), c.padding(), c.legend(p.font), short
	opt.Horizontal, opt.StackSeries = lying, charts.Ptr(!lying)
	if !lying {
		opt.BarSize = min(0.8, widestBar*float64(len(labels))/pictureWidth)
	}
	opt.CategoryAxis = charts.CategoryAxisOption{Labels: labels, LabelCount: len(labels), LabelFontStyle: p.font, BoundaryGap: charts.Ptr(true)}
	bottom, top, _, steps := c.bounds()
	opt.ValueAxis = []charts.ValueAxisOption{{
		Show: charts.Ptr(!lying), // each has its number behind it
		Min:  charts.Ptr(bottom), Max: charts.Ptr(top), LabelCount: steps + 1, LabelFontStyle: p.font,
	}}
	for i := range opt.SeriesList {
		opt.SeriesList[i].Label = charts.SeriesLabel{Show: charts.Ptr(lying), ValueFormatter: short, FontStyle: p.font}
	}
	return opt
}

// drawn are the values as they are drawn.
func (c *Chart) drawn() [][]float64 {
	all := make([][]float64, len(c.Series))
	for i, s := range c.Series {
		all[i] = slices.Clone(s.Values)
		if c.Kind == Ranks {
			for j, v := range all[i] {
				all[i][j] = -v
			}
		}
	}
	return all
}

// beside tells whether the legend stands on the right: many names take several
// rows, which the library sets too tight.
func (c *Chart) beside() bool { return len(c.Series) > legendAbove }

// legend names the series, unless there is one that needs no name.
func (c *Chart) legend(font charts.FontStyle) charts.LegendOption {
	names := make([]string, len(c.Series))
	for i := range c.Series {
		names[i] = text(c.seriesName(i), nameLength)
	}
	show := len(c.Series) > 1 || c.Series[0].Name != ""
	legend := charts.LegendOption{
		SeriesNames: names, Show: charts.Ptr(show), Offset: charts.OffsetLeft, FontStyle: font, Padding: charts.Box{Top: 5, IsSet: true},
	}
	if c.beside() {
		legend.Vertical, legend.OverlayChart = charts.Ptr(true), charts.Ptr(false)
		legend.Offset.Left = strconv.Itoa(pictureWidth - 3*margin - legendRoom + margin)
	}
	return legend
}

func (c *Chart) padding() charts.Box {
	box := charts.Box{Left: 2 * margin, Top: 5, Right: 2 * margin, Bottom: margin, IsSet: true}
	if c.beside() {
		box.Right = margin + legendRoom
	}
	return box
}

// thin keeps as many labels as there is room for, evenly.
func (c *Chart) thin() []string {
	across := labelsAcross
	if c.beside() {
		across = labelsBeside
	}
	step := (len(c.Labels) + across - 1) / across
	out := make([]string, len(c.Labels))
	for i := 0; i+step/2 < len(out); i += step { // the last one would be pushed aside
		out[i] = text(c.Labels[i], labelLength)
	}
	return out
}
