package mock

import (
	"encoding/binary"

	bolt "go.etcd.io/bbolt"
)

// createProfile orders the set-up of a Google business profile.
func (s *Service) createProfile(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	profile := struct {
		TicketID                       int64
		GPID, NOB, Address, WebsiteURL string
		AccessConfirmed                bool
	}{
		TicketID: f.needInteger("ticket_id"), GPID: f.needText("gpid"), NOB: f.needText("nob"),
		Address: f.needText("address"), WebsiteURL: f.needText("website_url"), AccessConfirmed: f.needBool("access_confirmed"),
	}
	if err := f.err(); err != nil {
		return answer{}, err
	}
	var reply struct {
		TaskID      int64 `json:"task_id"`
		CampaignID  int64 `json:"campaign_id"`
		TaskFieldID int64 `json:"task_field_id"`
	}
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		first, _ := tx.Bucket(bucketCampaigns).Cursor().Seek(key(c.reseller))
		reply.CampaignID = int64(binary.BigEndian.Uint64(first[8:])) // a ticket names no campaign, so the first one takes it
		var err error
		if reply.TaskID, err = addTask(tx, c.reseller, reply.CampaignID, "Set up business profile", s.now()); err != nil {
			return err
		}
		b := tx.Bucket(bucketProfiles)
		if reply.TaskFieldID, err = nextID(b); err != nil {
			return err
		}
		return save(b, profile, c.reseller, reply.TaskFieldID)
	})
	if err != nil {
		return answer{}, err
	}
	return success(reply)
}
