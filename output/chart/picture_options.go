package chart

import (
	"slices"
	"strconv"

	"github.com/go-analyze/charts"
)

func (c *Chart) lineOptions(p painter) charts.LineChartOption {
	opt := charts.NewLineChartOptionWithData(c.plotValues())
	opt.Theme, opt.Padding, opt.Legend, opt.ValueFormatter = c.theme(), c.padding(), c.legendOptions(p.font), abbreviate
	opt.XAxis = charts.XAxisOption{Labels: c.sparseLabels(), LabelCount: len(c.Labels), LabelFontStyle: p.font}
	// With many points, leave no gap beside them; then the library begins a label at
	// its point, so shift it by half its width.
	gap := len(c.Labels) <= maxPointsWithGap
	if opt.XAxis.BoundaryGap = charts.Ptr(gap); !gap {
		opt.XAxis.LabelOffset.Left = 1 - p.MeasureText(opt.XAxis.Labels[0], 0, p.font).Width()/2
	}
	yAxis := &opt.YAxis[0]
	bottom, top, _, steps := c.bounds()
	yAxis.Min, yAxis.Max, yAxis.LabelCount, yAxis.LabelFontStyle = charts.Ptr(bottom), charts.Ptr(top), steps+1, p.font
	opt.Symbol.Shape = charts.SymbolNone
	// Symbols tell lines apart in print without colors. These two look the same in
	// the legend.
	symbols := [...]charts.SymbolShape{charts.SymbolDot, charts.SymbolCircle}
	for i := range opt.SeriesList {
		if !slices.Contains(c.Series[i].Interpolated, true) { // a point that only connects others gets no symbol
			opt.SeriesList[i].Symbol = charts.Symbol{Shape: symbols[c.places[i]%len(symbols)]}
		}
	}
	if c.Kind == KindRanks {
		opt.ValueFormatter = func(v float64) string { return abbreviate(-v) }
	}
	return opt
}

func (c *Chart) barOptions(p painter) charts.BarChartOption {
	labels, values, horizontal := c.sparseLabels(), c.plotValues(), c.Kind == KindBars
	if horizontal { // the library draws the first label at the bottom
		for i, label := range c.Labels {
			labels[len(labels)-1-i] = p.barName(safeText(label, maxBarNameLength))
		}
		for i := range values {
			slices.Reverse(values[i])
		}
	}
	opt := charts.NewBarChartOptionWithData(values)
	opt.Theme, opt.Padding, opt.Legend, opt.ValueFormatter = c.theme(), c.padding(), c.legendOptions(p.font), abbreviate
	opt.Horizontal, opt.StackSeries = horizontal, charts.Ptr(!horizontal)
	if !horizontal {
		opt.BarSize = min(0.8, maxBarWidth*float64(len(labels))/pictureWidth)
	}
	opt.CategoryAxis = charts.CategoryAxisOption{Labels: labels, LabelCount: len(labels), LabelFontStyle: p.font, BoundaryGap: charts.Ptr(true)}
	bottom, top, _, steps := c.bounds()
	opt.ValueAxis = []charts.ValueAxisOption{{
		Show: charts.Ptr(!horizontal), // each bar has its number after it
		Min:  charts.Ptr(bottom), Max: charts.Ptr(top), LabelCount: steps + 1, LabelFontStyle: p.font,
	}}
	for i := range opt.SeriesList {
		opt.SeriesList[i].Label = charts.SeriesLabel{Show: charts.Ptr(horizontal), ValueFormatter: abbreviate, FontStyle: p.font}
	}
	return opt
}

// plotValues returns the values to draw, which are negative for ranks.
func (c *Chart) plotValues() [][]float64 {
	all := make([][]float64, len(c.Series))
	for i, s := range c.Series {
		all[i] = slices.Clone(s.Values)
		if c.Kind == KindRanks {
			for j, v := range all[i] {
				all[i][j] = -v
			}
		}
	}
	return all
}

// hasSideLegend reports whether the legend is on the right. Above the chart, many
// names would take several rows, which the library draws too close together.
func (c *Chart) hasSideLegend() bool { return len(c.Series) > maxTopLegend }

// legendOptions returns a legend with the names of the series. The legend is
// hidden if there is only one series and it has no name.
func (c *Chart) legendOptions(font charts.FontStyle) charts.LegendOption {
	names := make([]string, len(c.Series))
	for i := range c.Series {
		names[i] = safeText(c.seriesName(i), maxNameLength)
	}
	show := len(c.Series) > 1 || c.Series[0].Name != ""
	legend := charts.LegendOption{
		SeriesNames: names, Show: charts.Ptr(show), Offset: charts.OffsetLeft, FontStyle: font, Padding: charts.Box{Top: 5, IsSet: true},
	}
	if c.hasSideLegend() {
		legend.Vertical, legend.OverlayChart = charts.Ptr(true), charts.Ptr(false)
		legend.Offset.Left = strconv.Itoa(pictureWidth - 3*margin - legendWidth + margin)
	}
	return legend
}

func (c *Chart) padding() charts.Box {
	box := charts.Box{Left: 2 * margin, Top: 5, Right: 2 * margin, Bottom: margin, IsSet: true}
	if c.hasSideLegend() {
		box.Right = margin + legendWidth
	}
	return box
}

// sparseLabels returns the labels. If there are too many, most of them are empty,
// so that there is room for the others.
func (c *Chart) sparseLabels() []string {
	across := maxLabels
	if c.hasSideLegend() {
		across = maxLabelsBesideLegend
	}
	step := (len(c.Labels) + across - 1) / across
	out := make([]string, len(c.Labels))
	for i := 0; i+step/2 < len(out); i += step { // not the last one, which the library would move
		out[i] = safeText(c.Labels[i], maxLabelLength)
	}
	return out
}
