package customers

import (
	"context"
	"maps"
	"slices"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

type customer struct {
	line          int
	needsCampaign bool            // the row has something to send that belongs to a campaign
	plansError    error           // why the plans of the campaign can't be read
	created       bool            // created by this job
	compared      *portfolio.Plan // what has to change; nil if the account could not be compared with the row
	account       int64
	campaign      int64
	plan          schema.Values // to be attached; nil for none
	attached      bool          // the service lists the plan as attached
}

// A customerLoad is one execution of a command that brings the customers of a file to the service. The items of a row depend
// on the row and on what the job has kept only, so that a resumed job has the same items. Whether they are sent is up to the
// plan of the row: the service is read again for those that create something, and for those with an unknown outcome.
type customerLoad struct {
	*cli.Session
	output  *cli.Output
	outcome *cli.Outcome
	flags   *compareFlags
	file    *bulkcmd.FileFlags
	repeat  []string // the steps that are also made for accounts that already existed

	c           *client.Client
	model       *portfolio.Model
	comparison  *comparison
	decisions   *decisions
	tables      []*job.StepTable // of earlier runs of the job
	customers   map[int]*customer
	job         *job.Job        // nil if nothing is known of earlier loads
	earlier     *earlierJobs    // nil until they are asked for
	unsure      int             // the customers of which nobody knows whether their credentials were sent
	unreadPlans map[string]bool // by campaign: its plans could not be read
	notSent     map[string]int  // by step: the customers that existed before, whose step was not sent
	isStale     bool            // of some account not all was compared with its row, so that the service is read again

	parsed    *portfolio.Desired // of the row that was asked for last, since all steps of a row ask for it
	parsedRow int
}

func newCustomerLoad(f *cli.Frame, flags *compareFlags, file *bulkcmd.FileFlags) *customerLoad {
	return &customerLoad{
		Session: f.Session, output: f.Output, outcome: f.Outcome, flags: flags, file: file,
		model: portfolio.New(), customers: map[int]*customer{}, notSent: map[string]int{}, unreadPlans: map[string]bool{},
		comparison: &comparison{},
	}
}

// customerOf returns the customer of a row. All steps of the row have the same one.
func (l *customerLoad) customerOf(row rows.Row) *customer {
	if c := l.customers[row.Ordinal]; c != nil {
		return c
	}
	c := &customer{line: row.Line}
	if at, ok := slices.BinarySearch(l.comparison.rows, row.Ordinal); ok {
		c.compared = &l.comparison.plans[at]
	}
	w := l.desired(row)
	c.plan = w.Plan
	sendsCredentials := w.Credentials != nil && (!c.existed() || l.repeats(stepCredentials, c.compared.Account))
	c.needsCampaign = w.Plan != nil || w.Keywords != nil || w.Notes != nil || sendsCredentials
	if c.existed() && c.compared.Attach == nil { // either nothing is to be attached, or the plans could not be read
		c.attached, c.plansError = !c.compared.IsUnread(), c.compared.Unread
	}
	l.customers[row.Ordinal] = c
	return c
}

// existed reports whether the service held the customer when it was compared with the row.
func (c *customer) existed() bool { return c.compared != nil && c.compared.Create == nil }

// isUncompared reports whether a customer has an account that was not compared with its row, or not with
// all of the row: the comparison came before the account, or could not read something.
func (c *customer) isUncompared() bool {
	return c.compared == nil || c.compared.IsUnread() || !c.existed() && !c.created
}

// desired returns what the values of a row, which the schema has found valid, say of its customer.
func (l *customerLoad) desired(row rows.Row) *portfolio.Desired {
	if l.parsed == nil || l.parsedRow != row.Ordinal {
		w, _, _ := l.model.Desired(row.Values.Map(), l.flags.keywords(l.Session))
		l.parsed, l.parsedRow = w, row.Ordinal
	}
	return l.parsed
}

// resolveAccounts records which accounts exist, and finds the campaign of each. It returns why the campaign of a row is not known:
// its other steps are not sent in this run.
func (l *customerLoad) resolveAccounts(ctx context.Context, results []bulk.StepResult) (blocked map[int]string, err error) {
	current := &portfolio.Current{} // the accounts whose campaign must be read
	existing := slices.DeleteFunc(slices.Sorted(maps.Keys(l.customers)), func(row int) bool {
		return !slices.Contains([]string{bulk.Sent, bulk.Present, bulk.Differs}, results[row].State)
	})
	for _, row := range existing {
		c := l.customers[row]
		c.created = results[row].State == bulk.Sent
		l.isStale = l.isStale || c.isUncompared()
		c.account, c.campaign = loads.IDsOf(results[row].Fields)
		switch p := c.compared; {
		case c.existed() && (!c.created || c.campaign == 0):
			c.account, c.campaign = p.Account, p.Campaign
		case c.needsCampaign && c.account != 0 && (!c.created || c.campaign == 0):
			current.Customers = append(current.Customers, portfolio.CurrentCustomer{Account: c.account, Campaign: c.campaign})
		}
	}
	if len(current.Customers) > 0 {
		if err := loads.ReadCampaigns(ctx, l.c, current); err != nil {
			return nil, err
		}
	}
	current.Index(l.model)
	blocked = map[int]string{}
	for _, row := range existing {
		c := l.customers[row]
		if !c.needsCampaign {
			continue
		}
		if why := c.chooseCampaign(l.model, current); why != "" {
			blocked[row] = why
			continue
		}
		if c.plan != nil && !c.existed() && !c.created { // the account has appeared since the comparison
			out, err := loads.FindPlan(ctx, l.c, c.ids(maps.Clone(c.plan)))
			if err != nil {
				return nil, err
			}
			c.attached = out.State == bulk.Present
		}
		results[row].Fields = cli.RecordOf(client.AccountIDs{AccountID: client.Integer(c.account), CampaignID: client.Integer(c.campaign)})
	}
	return blocked, nil
}

// chooseCampaign sets the campaign to the only one of the account, or returns why it can't. current has the accounts whose
// campaigns were read.
func (c *customer) chooseCampaign(m *portfolio.Model, current *portfolio.Current) (why string) {
	switch {
	case c.account == 0:
		return "the service does not show the id of its account yet"
	case c.existed() && c.compared.Unclear != "":
		return c.compared.Unclear
	}
	known := portfolio.CurrentCustomer{Account: c.account, Campaign: c.campaign}
	if at, _, _ := current.Match(m, &portfolio.Desired{AccountID: c.account}); at >= 0 {
		known = current.Customers[at]
	}
	campaign, why := known.OnlyCampaign()
	if why == "" {
		c.campaign = campaign
	}
	return why
}

func (c *customer) ids(values schema.Values) schema.Values {
	values["account_id"] = record.Integer(c.account)
	values["campaign_id"] = record.Integer(c.campaign)
	return values
}
