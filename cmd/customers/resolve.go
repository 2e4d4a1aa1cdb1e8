package customers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/crash"
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

// A run is one execution of a command that creates customers.
type run struct {
	f           *cli.Factory
	file        *bulkcmd.FileFlags
	keywordType string // of keywords without one
	repeat      []string
	c           *client.Client
	model       *portfolio.Model
	pace        *client.Pace // of the calls for credentials
	customers   map[int]*customer
	notSent     map[string]int // by step: the customers that existed before, whose step was not sent
	// planOf returns the plan of a row by its ordinal, nil if there is none.
	planOf func(row int) *portfolio.Plan

	parsed    *portfolio.Wanted // of the row that was asked for last, since all steps of a row ask for it
	parsedRow int
}

func newRun(f *cli.Factory, file *bulkcmd.FileFlags, keywordType string) (*run, error) {
	pace, err := bulkcmd.CredentialsPace(f)
	return &run{
		f: f, file: file, keywordType: keywordType, model: portfolio.New(), pace: pace, customers: map[int]*customer{}, notSent: map[string]int{},
		planOf: func(int) *portfolio.Plan { return nil },
	}, err
}

// customerOf returns the customer of a row.
func (r *run) customerOf(row rows.Row) *customer {
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
func (r *run) wanted(row rows.Row) *portfolio.Wanted {
	if r.parsed == nil || r.parsedRow != row.Ordinal {
		w, _, _ := r.model.Wanted(row.Values.Map(), r.keywordType)
		r.parsed, r.parsedRow = w, row.Ordinal
	}
	return r.parsed
}

// resolveAccounts records which accounts exist, and finds the campaign of each. It
// returns the rows whose campaign is not known, with the reason: their other steps are
// not sent in this run.
func (r *run) resolveAccounts(ctx context.Context, results []bulk.StepResult) (blocked map[int]string, err error) {
	several := map[int64][]int64{} // the campaigns of the accounts whose campaign must be read
	for _, row := range slices.Sorted(maps.Keys(r.customers)) {
		c := r.customers[row]
		result := results[row]
		if result.State != bulk.Sent && result.State != bulk.Present {
			continue
		}
		c.created = result.State == bulk.Sent
		c.account, _ = result.Fields.Get("account_id").Int64()
		c.campaign, _ = result.Fields.Get("campaign_id").Int64()
		switch p := c.compared; {
		case c.wasHeld() && (!c.created || c.campaign == 0):
			c.account, c.campaign = p.Account, p.Campaign
		case c.needsCampaign && c.account != 0 && (!c.created || c.campaign == 0):
			several[c.account] = nil
		}
	}
	if err := r.readCampaigns(ctx, several); err != nil {
		return nil, err
	}
	blocked = map[int]string{}
	for _, row := range slices.Sorted(maps.Keys(r.customers)) {
		c := r.customers[row]
		if state := results[row].State; !c.needsCampaign || state != bulk.Sent && state != bulk.Present {
			continue
		}
		if why := c.chooseCampaign(several[c.account]); why != "" {
			blocked[row] = why
			r.f.Note("%s: %s", r.file.Place(c.line), why)
			continue
		}
		results[row].Fields = cli.RecordOf(client.AccountIDs{AccountID: client.Integer(c.account), CampaignID: client.Integer(c.campaign)})
	}
	return blocked, r.readPlans(ctx, blocked)
}

func (r *run) readCampaigns(ctx context.Context, wanted map[int64][]int64) error {
	if len(wanted) == 0 {
		return nil
	}
	for rec, err := range r.c.Campaigns(ctx) {
		if err != nil {
			return err
		}
		account, _ := rec.Get("account_id").Int64()
		campaign, _ := rec.Get("campaign_id").Int64()
		if _, ok := wanted[account]; ok && campaign != 0 && !slices.Contains(wanted[account], campaign) {
			wanted[account] = append(wanted[account], campaign)
		}
	}
	return nil
}

// chooseCampaign sets the campaign to the only one of the account, or returns why it
// can't.
func (c *customer) chooseCampaign(listed []int64) string {
	if c.campaign != 0 && !slices.Contains(listed, c.campaign) {
		listed = append(listed, c.campaign)
	}
	switch {
	case c.account == 0:
		return "the service does not show the id of its account yet"
	case len(listed) == 0:
		return fmt.Sprintf("the service shows no campaign of account %d yet", c.account)
	case len(listed) > 1:
		slices.Sort(listed)
		var ids []string
		for _, id := range listed {
			ids = append(ids, strconv.FormatInt(id, 10))
		}
		return fmt.Sprintf("account %d has %d campaigns (%s), so it is unclear which one to use", c.account, len(listed), strings.Join(ids, ", "))
	}
	c.campaign = listed[0]
	return ""
}

// readPlans reads which campaigns have their plan already. The campaign of a new
// account has none, unless the outcome of an earlier run is unknown.
func (r *run) readPlans(ctx context.Context, blocked map[int]string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.file.Concurrency())
	for _, row := range slices.Sorted(maps.Keys(r.customers)) {
		c := r.customers[row]
		if c.wasHeld() && c.compared.Attach == nil {
			c.attached, c.plansError = c.compared.Unread == nil, c.compared.Unread
		}
		if _, ok := blocked[row]; ok || c.plan == nil || c.campaign == 0 || c.wasHeld() || c.created && !r.file.ResendsUnknown() {
			continue
		}
		group.Go(func() error {
			defer crash.Recover()
			out, err := loads.FindPlan(ctx, r.c, c.ids(schema.Values{"service_plan_id": c.plan}))
			if err != nil && !isFatal(ctx, err) {
				out, c.plansError = bulk.Outcome{}, err // an error of this customer only
				err = nil
			}
			c.attached = out.State == bulk.Present
			return err
		})
	}
	return group.Wait()
}

// isFatal reports whether every further call would fail, too.
func isFatal(ctx context.Context, err error) bool {
	var refusal *client.Error
	return ctx.Err() != nil || cli.ExitCode(err) == cli.ExitAuth && (!errors.As(err, &refusal) || refusal.HTTPStatus == http.StatusUnauthorized)
}

// ids adds the account and the campaign to values.
func (c *customer) ids(values schema.Values) schema.Values {
	values["account_id"] = record.Integer(c.account)
	values["campaign_id"] = record.Integer(c.campaign)
	return values
}
