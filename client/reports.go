package client

import (
	"context"
	"iter"

	"reseller/client/record"
)

// Dates is the period of a report, both as YYYY-MM-DD and both included. The
// zero Dates leaves them out, which only lost backlinks allows: the report then
// covers the last 60 days.
type Dates struct{ From, To string }

// A Report is one of the seven reports. Its payload is not shown in the
// contract; the records keep whatever came.
type Report struct {
	Plain *Operation // without dates, nil where they are needed
	Dated *Operation // with dates, nil where there are none
}

// The reports (contract: Reports).
var (
	ReportKeywords             = Report{Plain: &OpReportKeywords}
	ReportTraffic              = Report{Dated: &OpReportTraffic}
	ReportWorkflows            = Report{Dated: &OpReportWorkflows}
	ReportBacklinks            = Report{Plain: &OpReportBacklinks}
	ReportBacklinksLost        = Report{Plain: &OpReportBacklinksLost, Dated: &OpReportBacklinksLostDates}
	ReportBacklinksReferring   = Report{Dated: &OpReportBacklinksReferring}
	ReportBacklinksProvisioned = Report{Dated: &OpReportBacklinksProvisioned}
)

// Operation is the one that answers for these dates.
func (r Report) Operation(d Dates) *Operation {
	if r.Plain == nil || r.Dated != nil && d != (Dates{}) {
		return r.Dated
	}
	return r.Plain
}

// Call is the report of one campaign.
func (r Report) Call(accountID, campaignID int64, d Dates) Call {
	call := Call{Op: r.Operation(d)}.WithID("account_id", accountID).WithID("campaign_id", campaignID)
	if call.Op == r.Dated {
		call = call.With("date_from", d.From).With("date_to", d.To)
	}
	return call
}

// Report walks the rows of a report of one campaign; the backlinks report is
// one object, and so one row.
func (c *Client) Report(ctx context.Context, r Report, accountID, campaignID int64, d Dates) iter.Seq2[record.Record, error] {
	return c.List(ctx, r.Call(accountID, campaignID, d))
}
