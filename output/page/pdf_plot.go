package page

import (
	"math"
	"slices"

	"github.com/signintech/gopdf"

	"reseller/output/palette"
)

// draw draws a line through points in a square of 1000 units that is placed on the sheet. A point
// without neighbors is a dot.
func (s *sheet) draw(l line, thickness, x, y, width, height float64) {
	c, _ := palette.Parse(l.Color)
	s.stroke(c, thickness)
	var run []gopdf.Point // without gaps
	end := func() {
		switch n := len(run); {
		case n == 1:
			s.fill(c, run[0].X-thickness, run[0].Y-thickness, 2*thickness, 2*thickness, thickness)
		case l.Dashed:
			s.SetCustomLineType([]float64{1, 2.5}, 0)
			for i := range n - 1 {
				s.Line(run[i].X, run[i].Y, run[i+1].X, run[i+1].Y)
			}
			s.SetCustomLineType(nil, 0)
		case n > 1: // there and back, since the library closes lines
			back := slices.Clone(run[1 : n-1])
			slices.Reverse(back)
			s.Polygon(append(run, back...), "D")
		}
		run = nil
	}
	for _, at := range l.Points {
		if math.IsNaN(at.Y) {
			end()
			continue
		}
		run = append(run, gopdf.Point{X: x + at.X/1000*width, Y: y + at.Y/1000*height})
	}
	end()
}

// spark draws a small line.
func (s *sheet) spark(l spark, x, y, width float64) {
	if l.Points != nil {
		s.draw(line{Points: l.Points, Color: s.accent.String()}, 1, x, y, width, sparkHeight)
		s.draw(line{Points: l.End, Color: s.accent.String()}, 1.6, x, y, width, sparkHeight)
	}
}

// plotRoom returns the room that figures and the chart below them need, so that a section begins on
// the sheet that has its chart.
func plotRoom(p *plot) float64 {
	if p.Title == "" {
		return 40
	}
	return plotHeight + 100
}

// addPlot draws a chart.
func (s *sheet) addPlot(p *plot) {
	if p.Title == "" {
		return
	}
	s.need(plotHeight + 45)
	s.y += 6
	s.add(p.Title, heading)
	x := sheetMargin
	for _, k := range p.Legend {
		s.draw(line{Points: []point{{0, 0}, {1000, 0}}, Color: k.Color, Dashed: k.Dashed}, 2.2, x, s.y+6, 14, 0)
		s.write(k.Name, small, x+18, s.y, inkWidth, 0)
		x += 18 + s.width(k.Name) + 14
	}
	if len(p.Legend) > 0 {
		s.y += 12
	}
	top := s.y
	label := look{7.5, false, soft}
	left := sheetMargin + p.gutter(label.size*0.56, 5)
	width := sheetMargin + inkWidth - left
	across := func(percent float64) float64 { return left + percent/100*width }
	down := func(percent float64) float64 { return top + percent/100*plotHeight }
	for i, g := range p.Grid {
		c := grid
		if i == 0 {
			c = soft
		}
		s.stroke(c, 0.6)
		s.Line(left, down(g.Y), left+width, down(g.Y))
	}
	for _, b := range p.Bars {
		c, _ := palette.Parse(b.Color)
		if b.Partial {
			c = palette.Mix(c, palette.White, 0.35)
		}
		s.fill(c, across(b.X), down(b.Y), b.Width/100*width, b.Height/100*plotHeight, 0)
	}
	for _, l := range p.Lines {
		thickness := 1.6
		if l.Thin {
			thickness = 1.1
		}
		s.draw(l, thickness, left, top, width, plotHeight)
	}
	for _, g := range p.Grid {
		s.write(g.Text, label, sheetMargin, down(g.Y)-label.size*lineHeight/2, left-5-sheetMargin, 1)
	}
	for _, t := range p.Ticks {
		share := map[string]float64{"start": 0, "middle": 0.5, "end": 1}[t.Anchor]
		s.write(t.Text, label, across(t.X)-share*width, down(100)-label.size*lineHeight, width, share)
	}
	s.y = top + plotHeight + 3
	s.add(p.Note, small)
}
