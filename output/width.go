package output

import (
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

const ellipsis = "…"

// textWidth returns the columns that s takes on a terminal, counted as
// tablewriter counts them, since grid adds rows to those of tablewriter.
func textWidth(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return twwidth.WidthNoCache(s)
		}
	}
	return len(s)
}

// bytesWidth is textWidth of bytes.
func bytesWidth(s []byte) int {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return textWidth(string(s))
		}
	}
	return len(s)
}

// truncate shortens s to limit columns, the last of them an ellipsis.
func truncate(s string, limit int) string {
	if len(s) <= limit || textWidth(s) <= limit {
		return s
	}
	room := limit - textWidth(ellipsis) // which is wide in East Asian locales
	if room < 0 {
		return prefixOf(s, limit)
	}
	return prefixOf(s, room) + ellipsis
}

// prefixOf returns the longest beginning of s that takes no more than limit
// columns.
func prefixOf(s string, limit int) string {
	end, sum := 0, 0
	for i, r := range s {
		w := 1
		if r >= utf8.RuneSelf {
			w = textWidth(string(r))
		}
		if sum+w > limit {
			break
		}
		sum += w
		end = i + utf8.RuneLen(r)
	}
	// Some characters together are wider than each alone.
	for end > 0 && textWidth(s[:end]) > limit {
		_, n := utf8.DecodeLastRuneInString(s[:end])
		end -= n
	}
	return s[:end]
}

// Fit shortens s to limit columns, the last of them an ellipsis.
func Fit(s string, limit int) string { return truncate(s, limit) }

// Width returns the columns that s takes on a terminal.
func Width(s string) int { return textWidth(s) }
