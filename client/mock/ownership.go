package mock

import (
	"fmt"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

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
