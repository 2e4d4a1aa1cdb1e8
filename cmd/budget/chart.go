package budget

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/chartcmd"
	"reseller/output/chart"
)

// maxBars is the largest number of bars in a chart.
const maxBars = 20

// A bar is the monthly budget of a keyword or, for several URLs, of a site.
type bar struct {
	name   string
	budget float64
	number int // the index of the keyword or URL; of equal budgets, the lower number comes first
}

// A chartBuilder draws the keywords of one estimate, or the totals of several.
type chartBuilder struct {
	o *estimateOptions

	mu        sync.Mutex
	estimates map[int]record.Record // the totals of several estimates, by the number of the call
	bars      []bar                 // those with the highest budgets
	count     int                   // keywords or sites with a budget, with and without a bar
	sum       float64               // the sum of their budgets
	invalid   int                   // keywords or sites without a valid budget
	notes     []string
	rows      *chartcmd.RowSample
}

// newChart returns the builder of the chart.
func (o *estimateOptions) newChart() chartcmd.Builder {
	res := &schema.EstimateKeywords
	if o.several {
		res = &schema.Estimates
	}
	o.chart = &chartBuilder{o: o, estimates: map[int]record.Record{}, rows: chartcmd.NewRowSample(res)}
	return o.chart
}

// Add does nothing: the printed records are not whole estimates in every format,
// so addEstimate is called instead.
func (b *chartBuilder) Add(record.Record) {}

// addEstimate adds the response to the i-th call. Calls run at the same time, so
// the responses for several URLs arrive in any order.
func (b *chartBuilder) addEstimate(i int, estimate record.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.o.several {
		b.estimates[i] = b.o.identify(i, totals(estimate))
		return
	}
	if total := summary.ParseNumber(estimate.Get("estimated_budget.estimated_monthly_budget")); !math.IsNaN(total) {
		b.notes = append(b.notes, "The estimated budget is "+chart.Number(total)+" per month.")
	}
	if estimate.Get("cached").Text() == "true" {
		b.notes = append(b.notes, "The service cached this estimate at "+estimate.Get("cache_timestamp").Text()+".")
	}
	items, err := keywordsOf(estimate)
	if err != nil { // a printer that does not need the keywords does not report this error
		b.notes = append(b.notes, "The keywords of the estimate could not be read.")
	}
	for number, item := range items {
		b.rows.Add(item)
		b.addBar(item.Get("keyword").Text(), item.Get("budget_estimate.monthly_budget"), number)
	}
}

func (b *chartBuilder) addBar(name string, budget record.Value, number int) {
	added := bar{chartcmd.Truncate(name), summary.ParseNumber(budget), number}
	if math.IsNaN(added.budget) {
		b.invalid++
		return
	}
	b.count++
	b.sum += added.budget
	b.bars = append(b.bars, added)
	slices.SortFunc(b.bars, func(x, y bar) int { return cmp.Or(cmp.Compare(y.budget, x.budget), cmp.Compare(x.number, y.number)) })
	b.bars = b.bars[:min(len(b.bars), maxBars)]
}

// labels returns the names of the sites: their URLs. A URL that was requested
// more than once has its market and language in front, since the end of a long
// name is cut off.
func (o *estimateOptions) labels() []string {
	times := map[string]int{}
	for _, url := range o.urls {
		times[url]++
	}
	labels := slices.Clone(o.urls)
	for i, url := range o.urls {
		if locale := strings.TrimSpace(o.requested(i, "market").Text() + " " + o.requested(i, "language").Text()); locale != "" && times[url] > 1 {
			labels[i] = locale + ": " + url
		}
	}
	return labels
}

// Page returns a page with one chart.
func (b *chartBuilder) Page() chart.Page {
	b.mu.Lock()
	defer b.mu.Unlock()
	thing := "keyword"
	c := chart.Chart{
		Title: "Monthly budget per keyword", Kind: chart.KindBars, XTitle: thing, YTitle: "monthly budget", Notes: b.notes,
		NoData: "The estimate has no keyword with a budget.", Rows: b.rows.Table("All keywords"),
	}
	about := b.o.urls
	if b.o.several {
		labels := b.o.labels()
		for _, i := range slices.Sorted(maps.Keys(b.estimates)) {
			b.rows.Add(b.estimates[i])
			b.addBar(labels[i], b.estimates[i].Get("estimated_budget.estimated_monthly_budget"), i)
		}
		thing = "site"
		c.Title, c.XTitle = "Monthly budget per site", thing
		c.NoData, c.Rows = "No estimate has a budget.", b.rows.Table("All sites")
		about = nil
	}
	c.Series = make([]chart.Series, 1)
	shown := 0.0
	for _, each := range b.bars {
		c.Labels, c.Series[0].Values = append(c.Labels, each.name), append(c.Series[0].Values, each.budget)
		shown += each.budget
	}
	if rest := b.count - len(b.bars); rest > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Showing the %d most expensive %ss; the other %d cost %s per month.", len(b.bars), thing, rest, chart.Number(b.sum-shown)))
	}
	if b.invalid > 0 {
		c.Omitted = append(c.Omitted, phrase.Count(b.invalid, thing, thing+"s")+" without a valid budget")
	}
	return chart.Page{Title: "Budget estimate", About: about, Charts: []chart.Chart{c}}
}
