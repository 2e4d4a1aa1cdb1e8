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
	AttachedDate    String  `json:"attached_date"` // empty where the service does not tell it, as Status
	Status          String  `json:"status"`
}

// PlanAttach attaches a service plan to a campaign, which makes tasks and an
// invoice. The answer holds the same three, or nothing.
type PlanAttach struct {
	AccountID     Integer `json:"account_id"`
	CampaignID    Integer `json:"campaign_id"`
	ServicePlanID Integer `json:"service_plan_id"`
}

// BusinessProfile asks for access to a business profile.
type BusinessProfile struct {
	TicketID        int64  `json:"ticket_id"`
	GPID            string `json:"gpid"`
	NOB             string `json:"nob"`
	Address         string `json:"address"`
	WebsiteURL      string `json:"website_url"`
	AccessConfirmed bool   `json:"access_confirmed"`
}

// BusinessProfileTask is what asking for access answers.
type BusinessProfileTask struct {
	TaskID      String  `json:"task_id"`
	CampaignID  Integer `json:"campaign_id"`
	TaskFieldID String  `json:"task_field_id"`
}

// AttachPlan calls POST /api/v1/products/plans/campaigns (a group that the
// contract names without showing it). Never repeat it after an error for which
// Unknown is true without looking at Plans. A 422 is a failed ownership check.
func (c *Client) AttachPlan(ctx context.Context, in PlanAttach) (PlanAttach, error) {
	return callTyped[PlanAttach](ctx, c, &schema.OpPlansAttach, in)
}

// PlansCall is the list of the plans of one campaign.
func PlansCall(accountID, campaignID int64) Call {
	return Call{Op: &schema.OpPlansList}.WithID("campaign_id", campaignID).WithID("account_id", accountID)
}

// Plans walks GET /api/v1/products/plans/campaigns/{campaign_id}/accounts/{account_id}
// (a group that the contract names without showing it): the plans of a campaign,
// as records that decode into Plan.
func (c *Client) Plans(ctx context.Context, accountID, campaignID int64) iter.Seq2[record.Record, error] {
	return c.List(ctx, PlansCall(accountID, campaignID))
}

// CreateBusinessProfile calls POST /api/v1/google/gbp/accounts (a group that
// the contract names without showing it). It can't be read back: after an error
// for which Unknown is true, a second call may ask twice.
func (c *Client) CreateBusinessProfile(ctx context.Context, in BusinessProfile) (BusinessProfileTask, error) {
	return callTyped[BusinessProfileTask](ctx, c, &schema.OpGBPCreate, in)
}
