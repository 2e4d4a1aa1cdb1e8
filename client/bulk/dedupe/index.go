package dedupe

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// An Index finds the first row of each identity. A row takes 16 bytes, in blocks
// that are never moved: a file of millions of rows must not need its memory twice.
type Index struct {
	blocks   [][]Fingerprint // by ordinal of the row
	n        int             // rows so far, those without a fingerprint included
	distinct int             // rows that were the first with their identity
	seeds    [2]maphash.Seed
	slots    []uint64 // open addressing: half of the identity's hash, and the ordinal of its first row plus one
}

// A Fingerprint stands for a row: hashes of its identity and of the content that
// rows of the same identity must agree in. It is zero for a row that is invalid.
type Fingerprint struct {
	id      uint64
	check   uint32 // more bits of the identity's hash
	content uint32
}

// SameContent reports whether two rows of one identity have the same content.
func (f Fingerprint) SameContent(other Fingerprint) bool { return f.content == other.content }

const blockSize = 1 << 13

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}} }

// Fingerprint returns the fingerprint of an identity and a content. Its hashes
// are seeded in this process: nobody can make up a file whose rows collide.
func (t *Index) Fingerprint(id, content []byte) (f Fingerprint) {
	f.id, f.check, f.content = maphash.Bytes(t.seeds[0], id), uint32(maphash.Bytes(t.seeds[1], id)), uint32(maphash.Bytes(t.seeds[0], content))
	return f
}

// ShardOf returns the number of the shard, from 0, that an identity belongs to.
// It is the same on every machine.
func ShardOf(id []byte, shards int) int {
	sum := sha256.Sum256(id)
	return int(binary.BigEndian.Uint64(sum[4:12]) % uint64(shards))
}

// At returns the fingerprint of a row that was added.
func (t *Index) At(ordinal int) *Fingerprint { return &t.blocks[ordinal/blockSize][ordinal%blockSize] }

// Add adds a row, whose ordinal must be higher than those added so far. It
// returns the first row with the same identity, which may be the row itself.
func (t *Index) Add(ordinal int, f Fingerprint) (first int) {
	if 8*t.distinct >= 7*len(t.slots) {
		t.resize(max(1024, 2*len(t.slots)))
	}
	slot, first := t.lookup(&f)
	for t.n <= ordinal {
		if t.n%blockSize == 0 {
			t.blocks = append(t.blocks, make([]Fingerprint, blockSize))
		}
		t.n++
	}
	*t.At(ordinal) = f
	if first >= 0 {
		return first
	}
	t.slots[slot] = f.tag() | uint64(ordinal+1)
	t.distinct++
	return ordinal
}

// Find returns the first row with a fingerprint's identity, -1 if there is none.
func (t *Index) Find(f Fingerprint) int {
	if t.n == 0 {
		return -1
	}
	_, first := t.lookup(&f)
	return first
}

// tag is the half of the identity's hash that does not choose the slot. Comparing
// it first avoids most reads of fingerprints of other identities.
func (f *Fingerprint) tag() uint64 { return f.id &^ (1<<32 - 1) }

// lookup returns the slot of an identity, or the free slot where it belongs, and
// its first row, -1 if there is none.
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
		if have := t.At(ordinal); have.id == f.id && have.check == f.check {
			return i, ordinal
		}
	}
}

func (t *Index) resize(slots int) {
	t.slots = make([]uint64, slots)
	for i := 0; i < slots; i += 4096 / 8 {
		t.slots[i] = 0 // reading a page before it is written would cost two page faults
	}
	for ordinal := range t.n {
		f := t.At(ordinal)
		if *f == (Fingerprint{}) {
			continue
		}
		if slot, first := t.lookup(f); first < 0 {
			t.slots[slot] = f.tag() | uint64(ordinal+1)
		}
	}
}

// Grow makes room for about that many rows. The estimate may be far off: beyond a
// million rows, room is made when it is needed.
func (t *Index) Grow(rows int64) {
	if slots := 1 << bits.Len64(uint64(min(rows, 1<<20))*8/7); slots > len(t.slots) {
		t.resize(slots)
	}
}
