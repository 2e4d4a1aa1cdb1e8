package schema

import (
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"reseller/client/record"
)

// FuzzFoldText compares folding in place with folding by TrimSpace and the Unicode packages.
func FuzzFoldText(f *testing.F) {
	for _, text := range []string{
		"", " ", "a", "Emergency Plumber Near Me", "red  shoes on sale", "red shoes on sale ", "abcdefg  hi", "City  Bikes\t", " A B", "ÄPFEL", "a  b ü  C", "A\u030a B", "I\u0307", "\u00a0x\u2003Y", "ß SS", "Ǆ", "\v\f\r\n", "x\u0085y", "\u200bx \ufeff", "K\u212a", "run\u00adning é\u200b \u200b",
	} {
		f.Add(text)
	}
	seen := func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return r
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		want := strings.Join(strings.Fields(norm.NFC.String(cases.Fold().String(norm.NFC.String(strings.Map(seen, TrimSpace(text)))))), " ")
		if got := FoldText(text); got != want {
			t.Fatalf("FoldText(%q) = %q, want %q", text, got, want)
		}
		if got := string(AppendFolded([]byte("KEEP "+text), 5)); got != "KEEP "+want {
			t.Fatalf("AppendFolded(%q) = %q, want %q behind the other text", text, got, want)
		}
		if got, ok := record.Quote(text).AppendLower([]byte("KEEP ")); ok && string(got) != "KEEP "+want || !ok && string(got) != "KEEP " {
			t.Fatalf("AppendLower(%q) = %q, %t; want %q", text, got, ok, want)
		}
	})
}
