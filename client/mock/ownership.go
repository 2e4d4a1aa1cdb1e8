package mock

import (
	"fmt"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

// checkWritable refuses a write with 422 if the account or the campaign does not belong to
// the reseller, or the campaign does not belong to the account.
func checkWritable(c *call, tx *database.Tx, accountID, campaignID int64) error {
	if !accountTable.Has(tx, c.reseller, accountID) {
		return api.Unprocessable(fmt.Sprintf("account %d is not one of the reseller", accountID))
	}
	return checkCampaign(c, tx, accountID, campaignID, api.Unprocessable(fmt.Sprintf("campaign %d is not one of the reseller", campaignID)))
}

// checkReadable refuses a read with 404 if the reseller does not have the account or the
// campaign, and with 422 if the campaign belongs to another account.
func checkReadable(c *call, tx *database.Tx, accountID, campaignID int64) error {
	if !accountTable.Has(tx, c.reseller, accountID) {
		return api.NotFound(fmt.Sprintf("account %d", accountID))
	}
	return checkCampaign(c, tx, accountID, campaignID, api.NotFound(fmt.Sprintf("campaign %d", campaignID)))
}

// checkCampaign returns the error missing if the reseller does not have the campaign, and
// a refusal with 422 if the campaign belongs to another account.
func checkCampaign(c *call, tx *database.Tx, accountID, campaignID int64, missing error) error {
	var p campaign
	found, err := campaignTable.Get(tx, &p, c.reseller, campaignID)
	switch {
	case err != nil:
		return err
	case !found:
		return missing
	case p.AccountID != accountID:
		return api.Unprocessable(fmt.Sprintf("campaign %d is not one of account %d", campaignID, accountID))
	}
	return nil
}
