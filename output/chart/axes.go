package chart

import (
	"math"
	"slices"

	"reseller/output/palette"
)

// addTimes adds an axis of values and one of dates, and the series between them.
func (d *drawing) addTimes(isLine bool) {
	if d.YTitle != "" && !d.isTitle(d.YTitle) {
		d.text(d.fit(d.YTitle, maxBarNameLength, d.Width, 1), 0, d.nextLine(), 0)
	}
	a := d.axis()
	n, wide := len(d.Labels), 0.0
	labels := make([]string, n)
	for i, label := range d.Labels {
		labels[i] = d.fit(label, maxLabelLength, d.Width/3, 1)
		wide = max(wide, d.width(labels[i], 1))
	}
	left, right := wide/2, d.Width-max(wide/2, d.rim)
	for i := range a.steps + 1 {
		left = max(left, d.width(abbreviate(a.value(i)), 1)+0.5*d.em+d.rim)
	}
	top, height := d.y+1.1*d.Letter, d.Height
	if d.Letter == 0 { // each step has the same number of lines
		height = float64(max(int(height)/a.steps, 1) * a.steps)
	}
	place := func(v float64) float64 { return top + height*a.down(v) }
	for i := range a.steps + 1 {
		y := place(a.value(i))
		d.stroke(ColorGrid, 1, Point{left, y}, Point{right, y})
		d.text(abbreviate(a.value(i)), left-d.rim-0.5*d.em, y, 1)
	}
	d.y = top + height + d.rim
	d.stroke(ColorGrid, 1, Point{left - d.rim, top}, Point{left - d.rim, top + height})
	d.stroke(ColorSoft, 1, Point{left - d.rim, d.y}, Point{right, d.y})
	slot := (right - left) / float64(n)
	across := func(i int) float64 {
		if isLine && n > 1 {
			return left + (right-left)*float64(i)/float64(n-1)
		}
		return left + (float64(i)+0.5)*slot
	}
	step := int(math.Ceil((wide + d.em) / (across(1) - across(0)))) // from one label to the next
	axis := d.y
	d.y += 0.5*d.Letter + d.rim
	below := d.nextLine()
	for i := 0; i < n; i += step {
		d.stroke(ColorSoft, 1, Point{across(i), axis}, Point{across(i), axis + 0.35*d.Letter})
		d.text(labels[i], across(i), below, 0.5)
	}
	if isLine {
		for i, s := range slices.Backward(d.Series) { // the first one above the others
			points := make([]Point, len(s.Values))
			for j, v := range s.Values {
				points[j] = Point{across(j), place(v)} // a gap for NaN
			}
			d.addSeries(i, points, s.Interpolated)
		}
	} else {
		d.addColumns(across, place, slot)
	}
	if d.XTitle != "" {
		d.text(d.XTitle, (left+right)/2, d.nextLine(), 0.5)
	}
	d.y += 0.3 * d.Letter
}

// addColumns adds columns, on each other or side by side.
func (d *drawing) addColumns(across func(int) float64, place func(float64) float64, slot float64) {
	room := min(slot*maxSlotShare, maxColumn*d.em)
	width := room
	if d.Kind == KindColumns {
		width /= float64(len(d.Series))
	}
	for i := range d.Labels {
		sum, x := 0.0, across(i)-room/2
		for j, s := range d.Series {
			if v := s.Values[i]; isNumber(v) {
				color := d.color(j)
				if d.Partial != nil && d.Partial[i] {
					c, _ := palette.Parse(color)
					color = palette.Mix(c, palette.White, 0.35).String()
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

// addBars adds horizontal bars with their names before them and their numbers after them. Those of stacked columns are one
// after the other.
func (d *drawing) addBars() {
	isStacked, gap := d.Kind == KindStackedColumns, 0.6*d.Letter
	rows := len(d.Series)
	if isStacked {
		rows = 1
	}
	title, names, left, after := d.besideBars(isStacked)
	name, anchor := left, 1.0
	if d.Letter == 0 { // as in a table
		name, anchor = 0, 0
	}
	left += d.em
	scale := (d.Width - left - after - 0.5*d.em) / max(d.highest(), d.SuggestedMax, 1e-9)
	if d.Kind != KindBars {
		scale = min(scale, maxUnit*d.em)
	}
	end := func(sum float64) float64 { // of what can be seen, unless it is 0
		if sum > 0 {
			return left + max(sum*scale, d.rim)
		}
		return left
	}
	y := d.nextLine()
	d.text(title, name, y, anchor)
	d.text(d.fit(d.YTitle, maxBarNameLength, d.Width-left, 1), left, y, 0)
	d.y += gap / 2
	for i := range d.Labels {
		d.text(names[i], name, d.y+0.7*d.Letter+d.line*float64(rows-1)/2, anchor)
		sum := 0.0
		for j, s := range d.Series {
			v, begin := s.Values[i], end(sum)
			if isNumber(v) {
				sum += v
			}
			d.area(d.color(j), begin, d.y, end(sum)-begin, d.line-d.Letter/12)
			if isStacked && j < len(d.Series)-1 {
				continue
			}
			number := abbreviate(sum)
			if !isStacked && !isNumber(v) {
				number = "-"
			}
			after := end(sum)
			if after > left {
				after += 0.5 * d.em
			}
			d.text(number, after, d.nextLine(), 0)
			sum = 0
		}
		d.y += gap
	}
}

// besideBars returns the title and the names before bars, and the widths of the longest text before and after them.
func (d *drawing) besideBars(isStacked bool) (title string, names []string, before, after float64) {
	title = d.fit(d.XTitle, maxBarNameLength, 0.4*d.Width, 1)
	before, after = d.width(title, 1), d.width("-", 1)
	for i, label := range d.Labels {
		names = append(names, d.fit(label, maxBarNameLength, 0.4*d.Width, 1))
		before = max(before, d.width(names[i], 1))
		sum := 0.0
		for _, s := range d.Series {
			if v := s.Values[i]; !isStacked {
				sum = v
			} else if isNumber(v) {
				sum += v
			}
			after = max(after, d.width(abbreviate(sum), 1))
		}
	}
	return title, names, before, after
}

// maxSteps is the largest number of steps of an axis.
const maxSteps = 8

// An axis has lines at equal steps, from its first value at the bottom to the last one on top. Ranks begin with 1 on top.
type axis struct {
	first, step float64
	steps       int
	isRank      bool
}

// axis returns the axis of the values.
func (c *Chart) axis() axis {
	if c.Kind == KindRanks {
		step, steps := roundSteps(max(c.highest()-1, 1))
		return axis{1, step, steps, true}
	}
	step, steps := roundSteps(max(c.highest(), c.SuggestedMax))
	return axis{0, step, steps, false}
}

// value returns the value of a line, of which the first is at 0.
func (a axis) value(i int) float64 { return a.first + float64(i)*a.step }

// down returns where a value is, from 0 on top to 1 at the bottom, or NaN for none.
func (a axis) down(v float64) float64 {
	share := (v - a.first) / (a.step * float64(a.steps))
	if !a.isRank {
		share = 1 - share
	}
	return max(min(share, 1), 0)
}

// roundSteps divides an axis from 0 to at least highest into round steps.
func roundSteps(highest float64) (step float64, steps int) {
	step = 1
	if highest < 1 {
		step = 0.01
	}
	for i := 0; highest/step > maxSteps; i++ {
		step *= [...]float64{2, 2.5, 2}[i%3]
	}
	return step, max(int(math.Ceil(highest/step)), 1)
}
