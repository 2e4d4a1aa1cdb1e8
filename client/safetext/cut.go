package safetext

import "unicode/utf8"

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
