package safetext

import (
	"strings"
	"testing"
)

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
