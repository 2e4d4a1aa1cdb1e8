package mock

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

type recordV2 struct {
	Status          string       `json:"status"`
	AccountID       int64        `json:"account_id"`
	CampaignID      int64        `json:"campaign_id"`
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

func formV2(a *account) recordV2 {
	r := recordV2{
		Status: "active", AccountID: a.ID, CampaignID: a.Campaign, AccountName: a.AccountName,
		FirstName: a.FirstName, LastName: a.LastName, Email: a.Email, Phone: a.Phone,
		Address1: a.Address1, Address2: a.Address2, City: a.City, State: a.State, Postal: a.Postal,
		Country: a.Country, WebsiteURL: a.WebsiteURL,
		Attributes: a.Attributes, AccountManager: a.AccountManager, CampaignManager: a.CampaignManager,
	}
	if a.Deactivated {
		r.Status = "deactivated"
	}
	if r.Attributes == nil {
		r.Attributes = []fieldValue{}
	}
	if r.AccountManager == nil {
		r.AccountManager = &manager{}
	}
	if r.CampaignManager == nil {
		r.CampaignManager = &manager{}
	}
	return r
}

// setV2 stores what only version 2 writes, and the name.
func setV2(a *account, f *fields, required bool) {
	setText(&a.AccountName, f.text("account_name", required))
	a.setTexts(f, required)
	if id := f.text(identifierField, required); id != nil {
		a.Identifier = &fieldValue{identifierField, *id}
	}
	if m := f.object("external_account_manager"); m != nil {
		a.AccountManager = &manager{m.text("name", false), m.text("email", false)}
	}
	if m := f.object("external_campaign_manager"); m != nil {
		a.CampaignManager = &manager{m.text("name", false), m.text("email", false)}
	}
	if _, ok := f.get("attributes", false); ok {
		a.Attributes = nil
		for _, o := range f.objects("attributes", false) {
			a.Attributes = append(a.Attributes, fieldValue{o.needText("field_name"), o.needText("field_value")})
		}
	}
}

func (s *Service) createAccountV2(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	var a account
	existing := f.integer("account_id", false)
	setV2(&a, f, true)
	a.Country, a.WebsiteURL = f.needText("country_code"), f.needText("website_url")
	if err := f.err(); err != nil {
		return answer{}, err
	}
	if !twoLetters(a.Country) {
		return answer{}, unprocessable("country_code must be two letters")
	}
	if existing == nil {
		err = s.createAccount(c, &a)
	} else {
		err = s.extendAccount(c, *existing, &a)
	}
	if err != nil {
		return answer{}, err
	}
	campaigns := a.campaigns()
	return success(struct {
		AccountID  string `json:"account_id"`
		CampaignID string `json:"campaign_id"`
	}{strconv.FormatInt(a.ID, 10), strconv.FormatInt(campaigns[len(campaigns)-1], 10)})
}

// extendAccount gives an account of the reseller a further campaign; its own
// fields stay as they are.
func (s *Service) extendAccount(c *call, id int64, a *account) error {
	return s.store.update(c.ctx, func(tx *bolt.Tx) error {
		*a = account{}
		err := loadOwned(tx, c.reseller, id, a)
		if f := (*failure)(nil); errors.As(err, &f) && f.status == http.StatusNotFound {
			return unprocessable(fmt.Sprintf("account_id: there is no account %d", id))
		}
		if err != nil {
			return err
		}
		return addCampaign(tx, c.reseller, a, s.now())
	})
}

func twoLetters(s string) bool {
	letter := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}

func (s *Service) updateAccountV2(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	a, taskID, err := s.updateAccount(c, f, func(a *account) { setV2(a, f, false) })
	if err != nil {
		return answer{}, err
	}
	return success(struct {
		AccountID  int64  `json:"account_id"`
		CampaignID int64  `json:"campaign_id"`
		Status     string `json:"status"`
		TaskID     string `json:"task_id"`
	}{a.ID, a.Campaign, "Success", fmt.Sprintf("Task%d", taskID)})
}

func (s *Service) listAccountsV2(c *call) (answer, error) {
	return listAccounts(s, c, formV2)
}

func (s *Service) getAccountV2(c *call) (answer, error) {
	a, err := s.readAccount(c)
	if err != nil {
		return answer{}, err
	}
	return success(formV2(&a))
}
