package record

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// MaxDepth is how deep arrays and objects may nest. The service's own records
// nest three levels; what is far beyond that is not worth a stack.
const MaxDepth = 512

// errShort says that the bytes at hand end inside a value.
var errShort = errors.New("value goes on")

// A SyntaxError is the first byte at which the text is no JSON.
type SyntaxError struct {
	Offset int64
	What   string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not valid JSON at byte %d: %s", e.Offset, e.What)
}

// scanner validates one value in b, which is all there is when final is set.
type scanner struct {
	b     []byte
	final bool
}

func (s *scanner) fail(i int, what string) (int, error) {
	return i, &SyntaxError{Offset: int64(i), What: what}
}

// short is the answer at the end of b: more may come, or the text is cut.
func (s *scanner) short() (int, error) { return len(s.b), errShort }

func (s *scanner) space(i int) int {
	for i < len(s.b) {
		switch s.b[i] {
		case ' ', '\n', '\t', '\r':
			i++
		default:
			return i
		}
	}
	return i
}

// value returns the index behind the value that begins at i.
func (s *scanner) value(i, depth int) (int, error) {
	if i >= len(s.b) {
		return s.short()
	}
	switch c := s.b[i]; {
	case c == '"':
		end, _, err := s.str(i)
		return end, err
	case c == '{':
		return s.object(i, depth, nil)
	case c == '[':
		return s.array(i, depth)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(i)
	case c == 't':
		return s.word(i, "true")
	case c == 'f':
		return s.word(i, "false")
	case c == 'n':
		return s.word(i, "null")
	default:
		return s.fail(i, "a value was expected")
	}
}

func (s *scanner) word(i int, w string) (int, error) {
	for k := 0; k < len(w); k++ {
		if i+k >= len(s.b) {
			return s.short()
		}
		if s.b[i+k] != w[k] {
			return s.fail(i+k, "a value was expected")
		}
	}
	return i + len(w), nil
}

func (s *scanner) number(i int) (int, error) {
	b := s.b
	if b[i] == '-' {
		i++
	}
	if i >= len(b) {
		return s.short()
	}
	switch {
	case b[i] == '0':
		i++
	case b[i] >= '1' && b[i] <= '9':
		i = digits(b, i)
	default:
		return s.fail(i, "a digit was expected")
	}
	if i < len(b) && b[i] == '.' {
		start := i + 1
		if i = digits(b, start); i == start {
			if i >= len(b) {
				return s.short()
			}
			return s.fail(i, "a digit was expected")
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		start := i
		if i = digits(b, start); i == start {
			if i >= len(b) {
				return s.short()
			}
			return s.fail(i, "a digit was expected")
		}
	}
	if i >= len(b) && !s.final {
		return s.short()
	}
	return i, nil
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

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

func (s *scanner) array(i, depth int) (int, error) {
	if depth >= MaxDepth {
		return s.fail(i, "nested too deep")
	}
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
			return s.short()
		}
		switch s.b[i] {
		case ',':
			i = s.space(i + 1)
		case ']':
			return i + 1, nil
		default:
			return s.fail(i, "a comma or ] was expected")
		}
	}
}

// object returns the index behind the object that begins at i. Where rec is
// given, its fields are noted there.
func (s *scanner) object(i, depth int, rec *Record) (int, error) {
	if depth >= MaxDepth {
		return s.fail(i, "nested too deep")
	}
	start := i
	i = s.space(i + 1)
	if i < len(s.b) && s.b[i] == '}' {
		return i + 1, nil
	}
	for {
		if i >= len(s.b) {
			return s.short()
		}
		if s.b[i] != '"' {
			return s.fail(i, "a name in quotes was expected")
		}
		key := i
		keyEnd, keyMarks, err := s.str(i)
		if err != nil {
			return keyEnd, err
		}
		i = s.space(keyEnd)
		if i >= len(s.b) {
			return s.short()
		}
		if s.b[i] != ':' {
			return s.fail(i, "a colon was expected")
		}
		i = s.space(i + 1)
		if i >= len(s.b) {
			return s.short()
		}
		val := i
		var marks uint8
		if s.b[i] == '"' {
			i, marks, err = s.str(i)
		} else {
			i, err = s.value(i, depth+1)
		}
		if err != nil {
			return i, err
		}
		if rec != nil {
			rec.fields = append(rec.fields, field{key - start, keyEnd - start, val - start, i - start, keyMarks, marks})
		}
		i = s.space(i)
		if i >= len(s.b) {
			return s.short()
		}
		switch s.b[i] {
		case ',':
			i = s.space(i + 1)
		case '}':
			return i + 1, nil
		default:
			return s.fail(i, "a comma or } was expected")
		}
	}
}
