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
	return each[Account](c.List(ctx, Call{Op: &schema.OpAccountsV2List}))
}

// AccountsV1 lists all accounts of the reseller in version 1: GET /api/v1/accounts (contract: Account (version 1)), as List does.
func (c *Client) AccountsV1(ctx context.Context) iter.Seq2[AccountV1, error] {
	return each[AccountV1](c.List(ctx, Call{Op: &schema.OpAccountsV1List}))
}

// Account reads one account: GET /api/v2/accounts/{account_id} (contract: Account (version 2)). The error is
// ErrNotFound if the account does not exist or belongs to another reseller.
func (c *Client) Account(ctx context.Context, accountID int64) (Account, error) {
	return get[Account](ctx, c, Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", accountID))
}

// AccountV1 reads one account in version 1: GET /api/v1/accounts/{account_id} (contract: Account (version 1)). The errors
// are those of Account. The service sends the account without its id; AccountV1 puts account_id in front of the record.
func (c *Client) AccountV1(ctx context.Context, accountID int64) (AccountV1, error) {
	return get[AccountV1](ctx, c, Call{Op: &schema.OpAccountsV1Get}.WithID("account_id", accountID))
}

// CreateAccount creates an account: POST /api/v2/accounts (contract: Account (version 2)). A missing field is an *Error with
// status 400, an invalid one an *Error with status 422. If OutcomeUnknown is true for the error, look for the account in
// Accounts before you create it again.
func (c *Client) CreateAccount(ctx context.Context, in AccountCreate) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV2Create, in)
}

// CreateAccountV1 creates an account in version 1: POST /api/v1/accounts (contract:
// Account (version 1)). The errors are those of CreateAccount.
func (c *Client) CreateAccountV1(ctx context.Context, in AccountCreateV1) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV1Create, in)
}

// UpdateAccount updates an account: PUT /api/v2/accounts (contract: Account (version 2)). If the account does not exist or
// belongs to another reseller, the error is an *Error with status 404 or 422. Updates are idempotent.
func (c *Client) UpdateAccount(ctx context.Context, in AccountUpdate) (StatusTask, error) {
	return callTyped[StatusTask](ctx, c, &schema.OpAccountsV2Update, in)
}

// UpdateAccountV1 updates an account in version 1: PUT /api/v1/accounts (contract:
// Account (version 1)). The errors are those of UpdateAccount.
func (c *Client) UpdateAccountV1(ctx context.Context, in AccountUpdateV1) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV1Update, in)
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

// UnmarshalJSON accepts an account of the list and a single account, which has phone for phone_number.
func (a *AccountV1) UnmarshalJSON(b []byte) error {
	type plain AccountV1
	form := struct {
		*plain
		Phone String `json:"phone"`
	}{plain: (*plain)(a)}
	a.PhoneNumber = ""
	err := json.Unmarshal(b, &form)
	a.PhoneNumber = cmp.Or(a.PhoneNumber, form.Phone)
	return err
}
