package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"reseller/client/record"
	"reseller/client/schema"
)

// Account is the read record of version 2 (contract: Account (version 2)). An
// older form of it, which has active, phone_number and zip for status, phone
// and postal, decodes into the same fields.
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

// AccountV1 is an item of the version 1 list, or the single record, which has
// the contact's fields and website_url but no ids, active or identifier
// (contract: Account (version 1)).
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
	WebsiteURL                String     `json:"website_url"` // of the single record
	ExternalAccountIdentifier FieldValue `json:"external_account_identifier"`
}

// AccountIDs is what a create answers, and an update of version 1: integers in
// version 1, strings in version 2, read as either (contract: Account (version
// 1), Account (version 2)). An id that is not told is 0.
type AccountIDs struct {
	AccountID  Integer `json:"account_id"`
	CampaignID Integer `json:"campaign_id"`
}

// AccountCreate is the create body of version 2 (contract: Account (version
// 2)). Its strings are all required and sent even where they are empty;
// CountryCode is two letters. AccountID is sent where it is not 0, and names an
// account that exists.
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

// AccountCreateV1 is the create body of version 1, whose account_name is a
// number (contract: Account (version 1)). All but the identifier is required.
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

// AccountUpdate is the update body of version 2 (contract: Account (version
// 2)). What is nil is left out and keeps its stored value; an empty string is
// stored as such, and an empty list of Attributes that is not nil empties
// them. A manager and the attributes are written whole: give all that is to
// stay.
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

// AccountUpdateV1 is the update body of version 1 (contract: Account (version
// 1)), with nil and empty as in AccountUpdate.
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

// StatusTask is the answer to a status change, and to an update of version 2:
// what was done, and the task that does it (contract: Account status change).
// TaskID may be a number or a text; an answer to an update may be empty.
type StatusTask struct {
	AccountID  Integer `json:"account_id"`
	CampaignID Integer `json:"campaign_id"`
	Status     String  `json:"status"`
	TaskID     String  `json:"task_id"`
}

// CredentialsCreate is the body of a create of credentials; all fields are
// required (contract: Account credentials). The password is write-only.
type CredentialsCreate struct {
	ResellerAccountID  int64  `json:"reseller_account_id"`
	AccountID          int64  `json:"account_id"`
	CampaignID         int64  `json:"campaign_id"`
	CredentialsTypesID int64  `json:"credentials_types_id"`
	Username           string `json:"username"`
	Password           string `json:"password"`
	Note               string `json:"note"`
}

// Accounts walks GET /api/v2/accounts: all accounts of the reseller, as
// records that decode into Account.
func (c *Client) Accounts(ctx context.Context) iter.Seq2[record.Record, error] {
	return c.List(ctx, Call{Op: &schema.OpAccountsV2List})
}

// AccountsV1 walks GET /api/v1/accounts, as records that decode into AccountV1.
func (c *Client) AccountsV1(ctx context.Context) iter.Seq2[record.Record, error] {
	return c.List(ctx, Call{Op: &schema.OpAccountsV1List})
}

// Account reads one account: GET /api/v2/accounts/{account_id} (contract:
// Account (version 2)). An account that does not exist, or is another
// reseller's, is an error for which IsNotFound is true.
func (c *Client) Account(ctx context.Context, accountID int64) (Account, error) {
	return get[Account](ctx, c, Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", accountID))
}

// AccountV1 reads one account: GET /api/v1/accounts/{account_id} (contract:
// Account (version 1)), with the errors of Account. The service sends no id; the
// client puts account_id in front of the record.
func (c *Client) AccountV1(ctx context.Context, accountID int64) (AccountV1, error) {
	return get[AccountV1](ctx, c, Call{Op: &schema.OpAccountsV1Get}.WithID("account_id", accountID))
}

// CreateAccount calls POST /api/v2/accounts. A refusal is an *Error: 400 for a
// missing field, 422 for one that breaks a rule of the service, which has no
// idempotency: after an error for which Unknown is true, look whether the
// account is there.
func (c *Client) CreateAccount(ctx context.Context, in AccountCreate) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV2Create, in)
}

// CreateAccountV1 calls POST /api/v1/accounts, with the errors of CreateAccount.
func (c *Client) CreateAccountV1(ctx context.Context, in AccountCreateV1) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV1Create, in)
}

// UpdateAccount calls PUT /api/v2/accounts. A refusal is an *Error: 404 or 422
// for an account that is unknown or another reseller's.
func (c *Client) UpdateAccount(ctx context.Context, in AccountUpdate) (StatusTask, error) {
	return callTyped[StatusTask](ctx, c, &schema.OpAccountsV2Update, in)
}

// UpdateAccountV1 calls PUT /api/v1/accounts, with the errors of UpdateAccount.
func (c *Client) UpdateAccountV1(ctx context.Context, in AccountUpdateV1) (AccountIDs, error) {
	return callTyped[AccountIDs](ctx, c, &schema.OpAccountsV1Update, in)
}

// CreateCredentials calls POST /api/v1/accounts/iam/credentials and returns
// iam_credentials_id, 0 where the service does not tell it. They can't be read
// back: after an error for which Unknown is true, a second call may make them
// twice. The service takes 10 calls a minute.
func (c *Client) CreateCredentials(ctx context.Context, in CredentialsCreate) (int64, error) {
	out, err := callTyped[struct {
		ID Integer `json:"iam_credentials_id"`
	}](ctx, c, &schema.OpCredentials, in)
	return int64(out.ID), err
}

// SetAccountStatus calls PUT /api/v1/accounts/status with the word deactivate
// or reactivate (contract: States and transitions). The answer's Status is a
// past-tense word, deactivated or activated. An account that is unknown or
// another reseller's is an *Error with status 404 or 422.
func (c *Client) SetAccountStatus(ctx context.Context, accountID int64, word string) (StatusTask, error) {
	return callTyped[StatusTask](ctx, c, &schema.OpAccountsStatus, struct {
		AccountID int64  `json:"account_id"`
		Status    string `json:"status"`
	}{accountID, word})
}

// WithID sets a path parameter that is an id.
func (c Call) WithID(name string, id int64) Call { return c.WithParam(name, strconv.FormatInt(id, 10)) }

// Record calls an operation whose data is one object, or an array of one. The
// single account of version 1 carries no id, so that of the path is put in
// front.
func (c *Client) Record(ctx context.Context, call Call) (record.Record, error) {
	answer, err := c.Do(ctx, call)
	if err != nil {
		return record.Record{}, err
	}
	answer.Data = unwrapSingle(answer.Data)
	rec, err := answer.Record()
	if err != nil {
		return rec, &UnreadableError{call.Op.Name(), call.Action(), answer.HTTPStatus, "", err}
	}
	if call.Op == &schema.OpAccountsV1Get {
		rec = rec.Prepend(record.Pair{Name: "account_id", Value: record.Value(call.PathParams["account_id"])})
	}
	return rec, nil
}

// callTyped calls a writing operation with a typed body and decodes its data; an
// empty object leaves the fields empty.
func callTyped[T any](ctx context.Context, c *Client, op *schema.Operation, in any) (T, error) {
	var out T
	body, err := json.Marshal(in)
	if err != nil {
		return out, fmt.Errorf("%s: %w", op.Title, err)
	}
	call := Call{Op: op, Body: body}
	answer, err := c.Do(ctx, call)
	if err != nil {
		return out, err
	}
	if !nonEmpty(answer.Data) {
		return out, nil // a success that says no more
	}
	if err := json.Unmarshal(unwrapSingle(answer.Data), &out); err != nil {
		return out, &UnreadableError{op.Name(), call.Action(), answer.HTTPStatus, "", err}
	}
	return out, nil
}

// unwrapSingle is what an array of one item holds, since the contract does not show
// every answer; all other data is as it came.
func unwrapSingle(data record.Value) record.Value {
	if items := slices.Collect(data.Elements()); len(items) == 1 {
		return items[0]
	}
	return data
}
