package client

import (
	"context"
	"fmt"
	"iter"

	"reseller/client/record"
	"reseller/client/schema"
)

// Dates is the period of a report: its first and its last day, as YYYY-MM-DD. The zero value means that the report has no period.
type Dates struct{ From, To string }

// A Report is one of the seven reports (contract: Reports). The contract does not show
// the rows, so they are read as records, which keep every field.
type Report struct {
	Undated *schema.Operation // without a period; nil if the report needs one
	Dated   *schema.Operation // with a period; nil if the report takes none
}

// A TypedReport is a report with the type into which its rows are decoded. A Row may lack fields that the service sends.
type TypedReport[Row any] struct{ Report }

// The reports (contract: Reports). Without a period, the report of lost backlinks covers the last 60 days.
var (
	ReportKeywords             = TypedReport[KeywordReportRow]{Report{Undated: &schema.OpReportKeywords}}
	ReportTraffic              = TypedReport[TrafficRow]{Report{Dated: &schema.OpReportTraffic}}
	ReportWorkflows            = TypedReport[WorkflowRow]{Report{Dated: &schema.OpReportWorkflows}}
	ReportBacklinks            = TypedReport[BacklinkRow]{Report{Undated: &schema.OpReportBacklinks}}
	ReportBacklinksLost        = TypedReport[LostBacklinkRow]{Report{Undated: &schema.OpReportBacklinksLost, Dated: &schema.OpReportBacklinksLostDates}}
	ReportBacklinksReferring   = TypedReport[ReferringBacklinkRow]{Report{Dated: &schema.OpReportBacklinksReferring}}
	ReportBacklinksProvisioned = TypedReport[ProvisionedBacklinkRow]{Report{Dated: &schema.OpReportBacklinksProvisioned}}
)

// Operation returns the operation of the report for a period. If the report takes a
// period, and only then, this operation has the parameters date_from and date_to.
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

// checkedCall is Call, which is not sent with a period that the report does not take, or with half of one.
func (r Report) checkedCall(accountID, campaignID int64, d Dates) Call {
	call := r.Call(accountID, campaignID, d)
	switch {
	case call.Op == nil:
	case r.Dated == nil && d != Dates{}:
		call.err = fmt.Errorf("%s: the report takes no period; nothing was sent", call.Op.Title)
	case call.Op == r.Dated && (d.From == "" || d.To == ""):
		call.err = fmt.Errorf("%s: the report needs the first and the last day of a period; nothing was sent", call.Op.Title)
	}
	return call
}

// Rows reads the report of one campaign as Client.Report does, and decodes its rows. A
// row that can't be decoded ends the iteration with an *UnreadableError.
func (r TypedReport[Row]) Rows(ctx context.Context, c *Client, accountID, campaignID int64, d Dates) iter.Seq2[Row, error] {
	return each[Row](ctx, c, r.checkedCall(accountID, campaignID, d))
}

// Report reads a report of one campaign: GET /api/v1/reports/... (contract: Reports; Report.Operation has the path). It
// returns the rows as records; the backlinks report has one row. If the campaign does not exist or belongs to another
// reseller, the error is an *Error with status 404 or 422. If the report does not take the period, or needs one, nothing is sent.
func (c *Client) Report(ctx context.Context, r Report, accountID, campaignID int64, d Dates) iter.Seq2[record.Record, error] {
	return c.List(ctx, r.checkedCall(accountID, campaignID, d))
}

// A RankOnDay is a rank of the history in a KeywordReportRow. A rank that is missing is nil.
type RankOnDay struct {
	Date              String   `json:"date"`
	RankGoogleOrganic *Integer `json:"rank_google_organic"`
	RankGoogleMap     *Integer `json:"rank_google_map"`
}
