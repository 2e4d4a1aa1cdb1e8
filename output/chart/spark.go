package chart

import (
	"math"
	"slices"
	"strings"

	"reseller/output/palette"
)

const maxBlocks = 20 // of a small line in a terminal

// A Spark is a small line without an axis. NaN is a gap. Of ranks, 1 is on top.
type Spark struct {
	Values []float64
	IsRank bool
}

// Draw lays out the line and a dot at its end or, for a terminal, a column for each number.
func (s Spark) Draw(size Size, color string) (marks []Mark) {
	known := slices.DeleteFunc(slices.Clone(s.Values), math.IsNaN)
	if len(known) < 2 {
		return nil
	}
	d := newDrawing(size)
	bottom, top := 0.0, slices.Max(known)
	if s.IsRank {
		bottom, top = top, slices.Min(known)
	}
	line, end := make([]Point, len(s.Values)), 0
	for i, v := range s.Values {
		share := (v - bottom) / (top - bottom)
		if bottom == top && isNumber(v) {
			share = 0
			if s.IsRank {
				share = 0.5
			}
		}
		if isNumber(v) {
			end = i
		}
		line[i] = Point{size.Width * float64(i) / float64(len(s.Values)-1), size.Height * (0.9 - 0.8*share)}
		if d.Letter == 0 && isNumber(v) {
			height := math.Round(1+7*share) / 8
			d.area(color, float64(i), 1-height, 1, height)
		}
	}
	if d.Letter != 0 {
		d.stroke(color, 1.8, line...)
		d.stroke(color, 5.4, line[end])
	}
	return d.marks
}

// String returns the line for a terminal. Of a longer one, it has the last number of each of some equal parts.
func (s Spark) String() string {
	n := min(len(s.Values), maxBlocks)
	short := Spark{make([]float64, n), s.IsRank}
	for i := range n {
		short.Values[i] = s.Values[(i+1)*len(s.Values)/n-1]
	}
	marks := short.Draw(Size{}, palette.Colors[0])
	if marks == nil {
		return ""
	}
	return strings.TrimSuffix(paint(marks, n, 1, false), "\n")
}
