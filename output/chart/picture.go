package chart

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/go-analyze/charts"
)

// Measures of a picture: pixels, and characters where it says so.
const (
	pictureWidth  = 960
	plotHeight    = 360
	barHeight     = 26
	barRoom       = 100 // around lying bars: axis and legend
	noteHeight    = 18
	margin        = 20
	labelsAcross  = 8
	noteLength    = 140 // characters
	labelLength   = 12  // characters, below an axis
	nameLength    = 28  // characters, of a series
	barNameLength = 40  // characters, of a bar
	textSize      = 11
	titleSize     = 14
)

// A painter has what all parts of a picture are painted with.
type painter struct {
	*charts.Painter
	font charts.FontStyle
}

// picture draws the charts of a page below each other: with titles and notes,
// or bare for a document that has those itself.
func picture(format string, page Page, bare bool) ([]byte, error) {
	all, head := page.Charts, 0
	if !bare {
		head = 2*margin + noteHeight*len(page.About)
	}
	height := head
	for i := range all {
		height += all[i].height(bare)
	}
	look, family := theme(), charts.FontFamilyRoboto
	if format == charts.ChartOutputSVG { // drawn in a font of the viewer's, so measured in a wide one
		family = charts.FontFamilyNotoSansBold
	}
	p := painter{
		Painter: charts.NewPainter(charts.PainterOptions{OutputFormat: format, Width: pictureWidth, Height: height, Theme: look}),
		font:    charts.FontStyle{FontSize: textSize, FontColor: look.GetTitleTextColor(), Font: charts.GetFont(family)},
	}
	p.FilledRect(0, 0, pictureWidth, height, charts.ColorWhite, charts.ColorWhite, 0)
	if !bare {
		p.title(page.Title, margin+titleSize, titleSize+3)
		for i, about := range page.About {
			p.Text(text(about, noteLength), margin, 2*margin+noteHeight*i+titleSize, 0, p.font)
		}
	}
	top := head
	for i := range all {
		c := &all[i]
		box := charts.Box{Top: top, Right: pictureWidth, Bottom: top + c.height(bare), IsSet: true}
		top = box.Bottom
		if err := c.paint(p.part(charts.PainterBoxOption(box)), bare); err != nil {
			return nil, fmt.Errorf("drawing %q: %w", c.Title, err)
		}
	}
	drawn, err := p.Bytes()
	if err != nil || format != charts.ChartOutputSVG {
		return drawn, err
	}
	drawn = bytes.ReplaceAll(drawn, []byte("'Noto Sans Display ExtraBold',"), []byte("Arial,Helvetica,"))
	// Programs that embed the file want to know its size.
	size := fmt.Sprintf(`<svg width="%d" height="%d" `, pictureWidth, height)
	return bytes.Replace(drawn, []byte("<svg "), []byte(size), 1), nil
}

// theme has colors that can be told apart by people who see few.
func theme() charts.ColorPalette {
	var series []charts.Color
	for _, color := range [MaxSeries]string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7a5c00", "#666666"} {
		series = append(series, charts.ColorFromHex(color))
	}
	return charts.GetTheme(charts.ThemeLight).WithSeriesColors(series)
}

func (p painter) part(option charts.PainterOptionFunc) painter {
	return painter{Painter: p.Child(option), font: p.font}
}

// title writes a line in larger letters.
func (p painter) title(s string, y int, size float64) {
	font := p.font
	font.FontSize = size
	p.Text(text(s, noteLength), margin, y, 0, font)
}

// plot is the height of the plot alone.
func (c *Chart) plot() int {
	switch {
	case c.empty():
		return 2 * margin
	case c.Kind == Bars:
		return barRoom + len(c.Labels)*max(barHeight, 16*len(c.Series)+10)
	}
	return plotHeight
}

func (c *Chart) height(bare bool) int {
	if bare {
		return c.plot()
	}
	return c.plot() + 2*margin + noteHeight*len(c.told()) + margin/2
}

func (c *Chart) paint(p painter, bare bool) error {
	plot := p
	if !bare {
		p.title(c.Title, margin+10, titleSize)
		for i, note := range c.told() {
			p.Text(text(note, noteLength), margin, 2*margin+c.plot()+noteHeight*i+12, 0, p.font)
		}
		plot = p.part(charts.PainterPaddingOption(charts.Box{Top: 2 * margin, Bottom: p.Height() - 2*margin - c.plot(), IsSet: true}))
	}
	var err error
	switch {
	case c.empty():
		plot.Text(text(c.Missing, noteLength), margin, margin, 0, p.font)
		return nil
	case c.Kind == Columns || c.Kind == Bars:
		err = plot.BarChart(c.bars(p.font))
	default:
		err = plot.LineChart(c.lines(p.font))
	}
	c.name(plot)
	return err
}

// name writes what the axes show.
func (c *Chart) name(p painter) {
	across, up := c.Across, c.Up
	if c.Kind == Bars {
		across, up = up, ""
	}
	p.Text(across, (p.Width()-p.MeasureText(across, 0, p.font).Width())/2, p.Height()-6, 0, p.font)
	p.Text(up, margin, (p.Height()+p.MeasureText(up, 0, p.font).Width())/2, -math.Pi/2, p.font)
}

func (c *Chart) lines(font charts.FontStyle) charts.LineChartOption {
	opt := charts.NewLineChartOptionWithData(c.drawn())
	opt.Theme, opt.Padding, opt.Legend, opt.ValueFormatter = theme(), padding(), c.legend(font), short
	opt.XAxis = charts.XAxisOption{Labels: thin(c.Labels), LabelCount: len(c.Labels), BoundaryGap: charts.Ptr(true), LabelFontStyle: font}
	up := &opt.YAxis[0]
	up.LabelFontStyle = font
	opt.StackSeries = charts.Ptr(c.Kind == Stacked)
	opt.Symbol.Shape, opt.FillOpacity = charts.SymbolNone, 150
	if c.Kind == Stacked {
		up.Min = charts.Ptr(0.0)
		return opt
	}
	// Together with colors, symbols tell lines apart in print.
	symbols := [...]charts.SymbolShape{charts.SymbolDot, charts.SymbolSquare, charts.SymbolDiamond, charts.SymbolCircle}
	for i := range opt.SeriesList {
		if !slices.Contains(c.Series[i].Between, true) { // what only leads from one to the next is no point
			opt.SeriesList[i].Symbol = charts.Symbol{Shape: symbols[i%len(symbols)]}
		}
	}
	bottom, top, _, steps := c.bounds()
	up.Min, up.Max, up.LabelCount = charts.Ptr(bottom), charts.Ptr(top), steps+1
	if c.Kind == Ranks {
		opt.ValueFormatter = func(v float64) string {
			if v == 0 {
				return ""
			}
			return short(-v)
		}
	}
	return opt
}

func (c *Chart) bars(font charts.FontStyle) charts.BarChartOption {
	labels, values := thin(c.Labels), c.drawn()
	if c.Kind == Bars { // the library begins at the bottom
		for i, label := range c.Labels {
			labels[len(labels)-1-i] = text(label, barNameLength)
		}
		for i := range values {
			slices.Reverse(values[i])
		}
	}
	opt := charts.NewBarChartOptionWithData(values)
	opt.Theme, opt.Padding, opt.Legend, opt.ValueFormatter = theme(), padding(), c.legend(font), short
	opt.Horizontal = c.Kind == Bars
	opt.StackSeries = charts.Ptr(c.Kind == Columns)
	opt.CategoryAxis = charts.CategoryAxisOption{Labels: labels, LabelCount: len(labels), LabelFontStyle: font}
	bottom, top, _, steps := c.bounds()
	opt.ValueAxis = []charts.ValueAxisOption{{
		Min: charts.Ptr(bottom), Max: charts.Ptr(top), LabelCount: steps + 1,
		SplitLineShow: charts.Ptr(true), LabelFontStyle: font,
	}}
	for i := range opt.SeriesList {
		opt.SeriesList[i].Label = charts.SeriesLabel{Show: charts.Ptr(c.Kind == Bars), ValueFormatter: short, FontStyle: font}
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

// legend names the series, unless there is one that needs no name.
func (c *Chart) legend(font charts.FontStyle) charts.LegendOption {
	names := make([]string, len(c.Series))
	for i := range c.Series {
		names[i] = text(c.seriesName(i), nameLength)
	}
	show := len(c.Series) > 1 || c.Series[0].Name != ""
	return charts.LegendOption{
		SeriesNames: names, Show: charts.Ptr(show), Offset: charts.OffsetLeft, FontStyle: font, Padding: charts.Box{Top: 5, IsSet: true},
	}
}

func padding() charts.Box {
	return charts.Box{Left: 2 * margin, Top: 5, Right: 2 * margin, Bottom: margin, IsSet: true}
}

// thin keeps as many labels as there is room for, evenly.
func thin(labels []string) []string {
	step := (len(labels) + labelsAcross - 1) / labelsAcross
	out := make([]string, len(labels))
	for i := 0; i+step/2 < len(labels); i += step { // the last one would be pushed aside
		out[i] = text(labels[i], labelLength)
	}
	return out
}
