package mock

import (
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// task is work that the service set itself; the workflow report shows it.
type task struct {
	TaskID int64
	Name   string
	Built  time.Time
}

// changeStatus deactivates an account, which makes one task, or reactivates it,
// which makes one for every campaign.
func (s *Service) changeStatus(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	id, word := f.needInteger("account_id"), f.needText("status")
	if err := f.err(); err != nil {
		return answer{}, err
	}
	deactivate := word == "deactivate"
	if !deactivate && word != "reactivate" {
		return answer{}, unprocessable("status must be deactivate or reactivate")
	}
	reply := struct {
		AccountID  int64  `json:"account_id"`
		CampaignID int64  `json:"campaign_id"`
		Status     string `json:"status"`
		TaskID     int64  `json:"task_id"`
	}{AccountID: id, Status: "activated"}
	name := "Reinstate campaign"
	if deactivate {
		reply.Status, name = "deactivated", "Deactivate account"
	}
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		var a account
		if err := loadOwned(tx, c.reseller, id, &a); err != nil {
			return err
		}
		if a.Deactivated == deactivate {
			return unprocessable(fmt.Sprintf("account %d is %s already", id, reply.Status))
		}
		a.Deactivated = deactivate
		reply.CampaignID = a.Campaign
		campaigns := a.campaigns()
		if deactivate {
			campaigns = campaigns[:1]
		}
		for _, campaign := range campaigns {
			taskID, err := addTask(tx, c.reseller, campaign, name, s.now())
			if err != nil {
				return err
			}
			if reply.TaskID == 0 {
				reply.TaskID = taskID
			}
		}
		return save(tx.Bucket(bucketAccounts), a, c.reseller, id)
	})
	if err != nil {
		return answer{}, err
	}
	return success(reply)
}

func addTask(tx *bolt.Tx, reseller, campaign int64, name string, now time.Time) (int64, error) {
	b := tx.Bucket(bucketTasks)
	id, err := nextID(b)
	if err != nil {
		return 0, err
	}
	return id, save(b, task{id, name, now.UTC()}, reseller, campaign, id)
}
