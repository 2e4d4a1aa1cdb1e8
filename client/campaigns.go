package client

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"reseller/client/record"
	"reseller/client/schema"
)

// A Campaign is a campaign of an account (contract: Campaign and campaign notes). The
// contract shows only the two ids; any other field may be missing.
type Campaign struct {
	Received
	CampaignID                    Integer `json:"campaign_id"`
	AccountID                     Integer `json:"account_id"`
	CampaignName                  String  `json:"campaign_name"`
	CampaignStageID               Integer `json:"campaign_stage_id"`   // 1 to 5
	CampaignStageName             String  `json:"campaign_stage_name"` // Cold, Warm, Proposal, Neg/Review or Closed/Won
	CampaignStartDate             String  `json:"campaign_start_date"` // such as 2024-07-06T19:09:14Z
	CampaignEndDate               String  `json:"campaign_end_date"`
	PPCMonthlyBudget              Number  `json:"ppc_monthly_budget"`
	PPCMonthlyBudgetInvoiceStatus String  `json:"ppc_monthly_budget_invoice_status"`
	Discount                      String  `json:"discount"`
	DeclineGMB                    Boolean `json:"decline_gmb"`
	DeclineReviews                Boolean `json:"decline_reviews"`
	DeclineBlog                   Boolean `json:"decline_blog"`
	Status                        String  `json:"status"` // 0 or 1; empty if the record lacks it
}

// CampaignNotes are the notes of one campaign (contract: Campaign and campaign notes).
// An update must send all three fields.
type CampaignNotes struct {
	Received
	CampaignID             Integer `json:"campaign_id"`
	WriterInstructions     String  `json:"writer_instructions"`
	AdditionalInstructions String  `json:"additional_instructions"`
}

// Campaigns lists all campaigns of the reseller: GET /api/v1/campaigns (contract:
// Campaign and campaign notes). The records decode into Campaign (see Each).
func (c *Client) Campaigns(ctx context.Context) iter.Seq2[record.Record, error] {
	return c.List(ctx, Call{Op: &schema.OpCampaignsList})
}

// NotesCall returns the call that reads the notes of one campaign.
func NotesCall(campaignID int64) Call {
	return Call{Op: &schema.OpNotesGet, Query: url.Values{"campaign_id": {strconv.FormatInt(campaignID, 10)}}}
}

// Notes reads the notes of one campaign: GET /api/v2/campaigns/notes (contract:
// Campaign and campaign notes). If the campaign does not exist or belongs to another
// reseller, the error is an *Error with status 404 or 422.
func (c *Client) Notes(ctx context.Context, campaignID int64) (CampaignNotes, error) {
	return get[CampaignNotes](ctx, c, NotesCall(campaignID))
}

// UpdateNotes replaces both notes of a campaign: PUT /api/v2/campaigns/notes
// (contract: Campaign and campaign notes). The errors are those of Notes, and an
// *Error with status 400 for a missing field. Updates are idempotent. The contract
// does not show the response.
func (c *Client) UpdateNotes(ctx context.Context, in CampaignNotes) error {
	_, err := callTyped[any](ctx, c, &schema.OpNotesUpdate, in)
	return err
}
