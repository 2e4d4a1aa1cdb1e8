package mock

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

type recordV2 struct {
	Status     string `json:"status"`
	AccountID  int64  `json:"account_id"`
	CampaignID int64  `json:"campaign_id"`
	fieldsV2
}

// fieldsV2 are the fields of an account that version 2 shows as they are stored, in the order of its records.
type fieldsV2 struct {
	AccountName     string       `json:"account_name"`
	FirstName       string       `json:"first_name"`
	LastName        string       `json:"last_name"`
	Email           string       `json:"email"`
	Phone           string       `json:"phone"`
	Address1        string       `json:"address_1"`
	Address2        string       `json:"address_2"`
	City            string       `json:"city"`
	State           string       `json:"state"`
	Postal          string       `json:"postal"`
	Country         string       `json:"country"`
	WebsiteURL      string       `json:"website_url"`
	Attributes      []fieldValue `json:"attributes"`
	AccountManager  *manager     `json:"external_account_manager"`
	CampaignManager *manager     `json:"external_campaign_manager"`
}

func newRecordV2(a *account) recordV2 {
	r := recordV2{Status: "active", AccountID: a.ID, CampaignID: a.Campaign, fieldsV2: a.fieldsV2}
	if a.Deactivated {
		r.Status = "deactivated"
	}
	if r.Attributes == nil {
		r.Attributes = []fieldValue{}
	}
	r.AccountManager, r.CampaignManager = cmp.Or(r.AccountManager, &manager{}), cmp.Or(r.CampaignManager, &manager{})
	return r
}

func setV2(a *account, b *api.Body, required bool) {
	b.SetText(&a.AccountName, "account_name", required)
	a.setTexts(b, required)
	if id := b.Text(identifierField, required); id != nil {
		a.Identifier = &fieldValue{identifierField, *id}
	}
	for i, name := range []string{"external_account_manager", "external_campaign_manager"} {
		if m := b.Object(name); m != nil { // a text that it lacks is shown empty
			none := ""
			*[]**manager{&a.AccountManager, &a.CampaignManager}[i] = &manager{cmp.Or(m.Text("name", false), &none), cmp.Or(m.Text("email", false), &none)}
		}
	}
	if b.Has("attributes") {
		a.Attributes = nil
		for _, o := range b.Objects("attributes", false) {
			a.Attributes = append(a.Attributes, fieldValue{o.RequiredText("field_name"), o.RequiredText("field_value")})
		}
	}
}

func createAccountV2(c *call) (api.Response, error) {
	b := c.body
	var a account
	existing := b.Integer("account_id")
	setV2(&a, b, true)
	a.Country, a.WebsiteURL = b.RequiredText("country_code"), b.RequiredText("website_url")
	if err := b.Err(); err != nil {
		return api.Response{}, err
	}
	if !isCountryCode(a.Country) {
		return api.Response{}, api.Unprocessable("country_code must be two letters")
	}
	var err error
	if existing == nil {
		err = createAccount(c, &a)
	} else {
		a, err = extendAccount(c, *existing)
	}
	if err != nil {
		return api.Response{}, err
	}
	campaigns := a.campaigns()
	return api.Success(api.Object{
		"account_id", strconv.FormatInt(a.ID, 10), "campaign_id", strconv.FormatInt(campaigns[len(campaigns)-1], 10),
	}), nil
}

// extendAccount adds a campaign to an account of the reseller. The fields of the account stay as they are.
func extendAccount(c *call, id int64) (a account, err error) {
	err = c.update(func(tx *database.Tx) error {
		a, err = own(c, tx, accountTable, "account", id)
		if refusal := (*api.Error)(nil); errors.As(err, &refusal) && refusal.Status == http.StatusNotFound {
			return api.Unprocessable(fmt.Sprintf("account_id: there is no account %d", id))
		}
		if err != nil {
			return err
		}
		return addCampaignTo(c, tx, &a)
	})
	return a, err
}

func isCountryCode(s string) bool {
	letter := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}

func updateAccountV2(c *call) (api.Response, error) {
	b := c.body
	a, taskID, err := updateAccount(c, func(a *account) { setV2(a, b, false) })
	return respond(api.Object{
		"account_id", a.ID, "campaign_id", a.Campaign, "status", "Success", "task_id", fmt.Sprintf("Task%d", taskID),
	}, err)
}

func getAccountV2(c *call) (api.Response, error) {
	a, err := readAccount(c)
	return respond(newRecordV2(&a), err)
}
