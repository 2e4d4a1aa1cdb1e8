package safetext

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Shorten returns a text of a file for a message: one line of at most maxShown characters, with control characters escaped.
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

// MaxMessage is how many bytes of a message are shown or stored, so that a hostile
// service fills neither a terminal nor a file by an error.
const MaxMessage = 2 << 10

const ellipsis = "…"

// Cut returns s if it has at most limit bytes. Otherwise it returns the beginning of s,
// which ends with a whole character, and an ellipsis: at most limit bytes together.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit - len(ellipsis)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + ellipsis
}
