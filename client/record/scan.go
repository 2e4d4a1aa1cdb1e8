package record

import (
	"errors"
	"fmt"
)

// MaxDepth is how deep arrays and objects may nest. The service's own records
// nest three levels; what is far beyond that is not worth a stack.
const MaxDepth = 512

// errIncomplete says that the bytes at hand end inside a value.
var errIncomplete = errors.New("value goes on")

// A SyntaxError is the first byte at which the text is no JSON.
type SyntaxError struct {
	Offset  int64
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not valid JSON at byte %d: %s", e.Offset, e.Message)
}

// scanner validates one value in b, which is all there is when final is set.
type scanner struct {
	b     []byte
	final bool
	marks Marks // of all that was scanned
}

func (s *scanner) fail(i int, what string) (int, error) {
	return i, &SyntaxError{Offset: int64(i), Message: what}
}

// incomplete is the answer at the end of b: more may come, or the text is cut.
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

// value returns the index behind the value that begins at i.
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
		return s.fail(i, "a value was expected")
	}
}

func (s *scanner) literal(i int, w string) (int, error) {
	for k := 0; k < len(w); k++ {
		if i+k >= len(s.b) {
			return s.incomplete()
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
		return s.incomplete()
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
				return s.incomplete()
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
				return s.incomplete()
			}
			return s.fail(i, "a digit was expected")
		}
	}
	if i >= len(b) && !s.final {
		return s.incomplete()
	}
	return i, nil
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
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
			return s.incomplete()
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

func (s *scanner) object(i, depth int) (int, error) {
	if depth >= MaxDepth {
		return s.fail(i, "nested too deep")
	}
	i = s.space(i + 1)
	if i < len(s.b) && s.b[i] == '}' {
		return i + 1, nil
	}
	for {
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

// name returns the index behind the name in quotes that begins at i.
func (s *scanner) name(i int) (int, Marks, error) {
	if i < len(s.b) && s.b[i] != '"' {
		i, err := s.fail(i, "a name in quotes was expected")
		return i, 0, err
	}
	return s.stringEnd(i)
}

// colon returns the index of the value behind the name that ends at i.
func (s *scanner) colon(i int) (int, error) {
	i = s.space(i)
	if i >= len(s.b) {
		return s.incomplete()
	}
	if s.b[i] != ':' {
		return s.fail(i, "a colon was expected")
	}
	return s.space(i + 1), nil
}

// next returns the index of the name behind the value that ends at i, or, with
// more unset, the index behind the object.
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
		i, err = s.fail(i, "a comma or } was expected")
	}
	return i, false, err
}
