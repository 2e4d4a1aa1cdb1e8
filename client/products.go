package client

import (
	"context"
	"iter"

	"reseller/client/record"
	"reseller/client/schema"
)

// Plan is a service plan of a campaign.
type Plan struct {
	Received
	ServicePlanID   Integer `json:"service_plan_id"`
	PlanName        String  `json:"plan_name"`
	Description     String  `json:"description"`
	Price           Number  `json:"price"`
	BillingInterval String  `json:"billing_interval"`
	AttachedDate    String  `json:"attached_date"` // empty where the record does not have it, like Status
	Status          String  `json:"status"`
}

// PlanAttach is the body of attaching a service plan to a campaign. The answer has
// the same three fields, or none.
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

// BusinessProfileTask is the answer to a request for access to a business profile.
type BusinessProfileTask struct {
	TaskID      String  `json:"task_id"`
	CampaignID  Integer `json:"campaign_id"`
	TaskFieldID String  `json:"task_field_id"`
}

// AttachPlan attaches a service plan to a campaign, which creates tasks and an
// invoice: POST /api/v1/products/plans/campaigns (a group that the contract names
// without showing it). An account or campaign of another reseller is an *Error with
// status 422. After an error for which OutcomeUnknown is true, look in Plans before
// attaching it again.
func (c *Client) AttachPlan(ctx context.Context, in PlanAttach) (PlanAttach, error) {
	return callTyped[PlanAttach](ctx, c, &schema.OpPlansAttach, in)
}

// PlansCall returns the call for the plans of one campaign.
func PlansCall(accountID, campaignID int64) Call {
	return Call{Op: &schema.OpPlansList}.WithID("campaign_id", campaignID).WithID("account_id", accountID)
}

// Plans lists the plans of a campaign: GET
// /api/v1/products/plans/campaigns/{campaign_id}/accounts/{account_id} (a group that
// the contract names without showing it). The records decode into Plan (see Each).
func (c *Client) Plans(ctx context.Context, accountID, campaignID int64) iter.Seq2[record.Record, error] {
	return c.List(ctx, PlansCall(accountID, campaignID))
}

// CreateBusinessProfile requests access to a business profile: POST
// /api/v1/google/gbp/accounts (a group that the contract names without showing it).
// Requests can't be read back: after an error for which OutcomeUnknown is true,
// another call may request access twice.
func (c *Client) CreateBusinessProfile(ctx context.Context, in BusinessProfile) (BusinessProfileTask, error) {
	return callTyped[BusinessProfileTask](ctx, c, &schema.OpGBPCreate, in)
}
