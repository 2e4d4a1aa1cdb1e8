package reports

import (
	"fmt"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/chartcmd"
	"reseller/cmd/reports/charts"
	"reseller/output/chart"
)

// A drawing makes the charts of one report.
type drawing struct {
	title   string
	about   []string
	builder charts.Builder
}

// Add takes in a row.
func (d *drawing) Add(rec record.Record) { d.builder.Add(rec) }

// Page has the charts of what was seen.
func (d *drawing) Page() chart.Page {
	return chart.Page{Title: d.title, About: d.about, Charts: d.builder.Charts()}
}

// drawing is what the flags make of a report's rows.
func (o *options) drawing() chartcmd.Builder {
	d := &drawing{title: o.kind.title}
	campaign := ""
	if o.named() {
		campaign = fmt.Sprintf("campaign %d", o.campaigns[0])
		d.about = append(d.about, fmt.Sprintf("account %d, %s", o.accounts[0], campaign))
	}
	d.builder = o.kind.newBuilder(o.kind.row(), campaign)
	if o.dates != (client.Dates{}) {
		d.about = append(d.about, o.dates.From+" to "+o.dates.To)
	}
	return d
}
