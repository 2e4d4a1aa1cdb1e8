// Code generated from package schema by TestTypesAreGenerated; DO NOT EDIT.

package client

import "encoding/json"

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
	FirstName                 string      `json:"first_name"`
	LastName                  string      `json:"last_name"`
	Email                     string      `json:"email"`
	Phone                     string      `json:"phone"`
	Address1                  string      `json:"address_1"`
	Address2                  string      `json:"address_2"`
	City                      string      `json:"city"`
	State                     string      `json:"state"`
	Postal                    string      `json:"postal"`
	CountryCode               string      `json:"country_code"`
	WebsiteURL                string      `json:"website_url"`
	ExternalAccountIdentifier string      `json:"external_account_identifier"`
	Attributes                FieldValues `json:"attributes,omitempty"`
	ExternalAccountManager    *Person     `json:"external_account_manager,omitempty"`
	ExternalCampaignManager   *Person     `json:"external_campaign_manager,omitempty"`
}

// AccountUpdate is the body of an update in version 2 (contract: Account (version 2)).
// A field that is nil is not sent, and the account keeps its value. An empty string is
// stored as an empty string. Managers and Attributes replace the present ones as a
// whole, so an empty list that is not nil removes all attributes.
type AccountUpdate struct {
	AccountID                 int64       `json:"account_id"`
	AccountName               *string     `json:"account_name,omitempty"`
	FirstName                 *string     `json:"first_name,omitempty"`
	LastName                  *string     `json:"last_name,omitempty"`
	Email                     *string     `json:"email,omitempty"`
	Phone                     *string     `json:"phone,omitempty"`
	Address1                  *string     `json:"address_1,omitempty"`
	Address2                  *string     `json:"address_2,omitempty"`
	City                      *string     `json:"city,omitempty"`
	State                     *string     `json:"state,omitempty"`
	Postal                    *string     `json:"postal,omitempty"`
	ExternalAccountIdentifier *string     `json:"external_account_identifier,omitempty"`
	Attributes                FieldValues `json:"attributes,omitzero"`
	ExternalAccountManager    *Person     `json:"external_account_manager,omitempty"`
	ExternalCampaignManager   *Person     `json:"external_campaign_manager,omitempty"`
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

// A Keyword is a keyword of a campaign (contract: Keyword). A rank of 999 means that
// the keyword does not rank.
type Keyword struct {
	Received
	RankID            Integer `json:"rank_id"`
	AccountID         Integer `json:"account_id"`
	CampaignID        Integer `json:"campaign_id"`
	Keyword           String  `json:"keyword"`
	Type              String  `json:"type"`   // target or interest
	Status            Integer `json:"status"` // 1 if it is active, 0 if it is deactivated
	RankGoogleOrganic Integer `json:"rank_google_organic"`
	RankGoogleMap     Integer `json:"rank_google_map"`
}

// A NewKeyword is one keyword to add (contract: Keyword). KeywordType is "target" or
// "interest".
type NewKeyword struct {
	Keyword     string `json:"keyword"`
	KeywordType string `json:"keyword_type"`
}

// KeywordsAdded is the response to adding keywords (contract: Keyword): one object for
// all of them, without their new rank_ids.
type KeywordsAdded struct {
	AccountID   Integer `json:"account_id"`
	CampaignID  Integer `json:"campaign_id"`
	Keyword     String  `json:"keyword"`
	KeywordType String  `json:"keyword_type"`
}

// A KeywordChange is the change of one keyword in an update (contract: Keyword). RankID,
// KeywordType ("target" or "interest") and Status ("activate" or "deactivate") are
// required.
type KeywordChange struct {
	RankID      int64  `json:"rank_id"`
	KeywordType string `json:"keyword_type"`
	Status      string `json:"status"`
}

// An EstimateRequest is the body of a budget estimate (contract: Keyword budget
// estimate). URL is required. Other fields are not sent if they are empty; the
// service's defaults are the market us, the language en and 50 keywords. MaxKeywords
// is 1 to 1000.
type EstimateRequest struct {
	URL         string   `json:"url"`
	Categories  []string `json:"categories,omitempty"`
	Seeds       []string `json:"seeds,omitempty"`
	Market      string   `json:"market,omitempty"`
	Language    string   `json:"language,omitempty"`
	MaxKeywords int      `json:"max_keywords,omitempty"`
}

// An EstimatedBudget is the cost of all keywords of an estimate. The contract does not
// show its fields.
type EstimatedBudget struct {
	AverageCPC               String `json:"average_cpc"`
	AverageCompetition       String `json:"average_competition"`
	TotalTrafficCost         String `json:"total_traffic_cost"`
	TotalMonthlySearches     String `json:"total_monthly_searches"`
	EstimatedMonthlyBudget   String `json:"estimated_monthly_budget"`
	EstimatedQuarterlyBudget String `json:"estimated_quarterly_budget"`
	EstimatedYearlyBudget    String `json:"estimated_yearly_budget"`
	TotalKeywords            String `json:"total_keywords"`
}

// An EstimateKeyword is one keyword of an estimate. The contract does not show its
// fields.
type EstimateKeyword struct {
	Keyword            String   `json:"keyword"`
	Position           String   `json:"position"`
	PreviousPosition   String   `json:"previous_position"`
	PositionDifference String   `json:"position_difference"`
	MonthlySearches    String   `json:"monthly_searches"`
	CPC                String   `json:"cpc"`
	URL                String   `json:"url"`
	Traffic            String   `json:"traffic"`
	TrafficCost        String   `json:"traffic_cost"`
	Competition        String   `json:"competition"`
	NumberOfResults    String   `json:"number_of_results"`
	MonthlyTrends      []String `json:"monthly_trends"` // one for each of twelve months
	CurrentTrend       String   `json:"current_trend"`
	TrendSummary       struct {
		Direction   String `json:"direction"`
		Strength    String `json:"strength"`
		Category    String `json:"category"`
		Description String `json:"description"`
	} `json:"trend_summary"`
	BudgetEstimate struct {
		MonthlyBudget             String          `json:"monthly_budget"`
		YearlyBudget              String          `json:"yearly_budget"`
		IncrementalTrafficMetrics json.RawMessage `json:"incremental_traffic_metrics"` // as the service sent it
	} `json:"budget_estimate"`
}

// A Campaign is a campaign of an account (contract: Campaign and campaign notes). The
// contract shows only the two ids; any other field may be missing.
type Campaign struct {
	Received
	CampaignID                    Integer `json:"campaign_id"`
	AccountID                     Integer `json:"account_id"`
	CampaignName                  String  `json:"campaign_name"`
	CampaignStageID               Integer `json:"campaign_stage_id"`   // 1 to 5
	CampaignStageName             String  `json:"campaign_stage_name"` // Cold, Warm, Proposal, Neg/Review or Closed/Won
	CampaignStartDate             String  `json:"campaign_start_date"` // such as 2024-07-06T19:09:14Z
	CampaignEndDate               String  `json:"campaign_end_date"`
	PPCMonthlyBudget              Number  `json:"ppc_monthly_budget"`
	PPCMonthlyBudgetInvoiceStatus String  `json:"ppc_monthly_budget_invoice_status"`
	Discount                      Number  `json:"discount"`
	DeclineGMB                    Boolean `json:"decline_gmb"`
	DeclineReviews                Boolean `json:"decline_reviews"`
	DeclineBlog                   Boolean `json:"decline_blog"`
	Status                        String  `json:"status"` // 0 or 1; empty if the record lacks it
}

// CampaignNotes are the notes of one campaign (contract: Campaign and campaign notes).
// An update must send all three fields.
type CampaignNotes struct {
	Received
	CampaignID             Integer `json:"campaign_id"`
	WriterInstructions     String  `json:"writer_instructions"`
	AdditionalInstructions String  `json:"additional_instructions"`
}

// A Plan is a service plan of a campaign. The contract does not describe it.
type Plan struct {
	Received
	ServicePlanID   Integer `json:"service_plan_id"`
	PlanName        String  `json:"plan_name"`
	Description     String  `json:"description"`
	Price           Number  `json:"price"`
	BillingInterval String  `json:"billing_interval"`
	AttachedDate    String  `json:"attached_date"` // empty if the record lacks it
	Status          String  `json:"status"`        // empty if the record lacks it
}

// PlanAttach is the body of the call that attaches a service plan to a campaign. The
// response has the same three fields, or none.
type PlanAttach struct {
	AccountID     Integer `json:"account_id"`
	CampaignID    Integer `json:"campaign_id"`
	ServicePlanID Integer `json:"service_plan_id"`
}

// BusinessProfile is the body of a request for access to a business profile.
type BusinessProfile struct {
	TicketID        int64  `json:"ticket_id"`
	GPID            string `json:"gpid"`
	NOB             string `json:"nob"`
	Address         string `json:"address"`
	WebsiteURL      string `json:"website_url"`
	AccessConfirmed bool   `json:"access_confirmed"`
}

// BusinessProfileTask is the response to a request for access to a business profile.
type BusinessProfileTask struct {
	TaskID      String  `json:"task_id"`
	CampaignID  Integer `json:"campaign_id"`
	TaskFieldID String  `json:"task_field_id"`
}

// A KeywordReportRow is a keyword with its current ranks and their history. A rank of
// 999 means that the keyword does not rank.
type KeywordReportRow struct {
	Received
	Keyword           String      `json:"keyword"`
	Type              String      `json:"type"` // target or interest
	RankID            Integer     `json:"rank_id"`
	RankGoogleOrganic Integer     `json:"rank_google_organic"`
	RankGoogleMap     Integer     `json:"rank_google_map"`
	SearchTotal       Integer     `json:"search_total"`
	Histogram         []RankOnDay `json:"histogram"`
}

// A TrafficRow is the number of visits on one day.
type TrafficRow struct {
	Received
	Date       String  `json:"date"`
	Organic    Integer `json:"organic"`
	NonOrganic Integer `json:"non_organic"`
	Total      Integer `json:"total"`
}

// A WorkflowRow is a task of a campaign.
type WorkflowRow struct {
	Received
	BuiltDate      String `json:"built_date"`
	DueDate        String `json:"due_date"`
	CompletionDate String `json:"completion_date"` // empty if the task is not completed
	TaskID         String `json:"task_id"`
	TaskName       String `json:"task_name"`
	Status         String `json:"status"`
}

// A BacklinkRow is the only row of the backlinks report.
type BacklinkRow struct {
	Received
	DomainRating            Number  `json:"domain_rating"`
	BacklinkQuantity        Integer `json:"backlink_quantity"`
	ReferringDomainQuantity Integer `json:"referring_domain_quantity"`
}

// A LostBacklinkRow is a backlink that no longer exists.
type LostBacklinkRow struct {
	Received
	URLFrom      String `json:"url_from"`
	URLTo        String `json:"url_to"`
	DateLastSeen String `json:"date_last_seen"`
	AnchorText   String `json:"anchor_text"`
}

// A ReferringBacklinkRow is the number of referring backlinks on one day.
type ReferringBacklinkRow struct {
	Received
	DateChecked String  `json:"date_checked"`
	Quantity    Integer `json:"quantity"`
}

// A ProvisionedBacklinkRow is a backlink that the service provides.
type ProvisionedBacklinkRow struct {
	Received
	OriginalDueDate String `json:"original_due_date"`
	CompletedDate   String `json:"completed_date"`
	Type            String `json:"type"`
	URL             String `json:"url"`
	DomainRating    Number `json:"domain_rating"`
	TaskID          String `json:"task_id"`
}
