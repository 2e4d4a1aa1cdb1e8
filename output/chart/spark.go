package chart

import (
	"math"
	"slices"
)

// A Spark is a small line without an axis. NaN is a gap. Of ranks, 1 is on top.
type Spark struct {
	Values []float64
	IsRank bool
}

// shares returns where some of the values are: from 0 at the bottom, for zero or the worst rank, to 1. It returns nil if
// fewer than two are known.
func (s Spark) shares(values []float64) []float64 {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(known) < 2 {
		return nil
	}
	bottom, top := 0.0, slices.Max(known)
	if s.IsRank {
		bottom, top = top, slices.Min(known)
	}
	all := slices.Clone(values)
	for i, v := range values {
		switch {
		case math.IsNaN(v):
		case bottom != top:
			all[i] = (v - bottom) / (top - bottom)
		case s.IsRank:
			all[i] = 0.5
		}
	}
	return all
}

// Draw lays out the line and a dot at its end.
func (s Spark) Draw(size Size, color string) []Mark {
	var line, end []Point
	for i, share := range s.shares(s.Values) {
		line = append(line, Point{size.Width * float64(i) / float64(len(s.Values)-1), size.Height * (0.9 - 0.8*share)})
		if !math.IsNaN(share) {
			end = line[i:]
		}
	}
	if line == nil {
		return nil
	}
	return []Mark{{Points: line, Color: color, Width: size.Letter * 0.15}, {Points: end[:1], Color: color, Width: size.Letter * 0.45}}
}

const maxBlocks = 20 // of a line in a terminal

// String returns the line for a terminal, with a blank for a gap. Longer lines are drawn with the last
// number of each of some equal parts.
func (s Spark) String() string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	n := min(len(s.Values), maxBlocks)
	values := make([]float64, n)
	for i := range n {
		values[i] = s.Values[(i+1)*len(s.Values)/n-1]
	}
	line := ""
	for _, share := range s.shares(values) {
		if math.IsNaN(share) {
			line += " "
		} else {
			line += string(blocks[int(math.Round(share*float64(len(blocks)-1)))])
		}
	}
	return line
}
