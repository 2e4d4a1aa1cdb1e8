package record

import (
	"encoding/binary"
	"math/bits"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// zeroBytes flags the bytes of x that are zero; a flag behind the first true one
// may be false, which costs only a slower step.
func zeroBytes(x uint64) uint64 { return (x - lowBits) & ^x & highBits }

// stringEnd returns the index behind the string that begins at i and its marks.
func (s *scanner) stringEnd(i int) (int, Marks, error) {
	b := s.b
	var marks Marks
	for i++; i < len(b); i++ {
		// Eight bytes at a time, to the first that needs a look.
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			stop := x&highBits | zeroBytes(x^lowBits*'"') | zeroBytes(x^lowBits*'\\') | zeroBytes(x^lowBits*',') | zeroBytes(x^lowBits*0x7f) | (x-lowBits*0x20)&^x&highBits
			if stop != 0 {
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
			end, err := s.fail(i, "a control character in a string")
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
				return s.fail(k, "a hexadecimal digit was expected")
			}
		}
		return i + 6, nil
	}
	return s.fail(i+1, "an unknown escape")
}

func unhex(c byte) (rune, bool) {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0'), true
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}
