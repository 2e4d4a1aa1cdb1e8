package output

import (
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// width is the columns a text takes on a terminal, as tablewriter counts them:
// its rows and ours must agree.
func width(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return twwidth.WidthNoCache(s)
		}
	}
	return len(s)
}

// widthOf is width for a text that is no string.
func widthOf(s []byte) int {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return width(string(s))
		}
	}
	return len(s)
}

// cut shortens s to the given width, with an ellipsis for what is lost.
func cut(s string, limit int) string {
	if len(s) <= limit || width(s) <= limit {
		return s
	}
	room := limit - width(ellipsis) // which is wide in East Asian locales
	if room < 0 {
		return take(s, limit)
	}
	return take(s, room) + ellipsis
}

// take is the beginning of s that is no wider than limit.
func take(s string, limit int) string {
	end, sum := 0, 0
	for i, r := range s {
		w := 1
		if r >= utf8.RuneSelf {
			w = width(string(r))
		}
		if sum+w > limit {
			break
		}
		sum += w
		end = i + utf8.RuneLen(r)
	}
	// Some characters together are wider than each alone.
	for end > 0 && width(s[:end]) > limit {
		_, n := utf8.DecodeLastRuneInString(s[:end])
		end -= n
	}
	return s[:end]
}

// shrink takes from the widest columns until all fit into room, or none can
// give more.
func shrink(widths []int, room int) {
	total := 0
	for i, w := range widths {
		widths[i] = min(w, max(room, leastCell))
		total += widths[i]
	}
	for total > room {
		widest := 0
		for i, w := range widths {
			if w >= widths[widest] {
				widest = i
			}
		}
		if len(widths) == 0 || widths[widest] <= leastCell {
			return
		}
		widths[widest]--
		total--
	}
}

// Fit shortens s to the given width, with an ellipsis for what is lost.
func Fit(s string, limit int) string { return cut(s, limit) }

// Width is the columns a text takes on a terminal.
func Width(s string) int { return width(s) }
