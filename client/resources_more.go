package client

// Campaigns are the campaigns of the reseller (contract: Campaign and campaign
// notes; the fields beyond the two ids are not shown there). The two ids name
// what a file asks reports of.
var Campaigns = Resource{Name: "campaign", Fields: []Field{
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn | Create, Help: "id of the campaign", Example: "101"},
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn | Create, Help: "id of the account", Example: "1"},
	{Name: "campaign_name", Use: Read | DefaultColumn},
	{Name: "campaign_stage_id", Type: Int, Use: Read},
	{Name: "campaign_stage_name", Use: Read | DefaultColumn},
	{Name: "campaign_start_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "campaign_end_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "ppc_monthly_budget", Type: Float, Use: Read | DefaultColumn},
	{Name: "ppc_monthly_budget_invoice_status", Use: Read},
	{Name: "discount", Use: Read},
	{Name: "decline_gmb", Type: Int, Use: Read},
	{Name: "decline_reviews", Type: Int, Use: Read},
	{Name: "decline_blog", Type: Int, Use: Read},
	{Name: "status", Type: Int, Use: Read | DefaultColumn},
}}

// Notes are the notes of one campaign. The update needs all three fields.
var Notes = Resource{Name: "notes", Fields: []Field{
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn | Update | Key, Help: "id of the campaign", Example: "101"},
	{Name: "writer_instructions", Use: Read | DefaultColumn | Update | Key, Help: "instructions for the writers", Example: "friendly, no slang"},
	{Name: "additional_instructions", Use: Read | DefaultColumn | Update | Key, Help: "further instructions", Example: "call before publishing"},
}}

// Plans are the service plans of a campaign; attaching one makes tasks and an
// invoice.
var Plans = Resource{Name: "plan", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Create | Required, Help: "id of the account"},
	{Name: "campaign_id", Type: Int, Use: Create | Required, Help: "id of the campaign"},
	{Name: "service_plan_id", Type: Int, Use: Read | DefaultColumn | Create | Required, Help: "id of the service plan"},
	{Name: "plan_name", Use: Read | DefaultColumn},
	{Name: "description", Use: Read},
	{Name: "price", Type: Float, Use: Read | DefaultColumn},
	{Name: "billing_interval", Use: Read | DefaultColumn},
	{Name: "attached_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "status", Use: Read | DefaultColumn},
}}

// PlanAttached is what attaching a plan answers.
var PlanAttached = Resource{Name: "plan", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "service_plan_id", Type: Int, Use: Read | DefaultColumn},
}}

// BusinessProfiles are requests for access to a business profile.
var BusinessProfiles = Resource{Name: "business profile", Fields: []Field{
	{Name: "task_id", Use: Read | DefaultColumn},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "task_field_id", Use: Read | DefaultColumn},
	{Name: "ticket_id", Type: Int, Use: Create | Required, Help: "id of the ticket"},
	{Name: "gpid", Use: Create | Required, Help: "id of the business profile"},
	{Name: "nob", Use: Create | Required, Help: "name of the business"},
	{Name: "address", Use: Create | Required, Help: "address of the business"},
	{Name: "website_url", Type: URL, Use: Create | Required, Help: "address of the business's site"},
	{Name: "access_confirmed", Type: Bool, Use: Create | Required, Help: "whether access is confirmed"},
}}

// ReportPair is the account and campaign that a row of a report belongs to.
var ReportPair = Resource{Name: "report", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
}}

// KeywordReport is a row of the keywords report.
var KeywordReport = Resource{Name: "report", Fields: []Field{
	{Name: "keyword", Use: Read | DefaultColumn},
	{Name: "type", Type: Choice, Use: Read | DefaultColumn, Enum: keywordTypes, Aliases: []string{"keyword_type"}},
	{Name: "rank_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "rank_google_organic", Type: Int, Use: Read | DefaultColumn},
	{Name: "rank_google_map", Type: Int, Use: Read | DefaultColumn},
	{Name: "search_total", Type: Int, Use: Read | DefaultColumn},
	{Name: "histogram", Type: List, Use: Read},
}}

// TrafficReport is a row of the traffic analytics report.
var TrafficReport = Resource{Name: "report", Fields: []Field{
	{Name: "date", Type: Date, Use: Read | DefaultColumn},
	{Name: "organic", Type: Int, Use: Read | DefaultColumn},
	{Name: "non_organic", Type: Int, Use: Read | DefaultColumn},
	{Name: "total", Type: Int, Use: Read | DefaultColumn},
}}

// WorkflowReport is a row of the workflow report.
var WorkflowReport = Resource{Name: "report", Fields: []Field{
	{Name: "built_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "due_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "completion_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "task_id", Use: Read | DefaultColumn},
	{Name: "task_name", Use: Read | DefaultColumn},
	{Name: "status", Use: Read | DefaultColumn},
}}

// BacklinkReport is the object of the backlinks report.
var BacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "domain_rating", Type: Float, Use: Read | DefaultColumn},
	{Name: "backlink_quantity", Type: Int, Use: Read | DefaultColumn},
	{Name: "referring_domain_quantity", Type: Int, Use: Read | DefaultColumn},
}}

// LostBacklinkReport is a row of the lost backlinks report.
var LostBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "url_from", Use: Read | DefaultColumn},
	{Name: "url_to", Use: Read | DefaultColumn},
	{Name: "date_last_seen", Type: Date, Use: Read | DefaultColumn},
	{Name: "anchor_text", Use: Read | DefaultColumn},
}}

// ReferringBacklinkReport is a row of the referring backlinks report.
var ReferringBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "date_checked", Type: Date, Use: Read | DefaultColumn},
	{Name: "quantity", Type: Int, Use: Read | DefaultColumn},
}}

// ProvisionedBacklinkReport is a row of the provisioned backlinks report.
var ProvisionedBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "original_due_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "completed_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "type", Use: Read | DefaultColumn},
	{Name: "url", Use: Read | DefaultColumn},
	{Name: "domain_rating", Type: Float, Use: Read | DefaultColumn},
	{Name: "task_id", Use: Read | DefaultColumn},
}}
