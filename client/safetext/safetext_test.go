package safetext

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "plain", "plain"},
		{"empty", "", ""},
		{"letters beyond ASCII", "é日", "é日"},
		{"escape sequence", "\x1b[31m", `\u001b[31m`},
		{"white space", "a\tb\nc\r", `a\tb\nc\r`},
		{"C1 and DEL", "\u009b\u007f", `\u009b\u007f`},
		{"direction", "\u202e\u2066\u200f\u061c", `\u202e\u2066\u200f\u061c`},
		{"line breaks", "a\u2028b\u2029c\u0085d", `a\u2028b\u2029c\u0085d`},
		{"no width", "pay\u200bpal\u200c\u200d\u2060\ufeff\u00ad\u180e\u3164", `pay\u200bpal\u200c\u200d\u2060\ufeff\u00ad\u180e\u3164`},
		{"tags", "a\U000e0001\U000e0041\U000e007f", `a\U000e0001\U000e0041\U000e007f`},
		{"variation selectors", "\u2764\ufe0f\u845b\U000e0100", "\u2764\ufe0f\u845b\U000e0100"},
		{"Arabic number sign", "\u0600\u0661", "\u0600\u0661"},
		{"not UTF-8", "\xff\xc3", `\xff\xc3`},
		{"replacement character", "\ufffd", "\ufffd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Escape(tt.in); got != tt.want {
				t.Errorf("Escape(%q) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
	if got, want := Escape("a\tb\nc\x00", '\n', '\t'), "a\tb\nc\\u0000"; got != want {
		t.Errorf("keeping line feeds and tabs: got %q, want %q", got, want)
	}
}

func TestAppendData(t *testing.T) {
	const in = "\x1b\u202e\u200f\u061c\u200b\u200d\u2028\ufeff\U000e0041\xff"
	const want = `\u001b\u202e\u200f\u061c` + "\u200b\u200d\u2028\ufeff\U000e0041" + `\xff`
	if got := string(AppendData(nil, []byte(in))); got != want {
		t.Errorf("AppendData(%q) = %q, want %q", in, got, want)
	}
}

func TestWriterTakesAnyPieces(t *testing.T) {
	const text = "é\u009b\x1b[0m\n\t日本\u202e\u200b\U000e0041\xff\xe3\x81x😀\xf0\x9f"
	want := string(Append(nil, []byte(text), '\n', '\t'))
	for size := 1; size < len(text); size++ {
		var out bytes.Buffer
		w := NewWriter(&out)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if got, err := w.Write([]byte(rest[:n])); got != n || err != nil {
				t.Fatalf("Write: got %d, %v, want %d", got, err, n)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("pieces of %d: got %q, want %q", size, out.String(), want)
		}
	}
}

// FuzzEscape checks that escaped text is harmless, in whatever pieces a Writer gets it.
func FuzzEscape(f *testing.F) {
	f.Add([]byte("\x1b[31m\u202e\u200b\u2028\xff\xe3\x81"), byte(1))
	f.Add([]byte("pay\u00adpal\U000e0041\u061c\n\t\r"), byte(3))
	f.Fuzz(func(t *testing.T, text []byte, size byte) {
		people, data := string(Append(nil, text)), string(AppendData(nil, text))
		if !utf8.ValidString(people) || strings.ContainsFunc(people, func(r rune) bool { return IsControl(r) || IsInvisible(r) }) {
			t.Errorf("Append(%q) = %q, want no control or invisible character", text, people)
		}
		if !utf8.ValidString(data) || strings.ContainsFunc(data, IsControl) {
			t.Errorf("AppendData(%q) = %q, want no control character", text, data)
		}
		var out bytes.Buffer
		w := NewWriter(&out)
		for piece := range slices.Chunk(text, int(size)+1) {
			_, _ = w.Write(piece)
		}
		_ = w.Flush()
		if want := string(Append(nil, text, '\n', '\t')); out.String() != want {
			t.Errorf("a Writer of %q in pieces of %d wrote %q, want %q", text, int(size)+1, out.String(), want)
		}
		limit := int(size) + len(ellipsis)
		if cut := Cut(people, limit); len(cut) > limit || !utf8.ValidString(cut) {
			t.Errorf("Cut(%q, %d) = %q, want at most %d bytes of whole characters", people, limit, cut, limit)
		}
	})
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"short", "abc", 10, "abc"},
		{"just fits", "abcdefghij", 10, "abcdefghij"},
		{"too long", "abcdefghijk", 10, "abcdefg…"},
		{"inside a character", "abcdeéééé", 9, "abcde…"},
		{"no character begins", strings.Repeat("\x80", 20), 10, "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Cut(tt.in, tt.limit); got != tt.want {
				t.Errorf("Cut(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}

func TestAppendFormulaSafe(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a-b+c=d@e", "a-b+c=d@e"},
		{"formula", "=1+1", "'=1+1"},
		{"full-width sign", "＝1", "'＝1"},
		{"quote", `"=1"`, `'"=1"`},
		{"quoted name", `"Joe" Smith`, `'"Joe" Smith`},
		{"apostrophe", "'=1", "''=1"},
		{"apostrophe of a name", "'t Hof", "'t Hof"},
		{"after other separators", "a;=1,+2\t-3\n@4", "a;'=1,'+2\t'-3\n'@4"},
		{"quote after another separator", `a;"=1`, `a;'"=1`},
		{"no formula after another separator", `a;"b`, `a;"b`},
		{"carriage return", "\r=1", "'\r=1"},
		{"apostrophe before what may be an escaped carriage return", `'\r`, `''\r`},
		{"empty parts", ";;", ";;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := string(AppendFormulaSafe(nil, []byte(tt.in)))
			if got != tt.want {
				t.Errorf("AppendFormulaSafe(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzFormulaUnsafe(f *testing.F) {
	f.Add("'=a;'=b")
	f.Add(`'\r`)
	f.Add("\"'\"=,''+\r\t-")
	f.Fuzz(func(t *testing.T, text string) {
		safe := AppendFormulaSafe(nil, []byte(text))
		if got := FormulaUnsafe(string(safe)); got != text {
			t.Fatalf("FormulaUnsafe(%q) = %q, want %q", safe, got, text)
		}
		escaped := Append(nil, []byte(text), '\n', '\t')
		if got := FormulaUnsafe(string(Append(nil, safe, '\n', '\t'))); got != string(escaped) {
			t.Fatalf("FormulaUnsafe of %q with its control characters escaped = %q, want %q", safe, got, escaped)
		}
	})
}
