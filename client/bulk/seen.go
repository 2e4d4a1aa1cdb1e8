package bulk

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"sort"
)

// seen remembers the identities of rows in 16 bytes each, in blocks that are
// never moved: a load of millions of rows must not need their memory twice.
type seen struct {
	blocks [][]sight // by number of the row
	n      int       // of sights, and of rows so far
	firsts int       // rows of which none was about the same thing before
	seeds  [2]maphash.Seed
	index  []uint64 // open addressing: the number of a first row plus one, and half of its hash
}

// A sight is what is known of a row. It is zero for one that can't be sent.
type sight struct {
	id   uint64 // hashes of the identity,
	more uint32
	same uint32 // and of what must agree
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

func (t *seen) at(row int) *sight { return &t.blocks[row/blockSize][row%blockSize] }

// put notes a row, which follows those noted so far, and returns the first row
// about the same thing: the row itself, or an earlier one.
func (t *seen) put(row int, s sight) (first int) {
	if 8*t.firsts >= 7*len(t.index) {
		t.resize(max(1024, 2*len(t.index)))
	}
	slot, first := t.slot(&s)
	for t.n <= row {
		if t.n%blockSize == 0 {
			t.blocks = append(t.blocks, make([]sight, blockSize))
		}
		t.n++
	}
	*t.at(row) = s
	if first >= 0 {
		return first
	}
	t.index[slot] = s.tag() | uint64(row+1)
	t.firsts++
	return row
}

// find returns the first row that a sight is of, -1 where there is none.
func (t *seen) find(s sight) int {
	if t.n == 0 {
		return -1
	}
	_, first := t.slot(&s)
	return first
}

// tag is the half of the hash that does not choose the slot: it spares most
// looks at sights of other identities.
func (s *sight) tag() uint64 { return s.id &^ (1<<32 - 1) }

// slot is where the identity of s stands, or would stand, and its first row, -1
// where it has none.
func (t *seen) slot(s *sight) (slot, first int) {
	mask := len(t.index) - 1
	for i := int(s.id) & mask; ; i = (i + 1) & mask {
		entry := t.index[i]
		if entry == 0 {
			return i, -1
		}
		if entry&^(1<<32-1) != s.tag() {
			continue
		}
		row := int(uint32(entry)) - 1
		if have := t.at(row); have.id == s.id && have.more == s.more {
			return i, row
		}
	}
}

func (t *seen) resize(slots int) {
	t.index = make([]uint64, slots)
	for i := 0; i < slots; i += 4096 / 8 {
		t.index[i] = 0 // what is read before it is written costs two page faults
	}
	for row := range t.n {
		s := t.at(row)
		if *s == (sight{}) {
			continue
		}
		if slot, first := t.slot(s); first < 0 {
			t.index[slot] = s.tag() | uint64(row+1)
		}
	}
}

// expect makes room for about so many rows. The guess may be far off: beyond a
// million, room is made when it is needed.
func (t *seen) expect(rows int64) {
	if slots := 1 << bits.Len64(uint64(min(rows, 1<<20))*8/7); slots > len(t.index) {
		t.resize(slots)
	}
}

// lineNumbers are the lines of rows. Mostly each row begins as many lines behind
// the one before as that does.
type lineNumbers []lineRun

type lineRun struct{ row, line, step uint32 }

func (r lineRun) of(row int) int { return int(r.line) + (row-int(r.row))*int(r.step) }

// add notes the line of a row that follows those noted so far.
func (n *lineNumbers) add(row, line int) {
	if last := len(*n) - 1; last >= 0 {
		run := &(*n)[last]
		switch {
		case run.of(row) == line:
			return
		case row == int(run.row)+1:
			run.step = uint32(line) - run.line
			return
		}
	}
	*n = append(*n, lineRun{uint32(row), uint32(line), 1})
}

// of is the line of a row that was noted.
func (n lineNumbers) of(row int) int {
	after := sort.Search(len(n), func(i int) bool { return int(n[i].row) > row })
	return n[after-1].of(row)
}

// bitmap is a set of row numbers.
type bitmap []uint64

func (b bitmap) has(n int) bool {
	return n >= 0 && n/64 < len(b) && b[n/64]&(1<<(n%64)) != 0
}

func (b bitmap) clear(n int) { b[n/64] &^= 1 << (n % 64) }

func (b *bitmap) set(n int) {
	for n/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}
