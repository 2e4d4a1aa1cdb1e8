package mock

import (
	"cmp"
	"fmt"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

// accountTable has the keys reseller, account_id.
var accountTable = database.Table[account]{Name: "accounts", FirstID: 1}

// account is a stored customer account. Both versions of the interface read and write it, each with field names of its own.
type account struct {
	ID          int64
	Campaign    int64   // created with the account
	Further     []int64 // campaigns created later
	Deactivated bool
	Identifier  *fieldValue
	fieldsV2
}

type fieldValue struct {
	FieldName  string `json:"field_name"`
	FieldValue string `json:"field_value"`
}

// manager is the manager of an account or of a campaign. Its fields are nil if it was never sent.
type manager struct {
	Name  *string `json:"name,omitempty"`
	Email *string `json:"email,omitempty"`
}

func (a *account) campaigns() []int64 { return append([]int64{a.Campaign}, a.Further...) }

// setTexts sets the texts that both versions of the interface write alike. A text that was not sent keeps its value. The name of
// the account is not one of these texts, since version 1 accepts only an integer as the name in a create.
func (a *account) setTexts(b *api.Body, required bool) {
	for _, t := range []struct {
		name  string
		value *string
	}{
		{"phone", &a.Phone}, {"email", &a.Email}, {"first_name", &a.FirstName}, {"last_name", &a.LastName},
		{"address_1", &a.Address1}, {"address_2", &a.Address2}, {"city", &a.City}, {"state", &a.State}, {"postal", &a.Postal},
	} {
		b.SetText(t.value, t.name, required)
	}
}

func createAccount(c *call, a *account) error {
	return c.update(func(tx *database.Tx) error {
		a.ID = accountTable.NextID(tx)
		return addCampaignTo(c, tx, a)
	})
}

func addCampaignTo(c *call, tx *database.Tx, a *account) error {
	id, err := addCampaign(tx, c.reseller, a.ID, a.AccountName, c.now())
	if err != nil {
		return err
	}
	if a.Campaign == 0 {
		a.Campaign = id
	} else {
		a.Further = append(a.Further, id)
	}
	return accountTable.Put(tx, *a, c.reseller, a.ID)
}

// updateAccount applies the body of an update to the account with the body's account_id, and adds a task. It calls set twice:
// first with an empty account, so that an invalid body is refused before the database is opened.
func updateAccount(c *call, set func(*account)) (a account, taskID int64, err error) {
	b := c.body
	id := b.RequiredInteger("account_id")
	set(&account{})
	err = c.update(func(tx *database.Tx) error {
		for _, name := range []string{"country_code", "website_url"} {
			if b.Has(name) {
				return api.Unprocessable(name + " can't be updated")
			}
		}
		if a, err = own(c, tx, accountTable, "account", id); err != nil {
			return err
		}
		set(&a)
		if taskID, err = addTask(tx, c.reseller, a.Campaign, "Update account", c.now()); err != nil {
			return err
		}
		return accountTable.Put(tx, a, c.reseller, id)
	})
	return a, taskID, err
}

func readAccount(c *call) (account, error) { return readOne(c, accountTable, "account", "account_id") }

// listAccounts returns a handler that lists all accounts of the reseller. form converts an account to the record
// of one version. The accounts are decoded after the database has been closed.
func listAccounts[T any](form func(*account) T) handler {
	return func(c *call) (api.Response, error) {
		var raws [][]byte
		err := c.view(func(tx *database.Tx) error {
			raws = accountTable.Copy(tx, nil, c.reseller)
			return nil
		})
		if err != nil {
			return api.Response{}, err
		}
		all, err := accountTable.Decode(raws)
		if err != nil {
			return api.Response{}, err
		}
		items := make([]T, len(all))
		for i := range all {
			items[i] = form(&all[i])
		}
		return api.SuccessList(items), nil
	}
}

// changeAccountStatus deactivates or reactivates an account. A deactivation adds one task,
// a reactivation one task for every campaign of the account.
func changeAccountStatus(c *call) (api.Response, error) {
	b := c.body
	id, status := b.RequiredInteger("account_id"), b.RequiredText("status")
	deactivate := status == "deactivate"
	changed, name := "activated", "Reinstate campaign"
	if deactivate {
		changed, name = "deactivated", "Deactivate account"
	}
	var a account
	var firstTask int64
	err := c.update(func(tx *database.Tx) (err error) {
		if !deactivate && status != "reactivate" {
			return api.Unprocessable("status must be deactivate or reactivate")
		}
		if a, err = own(c, tx, accountTable, "account", id); err != nil {
			return err
		}
		if a.Deactivated == deactivate {
			return api.Unprocessable(fmt.Sprintf("account %d is %s already", id, changed))
		}
		a.Deactivated = deactivate
		campaigns := a.campaigns()
		if deactivate {
			campaigns = campaigns[:1]
		}
		for _, campaignID := range campaigns {
			taskID, err := addTask(tx, c.reseller, campaignID, name, c.now())
			if err != nil {
				return err
			}
			firstTask = cmp.Or(firstTask, taskID)
		}
		return accountTable.Put(tx, a, c.reseller, id)
	})
	return respond(api.Object{"account_id", id, "campaign_id", a.Campaign, "status", changed, "task_id", firstTask}, err)
}
