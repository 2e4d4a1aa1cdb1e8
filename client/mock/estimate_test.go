package mock

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"reseller/client/mock/api"
)

// estimateReply is the estimate's own envelope.
type estimateReply struct {
	status     int
	Data       object  `json:"data"`
	Message    *string `json:"message"`
	ErrorCode  *string `json:"error_code"`
	StatusCode int     `json:"status_code"`
}

func (c *client) estimate(body string) estimateReply {
	c.t.Helper()
	w := c.send("POST", "/api/v1/keywords/budget/estimate", body)
	r := estimateReply{status: w.Code}
	d := json.NewDecoder(w.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		c.t.Fatal(err)
	}
	if r.Data == nil || r.Message == nil || r.ErrorCode == nil || r.StatusCode != r.status {
		c.t.Fatalf("estimate envelope: %+v", r)
	}
	return r
}

func TestEstimate(t *testing.T) {
	c := start(t, Options{Now: newClock().now})
	r := c.estimate(`{"url":"https://acme-dental.example.com"}`)
	if r.status != 200 || *r.ErrorCode != "" {
		t.Fatalf("%+v", r)
	}
	keywords := r.Data["keywords"].([]any)
	if len(keywords) != 50 || r.Data["total_keywords"] != 50.0 || r.Data["market"] != "us" || r.Data["language"] != "en" ||
		r.Data["url"] != "https://acme-dental.example.com" || r.Data["cached"] != false || r.Data["cache_timestamp"] != "2026-11-21T10:30:00Z" {
		t.Errorf("got %v, want the defaults", r.Data)
	}
	seen := map[any]bool{}
	for _, k := range keywords {
		item := k.(object)
		seen[item["keyword"]] = true
		for _, name := range []string{
			"keyword", "position", "previous_position", "position_difference", "monthly_searches", "cpc", "url", "traffic", "traffic_cost",
			"competition", "number_of_results",
		} {
			if s, ok := item[name].(string); !ok || s == "" {
				t.Fatalf("%s of %v", name, item)
			}
		}
		trends, _ := item["monthly_trends"].([]any)
		_, isNumber := item["current_trend"].(float64)
		summary, _ := item["trend_summary"].(object)
		budget, _ := item["budget_estimate"].(object)
		metrics, _ := budget["incremental_traffic_metrics"].(object)
		if len(trends) != 12 || !isNumber || len(summary) != 4 || budget["monthly_budget"] == nil || budget["yearly_budget"] == nil || len(metrics) == 0 {
			t.Fatalf("%v", item)
		}
	}
	if len(seen) != 50 {
		t.Errorf("got %d different keywords, want 50", len(seen))
	}
	figures := r.Data["estimated_budget"].(object)
	for _, name := range []string{
		"average_cpc", "average_competition", "total_traffic_cost", "total_monthly_searches", "estimated_monthly_budget",
		"estimated_quarterly_budget", "estimated_yearly_budget",
	} {
		if s, ok := figures[name].(string); !ok || s == "" {
			t.Errorf("got %s %v, want a text", name, figures[name])
		}
	}
	if figures["total_keywords"] != 50.0 {
		t.Errorf("got total_keywords %v, want 50", figures["total_keywords"])
	}
}

func TestEstimateCache(t *testing.T) {
	at := newClock()
	c := start(t, Options{Now: at.now})
	body := `{"url":"https://a.example.com","categories":["x","y"],"seeds":["s"],"max_keywords":3}`
	first := c.estimate(body)
	at.at = at.at.Add(24*time.Hour - time.Second)
	c.s = (start(t, Options{Path: c.s.db.Path(), Now: at.now})).s // the cache outlives the process
	c.token = c.as(1).token
	second := c.estimate(body)
	if first.Data["cached"] != false || second.Data["cached"] != true || second.Data["cache_timestamp"] != first.Data["cache_timestamp"] {
		t.Errorf("got %v\nand then %v, want the second from the cache", first.Data, second.Data)
	}
	second.Data["cached"] = false
	same(t, second.Data, string(api.Encode(first.Data)))

	// Defaults count as given, order counts, resellers do not share.
	if r := c.estimate(with(t, with(t, body, "market", "us"), "language", "en")); r.Data["cached"] != true {
		t.Error("the defaults made another estimate")
	}
	for name, other := range map[string]any{
		"url": "https://b.example.com", "categories": []string{"y", "x"}, "seeds": []string{"s", "t"}, "market": "de", "language": "de", "max_keywords": 4,
	} {
		t.Run("other "+name, func(t *testing.T) {
			if r := c.in(t).estimate(with(t, body, name, other)); r.Data["cached"] != false {
				t.Error("got an estimate from the cache, want a new one")
			}
		})
	}
	if r := c.as(2).estimate(body); r.Data["cached"] != false {
		t.Error("the other reseller's estimate was answered")
	}
	at.at = at.at.Add(time.Second)
	if r := c.as(1).estimate(body); r.Data["cached"] != false || r.Data["cache_timestamp"] != "2026-11-22T10:30:00Z" {
		t.Errorf("after 24 hours: %v", r.Data)
	}
	if r := c.as(1).estimate(body); r.Data["cached"] != true {
		t.Error("the new estimate is not cached")
	}
}

func TestEstimateRefusals(t *testing.T) {
	c := start(t, Options{})
	for body, want := range map[string]string{
		`{}`:            "MISSING_PARAMETER",
		`{"url":null}`:  "MISSING_PARAMETER",
		`{"url":""}`:    "INVALID_PARAMETER",
		`{"url":5}`:     "INVALID_PARAMETER",
		`{"url":"a b"}`: "INVALID_PARAMETER",
		`nonsense`:      "INVALID_PARAMETER",
		`{"url":"https://a.example.com","max_keywords":0}`:    "INVALID_PARAMETER",
		`{"url":"https://a.example.com","max_keywords":1001}`: "INVALID_PARAMETER",
		`{"url":"https://a.example.com","max_keywords":"5"}`:  "INVALID_PARAMETER",
		`{"url":"https://a.example.com","max_keywords":2.5}`:  "INVALID_PARAMETER",
		`{"url":"https://a.example.com","categories":"x"}`:    "INVALID_PARAMETER",
		`{"url":"https://a.example.com","seeds":[1]}`:         "INVALID_PARAMETER",
		`{"url":"https://a.example.com","market":1}`:          "INVALID_PARAMETER",
		`{"url":"https://a.example.com","language":["en"]}`:   "INVALID_PARAMETER",
	} {
		t.Run(body, func(t *testing.T) {
			r := c.in(t).estimate(body)
			if r.status != 400 || *r.ErrorCode != want || *r.Message == "" || len(r.Data) != 0 {
				t.Errorf("got %d %s %q, want 400 %s", r.status, *r.ErrorCode, *r.Message, want)
			}
		})
	}
	for _, n := range []int{1, 1000} {
		if r := c.estimate(fmt.Sprintf(`{"url":"acme.example.com","max_keywords":%d,"seeds":["a","a"]}`, n)); r.Data["total_keywords"] != float64(n) {
			t.Errorf("max_keywords %d: %d keywords", n, r.Data["total_keywords"])
		}
	}
	c.token = ""
	w := c.send("POST", "/api/v1/keywords/budget/estimate", `{}`)
	if w.Code != 401 || !strings.Contains(w.Body.String(), `"error":true`) {
		t.Errorf("without a token: %d %s", w.Code, w.Body)
	}
}
