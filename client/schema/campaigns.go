package schema

import "net/http"

// Campaigns are the campaigns of the reseller (contract: Campaign and campaign notes, which shows only the two ids). Create
// marks the columns of a file that lists the campaigns to report on; campaigns can't be created.
var Campaigns = Resource{Name: "campaign", Fields: []Field{
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn | Create | RecordID, Help: "id of the campaign", Example: "101"},
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn | Create, Help: "id of the account", Example: "1"},
	{Name: "campaign_name", Use: Read | DefaultColumn | Title},
	{Name: "campaign_stage_id", Type: Int, Use: Read},
	{Name: "campaign_stage_name", Use: Read | DefaultColumn},
	{Name: "campaign_start_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "campaign_end_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "ppc_monthly_budget", Type: Float, Use: Read | DefaultColumn},
	{Name: "ppc_monthly_budget_invoice_status", Use: Read},
	{Name: "discount", Type: Float, Use: Read},
	{Name: "decline_gmb", Type: Int, Use: Read},
	{Name: "decline_reviews", Type: Int, Use: Read},
	{Name: "decline_blog", Type: Int, Use: Read},
	{Name: "status", Type: Int, Use: Read | DefaultColumn},
}}

// Notes are the notes of one campaign (contract: Campaign and campaign notes). An update must have all three fields.
var Notes = Resource{Name: "notes", Fields: []Field{
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn | Update | Key | RecordID, Help: "id of the campaign", Example: "101"},
	{Name: "writer_instructions", Use: Read | DefaultColumn | Update | Key, Content: Prose, Help: "instructions for the writers", Example: "friendly, no slang"},
	{Name: "additional_instructions", Use: Read | DefaultColumn | Update | Key, Content: Prose, Help: "additional instructions", Example: "call before publishing"},
}}

const pathNotes = "/api/v2/campaigns/notes"

var (
	OpCampaignsList = Operation{"campaigns.list", "list campaigns", http.MethodGet, "/api/v1/campaigns", ShapeList, &Campaigns, false}
	OpNotesGet      = Operation{"campaigns.notes.get", "get notes of campaign", http.MethodGet, pathNotes, ShapeObject, &Notes, false}
	OpNotesUpdate   = Operation{"campaigns.notes.update", "update notes of campaign", http.MethodPut, pathNotes, ShapeObject, &Notes, false}
)
