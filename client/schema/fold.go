package schema

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"reseller/client/safetext"
)

// FoldText returns a text in NFC, case folded, without the characters that TrimSpace removes, without soft hyphens and the like,
// and with one space in place of other white space. Texts that differ only in these ways become equal.
func FoldText(text string) string { return string(AppendFolded([]byte(text), 0)) }

// AppendFolded folds the text that begins at b[start], as FoldText does, in place.
func AppendFolded(b []byte, start int) []byte {
	out := start
	for i := start; i < len(b); i++ {
		c := b[i]
		switch {
		case c >= utf8.RuneSelf: // fold the whole text again: folding a folded text changes nothing
			rest := bytes.TrimFunc(append(b[:out], b[i:]...)[start:], isSpace)
			if bytes.ContainsFunc(rest, safetext.SaysNothing) {
				rest = bytes.Map(func(r rune) rune {
					if safetext.SaysNothing(r) {
						return -1
					}
					return r
				}, rest)
			}
			folded := norm.NFC.Bytes(cases.Fold().Bytes(norm.NFC.Bytes(rest)))
			return append(b[:start], bytes.Join(bytes.Fields(folded), []byte(" "))...)
		case c == ' ' || '\t' <= c && c <= '\r':
			if out == start || b[out-1] == ' ' {
				continue
			}
			c = ' '
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		b[out] = c
		out++
	}
	if out > start && b[out-1] == ' ' {
		out--
	}
	return b[:out]
}
