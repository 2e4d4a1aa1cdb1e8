package bulk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"reseller/client"
	"reseller/client/bulk/rows"
)

// A faulty is a service in memory that does to calls what networks and services
// do. Its clock stands still but for the pauses of the engine.
type faulty struct {
	mu     sync.Mutex
	dice   *rand.Rand
	now    time.Duration
	stored []storedKeyword
	rate   float64 // how many calls go wrong
	lag    time.Duration
	folds  bool // stores texts in another spelling
	partly bool // a refused batch is stored up to the row that is to blame
	lists  int
	posts  int
	kill   int // the call in which the process dies, 0 for never
	killed func()
	dead   bool
	broken int // lists that are to break off
}

type storedKeyword struct {
	id, text, kind string
	off            bool
	at             time.Duration
}

func (f *faulty) pause(ctx context.Context, d time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now += d
	if f.dead {
		return errKilled
	}
	return context.Cause(ctx)
}

var errKilled = errors.New("killed")

func (f *faulty) op() Operation {
	return Operation{
		Name: "keywords.create", Breaker: true, Key: campaignKey, Snapshot: f.look, Results: []string{"rank_id"},
		Encode: EncodeRows(func(batch []rows.Row) Call {
			batch = rows.Clone(batch...)
			return func(context.Context, func() error) ([]Outcome, error) { return f.post(batch) }
		}),
		Converge: func(batch []rows.Row) Call {
			batch = rows.Clone(batch...)
			return func(context.Context, func() error) ([]Outcome, error) { return f.put(batch) }
		},
	}
}

func (f *faulty) look(_ context.Context, r SnapshotRequest) (Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists++
	if f.dead {
		return nil, errKilled
	}
	if f.broken > 0 && f.dice.IntN(2) == 0 {
		f.broken--
		return nil, &client.UnreadableError{Action: "list keywords", HTTPStatus: 200, Err: errors.New("cut short")}
	}
	r.List.Names = []string{"rank_id"}
	for i, k := range f.stored {
		if k.at+f.lag <= f.now {
			r.List.Add(Remote{ID: []byte(k.id), Content: k.kind, Inactive: k.off, IDs: []int64{int64(1000 + i)}})
		}
	}
	return r.List, nil
}

// post takes a batch, or does not.
func (f *faulty) post(batch []rows.Row) ([]Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return nil, errKilled
	}
	f.posts++
	f.now += time.Millisecond
	for i, row := range batch {
		if strings.HasPrefix(row.Values.Get("keyword").Text(), "bad") {
			if f.partly {
				f.store(batch[:i], 0)
			}
			return nil, f.fate(refusal(422, "Unprocessable Entity"))
		}
	}
	lost := &client.NetworkError{Action: "add keywords", Sent: true, Err: errors.New("reset")}
	if f.posts == f.kill {
		if f.dice.IntN(2) == 0 {
			f.store(batch, time.Duration(f.dice.IntN(1500))*time.Millisecond)
		}
		f.dead = true
		f.killed()
		return nil, lost
	}
	if f.dice.Float64() >= f.rate {
		f.store(batch, 0)
		return make([]Outcome, len(batch)), nil
	}
	switch f.dice.IntN(9) {
	case 0:
		return nil, lost
	case 1:
		f.store(batch, 0)
		return nil, lost
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
		return nil, &client.Error{Action: "add keywords", HTTPStatus: 503, RetryAfter: true}
	}
	return nil, refusal(429)
}

// fate is what becomes of an answer on its way.
func (f *faulty) fate(answer error) error {
	if f.dice.Float64() < f.rate/2 {
		return &client.NetworkError{Action: "add keywords", Sent: true, Err: errors.New("reset")}
	}
	return answer
}

func (f *faulty) store(batch []rows.Row, after time.Duration) {
	for _, row := range batch {
		text := row.Values.Get("keyword").Text()
		if f.folds {
			text = strings.ToUpper(strings.Join(strings.Fields(text), "   "))
		}
		id := keywordID(row.Values.Get("account_id").Text(), row.Values.Get("campaign_id").Text(), text)
		f.stored = append(f.stored, storedKeyword{id: id, text: text, kind: row.Values.Get("keyword_type").Text(), at: f.now + after})
	}
}

func (f *faulty) put(batch []rows.Row) ([]Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return nil, errKilled
	}
	carry := f.dice.Float64() >= f.rate/2
	if carry {
		for _, row := range batch {
			n, _ := row.Values.Get("rank_id").Int64()
			k := &f.stored[n-1000]
			k.kind, k.off = row.Values.Get("keyword_type").Text(), false
		}
	}
	if f.dice.Float64() < f.rate/2 || !carry {
		return nil, refusal(500)
	}
	return make([]Outcome, len(batch)), nil
}

// times counts how often each keyword is stored.
func (f *faulty) times() map[string]int {
	out := map[string]int{}
	for _, k := range f.stored {
		out[k.id]++
	}
	return out
}

func (f *faulty) hold(account, campaign, text, kind string, off bool) {
	f.stored = append(f.stored, storedKeyword{id: keywordID(account, campaign, text), text: text, kind: kind, off: off, at: -time.Hour})
}

func newFaulty(seed uint64) *faulty {
	return &faulty{dice: rand.New(rand.NewPCG(seed, 1))}
}

func (f *faulty) String() string {
	return fmt.Sprintf("%d posts, %d lists, %d stored", f.posts, f.lists, len(f.stored))
}
