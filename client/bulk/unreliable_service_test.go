package bulk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// An unreliableService is a service in memory whose calls fail as those of networks and
// services do. Its clock moves only while the engine sleeps.
type unreliableService struct {
	mu              sync.Mutex
	random          *rand.Rand
	now             time.Duration
	stored          []storedKeyword
	failureRate     float64       // the share of calls that fail
	listDelay       time.Duration // how long a keyword is stored before lists show it
	changesSpelling bool          // texts are stored in another spelling
	alters          bool          // texts that end with a 3 are stored as others
	storesPartially bool          // of a refused batch, the rows before the invalid one are stored
	brokenLists     int           // the lists that are still to break off
	lists, posts    int           // the calls so far
	killAt          int           // the number of the post at which the process is killed, 0 for none
	onKill          func()        // is called at that moment
	killed          bool
}

type storedKeyword struct {
	id, text, kind string
	shown          record.Record
	inactive       bool
	at             time.Duration
}

// sleep is the Sleep of the engine's options: it moves the clock.
func (f *unreliableService) sleep(ctx context.Context, d time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now += d
	if f.killed {
		return errKilled
	}
	return context.Cause(ctx)
}

// time is the Now of the engine's options.
func (f *unreliableService) time() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return epoch.Add(f.now)
}

// boot is the Boot of the engine's options: the machine is never started again.
func (f *unreliableService) boot() job.Boot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return job.Boot{ID: "boot", Uptime: time.Hour + f.now}
}

// errKilled is the error of every call after the process was killed.
var errKilled = errors.New("killed")

func (f *unreliableService) op() Operation {
	return Operation{
		Name: "keywords.create", Creates: "keyword", Breaker: "campaign", Key: campaignKeyFields, Snapshot: f.snapshot, Results: []string{"rank_id"},
		Send: func(batch []rows.Row) Call {
			return func(_ context.Context, onSend func() error) ([]Outcome, error) {
				if err := onSend(); err != nil {
					return nil, err
				}
				return f.post(batch)
			}
		},
		Converge: func(batch []rows.Row) Call {
			return func(_ context.Context, onSend func() error) ([]Outcome, error) {
				if err := onSend(); err != nil {
					return nil, err
				}
				return f.put(batch)
			}
		},
	}
}

func (f *unreliableService) snapshot(_ context.Context, r SnapshotRequest) (Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists++
	if f.killed {
		return nil, errKilled
	}
	if f.brokenLists > 0 && f.random.IntN(2) == 0 {
		f.brokenLists--
		return nil, &client.UnreadableError{Action: "list keywords", HTTPStatus: 200, Err: errors.New("cut short")}
	}
	r.List.Names, r.List.Compare = []string{"rank_id"}, otherContent
	for i, k := range f.stored {
		if k.at+f.listDelay <= f.now {
			id := k.id
			if f.alters && strings.HasSuffix(k.text, "3") {
				id += "&amp;"
			}
			r.List.Add(Remote{ID: []byte(id), Content: []byte(k.kind), Record: k.shown, Inactive: k.inactive, IDs: []int64{int64(1000 + i)}})
		}
	}
	return r.List, nil
}

// post handles the call of a batch, which may fail with the batch stored or not.
func (f *unreliableService) post(batch []rows.Row) ([]Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.killed {
		return nil, errKilled
	}
	f.posts++
	f.now += time.Millisecond
	for i, row := range batch {
		if strings.HasPrefix(row.Values.Get("keyword").Text(), "bad") {
			if f.storesPartially {
				f.store(batch[:i], 0)
			}
			return nil, f.loseSome(refusal(422, "Unprocessable Entity"))
		}
	}
	if f.posts == f.killAt {
		if f.random.IntN(2) == 0 {
			f.store(batch, time.Duration(f.random.IntN(1500))*time.Millisecond)
		}
		f.killed = true
		f.onKill()
		return nil, errLostResponse
	}
	if f.random.Float64() >= f.failureRate {
		f.store(batch, 0)
		return make([]Outcome, len(batch)), nil
	}
	switch f.random.IntN(9) {
	case 0:
		return nil, errLostResponse
	case 1:
		f.store(batch, 0)
		return nil, errLostResponse
	case 2:
		return nil, refusal(502)
	case 3:
		f.store(batch, 0)
		return nil, refusal(500)
	case 4:
		f.store(batch, 1500*time.Millisecond)
		return nil, refusal(504)
	case 5:
		f.store(batch, 0)
		return nil, &client.UnreadableError{Action: "add keywords", HTTPStatus: 200, Err: errors.New("not JSON")}
	case 6:
		return nil, &client.NetworkError{Action: "add keywords", Err: errors.New("connection refused")}
	case 7:
		return nil, &client.Error{Action: "add keywords", HTTPStatus: 503, Envelope: true, RetryAfter: true}
	}
	return nil, refusal(429)
}

// loseSome returns the error of a response, or that of a lost response.
func (f *unreliableService) loseSome(response error) error {
	if f.random.Float64() < f.failureRate/2 {
		return errLostResponse
	}
	return response
}

func (f *unreliableService) store(batch []rows.Row, after time.Duration) {
	for _, row := range batch {
		text := row.Values.Get("keyword").Text()
		if f.changesSpelling {
			text = strings.ToUpper(strings.Join(strings.Fields(text), "   "))
		}
		id := keywordID(row.Values.Get("account_id").Text(), row.Values.Get("campaign_id").Text(), text)
		f.stored = append(f.stored, storedKeyword{id: id, text: text, kind: row.Values.Get("keyword_type").Text(), shown: shownCampaign(row), at: f.now + after})
	}
}

// shownCampaign returns what a list shows of the campaign of a row.
func shownCampaign(row rows.Row) record.Record {
	return record.Of(record.Pair{Name: "account_id", Value: slices.Clone(row.Values.Get("account_id"))},
		record.Pair{Name: "campaign_id", Value: slices.Clone(row.Values.Get("campaign_id"))})
}

func (f *unreliableService) put(batch []rows.Row) ([]Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.killed {
		return nil, errKilled
	}
	carryOut := f.random.Float64() >= f.failureRate/2
	if carryOut {
		for _, row := range batch {
			n, _ := row.Values.Get("rank_id").Int64()
			k := &f.stored[n-1000]
			k.kind, k.inactive = row.Values.Get("keyword_type").Text(), false
		}
	}
	if f.random.Float64() < f.failureRate/2 || !carryOut {
		return nil, refusal(500)
	}
	return make([]Outcome, len(batch)), nil
}

// storedCounts returns how often each keyword is stored.
func (f *unreliableService) storedCounts() map[string]int {
	out := map[string]int{}
	for _, k := range f.stored {
		out[k.id]++
	}
	return out
}

// addStored adds a keyword that the service stored long ago.
// addStored adds a keyword that the service has stored for long.
func (f *unreliableService) addStored(account, campaign, text, kind string, inactive bool) {
	f.stored = append(f.stored, storedKeyword{id: keywordID(account, campaign, text), text: text, kind: kind, inactive: inactive, at: -time.Hour})
}

func newUnreliableService(seed uint64) *unreliableService {
	return &unreliableService{random: rand.New(rand.NewPCG(seed, 1))}
}

// wantStoredOnce fails the test unless each keyword that is stored is stored once.
func (f *unreliableService) wantStoredOnce(t *testing.T) {
	t.Helper()
	for id, n := range f.storedCounts() {
		if n != 1 {
			t.Errorf("%q is stored %d times, want once", id, n)
		}
	}
}

func (f *unreliableService) String() string {
	return fmt.Sprintf("%d posts, %d lists, %d stored", f.posts, f.lists, len(f.stored))
}
