package client

import (
	"context"
	"iter"

	"reseller/client/record"
	"reseller/client/schema"
)

// Dates is the period of a report, both as YYYY-MM-DD and both included. The
// zero Dates leaves them out, which only lost backlinks allows: the report then
// covers the last 60 days.
type Dates struct{ From, To string }

// A Report is one of the seven reports. Its payload is not shown in the
// contract: the records keep whatever came.
type Report struct {
	Undated *schema.Operation // without dates, nil where they are needed
	Dated   *schema.Operation // with dates, nil where there are none
}

// The reports (contract: Reports), and what their rows decode into.
var (
	ReportKeywords             = Report{Undated: &schema.OpReportKeywords}                                                 // KeywordReportRow
	ReportTraffic              = Report{Dated: &schema.OpReportTraffic}                                                    // TrafficRow
	ReportWorkflows            = Report{Dated: &schema.OpReportWorkflows}                                                  // WorkflowRow
	ReportBacklinks            = Report{Undated: &schema.OpReportBacklinks}                                                // BacklinkFigures
	ReportBacklinksLost        = Report{Undated: &schema.OpReportBacklinksLost, Dated: &schema.OpReportBacklinksLostDates} // LostBacklinkRow
	ReportBacklinksReferring   = Report{Dated: &schema.OpReportBacklinksReferring}                                         // ReferringBacklinksRow
	ReportBacklinksProvisioned = Report{Dated: &schema.OpReportBacklinksProvisioned}                                       // ProvisionedBacklinkRow
)

// Operation is the one that answers for these dates.
func (r Report) Operation(d Dates) *schema.Operation {
	if r.Undated == nil || r.Dated != nil && d != (Dates{}) {
		return r.Dated
	}
	return r.Undated
}

// Call is the report of one campaign.
func (r Report) Call(accountID, campaignID int64, d Dates) Call {
	call := Call{Op: r.Operation(d)}.WithID("account_id", accountID).WithID("campaign_id", campaignID)
	if call.Op == r.Dated {
		call = call.With("date_from", d.From).With("date_to", d.To)
	}
	return call
}

// KeywordReportRow is a keyword and its ranks, now and by date. A rank of 999
// is seen where the keyword does not rank.
type KeywordReportRow struct {
	Keyword           String  `json:"keyword"`
	Type              String  `json:"type"` // target or interest
	RankID            Integer `json:"rank_id"`
	RankGoogleOrganic Integer `json:"rank_google_organic"`
	RankGoogleMap     Integer `json:"rank_google_map"`
	SearchTotal       Integer `json:"search_total"`
	Histogram         []struct {
		Date              String   `json:"date"`
		RankGoogleOrganic *Integer `json:"rank_google_organic"` // nil where it is missing
		RankGoogleMap     *Integer `json:"rank_google_map"`
	} `json:"histogram"`
}

// TrafficRow is the visits of one date.
type TrafficRow struct {
	Date       String  `json:"date"`
	Organic    Integer `json:"organic"`
	NonOrganic Integer `json:"non_organic"`
	Total      Integer `json:"total"`
}

// WorkflowRow is a task of a campaign.
type WorkflowRow struct {
	BuiltDate      String `json:"built_date"`
	DueDate        String `json:"due_date"`
	CompletionDate String `json:"completion_date"` // empty where it is not done
	TaskID         String `json:"task_id"`
	TaskName       String `json:"task_name"`
	Status         String `json:"status"`
}

// BacklinkFigures is the one row of the backlinks report.
type BacklinkFigures struct {
	DomainRating            Number  `json:"domain_rating"`
	BacklinkQuantity        Integer `json:"backlink_quantity"`
	ReferringDomainQuantity Integer `json:"referring_domain_quantity"`
}

// LostBacklinkRow is a link that is gone.
type LostBacklinkRow struct {
	URLFrom      String `json:"url_from"`
	URLTo        String `json:"url_to"`
	DateLastSeen String `json:"date_last_seen"`
	AnchorText   String `json:"anchor_text"`
}

// ReferringBacklinksRow is how many links there were on a date.
type ReferringBacklinksRow struct {
	DateChecked String  `json:"date_checked"`
	Quantity    Integer `json:"quantity"`
}

// ProvisionedBacklinkRow is a link that the service built.
type ProvisionedBacklinkRow struct {
	OriginalDueDate String `json:"original_due_date"`
	CompletedDate   String `json:"completed_date"`
	Type            String `json:"type"`
	URL             String `json:"url"`
	DomainRating    Number `json:"domain_rating"`
	TaskID          String `json:"task_id"`
}

// Report walks the rows of a report of one campaign; the backlinks report is
// one object, and so one row. A campaign that is unknown or another reseller's
// is an *Error with status 404 or 422.
func (c *Client) Report(ctx context.Context, r Report, accountID, campaignID int64, d Dates) iter.Seq2[record.Record, error] {
	return c.List(ctx, r.Call(accountID, campaignID, d))
}
