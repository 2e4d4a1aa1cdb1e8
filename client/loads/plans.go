package loads

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// Plans attaches service plans to campaigns. The plans of a campaign may show that a plan is attached, but never that it is
// not attached, so a row with an unknown outcome is sent again only with bulk.Options.ResendUnknown. Before the call of a row for
// which isUnread reports true, which may be nil, the plans are read.
func Plans(c *client.Client, isUnread func(rows.Values) bool) Load {
	l := newSingleLoad(c, &schema.OpPlansAttach, &schema.Plans, schema.Create, nil)
	l.Operation.Results, l.Operation.ReadBack = []string{"task_id"}, bulk.ReadBackPresence
	l.Operation.Send = func(batch []rows.Row) bulk.Call {
		attach := sendOne(c, l.Request(batch, false), batch)
		if isUnread == nil || !isUnread(batch[0].Values) {
			return attach
		}
		values := batch[0].Values.Map()
		return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
			switch n, err := countPlans(ctx, c, values); {
			case n > 0:
				return []bulk.Outcome{{State: bulk.Present}}, nil
			case isUnreadable(err):
				return []bulk.Outcome{unreadablePlans(err)}, nil
			case errors.Is(err, client.ErrRefused):
				return nil, err
			case err != nil: // nothing was written
				return nil, &client.NetworkError{Action: schema.OpPlansAttach.Title, Err: err}
			}
			return attach(ctx, onSend)
		}
	}
	l.Operation.Snapshot = func(context.Context, bulk.SnapshotRequest) (bulk.Snapshot, error) {
		return bulk.SnapshotFunc(func(ctx context.Context, row *rows.Row) (bulk.Outcome, error) {
			return FindPlan(ctx, c, row.Values.Map())
		}), nil
	}
	return l
}

// FindPlan looks for a plan in the list of a campaign. If the list does not show it as
// attached, or the service refuses to send the list, the outcome is unknown.
func FindPlan(ctx context.Context, c *client.Client, values schema.Values) (bulk.Outcome, error) {
	n, err := countPlans(ctx, c, values)
	switch {
	case n > 0:
		return bulk.Outcome{State: bulk.Present, Count: n}, nil
	case err == nil:
		return bulk.Outcome{State: bulk.Unknown, Message: "the service does not list the plan as attached"}, nil
	case isUnreadable(err):
		return unreadablePlans(err), nil
	}
	return bulk.Outcome{}, err
}

// isUnreadable reports whether no other attempt reads the list of the plans of a campaign.
func isUnreadable(err error) bool {
	return IsRefused(err) || errors.As(err, new(*portfolio.NotShownError))
}

func unreadablePlans(err error) bulk.Outcome {
	return bulk.Outcome{State: bulk.Unknown, HTTPStatus: httpStatus(err), Message: "reading the plans: " + err.Error()}
}

func countPlans(ctx context.Context, c *client.Client, values schema.Values) (n int, err error) {
	account, okAccount := values["account_id"].Int64()
	campaign, okCampaign := values["campaign_id"].Int64()
	plan, okPlan := values["service_plan_id"].Int64()
	if !okAccount || !okCampaign || !okPlan {
		return 0, nil
	}
	attached, err := AttachedPlans(ctx, c, account, campaign)
	for _, rec := range attached {
		if id, ok := rec.Get("service_plan_id").Int64(); ok && id == plan {
			n++
		}
	}
	return n, err
}

// AttachedPlans returns the plans that a campaign has, with a portfolio.NotShownError if the service does not show the id of one.
func AttachedPlans(ctx context.Context, c *client.Client, accountID, campaignID int64) (attached []record.Record, hidden error) {
	for rec, err := range c.List(ctx, client.PlansCall(accountID, campaignID)) {
		if err != nil {
			return nil, err
		}
		if !isAttached(rec) {
			continue
		}
		if attached = append(attached, rec.Clone()); rec.Get("service_plan_id").Text() == "" {
			hidden = &portfolio.NotShownError{What: fmt.Sprintf("the service shows a plan of campaign %d without its service_plan_id", campaignID)}
		}
	}
	return attached, hidden
}

// isAttached reports whether an item of the list is a plan that the campaign has. The list may also contain plans that
// could be attached, which their status says. An item that says nothing is attached: to attach it makes an invoice.
func isAttached(rec record.Record) bool {
	return rec.Get("attached_date").Text() != "" || slices.Contains([]string{"", "attached", "active", "activated", "1", "true"}, strings.ToLower(rec.Get("status").Text()))
}
