package record

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzQuote compares quoting with encoding/json, and Plain with looking at
// each byte.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "red shoes", "1234567\"", "12345678\\9", "caf\u00e9 12345678", "a\x00", "12345678\x1f", "\u2028 and \u2029", "\xff", "\x7f", "<&>", "a\xe2\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		noError(t, e.Encode(s))
		if got := string(AppendQuote([]byte("x"), s)); got != "x"+strings.TrimSuffix(want.String(), "\n") {
			t.Fatalf("%q becomes %s, not %s", s, got[1:], want.String())
		}
		plain := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x80 || r == '"' || r == '\\' })
		if IsPlain(s) != plain || IsPlain([]byte(s)) != plain {
			t.Fatalf("%q: %v", s, IsPlain(s))
		}
	})
}
