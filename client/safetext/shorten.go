package safetext

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Shorten returns a text of a file for a message: one line of at most maxShown
// characters, with control characters escaped.
func Shorten(s string) string {
	quoted := Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// Quote returns the same text as Shorten, in quotes.
func Quote(s string) string {
	if utf8.RuneCountInString(s) > maxShown {
		for i := range s {
			if utf8.RuneCountInString(s[:i]) == maxShown-1 {
				s = s[:i] + "…"
				break
			}
		}
	}
	return strconv.Quote(s)
}

// maxShown is the number of characters of a value that an error shows at most.
const maxShown = 60
