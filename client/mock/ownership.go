package mock

import (
	"fmt"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

// readOne returns the record whose id is a parameter of the path. It refuses the read with 404 if the reseller has no such record.
func readOne[T any](c *call, records database.Table[T], kind, param string) (record T, err error) {
	id, err := c.id(param)
	if err != nil {
		return record, err
	}
	err = c.view(func(tx *database.Tx) error {
		found, err := records.Get(tx, &record, c.reseller, id)
		if err == nil && !found {
			return api.NotFound(fmt.Sprintf("%s %d", kind, id))
		}
		return err
	})
	return record, err
}

// own returns the record that a write changes. If there is no such record, it refuses the write with 404; if the record belongs
// to another reseller, with 422.
func own[T any](c *call, tx *database.Tx, records database.Table[T], kind string, id int64) (record T, err error) {
	found, err := records.Get(tx, &record, c.reseller, id)
	switch what := fmt.Sprintf("%s %d", kind, id); {
	case found || err != nil:
		return record, err
	case ownedByAnother(c, tx, records, id):
		return record, api.Unprocessable(what + " belongs to another reseller")
	default:
		return record, api.NotFound(what)
	}
}

// checkWritable refuses a write with 422 if the account or the campaign does not belong to
// the reseller, or the campaign does not belong to the account.
func checkWritable(c *call, tx *database.Tx, accountID, campaignID int64) error {
	return checkCampaign(c, tx, accountID, campaignID, func(what string) *api.Error { return api.Unprocessable(what + " is not one of the reseller") })
}

// checkReadable refuses a read with 404 if the reseller does not have the account or the
// campaign, and with 422 if the campaign belongs to another account.
func checkReadable(c *call, tx *database.Tx, accountID, campaignID int64) error {
	return checkCampaign(c, tx, accountID, campaignID, api.NotFound)
}

// checkCampaign returns the refusal that refuse makes if the reseller does not have the account or the campaign, and one with 422
// if the campaign belongs to another account.
func checkCampaign(c *call, tx *database.Tx, accountID, campaignID int64, refuse func(what string) *api.Error) error {
	if !accountTable.Has(tx, c.reseller, accountID) {
		return refuse(fmt.Sprintf("account %d", accountID))
	}
	var p campaign
	found, err := campaignTable.Get(tx, &p, c.reseller, campaignID)
	switch {
	case err != nil:
		return err
	case !found:
		return refuse(fmt.Sprintf("campaign %d", campaignID))
	case p.AccountID != accountID:
		return api.Unprocessable(fmt.Sprintf("campaign %d is not one of account %d", campaignID, accountID))
	}
	return nil
}
