package customers

import (
	"cmp"
	"fmt"
	"strings"

	"reseller/client/bulk"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/output"
)

// previewColumns are the columns of a dry run, which prints a record for each
// customer.
var previewColumns = []output.Column{
	{Name: "line"}, {Name: "account_name", Title: true}, {Name: "external_account_identifier"}, {Name: "account", Needed: true},
	{Name: "account_id"}, {Name: "campaign_id"}, {Name: "credentials", Needed: true}, {Name: "notes", Needed: true},
	{Name: "plan", Needed: true}, {Name: "keywords_send", Needed: true}, {Name: "keywords_present"}, {Name: "keywords_differ"},
	{Name: "account_differs", Needed: true},
}

// previewRecord returns what a load would do with a customer.
func previewRecord(p bulk.RowPreview) record.Record {
	words := map[string]string{bulk.Absent: "create", bulk.Present: "exists", bulk.Differs: "exists"}
	var differs []string
	for _, change := range p.Changes {
		differs = append(differs, fmt.Sprintf("%s: %s, not %s", change.Field, safetext.Quote(change.From), safetext.Quote(change.To)))
	}
	account, credentials, keywords := cmp.Or(words[p.First.State], p.First.State), stepState(p.Steps[1]), p.Steps[4]
	if credentials == bulk.Present { // those of an account that exists are kept, whatever they are
		credentials = portfolio.ActionKeep
	}
	var fields []record.Pair
	for i, v := range []record.Value{
		record.Integer(int64(p.Line)), record.Quote(p.Values["account_name"]), record.Quote(p.Values["external_account_identifier"]), record.Quote(account),
		p.First.Fields.Get("account_id"), p.First.Fields.Get("campaign_id"),
		record.Quote(credentials), record.Quote(stepState(p.Steps[2])), record.Quote(stepState(p.Steps[3])),
		record.Integer(int64(keywords[bulk.Absent])), record.Integer(int64(keywords[bulk.Present])), record.Integer(int64(keywords[bulk.Differs])),
		record.Quote(strings.Join(differs, "; ")),
	} {
		if v == nil {
			v = record.Value("null")
		}
		fields = append(fields, record.Pair{Name: previewColumns[i].Name, Value: v})
	}
	return record.Of(fields...)
}

// stepState returns what a load would do in a step with one write, or an empty text if
// the customer does not have the step.
func stepState(items map[string]int) string {
	for state := range items {
		if state == bulk.Absent {
			return "send"
		}
		return state
	}
	return ""
}
