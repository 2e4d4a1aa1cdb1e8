package dedupe

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"reseller/client/atomicfile"
	"reseller/client/bulk/spill"
)

const (
	// diskParts is the number of parts into which rows are divided by the first byte of
	// their identity's hash. One part at a time is in memory.
	diskParts = 256
	// bucketRows is about how many rows find reads at a time.
	bucketRows = 16
	filterBits = 8
	entrySize  = 24 // the size of an entry in a file
)

// A diskIndex is an index in a temporary file. add appends the rows to the parts of a file. finish sorts each part and writes the
// first row of each identity to a second file, in buckets, from which find reads one bucket for each identity that it looks for.
type diskIndex struct {
	parts  *spill.File         // until finish
	added  int                 // the number of rows in parts
	sorted *atomicfile.Unnamed // from then on
	read   []byte              // the memory into which find reads
	places [diskParts]place
	starts []uint32 // for each bucket, the number of entries before it
	filter []uint64 // a bit is set if an identity has its hash: most others are not looked for in the file
}

// A place says where the buckets of a part are.
type place struct {
	first int // the number of the first bucket
	bits  int // the number of bits of the hash, behind the first byte, that say which bucket it is
}

type entry struct {
	Fingerprint
	ordinal, line uint32
}

func (e *entry) appendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(e.AppendTo(b), e.ordinal)
	return binary.LittleEndian.AppendUint32(b, e.line)
}

func readEntry(b []byte) entry {
	return entry{ReadFingerprint(b), binary.LittleEndian.Uint32(b[16:]), binary.LittleEndian.Uint32(b[20:])}
}

func partOf(id uint64) int { return int(id >> 56) }

func (p place) bucketOf(id uint64) int { return int(id << 8 >> (64 - p.bits)) }

// add appends a row. Rows of the same identity may come in any order.
func (d *diskIndex) add(e entry) error {
	var b [entrySize]byte
	d.added++
	return d.parts.Append(partOf(e.id), e.appendTo(b[:0]))
}

// finish finds the rows of the same identity and makes the index ready for find.
func (d *diskIndex) finish(onMatch func(Match)) (err error) {
	if d.sorted, err = atomicfile.CreateUnnamed(); err != nil {
		return spill.Error(err)
	}
	out := bufio.NewWriterSize(d.sorted, 64<<10)
	d.filter = make([]uint64, d.added*filterBits/64+1)
	var rows, sorted []entry
	var b []byte
	n := uint32(0)
	for part := range diskParts {
		rows = rows[:0]
		for record, err := range d.parts.Records(part) {
			if err != nil {
				return err
			}
			rows = append(rows, readEntry(record))
		}
		at := place{len(d.starts), bits.Len(uint(len(rows) / bucketRows))}
		d.places[part] = at
		sorted = slices.Grow(sorted[:0], len(rows))[:len(rows)]
		starts := at.sort(rows, sorted)
		for bucket, start := range starts[:len(starts)-1] {
			d.starts = append(d.starts, n)
			first := -1
			for i := int(start); i < int(starts[bucket+1]); i++ {
				e := &sorted[i]
				if first >= 0 && sorted[first].Identity() == e.Identity() {
					if onMatch != nil {
						onMatch(newMatch(sorted[first], *e))
					}
					continue
				}
				first = i
				n++
				word, bit := d.filterOf(e.id)
				d.filter[word] |= bit
				b = e.appendTo(b[:0])
				if _, err := out.Write(b); err != nil {
					return spill.Error(err)
				}
			}
		}
	}
	d.starts = append(d.starts, n)
	if err := out.Flush(); err != nil {
		return spill.Error(err)
	}
	err = d.parts.Close()
	d.parts = nil
	return err
}

func newMatch(first, repeat entry) Match {
	return Match{
		First: int(first.ordinal), FirstLine: int(first.line), Repeat: int(repeat.ordinal), RepeatLine: int(repeat.line),
		Equal: first.content == repeat.content,
	}
}

// sort copies the rows of a part to sorted, by bucket, and in a bucket by identity and
// ordinal. It returns where each bucket starts, and where the last one ends.
func (p place) sort(rows, sorted []entry) (starts []uint32) {
	starts = make([]uint32, 1<<p.bits+1)
	for i := range rows {
		starts[p.bucketOf(rows[i].id)+1]++
	}
	for i := range starts[1:] {
		starts[i+1] += starts[i]
	}
	next := slices.Clone(starts)
	for i := range rows {
		at := &next[p.bucketOf(rows[i].id)]
		sorted[*at] = rows[i]
		*at++
	}
	for i, start := range starts[1:] {
		slices.SortFunc(sorted[starts[i]:start], func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.check, b.check), cmp.Compare(a.ordinal, b.ordinal))
		})
	}
	return starts
}

func (d *diskIndex) filterOf(id uint64) (word uint64, bit uint64) {
	at, _ := bits.Mul64(id, uint64(len(d.filter))*64)
	return at / 64, 1 << (at % 64)
}

func (d *diskIndex) mayHave(id uint64) bool {
	word, bit := d.filterOf(id)
	return d.filter[word]&bit != 0
}

func (d *diskIndex) find(f Fingerprint) (e entry, ok bool, err error) {
	if !d.mayHave(f.id) {
		return e, false, nil
	}
	at := d.places[partOf(f.id)]
	bucket := at.first + at.bucketOf(f.id)
	start := d.starts[bucket]
	size := int(d.starts[bucket+1]-start) * entrySize
	d.read = slices.Grow(d.read[:0], size)[:size]
	rows := d.read
	if _, err := d.sorted.ReadAt(rows, int64(start)*entrySize); err != nil {
		return e, false, spill.Error(err)
	}
	for ; len(rows) > 0; rows = rows[entrySize:] {
		if e = readEntry(rows); e.Identity() == f.Identity() {
			return e, true, nil
		}
	}
	return e, false, nil
}

// all calls each with the first row of each identity, until it returns false.
func (d *diskIndex) all(each func(*entry) bool) error {
	const step = 4096 * entrySize
	size := int64(d.starts[len(d.starts)-1]) * entrySize
	b := make([]byte, min(step, size))
	for at := int64(0); at < size; at += step {
		b = b[:min(step, size-at)]
		if _, err := d.sorted.ReadAt(b, at); err != nil {
			return spill.Error(err)
		}
		for rest := b; len(rest) > 0; rest = rest[entrySize:] {
			if e := readEntry(rest); !each(&e) {
				return nil
			}
		}
	}
	return nil
}

func (d *diskIndex) close() {
	_ = d.parts.Close()
	if d.sorted != nil {
		_ = d.sorted.Close()
	}
}
