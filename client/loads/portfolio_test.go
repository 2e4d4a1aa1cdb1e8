package loads

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/portfolio"
)

// portfolioAnswers are the answers of a service by path, where notes have their campaign too.
func portfolioAnswers() map[string]string {
	return map[string]string{
		"/api/v2/accounts":                               `[{"account_id":3},{"account_id":1,"campaign_id":11},{"account_id":2},{"account_id":4,"campaign_id":14}]`,
		"/api/v1/accounts":                               `[{"account_id":1,"external_account_identifier":"crm-1"},{"account_id":2},{"account_id":3}]`,
		"/api/v1/campaigns":                              `[{"account_id":2,"campaign_id":12},{"account_id":3,"campaign_id":15},{"account_id":3,"campaign_id":13},{"account_id":1,"campaign_id":11}]`,
		"/api/v1/keywords":                               `[{"rank_id":2,"account_id":1,"campaign_id":11,"keyword":"b"},{"rank_id":1,"account_id":1,"campaign_id":11,"keyword":"a"},{"rank_id":3,"account_id":3,"campaign_id":13,"keyword":"c"}]`,
		"/api/v2/campaigns/notes 11":                     `{"writer_instructions":"w"}`,
		"/api/v2/campaigns/notes 14":                     `{"writer_instructions":"w"}`,
		"/api/v1/products/plans/campaigns/11/accounts/1": `[{"service_plan_id":3,"status":"active"},{"service_plan_id":4,"status":"available"}]`,
		"/api/v1/products/plans/campaigns/14/accounts/4": `[]`,
	}
}

// portfolioClient returns a client of a service with these answers. An answer that is a number is
// an HTTP status.
func portfolioClient(t *testing.T, answers map[string]string) *client.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := answers[strings.TrimSpace(r.URL.Path+" "+r.FormValue("campaign_id"))]
		status := 0
		if _, err := fmt.Sscan(answer, &status); err == nil {
			w.WriteHeader(status)
			answer = "{}"
		}
		if text, isCut := strings.CutSuffix(answer, "..."); isCut {
			fmt.Fprintf(w, `{"data":%s`, text)
			return
		}
		fmt.Fprintf(w, `{"data":%s,"error":%v}`, answer, status != 0)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Options{BaseURL: server.URL, Tokens: client.StaticToken("t"), Retries: -1})
	noError(t, err)
	return c
}

func TestReadLists(t *testing.T) {
	h, err := ReadLists(t.Context(), portfolioClient(t, portfolioAnswers()), portfolio.New(), ListOptions{Keywords: true, Campaigns: true})
	noError(t, err)
	got := fmt.Sprint("stray ", h.StrayKeywords)
	for _, c := range h.Customers {
		got += fmt.Sprintf("; %d %d %s %v %v", c.Account, c.Campaign, c.Identifier, c.InVersion1, c.Campaigns)
		for _, k := range c.Keywords {
			got += " " + k.Text
		}
	}
	if want := `stray 1; 1 11 "crm-1" true [11] a b; 2 12  true [12]; 3 0  true [13 15]; 4 14  false []`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// No list that can't be read to its end becomes a shorter one.
func TestListsAreReadWhole(t *testing.T) {
	for _, path := range []string{"/api/v2/accounts", "/api/v1/accounts", "/api/v1/campaigns", "/api/v1/keywords"} {
		for name, answer := range map[string]string{"cut": `[{"account_id":1,"campaign_id":11}...`, "refused": "422"} {
			t.Run(path+"/"+name, func(t *testing.T) {
				answers := portfolioAnswers()
				answers[path] = answer
				h, err := ReadLists(t.Context(), portfolioClient(t, answers), portfolio.New(), ListOptions{Keywords: true, Campaigns: true})
				if h != nil || err == nil {
					t.Errorf("got %v and the error %v, want an error only", h, err)
				}
			})
		}
	}
}

func TestReadDetails(t *testing.T) {
	read := func(ctx context.Context, answers map[string]string) (string, error) {
		c := portfolioClient(t, answers)
		h, err := ReadLists(t.Context(), c, portfolio.New(), ListOptions{})
		noError(t, err)
		var needs []Need
		for i := range h.Customers {
			needs = append(needs, Need{i, true, true})
		}
		err = ReadDetails(ctx, c, portfolio.New(), h, needs, true, 8)
		got := ""
		for _, c := range h.Customers {
			got += fmt.Sprintf("%d %s %s %v %v %d; ", c.Account, c.Notes, c.Plans, c.PlansRead, c.Unread != nil, len(c.Keywords))
		}
		return got, err
	}
	answers := portfolioAnswers()
	answers["/api/v2/campaigns/notes 14"] = "422"
	got, err := read(t.Context(), answers)
	if want := `1 {"writer_instructions":"w"} [{"service_plan_id":3,"status":"active"}] true false 2; 2  [] false false 0; 3  [] false false 0; 4  [] false true 0; `; got != want || err != nil {
		t.Errorf("got %s and the error %v\nwant %s", got, err, want)
	}
	answers["/api/v2/campaigns/notes 14"] = "401"
	if got, err := read(t.Context(), answers); err == nil {
		t.Errorf("got no error of a token that is refused, want one: %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := read(ctx, portfolioAnswers()); err == nil {
		t.Errorf("got no error of a reading that was canceled, want one: %s", got)
	}
}
