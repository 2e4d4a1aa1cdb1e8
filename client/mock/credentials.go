package mock

import (
	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

// credentialsTable has the keys reseller, iam_credentials_id.
var credentialsTable = database.Table[credentials]{Name: "credentials", FirstID: 501}

// credentials are stored credentials. The password is not stored, since no operation returns it.
type credentials struct {
	ResellerAccountID, AccountID, CampaignID, Type int64
	Username, Note                                 string
}

func createCredentials(c *call) (api.Response, error) {
	b := c.body
	record := credentials{
		ResellerAccountID: b.RequiredInteger("reseller_account_id"),
		AccountID:         b.RequiredInteger("account_id"),
		CampaignID:        b.RequiredInteger("campaign_id"),
		Type:              b.RequiredInteger("credentials_types_id"),
		Username:          b.RequiredText("username"),
	}
	b.RequiredText("password")
	record.Note = b.RequiredText("note")
	var id int64
	err := c.update(func(tx *database.Tx) error {
		if err := checkWritable(c, tx, record.AccountID, record.CampaignID); err != nil {
			return err
		}
		id = credentialsTable.NextID(tx)
		return credentialsTable.Put(tx, record, c.reseller, id)
	})
	return respond(api.Object{"iam_credentials_id", id}, err)
}
