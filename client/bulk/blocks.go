package bulk

import (
	"errors"
	"hash/maphash"
	"io"
)

// Blocks read an input from its beginning. What a block holds is what it held
// when it was first read: all that is sent was checked.
type blocks struct {
	*input
	n    int    // blocks so far
	buf  []byte // the last one,
	left []byte // and what was not read of it
}

func (p *blocks) Read(b []byte) (int, error) {
	if len(p.left) == 0 {
		if err := p.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.left)
	p.left = p.left[n:]
	return n, nil
}

func (p *blocks) next() error {
	at := int64(p.n) * lineBuffer
	if at >= p.size {
		return io.EOF
	}
	if p.buf == nil {
		p.buf = make([]byte, min(lineBuffer, p.size))
	}
	p.left = p.buf[:min(lineBuffer, p.size-at)]
	if n, err := p.data.ReadAt(p.left, at); n < len(p.left) {
		p.left = nil
		if err == io.EOF {
			err = ErrChanged
		}
		return &InputError{What: p.name, Err: err}
	}
	sum := maphash.Bytes(p.seed, p.left)
	if p.n == len(p.sums) {
		p.sums = append(p.sums, sum)
	} else if p.sums[p.n] != sum {
		p.left = nil
		return &InputError{What: p.name, Err: ErrChanged}
	}
	p.n++
	return nil
}

// ErrChanged is of a file that is not any more what it was when it was checked.
var ErrChanged = errors.New("it was changed while it was read")
