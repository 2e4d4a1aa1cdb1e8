package budget

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/chartcmd"
	"reseller/cmd/cli"
	"reseller/output/chart"
)

const mostBars = 20

// A bar is what one keyword, or one site among several, costs a month.
type bar struct {
	name   string
	cost   float64
	number int // where it came, which decides between equals
}

// A drawing has a bar for each keyword of an estimate, or for each of several
// estimates.
type drawing struct {
	o       *estimateOptions
	several bool

	mu    sync.Mutex
	sites map[int]record.Record // the figures of several, by their number
	bars  []bar                 // the dearest
	all   int
	total float64 // of all
	blank int     // without a budget that can be read
	notes []string
	rows  *chartcmd.RowSample
}

func (o *estimateOptions) draw() chartcmd.Builder {
	o.drawing = &drawing{o: o, several: o.several, sites: map[int]record.Record{}, rows: chartcmd.NewRowSample(&schema.EstimateKeywords)}
	if o.drawing.several {
		o.drawing.rows = chartcmd.NewRowSample(&schema.Estimates)
	}
	return o.drawing
}

// Add has nothing to do: not every format prints whole estimates.
func (d *drawing) Add(record.Record) {}

// take takes the estimate of an address in. Several come in any order.
func (d *drawing) take(i int, estimate record.Record) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.several {
		d.sites[i] = d.o.named(i, figures(estimate))
		return
	}
	if total := chartcmd.ParseNumber(estimate.Get("estimated_budget.estimated_monthly_budget")); !math.IsNaN(total) {
		d.notes = append(d.notes, "The estimate is "+chart.Number(total)+" a month in all.")
	}
	if estimate.Get("cached").Text() == "true" {
		d.notes = append(d.notes, "It was remembered from "+estimate.Get("cache_timestamp").Text()+".")
	}
	items, err := keywords(estimate)
	if err != nil { // not every format reads them
		d.notes = append(d.notes, "The keywords can't be read.")
	}
	for i, item := range items {
		d.rows.Add(item)
		d.add(item.Get("keyword").Text(), item.Get("budget_estimate.monthly_budget"), i)
	}
}

func (d *drawing) add(name string, cost record.Value, number int) {
	one := bar{chartcmd.Truncate(name), chartcmd.ParseNumber(cost), number}
	if math.IsNaN(one.cost) {
		d.blank++
		return
	}
	d.all++
	d.total += one.cost
	d.bars = append(d.bars, one)
	slices.SortFunc(d.bars, func(a, b bar) int { return cmp.Or(cmp.Compare(b.cost, a.cost), cmp.Compare(a.number, b.number)) })
	d.bars = d.bars[:min(len(d.bars), mostBars)]
}

// labels are the addresses. Those that are asked for several times have market
// and language before them: a long name loses its end.
func (o *estimateOptions) labels() []string {
	times := map[string]int{}
	for _, url := range o.urls {
		times[url]++
	}
	labels := slices.Clone(o.urls)
	for i, url := range o.urls {
		if of := strings.TrimSpace(o.asked(i, "market").Text() + " " + o.asked(i, "language").Text()); of != "" && times[url] > 1 {
			labels[i] = of + ": " + url
		}
	}
	return labels
}

// Page has one chart.
func (d *drawing) Page() chart.Page {
	d.mu.Lock()
	defer d.mu.Unlock()
	thing := "keyword"
	c := chart.Chart{
		Title: "Monthly budget per keyword", Kind: chart.Bars, Across: thing, Up: "monthly budget", Notes: d.notes,
		Missing: "The estimate has no keyword with a budget.", Rows: d.rows.Table("All keywords"),
	}
	page := chart.Page{Title: "Budget estimate", About: d.o.urls}
	if d.several {
		labels := d.o.labels()
		for _, i := range slices.Sorted(maps.Keys(d.sites)) {
			d.rows.Add(d.sites[i])
			d.add(labels[i], d.sites[i].Get("estimated_budget.estimated_monthly_budget"), i)
		}
		thing = "site"
		c.Title, c.Across = "Monthly budget per site", thing
		c.Missing, c.Rows = "No estimate has a budget.", d.rows.Table("All sites")
		page.About = nil
	}
	series := chart.Series{}
	drawn := 0.0
	for _, one := range d.bars {
		c.Labels = append(c.Labels, one.name)
		series.Values = append(series.Values, one.cost)
		drawn += one.cost
	}
	c.Series = []chart.Series{series}
	if d.all > len(d.bars) {
		c.Notes = append(c.Notes, fmt.Sprintf("Only the %d dearest %ss are drawn; the other %d are %s a month together.", len(d.bars), thing, d.all-len(d.bars), chart.Number(d.total-drawn)))
	}
	if d.blank > 0 {
		c.Left = append(c.Left, cli.Plural(d.blank, thing, thing+"s")+" without a budget that can be read")
	}
	page.Charts = []chart.Chart{c}
	return page
}
