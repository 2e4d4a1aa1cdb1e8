package synthetic

import (
	"fmt"
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
	var cpcs, competitions, costs, monthly float64
	searched := 0
	phrases := phrasesFor(r)
	for i, phrase := range phrases {
		numbers := random.New(phrase+"\n"+r.URL+"\n"+r.Market+"\n"+r.Language, int64(i))
		position, searches := numbers.Between(1, 100), numbers.Between(1, 900)*10
		cpc, competition := float64(numbers.Between(40, 1800))/100, float64(numbers.Between(5, 99))/100
		traffic := max(1, searches/(3+position))
		cost := float64(traffic) * cpc
		budget := cost * (0.2 + competition) // the more competition, the larger a part of the cost
		trends, current := make([]string, 12), 0.0
		for month := range trends {
			current = float64(numbers.Between(20, 100)) / 100
			trends[month] = money(current)
		}
		direction, category := "up", "growing"
		if trends[len(trends)-1] < trends[0] {
			direction, category = "down", "declining"
		}
		keywords = append(keywords, api.Object{
			"keyword", phrase, "position", strconv.Itoa(position), "previous_position", strconv.Itoa(position + 1), "position_difference", "1",
			"monthly_searches", strconv.Itoa(searches), "cpc", money(cpc), "url", r.URL, "traffic", strconv.Itoa(traffic), "traffic_cost", money(cost),
			"competition", money(competition), "number_of_results", strconv.Itoa(searches * 1000), "monthly_trends", trends, "current_trend", current,
			"trend_summary", api.Object{"direction", direction, "strength", "moderate", "category", category, "description", "Interest is " + direction + " over the last 12 months"},
			"budget_estimate", api.Object{"monthly_budget", money(budget), "yearly_budget", money(12 * budget), "incremental_traffic_metrics", api.Object{
				"incremental_traffic", strconv.Itoa(traffic), "incremental_value", money(cost), "target_position", "3",
			}},
		})
		cpcs, competitions, searched = cpcs+cpc, competitions+competition, searched+searches
		costs, monthly = costs+cost, monthly+budget
	}
	n := float64(len(phrases))
	return api.Object{
		"url", r.URL, "market", r.Market, "language", r.Language, "total_keywords", len(phrases), "keywords", keywords,
		"estimated_budget", api.Object{
			"average_cpc", money(cpcs / n), "average_competition", money(competitions / n), "total_traffic_cost", money(costs),
			"total_monthly_searches", strconv.Itoa(searched), "estimated_monthly_budget", money(monthly),
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

// money returns an amount as the service sends it: a text with two decimal places.
func money(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
