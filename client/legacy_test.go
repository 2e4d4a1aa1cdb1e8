package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"reseller/client/record"
)

// TestRequestBodies checks that fields that are empty are sent, and that fields that
// are nil are not.
func TestRequestBodies(t *testing.T) {
	empty := ""
	for _, tc := range []struct {
		name string
		in   any
		want string
	}{
		{"nothing to change", AccountUpdate{AccountID: 1}, `{"account_id":1}`},
		{"empty", AccountUpdate{AccountID: 1, Phone: &empty, Attributes: FieldValues{}}, `{"account_id":1,"phone":"","attributes":[]}`},
		{"part of a manager", AccountUpdate{AccountID: 1, ExternalAccountManager: &Person{Email: "kim@example.com"}}, `{"account_id":1,"external_account_manager":{"name":"","email":"kim@example.com"}}`},
		{"empty manager", AccountUpdate{AccountID: 1, ExternalCampaignManager: &Person{}}, `{"account_id":1,"external_campaign_manager":{"name":"","email":""}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := json.Marshal(tc.in); err != nil || string(got) != tc.want {
				t.Errorf("got %s, %v, want %s", got, err, tc.want)
			}
		})
	}
	if got, err := json.Marshal(AccountCreate{}); err != nil || strings.Contains(string(got), "manager") || strings.Contains(string(got), "attributes") {
		t.Errorf("a create without managers and attributes: got %s, %v", got, err)
	}
}

// clientOf returns a client of a service that responds to every call with data.
func clientOf(t *testing.T, data string) *Client {
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, envelopeOf(data))
	})
	return c
}

func TestLegacyAccounts(t *testing.T) {
	older := `{"active":0,"account_id":"7","phone_number":"555","zip":97201,"attributes":{},"external_account_manager":[],"external_account_identifier":{"field_name":"crm","field_value":"7"}}`
	a, err := clientOf(t, `[`+older+`]`).Account(t.Context(), 7)
	if err != nil || a.Status != "deactivated" || a.AccountID != 7 || a.Phone != "555" || a.Postal != "97201" {
		t.Errorf("the older form: got %+v, %v", a, err)
	}
	if err := json.Unmarshal([]byte(`{"active":1,"phone_number":"556","zip":"9"}`), &a); err != nil || a.Status != "active" || a.Phone != "556" || a.Postal != "9" {
		t.Errorf("after another record: got %+v, %v", a, err)
	}
	var both Account
	if err := json.Unmarshal([]byte(`{"status":"active","active":0,"phone":"1","phone_number":"2","postal":"3","zip":"4"}`), &both); err != nil || both.Status != "active" || both.Phone != "1" || both.Postal != "3" {
		t.Errorf("both forms: got %+v, %v", both, err)
	}
}

func TestArraysOfOne(t *testing.T) {
	notes := `{"campaign_id":101,"writer_instructions":"a","additional_instructions":"b"}`
	for data, ok := range map[string]bool{notes: true, `[` + notes + `]`: true, `[` + notes + `,` + notes + `]`: false, `["a"]`: false, `"a"`: false} {
		t.Run(data, func(t *testing.T) {
			notes, err := clientOf(t, data).Notes(t.Context(), 101)
			if (err == nil) != ok || ok && notes.WriterInstructions != "a" {
				t.Errorf("got %+v, %v, want success %v", notes, err, ok)
			}
		})
	}
	if ids, err := clientOf(t, `[{"account_id":"7","campaign_id":107}]`).CreateAccount(t.Context(), AccountCreate{}); err != nil || ids != (AccountIDs{7, 107}) {
		t.Errorf("got %+v, %v, want 7 and 107", ids, err)
	}
}

const estimated = `{"url":"https://x.example.com","market":"us","language":"en","total_keywords":"1",
"keywords":[{"keyword":"bikes","position":"1","previous_position":"2","position_difference":"1","monthly_searches":"1,000","cpc":"N/A",
"url":"https://x.example.com/b","traffic":"5","traffic_cost":"-","competition":"0.5","number_of_results":"9","monthly_trends":["1","2"],"current_trend":"3",
"trend_summary":{"direction":"up","strength":"weak","category":"c","description":"d"},
"budget_estimate":{"monthly_budget":"1","yearly_budget":"12","incremental_traffic_metrics":{"a":1}}}],
"estimated_budget":{"average_cpc":"-","average_competition":"N/A","total_traffic_cost":"1,000","total_monthly_searches":"1","estimated_monthly_budget":"2",
"estimated_quarterly_budget":"6","estimated_yearly_budget":"24","total_keywords":"1"},"cached":true,"cache_timestamp":"2026-01-02T03:04:05Z"}`

// TestEstimates checks that no known field gets lost, and that a field of another
// kind does not take others with it.
func TestEstimates(t *testing.T) {
	ask := func(data string) (Estimate, error) {
		return clientOf(t, data).EstimateBudget(t.Context(), EstimateRequest{URL: "https://x.example.com"})
	}
	out, err := ask(estimated)
	if got, _ := json.Marshal(out); err != nil || string(got) != strings.ReplaceAll(estimated, "\n", "") {
		t.Errorf("got %s, %v, want %s", got, err, estimated)
	}
	for was, is := range map[string]string{
		`"estimated_budget":{`:     `"estimated_budget":[],"then":{`,
		`"budget_estimate":{`:      `"budget_estimate":"12","then":{`,
		`"trend_summary":{`:        `"trend_summary":[],"then":{`,
		`"monthly_trends":["1",`:   `"monthly_trends":"1","then":["1",`,
		`"total_keywords":"1",`:    `"total_keywords":"N/A",`,
		`"competition":"0.5"`:      `"competition":0.5`,
		`"current_trend":"3"`:      `"current_trend":3`,
		`"average_competition":"N`: `"average_competition":null,"then":"N`,
	} {
		t.Run(is, func(t *testing.T) {
			out, err := ask(strings.Replace(estimated, was, is, 1))
			if err != nil || len(out.Keywords) != 1 || out.Keywords[0].NumberOfResults != "9" || !bool(out.Cached) {
				t.Errorf("got %+v, %v, want the other fields", out, err)
			}
		})
	}
	if out, err := ask(`[1,2]`); err == nil {
		t.Errorf("a list: got %+v, want an error", out)
	}
}

// TestReportRows checks that a rank that is missing is nil.
func TestReportRows(t *testing.T) {
	var row KeywordReportRow
	err := json.Unmarshal([]byte(`{"rank_id":"7","search_total":"1000","histogram":[{"date":"2026-01-02","rank_google_organic":"3"},{"rank_google_map":null}]}`), &row)
	if err != nil || row.RankID != 7 || len(row.Histogram) != 2 || *row.Histogram[0].RankGoogleOrganic != 3 || row.Histogram[0].RankGoogleMap != nil || row.Histogram[1].RankGoogleMap != nil {
		t.Errorf("got %+v, %v", row, err)
	}
}

// TestReportsOfAPeriod checks that a report is asked for only with the period that it needs, and that a row that can't be
// decoded is an *UnreadableError.
func TestReportsOfAPeriod(t *testing.T) {
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Path
		_, _ = w.Write([]byte(`{"error":false,"data":[{"date":"2026-01-01","organic":1},{"date":"2026-01-02","organic":1e30}]}`))
	}))
	defer server.Close()
	c, err := New(Options{BaseURL: server.URL, Tokens: StaticToken("t")})
	if err != nil {
		t.Fatal(err)
	}
	month := Dates{From: "2026-01-01", To: "2026-01-31"}
	for name, list := range map[string]iter.Seq2[record.Record, error]{
		"report keywords: the report takes no period":                               c.Report(t.Context(), ReportKeywords.Report, 1, 101, month),
		"report traffic: the report needs the first and the last day of a period":   c.Report(t.Context(), ReportTraffic.Report, 1, 101, Dates{}),
		"report workflows: the report needs the first and the last day of a period": c.Report(t.Context(), ReportWorkflows.Report, 1, 101, Dates{From: "2026-01-01"}),
		"report lost backlinks: the report needs the first and the last":            c.Report(t.Context(), ReportBacklinksLost.Report, 1, 101, Dates{To: "2026-01-01"}),
	} {
		for _, err := range list {
			if !strings.HasPrefix(fmt.Sprint(err), name) || asked != "" {
				t.Errorf("got %v, asked %q; want %s, nothing asked", err, asked, name)
			}
		}
	}
	rows := 0
	for _, err = range ReportTraffic.Rows(t.Context(), c, 1, 101, month) {
		rows++
	}
	if unreadable := (*UnreadableError)(nil); rows != 2 || !errors.As(err, &unreadable) || !strings.Contains(err.Error(), "record 2: organic: 1e30 is not a whole number") {
		t.Errorf("got %d rows, then %v", rows, err)
	}
	for _, err = range ReportTraffic.Rows(t.Context(), c, 1, 101, Dates{}) {
	}
	if err == nil || errors.As(err, new(*UnreadableError)) {
		t.Errorf("got %v for a report without its period", err)
	}
}
