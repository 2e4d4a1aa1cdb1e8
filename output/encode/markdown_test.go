package encode

import (
	"strings"
	"testing"
)

// readMarkdown returns the text of a Markdown cell as CommonMark reads it. It
// fails where a character has a meaning.
func readMarkdown(t *testing.T, s string) string {
	t.Helper()
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
				i++
			}
			out.WriteByte(s[i])
		case '&':
			for entity, text := range map[string]string{"&lt;": "<", "&gt;": ">", "&amp;": "&"} {
				if strings.HasPrefix(s[i:], entity) {
					out.WriteString(text)
					i += len(entity) - 1
				}
			}
		case '|', '`', '*', '[', ']', '<', '>', '~', '$':
			t.Fatalf("%c has a meaning in %q", c, s)
		default:
			if strings.HasPrefix(s[i:], "://") || strings.HasPrefix(s[i:], "www.") {
				t.Fatalf("%q has a link", s)
			}
			out.WriteByte(c)
		}
	}
	return out.String()
}

func TestMarkdownIsHarmless(t *testing.T) {
	for _, tc := range []string{
		"plain_name", "_it_ __b__ a_b_ _", "*b* **b**", "[x](javascript:alert(1))", "![i](http://example.com/x.png)", "<script>alert(1)</script>", "<http://example.com>",
		"https://example.com www.example.com WWW.example.com mailto:a@example.com", "a|b||", `\|`, `\\`, `\`, "`code`", "~~s~~", "&lt;b&gt; &#60;", "$x$", "日本_語",
	} {
		t.Run(tc, func(t *testing.T) {
			if got := readMarkdown(t, string(appendMarkdown(nil, []byte(tc), nil))); got != tc {
				t.Errorf("got %q, want %q", got, tc)
			}
		})
	}
}

func TestMarkdownEscapes(t *testing.T) {
	for in, want := range map[string]string{"a_b": "a_b", "_a_": `\_a\_`, "x\ny": `x\ny`, "http://a": `http\://a`, "a: b": "a: b"} {
		t.Run(in, func(t *testing.T) {
			if got := string(appendMarkdown(nil, []byte(in), nil)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
