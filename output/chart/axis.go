package chart

import "math"

// maxSteps is the largest number of steps of an axis.
const maxSteps = 8

// An axis has lines at equal steps, from its first value at the bottom to the last one on top. Ranks begin with 1 on top.
type axis struct {
	step   float64
	steps  int
	isRank bool
}

// axis returns the axis of the values.
func (c *Chart) axis() axis {
	if c.Kind == KindRanks {
		step, steps := roundSteps(max(c.highest()-1, 1))
		return axis{step, steps, true}
	}
	step, steps := roundSteps(max(c.highest(), c.SuggestedMax))
	return axis{step: step, steps: steps}
}

// value returns the value of a line, of which the first is at 0.
func (a axis) value(i float64) float64 {
	if a.isRank {
		return 1 + i*a.step
	}
	return i * a.step
}

// down returns where a value is, from 0 on top to 1 at the bottom, or NaN for none.
func (a axis) down(v float64) float64 {
	share := 1 - v/(a.step*float64(a.steps))
	if a.isRank {
		share = (v - 1) / (a.step * float64(a.steps))
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
