package mock

import bolt "go.etcd.io/bbolt"

// credentials are stored without their password: nothing reads it, so nothing may
// keep it.
type credentials struct {
	ResellerAccountID, AccountID, CampaignID, Type int64
	Username, Note                                 string
}

func (s *Service) createCredentials(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	record := credentials{
		ResellerAccountID: f.needInteger("reseller_account_id"),
		AccountID:         f.needInteger("account_id"),
		CampaignID:        f.needInteger("campaign_id"),
		Type:              f.needInteger("credentials_types_id"),
		Username:          f.needText("username"),
	}
	f.needText("password")
	record.Note = f.needText("note")
	if err := f.err(); err != nil {
		return answer{}, err
	}
	var reply struct {
		ID int64 `json:"iam_credentials_id"`
	}
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		if err := checkOwned(tx, c.reseller, record.AccountID, record.CampaignID); err != nil {
			return err
		}
		b := tx.Bucket(bucketCredentials)
		id, err := nextID(b)
		if err != nil {
			return err
		}
		reply.ID = id
		return save(b, record, c.reseller, id)
	})
	if err != nil {
		return answer{}, err
	}
	return success(reply)
}
