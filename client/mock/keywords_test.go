package mock

import (
	"fmt"
	"strings"
	"testing"

	"reseller/client/mock/api"
	"reseller/client/mock/synthetic"
)

const keywordsPath = "/api/v1/keywords"

func TestCreateKeywords(t *testing.T) {
	c := start(t, Options{})
	two := `{"account_id":1,"campaign_id":101,"keywords":[{"keyword":" näw <b> \"q\" ","keyword_type":"interest"},{"keyword":"b","keyword_type":"target"}]}`
	same(t, c.ok("POST", keywordsPath, two, nil).Data, `{"account_id":1,"campaign_id":101,"keyword":" näw <b> \"q\" ","keyword_type":"interest"}`)
	c.ok("POST", keywordsPath, two, nil) // stored twice: no idempotency
	var list []object
	r := c.ok("GET", keywordsPath, "", &list)
	if len(list) != 34 || *r.Pagination.TotalRecords != 34 {
		t.Fatalf("%d keywords: %s", len(list), r.body)
	}
	for i, id := range []int{1043, 1044, 1045, 1046} {
		same(t, list[30+i]["rank_id"], fmt.Sprint(id))
	}
	var one object
	c.ok("GET", keywordsPath+"/1045", "", &one)
	same(t, one, string(api.Encode(list[32])))
	if one["keyword"] != ` näw <b> "q" ` || one["type"] != "interest" || one["status"] != 1.0 || one["account_id"] != 1.0 || one["campaign_id"] != 101.0 {
		t.Errorf("got %v", one)
	}
}

func TestRefusedKeywords(t *testing.T) {
	c := start(t, Options{})
	good := `{"keyword":"a","keyword_type":"target"}`
	batch := func(item string) string {
		return `{"account_id":1,"campaign_id":101,"keywords":[` + good + `,` + item + `]}`
	}
	for item, want := range map[string]struct {
		status int
		detail string
	}{
		`{"keyword":"a"}`:                          {400, "keywords[1].keyword_type"},
		`{"keyword_type":"target"}`:                {400, "keywords[1].keyword"},
		`{"keyword":null,"keyword_type":"target"}`: {400, "keywords[1].keyword"},
		`{"keyword":5,"keyword_type":"target"}`:    {400, "keywords[1].keyword must be a string"},
		`"a"`:                                      {400, "keywords[1] must be an object"},
		`null`:                                     {400, "keywords[1] must be an object"},
		`{"keyword":"a","keyword_type":"Target"}`:  {422, "keywords[1].keyword_type"},
		`{"keyword":"a","keyword_type":""}`:        {422, "keywords[1].keyword_type"},
		`{"keyword":" ","keyword_type":"target"}`:  {422, "blank"},
		`{"keyword":"` + strings.Repeat("é", 1001) + `","keyword_type":"target"}`: {422, "longer"},
	} {
		t.Run(item[:min(len(item), 50)], func(t *testing.T) {
			c.in(t).refused("POST", keywordsPath, batch(item), want.status, want.detail)
		})
	}
	body := `{"account_id":1,"campaign_id":101,"keywords":[` + good + `]}`
	for _, name := range []string{"account_id", "campaign_id", "keywords"} {
		c.refused("POST", keywordsPath, with(t, body, name, nil), 400, name)
		c.refused("POST", keywordsPath, with(t, body, name, "1"), 400, name)
	}
	c.refused("POST", keywordsPath, with(t, body, "keywords", []int{}), 400, "keywords")
	for _, pair := range [][2]int{{1, 102}, {1, 106}, {6, 106}, {6, 101}, {99, 101}, {1, 999}} {
		c.refused("POST", keywordsPath, fmt.Sprintf(`{"account_id":%d,"campaign_id":%d,"keywords":[%s]}`, pair[0], pair[1], good), 422, "")
	}
	// Nothing of a refused batch is stored.
	for reseller, count := range map[int]int{1: 30, 2: 12} {
		if r := c.as(reseller).ok("GET", keywordsPath, "", nil); *r.Pagination.TotalRecords != count {
			t.Errorf("reseller %d has %d keywords", reseller, *r.Pagination.TotalRecords)
		}
	}
}

func TestReadKeywords(t *testing.T) {
	c := start(t, Options{})
	var list []object
	c.ok("GET", keywordsPath, "", &list)
	seen := map[string]int{}
	for i, k := range list {
		same(t, k["rank_id"], fmt.Sprint(1001+i))
		seen[fmt.Sprint("type ", k["type"])]++
		seen[fmt.Sprint("status ", k["status"])]++
		seen[fmt.Sprint("rank ", k["rank_google_organic"])]++
		seen[fmt.Sprint("rank ", k["rank_google_map"])]++
		seen[fmt.Sprint("campaign ", k["campaign_id"])]++
	}
	for _, name := range []string{"type target", "type interest", "status 0", "status 1", "rank 999"} {
		if seen[name] == 0 {
			t.Errorf("no seeded keyword with %s", name)
		}
	}
	if seen["campaign 103"] != 6 {
		t.Errorf("got %d keywords in campaign 103, want 6", seen["campaign 103"])
	}
	c.refused("GET", keywordsPath+"/1031", "", 404, "") // the other reseller's
	c.as(2).ok("GET", keywordsPath+"/1031", "", nil)
	c.refused("GET", keywordsPath+"/1", "", 404, "")
	c.refused("GET", keywordsPath+"/x", "", 400, "rank_id")
	c.refused("GET", keywordsPath+"/99999999999999999999", "", 400, "rank_id")
}

func TestUpdateKeywords(t *testing.T) {
	c := start(t, Options{})
	var before object
	c.as(2).ok("GET", keywordsPath+"/1031", "", &before)
	r := c.ok("PUT", keywordsPath, `{"keywords":[
		{"rank_id":1001,"status":"deactivate","keyword_type":"interest"},
		{"rank_id":1002,"status":"activate","keyword_type":"target"},
		{"rank_id":77,"status":"activate","keyword_type":"target"},
		{"rank_id":1031,"status":"deactivate","keyword_type":"target"},
		{"rank_id":1003,"status":"delete","keyword_type":"target"},
		{"rank_id":1004,"status":"activate","keyword_type":"other"}]}`, nil)
	same(t, r.Data, `[{"rank_id":1001,"status_code":200,"status_message":"success"},{"rank_id":1002,"status_code":200,"status_message":"success"},
		{"rank_id":77,"status_code":404,"status_message":"not found"},{"rank_id":1031,"status_code":422,"status_message":"delete failed - ownership"},
		{"rank_id":1003,"status_code":400,"status_message":"failed"},{"rank_id":1004,"status_code":400,"status_message":"failed"}]`)
	for id, want := range map[int][2]any{1001: {"interest", 0.0}, 1002: {"target", 1.0}} {
		var k object
		c.ok("GET", fmt.Sprintf("%s/%d", keywordsPath, id), "", &k)
		if k["type"] != want[0] || k["status"] != want[1] || k["rank_id"] != float64(id) {
			t.Errorf("keyword %d: got %v, want %v", id, k, want)
		}
	}
	var after object
	c.as(2).ok("GET", keywordsPath+"/1031", "", &after)
	same(t, after, string(api.Encode(before)))

	item := `{"rank_id":1001,"status":"activate","keyword_type":"target"}`
	for _, name := range []string{"rank_id", "status", "keyword_type"} {
		c.refused("PUT", keywordsPath, `{"keywords":[`+with(t, item, name, nil)+`]}`, 400, "keywords[0]."+name)
		c.refused("PUT", keywordsPath, `{"keywords":[`+with(t, item, name, true)+`]}`, 400, "keywords[0]."+name)
	}
	for _, body := range []string{`{}`, `{"keywords":[]}`, `{"keywords":null}`, `{"keywords":{}}`} {
		c.refused("PUT", keywordsPath, body, 400, "keywords")
	}
}

func TestManyKeywords(t *testing.T) {
	const batches, size = 30, 1000
	c := start(t, Options{})
	for batch := range batches {
		var b strings.Builder
		b.WriteString(`{"account_id":2,"campaign_id":102,"keywords":[`)
		for i := range size {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"keyword":"k %d %d","keyword_type":"target"}`, batch, i)
		}
		b.WriteString("]}")
		c.ok("POST", keywordsPath, b.String(), nil)
	}
	var list []synthetic.Keyword
	c.ok("GET", keywordsPath, "", &list)
	if len(list) != 30+batches*size {
		t.Fatalf("%d keywords", len(list))
	}
	for i := range list[30:] {
		if want := fmt.Sprintf("k %d %d", i/size, i%size); list[30+i].Keyword != want {
			t.Fatalf("keyword %d is %q, want %q", i, list[30+i].Keyword, want)
		}
	}
	var report []object
	c.ok("GET", "/api/v1/reports/keywords/accounts/1/campaigns/101", "", &report)
	if len(report) != 6 {
		t.Errorf("got %d rows in another campaign's report, want 6", len(report))
	}
}
