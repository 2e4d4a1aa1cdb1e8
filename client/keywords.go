package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"slices"

	"reseller/client/record"
	"reseller/client/schema"
)

// Keyword is a keyword of a campaign (contract: Keyword). A rank of 999 means that
// the keyword does not rank.
type Keyword struct {
	Received
	RankID            Integer `json:"rank_id"`
	AccountID         Integer `json:"account_id"`
	CampaignID        Integer `json:"campaign_id"`
	Keyword           String  `json:"keyword"`
	Type              String  `json:"type"`   // target or interest
	Status            Integer `json:"status"` // 0 or 1
	RankGoogleOrganic Integer `json:"rank_google_organic"`
	RankGoogleMap     Integer `json:"rank_google_map"`
}

// NewKeyword is one keyword to add (contract: Keyword). KeywordType is "target" or
// "interest".
type NewKeyword struct {
	Keyword     string `json:"keyword"`
	KeywordType string `json:"keyword_type"`
}

// KeywordsAdded is the answer to adding keywords: one object for the whole batch,
// without the new rank_ids.
type KeywordsAdded struct {
	AccountID   Integer `json:"account_id"`
	CampaignID  Integer `json:"campaign_id"`
	Keyword     String  `json:"keyword"`
	KeywordType String  `json:"keyword_type"`
}

// KeywordChange is one item of an update of keywords (contract: Keyword). All fields
// are required. Status is "activate" or "deactivate", KeywordType "target" or
// "interest".
type KeywordChange struct {
	Status      string `json:"status"`
	KeywordType string `json:"keyword_type"`
	RankID      int64  `json:"rank_id"`
}

// Keywords lists all keywords of the reseller, of all campaigns: GET
// /api/v1/keywords (contract: Keyword). The records decode into Keyword (see Each).
func (c *Client) Keywords(ctx context.Context) iter.Seq2[record.Record, error] {
	return c.List(ctx, Call{Op: &schema.OpKeywordsList})
}

// Keyword reads one keyword: GET /api/v1/keywords/{rank_id} (contract: Endpoints,
// Keywords). A rank_id that does not exist, or is another reseller's, is an error
// for which IsNotFound is true.
func (c *Client) Keyword(ctx context.Context, rankID int64) (Keyword, error) {
	return get[Keyword](ctx, c, Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", rankID))
}

// AddKeywords adds keywords to a campaign: POST /api/v1/keywords (contract:
// Keyword). A missing field is an *Error with status 400 or 200, an account or
// campaign of another reseller one with 422. After an error for which OutcomeUnknown
// is true, some or all of them may have been added: look in Keywords before adding
// them again.
func (c *Client) AddKeywords(ctx context.Context, accountID, campaignID int64, keywords []NewKeyword) (KeywordsAdded, error) {
	return callTyped[KeywordsAdded](ctx, c, &schema.OpKeywordsCreate, struct {
		AccountID  int64        `json:"account_id"`
		CampaignID int64        `json:"campaign_id"`
		Keywords   []NewKeyword `json:"keywords"`
	}{accountID, campaignID, keywords})
}

// UpdateKeywords changes keywords: PUT /api/v1/keywords (contract: Keyword). It
// returns the result of each keyword. Where some failed, it also returns an *Error
// whose Items are those. An update can be repeated.
func (c *Client) UpdateKeywords(ctx context.Context, changes []KeywordChange) ([]ItemError, error) {
	body, err := json.Marshal(map[string]any{"keywords": changes})
	if err != nil {
		return nil, err
	}
	call := Call{Op: &schema.OpKeywordsUpdate, Body: body}
	answer, err := c.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	return KeywordItems(call, answer)
}

// KeywordItems returns the result of each keyword in the answer to an update. Where
// some have a status_code other than 200, it also returns an *Error, although the
// HTTP status is 200. An item without a status_code has 0, which says nothing.
func KeywordItems(call Call, answer *Answer) ([]ItemError, error) {
	var items, failed []ItemError
	list := answer.Data
	if list.Get("rank_id") != nil || list.Get("status_code") != nil { // one item without the array
		list = slices.Concat(record.Value("["), list, record.Value("]"))
	}
	for v := range list.Elements() {
		var item ItemError
		if err := json.Unmarshal(v, &item); err != nil {
			return nil, call.unreadable(answer.HTTPStatus, err)
		}
		items = append(items, item)
		if item.StatusCode != 0 && item.StatusCode != http.StatusOK {
			failed = append(failed, item)
		}
	}
	if failed == nil {
		return items, nil
	}
	return items, &Error{Operation: call.Op.Name(), Action: call.Action(), HTTPStatus: answer.HTTPStatus, Items: failed}
}
