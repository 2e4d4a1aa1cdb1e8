package client

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"

	"reseller/client/schema"
)

// Accounts lists all accounts of the reseller: GET /api/v2/accounts (contract: Account (version 2)), as List does.
func (c *Client) Accounts(ctx context.Context) iter.Seq2[Account, error] {
	return each[Account](ctx, c, Call{Op: &schema.OpAccountsV2List})
}

// Account reads one account: GET /api/v2/accounts/{account_id} (contract: Account (version 2)). The error is
// ErrNotFound if the account does not exist or belongs to another reseller.
func (c *Client) Account(ctx context.Context, accountID int64) (Account, error) {
	return get[Account](ctx, c, Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", accountID))
}

// CreateAccount creates an account: POST /api/v2/accounts (contract: Account (version 2)). A missing field is an *Error with
// status 400, an invalid one an *Error with status 422. If OutcomeUnknown is true for the error, look for the account in
// Accounts before you create it again.
func (c *Client) CreateAccount(ctx context.Context, in AccountCreate) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV2Create, in)
}

// UpdateAccount updates an account: PUT /api/v2/accounts (contract: Account (version 2)). If the account does not exist or
// belongs to another reseller, the error is an *Error with status 404 or 422. Updates are idempotent.
func (c *Client) UpdateAccount(ctx context.Context, in AccountUpdate) (StatusTask, error) {
	return callTyped[StatusTask](ctx, c, &schema.OpAccountsV2Update, in)
}

// CreateCredentials stores credentials: POST /api/v1/accounts/iam/credentials (contract: Account credentials). It returns
// iam_credentials_id, 0 if the response lacks it. Credentials can't be read back: if OutcomeUnknown is true for the error,
// another call may store them twice. The service accepts 10 calls a minute.
func (c *Client) CreateCredentials(ctx context.Context, in CredentialsCreate) (int64, error) {
	out, err := callTyped[struct {
		ID Integer `json:"iam_credentials_id"`
	}](ctx, c, &schema.OpCredentials, in)
	return int64(out.ID), err
}

// SetAccountStatus deactivates or reactivates an account: PUT /api/v1/accounts/status with the status "deactivate" or
// "reactivate" (contract: Account status change, States and transitions). The Status of the response is "deactivated" or
// "activated". If the account does not exist or belongs to another reseller, the error is an *Error with status 404 or 422.
func (c *Client) SetAccountStatus(ctx context.Context, accountID int64, status string) (StatusTask, error) {
	return callTyped[StatusTask](ctx, c, &schema.OpAccountsStatus, struct {
		AccountID int64  `json:"account_id"`
		Status    string `json:"status"`
	}{accountID, status})
}

// UnmarshalJSON accepts both forms of the record: the older one has active, phone_number and zip for status, phone and postal.
func (a *Account) UnmarshalJSON(b []byte) error {
	type plain Account
	form := struct {
		*plain
		Active      String `json:"active"`
		PhoneNumber String `json:"phone_number"`
		Zip         String `json:"zip"`
	}{plain: (*plain)(a)}
	a.Status, a.Phone, a.Postal = "", "", "" // a may hold an account that was decoded before
	if err := json.Unmarshal(b, &form); err != nil {
		return err
	}
	a.Phone, a.Postal = cmp.Or(a.Phone, form.PhoneNumber), cmp.Or(a.Postal, form.Zip)
	if a.Status == "" {
		a.Status = String(schema.AccountStatusWords[string(form.Active)])
	}
	return nil
}
