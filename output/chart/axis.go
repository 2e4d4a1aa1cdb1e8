package chart

import "math"

// maxSteps is the largest number of steps of an axis.
const maxSteps = 8

// bounds returns the ends of the value axis, and the size and number of its
// steps. Ranks are drawn as negative numbers, so that 1 is on top.
func (c *Chart) bounds() (bottom, top, step float64, steps int) {
	highest := c.highest()
	switch c.Kind {
	case KindBars:
		highest *= 1.1 // leaves room for the numbers after the bars
	case KindRanks:
		step, steps = roundSteps(max(highest-1, 1))
		return -1 - step*float64(steps), -1, step, steps
	}
	step, steps = roundSteps(max(highest, c.SuggestedMax))
	return 0, step * float64(steps), step, steps
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

// padded returns c. If it has only one label, padded adds an empty label on either
// side, since a time axis needs two ends.
func (c *Chart) padded() *Chart {
	if len(c.Labels) != 1 || c.Kind == KindBars {
		return c
	}
	wide := *c
	wide.Labels, wide.Series = []string{"", c.Labels[0], ""}, nil
	for _, s := range c.Series {
		wide.Series = append(wide.Series, Series{Name: s.Name, Values: []float64{math.NaN(), s.Values[0], math.NaN()}})
	}
	return &wide
}
