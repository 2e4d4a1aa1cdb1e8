// Package safetext makes untrusted text (of the service, a file, the command line) safe to show: a terminal or an editor shows
// escapes instead of executing control characters or hiding invisible ones. The whole program uses its two definitions. The
// characters of IsControl are escaped in every format, those for data too. Those of IsInvisible are escaped only in texts for
// people: tables, messages and the log of --debug, but not json, ndjson, yaml, csv and tsv, since invisible characters belong to
// the spelling of some languages and of emoji.
//
// AppendFormulaSafe makes text safe for spreadsheets.
package safetext

import (
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// IsControl reports whether r is a control character: C0, DEL, C1, or a character that
// changes the direction of writing. A terminal executes it instead of showing it.
func IsControl(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r < 0x061c:
		return false
	}
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// IsInvisible reports whether r breaks a line or takes no room on it, such as U+2028,
// spaces and joiners of no width, the byte-order mark and tag characters. Variation
// selectors, which change the look of the character before them, are not among these.
func IsInvisible(r rune) bool {
	return r >= 0xad && unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// SaysNothing reports whether a character is seen nowhere but at the end of a line that is broken. Copied texts often have such.
func SaysNothing(r rune) bool {
	const softHyphen, zeroWidthSpace, wordJoiner, byteOrderMark = '\u00ad', '\u200b', '\u2060', '\ufeff'
	return r == softHyphen || r == zeroWidthSpace || r == wordJoiner || r == byteOrderMark
}

// AppendUnicode appends r as \uXXXX, or as \UXXXXXXXX if it needs more digits.
func AppendUnicode(dst []byte, r rune) []byte {
	if r > 0xffff {
		return fmt.Appendf(dst, `\U%08x`, r)
	}
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// AppendEscaped appends a character as \t, \n, \r, \uXXXX or \UXXXXXXXX.
func AppendEscaped(dst []byte, r rune) []byte {
	switch r {
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	}
	return AppendUnicode(dst, r)
}

// Append appends s for people to read: control and invisible characters are escaped, and bytes that are not UTF-8 written in
// hexadecimal, such as \xff. It does not escape the characters in keep.
func Append(dst, s []byte, keep ...rune) []byte {
	return appendEscaped(dst, s, func(r rune) bool { return (IsControl(r) || IsInvisible(r)) && !slices.Contains(keep, r) })
}

// AppendData is Append for data that programs read: it does not escape invisible characters.
func AppendData(dst, s []byte, keep ...rune) []byte {
	return appendEscaped(dst, s, func(r rune) bool { return IsControl(r) && !slices.Contains(keep, r) })
}

func appendEscaped(dst, s []byte, unsafe func(rune) bool) []byte {
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
		case unsafe(r):
			dst = append(dst, s[start:i]...)
			dst = AppendEscaped(dst, r)
			start = i + n
		}
		i += n
	}
	return append(dst, s[start:]...)
}

// Escape returns s escaped as Append does.
func Escape(s string, keep ...rune) string {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return string(Append(nil, []byte(s), keep...))
		}
	}
	return s
}

// A Writer writes text to a terminal, escaped as Append does, except for line feeds and
// tabs. A character may be split over several calls of Write.
type Writer struct {
	w       io.Writer
	buf     []byte
	partial []byte // the first bytes of a character that the next Write completes
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes p escaped. It holds back the first bytes of a character that p cuts off, until the next Write or Flush.
func (t *Writer) Write(p []byte) (int, error) {
	text := p
	if len(t.partial) > 0 {
		text = append(t.partial, p...)
	}
	end := len(text)
	for i := len(text) - 1; i >= 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				end = i
			}
			break
		}
	}
	t.buf = Append(t.buf[:0], text[:end], '\n', '\t')
	t.partial = append([]byte(nil), text[end:]...)
	if _, err := t.w.Write(t.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes the bytes that Write holds back. It is called after the last Write.
func (t *Writer) Flush() error {
	t.buf = Append(t.buf[:0], t.partial)
	t.partial = nil
	if len(t.buf) == 0 {
		return nil
	}
	_, err := t.w.Write(t.buf)
	return err
}
