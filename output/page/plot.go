package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/summary"
	"reseller/output/chart"
)

const plotHeight = 130.0 // of the area between the axes of a chart on a page

const (
	seriesVisits    = "Visits"
	seriesOrganic   = "Organic visits"
	seriesCompleted = "Tasks completed"
	seriesGained    = "Links gained"
	seriesLost      = "Links lost"
	seriesReferring = "Referring backlinks"
)

// visitsPlot draws the visits of the period against those of the period before.
func visitsPlot(t *summary.Traffic) chart.Chart {
	p := chart.Chart{Title: "Visits by " + t.Unit}
	total, organic, before := chart.Series{Name: seriesVisits}, chart.Series{Name: seriesOrganic, Thin: true}, chart.Series{Name: "Visits in the period before", Before: true}
	for _, point := range t.Points {
		addLabel(&p, point.Label, point.Partial, t.Unit)
		total.Values, organic.Values, before.Values = append(total.Values, point.Total), append(organic.Values, point.Organic), append(before.Values, point.Previous)
	}
	p.Series = []chart.Series{total, organic}
	if past := (chart.Chart{Series: []chart.Series{before}}); !past.IsEmpty() {
		p.Series = append(p.Series, before)
	}
	p.About = describe(total, t.Unit, p.Labels)
	return p
}

// builtPlot draws the links by week. What is not known is no series of zeros.
func builtPlot(l *summary.Links) chart.Chart {
	gained, lost := seriesGained, seriesLost
	if l.GainedMissing != "" {
		gained = ""
	}
	if l.LostMissing != "" {
		lost = ""
	}
	return columnsPlot(l.Unit, l.Intervals, gained, lost)
}

// columnsPlot draws a column for each interval and each series that has a name. It is empty if all counts are 0.
func columnsPlot(unit string, intervals []summary.Interval, counted, lost string) chart.Chart {
	p := chart.Chart{Title: "Links", Kind: chart.KindColumns}
	all := []chart.Series{{Name: counted}, {Name: lost}}
	for _, in := range intervals {
		addLabel(&p, in.Label, in.Partial, unit)
		all[0].Values, all[1].Values = append(all[0].Values, float64(in.Count)), append(all[1].Values, float64(in.Lost))
	}
	p.Series = slices.DeleteFunc(all, func(s chart.Series) bool { return s.Name == "" })
	if !slices.ContainsFunc(p.Series, func(s chart.Series) bool { return slices.ContainsFunc(s.Values, func(v float64) bool { return v > 0 }) }) {
		return chart.Chart{}
	}
	if len(p.Series) == 1 {
		p.Title = p.Series[0].Name
	}
	p.Title += " by " + unit
	p.About = strings.Join(phrase.Each(p.Series, func(s chart.Series) string { return describe(s, unit, p.Labels) }), " ")
	return p
}

// partialMark stands behind the label of an interval that is not whole.
const partialMark = "*"

// addLabel adds the label of an interval, with a mark and a note if it is not whole.
func addLabel(p *chart.Chart, label string, isPartial bool, unit string) {
	if isPartial {
		label += partialMark
		p.Notes = []string{partialMark + " Only a part of this " + unit + " is in the period or has data."}
	}
	p.Labels, p.Partial = append(p.Labels, label), append(p.Partial, isPartial)
}

// referringPlot draws the number of referring backlinks.
func referringPlot(l *summary.Links) chart.Chart {
	if len(l.Referring) < 2 {
		return chart.Chart{}
	}
	s := chart.Series{Name: seriesReferring, Values: l.Referring}
	p := chart.Chart{Title: s.Name, Series: []chart.Series{s}, About: describe(s, "day", l.Days)}
	for _, day := range l.Days {
		if year := len(" 2006"); len(day) > year {
			day = day[:len(day)-year]
		}
		p.Labels = append(p.Labels, day)
	}
	return p
}

// describe tells in words what a series shows.
func describe(s chart.Series, unit string, labels []string) string {
	known := slices.DeleteFunc(slices.Clone(s.Values), math.IsNaN)
	if len(known) == 0 {
		return "No " + strings.ToLower(s.Name) + " are known."
	}
	highest, label := slices.Max(known), func(i int) string { return strings.TrimSuffix(labels[i], partialMark) }
	var at []string
	for i, v := range s.Values {
		if v == highest {
			at = append(at, label(i))
		}
	}
	text := fmt.Sprintf("%s for each %s from %s to %s. ", s.Name, unit, label(0), label(len(labels)-1))
	switch n := summary.Number(highest); {
	case len(at) == len(s.Values):
		return text + "All are " + n + "."
	case len(known) == 1:
		return text + "Only that of " + at[0] + " is known: " + n + "."
	case len(at) == len(known):
		return text + "All that are known are " + n + "."
	case len(at) > 2:
		return text + "The highest is that of " + phrase.Count(len(at), unit, unit+"s") + ": " + n + "."
	default:
		return text + "The highest is " + n + ", " + strings.Join(at, " and ") + "."
	}
}
