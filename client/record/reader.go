package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge is the error of a value that is larger than the Reader's limit.
var ErrTooLarge = errors.New("a value is too large")

// A SyntaxError says that a text is not valid JSON, or not the JSON that was expected.
type SyntaxError struct {
	Offset  int64 // the number of bytes before the invalid one
	Message string
	Valid   bool // the text is valid JSON so far, but has another value than expected, or too many members or levels
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Message)
}

const (
	// The size of the buffer, in bytes. It starts small, since most responses are small, and grows to maxBuffer once reads fill
	// it: a large one saves waiting for the service. Only a value that is larger makes it grow further.
	minBuffer = 16 << 10
	maxBuffer = 512 << 10
	// maxRescan is the size, in bytes, up to which an incomplete value is scanned again after every read. A larger value is
	// scanned again only when it has grown by a quarter: otherwise the time for a value that arrives in small pieces would grow
	// with the square of its size.
	maxRescan = 64 << 10
)

// A Reader reads JSON values from a stream, one after another. Its memory is bounded by the size of the largest value.
type Reader struct {
	src    io.Reader
	buf    []byte
	pos    int   // the index of the next byte in buf
	base   int64 // the offset of buf in the stream
	max    int   // the largest size of a value, in bytes
	srcErr error // the error with which the source ended; io.EOF at its regular end
	full   bool  // the last read filled the buffer
	line   int   // the line of buf[lined], from 1; 0 before the first call of Line
	lined  int
	cache  *nameCache // the field names of the last record
}

// NewReader returns a Reader of the values in src. A value that is longer than max bytes is the error ErrTooLarge.
func NewReader(src io.Reader, max int) *Reader {
	return &Reader{src: src, buf: make([]byte, 0, minBuffer), max: max}
}

// ReaderOf returns a Reader of the values in text. The values are parts of text and stay valid.
func ReaderOf(text []byte) *Reader {
	return &Reader{buf: text[:len(text):len(text)], max: len(text) + 1, srcErr: io.EOF}
}

// fill drops the first keep bytes of the buffer and reads more bytes into it.
func (r *Reader) fill(keep int) error {
	if r.srcErr != nil {
		return r.srcErr
	}
	if keep > 0 {
		if r.line > 0 {
			r.Line()
			r.lined = 0
		}
		r.base += int64(keep)
		r.pos -= keep
		r.buf = r.buf[:copy(r.buf, r.buf[keep:])]
	}
	if len(r.buf) == cap(r.buf) || r.full && cap(r.buf) < maxBuffer {
		bigger := make([]byte, len(r.buf), max(maxBuffer, 2*cap(r.buf)))
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

// UnexpectedEOF returns io.ErrUnexpectedEOF for io.EOF, and every other error as it
// is. Inside a value, io.EOF means that the source was cut off.
func UnexpectedEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Peek skips white space and returns the next byte without reading past it. At the end of the source the error is io.EOF.
func (r *Reader) Peek() (byte, error) {
	if r.pos < len(r.buf) && r.buf[r.pos] > ' ' {
		return r.buf[r.pos], nil
	}
	return r.skipToNext()
}

// skipToNext is Peek for white space or the end of the buffer.
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

// Delim reads the delimiter c, which must come next.
func (r *Reader) Delim(c byte) error {
	got, err := r.Peek()
	if err != nil {
		return UnexpectedEOF(err)
	}
	if got != c {
		return &SyntaxError{Offset: r.offset(), Message: "expected " + string(c), Valid: c == '{' && r.holdsValue()}
	}
	r.pos++
	return nil
}

// Array reads an array, which must come next. It calls element to read each of its elements.
func (r *Reader) Array(element func() error) error { return r.each('[', ']', element) }

// Object reads an object, which must come next. It calls member to read the value behind each of its names.
func (r *Reader) Object(member func(name string) error) error {
	return r.each('{', '}', func() error {
		if c, err := r.Peek(); err == nil && c != '"' {
			return r.SyntaxError("expected a name in quotes")
		}
		name, err := r.Value()
		text := name.Text() // before the next call overwrites it
		if err == nil {
			err = r.Delim(':')
		}
		if err == nil {
			err = member(text)
		}
		return err
	})
}

// each reads what is between two brackets. It calls read for each of the parts that commas divide.
func (r *Reader) each(begin, end byte, read func() error) error {
	if err := r.Delim(begin); err != nil {
		return err
	}
	if c, err := r.Peek(); err == nil && c == end {
		return r.Delim(end)
	}
	for {
		if err := read(); err != nil {
			return err
		}
		c, err := r.Peek()
		switch {
		case err != nil:
			return UnexpectedEOF(err)
		case c != ',' && c != end:
			return r.SyntaxError("expected a comma or " + string(end))
		}
		if r.pos++; c == end {
			return nil
		}
	}
}

func (r *Reader) offset() int64 { return r.base + int64(r.pos) }

// Line returns the line of the next byte. The Reader counts lines from its first call on.
func (r *Reader) Line() int {
	r.line = max(r.line, 1) + bytes.Count(r.buf[r.lined:r.pos], []byte("\n"))
	r.lined = r.pos
	return r.line
}

// LineOf returns the line of a *SyntaxError that the last call returned.
func (r *Reader) LineOf(err *SyntaxError) int {
	return r.Line() + bytes.Count(r.buf[r.pos:err.Offset-r.base], []byte("\n"))
}

// SyntaxError returns a *SyntaxError at the next byte.
func (r *Reader) SyntaxError(what string) error {
	return &SyntaxError{Offset: r.offset(), Message: what}
}

// holdsValue reports whether a JSON value is next, or, at the end of the buffer, the beginning of one.
func (r *Reader) holdsValue() bool {
	s := scanner{b: r.buf}
	end, err := s.value(r.pos, 1)
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		return syntax.Valid
	} else if err != nil {
		return true
	}
	end = s.space(end)
	return end == len(s.b) || s.b[end] == ',' || s.b[end] == ']'
}

// Value reads the next value. The value is valid until the next call of a method.
func (r *Reader) Value() (Value, error) {
	if _, err := r.Peek(); err != nil {
		return nil, UnexpectedEOF(err)
	}
	return r.take(nil)
}

// Record reads the next value, which must be an object, into rec, whose memory it
// reuses. The record is valid until the next call of a method.
func (r *Reader) Record(rec *Record) error {
	if c, err := r.Peek(); err != nil {
		return UnexpectedEOF(err)
	} else if c != '{' {
		return &SyntaxError{Offset: r.offset(), Message: "expected an object", Valid: r.holdsValue()}
	}
	raw, err := r.take(rec)
	rec.raw = raw
	return err
}

// take reads the value that begins at pos. If rec is not nil, the value is an object, and its fields are stored in rec.
func (r *Reader) take(rec *Record) (Value, error) {
	for {
		s := scanner{b: r.buf, final: r.srcErr == io.EOF}
		var end int
		var err error
		if rec != nil {
			if r.cache == nil {
				r.cache = &nameCache{}
			}
			if rec.index == nil {
				rec.index = &index{}
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
		if syntax, ok := errors.AsType[*SyntaxError](err); ok {
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
					break // scan once more: the end of the source may complete a number
				}
				return nil, UnexpectedEOF(err)
			}
		}
	}
}

// End returns an error if anything but white space follows.
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

// Rest returns a copy of up to 4 KB from the next byte on, as far as they are in the
// buffer. Errors show it as the beginning of an unreadable response.
func (r *Reader) Rest() []byte { return bytes.Clone(r.buf[r.pos:min(len(r.buf), r.pos+4096)]) }
