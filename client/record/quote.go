package record

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Quote is s as a JSON value.
func Quote(s string) Value { return AppendQuote(nil, s) }

// AppendQuote appends s as a JSON value.
func AppendQuote(dst []byte, s string) []byte {
	if !IsPlain(s) && (strings.ContainsFunc(s, mustEscape) || !utf8.ValidString(s)) {
		return appendEscaped(dst, s)
	}
	return append(append(append(dst, '"'), s...), '"')
}

// mustEscape tells whether a character may not stand in JSON, or in JavaScript,
// as it is.
func mustEscape(r rune) bool {
	return r < ' ' || r == '"' || r == '\\' || r == '\u2028' || r == '\u2029'
}

func appendEscaped(dst []byte, s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can't fail
	return append(dst, bytes.TrimSpace(b.Bytes())...)
}
