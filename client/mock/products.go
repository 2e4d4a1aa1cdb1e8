package mock

import (
	"fmt"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

// planTable has the keys reseller, campaign_id, number.
var planTable = database.Table[plan]{Name: "plans", FirstID: 501}

// plan is a service plan of a campaign, with the same JSON in the database and in the list.
type plan struct {
	ServicePlanID   int64   `json:"service_plan_id"`
	PlanName        string  `json:"plan_name"`
	Description     string  `json:"description"`
	Price           float64 `json:"price"`
	BillingInterval string  `json:"billing_interval"`
	AttachedDate    string  `json:"attached_date"`
	Status          string  `json:"status"`
}

// attachPlan attaches a plan to a campaign. If the plan is attached already, it is attached
// a second time, as the service creates an invoice for each request.
func attachPlan(c *call) (api.Response, error) {
	b := c.body
	accountID, campaignID, planID := b.RequiredInteger("account_id"), b.RequiredInteger("campaign_id"), b.RequiredInteger("service_plan_id")
	err := c.update(func(tx *database.Tx) error {
		if planID < 1 {
			return api.Unprocessable(fmt.Sprintf("there is no service plan %d", planID))
		}
		if err := checkWritable(c, tx, accountID, campaignID); err != nil {
			return err
		}
		if _, err := addTask(tx, c.reseller, campaignID, "Start service plan", c.now()); err != nil {
			return err
		}
		return addPlan(tx, c.reseller, campaignID, planID, c.now())
	})
	return respond(api.Object{"account_id", accountID, "campaign_id", campaignID, "service_plan_id", planID}, err)
}

func addPlan(tx *database.Tx, reseller, campaignID, id int64, now time.Time) error {
	names := []string{"Local Starter", "Local Growth", "National", "Content Plus"}
	name := names[(id-1)%int64(len(names))]
	return planTable.Put(tx, plan{
		ServicePlanID: id, PlanName: name, Description: name + " search marketing plan", Price: 199.5 + 100*float64((id-1)%10),
		BillingInterval: "monthly", AttachedDate: now.UTC().Format(time.DateOnly), Status: "active",
	}, reseller, campaignID, planTable.NextID(tx))
}

func listPlans(c *call) (response api.Response, err error) {
	accountID, campaignID := c.ids["account_id"], c.ids["campaign_id"]
	err = c.view(func(tx *database.Tx) error {
		response = listResponse(tx, planTable, c.reseller, campaignID)
		return checkReadable(c, tx, accountID, campaignID)
	})
	return response, err
}

// profileTable has no records, since no operation returns them: it counts the ids.
var profileTable = database.Table[struct{}]{Name: "profiles", FirstID: 501}

// createProfile takes a request for a Google business profile. The contract requires none of its fields.
func createProfile(c *call) (api.Response, error) {
	b := c.body
	b.Integer("ticket_id")
	for _, name := range []string{"gpid", "nob", "address", "website_url"} {
		b.Text(name, false)
	}
	if b.Has("access_confirmed") {
		b.RequiredBool("access_confirmed")
	}
	var taskID, campaignID, fieldID int64
	err := c.update(func(tx *database.Tx) (err error) {
		campaigns, err := campaignTable.Decode(campaignTable.Copy(tx, nil, c.reseller))
		if err != nil {
			return err
		}
		campaignID = campaigns[0].CampaignID // a ticket has no campaign, so the first one gets the task
		if taskID, err = addTask(tx, c.reseller, campaignID, "Set up business profile", c.now()); err != nil {
			return err
		}
		fieldID = profileTable.NextID(tx)
		return nil
	})
	return respond(api.Object{"task_id", taskID, "campaign_id", campaignID, "task_field_id", fieldID}, err)
}
