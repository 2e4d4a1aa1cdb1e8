package textwidth

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]int{"": 0, "plain": 5, "日本": 4, "e\u0301": 1} {
		if got := Of(text); got != want {
			t.Errorf("Of(%q): got %d, want %d", text, got, want)
		}
		if got := Of([]byte(text)); got != want {
			t.Errorf("Of([]byte(%q)): got %d, want %d", text, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, tc := range []struct {
		text  string
		limit int
		want  string
	}{
		{"plain", 5, "plain"},
		{"plain", 4, "pla…"},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"plain", 1, "…"},
		{"plain", 0, ""},
		{"\xffplain", 3, "\xffp…"},
	} {
		if got := Truncate(tc.text, tc.limit); got != tc.want {
			t.Errorf("Truncate(%q, %d): got %q, want %q", tc.text, tc.limit, got, tc.want)
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, tc := range []struct {
		text  string
		limit int
		want  string
	}{
		{"日本語", 5, "日本"},
		{"e\u0301a", 1, "e\u0301"},
		{"a\xff", 9, "a\xff"},
		{"\xff日", 2, "\xff"},
		{"a" + strings.Repeat("\u0301", 200), 1, "a" + strings.Repeat("\u0301", 50)},
	} {
		if got := Prefix(tc.text, tc.limit); got != tc.want {
			t.Errorf("Prefix(%q, %d): got %q, want %q", tc.text, tc.limit, got, tc.want)
		}
	}
}
