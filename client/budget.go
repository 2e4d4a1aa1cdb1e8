package client

import "context"

// EstimateRequest is the body of a keyword budget estimate. What is empty is
// left out, and the service's default holds: market us, language en, 50
// keywords. MaxKeywords is 1 to 1000.
type EstimateRequest struct {
	URL         string   `json:"url"`
	Categories  []string `json:"categories,omitempty"`
	Seeds       []string `json:"seeds,omitempty"`
	Market      string   `json:"market,omitempty"`
	Language    string   `json:"language,omitempty"`
	MaxKeywords int      `json:"max_keywords,omitempty"`
}

// Estimate is the data of a keyword budget estimate. Money is in the currency
// of the market; the figures may come as strings. Cached tells an answer that
// is up to 24 hours old.
type Estimate struct {
	URL             String            `json:"url"`
	Market          String            `json:"market"`
	Language        String            `json:"language"`
	TotalKeywords   Integer           `json:"total_keywords"`
	Keywords        []EstimateKeyword `json:"keywords"`
	EstimatedBudget EstimatedBudget   `json:"estimated_budget"`
	Cached          Boolean           `json:"cached"`
	CacheTimestamp  String            `json:"cache_timestamp"`
}

// EstimatedBudget is what all keywords of an estimate would cost.
type EstimatedBudget struct {
	AverageCPC               Number  `json:"average_cpc"`
	AverageCompetition       Number  `json:"average_competition"`
	TotalTrafficCost         Number  `json:"total_traffic_cost"`
	TotalMonthlySearches     Number  `json:"total_monthly_searches"`
	EstimatedMonthlyBudget   Number  `json:"estimated_monthly_budget"`
	EstimatedQuarterlyBudget Number  `json:"estimated_quarterly_budget"`
	EstimatedYearlyBudget    Number  `json:"estimated_yearly_budget"`
	TotalKeywords            Integer `json:"total_keywords"`
}

// EstimateKeyword is one keyword of an estimate, as far as its fields are known.
type EstimateKeyword struct {
	Keyword         String `json:"keyword"`
	Position        Number `json:"position"`
	MonthlySearches Number `json:"monthly_searches"`
	CPC             Number `json:"cpc"`
	URL             String `json:"url"`
	Competition     Number `json:"competition"`
	BudgetEstimate  struct {
		MonthlyBudget Number `json:"monthly_budget"`
		YearlyBudget  Number `json:"yearly_budget"`
	} `json:"budget_estimate"`
}

// EstimateBudget calls POST /api/v1/keywords/budget/estimate. A failure is an
// *Error with the envelope's error_code and status_code.
func (c *Client) EstimateBudget(ctx context.Context, in EstimateRequest) (Estimate, error) {
	return send[Estimate](ctx, c, &OpEstimate, in)
}
