package mock

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"
)

// keyword is stored as it is read.
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

// keywordLimit is the longest keyword, in characters, that the service takes.
const keywordLimit = 1000

// setRanks gives a keyword the ranks that go with its id; 999 is "does not rank".
func (k *keyword) setRanks() {
	k.Organic, k.Map = rankOf(k.RankID, 0, 1), rankOf(k.RankID, 0, 2)
}

func validType(t string) bool { return t == "target" || t == "interest" }

// createKeywords stores a batch, whole or not at all. A keyword that is there
// already is stored again: the interface knows no idempotency.
func (s *Service) createKeywords(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	accountID, campaignID := f.needInteger("account_id"), f.needInteger("campaign_id")
	all, err := newKeywords(f, accountID, campaignID)
	if err != nil {
		return answer{}, err
	}
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		if err := checkOwned(tx, c.reseller, accountID, campaignID); err != nil {
			return err
		}
		return addKeywords(tx, c.reseller, all)
	})
	if err != nil {
		return answer{}, err
	}
	return success(struct {
		AccountID   int64  `json:"account_id"`
		CampaignID  int64  `json:"campaign_id"`
		Keyword     string `json:"keyword"`
		KeywordType string `json:"keyword_type"`
	}{accountID, campaignID, all[0].Keyword, all[0].Type})
}

// newKeywords reads the batch of a body: what is absent or of a wrong type comes
// before what has a wrong value.
func newKeywords(f *fields, accountID, campaignID int64) ([]keyword, error) {
	items := f.objects("keywords", true)
	if items != nil && len(items) == 0 && len(f.wrong) == 0 {
		f.missing = append(f.missing, "keywords")
	}
	all := make([]keyword, len(items))
	for i, o := range items {
		all[i] = keyword{
			AccountID: accountID, CampaignID: campaignID, Status: 1,
			Keyword: o.needText("keyword"), Type: o.needText("keyword_type"),
		}
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	for i, k := range all {
		switch {
		case !validType(k.Type):
			return nil, unprocessable(fmt.Sprintf("keywords[%d].keyword_type must be target or interest", i))
		case strings.TrimSpace(k.Keyword) == "":
			return nil, unprocessable(fmt.Sprintf("keywords[%d].keyword is blank", i))
		case utf8.RuneCountInString(k.Keyword) > keywordLimit:
			return nil, unprocessable(fmt.Sprintf("keywords[%d].keyword is longer than %d characters", i, keywordLimit))
		}
	}
	return all, nil
}

// addKeywords numbers and stores new keywords.
func addKeywords(tx *bolt.Tx, reseller int64, all []keyword) error {
	b := tx.Bucket(bucketKeywords)
	b.FillPercent = 0.9 // ids only grow, so half-empty pages would never be filled
	for i := range all {
		id, err := nextID(b)
		if err != nil {
			return err
		}
		all[i].RankID = id
		all[i].setRanks()
		if err := save(b, all[i], reseller, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) listKeywords(c *call) (a answer, err error) {
	err = s.store.view(c.ctx, func(tx *bolt.Tx) error {
		a = listAnswer(tx.Bucket(bucketKeywords), key(c.reseller))
		return nil
	})
	return a, err
}

func (s *Service) getKeyword(c *call) (answer, error) {
	id, err := c.id("rank_id")
	if err != nil {
		return answer{}, err
	}
	var raw []byte
	err = s.store.view(c.ctx, func(tx *bolt.Tx) error {
		raw = bytes.Clone(tx.Bucket(bucketKeywords).Get(key(c.reseller, id)))
		return nil
	})
	switch {
	case err != nil:
		return answer{}, err
	case raw == nil:
		return answer{}, notFound(fmt.Sprintf("keyword %d", id))
	}
	return successOf(raw, 1), nil
}

// ofCampaign tells a campaign's keywords by their bytes, since decoding all those
// of a reseller would take seconds. Quotes inside a keyword are escaped, so only
// the field itself can match.
func ofCampaign(campaignID int64) func([]byte) bool {
	mark := []byte(`,"campaign_id":` + strconv.FormatInt(campaignID, 10) + `,"keyword":`)
	return func(raw []byte) bool { return bytes.Contains(raw, mark) }
}
