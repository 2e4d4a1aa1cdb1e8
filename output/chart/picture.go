package chart

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-analyze/charts"

	"reseller/output/palette"
	"reseller/output/textwidth"
)

// Sizes in a picture, in pixels unless the comment says otherwise.
const (
	pictureWidth          = 960
	linePlotHeight        = 360
	minBarHeight          = 26
	maxBarWidth           = 60
	barMargin             = 100 // around horizontal bars, for the axis and the legend
	noteHeight            = 18
	margin                = 20
	maxLabels             = 8  // of the label axis
	maxLabelsBesideLegend = 6  // of the label axis, if there is a legend on the right
	maxPointsWithGap      = 12 // of a line, with a gap at either end of the axis
	maxTopLegend          = 3  // series in a legend above the chart
	legendWidth           = 256
	maxNoteLength         = 140 // characters
	maxLabelLength        = 12  // characters, below an axis
	maxNameLength         = 24  // characters, of a series
	maxBarNameLength      = 40  // characters, of a bar
	textSize              = 11
	titleSize             = 14
)

// painter has what all parts of a picture are drawn with.
type painter struct {
	*charts.Painter
	font     charts.FontStyle
	barNames *barNames
}

// barNames are the names beside the horizontal bars of an SVG. A name must end
// where its bar begins, in any font that the viewer has, but the library places
// names by their width in its own font. The library is therefore given
// placeholders, which replaceIn replaces by right-aligned names. In a PNG, whose
// font is known, barNames is nil and the library draws the names itself.
type barNames []struct {
	name  string
	width int
}

// figureSpace is as wide as a digit. A placeholder begins with several; no name
// begins with one.
const figureSpace = "\u2007"

var barNamePlaceholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<text x="(\d+)"([^>]*)>` + figureSpace + `+(\d+)</text>`)
})

// barName returns the text to give to the library for a name: a placeholder that
// is at least as wide and ends with the index of the name, or in a PNG the name.
func (p painter) barName(name string) string {
	if p.barNames == nil {
		return name
	}
	number := strconv.Itoa(len(*p.barNames))
	figures := 10*p.MeasureText(name, 0, p.font).Width()/p.MeasureText(strings.Repeat(figureSpace, 10), 0, p.font).Width() + 1
	place := strings.Repeat(figureSpace, max(figures, textwidth.Of(name))) + number // the font may lack wide letters
	*p.barNames = append(*p.barNames, struct {
		name  string
		width int
	}{name, p.MeasureText(place, 0, p.font).Width()})
	return place
}

// replaceIn replaces the placeholders in a picture by the names.
func (n barNames) replaceIn(svg []byte) []byte {
	return barNamePlaceholder().ReplaceAllFunc(svg, func(place []byte) []byte {
		m := barNamePlaceholder().FindSubmatch(place)
		x, _ := strconv.Atoi(string(m[1]))
		i, _ := strconv.Atoi(string(m[3]))
		return fmt.Appendf(nil, `<text x="%d" text-anchor="end"%s>%s</text>`, x+n[i].width, m[2], html.EscapeString(n[i].name))
	})
}

// renderPicture draws the charts of a page below each other. With bare it leaves
// out titles and notes, which are on the HTML page already.
func renderPicture(format string, page Page, bare bool) ([]byte, error) {
	all, head := page.Charts, 0
	if !bare {
		head = 2*margin + noteHeight*len(page.About)
	}
	height := head
	for i := range all {
		height += all[i].height(bare)
	}
	look, family, names := charts.GetTheme(charts.ThemeLight), charts.FontFamilyNotoSans, (*barNames)(nil)
	if format == charts.ChartOutputSVG { // the viewer's font is unknown, so texts are measured in a wide one
		family, names = charts.FontFamilyNotoSansBold, &barNames{}
	}
	p := painter{
		Painter:  charts.NewPainter(charts.PainterOptions{OutputFormat: format, Width: pictureWidth, Height: height, Theme: look}),
		font:     charts.FontStyle{FontSize: textSize, FontColor: look.GetTitleTextColor(), Font: charts.GetFont(family)},
		barNames: names,
	}
	p.FilledRect(0, 0, pictureWidth, height, charts.ColorWhite, charts.ColorWhite, 0)
	if !bare {
		p.drawTitle(page.Title, margin+titleSize, titleSize+3)
		for i, about := range page.About {
			p.Text(safeText(about, maxNoteLength), margin, 2*margin+noteHeight*i+titleSize, 0, p.font)
		}
	}
	top := head
	for i := range all {
		c := &all[i]
		box := charts.Box{Top: top, Right: pictureWidth, Bottom: top + c.height(bare), IsSet: true}
		top = box.Bottom
		if err := c.paint(p.child(charts.PainterBoxOption(box)), bare); err != nil {
			return nil, fmt.Errorf("drawing %q: %w", c.Title, err)
		}
	}
	drawn, err := p.Bytes()
	if err != nil || format != charts.ChartOutputSVG {
		return drawn, err
	}
	drawn = bytes.ReplaceAll(names.replaceIn(drawn), []byte("font-family:'Noto Sans Display ExtraBold',"), []byte("font-family:Arial,Helvetica,"))
	// Programs that embed the file want to know its size.
	size := fmt.Sprintf(`<svg width="%d" height="%d" `, pictureWidth, height)
	return bytes.Replace(drawn, []byte("<svg "), []byte(size), 1), nil
}

// MissingGlyphs returns the first few characters of a page that the font of a PNG
// does not have. SVG and HTML are shown in the viewer's own fonts, which have
// them.
func MissingGlyphs(page Page) string {
	font, lacking := charts.GetFont(charts.FontFamilyNotoSans), []string{}
	check := func(length int, texts ...string) {
		for _, s := range texts {
			for _, r := range safeText(s, length) {
				if font.Index(r) == 0 && !slices.Contains(lacking, string(r)) {
					lacking = append(lacking, string(r))
				}
			}
		}
	}
	check(maxNoteLength, page.Title)
	check(maxNoteLength, page.About...)
	for i := range page.Charts {
		c := &page.Charts[i]
		check(maxNoteLength, c.Title, c.NoData)
		check(maxNoteLength, c.allNotes()...)
		if c.Kind == KindBars {
			check(maxBarNameLength, c.Labels...)
		}
		for _, s := range c.Series {
			check(maxNameLength, s.Name)
		}
	}
	if len(lacking) > 8 {
		lacking = append(lacking[:8], "…")
	}
	return strings.Join(lacking, " ")
}

// theme returns the colors of the chart, which are those of its series on all charts.
func (c *Chart) theme() charts.ColorPalette {
	var colors []charts.Color
	for _, at := range c.places {
		colors = append(colors, charts.ColorFromHex(palette.Colors[at]))
	}
	return charts.GetTheme(charts.ThemeLight).WithSeriesColors(colors)
}

func (p painter) child(option charts.PainterOptionFunc) painter {
	p.Painter = p.Child(option)
	return p
}

// drawTitle draws a line in larger letters.
func (p painter) drawTitle(s string, y int, size float64) {
	font := p.font
	font.FontSize = size
	p.Text(safeText(s, maxNoteLength), margin, y, 0, font)
}

// plotHeight returns the height of a chart without title and notes.
func (c *Chart) plotHeight() int {
	switch {
	case c.empty():
		return 2 * margin
	case c.Kind == KindBars:
		return barMargin + len(c.Labels)*max(minBarHeight, 16*len(c.Series)+10)
	}
	return linePlotHeight
}

func (c *Chart) height(bare bool) int {
	if bare {
		return c.plotHeight()
	}
	return c.plotHeight() + 2*margin + noteHeight*len(c.allNotes()) + margin/2
}

func (c *Chart) paint(p painter, bare bool) error {
	plot := p
	if !bare {
		p.drawTitle(c.Title, margin+10, titleSize)
		for i, note := range c.allNotes() {
			p.Text(safeText(note, maxNoteLength), margin, 2*margin+c.plotHeight()+noteHeight*i+12, 0, p.font)
		}
		plot = p.child(charts.PainterPaddingOption(charts.Box{Top: 2 * margin, Bottom: p.Height() - 2*margin - c.plotHeight(), IsSet: true}))
	}
	c = c.padded()
	var err error
	switch {
	case c.empty():
		plot.Text(safeText(c.NoData, maxNoteLength), margin, margin, 0, p.font)
		return nil
	case c.Kind == KindStackedColumns || c.Kind == KindBars:
		err = plot.BarChart(c.barOptions(p))
	default:
		err = plot.LineChart(c.lineOptions(p))
	}
	c.axisTitles(plot)
	return err
}

// axisTitles draws the titles of the axes.
func (c *Chart) axisTitles(p painter) {
	across, up := c.XTitle, c.YTitle
	if c.Kind == KindBars {
		across, up = up, ""
	}
	p.Text(across, (p.Width()-p.MeasureText(across, 0, p.font).Width())/2, p.Height()-6, 0, p.font)
	p.Text(up, margin, (p.Height()+p.MeasureText(up, 0, p.font).Width())/2, -math.Pi/2, p.font)
}
