package encode

import (
	"encoding/binary"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// Compact, given to AppendJSON as the depth, makes it write one line.
const Compact = -1

// AppendJSON appends valid JSON: on one line, or indented by two spaces for
// each level, the first level being at depth. Names, their order, numbers and
// strings stay as they are, but control characters become escapes.
//
// Arrays and objects that are nested deeper than maxIndent are on one line.
func AppendJSON(dst, v []byte, depth int) []byte { return appendJSON(dst, v, depth, nil) }

// appendJSON is AppendJSON, but drains the buffer as it grows.
func appendJSON(dst, v []byte, depth int, flush Flush) []byte {
	indented := depth != Compact
	for i := 0; i < len(v); {
		dst = flush.drain(dst)
		c := v[i]
		switch c {
		case '"':
			dst, i = appendString(dst, v, i, flush)
			continue
		case ' ', '\t', '\n', '\r':
			i++
			continue
		}
		i++
		switch {
		case !indented:
			dst = append(dst, c)
		case c == '{' || c == '[':
			dst = append(dst, c)
			if i = record.SkipSpace(v, i); v[i] == '}' || v[i] == ']' {
				dst = append(dst, v[i])
				i++
				continue
			}
			depth++
			dst = appendNewline(dst, depth)
		case c == '}' || c == ']':
			if depth--; depth < maxIndent {
				dst = appendNewline(dst, depth)
			}
			dst = append(dst, c)
		case c == ',':
			dst = appendNewline(append(dst, c), depth)
		case c == ':':
			dst = append(dst, ':', ' ')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// maxIndent is how many levels are indented, so that the spaces of a deeply nested
// value do not take many times the room of the value.
const maxIndent = 16

// appendNewline appends a line break and the indentation of depth levels, or nothing
// below maxIndent.
func appendNewline(dst []byte, depth int) []byte {
	if depth > maxIndent {
		return dst
	}
	return appendIndent(dst, 2*depth)
}

// Eight bytes of 0x01, and of 0x80.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// appendString appends the JSON string that begins at i, with its control
// characters escaped, and returns the index after it. It skips eight bytes at a
// time while none of them is a quote, a backslash, DEL or outside of ASCII.
func appendString(dst, v []byte, i int, flush Flush) ([]byte, int) {
	start := i
	i++
	for {
		for i+8 <= len(v) {
			x := binary.LittleEndian.Uint64(v[i:])
			end, slash, del := x^ones*'"', x^ones*'\\', x^ones*0x7f
			if (x|(end-ones)&^end|(slash-ones)&^slash|(del-ones)&^del)&highs != 0 {
				break
			}
			i += 8
		}
		switch c := v[i]; {
		case c == '"':
			return append(dst, v[start:i+1]...), i + 1
		case c == '\\':
			i += 2
		case c < 0x7f:
			i++
		default:
			r, n := utf8.DecodeRune(v[i:])
			if safetext.IsControl(r) || r == utf8.RuneError && n == 1 {
				dst = append(dst, v[start:i]...)
				dst = flush.drain(safetext.AppendUnicode(dst, r))
				start = i + n
			}
			i += n
		}
	}
}
