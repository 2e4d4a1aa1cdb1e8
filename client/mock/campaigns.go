package mock

import (
	"fmt"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
	"reseller/client/mock/synthetic"
)

// campaignTable has the keys reseller, campaign_id.
var campaignTable = database.Table[campaign]{Name: "campaigns", FirstID: 101}

// campaign is a campaign, with the same JSON in the database and in the list.
type campaign struct {
	CampaignID          int64   `json:"campaign_id"`
	AccountID           int64   `json:"account_id"`
	CampaignName        string  `json:"campaign_name"`
	StageID             int     `json:"campaign_stage_id"`
	StageName           string  `json:"campaign_stage_name"`
	StartDate           string  `json:"campaign_start_date"`
	EndDate             string  `json:"campaign_end_date"`
	MonthlyBudget       float64 `json:"ppc_monthly_budget"`
	BudgetInvoiceStatus string  `json:"ppc_monthly_budget_invoice_status"`
	Discount            float64 `json:"discount"`
	DeclineGMB          int     `json:"decline_gmb"`
	DeclineReviews      int     `json:"decline_reviews"`
	DeclineBlog         int     `json:"decline_blog"`
	Status              *int    `json:"status,omitempty"`
}

func (p *campaign) setStage(id int) {
	names := []string{"Cold", "Warm", "Proposal", "Neg/Review", "Closed/Won"}
	p.StageID, p.StageName = id, names[id-1]
}

func addCampaign(tx *database.Tx, reseller, accountID int64, name string, now time.Time) (int64, error) {
	id, start := campaignTable.NextID(tx), now.UTC()
	p := campaign{
		CampaignID: id, AccountID: accountID, CampaignName: name, BudgetInvoiceStatus: "pending",
		StartDate: start.Format(time.RFC3339), EndDate: start.AddDate(1, 0, 0).Format(time.RFC3339),
	}
	p.setStage(5)
	return id, campaignTable.Put(tx, p, reseller, id)
}

// taskTable has the keys reseller, campaign_id, task_id. The workflow report shows the tasks that requests created on a campaign.
var taskTable = database.Table[synthetic.Task]{Name: "tasks", FirstID: 501}

func addTask(tx *database.Tx, reseller, campaignID int64, name string, now time.Time) (int64, error) {
	id := taskTable.NextID(tx)
	return id, taskTable.Put(tx, synthetic.Task{TaskID: id, Name: name, Built: now.UTC()}, reseller, campaignID, id)
}

// notesTable has the keys reseller, campaign_id.
var notesTable = database.Table[notes]{Name: "notes", FirstID: 1}

// notes are the notes of a campaign, with the same JSON in the database and in responses.
type notes struct {
	CampaignID   int64  `json:"campaign_id"`
	Writer       string `json:"writer_instructions"`
	Instructions string `json:"additional_instructions"`
}

func getNotes(c *call) (api.Response, error) {
	text := c.query.Get("campaign_id")
	if text == "" {
		return api.Response{}, api.MissingFields("campaign_id")
	}
	id, err := parseID("campaign_id", text)
	if err != nil {
		return api.Response{}, err
	}
	n := notes{CampaignID: id}
	err = c.view(func(tx *database.Tx) error {
		if !campaignTable.Has(tx, c.reseller, id) {
			return api.NotFound(fmt.Sprintf("campaign %d", id))
		}
		_, err := notesTable.Get(tx, &n, c.reseller, id)
		return err
	})
	return respond(n, err)
}

func updateNotes(c *call) (api.Response, error) {
	b := c.body
	n := notes{b.RequiredInteger("campaign_id"), b.RequiredText("writer_instructions"), b.RequiredText("additional_instructions")}
	err := c.update(func(tx *database.Tx) error {
		if _, err := own(c, tx, campaignTable, "campaign", n.CampaignID); err != nil {
			return err
		}
		return notesTable.Put(tx, n, c.reseller, n.CampaignID)
	})
	return respond(n, err)
}

// checkWritable refuses a write with 422 if the account or the campaign does not belong to
// the reseller, or the campaign does not belong to the account.
func checkWritable(c *call, tx *database.Tx, accountID, campaignID int64) error {
	return checkCampaign(c, tx, accountID, campaignID, func(what string) *api.Error { return api.Unprocessable(what + " is not one of the reseller") })
}

// checkReadable refuses a read with 404 if the reseller does not have the account or the
// campaign, and with 422 if the campaign belongs to another account.
func checkReadable(c *call, tx *database.Tx, accountID, campaignID int64) error {
	return checkCampaign(c, tx, accountID, campaignID, api.NotFound)
}

// checkCampaign returns the refusal that refuse makes if the reseller does not have the account or the campaign, and one with 422
// if the campaign belongs to another account.
func checkCampaign(c *call, tx *database.Tx, accountID, campaignID int64, refuse func(what string) *api.Error) error {
	if !accountTable.Has(tx, c.reseller, accountID) {
		return refuse(fmt.Sprintf("account %d", accountID))
	}
	var p campaign
	found, err := campaignTable.Get(tx, &p, c.reseller, campaignID)
	switch {
	case err != nil:
		return err
	case !found:
		return refuse(fmt.Sprintf("campaign %d", campaignID))
	case p.AccountID != accountID:
		return api.Unprocessable(fmt.Sprintf("campaign %d is not one of account %d", campaignID, accountID))
	}
	return nil
}
