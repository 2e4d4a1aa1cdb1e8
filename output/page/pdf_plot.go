package page

import (
	"slices"

	"github.com/signintech/gopdf"

	"reseller/output/chart"
	"reseller/output/palette"
)

func (s *sheet) draw(marks []chart.Mark, x, y float64) {
	for _, m := range marks {
		m.Points = slices.Clone(m.Points)
		for i := range m.Points {
			m.Points[i].X += x
			m.Points[i].Y += y
		}
		c, _ := palette.Parse(m.Color)
		switch {
		case m.Text != "":
			l := look{m.Size, m.Bold, c}
			s.write(m.Text, l, m.Points[0].X-m.Anchor*s.ink(), m.Points[0].Y+(chart.Baseline-ascent)*m.Size, s.ink(), m.Anchor)
		case m.Width == 0:
			s.fill(c, m.Points[0].X, m.Points[0].Y, m.Points[2].X-m.Points[0].X, m.Points[2].Y-m.Points[0].Y, 0)
		default:
			for run := range m.Runs {
				s.drawLine(c, &m, run)
			}
		}
	}
}

func (s *sheet) drawLine(c palette.RGB, m *chart.Mark, run []chart.Point) {
	s.stroke(c, m.Width)
	switch n := len(run); {
	case n == 1:
		s.fill(c, run[0].X-m.Width/2, run[0].Y-m.Width/2, m.Width, m.Width, m.Width/2)
	case m.Dashed:
		s.SetCustomLineType([]float64{1, 2.5}, 0)
		for i := range n - 1 {
			s.Line(run[i].X, run[i].Y, run[i+1].X, run[i+1].Y)
		}
		s.SetCustomLineType(nil, 0)
	default: // there and back, since the library closes lines
		points := make([]gopdf.Point, n)
		for i, p := range run {
			points[i] = gopdf.Point{X: p.X, Y: p.Y}
		}
		back := slices.Clone(points[1 : n-1])
		slices.Reverse(back)
		s.Polygon(append(points, back...), "D")
	}
}

func (s *sheet) spark(l chart.Spark, x, y, width float64) {
	s.draw(l.Draw(chart.Size{Width: width, Height: sparkHeight, Letter: 7}, s.accent.String()), x, y)
}

func (s *sheet) addPlot(p *chart.Chart) {
	marks, height := p.Draw(chart.Size{Width: s.ink(), Height: 68, Letter: 7.5})
	s.need(height + 32)
	s.y += 6
	s.add(p.Title, heading)
	s.draw(marks, sheetMargin, s.y)
	s.y += height + 3
}

func (s *sheet) addStrip(charts []chart.Chart) {
	const columns, gap = 3, 14
	width, top := (s.ink()-gap*(columns-1))/columns, 0.0
	for i := range charts {
		marks, height := charts[i].Draw(chart.Size{Width: width, Height: 48, Letter: 7})
		if i == 0 {
			s.need(height + 30)
			top = s.y
		}
		x := sheetMargin + float64(i)*(width+gap)
		below := s.write(charts[i].Title, heading, x, top, width, 0)
		s.draw(marks, x, below)
		s.y = max(s.y, below+height+3)
	}
}
