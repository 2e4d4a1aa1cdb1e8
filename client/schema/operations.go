package schema

import "net/http"

// A DataShape says what the data of a response is.
type DataShape uint8

// The shapes of data.
const (
	ShapeAny    DataShape = iota // one object or an array of objects
	ShapeObject                  // one object
	ShapeList                    // an array of objects
)

// An Operation is one call that the service offers: one row of the contract's tables
// of endpoints.
type Operation struct {
	ID       string // operationId in openapi.yaml
	Title    string // what the call does, such as "get account"; errors begin with it
	Method   string
	Path     string // with parameters in braces
	Data     DataShape
	Response *Resource // the fields of the data in a response; nil if they are not known
	Public   bool      // sent without a token: the login
}

// Name returns the method and the path, such as "GET /api/v2/accounts".
func (o *Operation) Name() string { return o.Method + " " + o.Path }

// Writes reports whether the method is neither GET nor HEAD.
func (o *Operation) Writes() bool { return o.Method != http.MethodGet && o.Method != http.MethodHead }

const (
	pathAccountsV1   = "/api/v1/accounts"
	pathAccountsV2   = "/api/v2/accounts"
	pathKeywords     = "/api/v1/keywords"
	pathReports      = "/api/v1/reports"
	pathSubject      = "/accounts/{account_id}/campaigns/{campaign_id}"
	pathDatedSubject = pathSubject + "/date_from/{date_from}/date_to/{date_to}"
	pathNotes        = "/api/v2/campaigns/notes"
	pathPlans        = "/api/v1/products/plans/campaigns"
	pathCredentials  = pathAccountsV1 + "/iam/credentials"
)

// The operations of the contract (Endpoints), and those that the contract mentions
// but does not describe: login, plans and business profiles.
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

	OpKeywordsCreate = Operation{"keywords.create", "add keywords", http.MethodPost, pathKeywords, ShapeObject, &KeywordsCreated, false}
	OpKeywordsUpdate = Operation{"keywords.update", "update keywords", http.MethodPut, pathKeywords, ShapeList, &KeywordsUpdated, false}
	OpKeywordsList   = Operation{"keywords.list", "list keywords", http.MethodGet, pathKeywords, ShapeList, &Keywords, false}
	OpKeywordsGet    = Operation{"keywords.get", "get keyword", http.MethodGet, pathKeywords + "/{rank_id}", ShapeObject, &Keywords, false}
	OpEstimate       = Operation{"keywords.budget.estimate", "estimate budget", http.MethodPost, pathKeywords + "/budget/estimate", ShapeObject, &Estimates, false}

	OpCampaignsList = Operation{"campaigns.list", "list campaigns", http.MethodGet, "/api/v1/campaigns", ShapeList, &Campaigns, false}
	OpNotesGet      = Operation{"campaigns.notes.get", "get notes of campaign", http.MethodGet, pathNotes, ShapeObject, &Notes, false}
	OpNotesUpdate   = Operation{"campaigns.notes.update", "update notes of campaign", http.MethodPut, pathNotes, ShapeObject, &Notes, false}

	OpReportKeywords             = Operation{"reports.keywords", "report keywords", http.MethodGet, pathReports + "/keywords" + pathSubject, ShapeAny, &KeywordReport, false}
	OpReportTraffic              = Operation{"reports.traffic", "report traffic", http.MethodGet, pathReports + "/google/analytics/traffic" + pathDatedSubject, ShapeAny, &TrafficReport, false}
	OpReportWorkflows            = Operation{"reports.workflows", "report workflows", http.MethodGet, pathReports + "/workflows" + pathDatedSubject, ShapeAny, &WorkflowReport, false}
	OpReportBacklinks            = Operation{"reports.backlinks", "report backlinks", http.MethodGet, pathReports + "/backlinks" + pathSubject, ShapeAny, &BacklinkReport, false}
	OpReportBacklinksLost        = Operation{"reports.backlinks.lost", "report lost backlinks", http.MethodGet, pathReports + "/backlinks/lost" + pathSubject, ShapeAny, &LostBacklinkReport, false}
	OpReportBacklinksLostDates   = Operation{"reports.backlinks.lost.dates", "report lost backlinks", http.MethodGet, pathReports + "/backlinks/lost" + pathDatedSubject, ShapeAny, &LostBacklinkReport, false}
	OpReportBacklinksReferring   = Operation{"reports.backlinks.referring", "report referring backlinks", http.MethodGet, pathReports + "/backlinks/referring" + pathDatedSubject, ShapeAny, &ReferringBacklinkReport, false}
	OpReportBacklinksProvisioned = Operation{"reports.backlinks.provisioned", "report provisioned backlinks", http.MethodGet, pathReports + "/backlinks/provisioned" + pathDatedSubject, ShapeAny, &ProvisionedBacklinkReport, false}

	OpLogin       = Operation{"authentication.login", "log in", http.MethodPost, "/api/v1/authentication/login", ShapeAny, nil, true}
	OpPlansAttach = Operation{"products.plans.attach", "attach plan", http.MethodPost, pathPlans, ShapeObject, &PlanAttached, false}
	OpPlansList   = Operation{"products.plans.list", "list plans", http.MethodGet, pathPlans + "/{campaign_id}/accounts/{account_id}", ShapeList, &Plans, false}
	OpGBPCreate   = Operation{"gbp.create", "create business profile", http.MethodPost, "/api/v1/google/gbp/accounts", ShapeObject, &BusinessProfiles, false}
)

// Operations returns all operations in the order of the contract.
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
