package mock

import (
	"net/http"

	bolt "go.etcd.io/bbolt"
)

// change is one item of a keyword update and its outcome.
type change struct {
	status, keywordType string
	RankID              int64  `json:"rank_id"`
	StatusCode          int    `json:"status_code"`
	StatusMessage       string `json:"status_message"`
}

// updateKeywords carries out what it can: a failure stays with its item, inside an
// answer that succeeds.
func (s *Service) updateKeywords(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	items := f.objects("keywords", true)
	if items != nil && len(items) == 0 && len(f.wrong) == 0 {
		f.missing = append(f.missing, "keywords")
	}
	changes := make([]change, len(items))
	for i, o := range items {
		changes[i] = change{status: o.needText("status"), keywordType: o.needText("keyword_type"), RankID: o.needInteger("rank_id")}
	}
	if err := f.err(); err != nil {
		return answer{}, err
	}
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		for i := range changes {
			if err := changes[i].apply(tx.Bucket(bucketKeywords), c.reseller); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	return successList(changes)
}

func (h *change) apply(b *bolt.Bucket, reseller int64) error {
	var k keyword
	ok, err := load(b, &k, reseller, h.RankID)
	if err != nil {
		return err
	}
	known := h.status == "activate" || h.status == "deactivate"
	switch {
	case !ok && foreign(b, reseller, h.RankID):
		h.StatusCode, h.StatusMessage = http.StatusUnprocessableEntity, "delete failed - ownership"
	case !ok:
		h.StatusCode, h.StatusMessage = http.StatusNotFound, "not found"
	case !known || !validType(h.keywordType):
		h.StatusCode, h.StatusMessage = http.StatusBadRequest, "failed"
	default:
		h.StatusCode, h.StatusMessage = http.StatusOK, "success"
		k.Type, k.Status = h.keywordType, 0
		if h.status == "activate" {
			k.Status = 1
		}
		return save(b, k, reseller, h.RankID)
	}
	return nil
}
