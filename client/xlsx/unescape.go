package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// maxEntity is the maximum length of a reference to a character, such as &#x10FFFF;.
const maxEntity = 16

// unescaped returns the value of an attribute with the characters that its references
// name.
func unescaped(value []byte) (string, error) {
	if !utf8.Valid(value) {
		return "", errors.New("it is not valid UTF-8")
	}
	text, err := appendUnescaped(nil, value)
	return string(text), err
}

func appendUnescaped(dst, text []byte) ([]byte, error) {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return appendLines(dst, text), nil
		}
		dst = appendLines(dst, text[:i])
		text = text[i+1:]
		end := bytes.IndexByte(text[:min(len(text), maxEntity)], ';')
		if end < 0 {
			return dst, errors.New("it has a & that begins no reference")
		}
		r, ok := referred(string(text[:end]))
		if !ok {
			return dst, fmt.Errorf("it refers to the entity %q, which XML does not have", text[:end])
		}
		dst = utf8.AppendRune(dst, r)
		text = text[end+1:]
	}
}

// appendLines appends a text whose line ends are CR LF or CR, which XML reads as LF.
func appendLines(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\r')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:i]...), '\n')
		if text = text[i+1:]; len(text) > 0 && text[0] == '\n' {
			text = text[1:]
		}
	}
}

func referred(name string) (rune, bool) {
	if i := slices.Index([]string{"lt", "gt", "amp", "quot", "apos"}, name); i >= 0 {
		return rune(`<>&"'`[i]), true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	return rune(n), err == nil && n > 0 && n <= utf8.MaxRune && utf8.ValidRune(rune(n))
}
