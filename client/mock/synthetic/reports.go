// Package synthetic makes up the data of the mock service that is not stored: ranks,
// reports and budget estimates. The same arguments always give the same data.
package synthetic

import (
	"fmt"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/random"
)

// The formats of dates in reports; none has a zone.
const (
	formatDate          = "2006-01-02"
	formatDateTime      = "2006-01-02T15:04:05"
	formatDateTimeSpace = "2006-01-02 15:04:05"
)

type Report struct {
	Name       string // the part of its path between /reports/ and /accounts/
	Undated    bool   // it can be requested without a period
	Dated      bool   // it can be requested with a period
	OfKeywords bool   // its rows are made from the keywords of the campaign
	OfTasks    bool   // its rows include the tasks of the campaign
	Rows       func(*Subject) any
}

func Reports() []Report {
	return []Report{
		{Name: "keywords", Undated: true, OfKeywords: true, Rows: keywordRows},
		{Name: "google/analytics/traffic", Dated: true, Rows: trafficRows},
		{Name: "workflows", Dated: true, OfTasks: true, Rows: workflowRows},
		{Name: "backlinks", Undated: true, Rows: backlinkRow},
		{Name: "backlinks/lost", Undated: true, Dated: true, Rows: lostRows},
		{Name: "backlinks/referring", Dated: true, Rows: referringRows},
		{Name: "backlinks/provisioned", Dated: true, Rows: provisionedRows},
	}
}

// Subject has the data from which a report is made: a campaign, a period, and stored records.
type Subject struct {
	AccountID, CampaignID int64
	WebsiteURL            string
	From, To              time.Time // both days included
	Today                 time.Time
	Keywords              []Keyword // stored keywords, for the keyword report
	Tasks                 []Task    // stored tasks, for the workflow report
}

// Keyword is a keyword, with the same JSON in the database and in responses.
type Keyword struct {
	RankID     int64  `json:"rank_id"`
	AccountID  int64  `json:"account_id"`
	CampaignID int64  `json:"campaign_id"`
	Keyword    string `json:"keyword"`
	Type       string `json:"type"`
	Status     int    `json:"status"`
	Organic    int    `json:"rank_google_organic"`
	Map        int    `json:"rank_google_map"`
}

type Task struct {
	TaskID int64
	Name   string
	Built  time.Time
}

// numbers returns the series of a report for a day. The zero time stands for no day.
func (s *Subject) numbers(report string, day time.Time) random.Series {
	return random.New(report, s.AccountID, s.CampaignID, dayNumber(day))
}

// The courses of the first five campaigns, so that the pages of a new database show what pages can. Any other campaign is steady.
const (
	rising  = 101
	falling = 102
	patchy  = 103 // some days were not measured
	recent  = 104 // nothing was measured or done before the last 40 days
	silent  = 105 // nothing was
)

func (s *Subject) has(day time.Time) bool {
	switch s.CampaignID {
	case patchy:
		return dayNumber(day)%11 > 3
	case recent:
		return day.After(s.Today.AddDate(0, 0, -40))
	case silent:
		return false
	default:
		return true
	}
}

// months returns how many months ago a day is that lies in the last year, negative if the campaign has risen since then, and
// 0 if it is steady.
func (s *Subject) months(day time.Time) float64 {
	ago := min(float64(dayNumber(s.Today)-dayNumber(day))/30, 12)
	switch s.CampaignID {
	case rising:
		return -ago
	case falling:
		return ago
	default:
		return 0
	}
}

func dayNumber(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// rows returns the rows that of returns for the first, and then every so many, of the first 25 days of each month in the period until
// today, or for all days. So reports with different periods show the same days, and months have as many.
func (s *Subject) rows(report string, every int, of func(day time.Time, numbers random.Series) []api.Object) []api.Object {
	rows := []api.Object{}
	for day := s.From; !day.After(s.To) && !day.After(s.Today); day = day.AddDate(0, 0, 1) {
		if n := day.Day() - 1; (every == 1 || n < 25 && n%every == 0) && s.has(day) {
			rows = append(rows, of(day, s.numbers(report, day))...)
		}
	}
	return rows
}

// RankList is one of the two lists in which a keyword has a rank.
type RankList int64

const (
	RankOrganic RankList = 1
	RankMap     RankList = 2
)

// Rank returns the current rank of a keyword; 999 means that it does not rank.
func Rank(rankID int64, list RankList) int { return rankOn(rankID, 0, list) }

func rankOn(rankID, day int64, list RankList) int {
	place := random.New("listing", rankID, int64(list))
	if place.Between(0, 9) == 0 {
		return 999
	}
	start := place.Between(1, 8) * place.Between(1, 8)
	wobble := random.New("wobble", rankID, int64(list), day)
	return max(1, start+wobble.Between(-2, 2))
}

// rankOn returns the rank of a keyword on a day, five places nearer to the current one with each month.
func (s *Subject) rankOn(rankID int64, day time.Time, list RankList) int {
	rank := rankOn(rankID, dayNumber(day), list)
	if rank == 999 {
		return rank
	}
	return max(1, rank-int(5*s.months(day)))
}

// keywordRows returns the ranks of keywords, which are refreshed every 5 days. As in the live service, a point of a histogram may
// lack a rank.
func keywordRows(s *Subject) any {
	const every, points = 5, 25
	latest := s.Today.AddDate(0, 0, -int(dayNumber(s.Today)%every))
	rows := make([]api.Object, 0, len(s.Keywords))
	for _, k := range s.Keywords {
		numbers, histogram := random.New("searches", k.RankID), []api.Object{}
		for i := points - 1; i >= 0; i-- {
			day := latest.AddDate(0, 0, -every*i)
			point := api.Object{"date", day.Format(formatDate)}
			gap := random.New("gap", k.RankID, dayNumber(day))
			missing := gap.Between(0, 11)
			if missing != 0 {
				point = append(point, "rank_google_organic", s.rankOn(k.RankID, day, RankOrganic))
			}
			if missing != 1 {
				point = append(point, "rank_google_map", s.rankOn(k.RankID, day, RankMap))
			}
			if s.has(day) {
				histogram = append(histogram, point)
			}
		}
		rows = append(rows, api.Object{
			"keyword", k.Keyword, "type", k.Type, "rank_id", k.RankID, "rank_google_organic", k.Organic, "rank_google_map", k.Map,
			"search_total", 10 * numbers.Between(1, 900), "histogram", histogram,
		})
	}
	return rows
}

// trafficRows returns the number of visitors on each day. It is lower at weekends.
func trafficRows(s *Subject) any {
	site := s.numbers("visitors", time.Time{})
	low := site.Between(20, 200)
	return s.rows("traffic", 1, func(day time.Time, numbers random.Series) []api.Object {
		organic, other := int(float64(numbers.Between(low, low+low/3))*(1+s.months(day)/14)), numbers.Between(low/2, low/2+low/6)
		if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			organic, other = organic/2, other/2
		}
		return []api.Object{{"date", day.Format(formatDate), "organic", organic, "non_organic", other, "total", organic + other}}
	})
}

// workflowRows returns made-up tasks and, after them, the stored tasks.
func workflowRows(s *Subject) any {
	row := func(built, due time.Time, completed string, id int64, name, status string) api.Object {
		return api.Object{
			"built_date", built.Format(formatDateTime), "due_date", due.Format(formatDateTime), "completion_date", completed,
			"task_id", id, "task_name", name, "status", status,
		}
	}
	rows := s.rows("workflow", 3, func(day time.Time, numbers random.Series) []api.Object {
		due, done := day.AddDate(0, 0, 7), day.AddDate(0, 0, numbers.Between(1, 3))
		name := numbers.Pick("On-page optimization", "Content writing", "Citation building", "Link outreach", "Monthly review")
		completed, status := "", "open"
		if !done.After(s.Today) {
			completed, status = done.Format(formatDateTime), "completed"
		}
		return []api.Object{row(day.Add(4*time.Hour+4*time.Minute), due, completed, 100000*s.CampaignID+dayNumber(day), name, status)}
	})
	for _, t := range s.Tasks {
		if !t.Built.Before(s.From) && t.Built.Before(s.To.AddDate(0, 0, 1)) {
			rows = append(rows, row(t.Built, t.Built.AddDate(0, 0, 7), "", t.TaskID, t.Name, "open"))
		}
	}
	return rows
}

// backlinkRow returns the data of the backlinks report, which is one object.
func backlinkRow(s *Subject) any {
	numbers := s.numbers("backlinks", time.Time{})
	domains := numbers.Between(5, 300)
	rating := numbers.Between(1, 80)
	return api.Object{"domain_rating", rating, "backlink_quantity", domains * numbers.Between(2, 9), "referring_domain_quantity", domains}
}

func lostRows(s *Subject) any {
	domain := Domain(s.WebsiteURL)
	return s.rows("lost", 7, func(day time.Time, numbers random.Series) (rows []api.Object) {
		for range max(1, 3-int(s.months(day)/4)) {
			rows = append(rows, api.Object{
				"url_from", fmt.Sprintf("https://blog%d.example.net/post/%d", numbers.Between(1, 40), numbers.Between(100, 999)),
				"url_to", "https://" + domain + numbers.Pick("/", "/services", "/contact", "/about"),
				"date_last_seen", day.Format(formatDateTimeSpace), "anchor_text", numbers.Pick(domain, "read more", "website", "this company"),
			})
		}
		return rows
	})
}

// referringRows returns the number of domains that link to the site, once a week.
func referringRows(s *Subject) any {
	return s.rows("referring", 7, func(day time.Time, numbers random.Series) []api.Object {
		return []api.Object{{"date_checked", day.Format(formatDateTimeSpace), "quantity", numbers.Between(60, 63) + int(4*s.months(day))}}
	})
}

// provisionedRows returns one backlink a week that the service provisioned.
func provisionedRows(s *Subject) any {
	return s.rows("provisioned", 7, func(day time.Time, numbers random.Series) []api.Object {
		return []api.Object{{
			"original_due_date", day.Format(formatDate), "completed_date", day.Add(9*time.Hour + 30*time.Minute).Format(formatDateTime),
			"type", numbers.Pick("guest post", "citation", "press release"),
			"url", fmt.Sprintf("https://partner%d.example.org/%s", numbers.Between(1, 60), Domain(s.WebsiteURL)),
			"domain_rating", numbers.Between(10, 75), "task_id", 200000*s.CampaignID + dayNumber(day),
		}}
	})
}
