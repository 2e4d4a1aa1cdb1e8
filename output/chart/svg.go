package chart

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"reseller/output/typeface"
)

const (
	pictureWidth = 960
	margin       = 20
)

var pictureSize = Size{Width: pictureWidth - 2*margin, Height: 300, Letter: 12}

// Render returns the contents of a file with the charts of a page, as SVG or PNG.
func Render(p Page, f Format) []byte {
	marks, height := p.draw(pictureSize)
	if f == PNG {
		return renderPNG(marks, int(height)+2*margin)
	}
	// Programs that embed the picture want to know its size.
	return fmt.Appendf(nil, `<svg width="%d" height="%.0f" xmlns="http://www.w3.org/2000/svg" viewBox="%d %[3]d %[1]d %.0[2]f" font-family="Arial,Helvetica,sans-serif">`+
		"\n<rect x=\"%[3]d\" y=\"%[3]d\" width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n%[4]s</svg>\n", pictureWidth, height+2*margin, -margin, Elements(marks))
}

// MissingGlyphs returns the first characters that the font of a PNG lacks. SVG and HTML are shown in the viewer's fonts.
func MissingGlyphs(page Page) string {
	var lacking []rune
	marks, _ := page.draw(pictureSize)
	for _, m := range marks {
		for _, r := range m.Text {
			if !typeface.Plain().Has(r) && !slices.Contains(lacking, r) {
				lacking = append(lacking, r)
			}
		}
	}
	return FirstLetters(lacking)
}

// FirstLetters returns the first few of some characters as a note shows them.
func FirstLetters(all []rune) string {
	if len(all) > 8 {
		all = append(slices.Clone(all[:8]), '…')
	}
	return strings.Join(strings.Split(string(all), ""), " ")
}

// classes are the classes by which a page gives marks other colors on a dark screen.
var classes = map[string]string{ColorInk: ` class="ink"`, ColorSoft: ` class="axis"`, ColorGrid: ` class="grid"`}

func Elements(marks []Mark) []byte {
	var b bytes.Buffer
	for i := range marks {
		m := &marks[i]
		look := classes[m.Color]
		switch {
		case m.Text != "":
			if m.Bold {
				look += ` font-weight="bold"`
			}
			if m.Anchor != 0.5 { // beside others, which it must not cover in the font of the viewer
				look += fmt.Sprintf(` textLength="%.4g" lengthAdjust="spacingAndGlyphs"`, typeface.Of(m.Bold).Width(m.Text, m.Size))
			}
			fmt.Fprintf(&b, "<text x=\"%v\" y=\"%v\" font-size=\"%.4g\" text-anchor=\"%s\" fill=\"%s\"%s>%s</text>\n", tenths(m.Points[0].X), tenths(m.Points[0].Y+Baseline*m.Size), m.Size,
				[...]string{"start", "middle", "end"}[int(2*m.Anchor)], m.Color, look, html.EscapeString(m.Text))
		case m.Width == 0:
			fmt.Fprintf(&b, "<path d=\"%sz\" fill=\"%s\"/>\n", m.Path(), m.Color)
		default:
			if m.Dashed {
				look += fmt.Sprintf(` stroke-dasharray="%.3g %.3g"`, m.Width, 3*m.Width)
			}
			fmt.Fprintf(&b, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.3g\" stroke-linecap=\"round\" stroke-linejoin=\"round\"%s/>\n", m.Path(), m.Color, m.Width, look)
		}
	}
	return b.Bytes()
}

func (m *Mark) Path() string {
	b := make([]byte, 0, 12*len(m.Points))
	for run := range m.Runs {
		for i, p := range run {
			b = append(b, "ML"[min(i, 1)])
			b = strconv.AppendFloat(b, tenths(p.X), 'f', -1, 64)
			b = strconv.AppendFloat(append(b, ' '), tenths(p.Y), 'f', -1, 64)
		}
		if len(run) == 1 {
			b = append(b, "h0"...)
		}
	}
	return string(b)
}

func tenths(v float64) float64 { return math.Round(10*v) / 10 }
