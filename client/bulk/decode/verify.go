package decode

import (
	"cmp"
	"errors"
	"hash/maphash"
	"io"
	"slices"
	"sync"
)

var ErrChanged = errors.New("the file was changed while it was read")

// checksums tell whether a file is still the one that was read first. They outlive a File:
// each pass over a folder opens its files again.
type checksums struct {
	size int64 // of the file of a folder; -1 before it was read
	seed maphash.Seed
	mu   sync.Mutex // guards sums
	sums []uint64   // the checksum of each block, 0 for one that was not read so far
}

func newChecksums() *checksums { return &checksums{size: -1, seed: maphash.MakeSeed()} }

// check stores the checksum of a block that is read for the first time. It reports whether
// a block that was read before is still the same.
func (c *checksums) check(number int, block []byte) bool {
	sum := maphash.Bytes(c.seed, block) | 1 // 0 is the sum of a block that was not read
	c.mu.Lock()
	defer c.mu.Unlock()
	if missing := number + 1 - len(c.sums); missing > 0 {
		c.sums = append(c.sums, make([]uint64, missing)...)
	}
	known := c.sums[number]
	c.sums[number] = cmp.Or(known, sum)
	return known == 0 || known == sum
}

// A blockReader reads a file at any place. It keeps the last block that it has read. A block that has another checksum than when
// it was read first is an error, so that only content which was validated can be sent.
type blockReader struct {
	*File
	reading sync.Mutex // several passes may read at a time
	at      int64      // where block begins
	block   []byte     // empty before the first one
}

func (r *blockReader) ReadAt(b []byte, offset int64) (n int, err error) {
	r.reading.Lock()
	defer r.reading.Unlock()
	for n < len(b) {
		at := offset + int64(n)
		if at < 0 || at >= r.Size {
			return n, io.EOF
		}
		if at < r.at || at >= r.at+int64(len(r.block)) {
			if err := r.read(at / blockSize * blockSize); err != nil {
				r.block = nil
				return n, &FileError{What: r.Name, Err: err}
			}
		}
		n += copy(b[n:], r.block[at-r.at:])
	}
	return n, nil
}

func (r *blockReader) read(at int64) error {
	size := int(min(blockSize, r.Size-at))
	r.at, r.block = at, slices.Grow(r.block[:0], size)[:size]
	n, err := r.data.ReadAt(r.block, at)
	switch {
	case n == size && r.sums.check(int(at/blockSize), r.block):
		return nil
	case n == size || err == io.EOF:
		return ErrChanged
	}
	return err
}
