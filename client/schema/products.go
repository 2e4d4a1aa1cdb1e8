package schema

import "net/http"

// Plans are the service plans of a campaign. Attaching a plan creates tasks and an invoice.
var Plans = Resource{Name: "plan", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Create | Required | Identity, Help: "id of the account"},
	{Name: "campaign_id", Type: Int, Use: Create | Required | Identity, Help: "id of the campaign"},
	{Name: "service_plan_id", Type: Int, Use: Read | DefaultColumn | Create | Required | Identity | RecordID, Help: "id of the service plan"},
	{Name: "plan_name", Use: Read | DefaultColumn, Example: "Local Starter"},
	{Name: "description", Use: Read},
	{Name: "price", Type: Float, Use: Read | DefaultColumn},
	{Name: "billing_interval", Use: Read | DefaultColumn},
	{Name: "attached_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "status", Use: Read | DefaultColumn, Example: "active"},
}}

var PlanAttached = Resource{Name: "plan", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "service_plan_id", Type: Int, Use: Read | DefaultColumn},
}}

// BusinessProfiles are requests for access to a business profile: the fields of the response, then those of the request. The
// contract does not say which ones a request needs.
var BusinessProfiles = Resource{Name: "business profile", Fields: []Field{
	{Name: "task_id", Use: Read | DefaultColumn},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "task_field_id", Use: Read | DefaultColumn},
	{Name: "ticket_id", Type: Int, Use: Create, Help: "id of the ticket"},
	{Name: "gpid", Use: Create, Help: "external account identifier of the business profile, such as 'TI 123'"},
	{Name: "nob", Use: Create, Help: "name of the business"},
	{Name: "address", Use: Create, Help: "address of the business"},
	{Name: "website_url", Type: URL, Use: Create, Help: "address of the business's site"},
	{Name: "access_confirmed", Type: Bool, Use: Create, Help: "whether access is confirmed"},
}}

const pathPlans = "/api/v1/products/plans/campaigns"

// The operations on plans and business profiles, which the contract mentions but does not describe.
var (
	OpPlansAttach = Operation{"products.plans.attach", "attach plan", http.MethodPost, pathPlans, ShapeObject, &PlanAttached, false}
	OpPlansList   = Operation{"products.plans.list", "list plans", http.MethodGet, pathPlans + "/{campaign_id}/accounts/{account_id}", ShapeList, &Plans, false}
	OpGBPCreate   = Operation{"gbp.create", "create business profile", http.MethodPost, "/api/v1/google/gbp/accounts", ShapeObject, &BusinessProfiles, false}
)
