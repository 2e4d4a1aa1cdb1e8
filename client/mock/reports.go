package mock

import (
	"fmt"
	"net/http"
	"time"

	bolt "go.etcd.io/bbolt"

	"reseller/client/mock/random"
)

const dateOnly = "2006-01-02"

// defaultPeriod is what the lost backlinks cover when no dates are given, in days.
const defaultPeriod = 60

// longestPeriod keeps an answer within memory, in days.
const longestPeriod = 36600

// subject is what a report is about.
type subject struct {
	AccountID, CampaignID int64
	domain                string
	from, to              time.Time // both included; zero for reports without dates
	today                 time.Time
	keywords, tasks       [][]byte // as stored; only for the reports that show them
}

// report is one of the seven: rows makes its data, fetch gets from the database
// what the rows are made of.
type report struct {
	path  string
	dates datesRule
	fetch func(*bolt.Tx, int64, *subject)
	rows  func(*subject) (any, error)
}

type datesRule int

const (
	noDates datesRule = iota
	needDates
	mayDates
)

func reportRoutes() []route {
	const pair, tail = "/accounts/{account_id}/campaigns/{campaign_id}", "/date_from/{date_from}/date_to/{date_to}"
	var rs []route
	for _, r := range []report{
		{path: "keywords", rows: keywordRows, fetch: fetchKeywords},
		{path: "google/analytics/traffic", dates: needDates, rows: trafficRows},
		{path: "workflows", dates: needDates, rows: workflowRows, fetch: fetchTasks},
		{path: "backlinks", rows: backlinkFigures},
		{path: "backlinks/lost", dates: mayDates, rows: lostRows},
		{path: "backlinks/referring", dates: needDates, rows: referringRows},
		{path: "backlinks/provisioned", dates: needDates, rows: provisionedRows},
	} {
		handle := func(s *Service, c *call) (answer, error) { return s.report(c, r) }
		base := "/api/v1/reports/" + r.path + pair
		if r.dates != needDates {
			rs = append(rs, route{method: "GET", path: base, handle: handle})
		}
		if r.dates != noDates {
			rs = append(rs, route{method: "GET", path: base + tail, handle: handle})
		}
	}
	return rs
}

func (s *Service) report(c *call, r report) (answer, error) {
	var u subject
	var err error
	if u.AccountID, u.CampaignID, err = c.pair(); err != nil {
		return answer{}, err
	}
	if err := u.setPeriod(c, r, s.now().UTC()); err != nil {
		return answer{}, err
	}
	err = s.store.view(c.ctx, func(tx *bolt.Tx) error {
		if err := checkReadable(tx, c.reseller, u.AccountID, u.CampaignID); err != nil {
			return err
		}
		var a account
		if _, err := load(tx.Bucket(bucketAccounts), &a, c.reseller, u.AccountID); err != nil {
			return err
		}
		u.domain = domainOf(a.WebsiteURL)
		if r.fetch != nil {
			r.fetch(tx, c.reseller, &u)
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	rows, err := r.rows(&u)
	if err != nil {
		return answer{}, err
	}
	return successOf(encode(rows), 0), nil // reports do not count their records
}

// setPeriod reads the dates of the path, or takes the default.
func (u *subject) setPeriod(c *call, r report, now time.Time) error {
	u.today = now.Truncate(24 * time.Hour)
	if r.dates == noDates {
		return nil
	}
	u.from, u.to = u.today.AddDate(0, 0, -defaultPeriod), u.today
	if c.vars["date_from"] == "" {
		return nil
	}
	var err error
	if u.from, err = c.date("date_from"); err != nil {
		return err
	}
	if u.to, err = c.date("date_to"); err != nil {
		return err
	}
	if u.from.After(u.to) {
		return unprocessable("date_from is after date_to")
	}
	if u.to.Sub(u.from) > longestPeriod*24*time.Hour {
		return unprocessable(fmt.Sprintf("the period is longer than %d days", longestPeriod))
	}
	return nil
}

func (c *call) date(name string) (time.Time, error) {
	t, err := time.Parse(dateOnly, c.vars[name])
	if err != nil {
		return t, &failure{http.StatusBadRequest, name + " must be a date such as 2026-01-31"}
	}
	return t, nil
}

// dice begins the figures of a report for a day, or for none (the zero time).
func (u *subject) dice(report string, day time.Time) random.Series {
	return random.New(report, u.AccountID, u.CampaignID, dayOf(day))
}

func dayOf(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// days calls visit for every day of the period that the service looks at, which is
// one in so many: the same days whatever the period.
func (u *subject) days(every int64, visit func(time.Time)) {
	for day := u.from; !day.After(u.to); day = day.AddDate(0, 0, 1) {
		if dayOf(day)%every == 0 {
			visit(day)
		}
	}
}

// pair reads the account and campaign of a path.
func (c *call) pair() (accountID, campaignID int64, err error) {
	if accountID, err = c.id("account_id"); err == nil {
		campaignID, err = c.id("campaign_id")
	}
	return accountID, campaignID, err
}

// checkReadable refuses a read: 404 for what the reseller does not have, 422 for a
// campaign of another of its accounts.
func checkReadable(tx *bolt.Tx, reseller, accountID, campaignID int64) error {
	if tx.Bucket(bucketAccounts).Get(key(reseller, accountID)) == nil {
		return notFound(fmt.Sprintf("account %d", accountID))
	}
	owner, err := ownerOf(tx, reseller, campaignID)
	switch {
	case err != nil:
		return err
	case owner == 0:
		return notFound(fmt.Sprintf("campaign %d", campaignID))
	case owner != accountID:
		return &failure{http.StatusUnprocessableEntity, fmt.Sprintf("campaign %d is not one of account %d", campaignID, accountID)}
	}
	return nil
}
