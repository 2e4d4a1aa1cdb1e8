package client

import (
	"context"
	"encoding/json"
	"errors"

	"reseller/client/schema"
)

// An Estimate is the response to a budget estimate (contract: Keyword budget
// estimate). Its numbers are strings, since the service sends most of them as strings
// that need not be numbers, such as "1,000" and "-". Amounts of money are in the
// currency of the market. A cached estimate is up to 24 hours old.
type Estimate struct {
	URL             String            `json:"url"`
	Market          String            `json:"market"`
	Language        String            `json:"language"`
	TotalKeywords   String            `json:"total_keywords"`
	Keywords        []EstimateKeyword `json:"keywords"`
	EstimatedBudget EstimatedBudget   `json:"estimated_budget"`
	Cached          Boolean           `json:"cached"`
	CacheTimestamp  String            `json:"cache_timestamp"` // ISO 8601
}

// UnmarshalJSON leaves a field empty if the service sends it as another JSON type than
// expected, such as a list for an object.
func (e *Estimate) UnmarshalJSON(b []byte) error {
	type plain Estimate
	err := json.Unmarshal(b, (*plain)(e)) // decodes the other fields in spite of an UnmarshalTypeError
	if part, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && part.Field != "" {
		return nil
	}
	return err
}

// An EstimatedBudget is the cost of all keywords of an estimate. The contract does not
// show its fields.
type EstimatedBudget struct {
	AverageCPC               String `json:"average_cpc"`
	AverageCompetition       String `json:"average_competition"`
	TotalTrafficCost         String `json:"total_traffic_cost"`
	TotalMonthlySearches     String `json:"total_monthly_searches"`
	EstimatedMonthlyBudget   String `json:"estimated_monthly_budget"`
	EstimatedQuarterlyBudget String `json:"estimated_quarterly_budget"`
	EstimatedYearlyBudget    String `json:"estimated_yearly_budget"`
	TotalKeywords            String `json:"total_keywords"`
}

// An EstimateKeyword is one keyword of an estimate. The contract does not show its
// fields.
type EstimateKeyword struct {
	Keyword            String   `json:"keyword"`
	Position           String   `json:"position"`
	PreviousPosition   String   `json:"previous_position"`
	PositionDifference String   `json:"position_difference"`
	MonthlySearches    String   `json:"monthly_searches"`
	CPC                String   `json:"cpc"`
	URL                String   `json:"url"`
	Traffic            String   `json:"traffic"`
	TrafficCost        String   `json:"traffic_cost"`
	Competition        String   `json:"competition"`
	NumberOfResults    String   `json:"number_of_results"`
	MonthlyTrends      []String `json:"monthly_trends"` // one for each of twelve months
	CurrentTrend       String   `json:"current_trend"`
	TrendSummary       struct {
		Direction   String `json:"direction"`
		Strength    String `json:"strength"`
		Category    String `json:"category"`
		Description String `json:"description"`
	} `json:"trend_summary"`
	BudgetEstimate struct {
		MonthlyBudget             String          `json:"monthly_budget"`
		YearlyBudget              String          `json:"yearly_budget"`
		IncrementalTrafficMetrics json.RawMessage `json:"incremental_traffic_metrics"` // as the service sent it
	} `json:"budget_estimate"`
}

// EstimateBudget estimates the cost of keywords for a site: POST
// /api/v1/keywords/budget/estimate (contract: Keyword budget estimate). The call
// changes nothing on the service. If the service refuses it, the error is an *Error
// with the error_code (Code) and status_code (BodyStatus) of the response.
func (c *Client) EstimateBudget(ctx context.Context, in EstimateRequest) (Estimate, error) {
	return callTyped[Estimate](ctx, c, &schema.OpEstimate, in)
}
