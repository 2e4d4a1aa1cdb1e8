package synthetic

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"

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

// Domain returns the host of an address without "www.", or "" if the address has no host.
// The address may lack its scheme.
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

// Estimate is the data of a budget estimate.
type Estimate struct {
	URL             string            `json:"url"`
	Market          string            `json:"market"`
	Language        string            `json:"language"`
	TotalKeywords   int               `json:"total_keywords"`
	Keywords        []estimateKeyword `json:"keywords"`
	EstimatedBudget estimatedBudget   `json:"estimated_budget"`
	Cached          bool              `json:"cached"`
	CacheTimestamp  string            `json:"cache_timestamp"`
}

type estimateKeyword struct {
	Keyword            string        `json:"keyword"`
	Position           string        `json:"position"`
	PreviousPosition   string        `json:"previous_position"`
	PositionDifference string        `json:"position_difference"`
	MonthlySearches    string        `json:"monthly_searches"`
	CPC                string        `json:"cpc"`
	URL                string        `json:"url"`
	Traffic            string        `json:"traffic"`
	TrafficCost        string        `json:"traffic_cost"`
	Competition        string        `json:"competition"`
	NumberOfResults    string        `json:"number_of_results"`
	MonthlyTrends      []string      `json:"monthly_trends"`
	CurrentTrend       float64       `json:"current_trend"`
	TrendSummary       trendSummary  `json:"trend_summary"`
	BudgetEstimate     keywordBudget `json:"budget_estimate"`
}

type trendSummary struct {
	Direction   string `json:"direction"`
	Strength    string `json:"strength"`
	Category    string `json:"category"`
	Description string `json:"description"`
}

type keywordBudget struct {
	Monthly     string             `json:"monthly_budget"`
	Yearly      string             `json:"yearly_budget"`
	Incremental incrementalTraffic `json:"incremental_traffic_metrics"`
}

type incrementalTraffic struct {
	Traffic string `json:"incremental_traffic"`
	Value   string `json:"incremental_value"`
	Target  string `json:"target_position"`
}

type estimatedBudget struct {
	AverageCPC           string `json:"average_cpc"`
	AverageCompetition   string `json:"average_competition"`
	TotalTrafficCost     string `json:"total_traffic_cost"`
	TotalMonthlySearches string `json:"total_monthly_searches"`
	Monthly              string `json:"estimated_monthly_budget"`
	Quarterly            string `json:"estimated_quarterly_budget"`
	Yearly               string `json:"estimated_yearly_budget"`
	TotalKeywords        int    `json:"total_keywords"`
}

// NewEstimate makes up an estimate, which depends only on the request.
func NewEstimate(r EstimateRequest) Estimate {
	e := Estimate{URL: r.URL, Market: r.Market, Language: r.Language, Keywords: []estimateKeyword{}}
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
		e.Keywords = append(e.Keywords, k.item(phrase, r.URL, &numbers))
		cpc, competition, searches = cpc+k.cpc, competition+k.competition, searches+k.searches
		cost, monthly = cost+k.cost(), monthly+k.monthly()
	}
	n := float64(len(phrases))
	e.TotalKeywords = len(phrases)
	e.EstimatedBudget = estimatedBudget{
		AverageCPC: money(cpc / n), AverageCompetition: money(competition / n), TotalTrafficCost: money(cost),
		TotalMonthlySearches: strconv.Itoa(searches), TotalKeywords: len(phrases),
		Monthly: money(monthly), Quarterly: money(3 * monthly), Yearly: money(12 * monthly),
	}
	return e
}

// phrasesFor returns MaxKeywords different keywords. It puts the seeds and categories of the
// request, or the name of the domain if there are none, into common phrases; when these
// are used up, it adds a number to each phrase.
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

func (k keywordFigures) cost() float64    { return float64(k.traffic) * k.cpc }
func (k keywordFigures) monthly() float64 { return k.cost() * (0.2 + k.competition) }

func (k keywordFigures) item(phrase, address string, numbers *random.Series) estimateKeyword {
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
	return estimateKeyword{
		Keyword: phrase, URL: address,
		Position: strconv.Itoa(k.position), PreviousPosition: strconv.Itoa(k.previous),
		PositionDifference: strconv.Itoa(k.previous - k.position),
		MonthlySearches:    strconv.Itoa(k.searches), CPC: money(k.cpc), Competition: money(k.competition),
		Traffic: strconv.Itoa(k.traffic), TrafficCost: money(k.cost()),
		NumberOfResults: strconv.Itoa(numbers.Between(90, 90000) * 1000),
		MonthlyTrends:   trends, CurrentTrend: last, TrendSummary: summarize(last - first),
		BudgetEstimate: keywordBudget{
			Monthly: money(k.monthly()), Yearly: money(12 * k.monthly()),
			Incremental: incrementalTraffic{strconv.Itoa(gain), money(float64(gain) * k.cpc), "3"},
		},
	}
}

func summarize(rise float64) trendSummary {
	t := trendSummary{Direction: "up", Strength: "moderate", Category: "growing"}
	switch {
	case math.Abs(rise) < 0.05:
		return trendSummary{"stable", "weak", "evergreen", "Interest is stable over the last 12 months"}
	case rise < 0:
		t.Direction, t.Category = "down", "declining"
	}
	if math.Abs(rise) > 0.4 {
		t.Strength = "strong"
	}
	t.Description = fmt.Sprintf("Interest is %s by %.0f points over the last 12 months", t.Direction, 100*math.Abs(rise))
	return t
}

// money returns an amount as the service sends it: a text with two decimal places.
func money(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
