package customers

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
)

// A reading is one reading of what the service holds. The lists are held in memory, each
// record as briefly as possible.
type reading struct {
	model   *portfolio.Model
	inCells bool // the format has cells

	customers    []listed // by account and campaign
	identifiers  map[int64]record.Value
	keywords     map[int64][]portfolio.Keyword // by campaign
	stray        int                           // keywords of selected accounts in other campaigns than theirs
	severalPlans []bool                        // for each customer, whether its campaign has several plans
}

// A listed is a customer as the list of version 2 shows it.
type listed struct {
	account, campaign int64
	record            record.Value // nil if the account is not in the list
}

// readLists reads the lists of accounts and keywords. Without accounts, all are selected.
func (r *reading) readLists(ctx context.Context, c *client.Client, accounts []int64) error {
	selected := map[int64]bool{} // whether the account was listed
	for _, id := range accounts {
		selected[id] = false
	}
	for rec, err := range c.Accounts(ctx) {
		if err != nil {
			return err
		}
		account, _ := rec.Get("account_id").Int64()
		campaign, _ := rec.Get("campaign_id").Int64()
		if _, ok := selected[account]; ok || len(accounts) == 0 {
			selected[account] = true
			r.customers = append(r.customers, listed{account, campaign, bytes.Clone(rec.Raw())})
		}
	}
	for _, id := range accounts {
		if !selected[id] {
			selected[id] = true // reported once, however often it is given
			r.customers = append(r.customers, listed{account: id})
		}
	}
	slices.SortStableFunc(r.customers, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.campaign, b.campaign))
	})
	r.severalPlans = make([]bool, len(r.customers))
	if err := r.readIdentifiers(ctx, c, selected); err != nil {
		return err
	}
	return r.readKeywords(ctx, c, selected)
}

// readIdentifiers reads the identifiers of the selected accounts. Only the list of version 1
// shows them.
func (r *reading) readIdentifiers(ctx context.Context, c *client.Client, selected map[int64]bool) error {
	r.identifiers = map[int64]record.Value{}
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return err
		}
		if account, _ := rec.Get("account_id").Int64(); selected[account] && r.identifiers[account] == nil {
			r.identifiers[account] = portfolio.Identifier(rec)
		}
	}
	return nil
}

// readKeywords reads the keywords of the campaigns of the customers and sorts them by their texts.
func (r *reading) readKeywords(ctx context.Context, c *client.Client, selected map[int64]bool) error {
	r.keywords = map[int64][]portfolio.Keyword{}
	for i := range r.customers {
		if id := r.customers[i].campaign; id != 0 {
			r.keywords[id] = []portfolio.Keyword{}
		}
	}
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return err
		}
		account, _ := rec.Get("account_id").Int64()
		campaign, _ := rec.Get("campaign_id").Int64()
		if list, ok := r.keywords[campaign]; ok {
			r.keywords[campaign] = append(list, portfolio.NewKeyword(rec))
		} else if selected[account] {
			r.stray++
		}
	}
	for _, list := range r.keywords {
		portfolio.SortKeywords(list)
	}
	return nil
}

// noteStrayKeywords notes the keywords that no customer of the export has.
func (r *reading) noteStrayKeywords(f *cli.Factory) {
	if r.stray > 0 {
		f.Note("%s of campaigns that the list of accounts does not show: not exported", cli.Plural(r.stray, "keyword", "keywords"))
	}
}

// noteSeveralPlans notes the campaigns whose plan is left out.
func (r *reading) noteSeveralPlans(f *cli.Factory) {
	for i, several := range r.severalPlans {
		if several {
			f.Note("account %d: service_plan_id is left out, since campaign %d has several plans", r.customers[i].account, r.customers[i].campaign)
		}
	}
}

// fanOut returns a call for each customer, which reads its notes and its plans.
func (r *reading) fanOut(flags fanout.Flags) *fanout.FanOut {
	fan := &fanout.FanOut{Flags: flags, Calls: len(r.customers)}
	fan.Call = func(ctx context.Context, c *client.Client, i int, give func(record.Record) error) error {
		rec, err := r.customer(ctx, c, i)
		if err != nil {
			return fmt.Errorf("account %d: %w", r.customers[i].account, err)
		}
		return give(rec)
	}
	return fan
}

// customer returns the record of a customer.
func (r *reading) customer(ctx context.Context, c *client.Client, i int) (record.Record, error) {
	shown := &r.customers[i]
	identifier, hasIdentifier := r.identifiers[shown.account]
	switch {
	case shown.record == nil:
		return record.Record{}, notListed(2)
	case !hasIdentifier:
		return record.Record{}, notListed(1)
	}
	whole := portfolio.HeldCustomer{Account: shown.account, Campaign: shown.campaign, Listed: shown.record, Identifier: identifier}
	if shown.campaign != 0 {
		whole.Keywords = r.keywords[shown.campaign]
		notes, err := loads.ReadNotes(ctx, c, shown.campaign)
		if err != nil {
			return record.Record{}, err
		}
		whole.Notes = notes.Raw()
		plans, err := loads.AttachedPlans(ctx, c, shown.account, shown.campaign)
		if err != nil {
			return record.Record{}, err
		}
		r.severalPlans[i] = len(plans) > 1
		for _, plan := range plans {
			whole.Plans = append(whole.Plans, plan.Raw())
		}
	}
	return r.model.Record(&whole, r.inCells)
}

// notListed returns the error about an account that a list does not have.
func notListed(version int) error {
	return &cli.ExitError{
		Code: cli.ExitNotFound, Err: fmt.Errorf("it is not in the accounts list of version %d", version),
		Hint: "`reseller accounts list` shows the accounts",
	}
}
