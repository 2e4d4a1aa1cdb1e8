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

// EstimateBudget estimates the cost of keywords for a site: POST
// /api/v1/keywords/budget/estimate (contract: Keyword budget estimate). The call
// changes nothing on the service. If the service refuses it, the error is an *Error
// with the error_code (Code) and status_code (BodyStatus) of the response.
func (c *Client) EstimateBudget(ctx context.Context, in EstimateRequest) (Estimate, error) {
	return callTyped[Estimate](ctx, c, &schema.OpEstimate, in)
}
