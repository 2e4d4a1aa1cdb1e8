package client

import (
	"context"
	"iter"

	"reseller/client/record"
	"reseller/client/schema"
)

// An Account is an account in version 2 (contract: Account (version 2)). An older form
// of the record, which has active, phone_number and zip for status, phone and postal,
// is decoded into the same fields.
type Account struct {
	Received
	Status                  String      `json:"status"` // active or deactivated
	AccountID               Integer     `json:"account_id"`
	CampaignID              Integer     `json:"campaign_id"`
	AccountName             String      `json:"account_name"`
	FirstName               String      `json:"first_name"`
	LastName                String      `json:"last_name"`
	Email                   String      `json:"email"`
	Phone                   String      `json:"phone"`
	Address1                String      `json:"address_1"`
	Address2                String      `json:"address_2"`
	City                    String      `json:"city"`
	State                   String      `json:"state"`
	Postal                  String      `json:"postal"`
	Country                 String      `json:"country"`
	WebsiteURL              String      `json:"website_url"`
	Attributes              FieldValues `json:"attributes"`
	ExternalAccountManager  Person      `json:"external_account_manager"`
	ExternalCampaignManager Person      `json:"external_campaign_manager"`
}

// An AccountV1 is an account in version 1 (contract: Account (version 1)). A single
// account (Client.AccountV1) has website_url, but neither campaign_id nor active nor
// external_account_identifier.
type AccountV1 struct {
	Received
	AccountID                 Integer    `json:"account_id"`
	CampaignID                Integer    `json:"campaign_id"`
	Active                    Integer    `json:"active"` // 0 or 1
	AccountName               String     `json:"account_name"`
	FirstName                 String     `json:"first_name"`
	LastName                  String     `json:"last_name"`
	Email                     String     `json:"email"`
	PhoneNumber               String     `json:"phone_number"`
	Address1                  String     `json:"address_1"`
	Address2                  String     `json:"address_2"`
	City                      String     `json:"city"`
	State                     String     `json:"state"`
	Zip                       String     `json:"zip"`
	WebsiteURL                String     `json:"website_url"` // only of a single account
	ExternalAccountIdentifier FieldValue `json:"external_account_identifier"`
}

// AccountIDs is the response to a create, and to an update in version 1 (contract:
// Account (version 1), Account (version 2)). An id that the response lacks is 0.
type AccountIDs struct {
	AccountID  Integer `json:"account_id"`
	CampaignID Integer `json:"campaign_id"`
}

// AccountCreate is the body of a create in version 2 (contract: Account (version 2)).
// All strings are required and are sent even if they are empty. CountryCode has two
// letters. AccountID is 0, or the id of an existing account that gets another
// campaign.
type AccountCreate struct {
	AccountID                 int64       `json:"account_id,omitempty"`
	AccountName               string      `json:"account_name"`
	Phone                     string      `json:"phone"`
	Email                     string      `json:"email"`
	FirstName                 string      `json:"first_name"`
	LastName                  string      `json:"last_name"`
	Address1                  string      `json:"address_1"`
	Address2                  string      `json:"address_2"`
	City                      string      `json:"city"`
	State                     string      `json:"state"`
	Postal                    string      `json:"postal"`
	CountryCode               string      `json:"country_code"`
	WebsiteURL                string      `json:"website_url"`
	ExternalAccountIdentifier string      `json:"external_account_identifier"`
	ExternalAccountManager    *Person     `json:"external_account_manager,omitempty"`
	ExternalCampaignManager   *Person     `json:"external_campaign_manager,omitempty"`
	Attributes                FieldValues `json:"attributes,omitempty"`
}

// AccountCreateV1 is the body of a create in version 1 (contract: Account (version
// 1)). Version 1 requires a number as account_name. All fields but the identifier are
// required.
type AccountCreateV1 struct {
	AccountName               int64       `json:"account_name"`
	Phone                     string      `json:"phone"`
	Email                     string      `json:"email"`
	FirstName                 string      `json:"first_name"`
	LastName                  string      `json:"last_name"`
	Address1                  string      `json:"address_1"`
	Address2                  string      `json:"address_2"`
	City                      string      `json:"city"`
	State                     string      `json:"state"`
	Postal                    string      `json:"postal"`
	WebsiteURL                string      `json:"website_url"`
	ExternalAccountIdentifier *FieldValue `json:"external_account_identifier,omitempty"`
}

// AccountUpdate is the body of an update in version 2 (contract: Account (version 2)).
// A field that is nil is not sent, and the account keeps its value. An empty string is
// stored as an empty string. Managers and Attributes replace the present ones as a
// whole, so an empty list that is not nil removes all attributes.
type AccountUpdate struct {
	AccountID                 int64       `json:"account_id"`
	AccountName               *string     `json:"account_name,omitempty"`
	Phone                     *string     `json:"phone,omitempty"`
	Email                     *string     `json:"email,omitempty"`
	FirstName                 *string     `json:"first_name,omitempty"`
	LastName                  *string     `json:"last_name,omitempty"`
	Address1                  *string     `json:"address_1,omitempty"`
	Address2                  *string     `json:"address_2,omitempty"`
	City                      *string     `json:"city,omitempty"`
	State                     *string     `json:"state,omitempty"`
	Postal                    *string     `json:"postal,omitempty"`
	ExternalAccountIdentifier *string     `json:"external_account_identifier,omitempty"`
	ExternalAccountManager    *Person     `json:"external_account_manager,omitempty"`
	ExternalCampaignManager   *Person     `json:"external_campaign_manager,omitempty"`
	Attributes                FieldValues `json:"attributes,omitzero"`
}

// AccountUpdateV1 is the body of an update in version 1 (contract: Account (version
// 1)). Nil and empty fields mean what they do in AccountUpdate.
type AccountUpdateV1 struct {
	AccountID                 int64       `json:"account_id"`
	AccountName               *string     `json:"account_name,omitempty"`
	Phone                     *string     `json:"phone,omitempty"`
	Email                     *string     `json:"email,omitempty"`
	FirstName                 *string     `json:"first_name,omitempty"`
	LastName                  *string     `json:"last_name,omitempty"`
	Address1                  *string     `json:"address_1,omitempty"`
	Address2                  *string     `json:"address_2,omitempty"`
	City                      *string     `json:"city,omitempty"`
	State                     *string     `json:"state,omitempty"`
	Postal                    *string     `json:"postal,omitempty"`
	ExternalAccountIdentifier *FieldValue `json:"external_account_identifier,omitempty"`
}

// StatusTask is the response to a change of status and to an update in version 2: the
// new status, and the task that carries the change out (contract: Account status
// change). The response to an update may be empty.
type StatusTask struct {
	AccountID  Integer `json:"account_id"`
	CampaignID Integer `json:"campaign_id"`
	Status     String  `json:"status"`
	TaskID     String  `json:"task_id"`
}

// CredentialsCreate is the body of a call that stores credentials (contract: Account
// credentials). All fields are required. Credentials can't be read back.
type CredentialsCreate struct {
	ResellerAccountID  int64  `json:"reseller_account_id"`
	AccountID          int64  `json:"account_id"`
	CampaignID         int64  `json:"campaign_id"`
	CredentialsTypesID int64  `json:"credentials_types_id"`
	Username           string `json:"username"`
	Password           string `json:"password"`
	Note               string `json:"note"`
}

// Accounts lists all accounts of the reseller: GET /api/v2/accounts (contract:
// Account (version 2)). The records decode into Account (see Each).
func (c *Client) Accounts(ctx context.Context) iter.Seq2[record.Record, error] {
	return c.List(ctx, Call{Op: &schema.OpAccountsV2List})
}

// AccountsV1 lists all accounts of the reseller in version 1: GET /api/v1/accounts
// (contract: Account (version 1)). The records decode into AccountV1.
func (c *Client) AccountsV1(ctx context.Context) iter.Seq2[record.Record, error] {
	return c.List(ctx, Call{Op: &schema.OpAccountsV1List})
}

// Account reads one account: GET /api/v2/accounts/{account_id} (contract: Account
// (version 2)). IsNotFound is true for the error if the account does not exist or
// belongs to another reseller.
func (c *Client) Account(ctx context.Context, accountID int64) (Account, error) {
	return get[Account](ctx, c, Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", accountID))
}

// AccountV1 reads one account in version 1: GET /api/v1/accounts/{account_id}
// (contract: Account (version 1)). The errors are those of Account. The service sends
// the account without its id; AccountV1 puts account_id in front of the record.
func (c *Client) AccountV1(ctx context.Context, accountID int64) (AccountV1, error) {
	return get[AccountV1](ctx, c, Call{Op: &schema.OpAccountsV1Get}.WithID("account_id", accountID))
}

// CreateAccount creates an account: POST /api/v2/accounts (contract: Account
// (version 2)). A missing field is an *Error with status 400, an invalid one an *Error
// with status 422. If OutcomeUnknown is true for the error, look for the account in
// Accounts before you create it again.
func (c *Client) CreateAccount(ctx context.Context, in AccountCreate) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV2Create, in)
}

// CreateAccountV1 creates an account in version 1: POST /api/v1/accounts (contract:
// Account (version 1)). The errors are those of CreateAccount.
func (c *Client) CreateAccountV1(ctx context.Context, in AccountCreateV1) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV1Create, in)
}

// UpdateAccount updates an account: PUT /api/v2/accounts (contract: Account (version
// 2)). If the account does not exist or belongs to another reseller, the error is an
// *Error with status 404 or 422. Updates are idempotent.
func (c *Client) UpdateAccount(ctx context.Context, in AccountUpdate) (StatusTask, error) {
	return callTyped[StatusTask](ctx, c, &schema.OpAccountsV2Update, in)
}

// UpdateAccountV1 updates an account in version 1: PUT /api/v1/accounts (contract:
// Account (version 1)). The errors are those of UpdateAccount.
func (c *Client) UpdateAccountV1(ctx context.Context, in AccountUpdateV1) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV1Update, in)
}

// CreateCredentials stores credentials: POST /api/v1/accounts/iam/credentials
// (contract: Account credentials). It returns iam_credentials_id, 0 if the response
// lacks it. Credentials can't be read back: if OutcomeUnknown is true for the error,
// another call may store them twice. The service accepts 10 calls a minute.
func (c *Client) CreateCredentials(ctx context.Context, in CredentialsCreate) (int64, error) {
	out, err := callTyped[struct {
		ID Integer `json:"iam_credentials_id"`
	}](ctx, c, &schema.OpCredentials, in)
	return int64(out.ID), err
}

// SetAccountStatus deactivates or reactivates an account: PUT
// /api/v1/accounts/status with the status "deactivate" or "reactivate" (contract:
// Account status change, States and transitions). The Status of the response is
// "deactivated" or "activated". If the account does not exist or belongs to another
// reseller, the error is an *Error with status 404 or 422.
func (c *Client) SetAccountStatus(ctx context.Context, accountID int64, status string) (StatusTask, error) {
	return callTyped[StatusTask](ctx, c, &schema.OpAccountsStatus, struct {
		AccountID int64  `json:"account_id"`
		Status    string `json:"status"`
	}{accountID, status})
}
