package mock

import (
	"fmt"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

// checkWritable refuses with 422 a write whose account or campaign is not the
// reseller's, or whose campaign is not the account's.
func checkWritable(c *call, tx *database.Tx, accountID, campaignID int64) error {
	if !accountTable.Has(tx, c.reseller, accountID) {
		return api.Unprocessable(fmt.Sprintf("account %d is not one of the reseller", accountID))
	}
	return checkCampaign(c, tx, accountID, campaignID, api.Unprocessable(fmt.Sprintf("campaign %d is not one of the reseller", campaignID)))
}

// checkReadable refuses a read: with 404 where the reseller has no such account or
// campaign, with 422 where the campaign is another account's.
func checkReadable(c *call, tx *database.Tx, accountID, campaignID int64) error {
	if !accountTable.Has(tx, c.reseller, accountID) {
		return api.NotFound(fmt.Sprintf("account %d", accountID))
	}
	return checkCampaign(c, tx, accountID, campaignID, api.NotFound(fmt.Sprintf("campaign %d", campaignID)))
}

// checkCampaign returns missing if the reseller has no such campaign, and refuses one
// that is another account's.
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
