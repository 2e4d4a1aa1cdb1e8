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

// Sizes in a picture, in pixels unless the comment says otherwise.
const (
	pictureWidth  = 960
	margin        = 20
	textSize      = 12
	maxNoteLength = 140 // characters
)

// draw lays out the charts of a page below each other, with their titles and notes.
func (p Page) draw() (marks []Mark, height float64) {
	y := float64(margin)
	add := func(s, color string, size float64, isBold bool) {
		y += size + 4
		d := drawing{Size: Size{Letter: size}}
		if s = d.fit(s, maxNoteLength, pictureWidth-2*margin); s != "" {
			marks = append(marks, Mark{Text: s, Points: []Point{{margin, y}}, Size: size, Bold: isBold, Color: color})
		}
	}
	add(p.Title, ColorInk, 17, true)
	for _, about := range p.About {
		add(about, ColorInk, textSize, false)
	}
	for i := range p.Charts {
		c := &p.Charts[i]
		y += margin
		add(c.Title, ColorInk, 14, true)
		y += 8
		if c.empty() {
			add(c.NoData, ColorInk, textSize, false)
		} else {
			drawn, height := c.Draw(Size{Width: pictureWidth - 2*margin, Height: 300, Letter: textSize})
			for _, m := range drawn {
				marks = append(marks, m.Moved(margin, y))
			}
			y += height
		}
		for _, note := range c.allNotes() {
			add(note, ColorSoft, textSize, false)
		}
	}
	return marks, math.Ceil(y + margin)
}

// Moved returns the mark at another place.
func (m Mark) Moved(x, y float64) Mark {
	m.Points = slices.Clone(m.Points)
	for i := range m.Points {
		m.Points[i].X += x
		m.Points[i].Y += y
	}
	return m
}

// MissingGlyphs returns the first few characters of a page that the font of a PNG
// does not have. SVG and HTML are shown in the viewer's own fonts, which have
// them.
func MissingGlyphs(page Page) string {
	var lacking []rune
	marks, _ := page.draw()
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

// renderSVG draws the charts of a page as a file. Programs that embed it want to know its size.
func renderSVG(p Page) []byte {
	marks, height := p.draw()
	return fmt.Appendf(nil, `<svg width="%d" height="%.0f" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %.0[2]f" font-family="Arial,Helvetica,sans-serif">`+
		"\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n%s</svg>\n", pictureWidth, height, Elements(marks))
}

// classes are the classes by which a page gives marks other colors on a dark screen.
var classes = map[string]string{ColorInk: "ink", ColorSoft: "axis", ColorGrid: "grid"}

// Elements returns marks as elements of an SVG.
func Elements(marks []Mark) []byte {
	var b bytes.Buffer
	for i := range marks {
		m := &marks[i]
		look := ""
		if class := classes[m.Color]; class != "" {
			look = fmt.Sprintf(` class="%s"`, class)
		}
		if m.Text != "" {
			if m.Bold {
				look += ` font-weight="bold"`
			}
			fmt.Fprintf(&b, "<text x=\"%v\" y=\"%v\" font-size=\"%.4g\" text-anchor=\"%s\" fill=\"%s\"%s>%s</text>\n", tenths(m.Points[0].X), tenths(m.Points[0].Y), m.Size,
				[...]string{"start", "middle", "end"}[int(2*m.Anchor)], m.Color, look, html.EscapeString(m.Text))
			continue
		}
		switch {
		case m.Width == 0:
			fmt.Fprintf(&b, "<path d=\"%sz\" fill=\"%s\"/>\n", m.Path(), m.Color)
			continue
		case m.Dashed:
			look += fmt.Sprintf(` stroke-dasharray="%.3g %.3g"`, m.Width, 3*m.Width)
		}
		fmt.Fprintf(&b, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.3g\" stroke-linecap=\"round\" stroke-linejoin=\"round\"%s/>\n", m.Path(), m.Color, m.Width, look)
	}
	return b.Bytes()
}

// Path returns the line or the area as an SVG path.
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
