package chart

import (
	"iter"
	"math"
	"slices"
	"strings"

	"reseller/output/palette"
	"reseller/output/typeface"
)

// A Mark is a part of a picture: a line, an area or a text.
type Mark struct {
	Points []Point // of the line, the corners of the area, or where the text is
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
	ColorSoft = "#4b545d" // of texts and zero lines
	ColorGrid = "#dddddd"
)

// A Size is the size of a chart. All that it does not name is measured in letters.
type Size struct {
	Width  float64
	Height float64 // of the area between the axes; bars are as high as they need to be
	Letter float64
}

// Sizes yields the sizes in which an HTML page has a chart, with the class of each: one for wide screens and for paper,
// and one for phones, since the letters of a picture shrink with it.
func Sizes(height float64) iter.Seq2[string, Size] {
	return func(yield func(string, Size) bool) {
		_ = yield("plot", Size{800, height, 12}) && yield("plot narrow", Size{400, 200, 13})
	}
}

// The longest texts beside a chart, in characters.
const (
	maxLabelLength   = 12 // below an axis
	maxNameLength    = 28 // of a series
	maxBarNameLength = 40 // of a bar
)

const (
	maxLabel     = 6.2 // the width of a label of the time axis, in letters
	maxSlotShare = 0.7 // of an interval that columns fill
	maxColumn    = 5.0 // the width of the columns of an interval, in letters
	maxDots      = 60  // points of a line that has dots
)

// Draw lays out a chart without its title and its notes, and returns its height.
func (c *Chart) Draw(size Size) (marks []Mark, height float64) {
	d := &drawing{Chart: c, Size: size}
	if len(c.places) != len(c.Series) {
		d.Chart = &Page{Charts: []Chart{*c}}.placed(palette.ByName).Charts[0]
	}
	d.addLegend()
	if c.Kind == KindBars {
		d.addBars()
	} else {
		d.addTimes()
	}
	return d.marks, d.y
}

// A drawing is a chart that is being laid out.
type drawing struct {
	*Chart
	Size
	marks []Mark
	y     float64 // below what is laid out
}

// text adds a text whose letters stand on y.
func (d *drawing) text(s string, x, y, anchor float64) {
	if s != "" {
		d.marks = append(d.marks, Mark{Text: s, Points: []Point{{x, y}}, Size: d.Letter, Anchor: anchor, Color: ColorSoft})
	}
}

func (d *drawing) line(color string, width float64, points ...Point) {
	d.marks = append(d.marks, Mark{Points: points, Color: color, Width: width * d.Letter / 12})
}

func (d *drawing) area(color string, x, y, width, height float64) {
	if width > 0 && height > 0 {
		d.marks = append(d.marks, Mark{Points: []Point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}, Color: color})
	}
}

func (d *drawing) width(s string) float64 { return typeface.Plain().Width(s, d.Letter) }

// fit returns a text that others wrote, cut to a width.
func (d *drawing) fit(s string, limit int, width float64) string {
	s = safeText(s, limit)
	letters := []rune(s)
	for d.width(s) > width && len(letters) > 0 {
		letters = letters[:len(letters)-1]
		s = strings.TrimRight(string(letters), " ") + "…"
	}
	return s
}

func (d *drawing) color(series int) string {
	if d.Series[series].Before {
		return palette.Gray
	}
	return palette.Colors[d.places[series]]
}

// series adds a line in the look of a series. Every second color has dots at the points that the
// series has, which tells lines apart without colors. Other lines have dots only beside gaps.
func (d *drawing) series(i int, points []Point, isDotted func(point int) bool) {
	s := &d.Series[i]
	width := 2.5
	if s.Thin || s.Before {
		width = 1.75
	}
	d.line(d.color(i), width, points...)
	d.marks[len(d.marks)-1].Dashed = s.Before
	var dots []Point
	for j, p := range points {
		isGap := func(j int) bool { return j < 0 || j >= len(points) || math.IsNaN(points[j].Y) }
		if !isGap(j) && (isGap(j-1) && isGap(j+1) || d.places[i]%2 == 1 && !s.Before && len(points) <= maxDots && isDotted(j)) {
			dots = append(dots, p, Point{p.X, math.NaN()})
		}
	}
	if dots != nil {
		d.line(d.color(i), 6, dots...)
	}
}

// hasLegend reports whether the names of the series are shown. The title of a chart may be the name of its only series.
func (c *Chart) hasLegend() bool {
	return len(c.Series) > 1 || c.Series[0].Name != "" && !c.isTitle(c.Series[0].Name)
}

func (c *Chart) isTitle(s string) bool {
	return strings.HasPrefix(strings.ToLower(c.Title), strings.ToLower(s))
}

// addLegend adds the name of each series after a sample of its line, in rows.
func (d *drawing) addLegend() {
	if !d.hasLegend() {
		return
	}
	const sample, gap = 2.0, 1.4 // in letters
	x := 0.0
	d.y = 1.2 * d.Letter
	for i := range d.Series {
		name := d.fit(d.seriesName(i), maxNameLength, d.Width-sample*d.Letter)
		width := (sample+0.5)*d.Letter + d.width(name)
		if x > 0 && x+width > d.Width {
			x, d.y = 0, d.y+1.5*d.Letter
		}
		y := d.y - 0.35*d.Letter
		if d.Kind == KindLines || d.Kind == KindRanks {
			d.series(i, []Point{{x, y}, {x + sample/2*d.Letter, y}, {x + sample*d.Letter, y}}, func(point int) bool { return point == 1 })
		} else {
			d.area(d.color(i), x, y-0.4*d.Letter, sample*d.Letter, 0.8*d.Letter)
		}
		d.text(name, x+(sample+0.5)*d.Letter, d.y, 0)
		x += width + gap*d.Letter
	}
	d.y += 0.6 * d.Letter
}

// addTimes adds an axis of values and one of dates, and the series between them.
func (d *drawing) addTimes() {
	a, letter := d.axis(), d.Letter
	if d.YTitle != "" && !d.isTitle(d.YTitle) {
		d.y += 1.3 * letter
		d.text(d.YTitle, 0, d.y, 0)
	}
	left, right := maxLabel/2*letter, d.Width-maxLabel/2*letter
	for i := range a.steps + 1 {
		left = max(left, d.width(abbreviate(a.value(float64(i))))+0.6*letter)
	}
	top := d.y + 0.9*letter
	bottom := top + d.Height
	place := func(v float64) float64 { return top + d.Height*a.down(v) }
	for i := range a.steps + 1 {
		v, color := a.value(float64(i)), ColorGrid
		if v == 0 {
			color = ColorSoft
		}
		d.line(color, 1, Point{left, place(v)}, Point{right, place(v)})
		d.text(abbreviate(v), left-0.6*letter, place(v)+0.35*letter, 1)
	}
	n := len(d.Labels)
	isLine := d.Kind == KindLines || d.Kind == KindRanks
	slot := (right - left) / float64(n)
	across := func(i int) float64 {
		if isLine && n > 1 {
			return left + (right-left)*float64(i)/float64(n-1)
		}
		return left + (float64(i)+0.5)*slot
	}
	room := max(int((right-left)/(1.3*maxLabel*letter)), 1)
	for i := 0; i < n; i += (n + room - 1) / room {
		d.text(d.fit(d.Labels[i], maxLabelLength, maxLabel*letter), across(i), bottom+1.6*letter, 0.5)
	}
	if isLine {
		d.addLines(across, place)
	} else {
		d.addColumns(across, place, slot)
	}
	d.y = bottom + 2.1*letter
	if d.XTitle != "" {
		d.y += 1.2 * letter
		d.text(d.XTitle, (left+right)/2, d.y-0.5*letter, 0.5)
	}
}

// addLines adds a line for each series, with the first one above the others.
func (d *drawing) addLines(across func(int) float64, place func(float64) float64) {
	for i, s := range slices.Backward(d.Series) {
		points := make([]Point, len(s.Values))
		for j, v := range s.Values {
			points[j] = Point{across(j), place(v)} // a gap for NaN
		}
		d.series(i, points, func(j int) bool { return s.Interpolated == nil || !s.Interpolated[j] })
	}
}

// addColumns adds columns, on each other or side by side.
func (d *drawing) addColumns(across func(int) float64, place func(float64) float64, slot float64) {
	room := min(slot*maxSlotShare, maxColumn*d.Letter)
	width := room
	if d.Kind == KindColumns {
		width /= float64(len(d.Series))
	}
	for i := range d.Labels {
		sum, x := 0.0, across(i)-room/2
		for j, s := range d.Series {
			if v := s.Values[i]; !math.IsNaN(v) {
				color := d.color(j)
				if d.Partial != nil && d.Partial[i] {
					color = lighter(color)
				}
				d.area(color, x, place(sum+v), width*0.94, place(sum)-place(sum+v))
				if d.Kind == KindStackedColumns {
					sum += v
				}
			}
			if d.Kind == KindColumns {
				x += width
			}
		}
	}
}

// lighter returns the color of the column of an interval that is not whole.
func lighter(color string) string {
	c, _ := palette.Parse(color)
	return palette.Mix(c, palette.White, 0.35).String()
}

// addBars adds horizontal bars with their names before them and their numbers after them.
func (d *drawing) addBars() {
	const high, gap = 1.2, 0.7 // in letters
	letter, left, after := d.Letter, d.width(d.XTitle), 0.0
	names := make([]string, len(d.Labels))
	for i, label := range d.Labels {
		names[i] = d.fit(label, maxBarNameLength, 0.4*d.Width)
		left = max(left, d.width(names[i]))
		for _, s := range d.Series {
			after = max(after, d.width(abbreviate(s.Values[i])))
		}
	}
	left += 0.8 * letter
	scale := (d.Width - left - after - 0.8*letter) / max(d.highest(), d.SuggestedMax, 1e-9)
	d.y += 1.3 * letter
	d.text(d.XTitle, left-0.8*letter, d.y, 1)
	d.text(d.YTitle, left, d.y, 0)
	d.y += gap * letter
	for i, name := range names {
		d.text(name, left-0.8*letter, d.y+(high*float64(len(d.Series))/2+0.35)*letter, 1)
		for j, s := range d.Series {
			end, number := left, "-"
			if v := s.Values[i]; !math.IsNaN(v) {
				end, number = left+v*scale, abbreviate(v)
			}
			d.area(d.color(j), left, d.y, end-left, 0.94*high*letter)
			d.text(number, end+0.4*letter, d.y+(high/2+0.35)*letter, 0)
			d.y += high * letter
		}
		d.y += gap * letter
	}
}
