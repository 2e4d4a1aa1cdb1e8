package mock

import (
	"errors"
	"fmt"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
	"reseller/client/mock/synthetic"
)

const oneDay = 24 * time.Hour

const (
	defaultPeriod = 60 * oneDay    // the period of lost backlinks without dates
	maxPeriod     = 36600 * oneDay // the longest period, so that a report fits in memory
)

func reportRoutes() []route {
	const subject, period = "/accounts/{account_id}/campaigns/{campaign_id}", "/date_from/{date_from}/date_to/{date_to}"
	var all []route
	for _, r := range synthetic.Reports() {
		path := "/api/v1/reports/" + r.Name + subject
		if r.Undated {
			all = append(all, route{method: "GET", path: path, handle: reportHandler(r)})
		}
		if r.Dated {
			all = append(all, route{method: "GET", path: path + period, handle: reportHandler(r)})
		}
	}
	return all
}

// reportHandler returns a handler that answers a report. Stored records of the campaign
// are copied while the database is open, and decoded when it is closed again.
func reportHandler(r synthetic.Report) handler {
	return func(c *call) (api.Response, error) {
		s, err := reportSubject(c)
		if err != nil {
			return api.Response{}, err
		}
		var keywords, tasks [][]byte
		err = c.view(func(tx *database.Tx) error {
			if err := checkReadable(c, tx, s.AccountID, s.CampaignID); err != nil {
				return err
			}
			var a account
			if _, err := accountTable.Get(tx, &a, c.reseller, s.AccountID); err != nil {
				return err
			}
			s.WebsiteURL = a.WebsiteURL
			if r.OfKeywords {
				keywords = keywordTable.Copy(tx, belongsTo(s.CampaignID), c.reseller)
			}
			if r.OfTasks {
				tasks = taskTable.Copy(tx, nil, c.reseller, s.CampaignID)
			}
			return nil
		})
		if err != nil {
			return api.Response{}, err
		}
		var errKeywords, errTasks error
		s.Keywords, errKeywords = keywordTable.Decode(keywords)
		s.Tasks, errTasks = taskTable.Decode(tasks)
		if err := errors.Join(errKeywords, errTasks); err != nil {
			return api.Response{}, err
		}
		return api.SuccessJSON(api.Encode(r.Rows(s)), 0), nil // reports do not count their records
	}
}

func reportSubject(c *call) (*synthetic.Subject, error) {
	today := c.now().UTC().Truncate(oneDay)
	s := &synthetic.Subject{
		AccountID: c.ids["account_id"], CampaignID: c.ids["campaign_id"], Today: today, From: today.Add(-defaultPeriod), To: today,
	}
	if from, sent := c.dates["date_from"]; sent {
		s.From, s.To = from, c.dates["date_to"]
	}
	if s.From.After(s.To) {
		return nil, api.Unprocessable("date_from is after date_to")
	}
	if s.To.Sub(s.From) > maxPeriod {
		return nil, api.Unprocessable(fmt.Sprintf("the period is longer than %d days", maxPeriod/oneDay))
	}
	return s, nil
}
