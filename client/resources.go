package client

// The resources of the contract ("Resources and their fields"), and what is
// known of those it leaves out. Fields stand in the order of the read record;
// those that are only written follow where the create body has them.

var keywordTypes = []string{"target", "interest"}

// statusWords are those of keywords, and those that reads and answers show.
var statusWords = map[string]string{"activate": "reactivate", "active": "reactivate", "activated": "reactivate", "deactivated": "deactivate"}

// AccountsV2 is an account in version 2 (contract: Account (version 2)).
var AccountsV2 = Resource{Name: "account", Fields: []Field{
	{Name: "status", Type: Choice, Use: Read | Plain, Help: "state of the account", Enum: []string{"active", "deactivated"}, Aliases: []string{"active"}},
	{Name: "account_id", Type: Int, Use: Read | Plain | Create | Update | Key, Help: "id of the account", Example: "1"},
	{Name: "campaign_id", Type: Int, Use: Read | Plain, Help: "id of the account's campaign"},
	{Name: "account_name", Use: Read | Plain | Create | Needed | Update, Help: "name of the customer's business", Example: "Harbour Bikes"},
	{Name: "first_name", Use: Read | Create | Needed | Update, Help: "first name of the contact", Example: "Ada"},
	{Name: "last_name", Use: Read | Create | Needed | Update, Help: "last name of the contact", Example: "Quist"},
	{Name: "email", Type: Email, Use: Read | Plain | Create | Needed | Update, Help: "e-mail address of the contact", Example: "ada@example.com"},
	{Name: "phone", Use: Read | Plain | Create | Needed | Update, Help: "phone number", Example: "555-0100", Aliases: []string{"phone_number"}},
	{Name: "address_1", Use: Read | Create | Needed | Update, Help: "first address line", Example: "1 Quay Street"},
	{Name: "address_2", Use: Read | Create | Needed | Update | OrEmpty, Help: "second address line, often empty"},
	{Name: "city", Use: Read | Plain | Create | Needed | Update, Help: "city", Example: "Portland"},
	{Name: "state", Use: Read | Create | Needed | Update, Help: "state or region", Example: "OR"},
	{Name: "postal", Use: Read | Create | Needed | Update, Help: "postal code", Example: "97201", Aliases: []string{"zip"}},
	{Name: "country_code", ReadAs: "country", Type: Country, Use: Read | Create | Needed, Help: "two-letter country code", Example: "US"},
	{Name: "website_url", Type: URL, Use: Read | Plain | Create | Needed, Help: "address of the customer's site", Example: "https://bikes.example.com"},
	{Name: "external_account_identifier", Use: Create | Needed | Update, Help: "your own key for the account", Example: "crm-1001"},
	{Name: "attributes", Type: Attributes, Use: Read | Create | Update, Help: "attributes, as pairs of field_name and field_value", Example: `[{"field_name":"Industry","field_value":"Retail"}]`},
	{Name: "external_account_manager.name", Use: Read | Create | Update, Help: "name of the account manager", Example: "Kim Lee"},
	{Name: "external_account_manager.email", Type: Email, Use: Read | Create | Update, Help: "e-mail address of the account manager", Example: "kim@example.com"},
	{Name: "external_campaign_manager.name", Use: Read | Create | Update, Help: "name of the campaign manager"},
	{Name: "external_campaign_manager.email", Type: Email, Use: Read | Create | Update, Help: "e-mail address of the campaign manager"},
}}

// AccountsV1 is an account in version 1 (contract: Account (version 1)). Its
// writes say phone and postal, its list phone_number and zip.
var AccountsV1 = Resource{Name: "account", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | Plain | Update | Key, Help: "id of the account", Example: "1"},
	{Name: "campaign_id", Type: Int, Use: Read | Plain, Help: "id of the account's campaign"},
	{Name: "active", Type: Int, Use: Read | Plain, Help: "1 where the account is active, else 0", Enum: []string{"0", "1"}, Aliases: []string{"status"}},
	{Name: "account_name", OnNew: Int, Use: Read | Plain | Create | Needed | Update, Help: "name of the account; a whole number on create", Example: "1001"},
	{Name: "first_name", Use: Read | Create | Needed | Update, Help: "first name of the contact", Example: "Ada"},
	{Name: "last_name", Use: Read | Create | Needed | Update, Help: "last name of the contact", Example: "Quist"},
	{Name: "email", Type: Email, Use: Read | Plain | Create | Needed | Update, Help: "e-mail address of the contact", Example: "ada@example.com"},
	{Name: "phone", ReadAs: "phone_number", Use: Read | Plain | Create | Needed | Update, Help: "phone number", Example: "555-0100"},
	{Name: "address_1", Use: Read | Create | Needed | Update, Help: "first address line", Example: "1 Quay Street"},
	{Name: "address_2", Use: Read | Create | Needed | Update | OrEmpty, Help: "second address line, often empty"},
	{Name: "city", Use: Read | Plain | Create | Needed | Update, Help: "city", Example: "Portland"},
	{Name: "state", Use: Read | Create | Needed | Update, Help: "state or region", Example: "OR"},
	{Name: "postal", ReadAs: "zip", Use: Read | Create | Needed | Update, Help: "postal code", Example: "97201"},
	{Name: "website_url", Type: URL, Use: Create | Needed, Help: "address of the customer's site", Example: "https://bikes.example.com"},
	{Name: "external_account_identifier", Type: Pair, Use: Read | Create | Update, Help: "your own key for the account, as FIELD=VALUE", Example: "crm=1001"},
}}

// AccountV1Record is the single record of version 1, which carries no id: the
// client puts account_id in front.
var AccountV1Record = Resource{Name: "account", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | Plain},
	{Name: "account_name", Use: Read | Plain},
	{Name: "phone", Use: Read | Plain, Aliases: []string{"phone_number"}},
	{Name: "email", Use: Read | Plain},
	{Name: "first_name", Use: Read | Plain},
	{Name: "last_name", Use: Read | Plain},
	{Name: "address_1", Use: Read | Plain},
	{Name: "address_2", Use: Read | Plain},
	{Name: "city", Use: Read | Plain},
	{Name: "state", Use: Read | Plain},
	{Name: "zip", Use: Read | Plain, Aliases: []string{"postal"}},
	{Name: "website_url", Use: Read | Plain},
}}

// AccountCreated is what a create of either version answers.
var AccountCreated = Resource{Name: "account", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | Plain},
	{Name: "campaign_id", Type: Int, Use: Read | Plain},
}}

// StatusChange asks for another state of an account (contract: Account status
// change); its answer is StatusChanged.
var StatusChange = Resource{Name: "status change", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Create | Needed | Key, Help: "id of the account", Example: "1"},
	{Name: "status", Type: Choice, Use: Create | Needed | Constant, Help: "what to do", Enum: []string{"deactivate", "reactivate"}, Values: []string{"0", "1"}, Words: statusWords, Example: "deactivate"},
}}

// StatusChanged is the answer to a status change and to an update of version 2.
var StatusChanged = Resource{Name: "status change", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | Plain},
	{Name: "campaign_id", Type: Int, Use: Read | Plain},
	{Name: "status", Use: Read | Plain},
	{Name: "task_id", Use: Read | Plain},
}}

// Credentials give access to something of an account's (contract: Account
// credentials).
var Credentials = Resource{Name: "credentials", Fields: []Field{
	{Name: "iam_credentials_id", Type: Int, Use: Read | Plain, Help: "id of the credentials"},
	{Name: "reseller_account_id", Type: Int, Use: Create | Needed | Constant, Help: "your reseller account id", Example: "1"},
	{Name: "account_id", Type: Int, Use: Create | Needed | Constant, Help: "id of the account", Example: "1"},
	{Name: "campaign_id", Type: Int, Use: Create | Needed | Constant, Help: "id of the campaign", Example: "101"},
	{Name: "credentials_types_id", Type: Int, Use: Create | Needed | Constant, Help: "kind of credentials, by number", Example: "4"},
	{Name: "username", Use: Create | Needed, Help: "user name", Example: "harbour"},
	{Name: "password", Type: Password, Use: Create | Needed, Help: "password; it can't be read back", Example: "correct horse"},
	{Name: "note", Use: Create | Needed | RowOrEmpty | Constant, Help: "a note for the people who use them", Example: "hosting panel"},
}}

// Keywords are attached to campaigns (contract: Keyword). Writes say
// keyword_type, reads type.
var Keywords = Resource{Name: "keyword", Fields: []Field{
	{Name: "rank_id", Type: Int, Use: Read | Plain | Update | Key, Help: "id of the keyword record", Example: "1001"},
	{Name: "account_id", Type: Int, Use: Read | Plain | Create | Needed | Constant, Help: "id of the account", Example: "1"},
	{Name: "campaign_id", Type: Int, Use: Read | Plain | Create | Needed | Constant, Help: "id of the campaign", Example: "101"},
	{Name: "keyword", Use: Read | Plain | Create | Needed | Line, Help: "the text searched for", Example: "red shoes"},
	{Name: "keyword_type", ReadAs: "type", Type: Choice, Use: Read | Plain | Create | Needed | Update | Key | Constant, Help: "what the keyword is for", Enum: keywordTypes, Example: "target"},
	{Name: "status", Type: Choice, Use: Read | Plain | Update | Key | Constant, Help: "state of the keyword", Enum: []string{"activate", "deactivate"}, Values: []string{"1", "0"}, Example: "activate"},
	{Name: "rank_google_organic", Type: Int, Use: Read | Plain, Help: "rank among the organic results; 999 where it has none"},
	{Name: "rank_google_map", Type: Int, Use: Read | Plain, Help: "rank on the map; 999 where it has none"},
}}

// KeywordsCreated is what adding keywords answers: one object for the batch.
var KeywordsCreated = Resource{Name: "keyword", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | Plain},
	{Name: "campaign_id", Type: Int, Use: Read | Plain},
	{Name: "keyword", Use: Read | Plain},
	{Name: "keyword_type", Use: Read | Plain, Aliases: []string{"type"}},
}}

// KeywordsUpdated is one item of what a keyword update answers.
var KeywordsUpdated = Resource{Name: "keyword", Fields: []Field{
	{Name: "rank_id", Type: Int, Use: Read | Plain},
	{Name: "status_code", Type: Int, Use: Read | Plain},
	{Name: "status_message", Use: Read | Plain},
}}

// Estimates ask what keywords of a site would cost (contract: Keyword budget
// estimate).
var Estimates = Resource{Name: "estimate", Fields: []Field{
	{Name: "url", Type: URL, Use: Read | Plain | Create | Needed | Line, Help: "address of the business to analyse", Example: "https://bikes.example.com"},
	{Name: "categories", Type: List, Use: Create, Help: "business categories that filter keywords", Example: `["Bikes"]`},
	{Name: "seeds", Type: List, Use: Create, Help: "seed keywords that guide the analysis", Example: `["city bike","bike repair"]`},
	{Name: "market", Use: Read | Plain | Create, Help: "country or locale code (the service's default: us)", Example: "us"},
	{Name: "language", Use: Read | Plain | Create, Help: "language code (the service's default: en)", Example: "en"},
	{Name: "max_keywords", Type: Int, Use: Create, Most: 1000, Help: "most keywords wanted, 1 to 1000 (the service's default: 50)", Example: "50"},
	{Name: "total_keywords", Type: Int, Use: Read | Plain},
	{Name: "estimated_budget.average_cpc", Use: Read | Plain},
	{Name: "estimated_budget.average_competition", Use: Read | Plain},
	{Name: "estimated_budget.total_traffic_cost", Use: Read | Plain},
	{Name: "estimated_budget.total_monthly_searches", Use: Read | Plain},
	{Name: "estimated_budget.estimated_monthly_budget", Use: Read | Plain},
	{Name: "estimated_budget.estimated_quarterly_budget", Use: Read | Plain},
	{Name: "estimated_budget.estimated_yearly_budget", Use: Read | Plain},
	{Name: "estimated_budget.total_keywords", Type: Int, Use: Read},
	{Name: "cached", Type: Bool, Use: Read | Plain},
	{Name: "cache_timestamp", Type: Date, Use: Read | Plain},
}}

// EstimateKeywords are the items of an estimate.
var EstimateKeywords = Resource{Name: "keyword", Fields: []Field{
	{Name: "keyword", Use: Read | Plain},
	{Name: "position", Use: Read | Plain},
	{Name: "previous_position", Use: Read},
	{Name: "position_difference", Use: Read},
	{Name: "monthly_searches", Use: Read | Plain},
	{Name: "cpc", Use: Read | Plain},
	{Name: "url", Use: Read},
	{Name: "traffic", Use: Read},
	{Name: "traffic_cost", Use: Read},
	{Name: "competition", Use: Read | Plain},
	{Name: "number_of_results", Use: Read},
	{Name: "monthly_trends", Type: List, Use: Read},
	{Name: "current_trend", Use: Read},
	{Name: "trend_summary.direction", Use: Read | Plain},
	{Name: "trend_summary.strength", Use: Read},
	{Name: "trend_summary.category", Use: Read},
	{Name: "trend_summary.description", Use: Read},
	{Name: "budget_estimate.monthly_budget", Use: Read | Plain},
	{Name: "budget_estimate.yearly_budget", Use: Read},
	{Name: "budget_estimate.incremental_traffic_metrics", Use: Read},
}}
