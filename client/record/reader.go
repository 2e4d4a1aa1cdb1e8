package record

import (
	"bytes"
	"errors"
	"io"
)

// ErrTooLarge is the error of a value that is larger than the reader's limit.
var ErrTooLarge = errors.New("a value is too large")

const (
	// The buffer grows up to maxBuffer with a source that fills it: most answers
	// are small, and a long list is better read in large pieces. For a value that
	// is larger, it grows further.
	minBuffer = 8 << 10
	maxBuffer = 256 << 10
	// A value of which only a part was read is scanned again after every read up
	// to this size, beyond it only when it has grown by a quarter, so that a large
	// value that trickles in does not take time by the square of its size.
	maxRescan = 64 << 10
)

// A Reader reads JSON values from a stream, one after another. Its memory is
// bounded by the largest value, which is bounded by max.
type Reader struct {
	src    io.Reader
	buf    []byte
	pos    int // index of the next byte in buf
	base   int64
	max    int
	srcErr error      // what the source ended with; io.EOF where it ended well
	full   bool       // the last read filled the buffer
	cache  *nameCache // of the records so far
}

// NewReader returns a Reader of the values in src, of at most max bytes each.
func NewReader(src io.Reader, max int) *Reader {
	return &Reader{src: src, buf: make([]byte, 0, minBuffer), max: max}
}

// ReaderOf returns a Reader of the values in text. They are parts of text and
// stay valid.
func ReaderOf(text []byte) *Reader {
	return &Reader{buf: text[:len(text):len(text)], max: len(text) + 1, srcErr: io.EOF}
}

// fill reads once more into the buffer and drops the bytes before keep.
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

// unexpectedEOF returns io.ErrUnexpectedEOF in the place of io.EOF: the source
// ended inside a value.
func unexpectedEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Peek skips white space and returns the next byte without taking it. At the end
// of the source it returns io.EOF.
func (r *Reader) Peek() (byte, error) {
	if r.pos < len(r.buf) && r.buf[r.pos] > ' ' {
		return r.buf[r.pos], nil
	}
	return r.skipToNext()
}

// skipToNext is Peek where white space or the end of the buffer comes first.
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

// NextIs reports whether the next byte is c. It is false where that byte was not
// read yet.
func (r *Reader) NextIs(c byte) bool { return r.pos < len(r.buf) && r.buf[r.pos] == c }

// Delim takes the delimiter c, which must come next.
func (r *Reader) Delim(c byte) error {
	got, err := r.Peek()
	if err != nil {
		return unexpectedEOF(err)
	}
	if got != c {
		return r.SyntaxError("expected " + string(c))
	}
	r.pos++
	return nil
}

// More takes the comma behind an element of an array, or the end of the array,
// and reports whether another element follows.
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
		return false, r.SyntaxError("expected a comma or ]")
	}
	r.pos++
	return c == ',', nil
}

// SyntaxError returns a *SyntaxError for the next byte.
func (r *Reader) SyntaxError(what string) error {
	return &SyntaxError{Offset: r.base + int64(r.pos), Message: what}
}

// Value takes the next value. It is valid until the next call.
func (r *Reader) Value() (Value, error) {
	if _, err := r.Peek(); err != nil {
		return nil, unexpectedEOF(err)
	}
	return r.take(nil)
}

// Record takes the next value, which must be an object, into rec and reuses the
// memory of rec. The record is valid until the next call.
func (r *Reader) Record(rec *Record) error {
	if !r.NextIs('{') {
		if c, err := r.Peek(); err != nil {
			return unexpectedEOF(err)
		} else if c != '{' {
			return r.SyntaxError("expected an object")
		}
	}
	raw, err := r.take(rec)
	rec.raw = raw
	return err
}

// take takes the value at pos. Where rec is given, the value is an object whose
// fields go into rec.
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
					break // scan once more, now that nothing follows
				}
				return nil, unexpectedEOF(err)
			}
		}
	}
}

// Text takes a string, such as the name of a member, and returns its content.
func (r *Reader) Text() (string, error) {
	if c, err := r.Peek(); err != nil {
		return "", unexpectedEOF(err)
	} else if c != '"' {
		return "", r.SyntaxError("expected a name in quotes")
	}
	v, err := r.Value()
	return v.Text(), err
}

// End returns an error unless only white space is left.
func (r *Reader) End() error {
	switch _, err := r.Peek(); err {
	case io.EOF:
		return nil
	case nil:
		return r.SyntaxError("unexpected text after the answer")
	default:
		return err
	}
}

// Rest returns up to 4 KB that were read but not taken, for an error that shows
// how an unreadable answer begins.
func (r *Reader) Rest() []byte { return bytes.Clone(r.buf[r.pos:min(len(r.buf), r.pos+4096)]) }
