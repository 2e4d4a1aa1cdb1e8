package mock

import "strconv"

// identifierField is the name that version 1 shows for an identifier that was sent
// as a bare string by version 2.
const identifierField = "external_account_identifier"

type itemV1 struct {
	AccountID   int64  `json:"account_id"`
	CampaignID  int64  `json:"campaign_id"`
	Active      int    `json:"active"`
	AccountName string `json:"account_name"`
	FirstName   string `json:"first_name"`
	LastName    string `json:"last_name"`
	Email       string `json:"email"`
	PhoneNumber string `json:"phone_number"`
	Address1    string `json:"address_1"`
	Address2    string `json:"address_2"`
	City        string `json:"city"`
	State       string `json:"state"`
	Zip         string `json:"zip"`
	Identifier  any    `json:"external_account_identifier"`
}

func formItemV1(a *account) itemV1 {
	item := itemV1{
		AccountID: a.ID, CampaignID: a.Campaign, Active: 1, AccountName: a.AccountName,
		FirstName: a.FirstName, LastName: a.LastName, Email: a.Email, PhoneNumber: a.Phone,
		Address1: a.Address1, Address2: a.Address2, City: a.City, State: a.State, Zip: a.Postal,
		Identifier: struct{}{},
	}
	if a.Deactivated {
		item.Active = 0
	}
	if a.Identifier != nil {
		item.Identifier = a.Identifier
	}
	return item
}

// recordV1 has other names than the list, and no id.
type recordV1 struct {
	AccountName string `json:"account_name"`
	Phone       string `json:"phone"`
	Email       string `json:"email"`
	FirstName   string `json:"first_name"`
	LastName    string `json:"last_name"`
	Address1    string `json:"address_1"`
	Address2    string `json:"address_2"`
	City        string `json:"city"`
	State       string `json:"state"`
	Zip         string `json:"zip"`
	WebsiteURL  string `json:"website_url"`
}

type idsV1 struct {
	AccountID  int64 `json:"account_id"`
	CampaignID int64 `json:"campaign_id"`
}

func (s *Service) createAccountV1(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	var a account
	a.AccountName = strconv.FormatInt(f.needInteger("account_name"), 10)
	a.setTexts(f, true)
	a.WebsiteURL = f.needText("website_url")
	setIdentifierV1(&a, f)
	if err := f.err(); err != nil {
		return answer{}, err
	}
	if err := s.createAccount(c, &a); err != nil {
		return answer{}, err
	}
	return success(idsV1{a.ID, a.Campaign})
}

func (s *Service) updateAccountV1(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	a, _, err := s.updateAccount(c, f, func(a *account) {
		setText(&a.AccountName, f.text("account_name", false))
		a.setTexts(f, false)
		setIdentifierV1(a, f)
	})
	if err != nil {
		return answer{}, err
	}
	return success(idsV1{a.ID, a.Campaign})
}

func setIdentifierV1(a *account, f *fields) {
	if o := f.object("external_account_identifier"); o != nil {
		a.Identifier = &fieldValue{o.needText("field_name"), o.needText("field_value")}
	}
}

func (s *Service) listAccountsV1(c *call) (answer, error) {
	return listAccounts(s, c, formItemV1)
}

func (s *Service) getAccountV1(c *call) (answer, error) {
	a, err := s.readAccount(c)
	if err != nil {
		return answer{}, err
	}
	return success(recordV1{
		AccountName: a.AccountName, Phone: a.Phone, Email: a.Email, FirstName: a.FirstName, LastName: a.LastName,
		Address1: a.Address1, Address2: a.Address2, City: a.City, State: a.State, Zip: a.Postal, WebsiteURL: a.WebsiteURL,
	})
}
