package onboard

import (
	"encoding/json"

	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// planColumns are the columns of a dry run, a row a customer.
var planColumns = []string{
	"line", "account_name", "external_account_identifier", "account", "account_id", "campaign_id",
	"credentials", "notes", "plan", "keywords_send", "keywords_present", "keywords_differ",
}

// planned is what a load would do with a customer.
func planned(p bulk.RowPreview) record.Record {
	words := map[string]string{bulk.Absent: "create", bulk.Present: "exists"}
	account := words[p.First.State]
	if account == "" {
		account = p.First.State
	}
	keywords := p.Steps[4]
	return cli.RecordOf(struct {
		Line       int             `json:"line"`
		Name       string          `json:"account_name"`
		Identifier string          `json:"external_account_identifier"`
		Account    string          `json:"account"`
		AccountID  json.RawMessage `json:"account_id"`
		CampaignID json.RawMessage `json:"campaign_id"`
		Creds      string          `json:"credentials"`
		Notes      string          `json:"notes"`
		Plan       string          `json:"plan"`
		Send       int             `json:"keywords_send"`
		Present    int             `json:"keywords_present"`
		Differ     int             `json:"keywords_differ"`
	}{
		p.Line, p.Values["account_name"], p.Values["external_account_identifier"], account,
		json.RawMessage(p.First.Fields.Get("account_id")), json.RawMessage(p.First.Fields.Get("campaign_id")),
		step(p.Steps[1]), step(p.Steps[2]), step(p.Steps[3]),
		keywords[bulk.Absent], keywords[bulk.Present], keywords[bulk.Differs],
	})
}

// step is what would become of a step that writes one thing, empty where the
// customer does not have it.
func step(units map[string]int) string {
	for state := range units {
		if state == bulk.Absent {
			return "send"
		}
		return state
	}
	return ""
}
