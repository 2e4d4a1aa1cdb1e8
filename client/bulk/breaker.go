package bulk

import (
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"reseller/client/bulk/job"
)

const (
	// breakerThreshold rows of one key that are refused alone, with the same message,
	// open the key's breaker.
	breakerThreshold = 20
	// holdThreshold is the number of refused batches after which the other rows of a
	// key are held, if the service has accepted no row of the key. They are held until
	// single rows have been sent as a probe.
	holdThreshold = 2
	// maxAccepted is the most keys with accepted rows that are remembered.
	maxAccepted = 200_000
)

// breakers are the circuit breakers of the keys of a run. An open breaker refuses
// the rows of its key without sending them.
type breakers struct {
	noun string      // what a key names; empty if the operation has no breakers
	any  atomic.Bool // byKey is not empty, or was not

	mu       sync.Mutex
	seed     maphash.Seed
	accepted map[uint64]struct{} // keys that accepted a row
	byKey    map[string]*breaker
	groups   map[uint32]string // the key of each refused batch, by its first row
	hasHeld  bool              // rows are held until a probe has shown more
}

// A breaker counts the refusals of a key of which the service has accepted no row.
type breaker struct {
	batches int                // batches that were refused as a whole
	rows    map[job.Reason]int // rows that were refused alone
	result  *job.Result        // if the breaker is open, the result of all further rows
	probed  bool               // single rows were sent as a probe
}

func newBreakers(op *Operation) *breakers {
	return &breakers{
		noun: op.Breaker, seed: maphash.MakeSeed(),
		accepted: map[uint64]struct{}{}, byKey: map[string]*breaker{}, groups: map[uint32]string{},
	}
}

// recordSuccess records that the service accepted a row of a key.
func (b *breakers) recordSuccess(key string) {
	if b.noun == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.accepted) < maxAccepted {
		b.accepted[maphash.String(b.seed, key)] = struct{}{}
	}
	delete(b.byKey, key)
}

// hasAccepted reports whether a key accepted a row, or may have.
func (b *breakers) hasAccepted(key string) bool {
	_, ok := b.accepted[maphash.String(b.seed, key)]
	return ok || len(b.accepted) >= maxAccepted
}

// recordBatchFailure records that a batch was refused as a whole. first is its first
// row.
func (b *breakers) recordBatchFailure(key string, first uint32) {
	if b.noun == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.groups[first] = key
	if !b.hasAccepted(key) {
		b.of(key).batches++
	}
}

func (b *breakers) of(key string) *breaker {
	br := b.byKey[key]
	if br == nil {
		br = &breaker{rows: map[job.Reason]int{}}
		b.byKey[key] = br
		b.any.Store(true)
	}
	return br
}

// recordRowFailure records that a row was refused alone.
func (b *breakers) recordRowFailure(key string, result job.Result) {
	if b.noun == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hasAccepted(key) {
		return
	}
	br := b.of(key)
	reason := job.Reason{HTTPStatus: result.HTTPStatus, Message: result.Message}
	if br.rows[reason]++; br.rows[reason] >= breakerThreshold && br.result == nil {
		result.Message += fmt.Sprintf(" (not sent: %d rows of its %s were refused with this message)", breakerThreshold, b.noun)
		br.result = &result
	}
}

// open reports whether the breaker of a key is open, and returns the result that its
// rows then get.
func (b *breakers) open(key string) (job.Result, bool) {
	if !b.any.Load() {
		return job.Result{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if br := b.byKey[key]; br != nil && br.result != nil {
		return *br.result, true
	}
	return job.Result{}, false
}

// shouldHold reports whether to hold the rows of a key until it has been probed.
func (b *breakers) shouldHold(key string) bool {
	if !b.any.Load() {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	br := b.byKey[key]
	if br == nil || br.batches < holdThreshold || br.probed {
		return false
	}
	b.hasHeld = true
	return true
}

// takeHeld reports whether rows were held since the last call.
func (b *breakers) takeHeld() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	held := b.hasHeld
	b.hasHeld = false
	return held
}

// probe reports whether single rows of a refused batch are to be sent as a probe of
// its key, or whether the batch waits for the probe of another batch of this round.
func (b *breakers) probe(first uint32, probing map[string]bool) (probe, wait bool) {
	if b.noun == "" {
		return false, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key, ok := b.groups[first]
	br := b.byKey[key]
	if !ok || br == nil || br.probed && !probing[key] || b.hasAccepted(key) {
		return false, false
	}
	if probing[key] {
		return false, true
	}
	probing[key], br.probed = true, true
	return true, false
}

// groupKey returns the key of a refused batch.
func (b *breakers) groupKey(first uint32) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.groups[first]
}

// renameGroup records that a refused batch now begins with another row.
func (b *breakers) renameGroup(old, first uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if key, ok := b.groups[old]; ok && old != first {
		b.groups[first] = key
		delete(b.groups, old)
	}
}
