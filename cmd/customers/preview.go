package customers

import (
	"encoding/json"
	"fmt"
	"strings"

	"reseller/client/bulk"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/cli"
	"reseller/output"
)

// previewColumns are the columns of a dry run, which prints a record for each
// customer.
var previewColumns = []output.Column{
	{Name: "line"}, {Name: "account_name", Title: true}, {Name: "external_account_identifier"}, {Name: "account", Needed: true},
	{Name: "account_id"}, {Name: "campaign_id"}, {Name: "credentials", Needed: true}, {Name: "notes", Needed: true},
	{Name: "plan", Needed: true}, {Name: "keywords_send", Needed: true}, {Name: "keywords_present"}, {Name: "keywords_differ"},
	{Name: "account_differs"},
}

// previewRecord returns what a load would do with a customer.
func previewRecord(p bulk.RowPreview) record.Record {
	words := map[string]string{bulk.Absent: "create", bulk.Present: "exists", bulk.Differs: "exists"}
	var differs []string
	for _, change := range p.Changes {
		differs = append(differs, fmt.Sprintf("%s: %s, not %s", change.Field, safetext.Quote(change.From), safetext.Quote(change.To)))
	}
	account := words[p.First.State]
	if account == "" {
		account = p.First.State
	}
	keywords := p.Steps[4]
	return cli.RecordOf(struct {
		Line           int             `json:"line"`
		Name           string          `json:"account_name"`
		Identifier     string          `json:"external_account_identifier"`
		Account        string          `json:"account"`
		AccountID      json.RawMessage `json:"account_id"`
		CampaignID     json.RawMessage `json:"campaign_id"`
		Creds          string          `json:"credentials"`
		Notes          string          `json:"notes"`
		Plan           string          `json:"plan"`
		Send           int             `json:"keywords_send"`
		Present        int             `json:"keywords_present"`
		Differ         int             `json:"keywords_differ"`
		AccountDiffers string          `json:"account_differs"`
	}{
		p.Line, p.Values["account_name"], p.Values["external_account_identifier"], account,
		json.RawMessage(p.First.Fields.Get("account_id")), json.RawMessage(p.First.Fields.Get("campaign_id")),
		keptState(p), stepState(p.Steps[2]), stepState(p.Steps[3]),
		keywords[bulk.Absent], keywords[bulk.Present], keywords[bulk.Differs], strings.Join(differs, "; "),
	})
}

// keptState is stepState of the credentials: those of an account that exists are kept, whatever they are.
func keptState(p bulk.RowPreview) string {
	if state := stepState(p.Steps[1]); state != bulk.Present {
		return state
	}
	return portfolio.ActionKeep
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
