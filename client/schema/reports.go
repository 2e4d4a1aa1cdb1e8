package schema

import "net/http"

// ReportSubject is the account and the campaign of a report, with the name of the account, as columns in front of its rows.
var ReportSubject = Resource{Name: "report", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "account_name", Use: Read | DefaultColumn | Title},
}}

// unranked is the rank of a keyword that does not rank, and the words that tables show for it.
var unranked = [][2]string{{"999", "not ranked"}}

var KeywordReport = Resource{Name: "report", Fields: []Field{
	{Name: "keyword", Use: Read | DefaultColumn | Title},
	{Name: "type", Type: Choice, Use: Read | DefaultColumn, Enum: keywordTypes, Aliases: []string{"keyword_type"}},
	{Name: "rank_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "rank_google_organic", Type: Int, Use: Read | DefaultColumn, Shown: unranked},
	{Name: "rank_google_map", Type: Int, Use: Read | DefaultColumn, Shown: unranked},
	{Name: "search_total", Type: Int, Use: Read | DefaultColumn},
	{Name: "histogram", Type: List, Use: Read | OnRequest},
}}

var TrafficReport = Resource{Name: "report", Fields: []Field{
	{Name: "date", Type: Date, Use: Read | DefaultColumn | Title},
	{Name: "organic", Type: Int, Use: Read | DefaultColumn},
	{Name: "non_organic", Type: Int, Use: Read | DefaultColumn},
	{Name: "total", Type: Int, Use: Read | DefaultColumn},
}}

var WorkflowReport = Resource{Name: "report", Fields: []Field{
	{Name: "built_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "due_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "completion_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "task_id", Use: Read | DefaultColumn, Example: "10001"},
	{Name: "task_name", Use: Read | DefaultColumn | Title},
	{Name: "status", Use: Read | DefaultColumn, Example: "Completed"},
}}

var BacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "domain_rating", Type: Float, Use: Read | DefaultColumn},
	{Name: "backlink_quantity", Type: Int, Use: Read | DefaultColumn},
	{Name: "referring_domain_quantity", Type: Int, Use: Read | DefaultColumn},
}}

var LostBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "url_from", Use: Read | DefaultColumn},
	{Name: "url_to", Use: Read | DefaultColumn},
	{Name: "date_last_seen", Type: Date, Use: Read | DefaultColumn},
	{Name: "anchor_text", Use: Read | DefaultColumn},
}}

var ReferringBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "date_checked", Type: Date, Use: Read | DefaultColumn},
	{Name: "quantity", Type: Int, Use: Read | DefaultColumn},
}}

var ProvisionedBacklinkReport = Resource{Name: "report", Fields: []Field{
	{Name: "original_due_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "completed_date", Type: Date, Use: Read | DefaultColumn},
	{Name: "type", Use: Read | DefaultColumn},
	{Name: "url", Use: Read | DefaultColumn},
	{Name: "domain_rating", Type: Float, Use: Read | DefaultColumn},
	{Name: "task_id", Use: Read | DefaultColumn, Example: "10001"},
}}

const (
	pathReports      = "/api/v1/reports"
	pathSubject      = "/accounts/{account_id}/campaigns/{campaign_id}"
	pathDatedSubject = pathSubject + "/date_from/{date_from}/date_to/{date_to}"
)

var (
	OpReportKeywords             = Operation{"reports.keywords", "report keywords", http.MethodGet, pathReports + "/keywords" + pathSubject, ShapeAny, &KeywordReport, false}
	OpReportTraffic              = Operation{"reports.traffic", "report traffic", http.MethodGet, pathReports + "/google/analytics/traffic" + pathDatedSubject, ShapeAny, &TrafficReport, false}
	OpReportWorkflows            = Operation{"reports.workflows", "report workflows", http.MethodGet, pathReports + "/workflows" + pathDatedSubject, ShapeAny, &WorkflowReport, false}
	OpReportBacklinks            = Operation{"reports.backlinks", "report backlinks", http.MethodGet, pathReports + "/backlinks" + pathSubject, ShapeAny, &BacklinkReport, false}
	OpReportBacklinksLost        = Operation{"reports.backlinks.lost", "report lost backlinks", http.MethodGet, pathReports + "/backlinks/lost" + pathSubject, ShapeAny, &LostBacklinkReport, false}
	OpReportBacklinksLostDates   = Operation{"reports.backlinks.lost.dates", "report lost backlinks", http.MethodGet, pathReports + "/backlinks/lost" + pathDatedSubject, ShapeAny, &LostBacklinkReport, false}
	OpReportBacklinksReferring   = Operation{"reports.backlinks.referring", "report referring backlinks", http.MethodGet, pathReports + "/backlinks/referring" + pathDatedSubject, ShapeAny, &ReferringBacklinkReport, false}
	OpReportBacklinksProvisioned = Operation{"reports.backlinks.provisioned", "report provisioned backlinks", http.MethodGet, pathReports + "/backlinks/provisioned" + pathDatedSubject, ShapeAny, &ProvisionedBacklinkReport, false}
)
