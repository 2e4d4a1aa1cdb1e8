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

	"reseller/output/textwidth"
)

// Measures of a picture: pixels, and characters where it says so.
const (
	pictureWidth  = 960
	plotHeight    = 360
	barHeight     = 26
	widestBar     = 60
	barRoom       = 100 // around lying bars: axis and legend
	noteHeight    = 18
	margin        = 20
	labelsAcross  = 8
	labelsBeside  = 6 // a legend
	labelsWithGap = 12
	legendAbove   = 3 // series
	legendRoom    = 256
	noteLength    = 140 // characters
	labelLength   = 12  // characters, below an axis
	nameLength    = 24  // characters, of a series
	barNameLength = 40  // characters, of a bar
	textSize      = 11
	titleSize     = 14
)

// A painter has what all parts of a picture are painted with.
type painter struct {
	*charts.Painter
	font  charts.FontStyle
	names *names
}

// Names are those beside lying bars. In SVG they end where the bars begin in
// whatever font the viewer has, for which they are drawn as figures in their
// place first; nil in a PNG, the font of which is known.
type names []struct {
	name  string
	width int
}

// figureSpace is as wide as a figure; no name begins with one.
const figureSpace = "\u2007"

var placeOfName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<text x="(\d+)"([^>]*)>` + figureSpace + `+(\d+)</text>`)
})

// name is a name as it is drawn first.
func (p painter) name(name string) string {
	if p.names == nil {
		return name
	}
	number := strconv.Itoa(len(*p.names))
	figures := 10*p.MeasureText(name, 0, p.font).Width()/p.MeasureText(strings.Repeat(figureSpace, 10), 0, p.font).Width() + 1
	place := strings.Repeat(figureSpace, max(figures, textwidth.Of(name))) + number // wide letters, or those that the font lacks
	*p.names = append(*p.names, struct {
		name  string
		width int
	}{name, p.MeasureText(place, 0, p.font).Width()})
	return place
}

// put puts the names in their places.
func (n names) put(svg []byte) []byte {
	return placeOfName().ReplaceAllFunc(svg, func(place []byte) []byte {
		m := placeOfName().FindSubmatch(place)
		x, _ := strconv.Atoi(string(m[1]))
		i, _ := strconv.Atoi(string(m[3]))
		return fmt.Appendf(nil, `<text x="%d" text-anchor="end"%s>%s</text>`, x+n[i].width, m[2], html.EscapeString(n[i].name))
	})
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
	look, family, beside := theme(), charts.FontFamilyNotoSans, (*names)(nil)
	if format == charts.ChartOutputSVG { // drawn in a font of the viewer's, so measured in a wide one
		family, beside = charts.FontFamilyNotoSansBold, &names{}
	}
	p := painter{
		Painter: charts.NewPainter(charts.PainterOptions{OutputFormat: format, Width: pictureWidth, Height: height, Theme: look}),
		font:    charts.FontStyle{FontSize: textSize, FontColor: look.GetTitleTextColor(), Font: charts.GetFont(family)},
		names:   beside,
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
	drawn = bytes.ReplaceAll(beside.put(drawn), []byte("font-family:'Noto Sans Display ExtraBold',"), []byte("font-family:Arial,Helvetica,"))
	// Programs that embed the file want to know its size.
	size := fmt.Sprintf(`<svg width="%d" height="%d" `, pictureWidth, height)
	return bytes.Replace(drawn, []byte("<svg "), []byte(size), 1), nil
}

// Lacking are characters of a page that the font of a PNG does not have, the
// first few of them. In SVG and HTML the viewer's own fonts have them.
func Lacking(page Page) string {
	font, lacking := charts.GetFont(charts.FontFamilyNotoSans), []string{}
	look := func(length int, texts ...string) {
		for _, s := range texts {
			for _, r := range text(s, length) {
				if font.Index(r) == 0 && !slices.Contains(lacking, string(r)) {
					lacking = append(lacking, string(r))
				}
			}
		}
	}
	look(noteLength, page.Title)
	look(noteLength, page.About...)
	for i := range page.Charts {
		c := &page.Charts[i]
		look(noteLength, c.Title, c.Missing)
		look(noteLength, c.told()...)
		if c.Kind == Bars {
			look(barNameLength, c.Labels...)
		}
		for _, s := range c.Series {
			look(nameLength, s.Name)
		}
	}
	if len(lacking) > 8 {
		lacking = append(lacking[:8], "…")
	}
	return strings.Join(lacking, " ")
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
	p.Painter = p.Child(option)
	return p
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
	c = c.upright().roomy()
	var err error
	switch {
	case c.empty():
		plot.Text(text(c.Missing, noteLength), margin, margin, 0, p.font)
		return nil
	case c.Kind == Columns || c.Kind == Bars:
		err = plot.BarChart(c.bars(p))
	default:
		err = plot.LineChart(c.lines(p))
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
