package client

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"reseller/client/schema"
)

// Campaigns lists all campaigns of the reseller: GET /api/v1/campaigns (contract: Campaign and campaign notes), as List does.
func (c *Client) Campaigns(ctx context.Context) iter.Seq2[Campaign, error] {
	return each[Campaign](ctx, c, Call{Op: &schema.OpCampaignsList})
}

// NotesCall returns the call that reads the notes of one campaign.
func NotesCall(campaignID int64) Call {
	return Call{Op: &schema.OpNotesGet, Query: url.Values{"campaign_id": {strconv.FormatInt(campaignID, 10)}}}
}

// Notes reads the notes of one campaign: GET /api/v2/campaigns/notes (contract: Campaign and campaign notes). If the
// campaign does not exist or belongs to another reseller, the error is an *Error with status 404 or 422.
func (c *Client) Notes(ctx context.Context, campaignID int64) (CampaignNotes, error) {
	return get[CampaignNotes](ctx, c, NotesCall(campaignID))
}

// UpdateNotes replaces both notes of a campaign: PUT /api/v2/campaigns/notes (contract: Campaign and campaign notes). The
// errors are those of Notes, and an *Error with status 400 for a missing field. Updates are idempotent. The contract does
// not show the response.
func (c *Client) UpdateNotes(ctx context.Context, in CampaignNotes) error {
	_, err := callTyped[any](ctx, c, &schema.OpNotesUpdate, in)
	return err
}

// AttachPlan attaches a service plan to a campaign: POST /api/v1/products/plans/campaigns (the contract does not describe
// it). The service creates tasks and an invoice. An account or a campaign of another reseller is an *Error with status 422.
// If OutcomeUnknown is true for the error, look for the plan in Plans before you attach it again.
func (c *Client) AttachPlan(ctx context.Context, in PlanAttach) (PlanAttach, error) {
	return callTyped[PlanAttach](ctx, c, &schema.OpPlansAttach, in)
}

// PlansCall returns the call that lists the plans of one campaign.
func PlansCall(accountID, campaignID int64) Call {
	return Call{Op: &schema.OpPlansList}.WithID("campaign_id", campaignID).WithID("account_id", accountID)
}

// Plans lists the plans of a campaign: GET /api/v1/products/plans/campaigns/{campaign_id}/accounts/{account_id} (the
// contract does not describe it), as List does.
func (c *Client) Plans(ctx context.Context, accountID, campaignID int64) iter.Seq2[Plan, error] {
	return each[Plan](ctx, c, PlansCall(accountID, campaignID))
}

// CreateBusinessProfile requests access to a business profile: POST /api/v1/google/gbp/accounts (the contract does not describe
// it). Such requests can't be read back: if OutcomeUnknown is true for the error, another call may request access twice.
func (c *Client) CreateBusinessProfile(ctx context.Context, in BusinessProfile) (BusinessProfileTask, error) {
	return callTyped[BusinessProfileTask](ctx, c, &schema.OpGBPCreate, in)
}
