package client

// Campaigns are the campaigns of the reseller (contract: Campaign and campaign
// notes; the fields beyond the two ids are not shown there). The two ids name
// what a file asks reports of.
var Campaigns = Resource{Name: "campaign", Fields: []Field{
	{Name: "campaign_id", Type: Int, Use: Read | Plain | Create, Help: "id of the campaign", Example: "101"},
	{Name: "account_id", Type: Int, Use: Read | Plain | Create, Help: "id of the account", Example: "1"},
	{Name: "campaign_name", Use: Read | Plain},
	{Name: "campaign_stage_id", Type: Int, Use: Read},
	{Name: "campaign_stage_name", Use: Read | Plain},
	{Name: "campaign_start_date", Type: Date, Use: Read | Plain},
	{Name: "campaign_end_date", Type: Date, Use: Read | Plain},
	{Name: "ppc_monthly_budget", Type: Float, Use: Read | Plain},
	{Name: "ppc_monthly_budget_invoice_status", Use: Read},
	{Name: "discount", Use: Read},
	{Name: "decline_gmb", Type: Int, Use: Read},
	{Name: "decline_reviews", Type: Int, Use: Read},
	{Name: "decline_blog", Type: Int, Use: Read},
	{Name: "status", Type: Int, Use: Read | Plain},
}}

// Notes are the notes of one campaign. The update needs all three fields.
var Notes = Resource{Name: "notes", Fields: []Field{
	{Name: "campaign_id", Type: Int, Use: Read | Plain | Update | Key, Help: "id of the campaign", Example: "101"},
	{Name: "writer_instructions", Use: Read | Plain | Update | Key, Help: "instructions for the writers", Example: "friendly, no slang"},
	{Name: "additional_instructions", Use: Read | Plain | Update | Key, Help: "further instructions", Example: "call before publishing"},
}}

// Plans are the service plans of a campaign; attaching one makes tasks and an
// invoice.
var Plans = Resource{Name: "plan", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Create | Needed, Help: "id of the account"},
	{Name: "campaign_id", Type: Int, Use: Create | Needed, Help: "id of the campaign"},
	{Name: "service_plan_id", Type: Int, Use: Read | Plain | Create | Needed, Help: "id of the service plan"},
	{Name: "plan_name", Use: Read | Plain},
	{Name: "description", Use: Read},
	{Name: "price", Type: Float, Use: Read | Plain},
	{Name: "billing_interval", Use: Read | Plain},
	{Name: "attached_date", Type: Date, Use: Read | Plain},
	{Name: "status", Use: Read | Plain},
}}

// PlanAttached is what attaching a plan answers.
var PlanAttached = Resource{Name: "plan", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | Plain},
	{Name: "campaign_id", Type: Int, Use: Read | Plain},
	{Name: "service_plan_id", Type: Int, Use: Read | Plain},
}}

// BusinessProfiles are requests for access to a business profile.
var BusinessProfiles = Resource{Name: "business profile", Fields: []Field{
	{Name: "task_id", Use: Read | Plain},
	{Name: "campaign_id", Type: Int, Use: Read | Plain},
	{Name: "task_field_id", Use: Read | Plain},
	{Name: "ticket_id", Type: Int, Use: Create | Needed, Help: "id of the ticket"},
	{Name: "gpid", Use: Create | Needed, Help: "id of the business profile"},
	{Name: "nob", Use: Create | Needed, Help: "name of the business"},
	{Name: "address", Use: Create | Needed, Help: "address of the business"},
	{Name: "website_url", Type: URL, Use: Create | Needed, Help: "address of the business's site"},
	{Name: "access_confirmed", Type: Bool, Use: Create | Needed, Help: "whether access is confirmed"},
}}

// ReportPair is the account and campaign that a row of a report belongs to.
var ReportPair = Resource{Name: "report", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | Plain},
	{Name: "campaign_id", Type: Int, Use: Read | Plain},
}}

// KeywordReport is a row of the keywords report.
var KeywordReport = Resource{Name: "report", Fields: []Field{
	{Name: "keyword", Use: Read | Plain},
	{Name: "type", Type: Choice, Use: Read | Plain, Enum: keywordTypes, Aliases: []string{"keyword_type"}},
	{Name: "rank_id", Type: Int, Use: Read | Plain},
	{Name: "rank_google_organic", Type: Int, Use: Read | Plain},
	{Name: "rank_google_map", Type: Int, Use: Read | Plain},
	{Name: "search_total", Type: Int, Use: Read | Plain},
	{Name: "histogram", Type: List, Use: Read},
}}

// TrafficReport is a row of the traffic analytics report.
var TrafficReport = Resource{Name: "report", Fields: []Field{
	{Name: "date", Type: Date, Use: Read | Plain},
	{Name: "organic", Type: Int, Use: Read | Plain},
	{Name: "non_organic", Type: Int, Use: Read | Plain},
	{Name: "total", Type: Int, Use: Read | Plain},
}}

// WorkflowReport is a row of the workflow report.
var WorkflowReport = Resource{Name: "report", Fields: []Field{
	{Name: "built_date", Type: Date, Use: Read | Plain},
	{Name: "due_date", Type: Date, Use: Read | Plain},
	{Name: "completion_date", Type: Date, Use: Read | Plain},
	{Name: "task_id", Use: Read | Plain},
	{Name: "task_name", Use: Read | Plain},
	{Name: "status", Use: Read | Plain},
}}

// BacklinkReport is the object of the backlinks report.
var BacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "domain_rating", Type: Float, Use: Read | Plain},
	{Name: "backlink_quantity", Type: Int, Use: Read | Plain},
	{Name: "referring_domain_quantity", Type: Int, Use: Read | Plain},
}}

// LostBacklinkReport is a row of the lost backlinks report.
var LostBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "url_from", Use: Read | Plain},
	{Name: "url_to", Use: Read | Plain},
	{Name: "date_last_seen", Type: Date, Use: Read | Plain},
	{Name: "anchor_text", Use: Read | Plain},
}}

// ReferringBacklinkReport is a row of the referring backlinks report.
var ReferringBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "date_checked", Type: Date, Use: Read | Plain},
	{Name: "quantity", Type: Int, Use: Read | Plain},
}}

// ProvisionedBacklinkReport is a row of the provisioned backlinks report.
var ProvisionedBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "original_due_date", Type: Date, Use: Read | Plain},
	{Name: "completed_date", Type: Date, Use: Read | Plain},
	{Name: "type", Use: Read | Plain},
	{Name: "url", Use: Read | Plain},
	{Name: "domain_rating", Type: Float, Use: Read | Plain},
	{Name: "task_id", Use: Read | Plain},
}}
