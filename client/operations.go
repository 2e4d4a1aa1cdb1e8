package client

import "net/http"

// DataShape is what an operation's data holds.
type DataShape uint8

// The shapes of data.
const (
	Any  DataShape = iota // not known beforehand
	One                   // one object
	Many                  // an array of objects
)

// An Operation is one row of the contract's endpoint tables.
type Operation struct {
	ID     string // as in openapi.yaml
	Title  string // what it does, for errors: "get account"
	Method string
	Path   string // path parameters in braces
	Data   DataShape
	Answer *Resource // the fields that its data is known to have
	Public bool      // goes without a token: the login
}

// Name is the operation as the contract writes it.
func (o *Operation) Name() string { return o.Method + " " + o.Path }

// Writes tells whether the operation changes something.
func (o *Operation) Writes() bool { return o.Method != http.MethodGet && o.Method != http.MethodHead }

const (
	accountsV1  = "/api/v1/accounts"
	accountsV2  = "/api/v2/accounts"
	keywordsV1  = "/api/v1/keywords"
	reports     = "/api/v1/reports"
	pair        = "/accounts/{account_id}/campaigns/{campaign_id}"
	datedPair   = pair + "/date_from/{date_from}/date_to/{date_to}"
	notesV2     = "/api/v2/campaigns/notes"
	plansV1     = "/api/v1/products/plans/campaigns"
	credentials = accountsV1 + "/iam/credentials"
)

// The operations of the contract ("Endpoints"), and those of the groups that it
// names without showing them: login, products and business profiles.
var (
	OpAccountsV1Create = Operation{"accounts.v1.create", "create account", http.MethodPost, accountsV1, One, &AccountCreated, false}
	OpAccountsV1Update = Operation{"accounts.v1.update", "update account", http.MethodPut, accountsV1, One, &AccountCreated, false}
	OpAccountsV1List   = Operation{"accounts.v1.list", "list accounts", http.MethodGet, accountsV1, Many, &AccountsV1, false}
	OpAccountsV1Get    = Operation{"accounts.v1.get", "get account", http.MethodGet, accountsV1 + "/{account_id}", One, &AccountV1Record, false}
	OpAccountsV2Create = Operation{"accounts.v2.create", "create account", http.MethodPost, accountsV2, One, &AccountCreated, false}
	OpAccountsV2Update = Operation{"accounts.v2.update", "update account", http.MethodPut, accountsV2, One, &StatusChanged, false}
	OpAccountsV2List   = Operation{"accounts.v2.list", "list accounts", http.MethodGet, accountsV2, Many, &AccountsV2, false}
	OpAccountsV2Get    = Operation{"accounts.v2.get", "get account", http.MethodGet, accountsV2 + "/{account_id}", One, &AccountsV2, false}
	OpCredentials      = Operation{"accounts.credentials.create", "create credentials", http.MethodPost, credentials, One, &Credentials, false}
	OpAccountsStatus   = Operation{"accounts.status", "change status of account", http.MethodPut, accountsV1 + "/status", One, &StatusChanged, false}

	OpKeywordsCreate = Operation{"keywords.create", "add keywords", http.MethodPost, keywordsV1, One, &KeywordsCreated, false}
	OpKeywordsUpdate = Operation{"keywords.update", "update keywords", http.MethodPut, keywordsV1, Many, &KeywordsUpdated, false}
	OpKeywordsList   = Operation{"keywords.list", "list keywords", http.MethodGet, keywordsV1, Many, &Keywords, false}
	OpKeywordsGet    = Operation{"keywords.get", "get keyword", http.MethodGet, keywordsV1 + "/{rank_id}", One, &Keywords, false}
	OpEstimate       = Operation{"keywords.budget.estimate", "estimate budget", http.MethodPost, keywordsV1 + "/budget/estimate", One, &Estimates, false}

	OpCampaignsList = Operation{"campaigns.list", "list campaigns", http.MethodGet, "/api/v1/campaigns", Many, &Campaigns, false}
	OpNotesGet      = Operation{"campaigns.notes.get", "get notes of campaign", http.MethodGet, notesV2, One, &Notes, false}
	OpNotesUpdate   = Operation{"campaigns.notes.update", "update notes of campaign", http.MethodPut, notesV2, One, &Notes, false}

	OpReportKeywords             = Operation{"reports.keywords", "report keywords", http.MethodGet, reports + "/keywords" + pair, Any, &KeywordReport, false}
	OpReportTraffic              = Operation{"reports.traffic", "report traffic", http.MethodGet, reports + "/google/analytics/traffic" + datedPair, Any, &TrafficReport, false}
	OpReportWorkflows            = Operation{"reports.workflows", "report workflows", http.MethodGet, reports + "/workflows" + datedPair, Any, &WorkflowReport, false}
	OpReportBacklinks            = Operation{"reports.backlinks", "report backlinks", http.MethodGet, reports + "/backlinks" + pair, Any, &BacklinkReport, false}
	OpReportBacklinksLost        = Operation{"reports.backlinks.lost", "report lost backlinks", http.MethodGet, reports + "/backlinks/lost" + pair, Any, &LostBacklinkReport, false}
	OpReportBacklinksLostDates   = Operation{"reports.backlinks.lost.dates", "report lost backlinks", http.MethodGet, reports + "/backlinks/lost" + datedPair, Any, &LostBacklinkReport, false}
	OpReportBacklinksReferring   = Operation{"reports.backlinks.referring", "report referring backlinks", http.MethodGet, reports + "/backlinks/referring" + datedPair, Any, &ReferringBacklinkReport, false}
	OpReportBacklinksProvisioned = Operation{"reports.backlinks.provisioned", "report provisioned backlinks", http.MethodGet, reports + "/backlinks/provisioned" + datedPair, Any, &ProvisionedBacklinkReport, false}

	OpLogin       = Operation{"authentication.login", "log in", http.MethodPost, "/api/v1/authentication/login", Any, nil, true}
	OpPlansAttach = Operation{"products.plans.attach", "attach plan", http.MethodPost, plansV1, One, &PlanAttached, false}
	OpPlansList   = Operation{"products.plans.list", "list plans", http.MethodGet, plansV1 + "/{campaign_id}/accounts/{account_id}", Many, &Plans, false}
	OpGBPCreate   = Operation{"gbp.create", "create business profile", http.MethodPost, "/api/v1/google/gbp/accounts", One, &BusinessProfiles, false}
)

// Operations are all of them, in the contract's order.
func Operations() []*Operation {
	return []*Operation{
		&OpAccountsV1Create, &OpAccountsV1Update, &OpAccountsV1List, &OpAccountsV1Get,
		&OpAccountsV2Create, &OpAccountsV2Update, &OpAccountsV2List, &OpAccountsV2Get,
		&OpCredentials, &OpAccountsStatus,
		&OpKeywordsCreate, &OpKeywordsUpdate, &OpKeywordsList, &OpKeywordsGet, &OpEstimate,
		&OpCampaignsList, &OpNotesGet, &OpNotesUpdate,
		&OpReportKeywords, &OpReportTraffic, &OpReportWorkflows, &OpReportBacklinks,
		&OpReportBacklinksLost, &OpReportBacklinksLostDates, &OpReportBacklinksReferring, &OpReportBacklinksProvisioned,
		&OpLogin, &OpPlansAttach, &OpPlansList, &OpGBPCreate,
	}
}
