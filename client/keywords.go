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

// Keyword is the read record of a keyword (contract: Keyword). A rank of 999
// is seen where the keyword does not rank.
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

// NewKeyword is one keyword to add. KeywordType is target or interest.
type NewKeyword struct {
	Keyword     string `json:"keyword"`
	KeywordType string `json:"keyword_type"`
}

// KeywordsAdded is what adding answers: one object for the whole batch, and no
// rank_id.
type KeywordsAdded struct {
	AccountID   Integer `json:"account_id"`
	CampaignID  Integer `json:"campaign_id"`
	Keyword     String  `json:"keyword"`
	KeywordType String  `json:"keyword_type"`
}

// KeywordChange is one item of a keyword update; all fields are required.
// Status is activate or deactivate.
type KeywordChange struct {
	Status      string `json:"status"`
	KeywordType string `json:"keyword_type"`
	RankID      int64  `json:"rank_id"`
}

// Keywords walks GET /api/v1/keywords: all keywords of the reseller across all
// campaigns, as records that decode into Keyword.
func (c *Client) Keywords(ctx context.Context) iter.Seq2[record.Record, error] {
	return c.List(ctx, Call{Op: &schema.OpKeywordsList})
}

// Keyword reads one keyword: GET /api/v1/keywords/{rank_id} (contract: Endpoints,
// Keywords). A rank_id that does not exist, or is another reseller's, is an error
// for which IsNotFound is true.
func (c *Client) Keyword(ctx context.Context, rankID int64) (Keyword, error) {
	return get[Keyword](ctx, c, Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", rankID))
}

// AddKeywords calls POST /api/v1/keywords for one account and campaign
// (contract: Keyword). A missing field is an *Error, at HTTP 400 or 200, and so
// is an account or campaign that is not the reseller's, at 422. After an error
// for which Unknown is true, some or all may be in: look before adding again.
func (c *Client) AddKeywords(ctx context.Context, accountID, campaignID int64, keywords []NewKeyword) (KeywordsAdded, error) {
	return callTyped[KeywordsAdded](ctx, c, &schema.OpKeywordsCreate, struct {
		AccountID  int64        `json:"account_id"`
		CampaignID int64        `json:"campaign_id"`
		Keywords   []NewKeyword `json:"keywords"`
	}{accountID, campaignID, keywords})
}

// UpdateKeywords calls PUT /api/v1/keywords (contract: Keyword). The answer's
// items are returned; where any of them failed, so is an *Error whose Items
// name those.
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

// KeywordItems reads the items of the answer to a keyword update. An item with
// a status_code other than 200 makes an *Error, though the call's HTTP status
// is 200; 0, where it has none, says nothing.
func KeywordItems(call Call, answer *Answer) ([]ItemError, error) {
	var items, failed []ItemError
	list := answer.Data
	if list.Get("rank_id") != nil || list.Get("status_code") != nil { // one without the array
		list = slices.Concat(record.Value("["), list, record.Value("]"))
	}
	for v := range list.Elements() {
		var item ItemError
		if err := json.Unmarshal(v, &item); err != nil {
			return nil, &UnreadableError{call.Op.Name(), call.Action(), answer.HTTPStatus, "", err}
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
