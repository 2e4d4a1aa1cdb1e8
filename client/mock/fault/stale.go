package fault

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"reseller/client/mock/api"
)

// listIDs has, for the path of each list that can be stale, the name of the field with the ids of its records.
func listIDs() map[string]string {
	return map[string]string{
		"/api/v1/keywords":  "rank_id",
		"/api/v1/accounts":  "account_id",
		"/api/v2/accounts":  "account_id",
		"/api/v1/campaigns": "campaign_id",
	}
}

// NewestIDs has the newest id of each kind of record. The keys are the names of the fields with the ids.
type NewestIDs map[string]int64

// listLog records the newest ids after each write, from which it can tell the records that a list had at an earlier time.
type listLog struct {
	mu      sync.Mutex
	entries []listEntry // oldest first
}

type listEntry struct {
	at     time.Time
	newest NewestIDs
}

func (l *listLog) record(at time.Time, newest NewestIDs) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, listEntry{at, newest})
}

// newestAt returns the newest ids at a time. For a time before the first entry it returns those of the first entry.
func (l *listLog) newestAt(at time.Time) NewestIDs {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, e := range slices.Backward(l.entries) {
		if i == 0 || !e.at.After(at) {
			return e.newest
		}
	}
	return nil
}

// hideRecords returns the response without the records that the fault hides, if it is a
// list that can be stale, and all other responses as they are.
func (l *listLog) hideRecords(now time.Time, q api.Request, f Fault, own api.Response) api.Response {
	idField := listIDs()[q.Path]
	if f.Stale == 0 && f.HideNewest == 0 || idField == "" || q.Method != http.MethodGet || own.Status != http.StatusOK {
		return own
	}
	var list struct{ Data []json.RawMessage }
	if err := json.Unmarshal(own.Body, &list); err != nil {
		return api.Refusal(api.AsError(err))
	}
	visible := list.Data
	if f.Stale > 0 {
		newest := l.newestAt(now.Add(-f.Stale))[idField]
		visible = slices.DeleteFunc(visible, func(raw json.RawMessage) bool {
			var record map[string]any
			_ = json.Unmarshal(raw, &record)
			id, _ := record[idField].(float64)
			return int64(id) > newest
		})
	}
	return api.SuccessList(visible[:max(0, len(visible)-f.HideNewest)])
}
