package client

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// Keywords lists the keywords of all campaigns of the reseller: GET /api/v1/keywords (contract: Keyword), as List does.
func (c *Client) Keywords(ctx context.Context) iter.Seq2[Keyword, error] {
	return each[Keyword](ctx, c, Call{Op: &schema.OpKeywordsList})
}

// Keyword reads one keyword: GET /api/v1/keywords/{rank_id} (contract: Endpoints, Keywords). The error is
// ErrNotFound if the keyword does not exist or belongs to another reseller.
func (c *Client) Keyword(ctx context.Context, rankID int64) (Keyword, error) {
	return get[Keyword](ctx, c, Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", rankID))
}

// AddKeywords adds keywords to a campaign: POST /api/v1/keywords (contract: Keyword). No keywords, or an empty one, are an *Error
// with status 400 or 200; a KeywordType that is empty or another word, or an account or a campaign of another reseller, is an *Error
// with status 422. If OutcomeUnknown is true
// for the error, some or all of the keywords may have been added: look for them in Keywords before you add them again.
func (c *Client) AddKeywords(ctx context.Context, accountID, campaignID int64, keywords []NewKeyword) (KeywordsAdded, error) {
	return callTyped[KeywordsAdded](ctx, c, &schema.OpKeywordsCreate, struct {
		AccountID  int64        `json:"account_id"`
		CampaignID int64        `json:"campaign_id"`
		Keywords   []NewKeyword `json:"keywords"`
	}{accountID, campaignID, keywords})
}

// UpdateKeywords changes keywords: PUT /api/v1/keywords (contract: Keyword). It returns the result of each keyword. If some
// changes failed, it also returns an *Error with their results in Items, which is ErrRefused only if all of them failed, and
// ErrNotFound only if no keyword was found. Updates are idempotent.
func (c *Client) UpdateKeywords(ctx context.Context, changes []KeywordChange) ([]ItemError, error) {
	return c.changeKeywords(ctx, &schema.OpKeywordsUpdate, map[string]any{"keywords": changes})
}

// DeleteKeywords deletes keywords, which the service does by deactivating them: DELETE /api/v1/keywords (the contract
// does not describe it). The results and the error are those of UpdateKeywords. Deletes are idempotent.
func (c *Client) DeleteKeywords(ctx context.Context, rankIDs []int64) ([]ItemError, error) {
	return c.changeKeywords(ctx, &schema.OpKeywordsDelete, map[string]any{"rank_id": rankIDs})
}

func (c *Client) changeKeywords(ctx context.Context, op *schema.Operation, in any) ([]ItemError, error) {
	call, response, err := c.send(ctx, op, in)
	if err != nil {
		return nil, err
	}
	return KeywordItems(call, response)
}

// KeywordItems returns the result of each keyword from the response to an update or a delete. If some have failed
// (ItemError.Failed), it also returns an *Error with these results, although the HTTP status is 200. A result without a
// status_code has StatusCode 0, and like one that ItemError.ContradictsItself, does not say that the change was made. ItemCount
// is the number of keywords in the body of the call, if the response has fewer results.
func KeywordItems(call Call, response *Response) ([]ItemError, error) {
	var items []ItemError
	failed := &failedItems{}
	list := response.Data
	if list.Get("rank_id") != nil || list.Get("status_code") != nil { // one item without the array
		list = record.ArrayOf(list)
	}
	for v := range list.Elements() {
		var item ItemError
		if err := v.Decode(&item); err != nil {
			return nil, call.unreadable(response.HTTPStatus, err)
		}
		item.StatusMessage = String(safetext.Cut(item.message(), safetext.MaxMessage))
		items = append(items, item)
		if failed.count++; item.Failed() {
			failed.items = append(failed.items, item)
		}
	}
	asked := 0
	for _, name := range []string{"keywords", "rank_id"} {
		for range record.Value(call.Body).Get(name).Elements() {
			asked++
		}
	}
	failed.count = max(failed.count, asked)
	return items, failed.refusal(call, response.HTTPStatus, nil)
}

// ContradictsItself reports whether a result has the code of a success and the message of a failure.
func (e *ItemError) ContradictsItself() bool {
	return e.StatusCode == http.StatusOK && slices.Contains(failedItemMessages, strings.ToLower(string(e.StatusMessage)))
}

// failedItemMessages are the messages of the service for keywords that it did not change.
var failedItemMessages = []string{"failed", "delete failed - ownership", "not found"}

// An Estimate is the response to a budget estimate (contract: Keyword budget estimate). Its numbers are strings, since the
// service sends most of them as strings that need not be numbers, such as "1,000" and "-". Amounts of money are in the
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

// UnmarshalJSON leaves a field empty if the service sends it as another JSON type than expected, such as a list for an object.
func (e *Estimate) UnmarshalJSON(b []byte) error {
	type plain Estimate
	err := json.Unmarshal(b, (*plain)(e)) // decodes the other fields in spite of an UnmarshalTypeError
	if part, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && part.Field != "" {
		return nil
	}
	return err
}

// EstimateBudget estimates the cost of keywords for a site: POST /api/v1/keywords/budget/estimate (contract: Keyword budget
// estimate). The call changes nothing on the service. If the service refuses it, the error is an *Error with the error_code
// (Code) and status_code (BodyStatus) of the response.
func (c *Client) EstimateBudget(ctx context.Context, in EstimateRequest) (Estimate, error) {
	return callTyped[Estimate](ctx, c, &schema.OpEstimate, in)
}
