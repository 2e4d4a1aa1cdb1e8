package schema

import "net/http"

// statusSynonyms are other words for deactivate and reactivate: the word for keywords, the words that reads and responses show, and
// truth values.
var statusSynonyms = map[string]string{"activate": "reactivate", "active": "reactivate", "activated": "reactivate", "deactivated": "deactivate", "true": "reactivate", "false": "deactivate"}

// AccountStatusWords are the words of version 2 for the status of an account, by the values
// that version 1 and older records have for it.
var AccountStatusWords = map[string]string{"1": "active", "true": "active", "0": "deactivated", "false": "deactivated"}

// The fields of accounts that are the same in both versions.
var (
	firstName    = Field{Name: "first_name", Use: Read | Create | Required | Update, Help: "first name of the contact", Example: "Ada", ColumnSynonyms: []string{"given name", "contact first", "contact first name"}}
	lastName     = Field{Name: "last_name", Use: Read | Create | Required | Update, Help: "last name of the contact", Example: "Quist", ColumnSynonyms: []string{"surname", "family name", "contact last", "contact last name"}}
	contactEmail = Field{Name: "email", Type: Email, Use: Read | DefaultColumn | Create | Required | Update | Identity, Help: "e-mail address of the contact", Example: "ada@example.com", ColumnSynonyms: []string{"mail", "email address"}}
	address1     = Field{Name: "address_1", Use: Read | Create | Required | Update, Help: "first address line", Example: "1 Quay Street", ColumnSynonyms: []string{"address line 1", "street", "address", "street address"}}
	address2     = Field{Name: "address_2", Use: Read | Create | Required | Update | EmptyIfAbsent, Help: "second address line, often empty", ColumnSynonyms: []string{"address line 2", "suite", "unit"}}
	city         = Field{Name: "city", Use: Read | DefaultColumn | Create | Required | Update, Help: "city", Example: "Portland", ColumnSynonyms: []string{"town"}}
	state        = Field{Name: "state", Use: Read | Create | Required | Update, Help: "state or region", Example: "OR", ColumnSynonyms: []string{"province", "region", "county", "state region", "state province"}}
)

// AccountsV2 are accounts in version 2 (contract: Account (version 2)).
var AccountsV2 = Resource{Name: "account", Fields: []Field{
	{Name: "status", Type: Choice, Use: Read | DefaultColumn, Help: "status of the account", Enum: []string{"active", "deactivated"}, Synonyms: AccountStatusWords, Aliases: []string{"active"}},
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn | Create | Update | Key | RecordID, Help: "id of the account", Example: "1"},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn, Help: "id of the account's campaign"},
	{Name: "account_name", Use: Read | DefaultColumn | Create | Required | Update | Title | Identity, Help: "name of the customer's business", Example: "Harbour Bikes", ColumnSynonyms: accountNameSynonyms},
	firstName, lastName, contactEmail,
	{Name: "phone", Use: Read | DefaultColumn | Create | Required | Update | Identity, Content: Code, Help: "phone number", Example: "555-0100", Aliases: []string{"phone_number"}, ColumnSynonyms: phoneSynonyms},
	address1, address2, city, state,
	{Name: "postal", Use: Read | Create | Required | Update | Identity, Content: PostalCode, Help: "postal code", Example: "97201", Aliases: []string{"zip"}, ColumnSynonyms: postalSynonyms},
	{Name: "country_code", ReadAs: "country", Type: Country, Use: Read | Create | Required, Help: "two-letter country code", Example: "US", ColumnSynonyms: []string{"country region"}},
	{Name: "website_url", Type: URL, Use: Read | DefaultColumn | Create | Required, Help: "address of the customer's site", Example: "https://bikes.example.com", ColumnSynonyms: websiteSynonyms},
	{Name: "external_account_identifier", Use: Create | Required | Update | Identity, Content: Code, Help: "your own identifier of the account", Example: "crm-3001", ColumnSynonyms: externalAccountSynonyms},
	{Name: "attributes", Type: Attributes, Use: Read | Create | Update, Help: "attributes, as pairs of field_name and field_value", Example: `[{"field_name":"Industry","field_value":"Retail"}]`},
	{Name: "external_account_manager.name", Use: Read | Create | Update, Help: "name of the account manager", Example: "Kim Lee", ColumnSynonyms: []string{"account manager", "account manager name"}},
	{Name: "external_account_manager.email", Type: Email, Use: Read | Create | Update, Help: "e-mail address of the account manager", Example: "kim@example.com", ColumnSynonyms: []string{"account manager email"}},
	{Name: "external_campaign_manager.name", Use: Read | Create | Update, Help: "name of the campaign manager", ColumnSynonyms: []string{"campaign manager", "campaign manager name"}},
	{Name: "external_campaign_manager.email", Type: Email, Use: Read | Create | Update, Help: "e-mail address of the campaign manager", ColumnSynonyms: []string{"campaign manager email"}},
}}

// AccountsV1 are accounts in version 1 (contract: Account (version 1)). Writes have
// phone and postal, the list has phone_number and zip.
var AccountsV1 = Resource{Name: "account", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn | Update | Key | RecordID, Help: "id of the account", Example: "1"},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn, Help: "id of the account's campaign"},
	{Name: "active", Type: Int, Use: Read | DefaultColumn, Help: "1 if the account is active, else 0", Enum: []string{"0", "1"}, Synonyms: map[string]string{"active": "1", "true": "1", "deactivated": "0", "false": "0"}, Aliases: []string{"status"}},
	{Name: "account_name", CreateType: Int, Use: Read | DefaultColumn | Create | Required | Update | Title | Identity, Help: "name of the account; a whole number on create", Example: "1001", ColumnSynonyms: accountNameSynonyms},
	firstName, lastName, contactEmail,
	{Name: "phone", ReadAs: "phone_number", Use: Read | DefaultColumn | Create | Required | Update | Identity, Content: Code, Help: "phone number", Example: "555-0100", ColumnSynonyms: phoneSynonyms},
	address1, address2, city, state,
	{Name: "postal", ReadAs: "zip", Use: Read | Create | Required | Update | Identity, Content: PostalCode, Help: "postal code", Example: "97201", ColumnSynonyms: postalSynonyms},
	{Name: "website_url", Type: URL, Use: Create | Required, Help: "address of the customer's site", Example: "https://bikes.example.com", ColumnSynonyms: websiteSynonyms},
	{Name: "external_account_identifier", Type: Pair, Use: Read | Create | Update | Identity, Help: "your own identifier of the account, as FIELD=VALUE", Example: "crm=1001", ColumnSynonyms: externalAccountSynonyms},
}}

// AccountV1Record is a single account in version 1. The service sends it without its
// id; the client puts account_id in front of it.
var AccountV1Record = Resource{Name: "account", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn | RecordID},
	{Name: "account_name", Use: Read | DefaultColumn},
	{Name: "phone", Use: Read | DefaultColumn, Aliases: []string{"phone_number"}},
	{Name: "email", Use: Read | DefaultColumn},
	{Name: "first_name", Use: Read | DefaultColumn},
	{Name: "last_name", Use: Read | DefaultColumn},
	{Name: "address_1", Use: Read | DefaultColumn},
	{Name: "address_2", Use: Read | DefaultColumn},
	{Name: "city", Use: Read | DefaultColumn},
	{Name: "state", Use: Read | DefaultColumn},
	{Name: "zip", Use: Read | DefaultColumn, Aliases: []string{"postal"}},
	{Name: "website_url", Use: Read | DefaultColumn},
}}

// AccountCreated is the response to a create in both versions, and to an update in version 1.
var AccountCreated = Resource{Name: "account", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn | RecordID},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
}}

// StatusChange is the body of a change of an account's status (contract: Account status change).
var StatusChange = Resource{Name: "status change", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Create | Required | Key | Identity, Help: "id of the account", Example: "1"},
	{Name: "status", Type: Choice, Use: Create | Required | Constant, Help: "new status of the account", Enum: []string{"deactivate", "reactivate"}, Values: []string{"0", "1"}, Synonyms: statusSynonyms, Example: "deactivate"},
}}

// StatusChanged is the response to a change of status and to an update in version 2.
var StatusChanged = Resource{Name: "status change", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn | RecordID},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "status", Use: Read | DefaultColumn},
	{Name: "task_id", Use: Read | DefaultColumn},
}}

// CredentialTypes are the ids of the types of credentials, and what each is for. The contract does not have them.
var CredentialTypes = []struct{ ID, Name string }{
	{"1", "Twitter"}, {"2", "Facebook"}, {"3", "Google Plus"}, {"4", "Hosting"}, {"5", "DNS"}, {"6", "Google Analytics"},
	{"7", "Google Adwords"}, {"8", "MS Adcenter"}, {"9", "Marchex"}, {"10", "LinkedIn"}, {"11", "Adroll"},
	{"12", "Bing Local"}, {"20", "a CMS"},
}

// Credentials give the service's staff access to a system of the customer (contract:
// Account credentials). They can't be read back.
var Credentials = Resource{Name: "credentials", Fields: []Field{
	{Name: "iam_credentials_id", Type: Int, Use: Read | DefaultColumn, Help: "id of the credentials"},
	{Name: "reseller_account_id", Type: Int, Use: Create | Required | Constant | Identity, Help: "your reseller account id", Example: "1"},
	{Name: "account_id", Type: Int, Use: Create | Required | Constant | Identity, Help: "id of the account", Example: "1"},
	{Name: "campaign_id", Type: Int, Use: Create | Required | Constant | Identity, Help: "id of the campaign", Example: "101"},
	{Name: "credentials_types_id", Type: Int, Use: Create | Required | Constant | Identity, Help: "type of the credentials, a number", Example: "4"},
	{Name: "username", Use: Create | Required | Identity, Help: "user name", Example: "harbour"},
	{Name: "password", Type: Password, Use: Create | Required, Help: "password; it can't be read back", Example: "correct horse"},
	{Name: "note", Use: Create | Required | EmptyInFile | Constant | Identity, Content: Prose, Help: "note for the people who use the credentials", Example: "hosting panel"},
}}

const (
	pathAccountsV1  = "/api/v1/accounts"
	pathAccountsV2  = "/api/v2/accounts"
	pathCredentials = pathAccountsV1 + "/iam/credentials"
)

var (
	OpAccountsV1Create = Operation{"accounts.v1.create", "create account", http.MethodPost, pathAccountsV1, ShapeObject, &AccountCreated, false}
	OpAccountsV1Update = Operation{"accounts.v1.update", "update account", http.MethodPut, pathAccountsV1, ShapeObject, &AccountCreated, false}
	OpAccountsV1List   = Operation{"accounts.v1.list", "list accounts", http.MethodGet, pathAccountsV1, ShapeList, &AccountsV1, false}
	OpAccountsV1Get    = Operation{"accounts.v1.get", "get account", http.MethodGet, pathAccountsV1 + "/{account_id}", ShapeObject, &AccountV1Record, false}
	OpAccountsV2Create = Operation{"accounts.v2.create", "create account", http.MethodPost, pathAccountsV2, ShapeObject, &AccountCreated, false}
	OpAccountsV2Update = Operation{"accounts.v2.update", "update account", http.MethodPut, pathAccountsV2, ShapeObject, &StatusChanged, false}
	OpAccountsV2List   = Operation{"accounts.v2.list", "list accounts", http.MethodGet, pathAccountsV2, ShapeList, &AccountsV2, false}
	OpAccountsV2Get    = Operation{"accounts.v2.get", "get account", http.MethodGet, pathAccountsV2 + "/{account_id}", ShapeObject, &AccountsV2, false}
	OpCredentials      = Operation{"accounts.credentials.create", "create credentials", http.MethodPost, pathCredentials, ShapeObject, &Credentials, false}
	OpAccountsStatus   = Operation{"accounts.status", "change status of account", http.MethodPut, pathAccountsV1 + "/status", ShapeObject, &StatusChanged, false}
)
