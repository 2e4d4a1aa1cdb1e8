package decode

import (
	"errors"
	"hash/maphash"
	"io"
	"sync"
)

// ErrChanged is the error of a file whose content has changed since it was first read.
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
	for len(c.sums) <= number {
		c.sums = append(c.sums, 0)
	}
	if known := c.sums[number]; known != 0 && known != sum {
		return false
	}
	c.sums[number] = sum
	return true
}

// readBlock reads a block of the file into a buffer and returns it. It stores the checksum of each block that is read for
// the first time. A block that has another checksum later is an error, so that only content which was validated can be sent.
func (f *File) readBlock(number int, buf []byte) ([]byte, error) {
	at := int64(number) * blockSize
	block := buf[:min(blockSize, f.Size-at)]
	if n, err := f.data.ReadAt(block, at); n < len(block) {
		if err == io.EOF {
			err = ErrChanged
		}
		return nil, &FileError{What: f.name, Err: err}
	}
	if !f.sums.check(number, block) {
		return nil, &FileError{What: f.name, Err: ErrChanged}
	}
	return block, nil
}

// A blockReader reads a file at any place. It keeps the last block that it has read.
type blockReader struct {
	*File
	reading sync.Mutex // several passes may read at a time
	number  int
	block   []byte // nil before the first block
	buf     []byte
}

func (r *blockReader) ReadAt(b []byte, offset int64) (n int, err error) {
	r.reading.Lock()
	defer r.reading.Unlock()
	for n < len(b) {
		at := offset + int64(n)
		if at < 0 || at >= r.Size {
			return n, io.EOF
		}
		if number := int(at / blockSize); r.block == nil || number != r.number {
			if r.buf == nil {
				r.buf = make([]byte, min(blockSize, r.Size))
			}
			if r.block, err = r.readBlock(number, r.buf); err != nil {
				return n, err
			}
			r.number = number
		}
		n += copy(b[n:], r.block[at%blockSize:])
	}
	return n, nil
}
