package decode

import (
	"errors"
	"hash/maphash"
	"io"
)

// ErrChanged is the error of a file whose content has changed since it was first read.
var ErrChanged = errors.New("the file was changed while it was read")

// A verifier reads a file from its beginning, block by block. The first pass stores a
// checksum of each block. In later passes, a block with another checksum is an error, so
// that only content which was validated can be sent.
type verifier struct {
	*File
	block int    // the number of blocks read so far
	buf   []byte // the last block
	rest  []byte // the part of buf that Read has not returned yet
}

func (v *verifier) Read(b []byte) (int, error) {
	if len(v.rest) == 0 {
		if err := v.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, v.rest)
	v.rest = v.rest[n:]
	return n, nil
}

// next reads the next block.
func (v *verifier) next() error {
	at := int64(v.block) * blockSize
	if at >= v.size {
		return io.EOF
	}
	if v.buf == nil {
		v.buf = make([]byte, min(blockSize, v.size))
	}
	v.rest = v.buf[:min(blockSize, v.size-at)]
	if n, err := v.data.ReadAt(v.rest, at); n < len(v.rest) {
		v.rest = nil
		if err == io.EOF {
			err = ErrChanged
		}
		return &FileError{What: v.name, Err: err}
	}
	sum := maphash.Bytes(v.seed, v.rest)
	if v.block == len(v.sums) {
		v.sums = append(v.sums, sum)
	} else if v.sums[v.block] != sum {
		v.rest = nil
		return &FileError{What: v.name, Err: ErrChanged}
	}
	v.block++
	return nil
}
