package mock

import (
	"regexp"
	"testing"
)

func TestListCampaigns(t *testing.T) {
	c := start(t, Options{Now: newClock().now})
	var list []object
	r := c.ok("GET", "/api/v1/campaigns", "", &list)
	if len(list) != 5 || *r.Pagination.TotalRecords != 5 {
		t.Fatalf("got %s, want 5 campaigns", r.body)
	}
	stages := []string{"Cold", "Warm", "Proposal", "Neg/Review", "Closed/Won"}
	withStatus := 0
	for i, p := range list {
		for _, name := range []string{
			"campaign_id", "account_id", "campaign_name", "campaign_stage_id", "campaign_stage_name", "campaign_start_date", "campaign_end_date",
			"ppc_monthly_budget", "ppc_monthly_budget_invoice_status", "discount", "decline_gmb", "decline_reviews", "decline_blog",
		} {
			if p[name] == nil {
				t.Errorf("no %s in %v", name, p)
			}
		}
		if p["campaign_id"] != float64(101+i) || p["account_id"] != float64(1+i) {
			t.Errorf("campaign %d: %v", i, p)
		}
		if stages[int(p["campaign_stage_id"].(float64))-1] != p["campaign_stage_name"] {
			t.Errorf("stage of %v", p)
		}
		if !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`).MatchString(p["campaign_start_date"].(string)) {
			t.Errorf("start of %v", p)
		}
		if p["status"] != nil {
			withStatus++
		}
	}
	if withStatus == 0 || withStatus == 5 {
		t.Errorf("got a status in %d of 5 campaigns, want it in some", withStatus)
	}
	c.ok("POST", "/api/v2/accounts", createV2, nil)
	same(t, find1(t, c, "/api/v1/campaigns", 8)["campaign_start_date"], `"2026-11-21T10:30:00Z"`)
	c.as(2).ok("GET", "/api/v1/campaigns", "", &list)
	if len(list) != 2 {
		t.Errorf("reseller 2 sees %v", list)
	}
}

func TestNotes(t *testing.T) {
	c := start(t, Options{})
	const path = "/api/v2/campaigns/notes"
	same(t, c.ok("GET", path+"?campaign_id=101", "", nil).Data,
		`{"campaign_id":101,"writer_instructions":"Write for Harbor Dental in a friendly tone.","additional_instructions":"Mention free parking."}`)
	body := `{"campaign_id":101,"writer_instructions":"ä\n<b>","additional_instructions":""}`
	same(t, c.ok("PUT", path, body, nil).Data, body)
	same(t, c.ok("GET", path+"?campaign_id=101", "", nil).Data, body)
	for _, name := range []string{"campaign_id", "writer_instructions", "additional_instructions"} {
		c.refused("PUT", path, with(t, body, name, nil), 400, name)
		c.refused("PUT", path, with(t, body, name, true), 400, name)
	}
	c.refused("GET", path, "", 400, "campaign_id")
	c.refused("GET", path+"?campaign_id=", "", 400, "campaign_id")
	c.refused("GET", path+"?campaign_id=x", "", 400, "integer")
	c.refused("GET", path+"?campaign_id=999", "", 404, "999")
	c.refused("GET", path+"?campaign_id=106", "", 404, "106")
	c.refused("PUT", path, with(t, body, "campaign_id", 999), 404, "999")
	c.refused("PUT", path, with(t, body, "campaign_id", 106), 422, "106")
	c.ok("POST", "/api/v2/accounts", createV2, nil) // a campaign without notes
	same(t, c.ok("GET", path+"?campaign_id=108", "", nil).Data, `{"campaign_id":108,"writer_instructions":"","additional_instructions":""}`)
}

func TestPlans(t *testing.T) {
	c := start(t, Options{Now: newClock().now})
	const path = "/api/v1/products/plans/campaigns"
	body := `{"account_id":2,"campaign_id":102,"service_plan_id":3}`
	var list []object
	c.ok("GET", path+"/102/accounts/2", "", &list)
	if len(list) != 0 {
		t.Errorf("seeded plans of campaign 102: %v", list)
	}
	same(t, c.ok("POST", path, body, nil).Data, body)
	c.ok("POST", path, body, nil)
	r := c.ok("GET", path+"/102/accounts/2", "", &list)
	if len(list) != 2 || *r.Pagination.TotalRecords != 2 {
		t.Fatalf("plans %v", list)
	}
	same(t, list[0], `{"service_plan_id":3,"plan_name":"National","description":"National search marketing plan","price":399.5,
		"billing_interval":"monthly","attached_date":"2026-11-21","status":"active"}`)
	c.ok("GET", path+"/101/accounts/1", "", &list)
	if len(list) != 1 {
		t.Errorf("seeded plans of campaign 101: %v", list)
	}
	for _, name := range []string{"account_id", "campaign_id", "service_plan_id"} {
		c.refused("POST", path, with(t, body, name, nil), 400, name)
		c.refused("POST", path, with(t, body, name, "2"), 400, name)
	}
	c.refused("POST", path, with(t, body, "service_plan_id", 0), 422, "service plan")
	c.refused("POST", path, with(t, body, "campaign_id", 101), 422, "")
	c.refused("POST", path, `{"account_id":6,"campaign_id":106,"service_plan_id":1}`, 422, "")
	c.refused("GET", path+"/106/accounts/6", "", 404, "")
	c.refused("GET", path+"/999/accounts/1", "", 404, "")
	c.refused("GET", path+"/102/accounts/1", "", 422, "")
	c.refused("GET", path+"/x/accounts/1", "", 400, "campaign_id")
}

func TestCreateProfile(t *testing.T) {
	c := start(t, Options{})
	const path = "/api/v1/google/gbp/accounts"
	body := `{"ticket_id":5,"gpid":"g","nob":"n","address":"a","website_url":"https://example.com","access_confirmed":true}`
	same(t, c.ok("POST", path, body, nil).Data, `{"task_id":501,"campaign_id":101,"task_field_id":501}`)
	same(t, c.as(2).ok("POST", path, body, nil).Data, `{"task_id":502,"campaign_id":106,"task_field_id":502}`)
	for _, name := range []string{"ticket_id", "gpid", "nob", "address", "website_url", "access_confirmed"} {
		c.refused("POST", path, with(t, body, name, []int{}), 400, name)
		c.ok("POST", path, with(t, body, name, nil), nil)
	}
}
