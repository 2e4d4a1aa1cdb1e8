package schema

import "net/http"

// Estimates are estimates of the cost of keywords for a site: the fields of the request and those of the response, except
// for its keywords (contract: Keyword budget estimate).
var Estimates = Resource{Name: "estimate", Fields: []Field{
	{Name: "url", Type: URL, Use: Read | DefaultColumn | Create | Required, Help: "address of the business to analyze", Example: "https://bikes.example.com"},
	{Name: "categories", Type: List, Use: Create, Help: "business categories that filter keywords", Example: `["Bikes"]`},
	{Name: "seeds", Type: List, Use: Create, Help: "seed keywords that guide the analysis", Example: `["city bike","bike repair"]`},
	{Name: "market", Use: Read | DefaultColumn | Create, Help: "country or locale code (default of the service: us)", Example: "us"},
	{Name: "language", Use: Read | DefaultColumn | Create, Help: "language code (default of the service: en)", Example: "en"},
	{Name: "max_keywords", Type: Int, Use: Create, Max: 1000, Help: "maximum number of keywords, 1 to 1000 (default of the service: 50)", Example: "50"},
	{Name: "total_keywords", Type: Int, Use: Read | DefaultColumn},
	{Name: "estimated_budget.average_cpc", Type: Float, Use: Read | DefaultColumn},
	{Name: "estimated_budget.average_competition", Type: Float, Use: Read | DefaultColumn},
	{Name: "estimated_budget.total_traffic_cost", Type: Float, Use: Read | DefaultColumn},
	{Name: "estimated_budget.total_monthly_searches", Type: Float, Use: Read | DefaultColumn},
	{Name: "estimated_budget.estimated_monthly_budget", Type: Float, Use: Read | DefaultColumn | Needed},
	{Name: "estimated_budget.estimated_quarterly_budget", Type: Float, Use: Read | DefaultColumn},
	{Name: "estimated_budget.estimated_yearly_budget", Type: Float, Use: Read | DefaultColumn},
	{Name: "estimated_budget.total_keywords", Type: Int, Use: Read},
	{Name: "cached", Type: Bool, Use: Read | DefaultColumn},
	{Name: "cache_timestamp", Type: Date, Use: Read | DefaultColumn},
}}

var EstimateKeywords = Resource{Name: "keyword", Fields: []Field{
	{Name: "keyword", Use: Read | DefaultColumn | Title},
	{Name: "position", Type: Float, Use: Read | DefaultColumn},
	{Name: "previous_position", Type: Float, Use: Read},
	{Name: "position_difference", Type: Float, Use: Read},
	{Name: "monthly_searches", Type: Float, Use: Read | DefaultColumn},
	{Name: "cpc", Type: Float, Use: Read | DefaultColumn},
	{Name: "url", Use: Read},
	{Name: "traffic", Type: Float, Use: Read},
	{Name: "traffic_cost", Type: Float, Use: Read},
	{Name: "competition", Type: Float, Use: Read | DefaultColumn},
	{Name: "number_of_results", Type: Float, Use: Read},
	{Name: "monthly_trends", Type: List, Use: Read},
	{Name: "current_trend", Type: Float, Use: Read},
	{Name: "trend_summary.direction", Use: Read | DefaultColumn},
	{Name: "trend_summary.strength", Use: Read},
	{Name: "trend_summary.category", Use: Read},
	{Name: "trend_summary.description", Use: Read},
	{Name: "budget_estimate.monthly_budget", Type: Float, Use: Read | DefaultColumn | Needed},
	{Name: "budget_estimate.yearly_budget", Type: Float, Use: Read},
	{Name: "budget_estimate.incremental_traffic_metrics", Use: Read},
}}

var OpEstimate = Operation{"keywords.budget.estimate", "estimate budget", http.MethodPost, pathKeywords + "/budget/estimate", ShapeObject, &Estimates, false}
