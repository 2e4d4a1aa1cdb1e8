package mock

import (
	_ "embed" // for the accounts of a new database
	"encoding/json"
	"errors"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
	"reseller/client/mock/synthetic"
)

// A storedTable is a table of the database. If there is a path, list answers it with the reseller's records as they are stored.
type storedTable struct {
	table interface{ Create(*database.Tx) error }
	path  string
	list  handler
}

func listed[T any](path string, table database.Table[T]) storedTable {
	return storedTable{table, path, func(c *call) (response api.Response, err error) {
		err = c.view(func(tx *database.Tx) error {
			response = listResponse(tx, table, c.reseller)
			return nil
		})
		return response, err
	}}
}

func tables() []storedTable {
	return []storedTable{
		{table: accountTable}, {table: credentialsTable}, {table: estimateTable}, {table: notesTable}, {table: taskTable},
		{table: planTable}, {table: profileTable},
		listed("/api/v1/keywords", keywordTable),
		listed("/api/v1/campaigns", campaignTable),
	}
}

// seed makes the tables and records of a new database, which are the same every time: reseller 1 has the accounts 1 to 5 and
// reseller 2 the accounts 6 and 7, each with a campaign and six keywords.
func seed(tx *database.Tx) error {
	for _, t := range tables() {
		if err := t.table.Create(tx); err != nil {
			return err
		}
	}
	var accounts []seeded
	if err := json.Unmarshal(seedJSON, &accounts); err != nil {
		return err
	}
	for i, a := range accounts {
		if err := seedAccount(tx, 1+int64(i/5), a); err != nil {
			return err
		}
	}
	return nil
}

func seedAccount(tx *database.Tx, reseller int64, s seeded) error {
	id := accountTable.NextID(tx)
	a := account{ID: id, Deactivated: s.Deactivated, Identifier: &fieldValue{identifierField, s.Identifier}, fieldsV2: s.fieldsV2}
	start := time.Date(2024, time.Month(id), 6, 19, 9, 14, 0, time.UTC)
	var err error
	if a.Campaign, err = addCampaign(tx, reseller, id, a.AccountName, start); err != nil {
		return err
	}
	keywords := make([]synthetic.Keyword, len(s.Keywords))
	for i, text := range s.Keywords {
		k := synthetic.Keyword{AccountID: id, CampaignID: a.Campaign, Keyword: text, Type: "target", Status: 1}
		if i%3 == 2 {
			k.Type = "interest"
		}
		if i == int(id)%6 {
			k.Status = 0
		}
		keywords[i] = k
	}
	return errors.Join(accountTable.Put(tx, a, reseller, id), seedCampaign(tx, reseller, a, s.Instructions), addKeywords(tx, reseller, keywords))
}

// seedCampaign sets the numbers of an account's campaign, which differ from campaign to
// campaign, and stores its notes. Every fifth campaign gets a plan.
func seedCampaign(tx *database.Tx, reseller int64, a account, instructions string) error {
	id := a.Campaign
	var p campaign
	if _, err := campaignTable.Get(tx, &p, reseller, id); err != nil {
		return err
	}
	p.setStage(int(id-101)%5 + 1)
	p.MonthlyBudget, p.Discount = 150.5+float64(id-101)*75, float64(id%3)*5
	p.BudgetInvoiceStatus = []string{"paid", "pending", "invoiced"}[id%3]
	p.DeclineGMB, p.DeclineReviews, p.DeclineBlog = int(id%2), int(id%3)/2, int(id%5)/4
	if id%2 == 1 { // the live service shows the status of some campaigns only
		p.Status = new(1)
		if a.Deactivated {
			p.Status = new(0)
		}
	}
	n := notes{id, "Write for " + a.AccountName + " in a friendly tone.", instructions}
	if err := errors.Join(campaignTable.Put(tx, p, reseller, id), notesTable.Put(tx, n, reseller, id)); err != nil || id%5 != 1 {
		return err
	}
	return addPlan(tx, reseller, id, 1, time.Date(2024, 1, 6, 0, 0, 0, 0, time.UTC))
}

//go:embed seed.json
var seedJSON []byte

// seeded is an account of a new database, with the additional instructions and the
// keywords of its campaign. Of its country, the live service shows USA for some accounts that were sent as US.
type seeded struct {
	fieldsV2
	Identifier   string   `json:"external_account_identifier"`
	Deactivated  bool     `json:"deactivated"`
	Instructions string   `json:"additional_instructions"`
	Keywords     []string `json:"keywords"`
}
