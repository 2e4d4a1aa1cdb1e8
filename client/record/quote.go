package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Quote returns s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func Quote(s string) Value { return AppendQuote(nil, s) }

// AppendQuote appends Quote(s) to dst.
func AppendQuote(dst []byte, s string) []byte {
	if !IsPlain(s) && (strings.ContainsFunc(s, mustEscape) || !utf8.ValidString(s)) {
		quoted, _ := Encode(s) // encoding a string does not fail
		return append(dst, quoted...)
	}
	return append(append(append(dst, '"'), s...), '"')
}

// mustEscape reports whether a character is escaped: because JSON requires it, or
// because JavaScript would read it as the end of a line.
func mustEscape(r rune) bool {
	return r < ' ' || r == '"' || r == '\\' || r == '\u2028' || r == '\u2029'
}

// Encode returns v as JSON, as json.Marshal does, but without escapes for HTML.
func Encode(v any) (Value, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// QuoteYAML returns s as a JSON string that is a valid YAML scalar, too: characters that YAML forbids are escaped.
func QuoteYAML(s string) Value {
	quoted := Quote(s)
	if !bytes.ContainsFunc(quoted, isForbiddenInYAML) {
		return quoted
	}
	var out []byte
	for _, r := range string(quoted) {
		if isForbiddenInYAML(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

func isForbiddenInYAML(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff
}
