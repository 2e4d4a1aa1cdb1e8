package rows

import (
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"reseller/client/record"
)

// FuzzFold compares folding in place with folding step by step.
func FuzzFold(f *testing.F) {
	for _, text := range []string{
		"", " ", "a", "Emergency Plumber Near Me", "red  shoes on sale", "red shoes on sale ", "abcdefg  hi", "City  Bikes\t", " A B", "ÄPFEL", "a  b ü  C", "A\u030a B", "I\u0307", "\u00a0x\u2003Y", "ß SS", "Ǆ", "\v\f\r\n", "x\u0085y", "K\u212a",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		want := strings.Join(strings.Fields(norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))), " ")
		if got := FoldText(text); got != want {
			t.Fatalf("%q folds to %q, not %q", text, got, want)
		}
		if got := string(AppendFolded([]byte("KEEP "+text), 5)); got != "KEEP "+want {
			t.Fatalf("behind other text %q folds to %q", text, got)
		}
		if got, ok := record.Quote(text).AppendLower([]byte("KEEP ")); ok && string(got) != "KEEP "+want || !ok && string(got) != "KEEP " {
			t.Fatalf("%q folds at once to %q", text, got)
		}
	})
}
