package encode

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// YAML is a list of mappings, one mapping if the layout is Single, or a document for each
// mapping if it has Documents.
const YAML Format = "yaml"

// yamlEncoder writes block style itself: the yaml library can't be asked for
// \uXXXX, and would change the text of numbers.
type yamlEncoder struct{ records }

func newYAML(l Layout) Encoder { return &yamlEncoder{records{layout: l}} }

func (e *yamlEncoder) Begin(dst []byte) []byte {
	if e.layout.Comment == "" {
		return dst
	}
	return append(safetext.AppendData(append(dst, "# "...), []byte(e.layout.Comment)), '\n')
}

func (e *yamlEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	if e.began && e.layout.Documents {
		dst = append(dst, "---\n"...)
	}
	e.began = true
	indent := 0
	if !e.layout.Single && !e.layout.Documents {
		dst, indent = append(dst, "- "...), 2
	}
	return append(appendYAML(dst, e.text(&rec), indent, e.layout.Flush), '\n'), nil
}

func (e *yamlEncoder) End(dst []byte) ([]byte, error) {
	if !e.began && !e.layout.Single && !e.layout.Documents {
		dst = append(dst, "[]\n"...)
	}
	return dst, nil
}

// appendYAML appends v. All lines but the first are indented by indent spaces. Below
// maxIndent levels, arrays and objects are JSON on one line.
func appendYAML(dst []byte, v record.Value, indent int, flush Flush) []byte {
	dst = flush.drain(dst)
	switch kind := v.Kind(); {
	case (kind == record.Object || kind == record.Array) && indent > 2*maxIndent:
		return appendJSON(dst, v, Compact, flush)
	case kind == record.Object:
		return appendMapping(dst, v, indent, flush)
	case kind == record.Array:
		first := true
		for element := range v.Elements() {
			if !first {
				dst = appendIndent(dst, indent)
			}
			first = false
			dst = appendYAML(append(dst, "- "...), element, indent+2, flush)
		}
		if first {
			dst = append(dst, "[]"...)
		}
		return dst
	case kind == record.String:
		s := v.Text()
		if isBlock(s) {
			return appendBlock(dst, s, indent, flush)
		}
		return appendScalar(dst, s, flush)
	}
	return append(dst, v...)
}

// maxSimpleKey is the length of the longest key that stands before a plain
// colon. YAML wants a question mark before keys of more than 1024 characters.
const maxSimpleKey = 1000

// appendMapping appends an object. JSON allows two members of one name, YAML does
// not: the last one is written.
func appendMapping(dst []byte, v record.Value, indent int, flush Flush) []byte {
	last := map[string]int{}
	n := 0
	for name := range v.Members() {
		last[name] = n
		n++
	}
	if n == 0 {
		return append(dst, "{}"...)
	}
	i, first := 0, true
	for name, inner := range v.Members() {
		if i++; last[name] != i-1 {
			continue
		}
		if !first {
			dst = appendIndent(dst, indent)
		}
		first = false
		var key []byte
		if len(name) <= maxSimpleKey {
			key = appendScalar(nil, name, nil)
		}
		if len(name) > maxSimpleKey || len(key) > maxSimpleKey {
			dst = appendIndent(appendScalar(append(dst, "? "...), name, flush), indent)
		} else {
			dst = append(dst, key...)
		}
		dst = append(dst, ':')
		if inner.HasElements() {
			dst = appendYAML(appendIndent(dst, indent+2), inner, indent+2, flush)
		} else {
			dst = appendYAML(append(dst, ' '), inner, indent+2, flush)
		}
	}
	return dst
}

func appendIndent(dst []byte, n int) []byte { return appendSpaces(append(dst, '\n'), n) }

// appendScalar appends a string: without quotes if every YAML reader reads it as
// the same string, else in double quotes.
func appendScalar(dst []byte, s string, flush Flush) []byte {
	if isPlainScalar(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for _, r := range s {
		dst = flush.drain(dst)
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n' || r == '\t':
			dst = safetext.AppendEscaped(dst, r)
		case isEscaped(r):
			dst = safetext.AppendUnicode(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// isBlock reports whether s is a text of several lines that every YAML reader reads from a block as the same string.
func isBlock(s string) bool {
	if !strings.Contains(s, "\n") || strings.HasSuffix(s, "\n\n") || strings.ContainsRune(" \t\n", rune(s[0])) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && isEscaped(r) })
}

func appendBlock(dst []byte, s string, indent int, flush Flush) []byte {
	dst = append(dst, '|')
	text, ends := strings.CutSuffix(s, "\n")
	if !ends {
		dst = append(dst, '-')
	}
	dst = appendIndent(dst, indent)
	for i, r := range text {
		switch dst = flush.drain(dst); {
		case r == '\n' && text[i+1] != '\n':
			dst = appendIndent(dst, indent)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// isEscaped reports whether a character is written as an escape: a control character, a line break or one that can't be printed.
func isEscaped(r rune) bool {
	return safetext.IsControl(r) || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff
}

// isPlainScalar reports whether s needs no quotes. It is strict: s begins with
// a letter, holds only characters without a meaning in YAML, and is none of the
// words that some version of YAML takes for a boolean or null.
func isPlainScalar(s string) bool {
	before := rune(0)
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || r == '_':
		case i == 0:
			return false
		case unicode.IsDigit(r) || strings.ContainsRune(" -./@+,()&'%$;=?!*~", r):
		case r == ':' && i+1 < len(s) && s[i+1] != ' ':
		default:
			return false
		}
		before = r
	}
	if before == 0 || before == ' ' {
		return false
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}
