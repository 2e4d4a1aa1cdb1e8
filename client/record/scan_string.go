package record

import "encoding/binary"

// special marks a string that holds a backslash, a comma, DEL or a byte beyond
// ASCII: writers copy all others as they are.
const special = 1

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeros flags the bytes of x that are zero; a flag behind the first true one
// may be false, which costs only a slower step.
func zeros(x uint64) uint64 { return (x - ones) & ^x & highs }

// str returns the index behind the string that begins at i and its marks.
func (s *scanner) str(i int) (int, uint8, error) {
	b := s.b
	var marks uint8
	i++
	for {
		// Eight bytes at a time while nothing in them needs a look.
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			stop := x&highs | zeros(x^ones*'"') | zeros(x^ones*'\\') | zeros(x^ones*',') | zeros(x^ones*0x7f) | (x-ones*0x20)&^x&highs
			if stop != 0 {
				break
			}
			i += 8
		}
		if i >= len(b) {
			return len(b), marks, errShort
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, marks, nil
		case c == '\\':
			marks |= special
			end, err := s.escape(i)
			if err != nil {
				return end, marks, err
			}
			i = end
		case c < 0x20:
			end, err := s.fail(i, "a control character in a string")
			return end, marks, err
		default:
			if c >= 0x7f || c == ',' {
				marks |= special
			}
			i++
		}
	}
}

func (s *scanner) escape(i int) (int, error) {
	if i+1 >= len(s.b) {
		return s.short()
	}
	switch s.b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
		for k := i + 2; k < i+6; k++ {
			if k >= len(s.b) {
				return s.short()
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
