package mock

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"
)

// campaign is stored as it is listed.
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

// notes are stored as they are answered.
type notes struct {
	CampaignID   int64  `json:"campaign_id"`
	Writer       string `json:"writer_instructions"`
	Instructions string `json:"additional_instructions"`
}

// setStage keeps the stage's number and name together.
func (p *campaign) setStage(id int) {
	names := []string{"Cold", "Warm", "Proposal", "Neg/Review", "Closed/Won"}
	p.StageID, p.StageName = id, names[id-1]
}

// addCampaign stores a new campaign of an account, and the account with it.
func addCampaign(tx *bolt.Tx, reseller int64, a *account, now time.Time) error {
	b := tx.Bucket(bucketCampaigns)
	id, err := nextID(b)
	if err != nil {
		return err
	}
	start := now.UTC()
	p := campaign{
		CampaignID: id, AccountID: a.ID, CampaignName: a.AccountName, BudgetInvoiceStatus: "pending",
		StartDate: start.Format(time.RFC3339), EndDate: start.AddDate(1, 0, 0).Format(time.RFC3339),
	}
	p.setStage(5)
	if a.Campaign == 0 {
		a.Campaign = id
	} else {
		a.Further = append(a.Further, id)
	}
	if err := save(b, p, reseller, id); err != nil {
		return err
	}
	return save(tx.Bucket(bucketAccounts), a, reseller, a.ID)
}

// ownerOf returns the account of a campaign, 0 where the reseller has no such campaign.
func ownerOf(tx *bolt.Tx, reseller, campaignID int64) (int64, error) {
	var p campaign
	_, err := load(tx.Bucket(bucketCampaigns), &p, reseller, campaignID)
	return p.AccountID, err
}

func (s *Service) listCampaigns(c *call) (a answer, err error) {
	err = s.store.view(c.ctx, func(tx *bolt.Tx) error {
		a = listAnswer(tx.Bucket(bucketCampaigns), key(c.reseller))
		return nil
	})
	return a, err
}

func (s *Service) getNotes(c *call) (answer, error) {
	given := c.query.Get("campaign_id")
	if given == "" {
		return answer{}, &failure{http.StatusBadRequest, requiredText + "campaign_id"}
	}
	id, err := strconv.ParseInt(given, 10, 64)
	if err != nil {
		return answer{}, &failure{http.StatusBadRequest, "campaign_id must be an integer"}
	}
	n := notes{CampaignID: id}
	err = s.store.view(c.ctx, func(tx *bolt.Tx) error {
		if tx.Bucket(bucketCampaigns).Get(key(c.reseller, id)) == nil {
			return notFound(fmt.Sprintf("campaign %d", id))
		}
		_, err := load(tx.Bucket(bucketNotes), &n, c.reseller, id)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return success(n)
}

func (s *Service) updateNotes(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	n := notes{f.needInteger("campaign_id"), f.needText("writer_instructions"), f.needText("additional_instructions")}
	if err := f.err(); err != nil {
		return answer{}, err
	}
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketCampaigns)
		switch {
		case b.Get(key(c.reseller, n.CampaignID)) != nil:
			return save(tx.Bucket(bucketNotes), n, c.reseller, n.CampaignID)
		case foreign(b, c.reseller, n.CampaignID):
			return unprocessable(fmt.Sprintf("campaign %d belongs to another reseller", n.CampaignID))
		}
		return notFound(fmt.Sprintf("campaign %d", n.CampaignID))
	})
	if err != nil {
		return answer{}, err
	}
	return success(n)
}
