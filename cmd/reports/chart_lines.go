package reports

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"reseller/output/chart"
)

// mostPoints is how many dates of a line are drawn one by one.
const mostPoints = 100

// A line is how something stood on some days; NaN is a gap.
type line struct {
	name   string
	of     origin // where there are several
	weight float64
	points map[time.Time]float64
}

// figures tells whether there is one on any date.
func (l line) figures() bool {
	for _, v := range l.points {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}

// Leaders keep the lines that weigh most, as many as can be told apart; of
// equal ones, those that came first.
type leaders struct {
	kept []line
	more int
}

// origins are those of the lines that are kept.
func (l *leaders) origins() []origin {
	var all []origin
	for _, one := range l.kept {
		all = append(all, one.of)
	}
	return all
}

func (l *leaders) add(one line) {
	l.kept = append(l.kept, one)
	slices.SortStableFunc(l.kept, func(a, b line) int { return cmp.Compare(b.weight, a.weight) })
	if len(l.kept) > chart.MaxSeries {
		l.kept = l.kept[:chart.MaxSeries]
		l.more++
	}
}

// trace puts the lines on an axis of time. Between two of its own points a line
// goes straight; where it has a gap, it has none.
func (l *leaders) trace() (p pace, labels []string, series []chart.Series) {
	dates := map[time.Time]bool{}
	var from, to time.Time
	for _, one := range l.kept {
		for day := range one.points {
			dates[day] = true
			widen(&from, &to, day)
		}
	}
	days := even(slices.SortedFunc(maps.Keys(dates), time.Time.Compare))
	if days == nil && len(dates) > 0 {
		p, days = weekly.steps(from, to, mostPoints)
	}
	for _, day := range days {
		labels = append(labels, p.label(day))
	}
	for _, one := range l.kept {
		series = append(series, one.along(p, days))
	}
	return p, labels, series
}

// even are the days with as many between any two as it takes to have them
// evenly apart, or nil where that would be mostly others or too many.
func even(days []time.Time) []time.Time {
	apart := 0
	for i := 1; i < len(days); i++ {
		for a, b := daysFrom(days[i-1], days[i]), apart; ; a, b = b, a%b {
			if b == 0 {
				apart = a
				break
			}
		}
	}
	if apart == 0 {
		return days
	}
	last := days[len(days)-1]
	if n := daysFrom(days[0], last)/apart + 1; n > mostPoints || n > 2*len(days) {
		return nil
	}
	var all []time.Time
	for day := days[0]; !day.After(last); day = day.AddDate(0, 0, apart) {
		all = append(all, day)
	}
	return all
}

func daysFrom(a, b time.Time) int { return int(b.Sub(a) / (24 * time.Hour)) }

// along is the line's value for each of days; the last of a week stands for it.
func (l line) along(p pace, days []time.Time) chart.Series {
	at := map[time.Time]float64{}
	for _, day := range slices.SortedFunc(maps.Keys(l.points), time.Time.Compare) {
		at[p.first(day)] = l.points[day]
	}
	s := chart.Series{Name: l.name, Values: make([]float64, len(days)), Between: make([]bool, len(days))}
	last := -1
	for i, day := range days {
		v, ok := at[day]
		if s.Values[i] = v; !ok {
			s.Values[i] = math.NaN()
			continue
		}
		for j := last + 1; last >= 0 && j < i; j++ { // stays a gap where either end is one
			part := float64(days[j].Sub(days[last])) / float64(day.Sub(days[last]))
			s.Values[j] = s.Values[last] + (v-s.Values[last])*part
			s.Between[j] = !math.IsNaN(s.Values[j])
		}
		last = i
	}
	return s
}
