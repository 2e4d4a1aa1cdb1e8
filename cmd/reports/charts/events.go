package charts

import (
	"cmp"
	"slices"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/chartcmd"
	"reseller/output/chart"
)

const (
	maxWeeks      = 60 // more are drawn by month or year
	maxCategories = 50 // more are counted as categoryOther
	categoryOther = "other"
)

// eventFields describes a report whose rows are events, and its chart.
type eventFields struct {
	title, axis string
	date        string // the field with the date of the event
	category    string // the field that events are grouped by, empty for one group
	emptyDate   string // describes an event with an empty date; empty if every event must have a date
}

// The builders of the charts of how many tasks were built, and links lost or completed, each week.
var (
	NewWorkflows            = eventFields{title: "Tasks built", axis: "tasks", date: "built_date", category: "status"}.builder
	NewLostBacklinks        = eventFields{title: "Backlinks lost", axis: "links lost", date: "date_last_seen"}.builder
	NewProvisionedBacklinks = eventFields{title: "Backlinks provisioned", axis: "links", date: "completed_date", category: "type", emptyDate: "not completed yet"}.builder
)

type eventKey struct {
	day      summary.Day
	category string
}

// An eventBuilder counts the events of all campaigns together.
type eventBuilder struct {
	rows
	eventFields
	counts     map[eventKey]float64
	categories map[string]float64 // the number of events in each category
	covered    summary.Period
	undated    int
	invalid    int
}

func (fields eventFields) builder(res *schema.Resource, campaign string, p summary.Period) Builder {
	return &eventBuilder{rows: rowsOf(res, campaign, p), eventFields: fields, counts: map[eventKey]float64{}, categories: map[string]float64{}}
}

func (b *eventBuilder) Add(row record.Record) {
	b.see(row)
	b.sample.Add(row)
	date := row.Get(b.date)
	day, ok := summary.ParseDay(date)
	switch {
	case !ok && b.emptyDate != "" && date.Text() == "":
		b.undated++
		return
	case !ok:
		b.invalid++
		return
	}
	category := ""
	if b.category != "" {
		if category = chartcmd.Truncate(row.Get(b.category).Text()); category == "" {
			category = "no " + b.category
		}
		if b.categories[category] == 0 && len(b.categories) >= maxCategories {
			category = categoryOther
		}
	}
	extend(&b.covered, day)
	b.categories[category]++
	b.counts[eventKey{day, category}]++
}

func (b *eventBuilder) Charts() []chart.Chart {
	c := chart.Chart{Title: b.title + " per week", Kind: chart.KindStackedColumns, YTitle: b.axis, NoData: b.missing()}
	c.Rows = b.sample.Table("Rows")
	if b.invalid > 0 {
		c.Omitted = append(c.Omitted, phrase.Count(b.invalid, "row without a valid "+b.date+" is left out", "rows without a valid "+b.date+" are left out"))
	}
	if b.undated > 0 {
		c.Notes = append(c.Notes, phrase.Count(b.undated, "is ", "are ")+b.emptyDate+".")
	}
	if len(b.counts) == 0 {
		return []chart.Chart{c}
	}
	c.Notes = append(c.Notes, b.totals()...)
	by, starts := divide(summary.UnitWeek, b.periodOr(b.covered), maxWeeks)
	c.Title = b.title + " per " + by.String()
	b.setAxis(&c, by, starts)
	c.Notes = append(c.Notes, incompleteEnds(by, starts, b.period, "the period")...)
	for _, name := range b.seriesNames() {
		c.Series = append(c.Series, chart.Series{Name: name, Values: make([]float64, len(starts))})
	}
	other := len(c.Series) - 1
	for key, n := range b.counts {
		i := slices.IndexFunc(c.Series, func(s chart.Series) bool { return s.Name == key.category })
		if i < 0 {
			i = other
		}
		at, _ := slices.BinarySearch(starts, startOf(by, key.day))
		c.Series[i].Values[at] += n
	}
	return []chart.Chart{c}
}

// seriesNames returns the categories that have a series of their own, the most
// frequent first. If there are too many, the last one is categoryOther.
func (b *eventBuilder) seriesNames() []string {
	var names []string
	for name := range b.categories {
		if name != categoryOther {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(b.categories[y], b.categories[x]), cmp.Compare(x, y))
	})
	if len(names) > chart.MaxSeries || b.categories[categoryOther] > 0 {
		names = append(names[:min(len(names), chart.MaxSeries-1)], categoryOther)
	}
	return names
}
