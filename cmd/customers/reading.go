package customers

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/cli"
)

// A reading is one reading of the customers to export. The notes and plans are not held: they
// are read when their customer is printed.
type reading struct {
	*portfolio.Held
	model        *portfolio.Model
	inCells      bool         // the format has cells
	severalPlans []string     // for each customer, the ids of its plans if its campaign has several
	repeated     atomic.Int64 // the keywords that the records leave out (see portfolio.Distinct)
	noNotes      atomic.Bool  // the service does not offer the notes of campaigns
	noPlans      atomic.Bool  // the same of plans
}

// customer returns the record of a customer.
func (r *reading) customer(ctx context.Context, c *client.Client, i int) (record.Record, error) {
	customer := r.Customers[i]
	switch {
	case customer.Listed == nil:
		return record.Record{}, notListed(2)
	case !customer.InVersion1:
		return record.Record{}, notListed(1)
	case customer.Account < 1 || customer.Campaign < 0:
		return record.Record{}, &portfolio.NotShownError{What: fmt.Sprintf("the service shows no valid id of %s", safetext.Quote(customer.Name()))}
	case customer.KeywordsUnread != nil:
		return record.Record{}, customer.KeywordsUnread
	}
	err := loads.ReadCustomer(ctx, c, &customer, loads.Details{Notes: true, Plans: true})
	switch {
	case client.IsNotOffered(err):
		if customer.Notes == nil {
			r.noNotes.Store(true)
		}
		if !customer.PlansRead {
			r.noPlans.Store(true)
		}
	case err != nil:
		return record.Record{}, err
	}
	if len(customer.Plans) > 1 {
		var ids []string
		for _, plan := range customer.Plans {
			ids = append(ids, plan.Get("service_plan_id").Text())
		}
		r.severalPlans[i] = strings.Join(ids, ", ")
	}
	r.repeated.Add(int64(len(customer.Keywords) - len(portfolio.Distinct(customer.Keywords))))
	return r.model.Record(&customer, r.inCells)
}

// notListed returns the error about an account that a list does not have.
func notListed(version int) error {
	return &cli.ExitError{
		Code: cli.ExitNotFound, Err: fmt.Errorf("it is not in the accounts list of version %d", version),
		Hint: "`reseller accounts list` shows the accounts",
	}
}

// noteLeftOut notes the plans and keywords that the records leave out.
func (r *reading) noteLeftOut(f *cli.Factory) {
	if r.noNotes.Load() {
		f.Note("the service does not offer the notes of campaigns, so they are left out")
	}
	if r.noPlans.Load() {
		f.Note("the service does not offer the plans of campaigns, so service_plan_id is left out")
	}
	n := 0
	for i, plans := range r.severalPlans {
		if plans == "" {
			continue
		}
		if n++; n <= maxUnread {
			c := &r.Customers[i]
			f.Note("account %s: service_plan_id is left out, since campaign %d has several plans: %s", namedAccount{c.Account, c.Name()}, c.Campaign, plans)
		}
	}
	if n > maxUnread {
		f.Note("service_plan_id is left out of %d more", n-maxUnread)
	}
	if n := int(r.repeated.Load()); n > 0 {
		f.Note("%s left out, since another one of the campaign differs in case and white space at most", phrase.Count(n, "keyword is", "keywords are"))
	}
}
