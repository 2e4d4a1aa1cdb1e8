package encode

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

const Markdown Format = "markdown"

type markdownEncoder struct {
	frameless
	cellReader
	layout  Layout
	scratch []byte
}

func newMarkdown(l Layout) Encoder {
	return &markdownEncoder{cellReader: newCellReader(l), layout: l}
}

func (e *markdownEncoder) Begin(dst []byte) []byte {
	if e.layout.NoHeader || len(e.layout.Columns) == 0 {
		return dst
	}
	dst = append(dst, '|')
	for _, c := range e.layout.Columns {
		dst = append(appendMarkdown(append(dst, ' '), []byte(c.Name), nil), " |"...)
	}
	dst = append(dst, "\n|"...)
	for range e.layout.Columns {
		dst = append(dst, " --- |"...)
	}
	return append(dst, '\n')
}

func (e *markdownEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	dst = append(dst, '|')
	places := e.find(&rec)
	for i := range e.columns {
		c := &e.columns[i]
		v, _ := e.value(&rec, places, i)
		e.scratch = c.appendReadable(e.scratch[:0], v)
		dst = append(appendMarkdown(append(dst, ' '), e.scratch, e.layout.Flush), " |"...)
	}
	return append(dst, '\n'), nil
}

// AppendMarkdown appends a text so that a Markdown viewer shows exactly its characters.
func AppendMarkdown(dst []byte, text string) []byte { return appendMarkdown(dst, []byte(text), nil) }

// appendMarkdown appends text so that a Markdown viewer shows exactly its
// characters: no formatting, no HTML and no links, not even those that GitHub
// makes of bare addresses.
func appendMarkdown(dst, s []byte, flush Flush) []byte {
	before := ' '
	for i := 0; i < len(s); {
		dst = flush.drain(dst)
		r, n := utf8.DecodeRune(s[i:])
		rest := s[i+n:]
		next, _ := utf8.DecodeRune(rest)
		switch {
		case safetext.IsControl(r), safetext.IsInvisible(r):
			dst = safetext.AppendEscaped(dst, r)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '&':
			dst = append(dst, "&amp;"...)
		case bytes.ContainsRune([]byte("\\`*[]|~$"), r),
			r == '_' && (!isWordChar(before) || !isWordChar(next)),
			r == ':' && (bytes.HasPrefix(rest, []byte("//")) || hasSuffixFold(s[:i], "mailto") || hasSuffixFold(s[:i], "xmpp")),
			r == '.' && hasSuffixFold(s[:i], "www"):
			dst = utf8.AppendRune(append(dst, '\\'), r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
		before = r
		i += n
	}
	return dst
}

// isWordChar reports whether r is a letter or digit. Between two of them an
// underscore stands for itself.
func isWordChar(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func hasSuffixFold(s []byte, word string) bool {
	return len(s) >= len(word) && bytes.EqualFold(s[len(s)-len(word):], []byte(word))
}
