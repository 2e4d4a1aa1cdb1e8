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

// keywordTable has the keys reseller, rank_id.
var keywordTable = database.Table[synthetic.Keyword]{Name: "keywords", FirstID: 1001}

// setKeyword sets the fields that creates and updates share.
func setKeyword(k *synthetic.Keyword, b *api.Body) { b.SetText(&k.Type, "keyword_type", true) }

const maxKeywordLength = 1000

func isKeywordType(s string) bool { return s == "target" || s == "interest" }

// createKeywords stores all keywords of a batch or none. A keyword that the campaign has
// already is stored a second time, since the operation is not idempotent.
func createKeywords(c *call) (api.Response, error) {
	b := c.body
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
	return respond(api.Object{
		"account_id", accountID, "campaign_id", campaignID, "keyword", all[0].Keyword, "keyword_type", all[0].Type,
	}, err)
}

// readKeywords reads the keywords of a body. It reports missing fields and wrong types
// first, and invalid values only if there are none of these.
func readKeywords(b *api.Body, accountID, campaignID int64) ([]synthetic.Keyword, error) {
	items := b.Objects("keywords", true)
	all := make([]synthetic.Keyword, len(items))
	for i, o := range items {
		all[i] = synthetic.Keyword{AccountID: accountID, CampaignID: campaignID, Status: 1, Keyword: o.RequiredText("keyword")}
		setKeyword(&all[i], o)
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

func addKeywords(tx *database.Tx, reseller int64, all []synthetic.Keyword) error {
	for _, k := range all {
		id := keywordTable.NextID(tx)
		k.RankID, k.Organic, k.Map = id, synthetic.Rank(id, synthetic.RankOrganic), synthetic.Rank(id, synthetic.RankMap)
		if err := keywordTable.Put(tx, k, reseller, id); err != nil {
			return err
		}
	}
	return nil
}

// keywordChange is one item of an update or a delete of keywords, and the result of the item.
type keywordChange struct {
	change        func(*synthetic.Keyword) // nil if the item is invalid
	RankID        int64                    `json:"rank_id"`
	StatusCode    int                      `json:"status_code"`
	StatusMessage string                   `json:"status_message"`
}

func updateKeywords(c *call) (api.Response, error) {
	b := c.body
	items := b.Objects("keywords", true)
	changes := make([]keywordChange, len(items))
	for i, o := range items {
		var sent synthetic.Keyword
		status := o.RequiredText("status")
		setKeyword(&sent, o)
		changes[i].RankID = o.RequiredInteger("rank_id")
		if (status == "activate" || status == "deactivate") && isKeywordType(sent.Type) {
			changes[i].change = func(k *synthetic.Keyword) {
				setKeyword(k, o)
				k.Status = 0
				if status == "activate" {
					k.Status = 1
				}
			}
		}
	}
	return changeKeywords(c, changes)
}

func deleteKeywords(c *call) (api.Response, error) {
	b := c.body
	ids := b.RequiredIntegers("rank_id")
	changes := make([]keywordChange, len(ids))
	for i, id := range ids {
		changes[i] = keywordChange{RankID: id, change: func(k *synthetic.Keyword) { k.Status = 0 }}
	}
	return changeKeywords(c, changes)
}

// changeKeywords applies each item by itself. If items fail, the response succeeds all the
// same, and the status codes of these items say why.
func changeKeywords(c *call, changes []keywordChange) (api.Response, error) {
	err := c.update(func(tx *database.Tx) error {
		for i := range changes {
			if err := changes[i].apply(c, tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return api.Response{}, err
	}
	return api.SuccessList(changes), nil
}

// apply changes one keyword and sets the result of the item. It returns only errors of the database.
func (u *keywordChange) apply(c *call, tx *database.Tx) error {
	var k synthetic.Keyword
	found, err := keywordTable.Get(tx, &k, c.reseller, u.RankID)
	if err != nil {
		return err
	}
	switch {
	case !found && ownedByAnother(c, tx, keywordTable, u.RankID):
		u.StatusCode, u.StatusMessage = http.StatusUnprocessableEntity, "delete failed - ownership"
	case !found:
		u.StatusCode, u.StatusMessage = http.StatusNotFound, "not found"
	case u.change == nil:
		u.StatusCode, u.StatusMessage = http.StatusBadRequest, "failed"
	default:
		u.StatusCode, u.StatusMessage = http.StatusOK, "success"
		u.change(&k)
		return keywordTable.Put(tx, k, c.reseller, u.RankID)
	}
	return nil
}

func getKeyword(c *call) (api.Response, error) {
	return respond(readOne(c, keywordTable, "keyword", "rank_id"))
}

// belongsTo returns a function that reports whether the JSON of a keyword belongs to a campaign. The function looks at the third
// field, which is the campaign_id, since decoding all keywords of a reseller would take seconds.
func belongsTo(campaignID int64) func([]byte) bool {
	field := []byte(`"campaign_id":` + strconv.FormatInt(campaignID, 10) + ",")
	return func(raw []byte) bool {
		_, rest, _ := bytes.Cut(raw, []byte(","))
		_, rest, _ = bytes.Cut(rest, []byte(","))
		return bytes.HasPrefix(rest, field)
	}
}
