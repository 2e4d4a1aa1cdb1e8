package output

import (
	"io"
	"slices"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// obeyed tells the characters that a terminal or an editor obeys instead of
// showing them: C0, DEL, C1, and those that turn the direction of writing.
func obeyed(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r < 0x061c:
		return false
	}
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// appendU writes r, which is no more than four digits long, as \uXXXX.
func appendU(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// appendVisible writes an obeyed character so that it can be seen.
func appendVisible(dst []byte, r rune) []byte {
	switch r {
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	}
	return appendU(dst, r)
}

// EscapeText appends s with control characters, directional overrides and
// bytes that are no UTF-8 written visibly as \n, \u001b or \xff. The
// characters of keep are left as they are.
func EscapeText(dst, s []byte, keep ...rune) []byte {
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(dst, s[start:i]...)
			dst = append(dst, '\\', 'x', hexDigits[s[i]>>4], hexDigits[s[i]&15])
			start = i + n
		case obeyed(r) && !slices.Contains(keep, r):
			dst = append(dst, s[start:i]...)
			dst = appendVisible(dst, r)
			start = i + n
		}
		i += n
	}
	return append(dst, s[start:]...)
}

// Escape is EscapeText for messages.
func Escape(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return string(EscapeText(nil, []byte(s)))
		}
	}
	return s
}

// TerminalWriter writes text to a terminal with all but line feeds and tabs
// escaped as EscapeText does.
type TerminalWriter struct {
	w       io.Writer
	buf     []byte
	pending []byte // the beginning of a character that goes on in the next Write
}

// NewTerminalWriter makes a TerminalWriter on w.
func NewTerminalWriter(w io.Writer) *TerminalWriter { return &TerminalWriter{w: w} }

// Write writes p, but holds back the beginning of a cut character.
func (t *TerminalWriter) Write(p []byte) (int, error) {
	text := p
	if len(t.pending) > 0 {
		text = append(t.pending, p...)
	}
	whole := len(text)
	for i := len(text) - 1; i >= 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				whole = i
			}
			break
		}
	}
	t.buf = EscapeText(t.buf[:0], text[:whole], '\n', '\t')
	t.pending = append([]byte(nil), text[whole:]...)
	if _, err := t.w.Write(t.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what Write holds back: the text ended inside a character.
func (t *TerminalWriter) Flush() error {
	t.buf = EscapeText(t.buf[:0], t.pending)
	t.pending = nil
	if len(t.buf) == 0 {
		return nil
	}
	_, err := t.w.Write(t.buf)
	return err
}
