package record

import (
	"encoding/binary"
	"slices"
	"strings"
)

// IsPlain reports whether text consists of ASCII characters that need no escape in a JSON string.
func IsPlain[T string | []byte](text T) bool {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		t := text[i : i+8]
		x := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56 // one load
		if notPlain(x)&highBits != 0 {
			return false
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c >= 0x80 || c == '"' || c == '\\' || c < 0x20 {
			return false
		}
	}
	return true
}

// IsCommon reports whether text is plain, and has no apostrophe, no semicolon, and none of the last ASCII characters: braces, the
// bar, the tilde and the delete character.
func IsCommon(text string) bool {
	if len(text) < 8 {
		return IsPlain(text) && !strings.ContainsAny(text, "';{|}~\x7f")
	}
	for i := 0; i < len(text); i += 8 {
		i := min(i, len(text)-8) // the last eight bytes may overlap the eight before
		t := text[i : i+8]
		x := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56 // one load
		if (notPlain(x)|zeroBytes(x^lowBits*'\'')|zeroBytes(x^lowBits*';')|(x+lowBits*(0x80-'{')))&highBits != 0 {
			return false
		}
	}
	return true
}

// AppendLower appends the text of a string in lower case, eight bytes at a time, and reports whether it could. It appends nothing
// for a string that is not ASCII, has escapes, is shorter than eight bytes, begins or ends with a space, or has two spaces side
// by side.
func (v Value) AppendLower(dst []byte) ([]byte, bool) {
	if v.Kind() != String || len(v) < 2+8 {
		return dst, false
	}
	text := v[1 : len(v)-1]
	if text[0] == ' ' || text[len(text)-1] == ' ' {
		return dst, false
	}
	start := len(dst)
	dst = slices.Grow(dst, len(text))[:start+len(text)]
	last := byte(0)
	for i := 0; i < len(text); i += 8 {
		i := min(i, len(text)-8) // the last eight bytes may overlap the eight before
		x := binary.LittleEndian.Uint64(text[i:])
		spaces := zeroBytes(x ^ lowBits*' ')
		if x&highBits|zeroBytes(x^lowBits*'\\')|(x-lowBits*' ')&^x&highBits|spaces&(spaces<<8) != 0 || last == ' ' && byte(x) == ' ' {
			return dst[:start], false
		}
		last = byte(x >> 56)
		// capitals has the high bit of each byte from 'A' to 'Z'. A quarter of that bit
		// is the difference between a capital and a small letter.
		capitals := (x + lowBits*(0x80-'A')) &^ (x + lowBits*(0x7f-'Z')) & highBits
		binary.LittleEndian.PutUint64(dst[start+i:], x|capitals>>2)
	}
	return dst, true
}

// The lowest and the highest bit of each byte of a word.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// notPlain returns a word with the high bit set for each byte of x that is a quote, a backslash, a control character
// or beyond ASCII. As in zeroBytes, that of a byte behind the first of them may be set, too.
func notPlain(x uint64) uint64 {
	quote := x ^ lowBits*('"'^0x20) // the quote becomes the byte behind the control characters
	backslash := x ^ lowBits*'\\'
	return (quote-lowBits*0x21)&^quote | (backslash-lowBits)&^backslash | x
}

// zeroBytes returns a word with the high bit set for each byte of x that is zero. The bit of a byte behind the first zero byte
// may be set although the byte is not zero, which is harmless: callers then take the slower path.
func zeroBytes(x uint64) uint64 { return (x - lowBits) & ^x & highBits }
