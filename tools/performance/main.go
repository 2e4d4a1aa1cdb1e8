//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// latency is how long the service takes to answer a request for a report.
const latency = 20 * time.Millisecond

const account = `{"data":{"status":"active","account_id":1,"campaign_id":101,"account_name":"Harbour Bikes","first_name":"Ada",` +
	`"last_name":"Quist","email":"ada@example.com","phone":"555-0100","address_1":"1 Quay Street","address_2":"","city":"Portland",` +
	`"state":"OR","postal":"97201","country":"USA","website_url":"https://bikes.example.com",` +
	`"attributes":[{"field_name":"Industry","field_value":"Retail"}],"external_account_manager":{"name":"Kim Lee"},` +
	`"external_campaign_manager":{}}` + end

const (
	begin = `{"data":[`
	end   = `,"error":false,"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":0},"messages":[]}`
)

// main prints the address that it listens on and serves until the process ends.
// The first element of every path is the number of records in a list.
func main() {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Printf("http://%s\n", listener.Addr())
		err = http.Serve(listener, service())
	}
	fmt.Fprintln(os.Stderr, "error:", err)
	os.Exit(1)
}

func service() http.Handler {
	keywords, campaigns := block(1000, keyword), block(2000, campaign)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{n}/api/v1/keywords", func(w http.ResponseWriter, r *http.Request) { list(w, r, keywords) })
	mux.HandleFunc("GET /{n}/api/v1/campaigns", func(w http.ResponseWriter, r *http.Request) { list(w, r, campaigns) })
	mux.HandleFunc("GET /{n}/api/v2/accounts/{id}", func(w http.ResponseWriter, _ *http.Request) { answer(w, account) })
	mux.HandleFunc("GET /{n}/api/v1/reports/keywords/accounts/{a}/campaigns/{c}", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(latency)
		answer(w, begin+`{"keyword":"red shoes","type":"target","rank_id":1,"rank_google_organic":3,"rank_google_map":999,"search_total":10,"histogram":[]}]`+end)
	})
	mux.HandleFunc("GET /{n}/api/v2/accounts", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, begin+`{"account_id":1,"account_name":"Harbour Bikes"}]`+end)
	})
	for name, rows := range monthOfReports() {
		mux.HandleFunc("GET /{n}/api/v1/reports/"+name, func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(latency)
			answer(w, rows)
		})
	}
	mux.HandleFunc("POST /{n}/api/v1/keywords", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answer(w, `{"data":{"account_id":1,"campaign_id":101,"keyword":"","keyword_type":"target"}`+end)
	})
	return mux
}

// monthOfReports returns the responses for a campaign and about 60 days by the paths of the reports,
// but for that of keywords.
func monthOfReports() map[string]string {
	list := func(n int, row func(i int, day string) string) string {
		var rows []string
		for i := range n {
			rows = append(rows, row(i, time.Date(2026, time.September, 1+i*60/n, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)))
		}
		return begin + strings.Join(rows, ",") + "]" + end
	}
	const of, dated = "/accounts/{a}/campaigns/{c}", "/accounts/{a}/campaigns/{c}/date_from/{from}/date_to/{to}"
	return map[string]string{
		"google/analytics/traffic" + dated: list(60, func(i int, day string) string {
			return fmt.Sprintf(`{"date":"%s","organic":%d,"non_organic":%d,"total":%d}`, day, 40+i, 20, 60+i)
		}),
		"workflows" + dated: list(20, func(_ int, day string) string {
			return fmt.Sprintf(`{"task_name":"Content writing","status":"completed","built_date":"%s","completion_date":"%s"}`, day, day)
		}),
		"backlinks" + of: begin + `{"domain_rating":61,"backlink_quantity":1200,"referring_domain_quantity":90}]` + end,
		"backlinks/lost" + dated: list(10, func(i int, day string) string {
			return fmt.Sprintf(`{"url_from":"https://blog.example.net/%d","date_last_seen":"%s"}`, i, day)
		}),
		"backlinks/referring" + dated: list(9, func(i int, day string) string {
			return fmt.Sprintf(`{"date_checked":"%s","quantity":%d}`, day, 100+i)
		}),
		"backlinks/provisioned" + dated: list(12, func(i int, day string) string {
			return fmt.Sprintf(`{"url":"https://partner.example.org/%d","type":"guest post","completed_date":"%s"}`, i, day)
		}),
	}
}

func answer(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

func keyword(i int) string {
	words := [...]string{"red running shoes", "city bikes portland", "shoes, size 12", "café near me", "emergency plumber", "used cars"}
	kinds := [...]string{"target", "interest"}
	return fmt.Sprintf(`{"rank_id":%d,"account_id":%d,"campaign_id":%d,"keyword":"%s %d","type":"%s","status":1,"rank_google_organic":%d,"rank_google_map":999}`,
		7_000_000+i, 1+i%50, 101+i%50, words[i%len(words)], i, kinds[i%len(kinds)], 1+i%100)
}

func campaign(i int) string {
	return fmt.Sprintf(`{"campaign_id":%d,"account_id":%d,"campaign_name":"Campaign %d","campaign_stage_id":5}`, 101+i, 1+i, i)
}

// block returns n records, each followed by a comma.
func block(n int, record func(i int) string) []string {
	records := make([]string, n)
	for i := range records {
		records[i] = record(i) + ","
	}
	return records
}

// list answers with the records of a block, repeated until there are as many as
// the path asks for.
func list(w http.ResponseWriter, r *http.Request, records []string) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 {
		answer(w, begin+"]"+end)
		return
	}
	n-- // the last record, which has no comma behind it
	whole, rest := strings.Join(records, ""), strings.Join(records[:n%len(records)], "")+strings.TrimSuffix(records[0], ",")+"]"+end
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(begin)+n/len(records)*len(whole)+len(rest)))
	_, _ = io.WriteString(w, begin)
	for range n / len(records) {
		if _, err := io.WriteString(w, whole); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, rest)
}
