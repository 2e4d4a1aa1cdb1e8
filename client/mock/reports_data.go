package mock

import (
	"encoding/json"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"

	"reseller/client/mock/random"
)

// The shapes of dates in answers; none has a zone.
const (
	dateTimeT     = "2006-01-02T15:04:05"
	dateTimeSpace = "2006-01-02 15:04:05"
)

type keywordRow struct {
	Keyword     string      `json:"keyword"`
	Type        string      `json:"type"`
	RankID      int64       `json:"rank_id"`
	Organic     int         `json:"rank_google_organic"`
	Map         int         `json:"rank_google_map"`
	SearchTotal int         `json:"search_total"`
	Histogram   []rankPoint `json:"histogram"`
}

// rankPoint may lack a rank, as the live service's points do.
type rankPoint struct {
	Date    string `json:"date"`
	Organic *int   `json:"rank_google_organic,omitempty"`
	Map     *int   `json:"rank_google_map,omitempty"`
}

func fetchKeywords(tx *bolt.Tx, reseller int64, u *subject) {
	u.keywords = copies(tx.Bucket(bucketKeywords), key(reseller), ofCampaign(u.CampaignID))
}

func keywordRows(u *subject) (any, error) {
	const every, points = 5, 6 // ranks are refreshed every 5 days
	latest := u.today.AddDate(0, 0, -int(dayOf(u.today)%every))
	rows := make([]keywordRow, 0, len(u.keywords))
	for _, raw := range u.keywords {
		var k keyword
		if err := json.Unmarshal(raw, &k); err != nil {
			return nil, fmt.Errorf("a keyword of the mock database is damaged: %w", err)
		}
		d := random.New("searches", k.RankID)
		row := keywordRow{
			Keyword: k.Keyword, Type: k.Type, RankID: k.RankID, Organic: k.Organic, Map: k.Map,
			SearchTotal: 10 * d.Between(1, 900),
		}
		for i := points - 1; i >= 0; i-- {
			day := latest.AddDate(0, 0, -every*i)
			p := rankPoint{Date: day.Format(dateOnly)}
			missing := random.New("gap", k.RankID, dayOf(day))
			which := missing.Between(0, 11)
			if which != 0 {
				p.Organic = new(rankOf(k.RankID, dayOf(day), 1))
			}
			if which != 1 {
				p.Map = new(rankOf(k.RankID, dayOf(day), 2))
			}
			row.Histogram = append(row.Histogram, p)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

type trafficRow struct {
	Date       string `json:"date"`
	Organic    int    `json:"organic"`
	NonOrganic int    `json:"non_organic"`
	Total      int    `json:"total"`
}

func trafficRows(u *subject) (any, error) {
	rows := []trafficRow{}
	usual := u.dice("visitors", time.Time{})
	low := usual.Between(20, 200)
	u.days(1, func(day time.Time) {
		d := u.dice("traffic", day)
		organic, other := d.Between(low, 2*low), d.Between(low/2, low)
		if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			organic, other = organic/2, other/2
		}
		rows = append(rows, trafficRow{day.Format(dateOnly), organic, other, organic + other})
	})
	return rows, nil
}

type workflowRow struct {
	BuiltDate      string `json:"built_date"`
	DueDate        string `json:"due_date"`
	CompletionDate string `json:"completion_date"`
	TaskID         int64  `json:"task_id"`
	TaskName       string `json:"task_name"`
	Status         string `json:"status"`
}

func fetchTasks(tx *bolt.Tx, reseller int64, u *subject) {
	u.tasks = copies(tx.Bucket(bucketTasks), key(reseller, u.CampaignID), everything)
}

// workflowRows shows routine work and, behind it, the tasks that calls have made.
func workflowRows(u *subject) (any, error) {
	rows := []workflowRow{}
	u.days(3, func(day time.Time) {
		d := u.dice("workflow", day)
		due, done := day.AddDate(0, 0, 7), day.AddDate(0, 0, d.Between(1, 9))
		row := workflowRow{
			BuiltDate: day.Add(4*time.Hour + 4*time.Minute).Format(dateTimeT), DueDate: due.Format(dateTimeT),
			TaskID:   100000*u.CampaignID + dayOf(day),
			TaskName: d.Pick("On-page optimization", "Content writing", "Citation building", "Link outreach", "Monthly review"),
			Status:   "open",
		}
		if !done.After(u.today) {
			row.CompletionDate, row.Status = done.Format(dateTimeT), "completed"
		}
		rows = append(rows, row)
	})
	for _, raw := range u.tasks {
		var t task
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, fmt.Errorf("a task of the mock database is damaged: %w", err)
		}
		if !t.Built.Before(u.from) && t.Built.Before(u.to.AddDate(0, 0, 1)) {
			rows = append(rows, workflowRow{
				BuiltDate: t.Built.Format(dateTimeT), DueDate: t.Built.AddDate(0, 0, 7).Format(dateTimeT),
				TaskID: t.TaskID, TaskName: t.Name, Status: "open",
			})
		}
	}
	return rows, nil
}

// backlinkFigures is the one report that is an object.
func backlinkFigures(u *subject) (any, error) {
	d := u.dice("backlinks", time.Time{})
	domains := d.Between(5, 300)
	return struct {
		DomainRating    int `json:"domain_rating"`
		Quantity        int `json:"backlink_quantity"`
		ReferringDomain int `json:"referring_domain_quantity"`
	}{d.Between(1, 80), domains * d.Between(2, 9), domains}, nil
}

type lostRow struct {
	URLFrom      string `json:"url_from"`
	URLTo        string `json:"url_to"`
	DateLastSeen string `json:"date_last_seen"`
	AnchorText   string `json:"anchor_text"`
}

func lostRows(u *subject) (any, error) {
	rows := []lostRow{}
	u.days(7, func(day time.Time) {
		d := u.dice("lost", day)
		for range d.Between(1, 3) {
			rows = append(rows, lostRow{
				URLFrom:      fmt.Sprintf("https://blog%d.example.net/post/%d", d.Between(1, 40), d.Between(100, 999)),
				URLTo:        "https://" + u.domain + d.Pick("/", "/services", "/contact", "/about"),
				DateLastSeen: day.Format(dateTimeSpace), AnchorText: d.Pick(u.domain, "read more", "website", "this company"),
			})
		}
	})
	return rows, nil
}

type referringRow struct {
	DateChecked string `json:"date_checked"`
	Quantity    int    `json:"quantity"`
}

func referringRows(u *subject) (any, error) {
	rows := []referringRow{}
	u.days(7, func(day time.Time) {
		d := u.dice("referring", day)
		rows = append(rows, referringRow{day.Format(dateTimeSpace), d.Between(40, 90)})
	})
	return rows, nil
}

type provisionedRow struct {
	OriginalDueDate string `json:"original_due_date"`
	CompletedDate   string `json:"completed_date"`
	Type            string `json:"type"`
	URL             string `json:"url"`
	DomainRating    int    `json:"domain_rating"`
	TaskID          int64  `json:"task_id"`
}

func provisionedRows(u *subject) (any, error) {
	rows := []provisionedRow{}
	u.days(7, func(day time.Time) {
		d := u.dice("provisioned", day)
		rows = append(rows, provisionedRow{
			OriginalDueDate: day.Format(dateOnly), CompletedDate: day.Add(9*time.Hour + 30*time.Minute).Format(dateTimeT),
			Type:         d.Pick("guest post", "citation", "press release"),
			URL:          fmt.Sprintf("https://partner%d.example.org/%s", d.Between(1, 60), u.domain),
			DomainRating: d.Between(10, 75), TaskID: 200000*u.CampaignID + dayOf(day),
		})
	})
	return rows, nil
}

// rankOf is where a keyword ranks on a day; which tells the lists of ranks apart.
func rankOf(rankID, day, which int64) int {
	place := random.New("rank", rankID, which)
	if place.Between(0, 9) == 0 {
		return 999
	}
	start := place.Between(1, 60)
	wobble := random.New("wobble", rankID, which, day)
	return max(1, start+wobble.Between(-4, 4))
}
