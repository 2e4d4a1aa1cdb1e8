// Package textwidth measures and cuts texts by the columns that they take on a
// terminal. Some characters take two columns and some take none.
package textwidth

import (
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

const ellipsis = "…"

func Of[T string | []byte](s T) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return runewidth.StringWidth(string(s))
		}
	}
	return len(s)
}

// Truncate returns s cut to at most limit columns. A text that was cut ends with
// an ellipsis.
func Truncate(s string, limit int) string {
	if len(s) <= limit || Of(s) <= limit {
		return s
	}
	room := limit - Of(ellipsis) // the ellipsis takes two columns in East Asian locales
	if room < 0 {
		return Prefix(s, limit)
	}
	return Prefix(s, room) + ellipsis
}

// MaxPrefix is how many bytes of each column Prefix returns at most. Texts that people write are
// far from it, but characters that take no columns may follow each other without end.
const MaxPrefix = 100

// Prefix returns the longest beginning of s that takes no more than limit columns and
// MaxPrefix bytes for each of them.
func Prefix(s string, limit int) string {
	sum := 0
	for i, r := range s {
		w := 1
		if r >= utf8.RuneSelf {
			w = Of(string(r))
		}
		if sum += w; sum > limit || i > MaxPrefix*limit {
			return s[:i]
		}
	}
	return s
}
