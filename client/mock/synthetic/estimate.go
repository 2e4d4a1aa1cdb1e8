package synthetic

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/random"
)

// EstimateRequest is a request for a budget estimate, in which defaults are filled in.
type EstimateRequest struct {
	URL         string
	Categories  []string
	Seeds       []string
	Market      string
	Language    string
	MaxKeywords int64
}

// Domain returns the host of an address without "www.", or "" if the address has no host. The address may lack its scheme.
func Domain(address string) string {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// NewEstimate makes up an estimate, which depends only on the request, the time, and whether it comes from the cache.
func NewEstimate(r EstimateRequest, made time.Time, cached bool) api.Object {
	keywords := []api.Object{}
	var cpc, competition, cost, monthly float64
	searches := 0
	phrases := phrasesFor(r)
	for i, phrase := range phrases {
		numbers := random.New(phrase+"\n"+r.URL+"\n"+r.Market+"\n"+r.Language, int64(i))
		k := keywordFigures{
			position: numbers.Between(1, 100), previous: numbers.Between(1, 100), searches: numbers.Between(1, 900) * 10,
			cpc: float64(numbers.Between(40, 1800)) / 100, competition: float64(numbers.Between(5, 99)) / 100,
		}
		k.traffic = max(1, k.searches/(3+k.position))
		keywords = append(keywords, k.item(phrase, r.URL, &numbers))
		cpc, competition, searches = cpc+k.cpc, competition+k.competition, searches+k.searches
		cost, monthly = cost+k.cost(), monthly+k.monthlyBudget()
	}
	n := float64(len(phrases))
	return api.Object{
		"url", r.URL, "market", r.Market, "language", r.Language, "total_keywords", len(phrases), "keywords", keywords,
		"estimated_budget", api.Object{
			"average_cpc", money(cpc / n), "average_competition", money(competition / n), "total_traffic_cost", money(cost),
			"total_monthly_searches", strconv.Itoa(searches), "estimated_monthly_budget", money(monthly),
			"estimated_quarterly_budget", money(3 * monthly), "estimated_yearly_budget", money(12 * monthly), "total_keywords", len(phrases),
		},
		"cached", cached, "cache_timestamp", made.Format(time.RFC3339),
	}
}

// phrasesFor returns MaxKeywords different keywords. It puts the seeds and categories of the request, or the name of the domain
// if there are none, into common phrases; when these are used up, it adds a number to each phrase.
func phrasesFor(r EstimateRequest) []string {
	topics := append(append([]string{}, r.Seeds...), r.Categories...)
	if len(topics) == 0 {
		label, _, _ := strings.Cut(Domain(r.URL), ".")
		topics = []string{strings.ReplaceAll(label, "-", " ")}
	}
	patterns := []string{
		"%s", "best %s", "%s near me", "%s cost", "cheap %s", "%s reviews", "local %s", "%s services",
		"top rated %s", "%s prices", "emergency %s", "%s company", "affordable %s", "how to find %s", "%s open now",
	}
	seen := map[string]bool{}
	var phrases []string
	for i := 0; int64(len(phrases)) < r.MaxKeywords; i++ {
		topic, round := topics[i%len(topics)], i/len(topics)
		phrase := strings.Replace(patterns[round%len(patterns)], "%s", topic, 1)
		if repeat := round / len(patterns); repeat > 0 {
			phrase += fmt.Sprintf(" area %d", repeat)
		}
		if !seen[phrase] {
			seen[phrase] = true
			phrases = append(phrases, phrase)
		}
	}
	return phrases
}

// keywordFigures are the numbers of one keyword, which an estimate shows as texts.
type keywordFigures struct {
	position, previous, searches, traffic int
	cpc, competition                      float64
}

func (k keywordFigures) cost() float64 { return float64(k.traffic) * k.cpc }

// monthlyBudget is the budget that the estimate proposes for a month: the more competition, the larger a part of the cost.
func (k keywordFigures) monthlyBudget() float64 { return k.cost() * (0.2 + k.competition) }

func (k keywordFigures) item(phrase, address string, numbers *random.Series) api.Object {
	trends := make([]string, 12)
	var first, last float64
	for i := range trends {
		v := float64(numbers.Between(20, 100)) / 100
		trends[i] = money(v)
		if i == 0 {
			first = v
		}
		last = v
	}
	gain := k.searches/4 + 1
	return api.Object{
		"keyword", phrase, "position", strconv.Itoa(k.position), "previous_position", strconv.Itoa(k.previous),
		"position_difference", strconv.Itoa(k.previous - k.position), "monthly_searches", strconv.Itoa(k.searches),
		"cpc", money(k.cpc), "url", address, "traffic", strconv.Itoa(k.traffic), "traffic_cost", money(k.cost()),
		"competition", money(k.competition), "number_of_results", strconv.Itoa(numbers.Between(90, 90000) * 1000),
		"monthly_trends", trends, "current_trend", last, "trend_summary", summarize(last - first),
		"budget_estimate", api.Object{
			"monthly_budget", money(k.monthlyBudget()), "yearly_budget", money(12 * k.monthlyBudget()), "incremental_traffic_metrics", api.Object{
				"incremental_traffic", strconv.Itoa(gain), "incremental_value", money(float64(gain) * k.cpc), "target_position", "3",
			},
		},
	}
}

func summarize(rise float64) api.Object {
	direction, strength, category, by := "up", "moderate", "growing", fmt.Sprintf(" by %.0f points", 100*math.Abs(rise))
	switch {
	case math.Abs(rise) < 0.05:
		direction, strength, category, by = "stable", "weak", "evergreen", ""
	case rise < 0:
		direction, category = "down", "declining"
	}
	if math.Abs(rise) > 0.4 {
		strength = "strong"
	}
	return api.Object{
		"direction", direction, "strength", strength, "category", category,
		"description", "Interest is " + direction + by + " over the last 12 months",
	}
}

// money returns an amount as the service sends it: a text with two decimal places.
func money(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
