package synthetic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"reseller/client/mock/api"
)

func TestDomain(t *testing.T) {
	for address, want := range map[string]string{
		"https://acme.example.com/a?b": "acme.example.com", "acme.example.com": "acme.example.com", "HTTP://WWW.Acme.example:8080": "acme.example",
		"": "", "a b": "", "https://": "", "https://%": "",
	} {
		t.Run(address, func(t *testing.T) {
			if got := Domain(address); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestEstimateFollowsFromTheRequest(t *testing.T) {
	r := EstimateRequest{URL: "https://city-bikes.example.com", Market: "us", Language: "en", MaxKeywords: 40}
	type estimate struct {
		TotalKeywords   int `json:"total_keywords"`
		Keywords        []struct{ Keyword string }
		EstimatedBudget map[string]any `json:"estimated_budget"`
	}
	parse := func(text []byte) (e estimate) {
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	text := func(r EstimateRequest) []byte { return api.Encode(NewEstimate(r, time.Time{}, false)) }
	if !bytes.Equal(text(r), text(r)) {
		t.Error("the same request gave another estimate")
	}
	one := parse(text(r))
	if got := one.Keywords[0].Keyword; got != "city bikes" {
		t.Errorf("got the first keyword %q, want the name of the domain", got)
	}
	different := map[string]bool{}
	for _, k := range one.Keywords {
		different[k.Keyword] = true
	}
	if len(different) != 40 || one.TotalKeywords != 40 {
		t.Errorf("got %d different keywords and total_keywords %d, want 40", len(different), one.TotalKeywords)
	}
	r.Market = "de"
	if reflect.DeepEqual(one.EstimatedBudget, parse(text(r)).EstimatedBudget) {
		t.Error("another market gave the same budget")
	}
}

// About one keyword in ten has no rank, which is 999.
func TestRank(t *testing.T) {
	unranked := 0
	for id := range int64(1000) {
		organic := Rank(id, RankOrganic)
		if organic != 999 && (organic < 1 || organic > 66) {
			t.Fatalf("rank %d: got %d, want 1 to 66 or 999", id, organic)
		}
		if organic == 999 {
			unranked++
		}
	}
	if unranked < 50 || unranked > 200 {
		t.Errorf("got %d of 1000 keywords without a rank, want about 100", unranked)
	}
}

// A report shows the same rows for a day whatever its period.
func TestPeriodsAgree(t *testing.T) {
	day := func(month time.Month, n int) time.Time { return time.Date(2026, month, n, 0, 0, 0, 0, time.UTC) }
	long := &Subject{AccountID: 1, CampaignID: 101, WebsiteURL: "acme.example", Today: day(6, 1), From: day(1, 1), To: day(1, 31)}
	short := &Subject{AccountID: 1, CampaignID: 101, WebsiteURL: "acme.example", Today: day(6, 1), From: day(1, 10), To: day(1, 31)}
	for _, r := range Reports() {
		if !r.Dated {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			all, part := reflect.ValueOf(r.Rows(long)), reflect.ValueOf(r.Rows(short))
			if part.Len() == 0 || part.Len() > all.Len() {
				t.Fatalf("got %d rows of %d", part.Len(), all.Len())
			}
			if end := all.Slice(all.Len()-part.Len(), all.Len()); !reflect.DeepEqual(end.Interface(), part.Interface()) {
				t.Errorf("got %v, want %v", part, end)
			}
		})
	}
}

// TestCourses checks that the first campaigns of a new database go different ways: one rises, one falls, one was measured in
// part, one is new, and one has no data.
func TestCourses(t *testing.T) {
	today := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	visits := func(campaign int64, from, to time.Time) (days, sum int) {
		rows := trafficRows(&Subject{AccountID: campaign - 100, CampaignID: campaign, Today: today, From: from, To: to}).([]api.Object)
		for _, row := range rows {
			sum += row[len(row)-1].(int)
		}
		return len(rows), sum
	}
	for campaign, want := range map[int64]struct{ before, now, change int }{
		rising: {28, 28, +1}, falling: {28, 28, -1}, patchy: {17, 16, -1}, recent: {0, 28, +1}, silent: {0, 0, 0},
	} {
		t.Run(fmt.Sprint(campaign), func(t *testing.T) {
			before, sumBefore := visits(campaign, today.AddDate(0, 0, -84), today.AddDate(0, 0, -57))
			now, sumNow := visits(campaign, today.AddDate(0, 0, -27), today)
			if before != want.before || now != want.now || cmp.Compare(sumNow, sumBefore) != want.change {
				t.Errorf("%d visits of %d days before, %d of %d days now", sumBefore, before, sumNow, now)
			}
		})
	}
}
