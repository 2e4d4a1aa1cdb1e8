package cli

import "testing"

// TestInertWords checks which words the completion offers: shells give no meaning to any of their characters.
func TestInertWords(t *testing.T) {
	for r := range rune(0x80) {
		isPlain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if word := string(r); IsInert(word) != isPlain {
			t.Errorf("got %v for %q, want %v", IsInert(word), word, isPlain)
		}
		isPlain = isPlain || r == '.' || r == '_' || r == '-'
		if word := "a" + string(r) + "b"; IsInert(word) != isPlain {
			t.Errorf("got %v for %q, want %v", IsInert(word), word, isPlain)
		}
	}
	for word, want := range map[string]bool{
		"Straße": true, "東京": true, "": false, "Joe\u2019s": false, "\u2013dash": false, "a\u00a0b": false, "a\u202eb": false, "a\u3164b": false, "a\xffb": false, "🍕": false,
	} {
		if IsInert(word) != want {
			t.Errorf("got %v for %q, want %v", !want, word, want)
		}
	}
}
