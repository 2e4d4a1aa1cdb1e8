package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"
)

// MaxDepth is how deep arrays and objects may nest, so that no response exhausts the
// stack. The records of the service nest three levels deep.
const MaxDepth = 512

// MaxMembers is how many members an object may have, since the index of a record takes
// many times the room of a short member. The records of the service have about twenty.
const MaxMembers = 1_000_000

// errIncomplete is the error of a value that goes on behind the end of the text.
var errIncomplete = errors.New("value goes on")

// A scanner validates JSON. Its methods take the index in b at which they begin to
// scan, and return the index behind what they scanned.
type scanner struct {
	b     []byte
	final bool  // nothing follows b; otherwise, a number at the end of b may go on
	marks Marks // the marks of everything that was scanned
}

func (s *scanner) fail(i int, what string) (int, error) {
	return i, &SyntaxError{Offset: int64(i), Message: what}
}

// refuse is fail for valid JSON that goes beyond a limit.
func (s *scanner) refuse(i int, what string) (int, error) {
	return i, &SyntaxError{Offset: int64(i), Message: what, Valid: true}
}

// incomplete is the result of a scan that reaches the end of b inside a value.
func (s *scanner) incomplete() (int, error) { return len(s.b), errIncomplete }

func (s *scanner) space(i int) int {
	if i < len(s.b) && s.b[i] > ' ' {
		return i
	}
	return s.skipSpace(i)
}

func (s *scanner) skipSpace(i int) int {
	for i < len(s.b) {
		switch s.b[i] {
		case ' ', '\n', '\t', '\r':
			s.marks |= MarkSpace
			i++
		default:
			return i
		}
	}
	return i
}

func (s *scanner) value(i, depth int) (int, error) {
	if i >= len(s.b) {
		return s.incomplete()
	}
	switch c := s.b[i]; {
	case c == '"':
		end, _, err := s.stringEnd(i)
		return end, err
	case c == '{':
		return s.object(i, depth)
	case c == '[':
		return s.array(i, depth)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(i)
	case c == 't':
		return s.literal(i, "true")
	case c == 'f':
		return s.literal(i, "false")
	case c == 'n':
		return s.literal(i, "null")
	default:
		return s.fail(i, "expected a value")
	}
}

func (s *scanner) literal(i int, w string) (int, error) {
	for k := 0; k < len(w); k++ {
		if i+k >= len(s.b) {
			return s.incomplete()
		}
		if s.b[i+k] != w[k] {
			return s.fail(i+k, "expected a value")
		}
	}
	return i + len(w), nil
}

func (s *scanner) number(i int) (_ int, err error) {
	b := s.b
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if i, err = s.digits(i); err != nil {
		return i, err
	}
	if i < len(b) && b[i] == '.' {
		if i, err = s.digits(i + 1); err != nil {
			return i, err
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if i, err = s.digits(i); err != nil {
			return i, err
		}
	}
	if i >= len(b) && !s.final {
		return s.incomplete()
	}
	return i, nil
}

func (s *scanner) digits(i int) (int, error) {
	end := digits(s.b, i)
	switch {
	case end > i:
		return end, nil
	case i >= len(s.b):
		return s.incomplete()
	}
	return s.fail(i, "expected a digit")
}

// digits returns the index of the first byte from i on that is no digit.
func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func (s *scanner) array(i, depth int) (int, error) {
	if depth >= MaxDepth {
		return s.refuse(i, "nested too deeply")
	}
	s.marks |= MarkNested
	i = s.space(i + 1)
	if i < len(s.b) && s.b[i] == ']' {
		return i + 1, nil
	}
	for {
		end, err := s.value(i, depth+1)
		if err != nil {
			return end, err
		}
		i = s.space(end)
		if i >= len(s.b) {
			return s.incomplete()
		}
		switch s.b[i] {
		case ',':
			i = s.space(i + 1)
		case ']':
			return i + 1, nil
		default:
			return s.fail(i, "expected a comma or ]")
		}
	}
}

func (s *scanner) object(i, depth int) (int, error) {
	if depth >= MaxDepth {
		return s.refuse(i, "nested too deeply")
	}
	s.marks |= MarkNested
	i = s.space(i + 1)
	if i < len(s.b) && s.b[i] == '}' {
		return i + 1, nil
	}
	for n := 0; ; n++ {
		if n == MaxMembers {
			return s.refuse(i, "an object with too many members")
		}
		end, _, err := s.name(i)
		if err == nil {
			end, err = s.colon(end)
		}
		if err == nil {
			end, err = s.value(end, depth+1)
		}
		if err != nil {
			return end, err
		}
		var more bool
		if i, more, err = s.next(end); err != nil || !more {
			return i, err
		}
	}
}

// name scans the name of a member that begins at i and returns its marks.
func (s *scanner) name(i int) (int, Marks, error) {
	if i < len(s.b) && s.b[i] != '"' {
		i, err := s.fail(i, "expected a name in quotes")
		return i, 0, err
	}
	return s.stringEnd(i)
}

func (s *scanner) colon(i int) (int, error) {
	i = s.space(i)
	if i >= len(s.b) {
		return s.incomplete()
	}
	if s.b[i] != ':' {
		return s.fail(i, "expected a colon")
	}
	return s.space(i + 1), nil
}

// next scans the comma or brace behind the value that ends at i. After a comma, more is true and next returns the index of the
// next name; after a brace, it returns the index behind the object.
func (s *scanner) next(i int) (_ int, more bool, err error) {
	i = s.space(i)
	switch {
	case i >= len(s.b):
		i, err = s.incomplete()
	case s.b[i] == ',':
		return s.space(i + 1), true, nil
	case s.b[i] == '}':
		return i + 1, false, nil
	default:
		i, err = s.fail(i, "expected a comma or }")
	}
	return i, false, err
}

// record scans the object that begins at i and stores its fields in rec. It has a
// fast path for the records of a list: see plainMembers.
func (s *scanner) record(i, depth int, rec *Record) (int, error) {
	b, start := s.b, i
	i = s.space(i + 1)
	if i < len(b) && b[i] == '}' {
		rec.finish(s, 0)
		return i + 1, nil
	}
	known, fields := rec.cache.cached(), rec.fields[:cap(rec.fields)]
	for n := 0; ; n++ {
		var done bool
		if n, i, done = s.plainMembers(i, start, n, known, fields); done {
			rec.fields = fields[:n]
			rec.finish(s, n)
			return i, nil
		}
		if n == MaxMembers {
			return s.refuse(i, "an object with too many members")
		}
		if n == len(fields) {
			fields = append(fields, field{})
			fields = fields[:cap(fields)]
		}
		f := &fields[n] // filled in place: copying a field takes as long as scanning it
		var end int
		var marks Marks
		if n < len(known) && len(known[n].quoted) > 0 && bytes.HasPrefix(b[i:], known[n].quoted) {
			end, marks = i+len(known[n].quoted), known[n].marks
			s.marks |= marks
		} else {
			var err error
			if end, marks, err = s.name(i); err != nil {
				return end, err
			}
			rec.cache.set(n, b[i:end], marks)
		}
		f.key, f.keyEnd, f.keyMarks = uint32(i-start), uint32(end-start), marks
		i = end + 1
		if i >= len(b) || b[end] != ':' || b[i] <= ' ' {
			var err error
			if i, err = s.colon(end); err != nil {
				return i, err
			}
		}
		before := s.marks
		s.marks = 0
		end, err := s.value(i, depth+1)
		if err != nil {
			return end, err
		}
		marks, s.marks = s.marks, before|s.marks
		f.val, f.end, f.marks = uint32(i-start), uint32(end-start), marks
		i = end + 1
		if i < len(b) && b[end] == ',' && b[i] > ' ' {
			continue
		}
		var more bool
		if i, more, err = s.next(end); err != nil {
			return i, err
		}
		if !more {
			rec.fields = fields[:n+1]
			rec.finish(s, n+1)
			return i, nil
		}
	}
}

// plainMembers scans the members from i on, the first of which is field n, that have the names of the record before, in the
// same order, values that are strings without marks or short whole numbers, and no white space. It calls no function, so
// that all it needs stays in registers. It returns the number of fields so far and the index of the next member or, if done
// is true, that behind the object.
func (s *scanner) plainMembers(i, start, n int, known []cachedName, fields []field) (_, next int, done bool) {
	b := s.b
	for ; n < len(known) && n < len(fields); n++ {
		k := &known[n]
		last := len(k.words) - 1
		if last < 0 || i+8*len(k.words) > len(b) {
			return n, i, false
		}
		differ := (binary.LittleEndian.Uint64(b[i+8*last:]) ^ k.words[last]) & k.lastMask
		for w, word := range k.words[:last] {
			differ |= binary.LittleEndian.Uint64(b[i+8*w:]) ^ word
		}
		val := i + len(k.quoted) + len(":")
		end := val + 1
		if differ != 0 || end+8 > len(b) {
			return n, i, false
		}
		switch c := b[val]; {
		case c == '"':
			stop := uint64(0)
			for ; stop == 0 && end+8 <= len(b); end += 8 {
				stop = marked(binary.LittleEndian.Uint64(b[end:]))
			}
			end += bits.TrailingZeros64(stop)>>3 - 8
			if stop == 0 || b[end] != '"' {
				return n, i, false
			}
			end++
		case c >= '1' && c <= '9':
			x := binary.LittleEndian.Uint64(b[end:]) ^ lowBits*'0' // digits become 0 to 9
			end += bits.TrailingZeros64((x|(x+lowBits*(0x80-10)))&highBits) >> 3
		case c != '0':
			return n, i, false
		}
		isLast := end < len(b) && b[end] == '}'
		if !isLast && (end+1 >= len(b) || b[end] != ',' || b[end+1] <= ' ') {
			return n, i, false
		}
		f := &fields[n]
		f.key, f.keyEnd, f.keyMarks = uint32(i-start), uint32(val-1-start), 0
		f.val, f.end, f.marks = uint32(val-start), uint32(end-start), 0
		if i = end + 1; isLast {
			return n + 1, i, true
		}
	}
	return n, i, false
}

// marked returns a word with the high bit set for the first byte of x that ends a string or needs a mark.
func marked(x uint64) uint64 {
	comma := x ^ lowBits*','
	return (notPlain(x) | (comma-lowBits)&^comma | (x + lowBits)) & highBits // x+1 has the high bit of DEL
}

// stringEnd scans the string that begins at i and returns its marks.
func (s *scanner) stringEnd(i int) (int, Marks, error) {
	b := s.b
	var marks Marks
	for i++; i < len(b); i++ {
		// Eight bytes at a time, up to the first that needs a closer look.
		for i+8 <= len(b) {
			if stop := marked(binary.LittleEndian.Uint64(b[i:])); stop != 0 {
				i += bits.TrailingZeros64(stop) >> 3
				break
			}
			i += 8
		}
		if i >= len(b) {
			break
		}
		switch c := b[i]; {
		case c == '"':
			s.marks |= marks
			return i + 1, marks, nil
		case c == '\\':
			marks |= MarkEscape
			end, err := s.escape(i)
			if err != nil {
				return end, marks, err
			}
			i = end - 1
		case c < 0x20:
			end, err := s.fail(i, "control character in a string")
			return end, marks, err
		case c >= 0x7f:
			marks |= MarkNonASCII
		case c == ',':
			marks |= MarkComma
		}
	}
	return len(b), marks, errIncomplete
}

func (s *scanner) escape(i int) (int, error) {
	if i+1 >= len(s.b) {
		return s.incomplete()
	}
	switch s.b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
		for k := i + 2; k < i+6; k++ {
			if k >= len(s.b) {
				return s.incomplete()
			}
			if _, ok := unhex(s.b[k]); !ok {
				return s.fail(k, "expected a hexadecimal digit")
			}
		}
		return i + 6, nil
	}
	return s.fail(i+1, "unknown escape")
}

func unhex(c byte) (rune, bool) {
	i := strings.IndexByte("0123456789abcdefABCDEF", c)
	if i >= 16 {
		i -= 6
	}
	return rune(i), i >= 0
}
