package mock

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
	"reseller/client/mock/synthetic"
)

func keywordResource() resource {
	return resource{
		tables: []table{keywordTable},
		routes: []route{
			{method: "POST", path: "/api/v1/keywords", handle: createKeywords},
			{method: "PUT", path: "/api/v1/keywords", handle: updateKeywords},
			{method: "GET", path: "/api/v1/keywords", handle: listAll(keywordTable)},
			{method: "GET", path: "/api/v1/keywords/{rank_id}", handle: getKeyword},
		},
	}
}

// keywordTable has the keys reseller, rank_id.
var keywordTable = database.NewTable[keyword]("keywords", 1001)

// keyword is a keyword, with the same JSON in the database and in responses.
type keyword struct {
	RankID     int64  `json:"rank_id"`
	AccountID  int64  `json:"account_id"`
	CampaignID int64  `json:"campaign_id"`
	Keyword    string `json:"keyword"`
	Type       string `json:"type"`
	Status     int    `json:"status"`
	Organic    int    `json:"rank_google_organic"`
	Map        int    `json:"rank_google_map"`
}

// maxKeywordLength is the number of characters that a keyword may have.
const maxKeywordLength = 1000

func isKeywordType(s string) bool { return s == "target" || s == "interest" }

// createKeywords stores all keywords of a batch or none. A keyword that the campaign has
// already is stored a second time, since the operation is not idempotent.
func createKeywords(c *call) (api.Response, error) {
	b := api.ReadBody(c.body)
	accountID, campaignID := b.RequiredInteger("account_id"), b.RequiredInteger("campaign_id")
	all, err := readKeywords(b, accountID, campaignID)
	if err != nil {
		return api.Response{}, err
	}
	err = c.update(func(tx *database.Tx) error {
		if err := checkWritable(c, tx, accountID, campaignID); err != nil {
			return err
		}
		return addKeywords(tx, c.reseller, all)
	})
	return respond(struct {
		AccountID   int64  `json:"account_id"`
		CampaignID  int64  `json:"campaign_id"`
		Keyword     string `json:"keyword"`
		KeywordType string `json:"keyword_type"`
	}{accountID, campaignID, all[0].Keyword, all[0].Type}, err)
}

// readKeywords reads the keywords of a body. It reports missing fields and wrong types
// first, and invalid values only if there are none of these.
func readKeywords(b *api.Body, accountID, campaignID int64) ([]keyword, error) {
	items := b.RequiredObjects("keywords")
	all := make([]keyword, len(items))
	for i, o := range items {
		all[i] = keyword{
			AccountID: accountID, CampaignID: campaignID, Status: 1,
			Keyword: o.RequiredText("keyword"), Type: o.RequiredText("keyword_type"),
		}
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	for i, k := range all {
		switch {
		case !isKeywordType(k.Type):
			return nil, api.Unprocessable(fmt.Sprintf("keywords[%d].keyword_type must be target or interest", i))
		case strings.TrimSpace(k.Keyword) == "":
			return nil, api.Unprocessable(fmt.Sprintf("keywords[%d].keyword is blank", i))
		case utf8.RuneCountInString(k.Keyword) > maxKeywordLength:
			return nil, api.Unprocessable(fmt.Sprintf("keywords[%d].keyword is longer than %d characters", i, maxKeywordLength))
		}
	}
	return all, nil
}

// addKeywords gives new keywords their ids and ranks, and stores them.
func addKeywords(tx *database.Tx, reseller int64, all []keyword) error {
	for _, k := range all {
		id := keywordTable.NextID(tx)
		k.RankID, k.Organic, k.Map = id, synthetic.Rank(id, synthetic.RankOrganic), synthetic.Rank(id, synthetic.RankMap)
		if err := keywordTable.Put(tx, k, reseller, id); err != nil {
			return err
		}
	}
	return nil
}

// keywordUpdate is one item of an update of keywords, and the result of the item.
type keywordUpdate struct {
	status, keywordType string
	RankID              int64  `json:"rank_id"`
	StatusCode          int    `json:"status_code"`
	StatusMessage       string `json:"status_message"`
}

// updateKeywords applies each item by itself. If items fail, the response succeeds all the
// same, and the status codes of these items say why.
func updateKeywords(c *call) (api.Response, error) {
	b := api.ReadBody(c.body)
	items := b.RequiredObjects("keywords")
	updates := make([]keywordUpdate, len(items))
	for i, o := range items {
		updates[i] = keywordUpdate{status: o.RequiredText("status"), keywordType: o.RequiredText("keyword_type"), RankID: o.RequiredInteger("rank_id")}
	}
	if err := b.Err(); err != nil {
		return api.Response{}, err
	}
	err := c.update(func(tx *database.Tx) error {
		for i := range updates {
			if err := updates[i].apply(c, tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return api.Response{}, err
	}
	return api.SuccessList(updates), nil
}

// apply updates one keyword and sets the result of the item. It returns only errors of the
// database.
func (u *keywordUpdate) apply(c *call, tx *database.Tx) error {
	var k keyword
	found, err := keywordTable.Get(tx, &k, c.reseller, u.RankID)
	if err != nil {
		return err
	}
	isStatus := u.status == "activate" || u.status == "deactivate"
	switch {
	case !found && ownedByAnother(c, tx, keywordTable, u.RankID):
		u.StatusCode, u.StatusMessage = http.StatusUnprocessableEntity, "delete failed - ownership"
	case !found:
		u.StatusCode, u.StatusMessage = http.StatusNotFound, "not found"
	case !isStatus || !isKeywordType(u.keywordType):
		u.StatusCode, u.StatusMessage = http.StatusBadRequest, "failed"
	default:
		u.StatusCode, u.StatusMessage = http.StatusOK, "success"
		k.Type, k.Status = u.keywordType, 0
		if u.status == "activate" {
			k.Status = 1
		}
		return keywordTable.Put(tx, k, c.reseller, u.RankID)
	}
	return nil
}

func getKeyword(c *call) (api.Response, error) {
	id, err := c.id("rank_id")
	if err != nil {
		return api.Response{}, err
	}
	var raw []byte
	err = c.view(func(tx *database.Tx) error {
		raw = keywordTable.Raw(tx, c.reseller, id)
		return nil
	})
	switch {
	case err != nil:
		return api.Response{}, err
	case raw == nil:
		return api.Response{}, api.NotFound(fmt.Sprintf("keyword %d", id))
	}
	return api.SuccessJSON(raw, 1), nil
}

// belongsTo returns a function that reports whether the JSON of a keyword belongs to a
// campaign. The function searches the JSON for the campaign_id, since decoding all keywords
// of a reseller would take seconds. The text of a keyword can't be mistaken for the field,
// because quotes in it are escaped.
func belongsTo(campaignID int64) func([]byte) bool {
	field := []byte(`,"campaign_id":` + strconv.FormatInt(campaignID, 10) + `,"keyword":`)
	return func(raw []byte) bool { return bytes.Contains(raw, field) }
}
