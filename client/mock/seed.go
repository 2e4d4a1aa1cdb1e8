package mock

import (
	"time"

	bolt "go.etcd.io/bbolt"
)

// The ids that a fresh database counts up from.
const (
	firstAccount  = 1
	firstCampaign = 101
	firstRank     = 1001
	firstOther    = 501 // credentials, tasks, plans, profiles
)

// seed fills a new database: reseller 1 has accounts 1 to 5, reseller 2 has 6 and 7,
// each account with a campaign and six keywords. It is the same every time.
func seed(tx *bolt.Tx) error {
	for _, b := range []struct {
		name  []byte
		first uint64
	}{
		{bucketMark, 1}, {bucketAccounts, firstAccount}, {bucketCampaigns, firstCampaign}, {bucketNotes, 1},
		{bucketKeywords, firstRank}, {bucketCredentials, firstOther}, {bucketTasks, firstOther},
		{bucketPlans, firstOther}, {bucketProfiles, firstOther}, {bucketEstimates, 1},
	} {
		bucket, err := tx.CreateBucket(b.name)
		if err != nil {
			return err
		}
		if err := bucket.SetSequence(b.first - 1); err != nil {
			return err
		}
	}
	for i, a := range seedAccounts() {
		reseller := int64(1)
		if i >= 5 {
			reseller = 2
		}
		if err := seedAccount(tx, reseller, a); err != nil {
			return err
		}
	}
	return tx.Bucket(bucketMark).Put(bucketMark, []byte(markText))
}

func seedAccount(tx *bolt.Tx, reseller int64, s seeded) error {
	id, err := nextID(tx.Bucket(bucketAccounts))
	if err != nil {
		return err
	}
	s.account.ID = id
	start := time.Date(2024, time.Month(id), 6, 19, 9, 14, 0, time.UTC)
	if err := addCampaign(tx, reseller, &s.account, start); err != nil {
		return err
	}
	if err := seedCampaign(tx, reseller, &s); err != nil {
		return err
	}
	keywords := make([]keyword, len(s.keywords))
	for i, text := range s.keywords {
		k := keyword{AccountID: id, CampaignID: s.account.Campaign, Keyword: text, Type: "target", Status: 1}
		if i%3 == 2 {
			k.Type = "interest"
		}
		if i == int(id)%6 {
			k.Status = 0
		}
		keywords[i] = k
	}
	return addKeywords(tx, reseller, keywords)
}

// seedCampaign gives the campaigns different figures, and notes and a plan to one each.
func seedCampaign(tx *bolt.Tx, reseller int64, s *seeded) error {
	id, campaigns := s.account.Campaign, tx.Bucket(bucketCampaigns)
	var p campaign
	if _, err := load(campaigns, &p, reseller, id); err != nil {
		return err
	}
	p.setStage(int(id-firstCampaign)%5 + 1)
	p.MonthlyBudget, p.Discount = 150.5+float64(id-firstCampaign)*75, float64(id%3)*5
	p.BudgetInvoiceStatus = []string{"paid", "pending", "invoiced"}[id%3]
	p.DeclineGMB, p.DeclineReviews, p.DeclineBlog = int(id%2), int(id%3)/2, int(id%5)/4
	if id%2 == 1 { // the live service shows a status sometimes
		p.Status = new(1)
		if s.account.Deactivated {
			p.Status = new(0)
		}
	}
	if err := save(campaigns, p, reseller, id); err != nil {
		return err
	}
	n := notes{id, "Write for " + s.account.AccountName + " in a friendly tone.", s.instructions}
	if err := save(tx.Bucket(bucketNotes), n, reseller, id); err != nil {
		return err
	}
	if id%5 != 1 {
		return nil
	}
	return addPlan(tx, reseller, id, 1, time.Date(2024, 1, 6, 0, 0, 0, 0, time.UTC))
}
