package customers

import (
	"context"
	"iter"
	"maps"
	"slices"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

// A customer is what the command knows of the account of a row.
type customer struct {
	line          int
	needsCampaign bool            // the row has something that belongs to a campaign
	plan          record.Value    // the service_plan_id of the row
	plansError    error           // why the plans of the campaign can't be read
	created       bool            // created by this job
	compared      *portfolio.Plan // what has to change; nil if the account was not compared with the row
	account       int64
	campaign      int64
	attached      bool // the service lists the plan as attached
}

// An onboarding is one execution of a command that creates customers.
type onboarding struct {
	f         *cli.Frame
	file      *bulkcmd.FileFlags
	keywords  portfolio.KeywordOptions
	repeat    []string
	c         *client.Client
	model     *portfolio.Model
	customers map[int]*customer
	similar   *loads.Similar // has read the list of accounts; nil if it is not read before the job
	notSent   map[string]int // by step: the customers that existed before, whose step was not sent
	// planOf returns the plan of a row by its ordinal, nil if there is none.
	planOf func(row int) *portfolio.Plan

	parsed    *portfolio.Wanted // of the row that was asked for last, since all steps of a row ask for it
	parsedRow int
}

func newOnboarding(f *cli.Frame, file *bulkcmd.FileFlags, keywords portfolio.KeywordOptions) *onboarding {
	return &onboarding{
		f: f, file: file, keywords: keywords, model: portfolio.New(), customers: map[int]*customer{}, notSent: map[string]int{},
		planOf: func(int) *portfolio.Plan { return nil },
	}
}

// customerOf returns the customer of a row.
func (r *onboarding) customerOf(row rows.Row) *customer {
	c := r.customers[row.Ordinal]
	if c == nil {
		c = &customer{line: row.Line, plan: slices.Clone(row.Values.Get("service_plan_id")), compared: r.planOf(row.Ordinal)}
		w := r.wanted(row)
		c.needsCampaign = w.Plan != nil || w.Keywords != nil || w.Notes != nil || w.Credentials != nil && !c.wasHeld()
		r.customers[row.Ordinal] = c
	}
	return c
}

// wasHeld reports whether the service held the customer when it was compared with the row.
func (c *customer) wasHeld() bool { return c.compared != nil && c.compared.Create == nil }

// wanted returns what the values of a row, which the schema has found valid, say of its customer.
func (r *onboarding) wanted(row rows.Row) *portfolio.Wanted {
	if r.parsed == nil || r.parsedRow != row.Ordinal {
		w, _, _ := r.model.Wanted(row.Values.Map(), r.keywords)
		r.parsed, r.parsedRow = w, row.Ordinal
	}
	return r.parsed
}

// resolveAccounts records which accounts exist, and finds the campaign of each and the plans of those that were not compared
// with their rows. It returns the rows whose campaign is not known, with the reason: their other steps are not sent in this
// run.
func (r *onboarding) resolveAccounts(ctx context.Context, results []bulk.StepResult) (blocked map[int]string, err error) {
	held := &portfolio.Held{} // the accounts whose campaign must be read
	for row, c := range r.existing(results) {
		c.created = results[row].State == bulk.Sent
		c.account, _ = results[row].Fields.Get("account_id").Int64()
		c.campaign, _ = results[row].Fields.Get("campaign_id").Int64()
		switch p := c.compared; {
		case c.wasHeld() && (!c.created || c.campaign == 0):
			c.account, c.campaign = p.Account, p.Campaign
		case c.needsCampaign && c.account != 0 && (!c.created || c.campaign == 0):
			held.Customers = append(held.Customers, portfolio.HeldCustomer{Account: c.account, Campaign: c.campaign})
		}
	}
	if len(held.Customers) > 0 {
		if err := loads.ReadCampaigns(ctx, r.c, held); err != nil {
			return nil, err
		}
	}
	held.Index(r.model)
	blocked = map[int]string{}
	for row, c := range r.existing(results) {
		if !c.needsCampaign {
			continue
		}
		if why := c.chooseCampaign(r.model, held); why != "" {
			blocked[row] = why
			r.f.Note("%s: %s", r.file.Place(c.line), why)
			continue
		}
		results[row].Fields = cli.RecordOf(client.AccountIDs{AccountID: client.Integer(c.account), CampaignID: client.Integer(c.campaign)})
	}
	return blocked, r.readPlans(ctx, results, blocked)
}

// existing iterates over the customers with an account, in the order of their rows.
func (r *onboarding) existing(results []bulk.StepResult) iter.Seq2[int, *customer] {
	return func(yield func(int, *customer) bool) {
		for _, row := range slices.Sorted(maps.Keys(r.customers)) {
			if isHeld(results[row]) && !yield(row, r.customers[row]) {
				return
			}
		}
	}
}

// isHeld reports whether the service holds the account of a row.
func isHeld(result bulk.StepResult) bool {
	return result.State == bulk.Sent || result.State == bulk.Present || result.State == bulk.Differs
}

// chooseCampaign sets the campaign to the only one of the account, or returns why it can't. held has the accounts whose
// campaigns were read.
func (c *customer) chooseCampaign(m *portfolio.Model, held *portfolio.Held) (why string) {
	if c.account == 0 {
		return "the service does not show the id of its account yet"
	}
	known := portfolio.HeldCustomer{Account: c.account, Campaign: c.campaign}
	if at, _, _ := held.Match(m, &portfolio.Wanted{AccountID: c.account}); at >= 0 {
		known = held.Customers[at]
	}
	campaign, why := known.OnlyCampaign()
	if why == "" {
		c.campaign = campaign
	}
	return why
}

// readPlans reads which campaigns have their plan already. The campaign of a new account has none, unless the outcome of an
// earlier run is unknown.
func (r *onboarding) readPlans(ctx context.Context, results []bulk.StepResult, blocked map[int]string) error {
	held := &portfolio.Held{}
	var read []*customer // the customer of each of held
	for row, c := range r.existing(results) {
		if c.wasHeld() && c.compared.Attach == nil {
			c.attached, c.plansError = c.compared.Unread == nil, c.compared.Unread
		}
		if _, ok := blocked[row]; ok || c.plan == nil || c.campaign == 0 || c.wasHeld() || c.created && !r.file.ResendUnknown {
			continue
		}
		held.Customers, read = append(held.Customers, portfolio.HeldCustomer{Account: c.account, Campaign: c.campaign}), append(read, c)
	}
	return loads.ReadDetails(ctx, r.c, r.model, held, false, func(yield func(loads.Need) bool) {
		for i, c := range read {
			of := &held.Customers[i]
			found := func() {
				if c.attached = of.HasPlan(c.plan); !loads.IsRefused(of.Unread) { // what is refused is unknown, whatever the reason
					c.plansError = of.Unread
				}
			}
			if !yield(loads.Need{Details: loads.Details{Plans: true}, Customer: i, Then: found}) {
				return
			}
		}
	}, r.file.Concurrency)
}

// ids adds the account and the campaign to values.
func (c *customer) ids(values schema.Values) schema.Values {
	values["account_id"] = record.Integer(c.account)
	values["campaign_id"] = record.Integer(c.campaign)
	return values
}
