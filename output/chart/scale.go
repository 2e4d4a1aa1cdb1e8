package chart

import "math"

// mostSteps is how many steps an axis has.
const mostSteps = 8

// bounds are the ends of the axis of the values, and its steps. Ranks are drawn
// below zero, so that 1 is on top.
func (c *Chart) bounds() (bottom, top, step float64, steps int) {
	highest := c.highest()
	switch c.Kind {
	case Bars:
		highest *= 1.1 // room for the numbers behind the bars
	case Ranks:
		step, steps = scale(max(highest-1, 1))
		return -1 - step*float64(steps), -1, step, steps
	}
	step, steps = scale(max(highest, c.Most))
	return 0, step * float64(steps), step, steps
}

// scale divides an axis from 0 to highest or more into few round steps.
func scale(highest float64) (step float64, steps int) {
	step = 1
	if highest < 1 {
		step = 0.01
	}
	for i := 0; highest/step > mostSteps; i++ {
		step *= [...]float64{2, 2.5, 2}[i%3]
	}
	return step, max(int(math.Ceil(highest/step)), 1)
}

// upright is a chart whose areas have a width: of one value they are columns.
func (c *Chart) upright() *Chart {
	if len(c.Labels) != 1 || c.Kind != Stacked {
		return c
	}
	column := *c
	column.Kind = Columns
	return &column
}

// roomy puts an empty label on either side of one alone, for an axis that has
// two ends.
func (c *Chart) roomy() *Chart {
	if len(c.Labels) != 1 || c.Kind == Bars {
		return c
	}
	wide := *c
	wide.Labels, wide.Series = []string{"", c.Labels[0], ""}, nil
	for _, s := range c.Series {
		wide.Series = append(wide.Series, Series{Name: s.Name, Values: []float64{math.NaN(), s.Values[0], math.NaN()}})
	}
	return &wide
}
