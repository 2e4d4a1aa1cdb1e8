package bulk

import (
	"crypto/sha256"
	"encoding/binary"
)

// seen remembers the identities of rows in 24 bytes each, in blocks that are
// never moved: a load of millions of rows must not need their memory twice.
type seen struct {
	blocks [][]sight
	n      int
	index  []uint32 // open addressing: the number of a sight plus one
}

// sight is the first row of an identity.
type sight struct {
	id   [12]byte
	same [4]byte
	line uint32
	row  uint32
}

const blockSize = 1 << 13

func newSight(id, same string, line, row int) sight {
	s := sight{line: uint32(line), row: uint32(row)}
	whole := sha256.Sum256([]byte(id))
	copy(s.id[:], whole[:])
	whole = sha256.Sum256([]byte(same))
	copy(s.same[:], whole[:])
	return s
}

// shard is the number of the shard, from 0, that an identity belongs to.
func (s *sight) shard(of int) int { return int(binary.BigEndian.Uint64(s.id[4:]) % uint64(of)) }

func (t *seen) at(i uint32) *sight { return &t.blocks[i/blockSize][i%blockSize] }

// put returns the sight of the same identity that came first, nil where s is
// the first.
func (t *seen) put(s sight) *sight {
	if 2*t.n >= len(t.index) {
		t.grow()
	}
	slot := t.slot(s.id)
	if found := t.index[slot]; found != 0 {
		return t.at(found - 1)
	}
	if t.n%blockSize == 0 {
		t.blocks = append(t.blocks, make([]sight, 0, blockSize))
	}
	last := &t.blocks[len(t.blocks)-1]
	*last = append(*last, s)
	t.n++
	t.index[slot] = uint32(t.n)
	return nil
}

// find returns the first row of an identity, nil where there is none.
func (t *seen) find(id string) *sight {
	if t.n == 0 {
		return nil
	}
	whole := sha256.Sum256([]byte(id))
	if found := t.index[t.slot([12]byte(whole[:12]))]; found != 0 {
		return t.at(found - 1)
	}
	return nil
}

// slot is where id stands, or where it would.
func (t *seen) slot(id [12]byte) int {
	mask := len(t.index) - 1
	for i := int(binary.LittleEndian.Uint64(id[:])) & mask; ; i = (i + 1) & mask {
		if found := t.index[i]; found == 0 || t.at(found-1).id == id {
			return i
		}
	}
}

func (t *seen) grow() {
	t.index = make([]uint32, max(1024, 2*len(t.index)))
	for i := range uint32(t.n) {
		t.index[t.slot(t.at(i).id)] = i + 1
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
