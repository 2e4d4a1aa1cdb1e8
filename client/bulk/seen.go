package bulk

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// seen remembers the identities of rows in 24 bytes each, in blocks that are
// never moved: a load of millions of rows must not need their memory twice.
type seen struct {
	blocks [][]sight
	n      int
	seeds  [2]maphash.Seed
	index  []uint64 // open addressing: the number of a sight plus one, and half of its hash
}

// sight is the first row of an identity.
type sight struct {
	id   uint64 // hashes of the identity,
	more uint32
	same uint32 // and of what must agree
	line uint32
	row  uint32
}

const blockSize = 1 << 13

func newSeen() *seen { return &seen{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}} }

// sight makes a sight of an identity and of what must agree. The hashes are of
// this process alone: nobody can make up a file whose rows have the same ones.
func (t *seen) sight(id, same []byte) (s sight) {
	s.id, s.more, s.same = maphash.Bytes(t.seeds[0], id), uint32(maphash.Bytes(t.seeds[1], id)), uint32(maphash.Bytes(t.seeds[0], same))
	return s
}

// shardOf is the number of the shard, from 0, that an identity belongs to on
// every machine.
func shardOf(id []byte, of int) int {
	whole := sha256.Sum256(id)
	return int(binary.BigEndian.Uint64(whole[4:12]) % uint64(of))
}

func (t *seen) at(i uint32) *sight { return &t.blocks[i/blockSize][i%blockSize] }

// put returns the sight of the same identity that came first, nil where s is
// the first.
func (t *seen) put(s *sight) *sight {
	if 8*t.n >= 7*len(t.index) {
		t.grow()
	}
	slot, found := t.slot(s)
	if found != nil {
		return found
	}
	if t.n%blockSize == 0 {
		t.blocks = append(t.blocks, make([]sight, 0, blockSize))
	}
	last := &t.blocks[len(t.blocks)-1]
	*last = append(*last, *s)
	t.index[slot] = s.tag() | uint64(t.n+1)
	t.n++
	return nil
}

// find returns the first row that a sight is of, nil where there is none.
func (t *seen) find(s *sight) *sight {
	if t.n == 0 {
		return nil
	}
	_, found := t.slot(s)
	return found
}

// tag is the half of the hash that does not choose the slot: it spares most
// looks at sights of other identities.
func (s *sight) tag() uint64 { return s.id &^ (1<<32 - 1) }

// slot is where the identity of s stands, and its first sight, or where it
// would stand.
func (t *seen) slot(s *sight) (int, *sight) {
	mask := len(t.index) - 1
	for i := int(s.id) & mask; ; i = (i + 1) & mask {
		entry := t.index[i]
		if entry == 0 {
			return i, nil
		}
		if entry&^(1<<32-1) != s.tag() {
			continue
		}
		if have := t.at(uint32(entry) - 1); have.id == s.id && have.more == s.more {
			return i, have
		}
	}
}

func (t *seen) grow() { t.resize(max(1024, 2*len(t.index))) }

func (t *seen) resize(slots int) {
	t.index = make([]uint64, slots)
	for i := 0; i < slots; i += 4096 / 8 {
		t.index[i] = 0 // what is read before it is written costs two page faults
	}
	for n := range uint32(t.n) {
		s := t.at(n)
		slot, _ := t.slot(s)
		t.index[slot] = s.tag() | uint64(n+1)
	}
}

// expect makes room for about so many rows. The guess may be far off: beyond a
// million, room is made when it is needed.
func (t *seen) expect(rows int64) {
	if slots := 1 << bits.Len64(uint64(min(rows, 1<<20))*8/7); slots > len(t.index) {
		t.resize(slots)
	}
}

// bitmap is a set of row numbers.
type bitmap []uint64

func (b bitmap) has(n int) bool {
	return n >= 0 && n/64 < len(b) && b[n/64]&(1<<(n%64)) != 0
}

func (b *bitmap) set(n int) {
	for n/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}
