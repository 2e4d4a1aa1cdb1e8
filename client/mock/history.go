package mock

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"reseller/client/mock/fault"
)

// history knows up to which id records had been made at a time, for lists that
// lag behind.
type history struct {
	mu    sync.Mutex
	marks []mark // oldest first
}

type mark struct {
	at   time.Time
	last [3]uint64 // of keywords, accounts, campaigns
}

// list is what has to be known of the answer to a list.
type list struct {
	kind  int // its place in a mark
	field string
}

// listed is the list of a path, nil for another path.
func listed(path string) *list {
	switch path {
	case "/api/v1/keywords":
		return &list{0, "rank_id"}
	case "/api/v1/accounts", "/api/v2/accounts":
		return &list{1, "account_id"}
	case "/api/v1/campaigns":
		return &list{2, "campaign_id"}
	}
	return nil
}

// note marks what a transaction leaves behind.
func (h *history) note(tx *bolt.Tx, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.marks = append(h.marks, mark{at, [3]uint64{
		tx.Bucket(bucketKeywords).Sequence(), tx.Bucket(bucketAccounts).Sequence(), tx.Bucket(bucketCampaigns).Sequence(),
	}})
}

// last is the last id of a kind that had been given at a time; the first mark stands
// for all that was there before it.
func (h *history) last(kind int, at time.Time) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, m := range slices.Backward(h.marks) {
		if i == 0 || !m.at.After(at) {
			return m.last[kind]
		}
	}
	return 0
}

// hide takes out of a list what it must not show.
func (f *faults) hide(q request, injected fault.Fault, own answer) answer {
	l := listed(q.path)
	if injected.Stale == 0 && injected.HideNewest == 0 || l == nil || q.method != http.MethodGet || own.status != http.StatusOK {
		return own
	}
	var all struct{ Data []json.RawMessage }
	if err := json.Unmarshal(own.body, &all); err != nil {
		return refusal(asFailure(err))
	}
	last := f.history.last(l.kind, f.now().Add(-injected.Stale))
	shown := slices.DeleteFunc(all.Data, func(raw json.RawMessage) bool {
		var record map[string]any
		_ = json.Unmarshal(raw, &record)
		id, _ := record[l.field].(float64)
		return injected.Stale > 0 && uint64(id) > last
	})
	shown = shown[:max(0, len(shown)-injected.HideNewest)]
	return successOf(encode(shown), len(shown))
}
