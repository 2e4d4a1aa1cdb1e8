package mock

import (
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// plan is a service plan as it is listed for a campaign.
type plan struct {
	ServicePlanID   int64   `json:"service_plan_id"`
	PlanName        string  `json:"plan_name"`
	Description     string  `json:"description"`
	Price           float64 `json:"price"`
	BillingInterval string  `json:"billing_interval"`
	AttachedDate    string  `json:"attached_date"`
	Status          string  `json:"status"`
}

// attachPlan attaches a plan, once more where it is attached already: each call
// makes an invoice.
func (s *Service) attachPlan(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	reply := struct {
		AccountID     int64 `json:"account_id"`
		CampaignID    int64 `json:"campaign_id"`
		ServicePlanID int64 `json:"service_plan_id"`
	}{f.needInteger("account_id"), f.needInteger("campaign_id"), f.needInteger("service_plan_id")}
	if err := f.err(); err != nil {
		return answer{}, err
	}
	if reply.ServicePlanID < 1 {
		return answer{}, unprocessable(fmt.Sprintf("there is no service plan %d", reply.ServicePlanID))
	}
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		if err := checkOwned(tx, c.reseller, reply.AccountID, reply.CampaignID); err != nil {
			return err
		}
		if _, err := addTask(tx, c.reseller, reply.CampaignID, "Start service plan", s.now()); err != nil {
			return err
		}
		return addPlan(tx, c.reseller, reply.CampaignID, reply.ServicePlanID, s.now())
	})
	if err != nil {
		return answer{}, err
	}
	return success(reply)
}

func addPlan(tx *bolt.Tx, reseller, campaign, id int64, now time.Time) error {
	b := tx.Bucket(bucketPlans)
	number, err := nextID(b)
	if err != nil {
		return err
	}
	names := []string{"Local Starter", "Local Growth", "National", "Content Plus"}
	name := names[(id-1)%int64(len(names))]
	return save(b, plan{
		ServicePlanID: id, PlanName: name, Description: name + " search marketing plan", Price: 199.5 + 100*float64((id-1)%10),
		BillingInterval: "monthly", AttachedDate: now.UTC().Format(dateOnly), Status: "active",
	}, reseller, campaign, number)
}

func (s *Service) listPlans(c *call) (a answer, err error) {
	accountID, campaignID, err := c.pair()
	if err != nil {
		return answer{}, err
	}
	err = s.store.view(c.ctx, func(tx *bolt.Tx) error {
		a = listAnswer(tx.Bucket(bucketPlans), key(c.reseller, campaignID))
		return checkReadable(tx, c.reseller, accountID, campaignID)
	})
	return a, err
}
