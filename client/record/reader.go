package record

import (
	"bytes"
	"errors"
	"io"
)

// ErrTooLarge says that one value is larger than the reader's limit.
var ErrTooLarge = errors.New("a value is too large")

const (
	// The buffer grows with a source that fills it: most answers are small, and
	// a long list wants to be read in large pieces.
	minBuffer = 8 << 10
	maxBuffer = 256 << 10
	// Below this size a value that is not whole yet is scanned again after
	// every read; beyond it only when it has grown by a quarter, so that a
	// large value that trickles in does not cost its square.
	maxRescan = 64 << 10
)

// A Reader takes JSON values off a stream. Memory is bounded by the largest
// value, which is bounded by max.
type Reader struct {
	src    io.Reader
	buf    []byte
	pos    int // the next byte to look at
	base   int64
	max    int
	srcErr error      // what the source ended with, io.EOF when it ended well
	full   bool       // the last read had no more room
	cache  *nameCache // of the records so far
}

// NewReader reads from src values of at most max bytes each.
func NewReader(src io.Reader, max int) *Reader {
	return &Reader{src: src, buf: make([]byte, 0, minBuffer), max: max}
}

// ReaderOf reads from text that is there already. Values are parts of it and
// stay valid.
func ReaderOf(text []byte) *Reader {
	return &Reader{buf: text[:len(text):len(text)], max: len(text) + 1, srcErr: io.EOF}
}

// fill reads once more into the buffer, keeping what stands from keep on.
func (r *Reader) fill(keep int) error {
	if r.srcErr != nil {
		return r.srcErr
	}
	if keep > 0 {
		r.base += int64(keep)
		r.pos -= keep
		r.buf = r.buf[:copy(r.buf, r.buf[keep:])]
	}
	if len(r.buf) == cap(r.buf) || r.full && cap(r.buf) < maxBuffer {
		bigger := make([]byte, len(r.buf), 2*cap(r.buf))
		copy(bigger, r.buf)
		r.buf = bigger
	}
	for range 100 {
		n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		if err != nil {
			r.srcErr = err
		}
		if n > 0 {
			r.full = len(r.buf) == cap(r.buf)
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// unexpectedEOF turns the end of the source inside a value into what it is.
func unexpectedEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Peek returns the next byte that is not white space and leaves it there; at
// the end of the source it returns io.EOF.
func (r *Reader) Peek() (byte, error) {
	if r.pos < len(r.buf) && r.buf[r.pos] > ' ' {
		return r.buf[r.pos], nil
	}
	return r.skipToNext()
}

// skipToNext is Peek across white space and reads.
func (r *Reader) skipToNext() (byte, error) {
	for gap := 0; gap < r.max; {
		s := scanner{b: r.buf}
		next := s.space(r.pos)
		gap += next - r.pos
		r.pos = next
		if r.pos < len(r.buf) {
			return r.buf[r.pos], nil
		}
		if err := r.fill(r.pos); err != nil {
			return 0, err
		}
	}
	return 0, ErrTooLarge
}

// NextIs tells whether the next byte is c, as far as that has been read.
func (r *Reader) NextIs(c byte) bool { return r.pos < len(r.buf) && r.buf[r.pos] == c }

// Delim takes the one byte c.
func (r *Reader) Delim(c byte) error {
	got, err := r.Peek()
	if err != nil {
		return unexpectedEOF(err)
	}
	if got != c {
		return r.SyntaxError(string(c) + " was expected")
	}
	r.pos++
	return nil
}

// More takes the comma behind an element of an array, or the array's end,
// and tells whether another element follows.
func (r *Reader) More() (more bool, err error) {
	if r.NextIs(',') {
		r.pos++
		return true, nil
	}
	c, err := r.Peek()
	if err != nil {
		return false, unexpectedEOF(err)
	}
	if c != ',' && c != ']' {
		return false, r.SyntaxError(", was expected")
	}
	r.pos++
	return c == ',', nil
}

// SyntaxError is a syntax error at the present place.
func (r *Reader) SyntaxError(what string) error {
	return &SyntaxError{Offset: r.base + int64(r.pos), Message: what}
}

// Value takes a whole value. It is valid until the next call.
func (r *Reader) Value() (Value, error) {
	if _, err := r.Peek(); err != nil {
		return nil, unexpectedEOF(err)
	}
	return r.take(nil)
}

// Record takes a whole object into rec, reusing its memory. The record is
// valid until the next call.
func (r *Reader) Record(rec *Record) error {
	if !r.NextIs('{') {
		if c, err := r.Peek(); err != nil {
			return unexpectedEOF(err)
		} else if c != '{' {
			return r.SyntaxError("an object was expected")
		}
	}
	raw, err := r.take(rec)
	rec.raw = raw
	return err
}

// take takes the next value, which Peek has found, an object into rec where
// that is given.
func (r *Reader) take(rec *Record) (Value, error) {
	for {
		s := scanner{b: r.buf, final: r.srcErr == io.EOF}
		var end int
		var err error
		if rec != nil {
			if r.cache == nil {
				r.cache = &nameCache{}
			}
			rec.fields, rec.cache = rec.fields[:0], r.cache
			end, err = s.record(r.pos, 1, rec)
		} else {
			end, err = s.value(r.pos, 1)
		}
		if err == nil {
			v := Value(r.buf[r.pos:end:end])
			r.pos = end
			if len(v) > r.max {
				return nil, ErrTooLarge
			}
			return v, nil
		}
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			syntax.Offset += r.base
			return nil, syntax
		}
		size := len(r.buf) - r.pos
		want := size + 1
		if size > maxRescan {
			want = size + size/4
		}
		for len(r.buf)-r.pos < want {
			if len(r.buf)-r.pos > r.max {
				return nil, ErrTooLarge
			}
			if err := r.fill(r.pos); err != nil {
				if err == io.EOF && !s.final {
					break // once more, now knowing that nothing follows
				}
				return nil, unexpectedEOF(err)
			}
		}
	}
}

// Text takes a whole string, for the name of a member.
func (r *Reader) Text() (string, error) {
	if c, err := r.Peek(); err != nil {
		return "", unexpectedEOF(err)
	} else if c != '"' {
		return "", r.SyntaxError("a name in quotes was expected")
	}
	v, err := r.Value()
	return v.Text(), err
}

// End checks that nothing but white space is left.
func (r *Reader) End() error {
	switch _, err := r.Peek(); err {
	case io.EOF:
		return nil
	case nil:
		return r.SyntaxError("something follows the answer")
	default:
		return err
	}
}

// Rest is what has been read but not taken, for an error that shows how an
// unreadable answer begins.
func (r *Reader) Rest() []byte { return bytes.Clone(r.buf[r.pos:min(len(r.buf), r.pos+4096)]) }
