package client

import (
	"context"
	"iter"

	"reseller/client/record"
	"reseller/client/schema"
)

// A Plan is a service plan of a campaign. The contract does not describe it.
type Plan struct {
	Received
	ServicePlanID   Integer `json:"service_plan_id"`
	PlanName        String  `json:"plan_name"`
	Description     String  `json:"description"`
	Price           Number  `json:"price"`
	BillingInterval String  `json:"billing_interval"`
	AttachedDate    String  `json:"attached_date"` // empty if the record lacks it
	Status          String  `json:"status"`        // empty if the record lacks it
}

// PlanAttach is the body of the call that attaches a service plan to a campaign. The
// response has the same three fields, or none.
type PlanAttach struct {
	AccountID     Integer `json:"account_id"`
	CampaignID    Integer `json:"campaign_id"`
	ServicePlanID Integer `json:"service_plan_id"`
}

// BusinessProfile is the body of a request for access to a business profile.
type BusinessProfile struct {
	TicketID        int64  `json:"ticket_id"`
	GPID            string `json:"gpid"`
	NOB             string `json:"nob"`
	Address         string `json:"address"`
	WebsiteURL      string `json:"website_url"`
	AccessConfirmed bool   `json:"access_confirmed"`
}

// BusinessProfileTask is the response to a request for access to a business profile.
type BusinessProfileTask struct {
	TaskID      String  `json:"task_id"`
	CampaignID  Integer `json:"campaign_id"`
	TaskFieldID String  `json:"task_field_id"`
}

// AttachPlan attaches a service plan to a campaign: POST
// /api/v1/products/plans/campaigns (the contract does not describe it). The service
// creates tasks and an invoice. An account or a campaign of another reseller is an
// *Error with status 422. If OutcomeUnknown is true for the error, look for the plan
// in Plans before you attach it again.
func (c *Client) AttachPlan(ctx context.Context, in PlanAttach) (PlanAttach, error) {
	return callTyped[PlanAttach](ctx, c, &schema.OpPlansAttach, in)
}

// PlansCall returns the call that lists the plans of one campaign.
func PlansCall(accountID, campaignID int64) Call {
	return Call{Op: &schema.OpPlansList}.WithID("campaign_id", campaignID).WithID("account_id", accountID)
}

// Plans lists the plans of a campaign: GET
// /api/v1/products/plans/campaigns/{campaign_id}/accounts/{account_id} (the contract
// does not describe it). The records decode into Plan (see Each).
func (c *Client) Plans(ctx context.Context, accountID, campaignID int64) iter.Seq2[record.Record, error] {
	return c.List(ctx, PlansCall(accountID, campaignID))
}

// CreateBusinessProfile requests access to a business profile: POST
// /api/v1/google/gbp/accounts (the contract does not describe it). Such requests can't
// be read back: if OutcomeUnknown is true for the error, another call may request
// access twice.
func (c *Client) CreateBusinessProfile(ctx context.Context, in BusinessProfile) (BusinessProfileTask, error) {
	return callTyped[BusinessProfileTask](ctx, c, &schema.OpGBPCreate, in)
}
