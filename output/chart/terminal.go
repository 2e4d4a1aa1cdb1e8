package chart

import (
	"math"
	"slices"
	"strings"

	"reseller/output/palette"
	"reseller/output/textwidth"
)

// Sizes of a chart in a terminal, in characters.
const (
	terminalHeight = 14
	minWidth       = 24
)

func Text(p Page, width int, color bool) string {
	width = max(width, minWidth)
	marks, height := p.draw(Size{Width: float64(width), Height: terminalHeight})
	return paint(marks, width, int(height), color)
}

type pen struct {
	line  string // a horizontal and a vertical piece, and the corners between right and down, left and down, right and up, left and up
	fill  string // of bars
	color string // the code of the color
}

var pens = [len(palette.Colors)]pen{
	{"─│╭╮╰╯", "█", "94"}, {"━┃┏┓┗┛", "░", "38;5;214"}, {"═║╔╗╚╝", "▓", "32"}, {"······", "▒", "95"},
	{"******", "*", "96"}, {"++++++", "+", "91"}, {"xxxxxx", "x", "33"}, {"oooooo", "o", "90"},
}

func penOf(color string) pen { return pens[max(slices.Index(palette.Colors[:], color), 0)] }

// A character is what is in one place of a terminal: nothing where a text before it reaches.
type character struct{ text, color string }

type cells [][]character

func paint(marks []Mark, width, height int, color bool) string {
	c := make(cells, height)
	for y := range c {
		c[y] = slices.Repeat([]character{{text: " "}}, width)
	}
	for i := range marks {
		m := &marks[i]
		from := m.Points[0]
		switch {
		case m.Text != "":
			x, y := cell(from.X-m.Anchor*float64(textwidth.Of(m.Text))), cell(from.Y)
			c.put(x, y, m.Text, "")
			for i := 1; i < textwidth.Of(m.Text); i++ {
				c.put(x+i, y, "", "")
			}
		case m.Width == 0:
			c.area(from, m.Points[2], penOf(m.Color))
		case m.Color == ColorGrid || m.Color == ColorSoft:
			c.rule(from, m.Points[1], m.Color)
		default:
			c.line(m, penOf(m.Color))
		}
	}
	var b strings.Builder
	for _, row := range c {
		last := ""
		for len(row) > 0 && row[len(row)-1].text == " " {
			row = row[:len(row)-1]
		}
		for _, each := range append(row, character{}) {
			if color && each.color != last {
				if last != "" {
					b.WriteString("\x1b[0m")
				}
				if last = each.color; last != "" {
					b.WriteString("\x1b[" + last + "m")
				}
			}
			b.WriteString(each.text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cell returns the row or column of a place. What is between two goes to the upper or the left one.
func cell(v float64) int { return int(math.Ceil(v - 0.5)) }

func (c cells) put(x, y int, text, color string) {
	if y >= 0 && y < len(c) && x >= 0 && x < len(c[y]) {
		c[y][x] = character{text, color}
	}
}

// rule draws an axis or a tick of it. The grid behind the lines is left out.
func (c cells) rule(from, to Point, color string) {
	x, y := cell(from.X), cell(from.Y)
	switch {
	case from == to:
		c.put(x, y, "┬", "")
	case color == ColorSoft:
		c.put(x, y, "└", "")
		for x++; x <= cell(to.X); x++ {
			c.put(x, y, "─", "")
		}
	case from.X == to.X:
		for ; y <= cell(to.Y); y++ {
			c.put(x, y, "┤", "")
		}
	}
}

// area fills an area, or a part of a character.
func (c cells) area(from, to Point, p pen) {
	if height := to.Y - from.Y; height < 1 {
		p.fill = string([]rune("▁▂▃▄▅▆▇█")[cell(8*height)-1])
	}
	for x := cell(from.X); x < cell(to.X); x++ {
		c.put(x, cell(to.Y)-1, p.fill, p.color)
	}
}

// line draws a line whose rise or fall to a value is in the column of the value.
func (c cells) line(m *Mark, p pen) {
	left, right := cell(m.Points[0].X), cell(m.Points[len(m.Points)-1].X)
	if left == right {
		left, right = left-1, right+1
	}
	rows := slices.Repeat([]int{-1}, right-left+1) // of the line, -1 for none
	for run := range m.Runs {
		from := run[0]
		for _, to := range run {
			for x := cell(from.X); x <= cell(to.X); x++ {
				share := 1.0
				if to.X > from.X {
					share = max(min((float64(x)-from.X)/(to.X-from.X), 1), 0)
				}
				rows[x-left] = cell(from.Y + (to.Y-from.Y)*share)
			}
			from = to
		}
		if x := cell(from.X) - left; len(run) == 1 { // a single character is hardly seen
			rows[max(x-1, 0)], rows[min(x+1, len(rows)-1)] = rows[x], rows[x]
		}
	}
	for _, each := range m.Points {
		if math.IsNaN(each.Y) { // also where there is more than one point in a column
			rows[cell(each.X)-left] = -1
		}
	}
	last := -1
	for x, row := range rows {
		put := func(row, piece int) { c.put(left+x, row, string([]rune(p.line)[piece]), p.color) }
		if row < 0 || last < 0 {
			last = row
		}
		for y := min(row, last) + 1; y < max(row, last); y++ {
			put(y, 1)
		}
		switch {
		case last == row: // -1 is not on the terminal
			put(row, 0)
		case row < last:
			put(row, 2)
			put(last, 5)
		default:
			put(last, 3)
			put(row, 4)
		}
		last = row
	}
}
