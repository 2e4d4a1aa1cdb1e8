package mock

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"reseller/client/mock/api"
)

// reportPath is a report of account 1's campaign; dates may be empty.
func reportPath(name, from, to string) string {
	path := "/api/v1/reports/" + name + "/accounts/1/campaigns/101"
	if from != "" {
		path += "/date_from/" + from + "/date_to/" + to
	}
	return path
}

const (
	shapeT     = `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`
	shapeSpace = `^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`
	shapeDate  = `^\d{4}-\d\d-\d\d$`
)

func TestDatedReports(t *testing.T) {
	c := start(t, Options{Now: newClock().now})
	for name, want := range map[string]struct {
		date, shape string
		fields      []string
		least, most int // rows in January
	}{
		"google/analytics/traffic": {"date", shapeDate, []string{"organic", "non_organic", "total"}, 31, 31},
		"workflows":                {"built_date", shapeT, []string{"due_date", "completion_date", "task_id", "task_name", "status"}, 9, 9},
		"backlinks/lost":           {"date_last_seen", shapeSpace, []string{"url_from", "url_to", "anchor_text"}, 4, 24},
		"backlinks/referring":      {"date_checked", shapeSpace, []string{"quantity"}, 4, 4},
		"backlinks/provisioned":    {"original_due_date", shapeDate, []string{"completed_date", "type", "url", "domain_rating", "task_id"}, 4, 4},
	} {
		t.Run(name, func(t *testing.T) {
			c := c.in(t)
			var rows, again, part []object
			r := c.ok("GET", reportPath(name, "2026-01-01", "2026-01-31"), "", &rows)
			c.ok("GET", reportPath(name, "2026-01-01", "2026-01-31"), "", &again)
			same(t, again, string(api.Encode(rows)))
			if len(rows) < want.least || len(rows) > want.most || *r.Pagination.TotalRecords != 0 {
				t.Errorf("got %d rows and totalRecords %d, want %d to %d rows and 0", len(rows), *r.Pagination.TotalRecords, want.least, want.most)
			}
			for _, row := range rows {
				date, _ := row[want.date].(string)
				if !regexp.MustCompile(want.shape).MatchString(date) || date[:7] != "2026-01" {
					t.Errorf("got date %q, want %s in 2026-01", date, want.shape)
				}
				for _, field := range want.fields {
					if _, ok := row[field]; !ok {
						t.Errorf("got no %s in %v", field, row)
					}
				}
				if len(row) != len(want.fields)+1 {
					t.Errorf("got %v, want %d fields", row, len(want.fields)+1)
				}
			}
			c.ok("GET", reportPath(name, "2026-01-10", "2026-01-31"), "", &part)
			same(t, part, string(api.Encode(rows[len(rows)-len(part):]))) // the same days whatever the period
			c.ok("GET", reportPath(name, "2026-01-10", "2026-01-10"), "", nil)

			for _, bad := range []string{"2026-1-1", "20260101", "2026-02-30", "yesterday", "2026-01-01T00:00:00"} {
				c.refused("GET", reportPath(name, bad, "2026-01-31"), "", 400, "date_from")
				c.refused("GET", reportPath(name, "2026-01-01", bad), "", 400, "date_to")
			}
			c.refused("GET", reportPath(name, "2026-02-01", "2026-01-31"), "", 422, "after")
			c.refused("GET", reportPath(name, "0001-01-01", "9999-12-31"), "", 422, "longer")
			if name != "backlinks/lost" {
				c.refused("GET", reportPath(name, "", ""), "", 404, "")
			}
			c.refused("GET", reportPath(name, "", "")+"/date_from/2026-01-01", "", 404, "")
			for path, status := range map[string]int{
				"accounts/99/campaigns/101": 404, "accounts/1/campaigns/999": 404, "accounts/6/campaigns/106": 404, "accounts/1/campaigns/106": 404,
				"accounts/1/campaigns/102": 422, "accounts/x/campaigns/101": 400, "accounts/1/campaigns/x": 400,
			} {
				c.refused("GET", "/api/v1/reports/"+name+"/"+path+"/date_from/2026-01-01/date_to/2026-01-31", "", status, "")
			}
		})
	}
	for _, name := range []string{"keywords", "backlinks"} {
		c.refused("GET", reportPath(name, "2026-01-01", "2026-01-31"), "", 404, "")
		c.refused("GET", "/api/v1/reports/"+name+"/accounts/6/campaigns/106", "", 404, "")
		c.refused("GET", "/api/v1/reports/"+name+"/accounts/1/campaigns/102", "", 422, "")
	}
}

func TestLostBacklinksDefault(t *testing.T) {
	c := start(t, Options{Now: newClock().now})
	plain := c.ok("GET", reportPath("backlinks/lost", "", ""), "", nil)
	dated := c.ok("GET", reportPath("backlinks/lost", "2026-09-22", "2026-11-21"), "", nil) // 60 days
	if string(plain.Data) != string(dated.Data) || len(plain.Data) < 100 {
		t.Errorf("got %s\nwant %s", plain.Data, dated.Data)
	}
}

func TestKeywordReport(t *testing.T) {
	c := start(t, Options{Now: newClock().now})
	var rows []object
	r := c.ok("GET", reportPath("keywords", "", ""), "", &rows)
	if len(rows) != 6 || *r.Pagination.TotalRecords != 0 {
		t.Fatalf("got %s, want 6 rows", r.body)
	}
	gaps := 0
	for i, row := range rows {
		if row["rank_id"] != float64(1001+i) || row["keyword"] == "" || row["search_total"] == nil || len(row) != 7 {
			t.Errorf("row %d: got %v", i, row)
		}
		var last time.Time
		for _, p := range row["histogram"].([]any) {
			point := p.(object)
			day, err := time.Parse(time.DateOnly, point["date"].(string))
			if err != nil || !last.IsZero() && day.Sub(last) != 5*24*time.Hour {
				t.Errorf("got %v after %v, want points every 5 days", point, last)
			}
			if last = day; len(point) < 3 {
				gaps++
			}
		}
	}
	if gaps == 0 {
		t.Error("no point lacks a rank")
	}
}

func TestBacklinkReport(t *testing.T) {
	c := start(t, Options{})
	var figures map[string]int
	c.ok("GET", reportPath("backlinks", "", ""), "", &figures)
	if len(figures) != 3 || figures["domain_rating"] == 0 || figures["backlink_quantity"] == 0 || figures["referring_domain_quantity"] == 0 {
		t.Errorf("got %v, want three figures", figures)
	}
}

// Tasks that calls have made show in the workflow report of their day.
func TestWorkflowTasks(t *testing.T) {
	c := start(t, Options{Now: newClock().now})
	c.ok("PUT", "/api/v1/accounts/status", `{"account_id":1,"status":"deactivate"}`, nil)
	if r := c.ok("GET", reportPath("workflows", "2026-11-21", "2026-11-21"), "", nil); !strings.Contains(r.body, `"task_id":501,"task_name":"Deactivate account"`) {
		t.Errorf("got %s, want task 501 in it", r.body)
	}
	for _, day := range []string{"2026-11-20", "2026-11-22"} {
		if r := c.ok("GET", reportPath("workflows", day, day), "", nil); strings.Contains(r.body, `"task_id":501`) {
			t.Errorf("on %s: got task 501 in %s", day, r.body)
		}
	}
}
