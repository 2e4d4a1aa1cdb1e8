package onboard

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
	"golang.org/x/time/rate"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// A customer is what is known of a row's account.
type customer struct {
	line     int
	goesOn   bool         // the row has more than an account
	plan     record.Value // the service_plan_id that it is to have
	unread   error        // why its plans can't be told
	created  bool         // by this job
	account  int64
	campaign int64
	attached bool // the campaign's list shows the plan
}

// work is what the command knows of its customers, by the row.
type work struct {
	f         *cli.Factory
	o         *options
	c         *client.Client
	limit     *rate.Limiter // of the calls for credentials
	customers map[int]*customer
	kept      map[string]int // customers whose credentials or plan are not sent, since they were there before
}

// meet notes what a row is about.
func (w *work) meet(row rows.Row) *customer {
	who := w.customers[row.Ordinal]
	if who == nil {
		values := row.Values.Map()
		who = &customer{line: row.Line, plan: slices.Clone(values["service_plan_id"])}
		keywords, _ := keywordsOf(values, w.o.kind)
		who.goesOn = who.plan != nil || keywords != nil || credentialsOf(values) != nil || notesOf(values) != nil
		w.customers[row.Ordinal] = who
	}
	return who
}

// known takes up which accounts are there, and finds the campaign of each. A
// customer of which that is not clear goes no further for now.
func (w *work) known(ctx context.Context, results []bulk.StepResult) (held map[int]string, err error) {
	several := map[int64][]int64{} // campaigns by account, where they are to be read
	for _, row := range slices.Sorted(maps.Keys(w.customers)) {
		who := w.customers[row]
		result := results[row]
		if result.State != bulk.Sent && result.State != bulk.Present {
			continue
		}
		who.created = result.State == bulk.Sent
		who.account, _ = result.Fields.Get("account_id").Int64()
		who.campaign, _ = result.Fields.Get("campaign_id").Int64()
		if who.goesOn && who.account != 0 && (!who.created || who.campaign == 0) {
			several[who.account] = nil
		}
	}
	if err := w.readCampaigns(ctx, several); err != nil {
		return nil, err
	}
	held = map[int]string{}
	for _, row := range slices.Sorted(maps.Keys(w.customers)) {
		who := w.customers[row]
		if state := results[row].State; !who.goesOn || state != bulk.Sent && state != bulk.Present {
			continue
		}
		if why := who.choose(several[who.account]); why != "" {
			held[row] = why
			w.f.Note("line %d: %s", who.line, why)
			continue
		}
		results[row].Fields = cli.RecordOf(client.AccountIDs{AccountID: client.Integer(who.account), CampaignID: client.Integer(who.campaign)})
	}
	return held, w.readPlans(ctx, held)
}

func (w *work) readCampaigns(ctx context.Context, wanted map[int64][]int64) error {
	if len(wanted) == 0 {
		return nil
	}
	for rec, err := range w.c.Campaigns(ctx) {
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

// choose takes the one campaign that the account has, or tells why it can't.
func (who *customer) choose(listed []int64) string {
	if who.campaign != 0 && !slices.Contains(listed, who.campaign) {
		listed = append(listed, who.campaign)
	}
	switch {
	case who.account == 0:
		return "the service does not show the id of its account yet"
	case len(listed) == 0:
		return fmt.Sprintf("the service shows no campaign of account %d yet", who.account)
	case len(listed) > 1:
		slices.Sort(listed)
		var ids []string
		for _, id := range listed {
			ids = append(ids, strconv.FormatInt(id, 10))
		}
		return fmt.Sprintf("account %d has %d campaigns (%s), so it is ambiguous which one to use", who.account, len(listed), strings.Join(ids, ", "))
	}
	who.campaign = listed[0]
	return ""
}

// readPlans finds out which campaigns have their plan already. Those of new
// accounts have not, unless an earlier run of the job does not know.
func (w *work) readPlans(ctx context.Context, held map[int]string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(w.o.file.Concurrency())
	for _, row := range slices.Sorted(maps.Keys(w.customers)) {
		who := w.customers[row]
		if _, ok := held[row]; ok || who.plan == nil || who.campaign == 0 || who.created && !w.o.file.ResendsUnknown() {
			continue
		}
		group.Go(func() error {
			out, err := loads.FindPlan(ctx, w.c, who.ids(schema.Values{"service_plan_id": who.plan}))
			if err != nil && !ends(ctx, err) {
				out, who.unread = bulk.Outcome{}, err // of this customer alone
				err = nil
			}
			who.attached = out.State == bulk.Present
			return err
		})
	}
	return group.Wait()
}

// ends tells whether no other call would come to more.
func ends(ctx context.Context, err error) bool {
	var refusal *client.Error
	return ctx.Err() != nil || cli.ExitCode(err) == cli.ExitAuth && (!errors.As(err, &refusal) || refusal.HTTPStatus == http.StatusUnauthorized)
}

// ids gives values the account and the campaign.
func (who *customer) ids(values schema.Values) schema.Values {
	values["account_id"] = record.Integer(who.account)
	values["campaign_id"] = record.Integer(who.campaign)
	return values
}
