package page

import (
	"slices"

	"reseller/client/summary"
	"reseller/output/chart"
)

// A column is a column of a table.
type column struct {
	title  string
	share  float64 // of the width, beside the shares of the others
	anchor float64 // 0 for texts on the left, 1 for numbers on the right
}

// A cell is a text or a small line.
type cell struct {
	text  string
	class string // of the color, empty for ink
	line  chart.Spark
}

// table draws a table, whose header is repeated on every sheet.
func (s *sheet) table(caption string, columns []column, rows [][]cell) {
	const gap, pad = 7, 2.4
	shares := 0.0
	for _, c := range columns {
		shares += c.share
	}
	width := func(i int) float64 { return columns[i].share / shares * inkWidth }
	height := func(i int, text string, l look) float64 { return s.height(text, l, width(i)-gap) }
	header := look{plain.size, true, soft}
	head := 0.0
	for i, c := range columns {
		head = max(head, height(i, c.title, header))
	}
	addHeader := func() {
		x := sheetMargin
		for i, c := range columns {
			s.write(c.title, header, x, s.y+head-height(i, c.title, header), width(i)-gap, c.anchor)
			x += width(i)
		}
		s.y += head + pad
		s.ruleAt(s.y, 0.8, soft)
		s.y += pad
	}
	s.y += 6
	s.need(20 + head + 3*plain.size*lineHeight)
	s.add(caption, heading)
	s.y += pad
	if head > 0 {
		addHeader()
	}
	for i, row := range rows {
		high := 0.0
		for i, c := range row {
			high = max(high, height(i, c.text, plain))
		}
		room := high + 2*pad
		if left := len(rows) - i; left <= 2 { // which go to the next sheet with a footer for which there is no room
			room = float64(left)*room + s.tail
		}
		if s.y+room > sheetBottom {
			s.need(sheetBottom)
			if head > 0 {
				addHeader()
			}
		}
		x := sheetMargin
		for i, c := range row {
			l := plain
			if c.class != "" {
				l.color = classColors[c.class]
			}
			s.write(c.text, l, x, s.y, width(i)-gap, columns[i].anchor)
			s.spark(c.line, x+3, s.y-1, width(i)-gap-6)
			x += width(i)
		}
		s.y += high + pad
		if head > 0 {
			s.ruleAt(s.y, 0.4, rule)
		}
		s.y += pad
	}
}

// addFigures writes figures in columns.
func (s *sheet) addFigures(known []summary.Figure) {
	const columns, gap = 3, 12
	width := (inkWidth - gap*(columns-1)) / columns
	for row := range slices.Chunk(known, columns) {
		height := 0.0
		for _, f := range row {
			height = max(height, 28+s.height(f.Told(), small, width))
		}
		s.need(height)
		for i, f := range row {
			x := sheetMargin + float64(i)*(width+gap)
			s.write(f.Title, small, x, s.y, width, 0)
			s.write(f.Text, look{11, true, ink}, x, s.y+11, width, 0)
			s.write(f.Told(), lookOf(f), x, s.y+26, width, 0)
		}
		s.y += height + 3
	}
}
