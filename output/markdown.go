package output

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// markdown writes a pipe table.
type markdown struct {
	columns  []column
	noHeader bool
	scratch  []byte
}

func (e *markdown) begin(dst []byte) []byte {
	if e.noHeader || len(e.columns) == 0 {
		return dst
	}
	dst = append(dst, '|')
	for _, c := range e.columns {
		dst = append(appendMarkdown(append(dst, ' '), []byte(c.name)), " |"...)
	}
	dst = append(dst, "\n|"...)
	for range e.columns {
		dst = append(dst, " --- |"...)
	}
	return append(dst, '\n')
}

func (e *markdown) end(dst []byte) ([]byte, error) { return dst, nil }

func (e *markdown) record(dst []byte, rec record.Record) ([]byte, error) {
	dst = append(dst, '|')
	for i := range e.columns {
		v, _ := e.columns[i].get(&rec)
		e.scratch = e.columns[i].appendShown(e.scratch[:0], v)
		dst = append(appendMarkdown(append(dst, ' '), e.scratch), " |"...)
	}
	return append(dst, '\n'), nil
}

// appendMarkdown writes text so that a reader of Markdown shows its very
// characters: no formatting, no HTML, no link, not even one that GitHub makes
// of a bare address.
func appendMarkdown(dst, s []byte) []byte {
	before := ' '
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRune(s[i:])
		rest := s[i+n:]
		switch {
		case safetext.IsControl(r):
			dst = safetext.AppendEscaped(dst, r)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '&':
			dst = append(dst, "&amp;"...)
		case bytes.ContainsRune([]byte("\\`*[]|~$"), r),
			r == '_' && (!wordly(before) || !followed(rest)),
			r == ':' && (bytes.HasPrefix(rest, []byte("//")) || endsFold(s[:i], "mailto") || endsFold(s[:i], "xmpp")),
			r == '.' && endsFold(s[:i], "www"):
			dst = utf8.AppendRune(append(dst, '\\'), r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
		before = r
		i += n
	}
	return dst
}

// wordly tells the characters between which an underscore is just one.
func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func followed(rest []byte) bool {
	r, _ := utf8.DecodeRune(rest)
	return wordly(r)
}

func endsFold(s []byte, word string) bool {
	return len(s) >= len(word) && bytes.EqualFold(s[len(s)-len(word):], []byte(word))
}
