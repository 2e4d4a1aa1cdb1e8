package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"reseller/output/palette"
	"reseller/output/textwidth"
	"reseller/output/typeface"
)

// A Mark is a part of a picture: a line, an area or a text.
type Mark struct {
	Points []Point // of the line, the corners of the area, or where the text is, which is halfway up its letters
	Color  string  // in hexadecimal
	Width  float64 // of the line, 0 for an area
	Dashed bool

	Text   string
	Size   float64 // of the letters of the text
	Anchor float64 // the share of the text that is on the left of its point
	Bold   bool
}

// A Point is a place from the left and the top. One whose Y is NaN is a gap of a line.
type Point struct{ X, Y float64 }

// Baseline is how far the letters of a text stand below its point, in sizes of the letters.
const Baseline = 0.35

// Runs yields the parts of a line between its gaps. A part of one point is drawn as a dot.
func (m *Mark) Runs(yield func([]Point) bool) {
	for rest := m.Points; len(rest) > 0; {
		end := slices.IndexFunc(rest, func(p Point) bool { return math.IsNaN(p.Y) })
		if end < 0 {
			end = len(rest)
		}
		if end > 0 && !yield(rest[:end]) {
			return
		}
		rest = rest[min(end+1, len(rest)):]
	}
}

// The colors of what is not a series.
const (
	ColorInk  = "#000000"
	ColorSoft = "#4b545d" // of texts and axes
	ColorGrid = "#dddddd"
)

type Size struct {
	Width  float64
	Height float64 // of the area between the axes; bars of a terminal are as high as they need to be
	Letter float64 // of the letters, 0 for a terminal, in which all is measured in characters
}

// The longest texts in a chart, in characters.
const (
	maxLabelLength   = 20 // below an axis
	maxNameLength    = 28 // of a series
	maxBarNameLength = 40
	maxLeadLength    = 40 // above the charts, except for the last text of a row
	maxTextLength    = 1000
)

const (
	maxSlotShare = 0.7 // of an interval that columns fill
	maxColumn    = 5.0 // the width of the columns of an interval, in letters
	maxUnit      = 4.0 // the length of a bar for the value 1 in place of a column, in letters: a few events must not look like many
	maxDots      = 60  // points of a line that has dots
)

// A drawing is what is being laid out, from the top to the bottom.
type drawing struct {
	*Chart
	Size
	em    float64 // the width of a letter
	line  float64 // from one line of text to the next
	rim   float64 // from the outermost values to the axes: a terminal draws both in a character of their own
	marks []Mark
	y     float64 // below what is laid out
}

func newDrawing(size Size) *drawing {
	d := &drawing{Size: size, em: size.Letter, line: 1.4 * size.Letter}
	if size.Letter == 0 {
		d.em, d.line, d.rim = 2, 1, 1
	}
	return d
}

// Draw lays out a chart without its title and its notes, and returns its height.
func (c *Chart) Draw(size Size) (marks []Mark, height float64) {
	d := newDrawing(size)
	if len(c.places) != len(c.Series) {
		c = &Page{Charts: []Chart{*c}}.Colored(palette.ByName).Charts[0]
	}
	d.addChart(c)
	return d.marks, d.y
}

// draw lays out the charts of a page below each other, with their titles and notes.
func (p Page) draw(size Size) (marks []Mark, height float64) {
	d, prefer := newDrawing(size), palette.ByName
	if d.Letter == 0 { // most charts have the pens that differ most
		prefer = func(string) int { return 0 }
	}
	p = p.Colored(prefer)
	if p.Title != "" {
		d.paragraph(p.Title, ColorInk, 1.4)
		for _, about := range p.About {
			d.paragraph(about, ColorInk, 1)
		}
		d.y += d.line
		d.addLead(p.Lead)
	}
	for i := range p.Charts {
		c := &p.Charts[i]
		if i > 0 {
			d.y += d.line
		}
		d.paragraph(c.Title, ColorInk, 1.2)
		d.y += 0.5 * d.Letter
		if c.IsEmpty() {
			d.paragraph(c.NoData, ColorInk, 1)
		} else {
			d.addChart(c)
		}
		notes := c.Notes
		if d.Letter != 0 {
			notes = slices.Concat(notes, c.Omitted)
		}
		for _, note := range notes {
			d.paragraph(note, ColorSoft, 1)
		}
	}
	return d.marks, math.Ceil(d.y)
}

// width returns how wide a text is. Letters that are larger than others are bold.
func (d *drawing) width(s string, scale float64) float64 {
	if d.Letter == 0 {
		return float64(textwidth.Of(s))
	}
	return typeface.Of(scale > 1).Width(s, scale*d.Letter)
}

func (d *drawing) text(s string, x, y, anchor float64) {
	if s != "" {
		d.marks = append(d.marks, Mark{Text: s, Points: []Point{{x, y}}, Size: d.Letter, Anchor: anchor, Color: ColorSoft})
	}
}

// nextLine returns the middle of the next line of text, and moves below it.
func (d *drawing) nextLine() float64 {
	d.y += d.line
	return d.y - d.line + 0.7*d.Letter
}

// paragraph adds a text that others may have written, in as many lines as it takes.
func (d *drawing) paragraph(s, color string, scale float64) {
	for _, line := range d.wrap(s, d.Width, scale) {
		d.y += (scale - 1) * d.Letter
		d.marks = append(d.marks, Mark{Text: line, Points: []Point{{0, d.nextLine()}}, Size: scale * d.Letter, Bold: scale > 1, Color: color})
		d.y += (scale - 1) * 0.7 * d.Letter
	}
}

// wrap returns the lines of a text that others wrote. A word that is wider than a line is cut.
func (d *drawing) wrap(s string, width, scale float64) (lines []string) {
	for word := range strings.FieldsSeq(SafeText(s, maxTextLength)) {
		last := len(lines) - 1
		if last >= 0 && d.width(lines[last]+" "+word, scale) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, d.fit(word, maxTextLength, width, scale))
		}
	}
	return lines
}

// fit returns a text that others wrote, cut to a width.
func (d *drawing) fit(s string, limit int, width, scale float64) string {
	s = SafeText(s, limit)
	letters := []rune(s)
	for d.width(s, scale) > width && len(letters) > 0 {
		letters = letters[:len(letters)-1]
		s = strings.TrimRight(string(letters), " ") + "…"
	}
	return s
}

// addLead adds a table in columns. The last text of a row has as many lines as it takes. If the columns before it are too wide, the first text of a row has a line of its own.
func (d *drawing) addLead(rows [][]string) {
	columns, total := map[int]float64{}, 0.0
	for _, row := range rows {
		for i := range len(row) - 1 {
			columns[i] = max(columns[i], d.width(SafeText(row[i], maxLeadLength), 1)+d.em)
		}
	}
	for _, width := range columns {
		total += width
	}
	for _, row := range rows {
		if total > d.Width && len(row) > 0 {
			d.paragraph(row[0], ColorInk, 1)
			row, columns[0] = slices.Concat([]string{""}, row[1:]), 0
		}
		x, y := 0.0, d.nextLine()
		for i, text := range row {
			lines := []string{d.fit(text, maxLeadLength, d.Width-x, 1)}
			if i == len(row)-1 {
				lines = d.wrap(text, d.Width-x, 1)
			}
			for n, line := range lines {
				if n > 0 {
					y = d.nextLine()
				}
				if x < d.Width {
					d.text(line, x, y, 0)
				}
			}
			x += columns[i]
		}
	}
	if len(rows) > 0 {
		d.y += d.line
	}
}

func (d *drawing) stroke(color string, width float64, points ...Point) {
	d.marks = append(d.marks, Mark{Points: points, Color: color, Width: cmp.Or(width*d.Letter/12, 1)})
}

func (d *drawing) area(color string, x, y, width, height float64) {
	if width > 0 && height > 0 {
		d.marks = append(d.marks, Mark{Points: []Point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}, Color: color})
	}
}

func (d *drawing) color(series int) string {
	switch {
	case d.Series[series].Before:
		return palette.Gray
	case d.Kind == KindShares:
		return palette.Shade(series)
	}
	return palette.Colors[d.places[series]]
}

func (d *drawing) addChart(c *Chart) {
	d.Chart = c
	isLine := c.Kind == KindLines || c.Kind == KindRanks
	if len(c.Series) > 1 || !strings.HasPrefix(strings.ToLower(c.Title), strings.ToLower(c.Series[0].Name)) {
		d.addLegend(isLine)
	}
	switch {
	case c.Kind == KindShares:
		d.addShares()
	case isLine || d.Letter != 0:
		d.addTimes(isLine)
	default:
		d.addBars()
	}
}

// addLegend adds the name of each series after a sample of its look, in rows.
func (d *drawing) addLegend(isLine bool) {
	sample, x, y := 2*max(d.Letter, 1), 0.0, d.nextLine()
	for i := range d.Series {
		name := d.fit(d.Series[i].Name, maxNameLength, d.Width-sample-0.5*d.em, 1)
		width := sample + 0.5*d.em + d.width(name, 1)
		if x > 0 && x+width > d.Width {
			x, y = 0, d.nextLine()
		}
		if isLine {
			d.addSeries(i, []Point{{x, y}, {x + sample/2, y}, {x + sample - d.rim, y}}, []bool{true, false, true})
		} else {
			d.area(d.color(i), x, y-0.4*d.Letter, sample, max(0.8*d.Letter, d.rim))
		}
		d.text(name, x+sample+0.5*d.em, y, 0)
		x += width + 1.5*d.em
	}
}

// addSeries adds a line in the look of a series. Every second color has dots at the points that the
// series has, which tells lines apart without colors. Other lines have dots only beside gaps.
func (d *drawing) addSeries(i int, points []Point, isBetween []bool) {
	s := &d.Series[i]
	width := 2.5
	if s.Thin || s.Before {
		width = 1.75
	}
	d.stroke(d.color(i), width, points...)
	d.marks[len(d.marks)-1].Dashed = s.Before
	if d.Letter == 0 { // in a terminal, lines differ in their characters
		return
	}
	var dots []Point
	isDotted := d.places[i]%2 == 1 && !s.Before && len(s.Values) <= maxDots
	isGap := func(j int) bool { return j < 0 || j >= len(points) || math.IsNaN(points[j].Y) }
	for j, p := range points {
		if !isGap(j) && (isGap(j-1) && isGap(j+1) || isDotted && (isBetween == nil || !isBetween[j])) {
			dots = append(dots, p, Point{p.X, math.NaN()})
		}
	}
	if dots != nil {
		d.stroke(d.color(i), 6, dots...)
	}
}
