package dedupe

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"math/bits"
	"sync"

	"github.com/dchest/siphash"

	"reseller/client/bulk/spill"
	"reseller/client/crash"
)

// MaxInMemory is the number of rows up to which an index is kept in memory. It is a variable for the tests.
var MaxInMemory = 1 << 20

// An Index finds the first row of each identity. The rows are in blocks that are never copied: one slice would need its memory
// twice when it grows. An index of more than a million rows is moved to a temporary file, where matches are found at the end.
type Index struct {
	Key
	blocks   []*block   // of all rows, by ordinal
	n        int        // the ordinal of the last row plus one
	distinct int        // the number of different identities
	slots    []uint64   // a hash table with open addressing: the tag of an identity, and the ordinal of its first row plus one
	touched  uint64     // the sum of the slots that touch has read: without it, the compiler could leave out the reads
	keep     bool       // the index stays in memory
	disk     *diskIndex // nil as long as the index is in memory
	err      error      // the first error of the temporary file

	queue, adding []entry // the rows that Queue got, and those before, which a second goroutine adds
	found         []Match // the matches of these, which onMatch has not got yet
	adds          sync.WaitGroup
	content       []byte // of the last row that Queue got: many rows have the same
	contentHash   uint64
}

type Match struct {
	First, FirstLine   int  // the ordinal and the line of the first row with the identity
	Repeat, RepeatLine int  // those of the later row
	Equal              bool // both rows have the same content
}

// A Fingerprint contains hashes of the identity of a row, and of the content that rows
// with the same identity must agree in. It is zero for a row that was not added.
type Fingerprint struct {
	id      uint64
	check   uint32 // a second hash of the identity, since 64 bits alone could collide
	content uint32
}

// An Identity is the part of a fingerprint that is about the identity.
type Identity struct {
	id    uint64
	check uint32
}

func (f Fingerprint) Identity() Identity { return Identity{f.id, f.check} }

const blockSize = 1 << 13

const leastSlots = 1024

type block struct {
	prints [blockSize]Fingerprint
	lines  [blockSize]uint32
}

// A Key makes hashes that nobody can foresee who does not know it, so nobody can make up a
// file whose rows collide. Indexes with the same key have the same hashes.
type Key [16]byte

func NewKey() (k Key) {
	_, _ = rand.Read(k[:]) // never fails
	return k
}

func (k *Key) hash(b []byte) (high, low uint64) {
	return siphash.Hash128(binary.LittleEndian.Uint64(k[:8]), binary.LittleEndian.Uint64(k[8:]), b)
}

// NewIndex returns an empty index, which the caller must close. With inMemory, it stays in memory whatever its size is.
func NewIndex(key Key, inMemory bool) *Index {
	return &Index{Key: key, keep: inMemory}
}

// Fingerprint returns the fingerprint of an identity and a content, in all indexes with the key.
func (k *Key) Fingerprint(id, content []byte) Fingerprint {
	high, check := k.hash(id)
	_, low := k.hash(content)
	return Fingerprint{high, uint32(check), uint32(low)}
}

const FingerprintSize = 16

func (f Fingerprint) AppendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, f.id)
	b = binary.LittleEndian.AppendUint32(b, f.check)
	return binary.LittleEndian.AppendUint32(b, f.content)
}

func ReadFingerprint(b []byte) Fingerprint {
	return Fingerprint{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:])}
}

// ShardOf returns the number, from 0, of the shard that rows with an identity belong to. It is the same on every machine.
func ShardOf(id []byte, shards int) int {
	sum := sha256.Sum256(id)
	return int(binary.BigEndian.Uint64(sum[4:12]) % uint64(shards))
}

func (t *Index) at(ordinal int) *Fingerprint {
	return &t.blocks[ordinal/blockSize].prints[ordinal%blockSize]
}

func (t *Index) entryOf(ordinal int) entry {
	return entry{*t.at(ordinal), uint32(ordinal), t.blocks[ordinal/blockSize].lines[ordinal%blockSize]}
}

// Add adds a row, whose ordinal must be higher than those of all rows added before. It returns the match with the first row of
// the same identity, if there is one. For an index on disk, Finish reports the matches.
func (t *Index) Add(ordinal, line int, f Fingerprint) (m Match, ok bool) {
	if t.disk == nil && ordinal >= MaxInMemory && !t.keep {
		t.spill()
	}
	if t.disk != nil {
		t.addToDisk(entry{f, uint32(ordinal), uint32(line)})
		return Match{}, false
	}
	if 8*t.distinct >= 7*len(t.slots) {
		t.resize(max(leastSlots, 2*len(t.slots)))
	}
	slot, first := t.lookup(&f)
	for t.n <= ordinal {
		if t.n%blockSize == 0 {
			t.blocks = append(t.blocks, &block{})
		}
		t.n++
	}
	*t.at(ordinal), t.blocks[ordinal/blockSize].lines[ordinal%blockSize] = f, uint32(line)
	if first >= 0 {
		return newMatch(t.entryOf(first), entry{f, uint32(ordinal), uint32(line)}), true
	}
	t.slots[slot] = f.tag() | uint64(ordinal+1)
	t.distinct++
	return Match{}, false
}

const queueSize = 2048

// Queue adds a row as Add does, but later, while the caller reads further rows: most of the time of a look-up is spent waiting
// for memory. Until Finish, only Queue may be called. Both call onMatch for each match, in any order.
func (t *Index) Queue(ordinal, line int, id, content []byte, onMatch func(Match)) {
	if t.queue == nil || !bytes.Equal(content, t.content) {
		_, t.contentHash = t.hash(content)
		t.content = append(t.content[:0], content...)
	}
	high, check := t.hash(id)
	t.queue = append(t.queue, entry{Fingerprint{high, uint32(check), uint32(t.contentHash)}, uint32(ordinal), uint32(line)})
	if len(t.queue) == queueSize {
		t.addQueued(onMatch)
	}
}

// wait waits until the rows before those in the queue are added, and calls onMatch for their matches.
func (t *Index) wait(onMatch func(Match)) {
	t.adds.Wait()
	for _, m := range t.found {
		onMatch(m)
	}
	t.found = t.found[:0]
}

func (t *Index) addQueued(onMatch func(Match)) {
	t.wait(onMatch)
	t.queue, t.adding = t.adding[:0], t.queue
	t.adds.Go(func() {
		defer crash.Recover()
		t.touch()
		for i := range t.adding {
			e := &t.adding[i]
			if m, ok := t.Add(int(e.ordinal), int(e.line), e.Fingerprint); ok {
				t.found = append(t.found, m)
			}
		}
	})
}

// spill moves the first row of each identity to disk. The matches of the others were returned by Add.
func (t *Index) spill() {
	t.disk = &diskIndex{}
	t.disk.parts, t.err = spill.Create(diskParts)
	for _, slot := range t.slots {
		if ordinal := int(uint32(slot)) - 1; ordinal >= 0 {
			t.addToDisk(t.entryOf(ordinal))
		}
	}
	t.blocks, t.slots, t.n = nil, nil, 0
}

func (t *Index) addToDisk(e entry) {
	if t.err == nil {
		t.err = t.disk.add(e)
	}
}

// Finish must be called after all rows were added and before Find. It calls onMatch, which
// may be nil, for each match that Add has not returned, in any order.
func (t *Index) Finish(onMatch func(Match)) error {
	t.addQueued(onMatch)
	t.wait(onMatch)
	if t.disk != nil && t.err == nil {
		t.err = t.disk.finish(onMatch)
	}
	return t.err
}

// Find returns the first row with the identity of a fingerprint, and reports whether the
// content is the same too. The row is -1 if there is none.
func (t *Index) Find(f Fingerprint) (first int, sameContent bool) {
	switch {
	case t.disk != nil && t.err == nil:
		found, ok, err := t.disk.find(f)
		if t.err = err; ok {
			return int(found.ordinal), found.content == f.content
		}
	case t.n > 0:
		if _, first = t.lookup(&f); first >= 0 {
			return first, t.at(first).content == f.content
		}
	}
	return -1, false
}

// All returns the rows with their fingerprints, in any order. Of the rows that
// repeat others, it may leave some out. Like Find, it must be called after Finish.
func (t *Index) All() iter.Seq2[int, Fingerprint] {
	return func(yield func(int, Fingerprint) bool) {
		if t.disk != nil && t.err == nil {
			t.err = t.disk.all(func(e *entry) bool { return yield(int(e.ordinal), e.Fingerprint) })
			return
		}
		for ordinal := range t.n {
			if f := t.at(ordinal); *f != (Fingerprint{}) && !yield(ordinal, *f) {
				return
			}
		}
	}
}

// IsOnDisk reports whether the index is in a temporary file. There, Find takes some microseconds.
func (t *Index) IsOnDisk() bool { return t.disk != nil }

// Err returns the first error of the temporary file, after which rows may not be found.
func (t *Index) Err() error { return t.err }

// Close removes the temporary file. It does nothing for a nil *Index.
func (t *Index) Close() {
	if t == nil {
		return
	}
	t.adds.Wait()
	if t.disk != nil {
		t.disk.close()
	}
}

// tag returns the upper half of the identity's hash, with zeros below. A slot contains it,
// so that most slots of other identities are passed over without reading a fingerprint.
func (f *Fingerprint) tag() uint64 { return f.id &^ (1<<32 - 1) }

// lookup returns the slot of an identity and its first row. If the index does not have the
// identity, it returns the free slot for it, and -1.
func (t *Index) lookup(f *Fingerprint) (slot, first int) {
	mask := len(t.slots) - 1
	for i := int(f.id) & mask; ; i = (i + 1) & mask {
		entry := t.slots[i]
		if entry == 0 {
			return i, -1
		}
		if entry&^(1<<32-1) != f.tag() {
			continue
		}
		ordinal := int(uint32(entry)) - 1
		if have := t.at(ordinal); have.id == f.id && have.check == f.check {
			return i, ordinal
		}
	}
}

// touch reads the slots in which the identities of the rows to add are looked for. The reads of many wait for memory together,
// those of lookup one after the other.
func (t *Index) touch() {
	if len(t.slots) == 0 {
		return
	}
	mask, sum := len(t.slots)-1, uint64(0)
	for i := range t.adding {
		sum += t.slots[int(t.adding[i].id)&mask]
	}
	t.touched = sum
}

func (t *Index) resize(slots int) {
	t.slots = make([]uint64, slots)
	for i := 0; i < slots; i += 4096 / 8 {
		t.slots[i] = 0 // reading a page before it is written would cost two page faults
	}
	for ordinal := range t.n {
		f := t.at(ordinal)
		if *f == (Fingerprint{}) {
			continue
		}
		if slot, first := t.lookup(f); first < 0 {
			t.slots[slot] = f.tag() | uint64(ordinal+1)
		}
	}
}

// Grow makes room in the hash table for a number of rows, at most for a million, since the
// number may be a bad estimate. Add makes further room when it is needed.
func (t *Index) Grow(rows int64) {
	if slots := max(leastSlots, 1<<bits.Len64(uint64(min(rows, 1<<20))*8/7)); slots > len(t.slots) {
		t.resize(slots)
	}
}
