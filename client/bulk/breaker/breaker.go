// Package breaker refuses the rows of a key, such as a campaign, without sending them after
// the service has refused enough single rows of the key.
package breaker

import (
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"reseller/client/bulk/job"
)

const (
	// Threshold is the number of single rows of a key that must be refused with the same message to open the key's breaker.
	Threshold = 20
	// waitThreshold is the number of rejected batches after which the other rows of a key wait until single rows have been
	// sent as a probe. It applies only to a key of which the service has accepted no row.
	waitThreshold = 2
	// maxAccepted is the maximum number of keys with accepted rows that are remembered.
	maxAccepted = 200_000
)

// A Set has the circuit breakers of the keys of a run. The rows of a key with an open breaker are refused without being sent.
type Set struct {
	noun string      // what a key identifies, such as "campaign"; empty for no breakers
	any  atomic.Bool // byKey has had an element; avoids the lock as long as it has not

	mu         sync.Mutex
	seed       maphash.Seed
	accepted   map[uint64]struct{}  // the hashes of keys of which the service has accepted a row
	byKey      map[string]*refusals // the keys with refused rows, of which the service has accepted none
	groups     map[uint32]string    // the key of each rejected batch, by its first row
	hasWaiting bool                 // rows wait for the probe of their key
}

// refusals count the refusals of a key of which the service has accepted no row.
type refusals struct {
	batches int                // the number of batches that were refused as a whole
	rows    map[job.Reason]int // the number of rows that were refused alone, by the reason
	result  *job.Result        // if the breaker is open, the result of all further rows
	probed  bool               // single rows were sent as a probe
}

// New returns breakers that are closed. noun is what a key identifies, such as "campaign". If it is empty, no breaker ever opens.
func New(noun string) *Set {
	return &Set{
		noun: noun, seed: maphash.MakeSeed(),
		accepted: map[uint64]struct{}{}, byKey: map[string]*refusals{}, groups: map[uint32]string{},
	}
}

func (b *Set) RecordSuccess(key string) {
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

// hasAccepted reports whether the service has accepted a row of a key, true for all keys if there are too many to remember, or
// if no breaker ever opens. The caller has locked mu.
func (b *Set) hasAccepted(key string) bool {
	_, ok := b.accepted[maphash.String(b.seed, key)]
	return ok || len(b.accepted) >= maxAccepted || b.noun == ""
}

// RecordBatchFailure records that a batch was refused as a whole. first is its first row.
func (b *Set) RecordBatchFailure(key string, first uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.groups[first] = key
	if !b.hasAccepted(key) {
		b.of(key).batches++
	}
}

// of returns the breaker of a key. The caller has locked mu.
func (b *Set) of(key string) *refusals {
	br := b.byKey[key]
	if br == nil {
		br = &refusals{rows: map[job.Reason]int{}}
		b.byKey[key] = br
		b.any.Store(true)
	}
	return br
}

func (b *Set) RecordRowFailure(key string, result job.Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hasAccepted(key) {
		return
	}
	br := b.of(key)
	reason := job.Reason{HTTPStatus: result.HTTPStatus, Message: result.Message}
	if br.rows[reason]++; br.rows[reason] >= Threshold && br.result == nil {
		result.Message += fmt.Sprintf(" (not sent: %d rows of its %s were refused with this message)", Threshold, b.noun)
		br.result = &result
	}
}

// Open reports whether the breaker of a key is open. If it is, open returns the result
// that the rows of the key get without being sent.
func (b *Set) Open(key string) (job.Result, bool) {
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

// ShouldWait reports whether the rows of a key must wait until single rows have been sent as a probe.
func (b *Set) ShouldWait(key string) bool {
	if !b.any.Load() {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	br := b.byKey[key]
	if br == nil || br.batches < waitThreshold || br.probed {
		return false
	}
	b.hasWaiting = true
	return true
}

// TakeWaiting reports whether rows had to wait since the last call of TakeWaiting.
func (b *Set) TakeWaiting() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	waiting := b.hasWaiting
	b.hasWaiting = false
	return waiting
}

// StopWaiting sends the rows that wait for a probe without one: no refused batch of their keys is left that could be probed.
func (b *Set) StopWaiting() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, br := range b.byKey {
		br.probed = true
	}
}

// Probe reports whether to send single rows of a rejected batch as a probe of its key, or
// whether the batch must wait for the probe of another batch in this round. first is the
// first row of the batch. probing contains the keys that are probed in this round.
func (b *Set) Probe(first uint32, probing map[string]bool) (probe, wait bool) {
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

// OpenFor is Open for the key of the rejected batch that begins with a row.
func (b *Set) OpenFor(first uint32) (job.Result, bool) {
	b.mu.Lock()
	key := b.groups[first]
	b.mu.Unlock()
	return b.Open(key)
}

// RenameGroup records that the rejected batch which began with the row old now begins with the row first.
func (b *Set) RenameGroup(old, first uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if key, ok := b.groups[old]; ok && old != first {
		b.groups[first] = key
		delete(b.groups, old)
	}
}
