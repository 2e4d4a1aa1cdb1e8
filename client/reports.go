package client

import (
	"context"
	"iter"

	"reseller/client/record"
	"reseller/client/schema"
)

// Dates is the period of a report: its first and its last day, as YYYY-MM-DD.
// The zero Dates stands for no period.
type Dates struct{ From, To string }

// A Report is one of the seven reports. The contract does not show what the rows
// look like, so they are read as records, which keep every field.
type Report struct {
	Undated *schema.Operation // without a period; nil if the report needs one
	Dated   *schema.Operation // with a period; nil if the report takes none
}

// A TypedReport is a report whose known fields decode into Row.
type TypedReport[Row any] struct{ Report }

// The reports (contract: Reports). Without a period, lost backlinks cover the last
// 60 days.
var (
	ReportKeywords             = TypedReport[KeywordReportRow]{Report{Undated: &schema.OpReportKeywords}}
	ReportTraffic              = TypedReport[TrafficRow]{Report{Dated: &schema.OpReportTraffic}}
	ReportWorkflows            = TypedReport[WorkflowRow]{Report{Dated: &schema.OpReportWorkflows}}
	ReportBacklinks            = TypedReport[BacklinkRow]{Report{Undated: &schema.OpReportBacklinks}}
	ReportBacklinksLost        = TypedReport[LostBacklinkRow]{Report{Undated: &schema.OpReportBacklinksLost, Dated: &schema.OpReportBacklinksLostDates}}
	ReportBacklinksReferring   = TypedReport[ReferringBacklinkRow]{Report{Dated: &schema.OpReportBacklinksReferring}}
	ReportBacklinksProvisioned = TypedReport[ProvisionedBacklinkRow]{Report{Dated: &schema.OpReportBacklinksProvisioned}}
)

// Operation returns the operation that reports on a period.
func (r Report) Operation(d Dates) *schema.Operation {
	if r.Undated == nil || r.Dated != nil && d != (Dates{}) {
		return r.Dated
	}
	return r.Undated
}

// Call returns the call for the report of one campaign.
func (r Report) Call(accountID, campaignID int64, d Dates) Call {
	call := Call{Op: r.Operation(d)}.WithID("account_id", accountID).WithID("campaign_id", campaignID)
	if call.Op == r.Dated {
		call = call.WithParam("date_from", d.From).WithParam("date_to", d.To)
	}
	return call
}

// Rows reads the report of one campaign as Client.Report does, and decodes its
// rows. A row that does not decode is an error and ends the walk.
func (r TypedReport[Row]) Rows(ctx context.Context, c *Client, accountID, campaignID int64, d Dates) iter.Seq2[Row, error] {
	return Each[Row](c.Report(ctx, r.Report, accountID, campaignID, d))
}

// Report reads the rows of the report of one campaign. The backlinks report is one
// object, and so one row. A campaign that does not exist or belongs to another
// reseller is an *Error with status 404 or 422.
func (c *Client) Report(ctx context.Context, r Report, accountID, campaignID int64, d Dates) iter.Seq2[record.Record, error] {
	return c.List(ctx, r.Call(accountID, campaignID, d))
}

// KeywordReportRow is a keyword with its current ranks and their history. A rank
// of 999 means that the keyword does not rank.
type KeywordReportRow struct {
	Received
	Keyword           String  `json:"keyword"`
	Type              String  `json:"type"` // target or interest
	RankID            Integer `json:"rank_id"`
	RankGoogleOrganic Integer `json:"rank_google_organic"`
	RankGoogleMap     Integer `json:"rank_google_map"`
	SearchTotal       Integer `json:"search_total"`
	Histogram         []struct {
		Date              String   `json:"date"`
		RankGoogleOrganic *Integer `json:"rank_google_organic"` // nil if it is missing
		RankGoogleMap     *Integer `json:"rank_google_map"`
	} `json:"histogram"`
}

// TrafficRow is the number of visits on one date.
type TrafficRow struct {
	Received
	Date       String  `json:"date"`
	Organic    Integer `json:"organic"`
	NonOrganic Integer `json:"non_organic"`
	Total      Integer `json:"total"`
}

// WorkflowRow is a task of a campaign.
type WorkflowRow struct {
	Received
	BuiltDate      String `json:"built_date"`
	DueDate        String `json:"due_date"`
	CompletionDate String `json:"completion_date"` // empty if the task is not completed
	TaskID         String `json:"task_id"`
	TaskName       String `json:"task_name"`
	Status         String `json:"status"`
}

// BacklinkRow is the only row of the backlinks report.
type BacklinkRow struct {
	Received
	DomainRating            Number  `json:"domain_rating"`
	BacklinkQuantity        Integer `json:"backlink_quantity"`
	ReferringDomainQuantity Integer `json:"referring_domain_quantity"`
}

// LostBacklinkRow is a backlink that no longer exists.
type LostBacklinkRow struct {
	Received
	URLFrom      String `json:"url_from"`
	URLTo        String `json:"url_to"`
	DateLastSeen String `json:"date_last_seen"`
	AnchorText   String `json:"anchor_text"`
}

// ReferringBacklinkRow is the number of referring backlinks on one date.
type ReferringBacklinkRow struct {
	Received
	DateChecked String  `json:"date_checked"`
	Quantity    Integer `json:"quantity"`
}

// ProvisionedBacklinkRow is a backlink that the service provides.
type ProvisionedBacklinkRow struct {
	Received
	OriginalDueDate String `json:"original_due_date"`
	CompletedDate   String `json:"completed_date"`
	Type            String `json:"type"`
	URL             String `json:"url"`
	DomainRating    Number `json:"domain_rating"`
	TaskID          String `json:"task_id"`
}
