package charts

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"reseller/client/summary"
	"reseller/output/chart"
)

// maxPoints is the largest number of dates on the time axis of a line chart.
const maxPoints = 100

// A timeSeries is a line of a chart: a value for each of some days. NaN is a
// day on which the report says that there is no value.
type timeSeries struct {
	name     string
	campaign campaignKey
	weight   float64 // topSeries keeps the series with the greatest weight
	points   map[summary.Day]float64
}

func (s timeSeries) hasValues() bool {
	for _, v := range s.points {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}

// topSeries keeps the chart.MaxSeries series with the greatest weight; of equal
// ones, those that were added first.
type topSeries struct {
	kept    []timeSeries
	dropped int
}

func (t *topSeries) add(s timeSeries) {
	t.kept = append(t.kept, s)
	slices.SortStableFunc(t.kept, func(a, b timeSeries) int { return cmp.Compare(b.weight, a.weight) })
	if len(t.kept) > chart.MaxSeries {
		t.kept = t.kept[:chart.MaxSeries]
		t.dropped++
	}
}

// plot puts the kept series on one time axis: by day if their days are evenly spaced
// (see evenlySpaced), else by week or a longer interval. Values between two points
// of a series are interpolated, unless one of the two is NaN or they are too far apart.
func (t *topSeries) plot(c *chart.Chart, r *rows) {
	dates := map[summary.Day]bool{}
	var covered summary.Period
	for _, s := range t.kept {
		for day := range s.points {
			dates[day] = true
			extend(&covered, day)
		}
	}
	by, starts := summary.UnitDay, evenlySpaced(slices.Sorted(maps.Keys(dates)))
	if starts == nil && len(dates) > 0 {
		by, starts = divide(summary.UnitWeek, covered, maxPoints)
	}
	r.setAxis(c, by, starts)
	for _, s := range t.kept {
		c.Series = append(c.Series, s.resample(by, starts))
	}
}

// evenlySpaced adds days to sorted days until all are the same number of days
// apart. It returns nil if more days than there are would have to be added, or if
// there would be more than maxPoints.
func evenlySpaced(days []summary.Day) []summary.Day {
	spacing := 0 // the greatest common divisor of all distances
	for i := 1; i < len(days); i++ {
		a, b := int(days[i]-days[i-1]), spacing
		for b != 0 {
			a, b = b, a%b
		}
		spacing = a
	}
	if spacing == 0 {
		return days
	}
	last := days[len(days)-1]
	if n := int(last-days[0])/spacing + 1; n > maxPoints || n > 2*len(days) {
		return nil
	}
	var all []summary.Day
	for day := days[0]; day <= last; day += summary.Day(spacing) {
		all = append(all, day)
	}
	return all
}

// resample returns the series with one value for each interval: that of the
// last day in it, or an interpolated one between two others.
func (s timeSeries) resample(by summary.Unit, starts []summary.Day) chart.Series {
	lastIn := map[summary.Day]float64{}
	for _, day := range slices.Sorted(maps.Keys(s.points)) {
		lastIn[startOf(by, day)] = s.points[day]
	}
	out := chart.Series{Name: s.name, Values: make([]float64, len(starts)), Interpolated: make([]bool, len(starts))}
	last := -1 // the last interval with a point
	for i, start := range starts {
		v, ok := lastIn[start]
		if out.Values[i] = v; !ok {
			out.Values[i] = math.NaN()
			continue
		}
		for j := last + 1; last >= 0 && j < i && start-starts[last] <= summary.MaxSpacing; j++ { // NaN at either end makes all of these NaN
			share := float64(starts[j]-starts[last]) / float64(start-starts[last])
			out.Values[j] = out.Values[last] + (v-out.Values[last])*share
			out.Interpolated[j] = !math.IsNaN(out.Values[j])
		}
		last = i
	}
	return out
}
