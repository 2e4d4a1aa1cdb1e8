package chart

import (
	"math"
	"slices"

	"reseller/output/palette"
)

// addTimes adds an axis of values and one of dates, and the series between them.
func (d *drawing) addTimes(isLine bool) {
	a := d.axis(maxSteps)
	if d.Letter > 0 { // whose lines have room for their numbers
		a = d.axis(min(maxSteps, max(int(d.Height/(1.3*d.Letter)), 2)))
	}
	n, wide := len(d.Labels), 0.0
	labels := make([]string, n)
	for i, label := range d.Labels {
		labels[i] = d.fit(label, maxLabelLength, d.Width/3, 1)
		wide = max(wide, d.width(labels[i], 1))
	}
	left, right := wide/2, d.Width-max(wide/2, d.rim)
	numbers := make([]string, a.steps+1)
	for i := range numbers {
		numbers[i] = d.fit(d.number(a.value(i)), maxLabelLength, d.Width/3, 1)
		left = max(left, d.width(numbers[i], 1)+0.5*d.em+d.rim)
	}
	top, height := d.y+1.1*d.Letter, d.Height
	if d.Letter == 0 { // each step has the same number of lines
		height = float64(max(int(height)/a.steps, 1) * a.steps)
	}
	place := func(v float64) float64 { return top + height*a.down(v) }
	for i, number := range numbers {
		y := place(a.value(i))
		d.stroke(ColorGrid, 1, Point{left, y}, Point{right, y})
		d.text(number, left-d.rim-0.5*d.em, y, 1)
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
			d.addSeries(i, points, nil)
		}
	} else {
		d.addColumns(across, place, slot)
	}
	d.y += 0.3 * d.Letter
}

func (d *drawing) addColumns(across func(int) float64, place func(float64) float64, slot float64) {
	room := min(slot*maxSlotShare, maxColumn*d.em)
	width := room / float64(len(d.Series))
	for i := range d.Labels {
		x := across(i) - room/2
		for j, s := range d.Series {
			if v := s.Values[i]; !isNumber(v) { // not a column of 0
				d.text("–", x+width/2, place(0)-0.4*d.Letter, 0.5)
			} else {
				color := d.color(j)
				if d.Partial != nil && d.Partial[i] {
					c, _ := palette.Parse(color)
					color = palette.Mix(c, palette.White, 0.35).String()
				}
				d.area(color, x, place(v), width*0.94, place(0)-place(v))
			}
			x += width
		}
	}
}

// addBars adds the columns as bars of a terminal, with their names before them and their numbers after them.
func (d *drawing) addBars() {
	var names []string
	left, after := 0.0, d.width("-", 1)
	for i, label := range d.Labels {
		names = append(names, d.fit(label, maxBarNameLength, 0.4*d.Width, 1))
		left = max(left, d.width(names[i], 1))
		for _, s := range d.Series {
			after = max(after, d.width(d.number(s.Values[i]), 1))
		}
	}
	left += d.em
	scale := min((d.Width-left-after-0.5*d.em)/max(d.Highest(), d.SuggestedMax, 1e-9), maxUnit*d.em)
	for i, name := range names {
		d.text(name, 0, d.y+d.line*float64(len(d.Series)-1)/2, 0)
		for j, s := range d.Series {
			number, end := "-", left
			if v := s.Values[i]; isNumber(v) {
				number = d.number(v)
				if v > 0 { // of what can be seen
					end += max(v*scale, d.rim)
				}
			}
			d.area(d.color(j), left, d.y, end-left, d.line)
			if end > left {
				end += 0.5 * d.em
			}
			d.text(d.fit(number, maxLabelLength, d.Width-end, 1), end, d.nextLine(), 0)
		}
	}
}

// addShares adds a bar for each label below its name. Each series has a part of it, with its value if there is room.
func (d *drawing) addShares() {
	const high, gap = 1.9, 0.12 // of a bar, and between two parts, in letters
	most := 1.0
	sum := func(label int) (sum float64) {
		for _, s := range d.Series {
			sum += s.Values[label]
		}
		return sum
	}
	for i := range d.Labels {
		most = max(most, sum(i))
	}
	for i, label := range d.Labels {
		d.y += 0.3 * d.Letter
		d.text(d.fit(label, maxBarNameLength, d.Width, 1), 0, d.nextLine(), 0)
		x := 0.0
		for j, s := range d.Series {
			width := s.Values[i] / most * d.Width
			d.area(d.color(j), x, d.y, width-gap*d.Letter, high*d.Letter)
			if number := d.number(s.Values[i]); d.width(number, 1)+d.em/2 < width {
				color, _ := palette.Parse(d.color(j))
				d.text(number, x+width/2, d.y+high/2*d.Letter, 0.5)
				d.marks[len(d.marks)-1].Color = palette.On(color).String()
			}
			x += width
		}
		d.y += high * d.Letter
	}
	d.y += 0.3 * d.Letter
}

const maxSteps = 8

// An axis has lines at equal steps, from its first value at the bottom to the last one on top. Ranks begin with 1 on top.
type axis struct {
	first, step float64
	steps       int
	isRank      bool
}

// axis returns the axis of the values, of at most some steps.
func (c *Chart) axis(most int) axis {
	a := axis{isRank: c.Kind == KindRanks}
	if a.isRank {
		a.first = 1
	}
	a.step, a.steps = roundSteps(max(c.Highest()-a.first, a.first, c.SuggestedMax), most)
	return a
}

func (a axis) value(i int) float64 { return a.first + float64(i)*a.step }

// down returns where a value is, from 0 on top to 1 at the bottom, or NaN for none.
func (a axis) down(v float64) float64 {
	share := (v - a.first) / (a.step * float64(a.steps))
	if !a.isRank {
		share = 1 - share
	}
	return max(min(share, 1), 0)
}

// roundSteps divides an axis from 0 to at least highest into round steps, at most as many.
func roundSteps(highest float64, most int) (step float64, steps int) {
	step = 1
	if highest > 0 && highest < 1 {
		step = 0.1
	}
	for i := 0; highest/step > float64(most); i++ {
		step *= [...]float64{2, 2.5, 2}[i%3]
	}
	return step, max(int(math.Ceil(highest/step)), 1)
}
