package reports

import (
	"fmt"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output/chart"
)

const mostBars = 20

// A sketch gathers, while the rows of a report pass by, what its charts need:
// not more than can be drawn.
type sketch interface {
	see(rec record.Record)
	charts() []chart.Chart
}

// A drawing makes the charts of one report.
type drawing struct {
	title string
	about []string
	sketch
}

// See takes in a row.
func (d *drawing) See(rec record.Record) { d.see(rec) }

// Page has the charts of what was seen.
func (d *drawing) Page() chart.Page {
	return chart.Page{Title: d.title, About: d.about, Charts: d.charts()}
}

// drawing is what the flags make of a report's rows.
func (o *options) drawing() cli.Drawing {
	d := &drawing{title: o.kind.title}
	campaign := ""
	if o.named() {
		campaign = fmt.Sprintf("campaign %d", o.campaigns[0])
		d.about = append(d.about, fmt.Sprintf("account %d, %s", o.accounts[0], campaign))
	}
	d.sketch = o.kind.sketch(o.kind.row(), campaign)
	if o.dates != (client.Dates{}) {
		d.about = append(d.about, o.dates.From+" to "+o.dates.To)
	}
	return d
}

// newLedger keeps rows as a table shows them, with their account and campaign
// where there are several.
func newLedger(res *schema.Resource, campaign string) *cli.Ledger {
	if campaign == "" {
		return cli.NewLedger(res, schema.ReportPair.Columns()...)
	}
	return cli.NewLedger(res)
}

// An origin is a campaign as an account has it.
type origin struct{ account, campaign string }

func originOf(rec record.Record) origin {
	return origin{cli.Clip(rec.Get("account_id").Text()), cli.Clip(rec.Get("campaign_id").Text())}
}

// shared are the campaigns that several accounts have.
func shared(all []origin) map[string]bool {
	of, found := map[string]string{}, map[string]bool{}
	for _, p := range all {
		if account, ok := of[p.campaign]; ok && account != p.account {
			found[p.campaign] = true
		}
		of[p.campaign] = p.account
	}
	return found
}

// title names a campaign among others.
func (p origin) title(shared map[string]bool) string {
	if shared[p.campaign] {
		return p.campaign + " of account " + p.account
	}
	return "campaign " + p.campaign
}

const (
	noRows    = "The report has no rows."
	noDrawing = "No row has what can be drawn."
)

// missing says why there is nothing to draw.
func missing(rows int) string {
	if rows == 0 {
		return noRows
	}
	return noDrawing
}
