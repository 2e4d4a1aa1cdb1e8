package mock

import (
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// account is one customer account as it is stored; both versions of the interface
// read and write it under their own field names.
type account struct {
	ID          int64
	Campaign    int64   // made with the account
	Further     []int64 // made later
	Deactivated bool

	AccountName, Phone, Email, FirstName, LastName string
	Address1, Address2, City, State, Postal        string
	Country, WebsiteURL                            string

	Identifier      *fieldValue
	AccountManager  *manager
	CampaignManager *manager
	Attributes      []fieldValue
}

type fieldValue struct {
	FieldName  string `json:"field_name"`
	FieldValue string `json:"field_value"`
}

// manager keeps apart what was sent as "" and what was not sent.
type manager struct {
	Name  *string `json:"name,omitempty"`
	Email *string `json:"email,omitempty"`
}

// campaigns are all of the account, oldest first.
func (a *account) campaigns() []int64 { return append([]int64{a.Campaign}, a.Further...) }

// setTexts stores the texts that both versions may write; what was not sent keeps
// its value. The name of an account is apart: version 1 creates it as an integer.
func (a *account) setTexts(f *fields, required bool) {
	for _, t := range []struct {
		name  string
		value *string
	}{
		{"phone", &a.Phone}, {"email", &a.Email}, {"first_name", &a.FirstName}, {"last_name", &a.LastName},
		{"address_1", &a.Address1}, {"address_2", &a.Address2}, {"city", &a.City}, {"state", &a.State}, {"postal", &a.Postal},
	} {
		setText(t.value, f.text(t.name, required))
	}
}

func setText(value, sent *string) {
	if sent != nil {
		*value = *sent
	}
}

// createAccount stores a new account and its campaign.
func (s *Service) createAccount(c *call, a *account) error {
	return s.store.update(c.ctx, func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketAccounts)
		id, err := nextID(b)
		if err != nil {
			return err
		}
		a.ID = id
		return addCampaign(tx, c.reseller, a, s.now())
	})
}

// updateAccount applies a body to the account that it names, and makes the task
// that goes with it. set runs twice: first on an empty account, to find what is
// wrong with the body before the database is opened.
func (s *Service) updateAccount(c *call, f *fields, set func(*account)) (a account, taskID int64, err error) {
	id := f.needInteger("account_id")
	set(&account{})
	if err := f.err(); err != nil {
		return a, 0, err
	}
	for _, name := range []string{"country_code", "website_url"} {
		if _, ok := f.get(name, false); ok {
			return a, 0, unprocessable(name + " can't be updated")
		}
	}
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		if err := loadOwned(tx, c.reseller, id, &a); err != nil {
			return err
		}
		set(&a)
		if taskID, err = addTask(tx, c.reseller, a.Campaign, "Update account", s.now()); err != nil {
			return err
		}
		return save(tx.Bucket(bucketAccounts), a, c.reseller, id)
	})
	return a, taskID, err
}

// loadOwned reads an account that a write names: 404 where there is none, 422 where
// it is another reseller's.
func loadOwned(tx *bolt.Tx, reseller, id int64, a *account) error {
	b := tx.Bucket(bucketAccounts)
	ok, err := load(b, a, reseller, id)
	switch {
	case err != nil:
		return err
	case ok:
		return nil
	case foreign(b, reseller, id):
		return unprocessable(fmt.Sprintf("account %d belongs to another reseller", id))
	}
	return notFound(fmt.Sprintf("account %d", id))
}

// checkOwned refuses a write whose account or campaign is not the reseller's, or
// whose campaign is not the account's.
func checkOwned(tx *bolt.Tx, reseller, accountID, campaignID int64) error {
	if tx.Bucket(bucketAccounts).Get(key(reseller, accountID)) == nil {
		return unprocessable(fmt.Sprintf("account %d is not one of the reseller", accountID))
	}
	owner, err := ownerOf(tx, reseller, campaignID)
	switch {
	case err != nil:
		return err
	case owner == 0:
		return unprocessable(fmt.Sprintf("campaign %d is not one of the reseller", campaignID))
	case owner != accountID:
		return unprocessable(fmt.Sprintf("campaign %d is not one of account %d", campaignID, accountID))
	}
	return nil
}

// readAccount returns one account of the reseller.
func (s *Service) readAccount(c *call) (account, error) {
	var a account
	id, err := c.id("account_id")
	if err != nil {
		return a, err
	}
	err = s.store.view(c.ctx, func(tx *bolt.Tx) error {
		ok, err := load(tx.Bucket(bucketAccounts), &a, c.reseller, id)
		if err == nil && !ok {
			return notFound(fmt.Sprintf("account %d", id))
		}
		return err
	})
	return a, err
}

// listAccounts answers all accounts of the reseller in one version's form. They
// are copied as they are and decoded when the database has been let go.
func listAccounts[T any](s *Service, c *call, form func(*account) T) (answer, error) {
	var raws [][]byte
	err := s.store.view(c.ctx, func(tx *bolt.Tx) error {
		raws = copies(tx.Bucket(bucketAccounts), key(c.reseller), everything)
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	items := make([]T, len(raws))
	for i, raw := range raws {
		var a account
		if err := json.Unmarshal(raw, &a); err != nil {
			return answer{}, fmt.Errorf("an account of the mock database is damaged: %w", err)
		}
		items[i] = form(&a)
	}
	return successList(items)
}
